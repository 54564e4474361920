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
    /// As JSON values, for `json_equal`.
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
        if method == Command
            && let Some(program) = settings.command.first()
            && !command::is_there(program)
        {
            let problem = format!("there is no program {program:?}; give its path, or a name on PATH");
            return Err(LoadError::Setting { key: "scorer.command", problem });
        }
        Ok(Self { method, settings: settings.clone(), scoring })
    }
    /// The settings that it was made of.
    pub(super) fn settings(&self) -> &ScorerSettings {
        &self.settings
    }

    /// Whether scoring runs a program.
    pub(super) fn is_command(&self) -> bool {
        self.method == Method::Command
    }

    /// The golds of a row; the inner error says why no answer could ever be right.
    pub(super) fn golds(&self, row: &Row) -> Result<Result<Golds, &'static str>, LoadError> {
        if self.method == Method::Command {
            return command_golds(row).map(Ok);
        }
        let golds = match self.method {
            Method::JsonEqual => {
                let values = row.golds().ok_or_else(|| LoadError::row(&row.place, NO_GOLD))?;
                let values: Vec<Value> = values.iter().map(parsed).collect();
                Golds { texts: values.iter().map(ToString::to_string).collect(), values }
            }
            _ => Golds { texts: row.text_golds()?, values: Vec::new() },
        };
        for gold in &golds.texts {
            self.check(row, gold)?;
        }
        Ok(if golds.texts.is_empty() {
            Err("its list of answers is empty")
        } else if golds.texts.iter().any(|gold| self.reachable(gold)) {
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

    /// A fact about an answer alone that explains a failure, whatever the gold is.
    pub(super) fn fact(&self, answer: &str, golds: &Golds) -> Option<&'static str> {
        let labels = || golds.texts.iter().any(|gold| choice::gold_label(gold).is_some());
        match self.method {
            _ if answer.is_empty() => None,
            Method::Numeric if numeric::number(answer).is_none() => Some("it is not one number"),
            Method::Choice if labels() && choice::label(answer).is_none() => Some("it settles on no choice"),
            Method::JsonEqual if json_equal::parse(answer).is_none() => Some("it is not JSON"),
            _ => None,
        }
    }

    /// The answer that is scored: the tag's content; without a tag the last line, or the whole reply where an answer
    /// may have several lines.
    pub(super) fn answer(&self, reply: &str) -> Answer {
        let answer = extract(reply, self.scoring);
        let several_lines = matches!(
            self.method,
            Method::Contains | Method::Regex | Method::JsonEqual | Method::Choice | Method::Command
        );
        match answer.place {
            Place::LastLine if several_lines => {
                Answer { text: reply.trim().to_owned(), place: Place::WholeReply }
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
            Method::JsonEqual => golds.values.iter().any(|gold| json_equal::matches(answer, gold)),
            Method::Command => false,
        }
    }
}

const NO_GOLD: &str = "neither field `answer` nor `answers` is there; add one of them";

/// What an external scorer gets is the row itself, which may have no gold.
fn command_golds(row: &Row) -> Result<Golds, LoadError> {
    for field in [command::RESPONSE, command::EXTRACTED_ANSWER] {
        if row.get(field).is_some() {
            let problem =
                format!("the scorer's command gets the reply in a field `{field}`; rename the task's own");
            return Err(LoadError::row(&row.place, problem));
        }
    }
    Ok(Golds { texts: Vec::new(), values: Vec::new() })
}

fn contains(answer: &str, gold: &str) -> bool {
    answer.to_lowercase().contains(&gold.trim().to_lowercase())
}

/// A gold that is a text of JSON, as a CSV field is, stands for its value.
fn parsed(gold: &Value) -> Value {
    match gold {
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| gold.clone()),
        other => other.clone(),
    }
}
