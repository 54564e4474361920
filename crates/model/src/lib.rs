//! The values of the method, named as in the paper: contexts, tasks, trajectories, routes, evidence cards,
//! edits, reviews and decisions, and the settings of each stage.
//!
//! Always holds: nothing here reads or writes a file, talks to a model or knows the time. Every crate of the
//! workspace depends on this one and this one on none of them.

pub mod buffer;
pub mod card;
pub mod context;
pub mod decision;
pub mod edit;
pub mod exit;
pub mod fingerprint;
pub mod group;
pub mod id;
pub mod outcome;
pub mod review;
pub mod settings;
pub mod stage;
pub mod trajectory;
pub mod turn;
pub mod usage;
pub mod visible;

pub use buffer::{BufferEntry, FailurePattern, Rejection, StepBuffer};
pub use card::{CardRejection, EvidenceCard, EvidencePool};
pub use context::Context;
pub use decision::{Decision, GateDecision, SkipReason, Standing, ValidationScore};
pub use edit::{Action, Anchor, Edit, EditOp, EditProposal, InvalidEdit, Patch, Place};
pub use exit::ExitCode;
pub use fingerprint::Fingerprint;
pub use group::{GroupState, RolloutGroup, Route};
pub use id::{CardId, EditId, GroupId, InvalidId, MergeId, RolloutIndex, Split, StepId, TaskId};
pub use outcome::{Feedback, NotScoredCause, Outcome, Reward};
pub use review::{Citation, Relation, ReviewDecision, ReviewRecord};
pub use stage::{Arm, Stage};
pub use trajectory::Trajectory;
pub use turn::{Part, Role, ToolCall, Turn};
pub use usage::{Usage, UsageTotal};
pub use visible::{FeedbackLevel, VisibleTrajectory};
