//! Own tasks: loading, scorers by name, the external command.

use textualrl_bench::load;
use textualrl_model::settings::DataSettings;
use textualrl_model::{Feedback, NotScoredCause, Outcome, Reward, Split, TaskId};

use crate::settings::{data, folder, outcome, refused};

fn three_files(train: &str) -> tempfile::TempDir {
    folder(&[
        ("train.jsonl", train),
        ("validation.jsonl", "{\"id\": \"v\", \"input\": \"1+1\", \"answer\": \"2\"}\n"),
        ("test.jsonl", "{\"id\": \"w\", \"input\": \"1+2\", \"answer\": 3}\n"),
    ])
}

fn scored(settings: &DataSettings, reply: &str) -> bool {
    let benchmark = load(settings).unwrap();
    outcome(benchmark.as_ref(), Split::Train, "t", reply).reward().unwrap().is_success()
}

#[test]
fn scorers_by_name() {
    let cases = [
        ("exact", r#""Oslo""#, "<answer> Oslo </answer>", true),
        ("exact", r#""Oslo""#, "<answer>oslo</answer>", false),
        ("normalized", r#""Oslo""#, "<answer>the OSLO!</answer>", true),
        ("contains", r#""Oslo""#, "I think it is Oslo,\nin Norway", true),
        ("choice", r#""B""#, "The answer is (B).", true),
        ("choice", r#""B""#, "A good question", false),
        ("numeric", "1234.5", "<answer>$1,234.50</answer>", true),
        ("numeric", "1234.5", "<answer>1234</answer>", false),
        ("f1", r#""red green blue""#, "<answer>blue green red</answer>", true),
        ("anls", r#""Paris""#, "<answer>paris</answer>", true),
        ("regex", r#""^[0-9]{4}$""#, "<answer>1902</answer>", true),
        ("regex", r#""^[0-9]{4}$""#, "<answer>in 1902</answer>", false),
        ("json_equal", r#"{"a": [1, 2]}"#, "```json\n{\"a\": [1, 2.0]}\n```", true),
        ("json_equal", r#"{"a": [1, 2]}"#, "{\"a\": [2, 1]}", false),
    ];
    for (name, gold, reply, right) in cases {
        let folder = three_files(&format!("{{\"id\": \"t\", \"input\": \"q\", \"answer\": {gold}}}\n"));
        let mut settings = data("own", folder.path());
        settings.own.scorer.name = name.to_owned();
        for file in ["validation.jsonl", "test.jsonl"] {
            std::fs::write(
                folder.path().join(file),
                format!("{{\"id\": \"{file}\", \"input\": \"{file}\", \"answer\": {gold}}}"),
            )
            .unwrap();
        }
        assert_eq!(scored(&settings, reply), right, "{name} {gold} {reply}");
    }
}

#[test]
fn one_file_is_split_by_ratio_and_seed() {
    let lines: String = (0..20).map(|n| format!("q{n},a{n}\n")).collect();
    let folder = folder(&[("tasks.csv", &format!("\u{feff}input,answer\n{lines}"))]);
    let mut settings = data("own", folder.path());
    settings.own.tasks = "tasks.csv".to_owned();
    let benchmark = load(&settings).unwrap();
    let sizes = Split::ALL.map(|split| benchmark.tasks(split).len());
    assert_eq!(sizes, [10, 5, 5]);
    let again = load(&settings).unwrap();
    assert_eq!(benchmark.tasks(Split::Test), again.tasks(Split::Test));
    assert!(benchmark.tasks(Split::Test).iter().all(|id| id.as_str().starts_with("t-")));
    settings.own.ratio = [0.9, 0.01, 0.09];
    let message = refused(&settings);
    assert!(message.contains("validation") && message.contains("ratio"), "{message}");
}

#[test]
fn what_cannot_be_used_is_named() {
    type Change = fn(&mut DataSettings);
    let good = "{\"id\": \"t\", \"input\": \"q\", \"answer\": \"a\"}\n";
    let cases: [(&str, Change, &[&str]); 9] = [
        ("{\"id\": \"t\", \"input\": \"q\"}\n", |_| {}, &["train.jsonl:1", "answer"]),
        ("{\"id\": \"t\", \"answer\": \"a\"}\n", |_| {}, &["train.jsonl:1", "`input`", "answer, id"]),
        (
            "{\"id\": \"v\", \"input\": \"q\", \"answer\": \"a\"}\n",
            |_| {},
            &["id \"v\"", "validation.jsonl:1"],
        ),
        ("not json\n", |_| {}, &["train.jsonl:1"]),
        ("", |_| {}, &["train", "no task"]),
        (good, |settings| settings.own.template = "{{ input ".to_owned(), &["data.own.template"]),
        (
            good,
            |settings| settings.own.scorer.name = "fuzzy".to_owned(),
            &["data.own.scorer.name", "normalized"],
        ),
        (good, |settings| settings.own.scorer.name = "numeric".to_owned(), &["train.jsonl:1", "number"]),
        (good, |settings| settings.own.scorer.name = "command".to_owned(), &["data.own.scorer.command"]),
    ];
    for (train, change, said) in cases {
        let folder = three_files(train);
        let mut settings = data("own", folder.path());
        change(&mut settings);
        let message = refused(&settings);
        for part in said {
            assert!(message.contains(part), "{train}: {message}");
        }
    }
    let folder = three_files("{\"id\": \"t\", \"input\": \"q\", \"answer\": \"[\"}\n");
    let mut settings = data("own", folder.path());
    settings.own.scorer.name = "regex".to_owned();
    assert!(refused(&settings).contains("regular expression"));
}

fn by_command(script: &str, change: impl Fn(&mut DataSettings)) -> Outcome {
    let folder = three_files("{\"id\": \"t\", \"input\": \"q\", \"answer\": \"a\", \"extra\": 7}\n");
    let mut settings = data("own", folder.path());
    settings.own.scorer.name = "command".to_owned();
    settings.own.scorer.command = vec!["sh".to_owned(), "-c".to_owned(), script.to_owned()];
    change(&mut settings);
    let benchmark = load(&settings).unwrap();
    outcome(benchmark.as_ref(), Split::Train, "t", "<answer>a</answer>")
}

#[test]
fn a_command_scores_by_one_object_in_and_one_out() {
    let script = r#"grep -q '"extracted_answer":"a"' && echo '{"reward": 1, "feedback": "well"}'"#;
    let expected =
        |feedback| Outcome::Scored { reward: Reward::Success, answer: Some("a".to_owned()), feedback };
    let words = Some("well".to_owned());
    assert_eq!(by_command(script, |_| {}), expected(Feedback { safe: None, expected: words.clone() }));
    let declared = by_command(script, |settings| settings.own.scorer.safe_feedback = true);
    assert_eq!(declared, expected(Feedback { safe: words, expected: None }));
}

#[test]
fn a_command_that_fails_leaves_the_task_unscored() {
    let cases = [
        ("exit 3", "exit status: 3"),
        ("echo '{\"reward\": 0.5}'", "reward"),
        ("echo maybe", "maybe"),
        ("sleep 30", "took longer than 0.2 s"),
    ];
    for (script, said) in cases {
        let outcome = by_command(script, |settings| settings.own.scorer.timeout_seconds = 0.2);
        let Outcome::NotScored { cause: NotScoredCause::Scorer { message } } = outcome else {
            panic!("{script}: {outcome:?}")
        };
        assert!(message.contains(said), "{script}: {message}");
    }
}

#[test]
fn the_embedded_tasks_load() {
    let settings =
        DataSettings { dir: "embedded:quickstart".to_owned(), ..data("own", std::path::Path::new("")) };
    let mut settings = settings;
    settings.own.template = "{{ passage }}\n\n{{ question }}".to_owned();
    let benchmark = load(&settings).unwrap();
    let sizes = Split::ALL.map(|split| benchmark.tasks(split).len());
    assert!(sizes[0] >= 24 && sizes[1] >= 16 && sizes[2] >= 24, "{sizes:?}");
    assert!(!benchmark.initial_context().is_blank());
    assert!(benchmark.start(Split::Train, &TaskId::new("no-such").unwrap(), 0).is_err());
}
