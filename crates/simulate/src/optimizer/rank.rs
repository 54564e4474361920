//! Rankings: what more tasks support comes first.
//!
//! Always holds: every edit is ranked once.

use serde_json::{Value, json};

use super::read::{self, Rank};

/// The ranking's reply.
pub(crate) fn reply(rank: &Rank) -> Value {
    let support = |value: Option<&Value>| match value {
        Some(Value::Array(tasks)) => tasks.len() as u64,
        Some(value) => value.as_u64().unwrap_or(0),
        None => 0,
    };
    let mut edits: Vec<(u64, &str)> =
        rank.edits.iter().map(|edit| (support(edit.get("support")), read::text(edit, "id"))).collect();
    edits.sort_by_key(|(support, _)| std::cmp::Reverse(*support));
    let ranking: Vec<&str> = edits.into_iter().map(|(_, id)| id).collect();
    json!({ "ranking": ranking })
}
