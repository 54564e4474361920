//! One clue, one reply.
//!
//! Always holds: the golds stay here until the reply is scored.

use std::sync::Arc;

use textualrl_model::settings::Scoring;
use textualrl_model::{Context, Outcome, Reward, Role, Turn};

use super::PROMPT;
use super::tasks::SearchQaTask;
use crate::answer::extract;
use crate::benchmark::{Episode, Progress};
use crate::feedback::{Remarks, outcome};
use crate::prompt::system;
use crate::score::tokens::{contains_either_way, exact_match, f1};

/// An episode of SearchQA.
#[derive(Debug)]
pub(super) struct SearchQaEpisode {
    task: Arc<SearchQaTask>,
    scoring: Scoring,
    reply: String,
}

impl SearchQaEpisode {
    pub(super) fn new(task: Arc<SearchQaTask>, scoring: Scoring) -> Self {
        Self { task, scoring, reply: String::new() }
    }

    /// How near an answer came: token F1, and whether it and a gold contain each other.
    fn nearness(&self, answer: &str) -> String {
        let golds = &self.task.golds;
        let overlap = f1(answer, golds, self.scoring);
        let contained = match contains_either_way(answer, golds, self.scoring) {
            true => ", one contains the other",
            false => "",
        };
        format!("token F1 {overlap:.2}{contained}")
    }
}

impl Episode for SearchQaEpisode {
    fn opening(&mut self, context: &Context) -> Vec<Turn> {
        let question = self.task.question.clone();
        vec![Turn::text(Role::System, system(PROMPT, context)), Turn::text(Role::User, question)]
    }

    fn act(&mut self, reply: &Turn) -> Progress {
        self.reply = reply.joined_text();
        Progress::Finished
    }

    fn score(&mut self) -> Outcome {
        let answer = extract(&self.reply, self.scoring);
        let solved = exact_match(&answer.text, &self.task.golds, self.scoring);
        let remarks = Remarks { safe: None, expected: Some(self.nearness(&answer.text)) };
        outcome(Reward::of(solved), &answer, &self.task.golds, remarks)
    }
}
