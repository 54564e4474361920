//! One question, one reply.
//!
//! Always holds: the golds stay here until the reply is scored.

use std::sync::Arc;

use textualrl_model::settings::Scoring;
use textualrl_model::{Context, Outcome, Part, Reward, Role, Turn};

use super::tasks::DocVqaTask;
use super::{PROMPT, score};
use crate::benchmark::{Episode, Progress};
use crate::feedback::{Remarks, outcome};
use crate::prompt::system;

/// What is shown of the page.
#[derive(Debug)]
pub(super) enum Shown {
    /// An image.
    Image(Part),
    /// The text that was read from it.
    Text(String),
}

/// An episode of DocVQA.
#[derive(Debug)]
pub(super) struct DocVqaEpisode {
    task: Arc<DocVqaTask>,
    shown: Shown,
    scoring: Scoring,
    reply: String,
}

impl DocVqaEpisode {
    pub(super) fn new(task: Arc<DocVqaTask>, shown: Shown, scoring: Scoring) -> Self {
        Self { task, shown, scoring, reply: String::new() }
    }
}

impl Episode for DocVqaEpisode {
    fn opening(&mut self, context: &Context) -> Vec<Turn> {
        let question = format!("## Question\n{}", self.task.question);
        let asked = match &self.shown {
            Shown::Text(text) => Turn::text(Role::User, format!("## Document\n{text}\n\n{question}")),
            Shown::Image(image) => {
                let mut asked = Turn::text(Role::User, question);
                asked.content.push(image.clone());
                asked
            }
        };
        vec![Turn::text(Role::System, system(PROMPT, context)), asked]
    }

    fn act(&mut self, reply: &Turn) -> Progress {
        self.reply = reply.joined_text();
        Progress::Finished
    }

    fn score(&mut self) -> Outcome {
        let answer = score::answer(&self.reply, self.scoring);
        let similarity = score::similarity(&answer.text, &self.task.golds, self.scoring);
        let remarks = Remarks { safe: None, expected: Some(format!("ANLS {similarity:.4}")) };
        outcome(Reward::of(score::is_right(similarity)), &answer, &self.task.golds, remarks)
    }
}
