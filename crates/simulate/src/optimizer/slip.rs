//! The mistakes of form that models make now and then.
//!
//! Always holds: a slip touches the form of a reply's first edit only, and only a first reply slips.

use serde_json::{Value, json};

use super::Chance;

/// How often a reply with edits slips.
const SHARE: f64 = 0.06;

/// The reply, perhaps with a slip.
pub(crate) fn slipped(mut reply: Value, chance: &Chance) -> Value {
    if chance.unit("slip") >= SHARE {
        return reply;
    }
    let edits =
        if reply.get("patch").is_some() { reply.pointer_mut("/patch/edits") } else { reply.get_mut("edits") };
    let first = edits.and_then(Value::as_array_mut).and_then(|edits| edits.first_mut());
    if let Some(edit) = first.and_then(Value::as_object_mut) {
        if chance.unit("slip kind") < 0.5 {
            edit.insert("op".to_owned(), json!("insert_after"));
            edit.insert("target".to_owned(), json!("(the line on answers)"));
        } else {
            edit.remove("content");
        }
    }
    reply
}
