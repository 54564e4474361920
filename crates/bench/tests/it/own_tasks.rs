//! Own tasks: loading, scorers by name, the external command.

use textualrl_bench::load;
use textualrl_model::settings::DataSettings;
use textualrl_model::{Feedback, NotScoredCause, Outcome, Reward, Split, TaskId};

use crate::settings::{SEED, data, folder, outcome, refused};

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
        ("choice", r#""(B)""#, "Option A is too late.\nThe answer is **B**", true),
        ("choice", r#""Late transfer?""#, "It fits best:\n\"late transfer?\"", true),
        ("numeric", "1234.5", "<answer>$1,234.50</answer>", true),
        ("numeric", "1234.5", "<answer>1234</answer>", false),
        ("f1", r#""red green blue""#, "<answer>blue green red</answer>", true),
        ("anls", r#""Paris""#, "<answer>paris</answer>", true),
        ("exact", r#"["Oslo", "Kristiania"]"#, "<answer>Kristiania</answer>", true),
        ("normalized", "1902", "I think\n<answer>1902", true),
        ("json_equal", r#""{\"a\": 1}""#, "<answer>{\"a\":1}</answer>", true),
        ("json_equal", "[1, 2]", "<answer>[1,2]</answer>", true),
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
    let sizes = Split::ALL.map(|split| benchmark.listing(split).tasks.len());
    assert_eq!(sizes, [10, 5, 5]);
    let again = load(&settings).unwrap();
    assert_eq!(benchmark.listing(Split::Test).tasks, again.listing(Split::Test).tasks);
    assert!(benchmark.listing(Split::Test).tasks.iter().all(|id| id.as_str().starts_with("t-")));
    settings.own.ratio = [0.9, 0.01, 0.09];
    let message = refused(&settings);
    assert!(message.contains("validation") && message.contains("ratio"), "{message}");
}

#[test]
fn what_cannot_be_used_is_named() {
    type Change = fn(&mut DataSettings);
    let good = "{\"id\": \"t\", \"input\": \"q\", \"answer\": \"a\"}\n";
    let cases: [(&str, Change, &[&str]); 12] = [
        ("{\"id\": \"t\", \"input\": \"q\"}\n", |_| {}, &["train.jsonl:1", "answer"]),
        ("{\"id\": \"t\", \"answer\": \"a\"}\n", |_| {}, &["train.jsonl:1", "`input`", "answer, id"]),
        (
            "{\"id\": \"v\", \"input\": \"q\", \"answer\": \"a\"}\n",
            |_| {},
            &["id \"v\"", "validation.jsonl:1"],
        ),
        (
            "{\"id\": \"t\", \"input\": null, \"answer\": \"a\"}\n",
            |_| {},
            &["train.jsonl:1", "lacks the field `input`"],
        ),
        ("{\"id\": \"t\", \"input\": \" \", \"answer\": \"a\"}\n", |_| {}, &["train.jsonl:1", "blank"]),
        (
            "{\"id\": \"t\", \"input\": \"q\", \"response\": \"a\"}\n",
            |settings| {
                settings.own.scorer.name = "command".to_owned();
                settings.own.scorer.command = vec!["true".to_owned()];
            },
            &["train.jsonl:1", "`response`"],
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
        ("sleep 30 & sleep 30", "took longer than 0.2 s"),
        ("exec 2>&1; yes", "took longer than 0.2 s"),
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
fn nothing_that_a_command_starts_outlives_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("alive");
    let script = format!("(sleep 0.5; echo > {}) & echo '{{\"reward\": 1}}'", file.display());
    let began = std::time::Instant::now();
    assert_eq!(by_command(&script, |_| {}).reward(), Some(Reward::Success));
    assert!(began.elapsed() < std::time::Duration::from_millis(400), "the command's child was waited for");
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(!file.exists());
}

#[test]
fn a_command_sees_no_key() {
    // Cargo sets variables for tests, and none that looks like a key: HOME must be there, keys must not.
    let script = "env | grep -q '^HOME=' || exit 3; \
        if env | grep -Eiq '^[^=]*(key|token|secret|password)[^=]*='; then echo '{\"reward\": 0}'; \
        else echo '{\"reward\": 1}'; fi";
    assert_eq!(by_command(script, |_| {}).reward(), Some(Reward::Success));
}

#[test]
fn tasks_without_any_answer_are_left_out_and_named() {
    let train = "{\"id\": \"t\", \"input\": \"q\", \"answers\": []}\n{\"id\": \"u\", \"input\": \"r\", \"answers\": [\"!?\"]}\n\
        {\"id\": \"x\", \"input\": \"s\", \"answers\": [\"a\"]}\n";
    let folder = three_files(train);
    let settings = data("own", folder.path());
    let benchmark = load(&settings).unwrap();
    let excluded = &benchmark.listing(Split::Train).excluded;
    let reasons: Vec<_> = excluded.iter().map(|one| (one.task.as_str(), one.reason.as_str())).collect();
    assert_eq!(reasons[0], ("t", "train.jsonl:1: its list of answers is empty"));
    assert!(reasons[1].0 == "u" && reasons[1].1.starts_with("train.jsonl:2: no answer can equal"));
    let before = benchmark.listing(Split::Train).fingerprint.clone();
    std::fs::write(
        folder.path().join("train.jsonl"),
        train.replace("\"answers\": []", "\"answers\": [\"b\"]"),
    )
    .unwrap();
    assert_ne!(load(&settings).unwrap().listing(Split::Train).fingerprint, before);
}

#[test]
fn a_template_may_ask_for_what_only_some_tasks_have() {
    let folder = three_files(
        "{\"id\": \"t\", \"input\": \"{{ answer }}\", \"hint\": \"{% raw\", \"answer\": \"a\"}\n",
    );
    let mut settings = data("own", folder.path());
    settings.own.template = "{{ input }}{% if hint is defined %} ({{ hint }}){% endif %}".to_owned();
    let benchmark = load(&settings).unwrap();
    let question = |split, id: &str| {
        let mut episode = benchmark.start(split, &TaskId::new(id).unwrap(), SEED).unwrap();
        episode.opening(&textualrl_model::Context::default())[1].joined_text()
    };
    assert_eq!(question(Split::Train, "t"), "{{ answer }} ({% raw)");
    assert_eq!(question(Split::Test, "w"), "1+2");
}

#[test]
fn safe_feedback_tells_what_the_answer_is_not() {
    for (name, gold, reply, said) in [
        ("numeric", "7", "<answer>many</answer>", "the answer has 1 word; it is not one number"),
        ("choice", "\"B\"", "<answer>the second</answer>", "the answer has 2 words; it settles on no choice"),
        ("choice", "\"late\"", "<answer>too soon</answer>", "the answer has 2 words"),
        ("json_equal", "{}", "<answer>nothing</answer>", "the answer has 1 word; it is not JSON"),
        (
            "contains",
            "\"x\"",
            "two\nlines",
            "no answer tag was found, so the whole reply counts; the answer has 2 words",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        for (file, id) in [("train", "t"), ("validation", "v"), ("test", "w")] {
            let row = format!("{{\"id\": \"{id}\", \"input\": \"{file}\", \"answer\": {gold}}}");
            std::fs::write(folder.path().join(format!("{file}.jsonl")), row).unwrap();
        }
        let mut settings = data("own", folder.path());
        settings.own.scorer.name = name.to_owned();
        let scored = outcome(load(&settings).unwrap().as_ref(), Split::Train, "t", reply);
        let Outcome::Scored { feedback, .. } = scored else { panic!("{name}: not scored") };
        assert_eq!(feedback.safe.as_deref(), Some(said), "{name}");
    }
}

#[test]
fn the_embedded_tasks_load() {
    let settings =
        DataSettings { dir: "embedded:quickstart".to_owned(), ..data("own", std::path::Path::new("")) };
    let mut settings = settings;
    settings.own.template = "{{ passage }}\n\n{{ question }}".to_owned();
    let benchmark = load(&settings).unwrap();
    let sizes = Split::ALL.map(|split| benchmark.listing(split).tasks.len());
    assert!(sizes[0] >= 24 && sizes[1] >= 16 && sizes[2] >= 24, "{sizes:?}");
    assert!(!benchmark.initial_context().is_blank());
    assert!(benchmark.start(Split::Train, &TaskId::new("no-such").unwrap(), SEED).is_err());
}
