//! Critics: from rollout groups to edit proposals and evidence cards (Section 3.2 of the paper).
//!
//! Always holds: decisions (route, consolidate, batch, split, check an edit or a card) are pure functions on values;
//! the only side effect is a call of the optimizer through [`textualrl_llm::ChatModel`]; golds reach no prompt except
//! as the feedback that the configured level allows.

pub mod answer;
pub mod batch;
mod call;
pub mod card;
pub mod critique;
pub mod dedup;
pub mod display;
pub mod fit;
pub mod history;
pub mod output;
pub mod pattern;
pub mod proposal;
pub mod render;
pub mod route;

pub use batch::{AnalysisGroup, SkippedRoute};
pub use card::RejectedCard;
pub use critique::{CritiqueError, CritiqueInput, critique};
pub use output::{CritiqueOutput, GroupRecord, Routing, ShownReference};
pub use pattern::failure_patterns;
pub use route::LeftOutGroup;
