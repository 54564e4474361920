//! OfficeQA through its public face: loading, what the agent is shown, tools, turns, scoring.

use serde_json::{Value, json};
use textualrl_bench::{Benchmark, Episode, Progress};
use textualrl_model::settings::{DataSettings, DocumentReach, Scoring};
use textualrl_model::{Context, NotScoredCause, Outcome, Reward, Role, Split, TaskId, ToolCall, Turn};

use crate::settings::{SEED, data, folder, refused};

const LEDGER: &str = "Ledger of the harbour\nnet debt 1951: 1,204 million\nnet debt 1952: 1,310 million\n";

fn task(id: &str, sources: &str) -> Value {
    json!({"uid": id, "question": format!("What was the net debt in case {id}?"), "ground_truth": "1,204 million",
        "source_files": sources, "source_docs": "https://archive.example/ledger?page=2", "category": "easy"})
}

/// A folder with one task a split, and documents.
fn small() -> tempfile::TempDir {
    let file = |id: &str| json!([task(id, "ledger.txt")]).to_string();
    folder(&[
        ("train/items.json", &file("a")),
        ("val/items.json", &file("b")),
        ("test/items.json", &json!([task("c", "lost.txt")]).to_string()),
        ("documents/ledger.txt", LEDGER),
        ("documents/other.txt", "Another ledger\n"),
        ("secret.txt", "net debt: 9\n"),
    ])
}

fn load(dir: &std::path::Path, change: impl FnOnce(&mut DataSettings)) -> Box<dyn Benchmark> {
    let mut settings = data("officeqa", dir);
    change(&mut settings);
    textualrl_bench::load(&settings).unwrap()
}

fn start(benchmark: &dyn Benchmark, split: Split, id: &str) -> Box<dyn Episode> {
    benchmark.start(split, &TaskId::new(id).unwrap(), SEED).unwrap()
}

fn calling(text: &str, calls: &[(&str, Value)]) -> Turn {
    let call = |(number, (name, arguments)): (usize, &(&str, Value))| ToolCall {
        id: format!("call-{number}"),
        name: (*name).to_owned(),
        arguments: arguments.to_string(),
    };
    Turn { tool_calls: calls.iter().enumerate().map(call).collect(), ..Turn::text(Role::Assistant, text) }
}

fn answers(progress: Progress) -> Vec<String> {
    match progress {
        Progress::Continue(turns) => {
            assert!(turns.iter().all(|turn| turn.role == Role::Tool && turn.tool_call_id.is_some()));
            turns.iter().map(Turn::joined_text).collect()
        }
        Progress::Finished => panic!("the episode is over"),
    }
}

fn feedback(outcome: Outcome) -> (Reward, Option<String>, String) {
    let Outcome::Scored { reward, answer, feedback } = outcome else { panic!("scored") };
    (reward, answer, feedback.safe.unwrap())
}

#[test]
fn an_agent_looks_into_documents_and_answers() {
    let folder = small();
    let benchmark = load(folder.path(), |settings| settings.scoring = Scoring::Reference);
    let mut episode = start(benchmark.as_ref(), Split::Train, "a");
    let opening = episode.opening(&Context::new("Mind the year."));
    assert!(opening[0].joined_text().contains("Mind the year."));
    assert_eq!(
        opening[1].joined_text(),
        "## Question\nWhat was the net debt in case a?\n\n## Candidate Files\n- ledger.txt\n\n## Source Hints\n\
         - https://archive.example/ledger?page=2\n"
    );
    let names: Vec<String> = episode.tools().into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["glob", "read", "grep"]);
    assert!(episode.blocks());
    // An answer beside calls does not end the episode.
    let calls = [
        ("grep", json!({"pattern": "1951", "path": "ledger.txt"})),
        ("read", json!({"path": "../secret.txt"})),
        ("read", json!({"path": "other.txt"})),
        ("glob", json!({"pattern": "*"})),
        ("open", json!({})),
    ];
    let told = answers(episode.act(&calling("<answer>7</answer>", &calls)));
    assert_eq!(
        told,
        [
            "2: net debt 1951: 1,204 million",
            "[read error: path not allowed]",
            "[read error: path not allowed]",
            "ledger.txt",
            "[tool error: unknown tool open]",
        ]
    );
    let reply = Turn::text(Role::Assistant, "It stands in line 2. <answer>$1,204</answer>");
    assert_eq!(episode.act(&reply), Progress::Finished);
    let (reward, answer, safe) = feedback(episode.score());
    assert_eq!((reward, answer.as_deref()), (Reward::Success, Some("$1,204")));
    assert_eq!(safe, "the answer has 1 word");
}

