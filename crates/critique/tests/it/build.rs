//! Builders of small rollout groups.

use textualrl_model::settings::{CardsKept, CritiqueSettings, Routing};
use textualrl_model::{
    Context, Feedback, FeedbackLevel, NotScoredCause, Outcome, Reward, Role, RolloutGroup, RolloutIndex,
    Split, TaskId, Trajectory, Turn, Usage,
};

pub(crate) fn task(name: &str) -> TaskId {
    TaskId::new(name).unwrap()
}

pub(crate) fn settings() -> CritiqueSettings {
    CritiqueSettings {
        routing: Routing::On,
        group_size: 8,
        max_edits: 4,
        feedback: FeedbackLevel::Safe,
        images: false,
        cards: CardsKept::All,
    }
}

pub(crate) fn trajectory(name: &str, rollout: u32, answer: &str, outcome: Outcome) -> Trajectory {
    Trajectory {
        task: task(name),
        rollout: RolloutIndex::new(rollout),
        split: Split::Train,
        context: Context::default().fingerprint(),
        turns: vec![
            Turn::text(Role::System, "SYSTEM TURN WITH THE CONTEXT"),
            Turn::text(Role::User, format!("What is asked in {name}?")),
            Turn::text(Role::Assistant, answer),
        ],
        outcome,
        usage: Usage { input: Some(10), output: Some(u64::from(rollout)) },
        calls: 1,
    }
}

pub(crate) fn scored(success: bool) -> Outcome {
    let feedback = if success {
        Feedback::default()
    } else {
        Feedback { safe: Some("no answer tag".to_owned()), expected: Some("expected: CANARY".to_owned()) }
    };
    Outcome::Scored { reward: Reward::of(success), answer: None, feedback }
}

pub(crate) fn not_scored() -> Outcome {
    Outcome::NotScored { cause: NotScoredCause::Provider { message: "timeout".to_owned() } }
}

/// A group whose rollouts answer in turn what the marks say: `+` right, `-` wrong, `?` not scored. All right answers
/// of a task are the same, and so are all wrong ones.
pub(crate) fn group(name: &str, marks: &str) -> RolloutGroup {
    let trajectories = (1..).zip(marks.chars()).map(|(rollout, mark)| match mark {
        '+' => trajectory(name, rollout, &format!("<answer>right in {name}</answer>"), scored(true)),
        '-' => trajectory(name, rollout, &format!("it is wrong in {name}"), scored(false)),
        _ => trajectory(name, rollout, "", not_scored()),
    });
    let expected = u32::try_from(marks.len()).unwrap();
    RolloutGroup { task: task(name), expected, trajectories: trajectories.collect() }
}

/// `count` groups with the same marks, named `prefix01` and so on.
pub(crate) fn groups(prefix: &str, count: usize, marks: &str) -> Vec<RolloutGroup> {
    (1..=count).map(|number| group(&format!("{prefix}{number:02}"), marks)).collect()
}
