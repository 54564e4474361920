//! Task data beside released lists, and made from the providers' files.
//!
//! Always holds: the questions are those of `fixtures/livemath`.

use std::process::Output;

use serde_json::{Value, json};

use crate::scratch::Scratch;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/livemath");

/// A manifest with one task of each form in each split.
fn manifest() -> Value {
    let rows = |ids: &[&str]| ids.iter().map(|id| json!({"id": id})).collect::<Vec<_>>();
    json!({"benchmark": "livemath", "splits": {
        "train": rows(&["203003:20", "203001:1"]),
        "val": rows(&["203002:11"]),
        "test": rows(&["203001:2", "203002:18"]),
    }})
}

fn write(scratch: &Scratch, name: &str, value: &Value) {
    std::fs::write(scratch.path().join(name), value.to_string()).expect("a file");
}

fn prepare(scratch: &Scratch, manifest: &str, to: &str) -> Output {
    let sources = ["train", "val", "test"].map(|split| format!("{DATA}/{split}"));
    let mut arguments = vec!["data", "prepare", "livemath", "--manifest", manifest, "--to", to];
    arguments.extend(sources.iter().map(String::as_str));
    scratch.output(&arguments)
}

fn check(scratch: &Scratch, folder: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let output = scratch.output(&[&["data", "check", "livemath", folder], more].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn released_splits_are_made_and_found_complete() {
    let scratch = Scratch::new();
    write(&scratch, "released.json", &manifest());
    let output = prepare(&scratch, "released.json", "made");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected = "train: 2 tasks, 0 left out; all of the released split\n\
        validation: 1 tasks, 0 left out; all of the released split\n\
        test: 2 tasks, 0 left out; all of the released split\n";
    let (code, stdout, stderr) = check(&scratch, "made", &["--manifest", "released.json"]);
    assert_eq!((code, stdout.as_str()), (Some(0), expected), "{stderr}");
    // Doing it again changes nothing; another selection does not overwrite it.
    assert!(prepare(&scratch, "released.json", "made").status.success());
    let mut other = manifest();
    other["splits"]["train"] = json!([{"id": "203001:3"}]);
    write(&scratch, "other.json", &other);
    let refused = prepare(&scratch, "other.json", "made");
    assert_eq!(refused.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("made/train/items.json is there already"));
    let (code, stdout, stderr) = check(&scratch, "made", &["--manifest", "other.json"]);
    assert_eq!(code, Some(9), "{stderr}");
    assert!(
        stdout.contains("2 are not released, such as 203003:20, 203001:1, and 1 released ones are missing")
    );
}

#[test]
fn data_are_described_for_scripts() {
    let scratch = Scratch::new();
    write(&scratch, "livemath.json", &manifest());
    assert!(prepare(&scratch, "livemath.json", "made").status.success());
    let mut wider = manifest();
    wider["splits"]["val"] = json!([{"id": "203002:11"}, {"id": "203002:12"}]);
    write(&scratch, "livemath.json", &wider);
    // A folder of manifests has one of the benchmark's name.
    let (code, stdout, stderr) = check(&scratch, "made", &["--manifest", ".", "--json"]);
    let said: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(
        said[1],
        json!({"split": "validation", "tasks": 1, "left_out": [], "released": {"kind": "subset", "of": 2}})
    );
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let scratch = Scratch::new();
    let mut strange = manifest();
    strange["splits"]["valid_seen"] = json!([]);
    write(&scratch, "strange.json", &strange);
    let mut absent = manifest();
    absent["splits"]["test"] = json!([{"id": "203009:1"}]);
    write(&scratch, "absent.json", &absent);
    for (manifest, said) in [
        ("strange.json", "\"valid_seen\" is no split"),
        ("absent.json", "1 tasks of the manifest are in none of the files, such as 203009:1"),
        ("nowhere.json", "cannot read nowhere.json"),
    ] {
        let output = prepare(&scratch, manifest, "made");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        assert!(stderr.contains(said), "{stderr}");
        assert!(!scratch.path().join("made").exists());
    }
    for split in ["train", "val", "test"] {
        let folder = scratch.path().join("bad").join(split);
        std::fs::create_dir_all(&folder).expect("a folder");
        let rows = "{\"id\": \"1\", \"question\": \"q\"}\n\n{\"id\": \"2\"}\n";
        std::fs::write(folder.join("items.jsonl"), rows).expect("a file");
    }
    let (code, _, stderr) = check(&scratch, "bad", &[]);
    assert_eq!(code, Some(3), "{stderr}");
    for said in ["2 rows cannot be used", "items.jsonl:1: field `choices`", "items.jsonl:3: field `question`"]
    {
        assert!(stderr.contains(said), "{stderr}");
    }
}
