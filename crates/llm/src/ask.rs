//! Structured replies: ask, extract the JSON, check it, and ask once more with what was wrong.
//!
//! Always holds: a call is re-asked at most once, under the next attempt number; what the check accepted is never
//! lost to a worse second reply; the texts of both replies are kept, so that a failure can be read later.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use textualrl_model::{Role, Turn, Usage, UsageTotal};

use crate::chat::{ChatError, ChatModel, ChatReply, ChatRequest, Finish};
use crate::identity::CallIdentity;
use crate::reply::{ReplyError, extract_with_fixes};

/// The most problems that a re-ask quotes.
const QUOTED_PROBLEMS: usize = 20;

/// What a check keeps of a reply, and what it found wrong with the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked<T> {
    /// The usable part.
    pub value: T,
    /// What was left out of it and why, each a sentence that the model can act upon. Empty if all is well.
    pub problems: Vec<String>,
}

impl<T> Checked<T> {
    /// A value with nothing wrong.
    pub fn whole(value: T) -> Self {
        Self { value, problems: Vec::new() }
    }

    /// The good part of a reply, and what is wrong with the rest.
    pub fn partial(value: T, problems: Vec<String>) -> Self {
        Self { value, problems }
    }
}

/// One reply as it came, for the stage's artifact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedReply {
    /// The reply's text, untouched.
    pub text: String,
    /// Why the model stopped.
    pub finish: Finish,
    /// What was wrong with it.
    pub problems: Vec<String>,
    /// The lexical repairs without which it is no JSON.
    pub fixes: u32,
    /// Its tokens.
    pub usage: Usage,
    /// Whether the journal answered. Not part of the record.
    #[serde(skip)]
    pub from_journal: bool,
}

/// The one or two replies of an ask, in order; none if the first call failed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AskRecord {
    /// The replies, the first and perhaps the re-asked one.
    pub replies: Vec<AskedReply>,
}

impl AskRecord {
    /// The text of the first reply, for audits; empty if there was none.
    pub fn first_text(&self) -> &str {
        self.replies.first().map_or("", |reply| reply.text.as_str())
    }

    /// The completed calls.
    pub fn calls(&self) -> usize {
        self.replies.len()
    }

    /// Calls and tokens of all replies.
    pub fn usage(&self) -> UsageTotal {
        let mut total = UsageTotal::default();
        for reply in &self.replies {
            total.add_call(reply.usage, reply.from_journal);
        }
        total
    }

    /// What is wrong with the newest reply.
    fn newest_problems(&self) -> Vec<String> {
        self.replies.last().map_or_else(Vec::new, |reply| reply.problems.clone())
    }
}

/// A usable answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked<T> {
    /// What the check kept.
    pub value: T,
    /// What it left out of the reply that `value` is from; empty if all is well.
    pub problems: Vec<String>,
    /// Index in `record.replies` of the reply that `value` is from.
    pub chosen: usize,
    /// The replies.
    pub record: AskRecord,
}

/// Why there is no answer. `record` holds the replies that were made before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The endpoint failed; this says nothing about the model's answer.
    #[error("{cause}")]
    Call {
        /// Why the call failed.
        cause: ChatError,
        /// The replies so far.
        record: AskRecord,
    },
    /// The output cap cut the reply off; it was not parsed. A larger `output_cap` helps.
    #[error("the reply was cut off by the output cap; raise `output_cap`")]
    CutOff {
        /// The replies so far.
        record: AskRecord,
    },
    /// The model or a filter refused to answer.
    #[error("the model refused to answer")]
    Refused {
        /// The replies so far.
        record: AskRecord,
    },
    /// Two replies, and nothing in either can be used.
    #[error("no usable reply after a re-ask: {}", problems.join("; "))]
    Unusable {
        /// What is wrong with the last reply.
        problems: Vec<String>,
        /// The replies.
        record: AskRecord,
    },
}

impl AskError {
    /// The replies that were made before the failure.
    pub fn record(&self) -> &AskRecord {
        match self {
            Self::Call { record, .. }
            | Self::CutOff { record }
            | Self::Refused { record }
            | Self::Unusable { record, .. } => record,
        }
    }
}

/// What became of one reply.
enum Judged<T> {
    Kept(Checked<T>),
    Problems(Vec<String>),
    CutOff,
    Refused,
}

