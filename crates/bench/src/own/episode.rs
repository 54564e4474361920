//! One own task, one reply.
//!
//! Always holds: the golds stay here until the reply is scored.

use std::sync::Arc;

use serde_json::{Value, json};
use textualrl_model::{Context, Feedback, NotScoredCause, Outcome, Reward, Role, Turn};

use super::PROMPT;
use super::command;
use super::scorer::Scorer;
use super::tasks::OwnTask;
use crate::answer::Answer;
use crate::benchmark::{Episode, Progress};
use crate::feedback::{Remarks, outcome};
use crate::prompt::system;

/// An episode of an own task.
#[derive(Debug)]
pub(super) struct OwnEpisode {
    task: Arc<OwnTask>,
    scorer: Scorer,
    reply: String,
}

impl OwnEpisode {
    pub(super) fn new(task: Arc<OwnTask>, scorer: Scorer) -> Self {
        Self { task, scorer, reply: String::new() }
    }

    /// The row with the reply and the answer found in it.
    fn command_input(&self, answer: &str) -> Value {
        let mut fields = self.task.fields.clone();
        fields.insert("id".to_owned(), json!(self.task.id));
        fields.insert(command::RESPONSE.to_owned(), json!(self.reply));
        fields.insert(command::EXTRACTED_ANSWER.to_owned(), json!(answer));
        Value::Object(fields)
    }

    fn score_by_command(&self, answer: Answer) -> Outcome {
        match command::ask(self.scorer.settings(), &self.command_input(&answer.text)) {
            Ok(verdict) => {
                let feedback = if self.scorer.settings().safe_feedback {
                    Feedback { safe: verdict.feedback, expected: None }
                } else {
                    Feedback { safe: None, expected: verdict.feedback }
                };
                Outcome::Scored { reward: verdict.reward, answer: Some(answer.text), feedback }
            }
            Err(error) => Outcome::NotScored { cause: NotScoredCause::Scorer { message: error.to_string() } },
        }
    }
}

impl Episode for OwnEpisode {
    fn opening(&mut self, context: &Context) -> Vec<Turn> {
        vec![
            Turn::text(Role::System, system(PROMPT, context)),
            Turn::text(Role::User, self.task.question.clone()),
        ]
    }

    fn blocks(&self) -> bool {
        self.scorer.is_command()
    }

    fn act(&mut self, reply: &Turn) -> Progress {
        self.reply = reply.joined_text();
        Progress::Finished
    }

    fn score(&mut self) -> Outcome {
        let answer = self.scorer.answer(&self.reply);
        if self.scorer.is_command() {
            return self.score_by_command(answer);
        }
        let golds = &self.task.golds;
        let right = self.scorer.is_right(&answer.text, golds);
        let remarks = Remarks { safe: self.scorer.fact(&answer.text, golds), expected: None };
        outcome(Reward::of(right), &answer, &golds.texts, remarks)
    }
}
