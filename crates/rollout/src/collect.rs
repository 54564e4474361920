//! Collects all rollouts of a plan at once.
//!
//! Always holds: trajectories come back in the order of the plan; each episode has a history of its own; at most
//! `concurrency` episodes are under way, without a thread for each.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use textualrl_bench::{Benchmark, EpisodeError, EpisodeSeed};
use textualrl_llm::{
    CallIdentity, CallPurpose, ChatError, ChatModel, ChatRequest, ModelRole, ToolDefinition,
};
use textualrl_model::settings::LimitSettings;
use textualrl_model::{Context, Fingerprint, NotScoredCause, Outcome, Split, Trajectory, Usage, UsageTotal};
use tokio::task::{Id, JoinError, JoinSet};

use crate::episode::{FinishedEpisode, ReadyEpisode, broken};
use crate::plan::{RolloutKey, RolloutPlan};
use crate::sampling::{RequestSeed, Sampling};
use crate::tally::{Tally, most_frequent_cause, worth_retrying};

/// What to collect, and how.
#[derive(Clone, Copy)]
pub struct Collection<'a> {
    /// Which rollouts.
    pub plan: &'a RolloutPlan,
    /// The context that the target is given.
    pub context: &'a Context,
    /// Where the tasks come from.
    pub benchmark: &'a dyn Benchmark,
    /// How the target is sampled.
    pub sampling: Sampling,
    /// 0, or one more for each `--resample`.
    pub generation: u32,
    /// Episodes under way at once; 0 counts as 1.
    pub concurrency: u32,
    /// When to stop.
    pub limits: &'a LimitSettings,
}

/// How far the collection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollectProgress {
    /// 0, or the number of the retry of unscored rollouts.
    pub round: u32,
    /// Rollouts done in this round.
    pub done: usize,
    /// Rollouts of this round.
    pub of: usize,
}

/// What was collected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// One trajectory for each key, in the order of the plan.
    pub trajectories: Vec<Trajectory>,
    /// What it cost, retries included.
    pub usage: UsageTotal,
    /// Trajectories without a reward.
    pub not_scored: u32,
}

/// Why a stage stops without a result. Completed calls stay in the journal.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// The endpoint refuses every call, or nothing it answers could be recorded.
    #[error("the rollouts stop: {0}")]
    Endpoint(#[source] ChatError),
    /// An episode cannot start.
    #[error(transparent)]
    Episode(#[from] EpisodeError),
    /// Too many training rollouts have no reward.
    #[error(
        "{not_scored} of {rollouts} rollouts could not be scored, more than limits.not_scored = {limit} allows; \
         most often ({count} times): {cause}"
    )]
    TooManyNotScored {
        /// Rollouts without a reward.
        not_scored: u32,
        /// Rollouts in all.
        rollouts: usize,
        /// The share allowed.
        limit: f64,
        /// The most frequent cause.
        cause: NotScoredCause,
        /// How often it came.
        count: u32,
    },
    /// It was cancelled.
    #[error("interrupted; the completed calls are kept, and a resumed run goes on from there")]
    Interrupted,
}

/// Collects the rollouts of a plan. Unscored rollouts are tried again as a group at the end. `progress` is told of each
/// finished episode, in no fixed order; when `cancel` is ready, the collection stops.
///
/// # Errors
/// If the endpoint cannot be used at all, a task cannot start, too many training rollouts stay unscored, or it was
/// cancelled. Unscored evaluation rollouts are no error: the caller sees their number.
pub async fn collect(
    collection: Collection<'_>,
    model: Arc<dyn ChatModel>,
    progress: &(dyn Fn(CollectProgress) + Sync),
    cancel: impl Future<Output = ()>,
) -> Result<Collected, CollectError> {
    let mut collector = Collector {
        collection,
        model,
        context: collection.context.fingerprint(),
        tally: Tally::default(),
        usage: UsageTotal::default(),
        done: BTreeMap::new(),
    };
    let mut cancel = pin!(cancel);
    for round in 0..=collection.limits.not_scored_retries {
        let open = collector.open();
        if open.is_empty() {
            break;
        }
        tokio::select! {
            biased;
            () = &mut cancel => return Err(CollectError::Interrupted),
            ran = collector.run_round(round, open, progress) => ran?,
        }
    }
    collector.end()
}

struct Collector<'a> {
    collection: Collection<'a>,
    model: Arc<dyn ChatModel>,
    context: Fingerprint,
    tally: Tally,
    usage: UsageTotal,
    /// By position in the plan.
    done: BTreeMap<usize, FinishedEpisode>,
}

/// A rollout and its position in the plan.
type Place<'a> = (usize, &'a RolloutKey);

