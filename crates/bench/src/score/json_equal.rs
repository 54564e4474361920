//! Equality of JSON values, whatever the order of keys or the white space.
//!
//! Always holds: numbers are compared as numbers; an answer that is no JSON equals nothing.

use serde_json::Value;

/// Whether the answer is JSON and equals the gold.
pub fn matches(answer: &str, gold: &Value) -> bool {
    parse(answer).is_some_and(|answer| equal(&answer, gold))
}

/// The JSON that an answer is, in a code fence or not.
pub fn parse(answer: &str) -> Option<Value> {
    serde_json::from_str(without_fence(answer)).ok()
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| equal(value, other)))
        }
        _ => a == b,
    }
}

/// The text inside a code fence, if the whole answer is one.
fn without_fence(answer: &str) -> &str {
    let answer = answer.trim();
    let inside = answer.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inside.map_or(answer, |inside| inside.strip_prefix("json").unwrap_or(inside).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_white_space_do_not_count() {
        let gold = serde_json::json!({"a": 1, "b": [true, null]});
        for (answer, expected) in [
            (r#"{"b":[true,null],"a":1.0}"#, true),
            ("```json\n{\"a\": 1, \"b\": [true, null]}\n```", true),
            (r#"{"a":1}"#, false),
            (r#"{"a":"1","b":[true,null]}"#, false),
            ("a is 1", false),
        ] {
            assert_eq!(matches(answer, &gold), expected, "{answer}");
        }
    }
}
