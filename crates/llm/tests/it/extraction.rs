//! The JSON object of a reply, for the forms that real replies have.

use proptest::prelude::*;
use serde_json::{Value, json};
use textualrl_llm::Finish;
use textualrl_llm::reply::{ReplyError, extract, extract_with_fixes, read};

fn found(text: &str) -> Result<Value, ReplyError> {
    extract(text, &Finish::Stop)
}

#[test]
fn one_object_is_found_whatever_stands_around_it() {
    let inner_fence = json!({"edits": [{"op": "append", "content": "Run:\n```bash\nls\n```"}]});
    let cases = [
        ("plain", r#"{"edits":[]}"#.to_owned(), json!({"edits": []})),
        (
            "JSN-01",
            "Sure!\n```json\n{\"edits\":[]}\n```\nHope this helps {x}".to_owned(),
            json!({"edits": []}),
        ),
        ("JSN-02", format!("```json\n{inner_fence}\n```"), inner_fence.clone()),
        (
            "JSN-03",
            "<think>maybe {\"edits\":[1]}</think>\n\n```json\n{\"edits\":[]}\n```".to_owned(),
            json!({"edits": []}),
        ),
        (
            "JSN-03 without opening tag",
            "maybe {\"edits\":[1]}\n</think>\n{\"edits\":[]}".to_owned(),
            json!({"edits": []}),
        ),
        ("JSN-13", "~~~JSON\n{\"edits\":[]}\n~~~".to_owned(), json!({"edits": []})),
        (
            "prose with braces",
            "I set it to {x} and {'a': 1}: {\"edits\":[]}.".to_owned(),
            json!({"edits": []}),
        ),
        ("closing tag in a string", r#"{"edits":["</think>"]}"#.to_owned(), json!({"edits": ["</think>"]})),
        ("braces in strings", r#"ok {"a":"}{","b":"\"}"} done"#.to_owned(), json!({"a": "}{", "b": "\"}"})),
        (
            "another block beside it",
            "```bash\nls\n```\nthen\n```json\n{\"a\":1}\n```".to_owned(),
            json!({"a": 1}),
        ),
    ];
    for (name, text, value) in cases {
        assert_eq!(found(&text), Ok(value), "{name}");
    }
}

#[test]
fn nothing_is_picked_completed_or_guessed() {
    let deep = "{\"a\":".repeat(5000);
    let brackets = format!("{{\"a\":{}", "[".repeat(200_000));
    let cases = [
        (
            "JSN-04",
            "```json\n{\"edits\":[\"draft\"]}\n```\nFinal:\n```json\n{\"edits\":[\"final\"]}\n```",
            ReplyError::Several(2),
        ),
        ("two bare objects", r#"Draft: {"op":"delete"} Final: {"op":"append"}"#, ReplyError::Several(2)),
        ("prose only", "set it to {x}", ReplyError::NoObject),
        ("nothing", "", ReplyError::NoObject),
        ("list", r#"[{"op":"append"}]"#, ReplyError::NotAnObject),
        ("cut off", r#"{"edits":[{"op":"append","content":"half a sen"#, ReplyError::Unclosed(0)),
        ("object inside another brace", r#"{'a': {"edits":[]}"#, ReplyError::Unclosed(0)),
        ("JSN-11", &deep, ReplyError::TooDeep),
        ("200,000 brackets", &brackets, ReplyError::TooDeep),
        ("MIO-21", "<think>First I notice the tasks {\"a\":1}", ReplyError::UnclosedThinking),
    ];
    for (name, text, error) in cases {
        assert_eq!(found(text), Err(error), "{name}");
    }
    assert_eq!(extract(r#"{"a":1}"#, &Finish::Length), Err(ReplyError::CutOff));
}

#[test]
fn values_that_json_does_not_know_are_refused() {
    for text in [
        r#"{"score": NaN, "edits": []}"#,
        r#"{"confidence": 1e400}"#,
        r#"{"op":"append","op":"delete"}"#,
        r#"{"content":"say "hi" only"}"#,
        r#"{"a":1 "b":2}"#,
        r#"{"a":True}"#,
    ] {
        assert!(matches!(found(text), Err(ReplyError::NotJson(_))), "{text}: {:?}", found(text));
    }
}

#[test]
fn fixes_lose_nothing() {
    let cases = [
        ("raw newline and tab", "{\"a\":\"line1\n\tline2\"}", json!({"a": "line1\n\tline2"}), 2),
        ("unknown escapes", r#"{"a":"\(x\) \sigma \u12"}"#, json!({"a": r"\(x\) \sigma \u12"}), 4),
        ("trailing commas", "{\"a\":[1,2,],\"b\":\", }\",\n}", json!({"a": [1, 2], "b": ", }"}), 2),
        ("proper escapes stay", "{\"a\":\"\\\\s \\\" \\u00e9\",}", json!({"a": "\\s \" é"}), 1),
        ("nothing to do", r#"see {"a":"\n"}"#, json!({"a": "\n"}), 0),
    ];
    for (name, text, value, fixes) in cases {
        let extracted = extract_with_fixes(text, &Finish::Stop).unwrap();
        assert_eq!((extracted.value, extracted.fixes), (value, fixes), "{name}");
    }
}

#[test]
fn a_wrong_type_is_named_by_its_place() {
    #[derive(Debug, serde::Deserialize)]
    struct Edit {
        #[serde(rename = "op")]
        _op: String,
    }
    let error = read::<Vec<Edit>>(json!([{"op": "append"}, {"op": null}])).unwrap_err();
    assert!(error.starts_with("[1].op: ") || error.starts_with("1.op: "), "{error}");
}

/// Any JSON value of small depth.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn extraction_never_panics(text in r#"([{}\[\]",:\\`~ \n]|<think>|</think>|```|json|\PC){0,60}"#) {
        let _any = found(&text);
    }

    #[test]
    fn any_object_is_found_as_it_is(value in any_value(), pretty: bool, fenced: bool) {
        let object = json!({ "value": value });
        let written = if pretty { serde_json::to_string_pretty(&object).unwrap() } else { object.to_string() };
        let text = if fenced { format!("Here:\n```json\n{written}\n```\nDone.") } else { format!("Here: {written} Done.") };
        prop_assert_eq!(found(&text), Ok(object));
    }

    #[test]
    fn a_cut_object_is_never_completed(value in any_value(), share in 0.0..1.0_f64) {
        let written = json!({ "value": value }).to_string();
        let mut cut = (written.len() as f64 * share) as usize;
        while !written.is_char_boundary(cut) {
            cut -= 1;
        }
        prop_assert!(found(&written[..cut]).is_err());
    }
}
