//! `textualrl conformance` over small folders.

use camino::Utf8PathBuf;
use serde_json::{Value, json};

use crate::scratch::Scratch;

const GAME: &str = include_str!("../../../../fixtures/alfworld/harbour.tw-pddl");
const TRANSCRIPT: &str = include_str!("../../../../fixtures/alfworld/harbour.json");

/// A folder of cases: one case of a scorer, and the harbour's transcript, with a text changed in it.
fn cases(scratch: &Scratch, changed: Option<(&str, &str)>) -> Utf8PathBuf {
    let folder = scratch.path().join("cases");
    std::fs::create_dir_all(folder.join("alfworld")).expect("a folder");
    let case = json!([{"id": "searchqa-1", "benchmark": "searchqa", "scorer": "normalize", "prediction": "The Oder",
        "gold": null, "extra": null, "expected": "oder", "quirk": false}]);
    let transcript = match changed {
        Some((from, to)) => TRANSCRIPT.replacen(from, to, 1),
        None => TRANSCRIPT.to_owned(),
    };
    for (name, text) in [
        ("scorers.json", case.to_string().as_str()),
        ("alfworld/harbour.json", transcript.as_str()),
        ("alfworld/harbour.tw-pddl", GAME),
    ] {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    folder
}

#[test]
fn cases_and_transcripts_that_conform_pass() {
    let scratch = Scratch::new();
    cases(&scratch, None);
    let text = scratch.textualrl(&["conformance", "--cases", "cases"]);
    assert!(text.contains("normalize"), "{text}");
    assert!(text.contains("games 1, episodes 5, steps 208, games matched 1 (100.0 %)"), "{text}");
    let found = scratch.json(&["conformance", "--cases", "cases"]);
    assert_eq!(found["cases"]["rows"][0]["passed"], 1);
    let transcripts = &found["transcripts"][0];
    assert_eq!((&transcripts["benchmark"], &transcripts["matched"]), (&json!("alfworld"), &json!(1)));
    assert_eq!(transcripts["differences"], json!([]));
    assert_eq!(found.get("data"), None);
}

#[test]
fn either_part_may_be_absent() {
    for (removed, left) in [("scorers.json", "transcripts"), ("alfworld/harbour.json", "cases")] {
        let scratch = Scratch::new();
        let folder = cases(&scratch, None);
        std::fs::remove_file(folder.join(removed)).expect("removed");
        let found = scratch.json(&["conformance", "--cases", "cases"]);
        let parts: Vec<&String> = found.as_object().expect("an object").keys().collect();
        assert_eq!(parts, [left], "without {removed}");
    }
}

#[test]
fn a_difference_fails_and_is_told_in_either_form() {
    let scratch = Scratch::new();
    cases(&scratch, Some(("You slide", "You drag")));
    let output = scratch.output(&["conformance", "--cases", "cases"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(9), "{text}");
    assert!(text.contains("games matched 0 (0.0 %)"), "{text}");
    assert!(
        text.contains("differs: harbour.tw-pddl: walkthrough: step 4 `open heron 1`: expected"),
        "{text}"
    );
    let output = scratch.output(&["conformance", "--cases", "cases", "--json"]);
    assert_eq!(output.status.code(), Some(9));
    let found: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(found["transcripts"][0]["differences"][0]["game"], "harbour.tw-pddl");
}

#[test]
fn what_cannot_be_read_is_named() {
    let scratch = Scratch::new();
    let folder = cases(&scratch, None);
    std::fs::write(folder.join("alfworld/games.tar.xz"), b"no archive").expect("a file");
    let output = scratch.output(&["conformance", "--cases", "cases"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("games.tar.xz cannot be read"), "{said}");
    std::fs::remove_dir_all(folder.join("alfworld")).expect("removed");
    std::fs::write(folder.join("scorers.json"), "{").expect("a file");
    let output = scratch.output(&["conformance", "--cases", "cases"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(3) && said.contains("scorers.json"), "{said}");
}
