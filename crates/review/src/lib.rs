//! Review: from proposals and evidence to reviewed, ranked edits (Section 3.3 of the paper).
//!
//! Always holds: what a reply may change is decided by pure functions on values; the only side effect is a call of the
//! optimizer through [`textualrl_llm::ChatModel`]; no edit is lost to a failed call.

pub mod bundle;
mod caller;
pub mod enforce;
mod merge;
pub mod merge_reply;
pub mod output;
pub mod plan;
pub mod rank;
pub mod report;
pub mod review;
pub mod reviewer;
pub mod wire;

pub use bundle::Branch;
pub use output::{
    MergeRecord, MergeStatus, MergedEdit, Ranking, RankingStatus, ReviewCall, ReviewOutput, ReviewStatus,
};
pub use report::report;
pub use review::{ReviewError, ReviewInput, review};