#[test]
fn the_end_of_an_episode_is_scored_as_published_or_corrected() {
    let answer = "<answer>1,204 million</answer>";
    let last_call = calling(answer, &[("glob", json!({"pattern": "*"}))]);
    for (turns, replies, reference, corrected) in [
        (3, vec![Turn::text(Role::Assistant, answer)], 1, 1),
        (3, vec![Turn::text(Role::Assistant, "It is\n1,204 million")], 0, 1),
        (3, vec![Turn::text(Role::Assistant, "<answer>1,204</answer>")], 1, 0),
        (3, vec![Turn::text(Role::Assistant, "")], 0, 0),
        (2, vec![last_call.clone(), last_call.clone()], 0, 1),
        (2, vec![last_call.clone(), Turn::text(Role::Assistant, answer)], 1, 1),
        (1, vec![calling("I look.\n1,204 million", &[("glob", json!({}))])], 0, 0),
    ] {
        for (scoring, success) in [(Scoring::Reference, reference), (Scoring::Corrected, corrected)] {
            let folder = small();
            let benchmark = load(folder.path(), |settings| {
                settings.scoring = scoring;
                settings.officeqa.turns = turns;
            });
            let mut episode = start(benchmark.as_ref(), Split::Train, "a");
            episode.opening(&Context::default());
            let progress: Vec<Progress> = replies.iter().map(|reply| episode.act(reply)).collect();
            assert_eq!(progress.last(), Some(&Progress::Finished), "{replies:?}");
            let (reward, _, safe) = feedback(episode.score());
            assert_eq!(u8::from(reward), success, "{scoring:?} {replies:?}");
            assert!(safe.contains("no document was opened") && !safe.contains("1,204"), "{safe}");
        }
    }
}

#[test]
fn what_may_be_opened_is_what_the_settings_say() {
    let folder = small();
    let glob = || calling("", &[("glob", json!({"pattern": "*"})), ("grep", json!({"pattern": "LEDGER"}))]);
    let both = "ledger.txt\nother.txt";
    let everywhere = "ledger.txt:1: Ledger of the harbour\nother.txt:1: Another ledger";
    for (reach, split, id, listed, names, found) in [
        (
            DocumentReach::Sources,
            Split::Train,
            "a",
            "- ledger.txt",
            "ledger.txt",
            "[grep error: missing path]",
        ),
        (DocumentReach::Sources, Split::Test, "c", "- none resolved", both, "[grep error: missing path]"),
        (DocumentReach::All, Split::Train, "a", "", both, everywhere),
    ] {
        let benchmark = load(folder.path(), |settings| settings.officeqa.reach = reach);
        let mut episode = start(benchmark.as_ref(), split, id);
        let asked = episode.opening(&Context::default())[1].joined_text();
        let shows_list = reach == DocumentReach::Sources;
        assert!(asked.contains(listed), "{asked}");
        assert_eq!(
            asked.contains("Candidate Files") && asked.contains("Source Hints"),
            shows_list,
            "{asked}"
        );
        assert_eq!(answers(episode.act(&glob())), [names, found], "{reach:?}");
        let caveats = benchmark.caveats().join("; ");
        let said = if shows_list { "1 of 3 tasks name no document" } else { "unlike in the published" };
        assert!(caveats.contains(said), "{caveats}");
    }
}

#[test]
fn a_document_that_vanished_is_no_wrong_answer() {
    let folder = small();
    let benchmark = load(folder.path(), |_| {});
    let mut episode = start(benchmark.as_ref(), Split::Train, "a");
    episode.opening(&Context::default());
    std::fs::remove_file(folder.path().join("documents/ledger.txt")).unwrap();
    assert_eq!(episode.act(&calling("", &[("read", json!({"path": "ledger.txt"}))])), Progress::Finished);
    let Outcome::NotScored { cause: NotScoredCause::Environment { message } } = episode.score() else {
        panic!("not scored")
    };
    assert!(message.contains("ledger.txt"), "{message}");
}

