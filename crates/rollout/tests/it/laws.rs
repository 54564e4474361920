//! Laws: order of completion changes nothing; shards are a partition; seeds tell rollouts apart.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use textualrl_llm::{CallIdentity, Finish};
use textualrl_model::{Split, StepId};
use textualrl_rollout::{Collected, RolloutPlan, merge_shards};

use crate::scripted::{ScriptedModel, reply, run, tasks, training, transport};

/// Some number that only depends on the call and `salt`.
fn number_of(identity: &CallIdentity, salt: u64) -> u64 {
    let text = format!("{salt} {:?} {:?} {}", identity.task, identity.rollout, identity.sequence);
    u64::from(text.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte))) >> 8)
}

/// Replies come in an order that depends on `salt`; at once if it is 0.
fn collected(plan: &RolloutPlan, concurrency: u32, salt: u64) -> Collected {
    let failed = Mutex::new(BTreeSet::new());
    let first = move |identity: &CallIdentity| {
        let key = (identity.task.clone(), identity.rollout);
        identity.sequence == 0 && failed.lock().unwrap().insert(key)
    };
    let model = ScriptedModel::new(move |_, identity| match number_of(identity, 0) % 8 {
        0 if first(identity) => Err(transport("connection reset")),
        0..=2 => Ok(reply("look", Finish::Stop)),
        3..=5 => Ok(reply("right", Finish::Stop)),
        _ => Ok(reply("wrong", Finish::Stop)),
    });
    let model = model.yielding(move |identity| number_of(identity, salt) % 40 * salt.min(1));
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_time().worker_threads(2).build().unwrap();
    runtime.block_on(run(plan, &Arc::new(model), concurrency)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn completion_order_and_concurrency_change_nothing(
        number in 1_usize..12, k in 1_u32..5, concurrency in 1_u32..40, salt in 1_u64..1000,
    ) {
        let plan = training(&tasks(number), k);
        prop_assert_eq!(collected(&plan, concurrency, salt), collected(&plan, 1, 0));
    }
}

proptest! {
    #[test]
    fn every_rollout_is_in_exactly_one_shard(number in 1_usize..60, k in 1_u32..6, of in 1_u32..20) {
        let plan = training(&tasks(number), k);
        let shards: Vec<RolloutPlan> = (0..of).map(|shard| plan.shard(shard, of)).collect();
        let all: Vec<_> = shards.iter().flat_map(|shard| shard.keys().to_vec()).collect();
        prop_assert_eq!(all.len(), plan.keys().len());
        prop_assert_eq!(all.iter().collect::<BTreeSet<_>>(), plan.keys().iter().collect::<BTreeSet<_>>());
        for shard in &shards {
            for key in shard.keys() {
                prop_assert_eq!(shard.seed(key), plan.seed(key));
            }
        }
    }

    #[test]
    fn a_shard_does_not_depend_on_the_other_tasks(number in 2_usize..40, of in 1_u32..9) {
        let (plan, fewer) = (training(&tasks(number), 2), training(&tasks(number - 1), 2));
        for shard in 0..of {
            let whole = plan.shard(shard, of);
            prop_assert!(fewer.shard(shard, of).keys().iter().all(|key| whole.keys().contains(key)));
        }
    }

    #[test]
    fn seeds_are_distinct(number in 1_usize..60, k in 1_u32..6) {
        let plan = training(&tasks(number), k);
        let seeds: BTreeSet<u64> = plan.keys().iter().map(|key| plan.seed(key)).collect();
        prop_assert_eq!(seeds.len(), plan.keys().len());
    }
}

#[test]
fn shards_give_what_one_process_gives() {
    let plan = training(&tasks(9), 3);
    let shards = (0..4).map(|shard| collected(&plan.shard(shard, 4), 3, 5).trajectories).collect();
    assert_eq!(merge_shards(shards, &plan).unwrap(), collected(&plan, 8, 9).trajectories);
}

#[test]
fn siblings_share_the_released_batch_seed() {
    let plan = |epoch, step| RolloutPlan::training(StepId::new(epoch, step), &tasks(2), 4, 42).unwrap();
    for (plan, seed) in [
        (plan(1, 1), 1043),
        (plan(2, 3), 2045),
        (plan(1, 1).shard(1, 2), 1043),
        (RolloutPlan::evaluation(Split::Test, &tasks(2), 42).unwrap(), 42),
    ] {
        assert_eq!(plan.batch_seed(), seed, "{:?}", plan.step());
    }
}

#[test]
fn a_seed_never_changes() {
    let plan = training(&tasks(1), 1);
    assert_eq!(plan.seed(&plan.keys()[0]), 919_119_246_814_398);
}