impl<'a> Collector<'a> {
    /// The rollouts that are not done, or unscored and worth another try.
    fn open(&self) -> Vec<Place<'a>> {
        let open = |(position, _): &Place<'a>| self.done.get(position).is_none_or(worth_retrying);
        self.collection.plan.keys().iter().enumerate().filter(open).collect()
    }

    /// Runs the episodes of these rollouts. Dropped, it stops all that are under way.
    async fn run_round(
        &mut self,
        round: u32,
        open: Vec<Place<'a>>,
        progress: &(dyn Fn(CollectProgress) + Sync),
    ) -> Result<(), CollectError> {
        let of = open.len();
        let mut waiting = open.into_iter();
        let mut running = JoinSet::new();
        let mut places: BTreeMap<Id, Place<'a>> = BTreeMap::new();
        let mut done = 0;
        loop {
            while running.len() < self.collection.concurrency.max(1) as usize {
                let Some(place) = waiting.next() else { break };
                places.insert(self.spawn(place.1, &mut running)?, place);
            }
            let Some(joined) = running.join_next_with_id().await else { return Ok(()) };
            let id = joined.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
            if let Some((position, key)) = places.remove(&id) {
                let ended = joined.map(|(_, episode)| episode);
                let episode =
                    ended.unwrap_or_else(|error| self.without_episode(key, broken(&error.to_string())));
                self.take(position, episode)?;
            }
            done += 1;
            progress(CollectProgress { round, done, of });
        }
    }

    fn spawn(&self, key: &RolloutKey, running: &mut JoinSet<FinishedEpisode>) -> Result<Id, CollectError> {
        let handle = match self.prepare(key) {
            Ok(ready) => running.spawn(ready.run(self.collection.plan.split())),
            Err(error @ EpisodeError::UnknownTask { .. }) => return Err(error.into()),
            Err(error @ EpisodeError::Environment { .. }) => {
                let cause = NotScoredCause::Environment { message: error.to_string() };
                running.spawn(std::future::ready(self.without_episode(key, Outcome::NotScored { cause })))
            }
        };
        Ok(handle.id())
    }

    /// Starts an episode and writes its first request.
    fn prepare(&self, key: &RolloutKey) -> Result<ReadyEpisode, EpisodeError> {
        let Collection { plan, context, benchmark, sampling, generation, .. } = self.collection;
        let seed = EpisodeSeed { batch: plan.batch_seed(), rollout: plan.seed(key) };
        let mut episode = benchmark.start(plan.split(), &key.task, seed)?;
        let tools = episode.tools().into_iter().map(|tool| ToolDefinition {
            name: tool.name,
            description: tool.description,
            parameters: tool.parameters,
        });
        let request = ChatRequest {
            tools: tools.collect(),
            turns: episode.opening(context),
            temperature: sampling.temperature,
            seed: match sampling.seed {
                RequestSeed::None => None,
                RequestSeed::Fixed(seed) => Some(seed),
                RequestSeed::PerRollout => Some(seed.rollout),
            },
            schema: None,
        };
        let identity = CallIdentity {
            role: ModelRole::Target,
            purpose: CallPurpose::Rollout,
            split: Some(plan.split()),
            step: plan.step(),
            task: Some(key.task.clone()),
            rollout: Some(key.rollout),
            sequence: 0,
            // A retry is the same call: what failed was not journaled, and what was answered is not bought again.
            attempt: 0,
            generation,
        };
        let (key, context, model) = (key.clone(), self.context.clone(), Arc::clone(&self.model));
        Ok(ReadyEpisode { key, context, episode, request, identity, model })
    }

    /// The record of a rollout that could not be run.
    fn without_episode(&self, key: &RolloutKey, outcome: Outcome) -> FinishedEpisode {
        let trajectory = Trajectory {
            task: key.task.clone(),
            rollout: key.rollout,
            split: self.collection.plan.split(),
            context: self.context.clone(),
            turns: Vec::new(),
            outcome,
            usage: Usage { input: Some(0), output: Some(0) },
            calls: 0,
        };
        FinishedEpisode { trajectory, usage: UsageTotal::default(), failed_call: None }
    }

    fn take(&mut self, position: usize, episode: FinishedEpisode) -> Result<(), CollectError> {
        self.usage.add(&episode.usage);
        let hopeless = self.tally.count(&episode);
        self.done.insert(position, episode);
        hopeless.map_or(Ok(()), |error| Err(CollectError::Endpoint(error)))
    }

    /// Puts the result together, or refuses it if too many training rollouts stayed unscored.
    fn end(self) -> Result<Collected, CollectError> {
        let trajectories: Vec<Trajectory> =
            self.done.into_values().map(|episode| episode.trajectory).collect();
        let rollouts = trajectories.len();
        let scored = trajectories.iter().filter(|trajectory| trajectory.outcome.reward().is_some()).count();
        let not_scored = u32::try_from(rollouts - scored).unwrap_or(u32::MAX);
        if scored == 0
            && let Some(error) = self.tally.out_of_use()
        {
            return Err(CollectError::Endpoint(error));
        }
        let limit = self.collection.limits.not_scored;
        if self.collection.plan.split() == Split::Train
            && f64::from(not_scored) > limit * rollouts as f64
            && let Some((cause, count)) = most_frequent_cause(&trajectories)
        {
            return Err(CollectError::TooManyNotScored { not_scored, rollouts, limit, cause, count });
        }
        Ok(Collected { trajectories, usage: self.usage, not_scored })
    }
}
