//! The rollout stage (Algorithm 1, line 1; Equations 1 and 2): K trajectories for each training task, one for each
//! validation or test task.
//!
//! Always holds: what is collected depends on the plan and on the replies, never on which reply came first; a rollout
//! without a reward is counted and shown, never a reward of 0.

pub mod collect;
mod episode;
pub mod group;
pub mod merge;
pub mod plan;
pub mod sampling;
pub mod scores;
mod tally;

pub use collect::{CollectError, CollectProgress, Collected, Collection, collect};
pub use group::{GroupSummary, GroupsArtifact, group};
pub use merge::{MergeError, merge_shards};
pub use plan::{PlanError, RolloutKey, RolloutPlan};
pub use sampling::{RequestSeed, Sampling};
pub use scores::{ScoresArtifact, TaskScore};
pub use tally::most_frequent_cause;