/// Asks for a JSON object and checks it. `check` returns what is usable with the problems of the rest, or `Err` with
/// the problems if nothing is. If there are problems, the model is asked once more with them quoted, as attempt
/// `identity.attempt + 1`; the second reply counts unless it has more problems than a usable first one.
///
/// # Errors
/// If a call fails for good, a first reply is cut off or refused, or neither reply can be used. A re-ask that the
/// endpoint refuses for good (too long, rejected) is no error if the first reply had a usable part.
pub async fn ask<T>(
    model: &dyn ChatModel,
    request: &ChatRequest,
    identity: &CallIdentity,
    check: impl Fn(Value) -> Result<Checked<T>, Vec<String>>,
) -> Result<Asked<T>, AskError> {
    let mut record = AskRecord::default();
    let reply = match model.chat(request, identity).await {
        Ok(reply) => reply,
        Err(cause) => return Err(AskError::Call { cause, record }),
    };
    let first = match judge(&reply, &check, &mut record) {
        Judged::Kept(Checked { value, problems }) if problems.is_empty() => {
            return Ok(Asked { value, problems, chosen: 0, record });
        }
        Judged::CutOff => return Err(AskError::CutOff { record }),
        Judged::Refused => return Err(AskError::Refused { record }),
        Judged::Kept(checked) => Some(checked),
        Judged::Problems(_) => None,
    };
    let again = re_ask(request, &reply.turn, &record.newest_problems());
    let next = CallIdentity { attempt: identity.attempt.saturating_add(1), ..identity.clone() };
    match model.chat(&again, &next).await {
        Ok(reply) => {
            let second = judge(&reply, &check, &mut record);
            choose(first, second, record)
        }
        Err(cause) => after_failed_re_ask(first, cause, record),
    }
}

/// Extracts and checks one reply, and writes it into the record.
fn judge<T>(
    reply: &ChatReply,
    check: &impl Fn(Value) -> Result<Checked<T>, Vec<String>>,
    record: &mut AskRecord,
) -> Judged<T> {
    let text = reply.turn.joined_text();
    let mut fixes = 0;
    let judged = match extract_with_fixes(&text, &reply.finish) {
        Ok(extracted) => {
            fixes = extracted.fixes;
            check(extracted.value).map_or_else(Judged::Problems, Judged::Kept)
        }
        Err(ReplyError::CutOff | ReplyError::UnclosedThinking) => Judged::CutOff,
        Err(_) if reply.finish == Finish::Refused => Judged::Refused,
        Err(error) => Judged::Problems(vec![error.to_string()]),
    };
    let problems = match &judged {
        Judged::Kept(checked) => checked.problems.clone(),
        Judged::Problems(problems) => problems.clone(),
        Judged::CutOff => vec!["the reply was cut off".to_owned()],
        Judged::Refused => vec!["the model refused".to_owned()],
    };
    let (finish, usage, from_journal) = (reply.finish.clone(), reply.usage, reply.from_journal);
    record.replies.push(AskedReply { text, finish, problems, fixes, usage, from_journal });
    judged
}

/// The better of two replies: the second, unless it is worse than a usable first one.
fn choose<T>(first: Option<Checked<T>>, second: Judged<T>, record: AskRecord) -> Result<Asked<T>, AskError> {
    let asked = |Checked { value, problems }: Checked<T>, chosen, record| {
        Ok(Asked { value, problems, chosen, record })
    };
    match (first, second) {
        (Some(first), Judged::Kept(second)) if second.problems.len() > first.problems.len() => {
            asked(first, 0, record)
        }
        (_, Judged::Kept(second)) => asked(second, 1, record),
        (Some(first), _) => asked(first, 0, record),
        (None, Judged::Problems(problems)) => Err(AskError::Unusable { problems, record }),
        (None, Judged::CutOff) => Err(AskError::CutOff { record }),
        (None, Judged::Refused) => Err(AskError::Refused { record }),
    }
}

/// A permanent refusal of the re-ask leaves the first reply as it was; any other failure is the endpoint's.
fn after_failed_re_ask<T>(
    first: Option<Checked<T>>,
    cause: ChatError,
    record: AskRecord,
) -> Result<Asked<T>, AskError> {
    let permanent = matches!(cause, ChatError::ContextTooLong { .. } | ChatError::Rejected { .. });
    match first {
        Some(Checked { value, problems }) if permanent => Ok(Asked { value, problems, chosen: 0, record }),
        None if permanent => Err(AskError::Unusable { problems: record.newest_problems(), record }),
        _ => Err(AskError::Call { cause, record }),
    }
}

/// The same conversation, the bad reply, and what was wrong with it.
fn re_ask(request: &ChatRequest, reply: &Turn, problems: &[String]) -> ChatRequest {
    let mut message = String::from("Your reply could not be used as it stands:\n");
    for problem in problems.iter().take(QUOTED_PROBLEMS) {
        message.push_str("- ");
        message.push_str(problem);
        message.push('\n');
    }
    if let Some(more) = problems.len().checked_sub(QUOTED_PROBLEMS).filter(|more| *more > 0) {
        message.push_str(&format!("- and {more} more of this kind\n"));
    }
    message.push_str(
        "\nCorrect this and give the whole JSON object again, complete, as the only thing in your reply. \
         Keep the parts that were right.",
    );
    let mut again = request.clone();
    again.turns.push(reply.clone());
    again.turns.push(Turn::text(Role::User, message));
    again
}
