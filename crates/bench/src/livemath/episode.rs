//! One question, one reply.
//!
//! Always holds: which choice is right stays here until the reply is scored.

use std::sync::Arc;

use textualrl_model::settings::Scoring;
use textualrl_model::{Context, Outcome, Reward, Role, Turn};

use super::item::Item;
use super::tasks::LiveMathTask;
use super::{PROMPT, score, shuffle};
use crate::answer::{Place, extract};
use crate::benchmark::{Episode, Progress};
use crate::feedback::{Remarks, outcome};
use crate::prompt::system;

/// An episode of LiveMathematicianBench.
#[derive(Debug)]
pub(super) struct LiveMathEpisode {
    task: Arc<LiveMathTask>,
    /// The question with its choices in the order that is shown.
    shown: Item,
    scoring: Scoring,
    reply: String,
}

impl LiveMathEpisode {
    pub(super) fn new(task: Arc<LiveMathTask>, batch_seed: u64, scoring: Scoring) -> Self {
        let shown = shuffle::shuffled(&task.item, task.id.as_str(), batch_seed);
        Self { task, shown, scoring, reply: String::new() }
    }

    fn question(&self) -> String {
        let choices = shuffle::listed(&self.shown.choices);
        let mut text = format!("## Question\n{}\n\n## Choices\n{choices}", self.shown.question);
        for (heading, shown) in [("Theorem", &self.task.theorem), ("Proof sketch", &self.task.sketch)] {
            if let Some(shown) = shown {
                text.push_str(&format!("\n\n## {heading}\n{shown}"));
            }
        }
        text
    }
}

impl Episode for LiveMathEpisode {
    fn opening(&mut self, context: &Context) -> Vec<Turn> {
        vec![Turn::text(Role::System, system(PROMPT, context)), Turn::text(Role::User, self.question())]
    }

    fn act(&mut self, reply: &Turn) -> Progress {
        self.reply = reply.joined_text();
        Progress::Finished
    }

    fn score(&mut self) -> Outcome {
        let answer = extract(&self.reply, self.scoring);
        let (choices, correct) = (&self.shown.choices, &self.shown.correct);
        let label = score::label(&answer.text, choices, self.scoring);
        let unknown = answer.place != Place::Nowhere && score::choice_of(&label, choices).is_none();
        let remarks = Remarks {
            safe: unknown.then_some("it is no label of a choice"),
            expected: Some(format!("its text is {:?}", correct.text)),
        };
        outcome(Reward::of(label == correct.label), &answer, std::slice::from_ref(&correct.label), remarks)
    }
}
