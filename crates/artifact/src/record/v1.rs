//! Version 1 of the trajectory record.
//!
//! Always holds: plain structs without serde attributes, because bincode writes fields by position; the golden file
//! in `fixtures/artifacts/v1` guards every byte.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use textualrl_model::{
    Feedback, Fingerprint, NotScoredCause, Outcome, Part, Reward, Role, RolloutIndex, Split, TaskId,
    ToolCall, Trajectory, Turn, Usage,
};

/// A trajectory.
#[derive(Debug, Serialize, Deserialize)]
pub struct TrajectoryRecord<'a> {
    /// The task's id.
    pub task: Cow<'a, str>,
    /// The rollout's index, from 1.
    pub rollout: u32,
    /// 0 train, 1 validation, 2 test.
    pub split: u8,
    /// The context's fingerprint.
    pub context: Cow<'a, str>,
    /// The turns.
    pub turns: Vec<TurnRecord<'a>>,
    /// How it ended.
    pub outcome: OutcomeRecord<'a>,
    /// Input tokens.
    pub input_tokens: Option<u64>,
    /// Output tokens.
    pub output_tokens: Option<u64>,
    /// Completed model calls.
    pub calls: u32,
}

/// A turn.
#[derive(Debug, Serialize, Deserialize)]
pub struct TurnRecord<'a> {
    /// 0 system, 1 user, 2 assistant, 3 tool.
    pub role: u8,
    /// The content.
    pub parts: Vec<PartRecord<'a>>,
    /// The tools called.
    pub tool_calls: Vec<ToolCallRecord<'a>>,
    /// The call that a tool's turn answers.
    pub tool_call_id: Option<Cow<'a, str>>,
    /// The reasoning beside the content.
    pub reasoning: Option<Cow<'a, str>>,
}

/// A part of a turn.
#[derive(Debug, Serialize, Deserialize)]
pub struct PartRecord<'a> {
    /// An image's media type; none for text.
    pub media_type: Option<Cow<'a, str>>,
    /// The text, or the image in base64.
    pub data: Cow<'a, str>,
}

/// A tool call.
#[derive(Debug, Serialize, Deserialize)]
pub struct ToolCallRecord<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// The tool's name.
    pub name: Cow<'a, str>,
    /// The arguments as the model wrote them.
    pub arguments: Cow<'a, str>,
}

/// An outcome.
#[derive(Debug, Serialize, Deserialize)]
pub struct OutcomeRecord<'a> {
    /// 0 failure, 1 success, 2 provider, 3 scorer, 4 environment.
    pub kind: u8,
    /// The answer that was scored.
    pub answer: Option<Cow<'a, str>>,
    /// Feedback free of golds.
    pub safe: Option<Cow<'a, str>>,
    /// Feedback that may name the expected answer.
    pub expected: Option<Cow<'a, str>>,
    /// Why it was not scored; empty if it was.
    pub message: Cow<'a, str>,
}

/// A record whose numbers or ids mean nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} holds {found}")]
pub struct InvalidRecord {
    /// The field.
    pub field: &'static str,
    /// What it holds.
    pub found: String,
}

fn invalid(field: &'static str) -> impl FnOnce(&dyn std::fmt::Display) -> InvalidRecord {
    move |found| InvalidRecord { field, found: found.to_string() }
}

fn borrowed(text: Option<&String>) -> Option<Cow<'_, str>> {
    text.map(|text| Cow::Borrowed(text.as_str()))
}

impl<'a> From<&'a Trajectory> for TrajectoryRecord<'a> {
    fn from(trajectory: &'a Trajectory) -> Self {
        Self {
            task: trajectory.task.as_str().into(),
            rollout: trajectory.rollout.get(),
            split: match trajectory.split {
                Split::Train => 0,
                Split::Validation => 1,
                Split::Test => 2,
            },
            context: trajectory.context.as_str().into(),
            turns: trajectory.turns.iter().map(Into::into).collect(),
            outcome: (&trajectory.outcome).into(),
            input_tokens: trajectory.usage.input,
            output_tokens: trajectory.usage.output,
            calls: trajectory.calls,
        }
    }
}

impl<'a> From<&'a Turn> for TurnRecord<'a> {
    fn from(turn: &'a Turn) -> Self {
        Self {
            role: match turn.role {
                Role::System => 0,
                Role::User => 1,
                Role::Assistant => 2,
                Role::Tool => 3,
            },
            parts: turn.content.iter().map(Into::into).collect(),
            tool_calls: turn.tool_calls.iter().map(Into::into).collect(),
            tool_call_id: borrowed(turn.tool_call_id.as_ref()),
            reasoning: borrowed(turn.reasoning.as_ref()),
        }
    }
}