#[test]
fn parsed_pages_stand_in_the_prompt_if_asked_for() {
    let folder = small();
    let parsed = json!({"document": {"elements": [
        {"content": "<table><tr><td>1951</td><td>1,204</td></tr></table>", "bbox": [{"page_id": 2}]},
        {"content": "elsewhere", "bbox": [{"page_id": 3}]},
    ]}});
    std::fs::create_dir(folder.path().join("documents/jsons")).unwrap();
    std::fs::write(folder.path().join("documents/jsons/ledger.json"), parsed.to_string()).unwrap();
    let mut fingerprints = Vec::new();
    for oracle_pages in [false, true] {
        let benchmark = load(folder.path(), |settings| settings.officeqa.oracle_pages = oracle_pages);
        let mut episode = start(benchmark.as_ref(), Split::Train, "a");
        let asked = episode.opening(&Context::default())[1].joined_text();
        let page = "## Oracle Parsed Pages\n### ledger.txt page 2\nSource URL: https://archive.example/ledger?page=2\n\n\
                    | 1951 | 1,204 |\n| --- | --- |\n\n## Candidate Files";
        assert_eq!(asked.contains(page), oracle_pages, "{asked}");
        assert!(!asked.contains("elsewhere"));
        assert_eq!(benchmark.caveats().join(";").contains("in the prompt of 2 of 3 tasks"), oracle_pages);
        fingerprints.push(benchmark.listing(Split::Train).fingerprint.clone());
    }
    assert_ne!(fingerprints[0], fingerprints[1]);
}

#[test]
fn everything_that_decides_a_result_is_fingerprinted() {
    let folder = small();
    let fingerprint = |change: &dyn Fn(&mut DataSettings)| {
        load(folder.path(), |settings| change(settings)).listing(Split::Train).fingerprint.clone()
    };
    let mut seen = vec![
        fingerprint(&|_| {}),
        fingerprint(&|settings| settings.scoring = Scoring::Reference),
        fingerprint(&|settings| settings.officeqa.turns = 5),
        fingerprint(&|settings| settings.officeqa.reach = DocumentReach::All),
        fingerprint(&|settings| settings.officeqa.oracle_pages = true),
    ];
    assert_eq!(seen[0], fingerprint(&|settings| settings.spreadsheet.turns = 99));
    std::fs::write(folder.path().join("documents/other.txt"), "changed").unwrap();
    seen.push(fingerprint(&|_| {}));
    let distinct: std::collections::BTreeSet<String> = seen.iter().map(ToString::to_string).collect();
    assert_eq!(distinct.len(), seen.len());
}

