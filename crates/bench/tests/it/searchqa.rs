//! SearchQA: what loads, what is refused, what an episode says.

use textualrl_bench::load;
use textualrl_model::settings::Scoring;
use textualrl_model::{Context, Role, Split, TaskId};

use crate::settings::{SEED, data, folder, outcome, refused};

const TRAIN: &str = r#"[{"id": 1, "question": "This river", "context": "[DOC] the Oder", "answers": ["Oder", "the Oder"]},
 {"id": "2", "question": "This hill", "context": "[DOC] the Brocken", "answers": "Brocken"}]"#;
const VALIDATION: &str =
    r#"{"data": [{"id": "3", "question": "This lake", "context": "[DOC] x", "answers": ["Müritz"]}]}"#;
const TEST: &str =
    "{\"id\": \"4\", \"question\": \"This bay\", \"context\": \"[DOC] x\", \"answers\": [\"Fundy\"]}\r\n";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![("train/items.json", TRAIN), ("val/items.json", VALIDATION), ("test/items.jsonl", TEST)]
}

#[test]
fn lists_documents_and_lines_load() {
    let folder = folder(&files());
    let benchmark = load(&data("searchqa", folder.path())).unwrap();
    let ids = |split| benchmark.listing(split).tasks.iter().map(TaskId::to_string).collect::<Vec<_>>();
    assert_eq!(ids(Split::Train), ["1", "2"]);
    assert_eq!((ids(Split::Validation), ids(Split::Test)), (vec!["3".to_owned()], vec!["4".to_owned()]));
    for (reply, right) in
        [("<answer>The Oder.</answer>", true), ("Oder", true), ("<answer>Elbe</answer>", false)]
    {
        let scored = outcome(benchmark.as_ref(), Split::Train, "1", reply);
        assert_eq!(scored.reward().unwrap().is_success(), right, "{reply}");
    }
}

#[test]
fn the_context_stands_in_the_system_turn_only() {
    let folder = folder(&files());
    let benchmark = load(&data("searchqa", folder.path())).unwrap();
    let mut episode = benchmark.start(Split::Train, &TaskId::new("1").unwrap(), SEED).unwrap();
    let turns = episode.opening(&Context::new("Be exact. {{ x }}"));
    let system: Vec<_> = turns.iter().filter(|turn| turn.role == Role::System).collect();
    assert!(system[0].joined_text().contains("## Context\nBe exact. {{ x }}\n"));
    assert_eq!(turns[1].joined_text(), "## Context\n[DOC] the Oder\n\n## Question\nThis river");
    let blank =
        benchmark.start(Split::Train, &TaskId::new("1").unwrap(), SEED).unwrap().opening(&Context::new(" "));
    assert!(!blank[0].joined_text().contains("## Context"));
}

#[test]
fn what_cannot_be_used_is_named() {
    let cases: [(&str, &str, &[&str]); 7] = [
        (
            "val/items.json",
            r#"[{"id": "1", "question": "q", "context": "c", "answers": ["x"]}]"#,
            &["id \"1\"", "items.json, item 1"],
        ),
        (
            "val/items.json",
            r#"[{"id": "9", "question": "This river", "context": "[DOC] the Oder", "answers": ["x"]}]"#,
            &["input"],
        ),
        ("val/items.json", "[]", &["validation", "no task"]),
        ("val/items.json", r#"[{"id": "9", "context": "c", "answers": ["x"]}]"#, &["`question`", "item 1"]),
        (
            "val/items.json",
            r#"[{"id": "9", "question": null, "context": "c", "answers": ["x"]}]"#,
            &["`question`"],
        ),
        ("val/items.json", "[{\"id\": 9,\n ]", &["items.json:2", "JSON"]),
        (
            "val/items.json",
            r#"[{"id": "9", "question": "q", "context": "c", "answers": [{"a": 1}]}]"#,
            &["`answer`"],
        ),
    ];
    for (name, text, said) in cases {
        let mut files = files();
        files.retain(|(other, _)| *other != name);
        files.push((name, text));
        let folder = folder(&files);
        let message = refused(&data("searchqa", folder.path()));
        for part in said {
            assert!(message.contains(part), "{text}: {message}");
        }
    }
    let missing = folder(&[("train/items.json", TRAIN)]);
    assert!(refused(&data("searchqa", missing.path())).contains("validation"));
    assert!(refused(&data("serchqa", missing.path())).contains("\"searchqa\""));
}

#[test]
fn a_missing_field_of_golds_is_an_error_and_not_left_out() {
    for golds in ["", ", \"answers\": null", ", \"answers\": [null]"] {
        let mut files = files();
        let text = format!("[{{\"id\": \"9\", \"question\": \"q\", \"context\": \"\"{golds}}}]");
        files[1].1 = &text;
        let folder = folder(&files);
        assert!(refused(&data("searchqa", folder.path())).contains("item 1"), "{golds}");
    }
}

#[test]
fn limit_keeps_the_first_of_each_split() {
    let folder = folder(&files());
    let mut settings = data("searchqa", folder.path());
    settings.limit = 1;
    let benchmark = load(&settings).unwrap();
    assert_eq!(Split::ALL.map(|split| benchmark.listing(split).tasks.len()), [1, 1, 1]);
    assert_eq!(benchmark.listing(Split::Train).tasks[0].as_str(), "1");
}

#[test]
fn expected_feedback_says_how_near_a_wrong_answer_came() {
    let folder = folder(&files());
    let benchmark = load(&data("searchqa", folder.path())).unwrap();
    let scored = outcome(benchmark.as_ref(), Split::Train, "1", "<answer>River Oder</answer>");
    let textualrl_model::Outcome::Scored { feedback, .. } = scored else { panic!("not scored") };
    assert_eq!(feedback.safe.as_deref(), Some("the answer has 2 words"));
    let expected =
        "the answer has 2 words; expected \"Oder\" or \"the Oder\"; token F1 0.67, one contains the other";
    assert_eq!(feedback.expected.as_deref(), Some(expected));
}

#[test]
fn tasks_that_can_never_be_scored_are_left_out_and_named() {
    let mut files = files();
    files[0].1 = r#"[{"id": 1, "question": "a", "context": "c", "answers": []},
        {"id": 2, "question": "b", "context": "c", "answers": ["..."]},
        {"id": 3, "question": "c", "context": "c", "answers": ["x"]}]"#;
    files[1].1 = r#"[{"id": 5, "question": "d", "context": "c", "answers": ["x"]}]"#;
    let folder = folder(&files);
    let mut settings = data("searchqa", folder.path());
    let corrected = load(&settings).unwrap();
    settings.scoring = Scoring::Reference;
    let reference = load(&settings).unwrap();
    let names = |benchmark: &dyn textualrl_bench::Benchmark| {
        benchmark.listing(Split::Train).excluded.iter().map(|one| one.task.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(corrected.as_ref()), ["1", "2"]);
    // The published metric gives a point for an empty answer there, and numbers must compare.
    assert_eq!(names(reference.as_ref()), ["1"]);
    assert_ne!(corrected.listing(Split::Train).fingerprint, reference.listing(Split::Train).fingerprint);
}
