//! The journal on disk: replay, torn ends, several processes, failures.

use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use textualrl_llm::{ChatError, ChatModel, ChatReply, Journal, JournalCounts, JournalError, Journaled};

use crate::scripted_model::{ScriptedModel, identity, request, said};

/// Asks for each text through a journal opened now; the model has just these answers.
async fn ask_all(
    dir: &Path,
    texts: &[&str],
    answers: Vec<Result<ChatReply, ChatError>>,
) -> (Vec<Result<ChatReply, ChatError>>, JournalCounts) {
    let journal = Arc::new(Journal::open(dir).unwrap());
    let model = Journaled::new(Arc::new(ScriptedModel::new(answers)), Arc::clone(&journal));
    let mut replies = Vec::new();
    for text in texts {
        replies.push(model.chat(&request(text), &identity()).await);
    }
    journal.sync().unwrap();
    (replies, journal.counts())
}

fn only_segment(dir: &Path) -> std::path::PathBuf {
    let mut files = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let file = files.next().unwrap();
    assert!(files.next().is_none());
    file
}

#[tokio::test]
async fn a_completed_call_is_never_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let (first, counts) = ask_all(dir.path(), &["a", "b", "a"], vec![said("A"), said("B")]).await;
    assert_eq!((counts.made, counts.replayed, counts.repeats), (2, 1, 0));
    let (second, counts) = ask_all(dir.path(), &["a", "b"], vec![]).await;
    assert_eq!((counts.found, counts.made, counts.replayed), (2, 0, 2));
    for (first, second) in first.iter().zip(&second) {
        let (first, mut second) = (first.clone().unwrap(), second.clone().unwrap());
        assert!(second.from_journal && !first.from_journal);
        second.from_journal = false;
        assert_eq!(first, second);
    }
    only_segment(dir.path());
}

#[tokio::test]
async fn failures_are_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let down = Err(ChatError::Transport { endpoint: "e".into(), message: "m".into() });
    let (replies, _) = ask_all(dir.path(), &["a"], vec![down]).await;
    assert!(replies[0].is_err());
    let (replies, counts) = ask_all(dir.path(), &["a"], vec![said("A")]).await;
    assert!(replies[0].is_ok(), "RES-13");
    assert_eq!((counts.found, counts.interrupted, counts.made, counts.repeats), (0, 0, 1, 0));
}

#[tokio::test]
async fn identity_and_request_are_both_part_of_the_key() {
    let dir = tempfile::tempdir().unwrap();
    let journal = Arc::new(Journal::open(dir.path()).unwrap());
    let model = Arc::new(ScriptedModel::new(vec![said("1"), said("2"), said("3")]));
    let journaled = Journaled::new(model.clone(), journal);
    let mut resampled = identity();
    resampled.generation = 1;
    journaled.chat(&request("a"), &identity()).await.unwrap();
    journaled.chat(&request("a"), &resampled).await.unwrap();
    let mut hotter = request("a");
    hotter.temperature = Some(0.8);
    journaled.chat(&hotter, &identity()).await.unwrap();
    assert_eq!(model.calls(), 3);
}

#[tokio::test]
async fn a_call_in_flight_at_a_kill_is_counted_as_a_repeat() {
    let dir = tempfile::tempdir().unwrap();
    ask_all(dir.path(), &["a", "b"], vec![said("A"), said("B")]).await;
    let segment = only_segment(dir.path());
    let whole = std::fs::read(&segment).unwrap();
    // Into the middle of the last reply: `b` was sent, and its record is torn.
    std::fs::write(&segment, &whole[..whole.len() - 5]).unwrap();
    let (replies, counts) = ask_all(dir.path(), &["a", "b"], vec![said("B2")]).await;
    assert_eq!(replies[1].clone().unwrap().turn.joined_text(), "B2");
    assert_eq!((counts.found, counts.interrupted, counts.torn_segments), (1, 1, 1));
    assert_eq!((counts.made, counts.replayed, counts.repeats), (1, 1, 1));
    assert!(counts.torn_bytes > 0);
}

#[tokio::test]
async fn processes_write_their_own_segments_and_the_first_record_counts() {
    let dir = tempfile::tempdir().unwrap();
    let journals = [(); 2].map(|()| Arc::new(Journal::open(dir.path()).unwrap()));
    for (journal, answer) in journals.into_iter().zip(["first", "second"]) {
        let model = Journaled::new(Arc::new(ScriptedModel::new(vec![said(answer)])), journal);
        assert_eq!(model.chat(&request("a"), &identity()).await.unwrap().turn.joined_text(), answer);
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
    let (replies, counts) = ask_all(dir.path(), &["a"], vec![]).await;
    assert_eq!(replies[0].clone().unwrap().turn.joined_text(), "first");
    assert_eq!(counts.found, 1);
}

#[test]
fn other_formats_are_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let segment = dir.path().join("segment-0001.jnl");
    std::fs::write(&segment, b"TXRLJNL\x09").unwrap();
    assert!(matches!(Journal::open(dir.path()), Err(JournalError::Newer { version: 9, .. })));
    std::fs::write(&segment, b"{\"json\":1}").unwrap();
    let error = Journal::open(dir.path()).unwrap_err();
    assert!(error.to_string().contains("segment-0001.jnl"), "{error}");
    std::fs::remove_file(&segment).unwrap();
    std::fs::write(dir.path().join("notes.txt"), b"mine").unwrap();
    Journal::open(dir.path()).unwrap();
}

#[tokio::test]
async fn a_journal_that_cannot_be_written_fails_the_call() {
    let dir = tempfile::tempdir().unwrap();
    let inside = dir.path().join("partition");
    let journal = Arc::new(Journal::open(&inside).unwrap());
    std::fs::remove_dir(&inside).unwrap();
    let model = Arc::new(ScriptedModel::new(vec![said("A")]));
    let error = Journaled::new(model.clone(), journal).chat(&request("a"), &identity()).await.unwrap_err();
    assert!(matches!(error, ChatError::Journal { .. }));
    assert_eq!(model.calls(), 0, "nothing is paid for that cannot be kept");
}

#[tokio::test]
async fn the_bytes_of_a_segment_are_golden() {
    let dir = tempfile::tempdir().unwrap();
    ask_all(dir.path(), &["a"], vec![said("A")]).await;
    let bytes = std::fs::read(only_segment(dir.path())).unwrap();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let golden: String = include_str!("segment.hex").split_whitespace().collect();
    assert_eq!(hex, golden, "what was journaled before would be lost: a changed format needs a new version");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_truncation_leaves_a_prefix(share in 0.0..1.0_f64) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let dir = tempfile::tempdir().unwrap();
        let texts = ["a", "b", "c", "d"];
        runtime.block_on(ask_all(dir.path(), &texts, texts.map(said).to_vec()));
        let segment = only_segment(dir.path());
        let whole = std::fs::read(&segment).unwrap();
        std::fs::write(&segment, &whole[..(whole.len() as f64 * share) as usize]).unwrap();
        let found = Journal::open(dir.path()).unwrap().counts().found as usize;
        let missing = texts.iter().skip(found).map(|text| said(text)).collect();
        let (replies, counts) = runtime.block_on(ask_all(dir.path(), &texts, missing));
        prop_assert_eq!(counts.replayed as usize, found);
        for (text, reply) in texts.iter().zip(replies) {
            prop_assert_eq!(&reply.unwrap().turn.joined_text(), text);
        }
    }
}
