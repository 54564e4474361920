//! The scorers of own tasks by name.
//!
//! Always holds: a gold that a scorer cannot use is found when the tasks are loaded: malformed ones are errors, golds that
//! no answer can reach exclude the task.

use regex::Regex;
use serde::Serialize;
use serde_json::Value;
use textualrl_model::settings::{ScorerSettings, Scoring};

use super::command;
use crate::answer::{Answer, Place, extract};
use crate::data::LoadError;
use crate::data::row::Row;
use crate::score::{anls, choice, json_equal, normal, numeric, tokens};

/// The names of all scorers.
const NAMES: [&str; 10] =
    ["exact", "normalized", "contains", "choice", "numeric", "f1", "anls", "regex", "json_equal", "command"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Exact,
    Normalized,
    Contains,
    Choice,
    Numeric,
    F1,
    Anls,
    Regex,
    JsonEqual,
    Command,
}

/// A task's golds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Golds {
    /// As texts, for comparing and for feedback.
    pub(super) texts: Vec<String>,
    /// As JSON values.
    values: Vec<Value>,
}

/// A scorer, ready to score.
#[derive(Debug, Clone)]
pub(super) struct Scorer {
    method: Method,
    settings: ScorerSettings,
    scoring: Scoring,
}

impl Scorer {
    /// The scorer that the settings name.
    pub(super) fn new(settings: &ScorerSettings, scoring: Scoring) -> Result<Self, LoadError> {
        use Method::{Anls, Choice, Command, Contains, Exact, F1, JsonEqual, Normalized, Numeric, Regex};
        let methods = [Exact, Normalized, Contains, Choice, Numeric, F1, Anls, Regex, JsonEqual, Command];
        let found = NAMES.iter().zip(methods).find(|(name, _)| **name == settings.name);
        let Some((_, method)) = found else {
            let problem = format!("{:?} is none of {}", settings.name, NAMES.join(", "));
            return Err(LoadError::Setting { key: "scorer.name", problem });
        };
        if method == Command && settings.command.is_empty() {
            let problem = "is empty; name the program and its arguments".to_owned();
            return Err(LoadError::Setting { key: "scorer.command", problem });
        }
        Ok(Self { method, settings: settings.clone(), scoring })
    }

    /// Which metric scores.
    pub(super) fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// Whether scoring runs a program.
    pub(super) fn blocks(&self) -> bool {
        self.method == Method::Command
    }

    /// The golds of a row; the inner error says why no answer could ever be right.
    pub(super) fn golds(&self, row: &Row) -> Result<Result<Golds, &'static str>, LoadError> {
        let values = row.golds()?;
        let texts = match self.method {
            Method::JsonEqual | Method::Command => values.iter().map(plain).collect(),
            _ => row.text_golds()?,
        };
        let golds = Golds { texts, values };
        if self.method != Method::Command && golds.texts.is_empty() {
            return Err(LoadError::row(&row.place, "neither `answer` nor `answers` is there; add one"));
        }
        for gold in &golds.texts {
            self.check(row, gold)?;
        }
        let reachable = golds.texts.is_empty() || golds.texts.iter().any(|gold| self.reachable(gold));
        Ok(if reachable {
            Ok(golds)
        } else {
            Err("no answer can equal its gold, which is blank after normalisation")
        })
    }

    /// Refuses a gold of the wrong form.
    fn check(&self, row: &Row, gold: &str) -> Result<(), LoadError> {
        let problem = match self.method {
            Method::Numeric if numeric::number(gold).is_none() => {
                "is no number, which the scorer `numeric` needs".to_owned()
            }
            Method::Regex => match Regex::new(gold) {
                Err(error) => format!("is no regular expression ({error})"),
                Ok(_) => return Ok(()),
            },
            _ => return Ok(()),
        };
        Err(LoadError::row(&row.place, format!("field `answer`: {gold:?} {problem}")))
    }

    fn reachable(&self, gold: &str) -> bool {
        match self.method {
            Method::Normalized | Method::F1 => !normal::normalize(gold, Scoring::Corrected).is_empty(),
            Method::Exact | Method::Contains | Method::Choice | Method::Anls => !gold.trim().is_empty(),
            _ => true,
        }
    }

    /// The answer that is scored: the tag's content; without a tag the last line, or the whole reply where an answer
    /// may have several lines.
    pub(super) fn answer(&self, reply: &str) -> Answer {
        let answer = extract(reply);
        let several_lines = matches!(
            self.method,
            Method::Contains | Method::Regex | Method::JsonEqual | Method::Choice | Method::Command
        );
        match answer.place {
            Place::LastLine if several_lines => {
                Answer { text: reply.trim().to_owned(), place: Place::LastLine }
            }
            _ => answer,
        }
    }

    /// Whether an answer is right. Not for the external command.
    pub(super) fn is_right(&self, answer: &str, golds: &Golds) -> bool {
        let any = |right: &dyn Fn(&str) -> bool| golds.texts.iter().any(|gold| right(gold));
        match self.method {
            Method::Exact => any(&|gold| answer.trim() == gold.trim()),
            Method::Normalized => tokens::exact_match(answer, &golds.texts, self.scoring),
            Method::Contains => any(&|gold| contains(answer, gold)),
            Method::Choice => any(&|gold| choice::matches(answer, gold)),
            Method::Numeric => any(&|gold| numeric::close(answer, gold, self.settings.tolerance)),
            Method::F1 => tokens::f1(answer, &golds.texts, self.scoring) >= self.settings.threshold,
            Method::Anls => anls::anls(answer, &golds.texts) >= self.settings.threshold,
            Method::Regex => any(&|gold| Regex::new(gold).is_ok_and(|pattern| pattern.is_match(answer))),
            Method::JsonEqual => golds.values.iter().any(|gold| json_equal::matches(answer, &parsed(gold))),
            Method::Command => false,
        }
    }

    /// Asks the external command.
    pub(super) fn ask_command(&self, input: &Value) -> Result<command::Verdict, command::CommandError> {
        command::ask(&self.settings, input)
    }

    /// Whether the command's feedback is declared free of golds.
    pub(super) fn safe_feedback(&self) -> bool {
        self.settings.safe_feedback
    }
}

fn contains(answer: &str, gold: &str) -> bool {
    answer.to_lowercase().contains(&gold.trim().to_lowercase())
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A gold that is a text of JSON, as a CSV field is, stands for its value.
fn parsed(gold: &Value) -> Value {
    match gold {
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| gold.clone()),
        other => other.clone(),
    }
}
