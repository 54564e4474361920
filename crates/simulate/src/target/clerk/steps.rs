//! What the clerk has done so far, read from the conversation.
//!
//! Always holds: a call that nobody answered has an empty result.

use textualrl_model::{Role, Turn};

/// A call and what it gave.
pub(super) struct Step {
    pub(super) name: String,
    pub(super) result: String,
}

impl Step {
    /// Whether it gave something: remarks of the tools stand in square brackets.
    pub(super) fn found(&self) -> bool {
        !self.result.is_empty() && !self.result.starts_with('[')
    }
}

/// The calls in order.
pub(super) fn read(turns: &[Turn]) -> Vec<Step> {
    let answer = |id: &str| {
        let answers = turns.iter().filter(|turn| turn.role == Role::Tool);
        let mut own = answers.filter(|turn| turn.tool_call_id.as_deref() == Some(id));
        own.next().map(Turn::joined_text).unwrap_or_default()
    };
    let calls = turns.iter().flat_map(|turn| &turn.tool_calls);
    calls.map(|call| Step { name: call.name.clone(), result: answer(&call.id) }).collect()
}
