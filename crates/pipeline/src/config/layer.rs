//! One source of keys, and layers laid over each other.
//!
//! Always holds: a layer sets known keys only, each with a value of the kind that the default has; a later layer wins
//! key by key, and lists are replaced whole.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::RunConfig;
use super::error::{ConfigError, Problem};

/// Keys that take a word or a number.
const WORD_OR_NUMBER: [&str; 2] = ["target.temperature", "optimizer.temperature"];
/// Tables that hold whatever an endpoint wants.
const FREE: [&str; 4] =
    ["target.extra_body", "target.extra_headers", "optimizer.extra_body", "optimizer.extra_headers"];

/// The key by which a file or a preset names the preset that it lies on.
pub(crate) const EXTENDS: &str = "extends";

/// A name less like a known one than this is not suggested.
const ALIKE: f64 = 0.8;

/// One source of keys.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Layer {
    /// The file or flag.
    pub(crate) name: String,
    /// What it sets.
    pub(crate) table: Table,
    /// The line of each key, from 1; empty for flags.
    pub(crate) lines: BTreeMap<String, usize>,
}

impl Layer {
    /// Reads a TOML text.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, ConfigError> {
        let syntax = |error: toml::de::Error| ConfigError::Syntax {
            place: name.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        };
        let mut lines = BTreeMap::new();
        collect_lines(DeTable::parse(text).map_err(syntax)?.get_ref(), "", text, &mut lines);
        Ok(Self { name: name.to_owned(), table: toml::from_str(text).map_err(syntax)?, lines })
    }

    /// Reads a TOML text inside the binary, whose lines nobody can look up.
    pub(crate) fn built_in(name: &str, text: &str) -> Result<Self, ConfigError> {
        Ok(Self { lines: BTreeMap::new(), ..Self::parse(name, text)? })
    }

    /// A layer that sets one key.
    pub(crate) fn of_key(name: String, key: &str, value: Value) -> Self {
        let nested = key
            .rsplit('.')
            .fold(value, |value, part| Value::Table(Table::from_iter([(part.to_owned(), value)])));
        let table = if let Value::Table(table) = nested { table } else { Table::new() };
        Self { name, table, lines: BTreeMap::new() }
    }

    /// Takes the name of the preset that this lies on out of the keys. A value that is no text stays, and is refused
    /// with the misfits.
    pub(crate) fn take_extends(&mut self) -> Option<String> {
        let name = self.table.get(EXTENDS)?.as_str()?.to_owned();
        self.table.remove(EXTENDS);
        Some(name)
    }

    /// Where this layer sets `key`, if it does.
    pub(crate) fn place(&self, key: &str) -> Option<String> {
        value_at(&self.table, key)?;
        Some(self.lines.get(key).map_or_else(|| self.name.clone(), |line| format!("{}:{line}", self.name)))
    }

    /// What this layer sets that `schema` does not know, or knows as another kind of value.
    pub(crate) fn misfits(&self, schema: &Table) -> Vec<Problem> {
        let mut problems = Vec::new();
        collect_misfits(&self.table, schema, schema, "", &mut problems);
        for problem in &mut problems {
            problem.place = self.place(&problem.key).unwrap_or_else(|| self.name.clone());
        }
        problems
    }
}

fn collect_lines(table: &DeTable<'_>, prefix: &str, text: &str, lines: &mut BTreeMap<String, usize>) {
    for (key, value) in table.iter() {
        let path = joined(prefix, key.get_ref());
        let before = text.get(..key.span().start).unwrap_or(text);
        lines.insert(path.clone(), before.matches('\n').count() + 1);
        if let DeValue::Table(inner) = value.get_ref() {
            collect_lines(inner, &path, text, lines);
        }
    }
}

fn collect_misfits(table: &Table, schema: &Table, root: &Table, prefix: &str, problems: &mut Vec<Problem>) {
    for (key, value) in table {
        let path = joined(prefix, key);
        match (schema.get(key), value) {
            (None, _) => problems.push(Problem::new(&path, unknown(&path, root))),
            (Some(Value::Table(_)), Value::Table(_)) if FREE.contains(&path.as_str()) => {}
            (Some(Value::Table(known)), Value::Table(inner)) => {
                collect_misfits(inner, known, root, &path, problems);
            }
            (Some(Value::Float(_)), Value::Integer(_)) => {}
            (Some(_), Value::String(_) | Value::Integer(_) | Value::Float(_))
                if WORD_OR_NUMBER.contains(&path.as_str()) => {}
            (Some(known), _) if !known.same_type(value) => {
                problems
                    .push(Problem::new(&path, format!("is {}, but must be {}", kind(value), kind(known))));
            }
            _ => {}
        }
    }
}

/// The message for an unknown key, with the nearest known one.
fn unknown(path: &str, root: &Table) -> String {
    if path == EXTENDS {
        return "must be the name of a preset in quotes".to_owned();
    }
    let mut known = vec![EXTENDS.to_owned()];
    all_keys(root, "", &mut known);
    let last = |key: &str| key.rsplit('.').next().unwrap_or(key).to_owned();
    let likeness = |candidate: &String| {
        strsim::jaro_winkler(path, candidate).max(strsim::jaro_winkler(&last(path), &last(candidate)) * 0.99)
    };
    let nearest = known.iter().map(|key| (likeness(key), key)).max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((likeness, key)) if likeness >= ALIKE => format!("is no known key; did you mean `{key}`?"),
        _ => "is no known key; docs/configuration.md lists them all".to_owned(),
    }
}

fn all_keys(table: &Table, prefix: &str, keys: &mut Vec<String>) {
    for (key, value) in table {
        let path = joined(prefix, key);
        if let Value::Table(inner) = value {
            all_keys(inner, &path, keys);
        }
        keys.push(path);
    }
}

fn joined(prefix: &str, key: &str) -> String {
    if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text in quotes",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a table",
    }
}

/// The value at a dotted key.
pub(crate) fn value_at<'a>(table: &'a Table, key: &str) -> Option<&'a Value> {
    match key.split_once('.') {
        None => table.get(key),
        Some((section, rest)) => value_at(table.get(section)?.as_table()?, rest),
    }
}

/// Lays `over` on `under`.
fn lay(under: &mut Table, over: &Table) {
    for (key, value) in over {
        match (under.get_mut(key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => lay(below, above),
            _ => {
                under.insert(key.clone(), value.clone());
            }
        }
    }
}

/// The configuration that the layers give, the first one lowest.
pub(crate) fn deserialize(layers: &[Layer]) -> Result<RunConfig, ConfigError> {
    let mut merged = Table::new();
    for layer in layers {
        lay(&mut merged, &layer.table);
    }
    serde_path_to_error::deserialize(Value::Table(merged)).map_err(|error| {
        let key = error.path().to_string();
        let problem = Problem::new(&key, error.inner().message());
        ConfigError::of(vec![problem], layers)
    })
}
