//! One clue, one reply.
//!
//! Always holds: the golds stay here until the reply is scored.

use textualrl_model::settings::Scoring;
use textualrl_model::{Context, Outcome, Reward, Role, Turn};

use super::PROMPT;
use super::passages::{BUDGET, cut};
use super::tasks::SearchQaTask;
use crate::answer::extract;
use crate::benchmark::{Episode, Progress};
use crate::feedback::outcome;
use crate::prompt::system;
use crate::score::tokens::exact_match;

/// An episode of SearchQA.
#[derive(Debug)]
pub(super) struct SearchQaEpisode {
    task: SearchQaTask,
    scoring: Scoring,
    reply: String,
}

impl SearchQaEpisode {
    pub(super) fn new(task: SearchQaTask, scoring: Scoring) -> Self {
        Self { task, scoring, reply: String::new() }
    }
}

impl Episode for SearchQaEpisode {
    fn opening(&mut self, context: &Context) -> Vec<Turn> {
        let passages = cut(&self.task.passages, BUDGET);
        let task = format!("## Context\n{passages}\n\n## Question\n{}", self.task.question);
        vec![Turn::text(Role::System, system(PROMPT, context)), Turn::text(Role::User, task)]
    }

    fn act(&mut self, reply: &Turn) -> Progress {
        self.reply = reply.joined_text();
        Progress::Finished
    }

    fn score(&mut self) -> Outcome {
        let answer = extract(&self.reply);
        let solved = exact_match(&answer.text, &self.task.golds, self.scoring);
        outcome(Reward::of(solved), &answer, &self.task.golds)
    }
}