impl<'a> From<&'a Part> for PartRecord<'a> {
    fn from(part: &'a Part) -> Self {
        match part {
            Part::Text { text } => Self { media_type: None, data: text.into() },
            Part::Image { media_type, base64 } => {
                Self { media_type: Some(media_type.into()), data: base64.into() }
            }
        }
    }
}

impl<'a> From<&'a ToolCall> for ToolCallRecord<'a> {
    fn from(call: &'a ToolCall) -> Self {
        Self { id: (&call.id).into(), name: (&call.name).into(), arguments: (&call.arguments).into() }
    }
}

impl<'a> From<&'a Outcome> for OutcomeRecord<'a> {
    fn from(outcome: &'a Outcome) -> Self {
        match outcome {
            Outcome::Scored { reward, answer, feedback } => Self {
                kind: u8::from(*reward),
                answer: borrowed(answer.as_ref()),
                safe: borrowed(feedback.safe.as_ref()),
                expected: borrowed(feedback.expected.as_ref()),
                message: "".into(),
            },
            Outcome::NotScored { cause } => {
                let (kind, message) = match cause {
                    NotScoredCause::Provider { message } => (2, message),
                    NotScoredCause::Scorer { message } => (3, message),
                    NotScoredCause::Environment { message } => (4, message),
                };
                Self { kind, answer: None, safe: None, expected: None, message: message.into() }
            }
        }
    }
}

impl TryFrom<TrajectoryRecord<'_>> for Trajectory {
    type Error = InvalidRecord;
    fn try_from(record: TrajectoryRecord<'_>) -> Result<Self, InvalidRecord> {
        let splits = Split::ALL;
        Ok(Self {
            task: TaskId::new(record.task).map_err(|error| invalid("task")(&error))?,
            rollout: match record.rollout {
                0 => return Err(invalid("rollout")(&0)),
                number => RolloutIndex::new(number),
            },
            split: *splits.get(usize::from(record.split)).ok_or_else(|| invalid("split")(&record.split))?,
            context: Fingerprint::try_from(record.context.into_owned())
                .map_err(|error| invalid("context")(&error))?,
            turns: record.turns.into_iter().map(Turn::try_from).collect::<Result<_, _>>()?,
            outcome: record.outcome.try_into()?,
            usage: Usage { input: record.input_tokens, output: record.output_tokens },
            calls: record.calls,
        })
    }
}

impl TryFrom<TurnRecord<'_>> for Turn {
    type Error = InvalidRecord;
    fn try_from(record: TurnRecord<'_>) -> Result<Self, InvalidRecord> {
        Ok(Self {
            role: match record.role {
                0 => Role::System,
                1 => Role::User,
                2 => Role::Assistant,
                3 => Role::Tool,
                other => return Err(invalid("role")(&other)),
            },
            content: record.parts.into_iter().map(Part::from).collect(),
            tool_calls: record.tool_calls.into_iter().map(ToolCall::from).collect(),
            tool_call_id: record.tool_call_id.map(Cow::into_owned),
            reasoning: record.reasoning.map(Cow::into_owned),
        })
    }
}

impl From<PartRecord<'_>> for Part {
    fn from(record: PartRecord<'_>) -> Self {
        let data = record.data.into_owned();
        match record.media_type {
            None => Self::Text { text: data },
            Some(media_type) => Self::Image { media_type: media_type.into_owned(), base64: data },
        }
    }
}

impl From<ToolCallRecord<'_>> for ToolCall {
    fn from(record: ToolCallRecord<'_>) -> Self {
        Self {
            id: record.id.into_owned(),
            name: record.name.into_owned(),
            arguments: record.arguments.into_owned(),
        }
    }
}

impl TryFrom<OutcomeRecord<'_>> for Outcome {
    type Error = InvalidRecord;
    fn try_from(record: OutcomeRecord<'_>) -> Result<Self, InvalidRecord> {
        let message = record.message.into_owned();
        let cause = match record.kind {
            0 | 1 => {
                return Ok(Self::Scored {
                    reward: Reward::of(record.kind == 1),
                    answer: record.answer.map(Cow::into_owned),
                    feedback: Feedback {
                        safe: record.safe.map(Cow::into_owned),
                        expected: record.expected.map(Cow::into_owned),
                    },
                });
            }
            2 => NotScoredCause::Provider { message },
            3 => NotScoredCause::Scorer { message },
            4 => NotScoredCause::Environment { message },
            other => return Err(invalid("outcome")(&other)),
        };
        Ok(Self::NotScored { cause })
    }
}
