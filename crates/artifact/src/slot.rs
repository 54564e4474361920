//! The places of a run that a stage can fill.
//!
//! Always holds: a slot's folder depends on the slot alone.

use std::fmt;

use serde::{Deserialize, Serialize};
use textualrl_model::{Arm, Split, Stage, StepId};

/// A place that one stage process fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Slot {
    /// The initial context on the validation tasks, before the first step.
    Baseline,
    /// A stage of a step.
    Step {
        /// The step.
        step: StepId,
        /// The stage.
        stage: Stage,
    },
    /// An evaluation at the end of the run.
    Evaluation {
        /// Which context.
        arm: Arm,
        /// Which tasks.
        split: Split,
    },
}

impl Slot {
    /// The folder below the run, with `/` between its parts.
    pub fn folder(self) -> String {
        match self {
            Self::Baseline => "baseline".to_owned(),
            Self::Step { step, stage } => {
                let number = Stage::ALL.iter().position(|other| *other == stage).unwrap_or(0) + 1;
                format!("steps/{step}/{number}-{stage}")
            }
            Self::Evaluation { arm, split } => format!("evaluation/{}-{split}", arm.name()),
        }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Baseline => f.write_str("baseline"),
            Self::Step { step, stage } => write!(f, "{step} {stage}"),
            Self::Evaluation { arm, split } => write!(f, "evaluation of {} on {split}", arm.name()),
        }
    }
}
