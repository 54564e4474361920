//! DocVQA through its public face: loading, what the agent is shown, scoring.

use serde_json::{Value, json};
use textualrl_bench::{Benchmark, EpisodeSeed};
use textualrl_model::settings::{DataSettings, DocumentMode, Scoring};
use textualrl_model::{Context, Outcome, Part, Reward, Role, Split, TaskId, Turn};

use crate::settings::data;

fn settings(dir: &std::path::Path, mode: DocumentMode, scoring: Scoring) -> DataSettings {
    let mut settings = data("docvqa", dir);
    settings.docvqa.mode = mode;
    settings.scoring = scoring;
    settings
}

fn rows(count: usize) -> Vec<Value> {
    let row = |number: usize| {
        json!({"questionId": number, "question": format!("What is on page {number}?"), "answer": "['42', 'forty-two']",
            "image_path": "images/page.png", "ocr_text": format!("Page {number}: 42")})
    };
    (0..count).map(row).collect()
}

fn opening(benchmark: &dyn Benchmark) -> Vec<Turn> {
    let task = benchmark.listing(Split::Train).tasks[0].clone();
    let seed = EpisodeSeed { batch: 1, rollout: 1 };
    benchmark.start(Split::Train, &task, seed).unwrap().opening(&Context::new("Look twice."))
}

#[test]
fn a_list_without_splits_is_cut_as_released_and_pages_are_text_or_images() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("images")).unwrap();
    std::fs::write(folder.path().join("images/page.png"), b"\x89PNG\r\n\x1a\nrest").unwrap();
    std::fs::write(folder.path().join("items.json"), json!(rows(20)).to_string()).unwrap();
    for (mode, images, caveats) in [(DocumentMode::Image, 1, 0), (DocumentMode::Text, 0, 1)] {
        let benchmark = textualrl_bench::load(&settings(folder.path(), mode, Scoring::Corrected)).unwrap();
        let sizes = Split::ALL.map(|split| benchmark.listing(split).tasks.len());
        assert_eq!(sizes, [4, 2, 14]);
        assert_eq!(benchmark.caveats().len(), caveats);
        let turns = opening(benchmark.as_ref());
        let shown = turns[1].content.iter().filter(|part| matches!(part, Part::Image { .. })).count();
        assert_eq!(shown, images);
        assert!(turns[0].joined_text().contains("Look twice."));
        let said: String = turns.iter().map(Turn::joined_text).collect();
        assert!(!said.contains("forty-two"), "a gold is shown: {said}");
    }
}

#[test]
fn replies_are_scored_and_safe_feedback_holds_no_gold() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("items.json"), json!(rows(10)).to_string()).unwrap();
    let benchmark =
        textualrl_bench::load(&settings(folder.path(), DocumentMode::Text, Scoring::Reference)).unwrap();
    let task: TaskId = benchmark.listing(Split::Test).tasks[0].clone();
    for (reply, reward) in
        [("<answer>Forty-Two</answer>", Reward::Success), ("<answer>43</answer>", Reward::Failure)]
    {
        let seed = EpisodeSeed { batch: 1, rollout: 1 };
        let mut episode = benchmark.start(Split::Test, &task, seed).unwrap();
        episode.opening(&Context::default());
        episode.act(&Turn::text(Role::Assistant, reply));
        let Outcome::Scored { reward: found, feedback, .. } = episode.score() else { panic!("scored") };
        assert_eq!(found, reward, "{reply}");
        assert!(!feedback.safe.unwrap_or_default().contains("42"));
    }
}

#[test]
fn questions_without_text_or_gold_are_left_out_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = rows(12);
    rows[3]["ocr_text"] = json!(" ");
    rows[5]["answer"] = json!("[]");
    std::fs::write(folder.path().join("items.json"), json!(rows).to_string()).unwrap();
    let benchmark =
        textualrl_bench::load(&settings(folder.path(), DocumentMode::Text, Scoring::Corrected)).unwrap();
    let left_out = Split::ALL.into_iter().flat_map(|split| benchmark.listing(split).excluded.clone());
    let mut reasons: Vec<String> = left_out.map(|one| format!("{} {}", one.task, one.reason)).collect();
    reasons.sort();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(reasons[0].starts_with('3') && reasons[0].contains("`ocr_text`"), "{reasons:?}");
    assert!(reasons[1].starts_with('5') && reasons[1].contains("no gold answer"), "{reasons:?}");
}
