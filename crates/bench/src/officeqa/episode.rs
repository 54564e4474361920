//! One question, answered with tools over documents.
//!
//! Always holds: every call of a tool is answered, or the episode is over; the gold stays here until the end. The last
//! turn is announced under neither scoring: both play the published protocol and differ in what counts as the answer.

use std::sync::Arc;

use textualrl_model::settings::{DocumentReach, OfficeQaSettings, Scoring};
use textualrl_model::{Context, Feedback, NotScoredCause, Outcome, Part, Reward, Role, ToolCall, Turn};

use super::documents::Reachable;
use super::tasks::OfficeQaTask;
use super::{PROMPT, score, tools};
use crate::answer::{OPEN, tags};
use crate::benchmark::{Episode, Progress, Tool};
use crate::feedback::{Remarks, outcome};
use crate::prompt::system;

/// Candidate documents that a task shows.
const CANDIDATES: usize = 20;

/// How an episode ended.
#[derive(Debug)]
enum End {
    /// With a reply that is looked into for an answer.
    Reply(String),
    /// With a reply that neither calls a tool nor has an answer tag.
    Silent,
    /// With the last turn used for a call.
    OutOfTurns,
    /// With a document that cannot be read.
    Broken(String),
}

/// An episode of OfficeQA.
#[derive(Debug)]
pub(super) struct OfficeQaEpisode {
    task: Arc<OfficeQaTask>,
    documents: Reachable,
    scoring: Scoring,
    settings: OfficeQaSettings,
    replies: u32,
    /// Whether any document was looked into.
    opened: bool,
    end: End,
}

impl OfficeQaEpisode {
    pub(super) fn new(
        task: Arc<OfficeQaTask>,
        documents: Reachable,
        scoring: Scoring,
        settings: OfficeQaSettings,
    ) -> Self {
        Self { task, documents, scoring, settings, replies: 0, opened: false, end: End::Silent }
    }

    fn everywhere(&self) -> bool {
        self.settings.reach == DocumentReach::All
    }

    /// What the agent is asked. Where all documents are open, nothing says which of them are the sources.
    fn question(&self) -> String {
        let OfficeQaTask { question, sources, hints, pages, .. } = self.task.as_ref();
        let mut text = format!("## Question\n{question}\n");
        if !pages.is_empty() {
            text.push_str(&format!("\n## Oracle Parsed Pages\n{pages}\n"));
        }
        if self.everywhere() {
            return text;
        }
        let list = |items: &mut dyn Iterator<Item = &String>| -> String {
            items.map(|item| format!("- {item}\n")).collect()
        };
        let candidates = match sources.is_empty() {
            true => "- none resolved\n".to_owned(),
            false => list(&mut sources.iter().take(CANDIDATES)),
        };
        text.push_str(&format!("\n## Candidate Files\n{candidates}"));
        if !hints.is_empty() {
            text.push_str(&format!("\n## Source Hints\n{}", list(&mut hints.iter())));
        }
        text
    }

    /// How a reply without calls ends the episode.
    fn ended_by(&self, reply: String) -> End {
        let tagged = reply.to_ascii_lowercase().contains(OPEN);
        if self.scoring == Scoring::Reference && !tagged { End::Silent } else { End::Reply(reply) }
    }

    /// How a reply with calls on the last turn ends it. As published, an answer beside a call does not count.
    fn cut_off(&self, reply: String) -> End {
        let tagged = self.scoring == Scoring::Corrected && !tags(&reply).0.is_empty();
        if tagged { End::Reply(reply) } else { End::OutOfTurns }
    }

    fn answer_calls(&mut self, calls: &[ToolCall]) -> Progress {
        let mut turns = Vec::new();
        for call in calls {
            match tools::call(call, &self.documents, self.everywhere()) {
                Ok(answered) => {
                    self.opened |= answered.opened;
                    turns.push(result(call, answered.text));
                }
                Err(error) => {
                    self.end = End::Broken(error.to_string());
                    return Progress::Finished;
                }
            }
        }
        Progress::Continue(turns)
    }

    /// The outcome of an episode without answer.
    fn unanswered(&self, why: &str) -> Outcome {
        let safe = format!("{why}{}", if self.opened { "" } else { "; no document was opened" });
        let expected = Some(format!("{safe}; expected {:?}", self.task.gold));
        Outcome::Scored {
            reward: Reward::Failure,
            answer: None,
            feedback: Feedback { safe: Some(safe), expected },
        }
    }

    fn score_reply(&self, reply: &str) -> Outcome {
        let (gold, scoring) = (&self.task.gold, self.scoring);
        let answer = score::answer(reply, scoring);
        let reward = Reward::of(score::is_right(&answer.text, gold, scoring));
        let overlap = score::overlap(&answer.text, gold, scoring);
        let remarks = Remarks {
            safe: (!self.opened).then_some("no document was opened"),
            expected: Some(format!("token F1 {overlap:.2}")),
        };
        outcome(reward, &answer, std::slice::from_ref(gold), remarks)
    }
}

/// The turn that answers a call.
fn result(call: &ToolCall, text: String) -> Turn {
    Turn {
        role: Role::Tool,
        content: vec![Part::Text { text }],
        tool_calls: Vec::new(),
        tool_call_id: Some(call.id.clone()),
        reasoning: None,
    }
}

impl Episode for OfficeQaEpisode {
    fn opening(&mut self, context: &Context) -> Vec<Turn> {
        vec![Turn::text(Role::System, system(PROMPT, context)), Turn::text(Role::User, self.question())]
    }

    fn tools(&self) -> Vec<Tool> {
        tools::offered(self.everywhere())
    }

    fn blocks(&self) -> bool {
        true
    }

    fn act(&mut self, reply: &Turn) -> Progress {
        self.replies += 1;
        if reply.tool_calls.is_empty() {
            self.end = self.ended_by(reply.joined_text());
            return Progress::Finished;
        }
        if self.replies >= self.settings.turns {
            self.end = self.cut_off(reply.joined_text());
            return Progress::Finished;
        }
        self.answer_calls(&reply.tool_calls)
    }

    fn score(&mut self) -> Outcome {
        match &self.end {
            End::Reply(reply) => self.score_reply(reply),
            End::Silent => self.unanswered("the last reply neither calls a tool nor has an answer tag"),
            End::OutOfTurns => {
                self.unanswered(&format!("the limit of {} replies was reached", self.settings.turns))
            }
            End::Broken(message) => {
                Outcome::NotScored { cause: NotScoredCause::Environment { message: message.clone() } }
            }
        }
    }
}
