//! Task blocks: a rollout group after its duplicates were consolidated (Section 3.2, Appendix B.2).
//!
//! Always holds: the multiplicities of a block add up to the scored rollouts of its task, and every original rollout
//! is referred to once.

use textualrl_model::{Part, Reward, RolloutIndex, Route, TaskId, VisibleTrajectory};

/// A trajectory that stands for all its duplicates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniqueTrajectory {
    /// The first of the duplicates, as a critic sees it.
    pub shown: VisibleTrajectory,
    /// The rollouts it stands for, in order, itself first; their number is the multiplicity.
    pub references: Vec<RolloutIndex>,
}

/// The unique trajectories of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskBlock {
    /// The task.
    pub task: TaskId,
    /// The route of its rollout group. None under the ablation without routing.
    pub route: Option<Route>,
    /// Whether some of the group's rollouts were not scored.
    pub incomplete: bool,
    /// Its unique trajectories, in order of their rollout index; never empty.
    pub trajectories: Vec<UniqueTrajectory>,
}

/// Consolidates siblings of one task: same outcome and same conversation, whatever the white space, the ids of tool
/// calls or the tokens.
pub fn consolidate(siblings: impl IntoIterator<Item = VisibleTrajectory>) -> Vec<UniqueTrajectory> {
    let mut unique: Vec<(Signature, UniqueTrajectory)> = Vec::new();
    for shown in siblings {
        let signature = Signature::of(&shown);
        match unique.iter_mut().find(|(known, _)| *known == signature) {
            Some((_, first)) => first.references.push(shown.rollout),
            None => {
                let references = vec![shown.rollout];
                unique.push((signature, UniqueTrajectory { shown, references }));
            }
        }
    }
    unique.into_iter().map(|(_, trajectory)| trajectory).collect()
}

/// What makes two siblings duplicates: outcome and pieces of the conversation, each with its kind.
#[derive(PartialEq, Eq)]
struct Signature {
    reward: Reward,
    pieces: Vec<(&'static str, String)>,
}

impl Signature {
    /// Leaves out the ids of calls and the reasoning, which an endpoint makes anew each time.
    fn of(trajectory: &VisibleTrajectory) -> Self {
        let mut pieces = Vec::new();
        for turn in &trajectory.turns {
            pieces.push(("role", turn.role.name().to_owned()));
            pieces.extend(turn.content.iter().map(|part| match part {
                Part::Text { text } => ("text", collapse(text)),
                Part::Image { media_type, base64 } => ("image", format!("{media_type} {base64}")),
            }));
            for call in &turn.tool_calls {
                pieces.push(("call", call.name.clone()));
                pieces.push(("arguments", collapse(&call.arguments)));
            }
        }
        Self { reward: trajectory.reward, pieces }
    }
}

/// The text with each run of white space as one space, and none at its ends.
pub(crate) fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
