//! The families of phrases, with what makes each unobservable.
//!
//! Always holds: every family has an explanation that can be shown to a person or a model.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A family of phrases that depend on information that is unavailable at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Gold answers, labels and outputs.
    GoldAnswer,
    /// The gold standard as something to match.
    GoldStandard,
    /// Ground truth.
    GroundTruth,
    /// Reference answers and solutions.
    ReferenceAnswer,
    /// Answer keys and mark schemes.
    AnswerKey,
    /// Expected, target and correct answers as something to compare with.
    ExpectedAnswer,
    /// Annotated answers and labels, and those who made them.
    Annotation,
    /// What an evaluator, grader, scorer or judge says.
    EvaluatorFeedback,
    /// What an evaluator wants or accepts.
    EvaluatorExpectation,
    /// Scores, labels and examples of validation, test and training data.
    EvaluationSignal,
    /// Scoring metrics and rubrics as something to optimise.
    Metric,
    /// Rewards.
    Reward,
    /// Hidden tests, answers and rubrics.
    HiddenEvaluation,
    /// Whether an answer was marked right or wrong.
    Marking,
    /// Other runs of the same tasks.
    OtherRuns,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 15] = [
        Self::GoldAnswer,
        Self::GoldStandard,
        Self::GroundTruth,
        Self::ReferenceAnswer,
        Self::AnswerKey,
        Self::ExpectedAnswer,
        Self::Annotation,
        Self::EvaluatorFeedback,
        Self::EvaluatorExpectation,
        Self::EvaluationSignal,
        Self::Metric,
        Self::Reward,
        Self::HiddenEvaluation,
        Self::Marking,
        Self::OtherRuns,
    ];

    /// Why a phrase of the family cannot be followed at run time.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::GoldAnswer => {
                "the agent never sees the gold answer; say what in the task supports the answer"
            }
            Self::GoldStandard => "the agent has no gold standard to match; say what in the task to match",
            Self::GroundTruth => {
                "the agent never sees the ground truth; say what in the task supports the answer"
            }
            Self::ReferenceAnswer => "the agent has no reference answer; say what in the task to go by",
            Self::AnswerKey => "the agent has no answer key or mark scheme",
            Self::ExpectedAnswer => "the agent does not know the right answer and cannot compare with it",
            Self::Annotation => "the agent has no annotated answers and cannot ask annotators",
            Self::EvaluatorFeedback => "nobody grades the agent while it works, so there is no such feedback",
            Self::EvaluatorExpectation => {
                "the agent cannot know what an evaluator expects; say the form itself"
            }
            Self::EvaluationSignal => {
                "validation, test and training data and scores do not exist at run time"
            }
            Self::Metric => "the agent cannot see how it is scored; say what a good answer looks like",
            Self::Reward => "the agent sees no reward",
            Self::HiddenEvaluation => "what is hidden from the agent cannot be used by it",
            Self::Marking => "the agent is never told whether an answer was right",
            Self::OtherRuns => "the agent sees only its own run, not other runs of the task",
        }
    }

    /// The family's name as it is written in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::GoldAnswer => "gold_answer",
            Self::GoldStandard => "gold_standard",
            Self::GroundTruth => "ground_truth",
            Self::ReferenceAnswer => "reference_answer",
            Self::AnswerKey => "answer_key",
            Self::ExpectedAnswer => "expected_answer",
            Self::Annotation => "annotation",
            Self::EvaluatorFeedback => "evaluator_feedback",
            Self::EvaluatorExpectation => "evaluator_expectation",
            Self::EvaluationSignal => "evaluation_signal",
            Self::Metric => "metric",
            Self::Reward => "reward",
            Self::HiddenEvaluation => "hidden_evaluation",
            Self::Marking => "marking",
            Self::OtherRuns => "other_runs",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_records_hold() {
        for family in Family::ALL {
            assert_eq!(serde_json::to_value(family).unwrap(), family.name());
        }
    }
}