#[test]
fn rows_come_in_every_distributed_form() {
    let csv = "\u{feff}uid,question,answer,source_files,source_docs,difficulty\r\n\
               UID1,\"What is, in all, the debt?\",\"1,204\",\"ledger.txt\r\nother.txt\",,hard\r\n\
               UID2,How much?,  ,ledger.txt,,easy\r\n";
    let folder = folder(&[
        ("train.csv", csv),
        ("val.jsonl", r#"{"id": 7, "question": "Q7?", "ground_truth": 12.5, "source_files": ["other.txt"]}"#),
        ("test/b.json", r#"[{"uid": "../x", "question": "Q8?", "answer": ["yes"]}]"#),
        ("documents/transformed/ledger.txt", LEDGER),
        ("documents/transformed/other.txt", "other"),
        ("documents/ignored.txt", "outside the texts"),
    ]);
    let benchmark = load(folder.path(), |_| {});
    let ids = Split::ALL.map(|split| benchmark.listing(split).tasks[0].to_string());
    assert_eq!(ids, ["UID1", "7", "../x"]);
    let excluded = &benchmark.listing(Split::Train).excluded;
    assert_eq!(excluded[0].reason, "train.csv:4: its gold answer is blank");
    let mut episode = start(benchmark.as_ref(), Split::Train, "UID1");
    let asked = episode.opening(&Context::default())[1].joined_text();
    assert!(asked.contains("in all, the debt?") && asked.contains("- ledger.txt\n- other.txt\n"), "{asked}");
    assert!(!asked.contains("Source Hints") && !asked.contains("1,204"), "{asked}");
}

#[test]
fn rows_that_only_name_a_question_are_completed_from_the_official_table() {
    let row = |id: &str| {
        json!([{"id": id, "uid": id, "category": "easy", "source_files": "ledger.txt"}]).to_string()
    };
    let table = "uid,question,answer,source_files\nU1,One?,1,x.txt\nU2,Two?,2,x.txt\nU3,Three?,3,x.txt\n";
    let folder = folder(&[
        ("train/items.json", &row("U1")),
        ("val/items.json", &row("U2")),
        ("test/items.json", &row("U3")),
        ("officeqa_full.csv", table),
        ("documents/ledger.txt", LEDGER),
    ]);
    let benchmark = load(folder.path(), |_| {});
    let mut episode = start(benchmark.as_ref(), Split::Validation, "U2");
    let asked = episode.opening(&Context::default())[1].joined_text();
    assert!(asked.contains("Two?") && asked.contains("- ledger.txt"), "{asked}");
    std::fs::write(folder.path().join("test/items.json"), row("U4")).unwrap();
    let said = refused(&data("officeqa", folder.path()));
    assert!(
        said.contains("officeqa_full.csv has no row") && said.contains("U4") && said.contains("its 3"),
        "{said}"
    );
    std::fs::remove_file(folder.path().join("officeqa_full.csv")).unwrap();
    assert!(refused(&data("officeqa", folder.path())).contains("field `question` is missing"));
}

#[test]
fn one_list_is_cut_as_released() {
    let rows: Vec<Value> = (0..20).map(|number| task(&number.to_string(), "ledger.txt")).collect();
    let folder = folder(&[("items.json", &json!(rows).to_string()), ("documents/ledger.txt", LEDGER)]);
    let benchmark = load(folder.path(), |_| {});
    assert_eq!(Split::ALL.map(|split| benchmark.listing(split).tasks.len()), [4, 2, 14]);
}

#[test]
fn data_that_cannot_be_used_are_refused_with_their_place() {
    let good = json!([task("g", "ledger.txt")]).to_string();
    for (bad, said) in [
        (json!([{"question": "Q?", "answer": "1"}]), "none of the fields `id`, `uid`"),
        (json!([{"id": "x", "answer": "1"}]), "field `question` is missing"),
        (json!([{"id": "x", "question": "Q?"}]), "neither field `ground_truth` nor `answer`"),
        (json!([{"id": "x", "question": "Q?", "answer": ["1", "2"]}]), "one gold answer"),
        (json!([{"id": "x", "question": "Q?", "answer": {"a": 1}}]), "a text or a number, not an object"),
        (json!([task("g", "other.txt")]), "id \"g\" is also at"),
        (
            json!([{"id": "x", "question": "What was the net debt in case g?", "answer": "1",
            "source_files": "ledger.txt"}]),
            "input is also at",
        ),
    ] {
        let folder = folder(&[
            ("train/items.json", &good),
            ("val/items.json", &bad.to_string()),
            ("test/items.json", &good.replace("\"g\"", "\"t\"").replace("case g", "case t")),
            ("documents/ledger.txt", LEDGER),
        ]);
        let message = refused(&data("officeqa", folder.path()));
        assert!(message.contains(said) && message.contains("val/items.json, item 1"), "{message}");
    }
    let folder = folder(&[("train/items.json", &good)]);
    assert!(refused(&data("officeqa", folder.path())).contains("data.officeqa.documents"));
}

#[test]
fn the_fixture_holds_what_it_asks_for() {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/officeqa"));
    let benchmark = load(folder, |settings| settings.officeqa.oracle_pages = true);
    assert_eq!(Split::ALL.map(|split| benchmark.listing(split).tasks.len()), [16, 10, 8]);
    assert_eq!(benchmark.caveats(), ["the pages that hold the answer stood in the prompt of 10 of 34 tasks"]);
    // Each figure of a gold stands in the documents, but where it must be worked out.
    let gold = |split: Split, task: &TaskId| {
        let mut episode = start(benchmark.as_ref(), split, task.as_str());
        episode.opening(&Context::default());
        episode.act(&Turn::text(Role::Assistant, "<answer>?</answer>"));
        let Outcome::Scored { feedback, .. } = episode.score() else { panic!("scored") };
        feedback.expected.unwrap().split('"').nth(1).unwrap().to_owned()
    };
    let mut calculated = 0;
    for split in Split::ALL {
        for task in &benchmark.listing(split).tasks {
            let gold = gold(split, task);
            let figure = gold.split(' ').next().unwrap().trim_start_matches('-');
            let mut episode = start(benchmark.as_ref(), split, task.as_str());
            let asked = episode.opening(&Context::default())[1].joined_text();
            let (_, listed) = asked.split_once("## Candidate Files\n- ").unwrap();
            let path = listed.lines().next().unwrap();
            let call = calling("", &[("grep", json!({"pattern": figure, "path": path}))]);
            calculated += usize::from(answers(episode.act(&call)) == ["[no matches]"]);
        }
    }
    assert_eq!(calculated, 2);
}
