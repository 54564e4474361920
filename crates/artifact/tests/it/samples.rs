//! Runs, records and trajectories to test with.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use tempfile::TempDir;
use textualrl_artifact::{
    Manifest, ManifestEndpoint, ManifestSplit, RoleUsage, RunDir, Slot, StageRecord, StageSummary,
};
use textualrl_model::{
    Context, Feedback, FeedbackLevel, Fingerprint, NotScoredCause, Outcome, Part, Reward, Role, RolloutIndex,
    Split, Stage, StepId, TaskId, ToolCall, Trajectory, Turn, Usage,
};

/// A folder that is removed at the end of the test.
pub(crate) struct Scratch {
    _folder: TempDir,
    pub(crate) run: Utf8PathBuf,
}

pub(crate) fn scratch() -> Scratch {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    Scratch { _folder: folder, run: root.join("run") }
}

pub(crate) fn manifest() -> Manifest {
    let fingerprint = Fingerprint::of(b"x");
    let endpoint = |model: &str| ManifestEndpoint {
        model: model.into(),
        endpoint: "simulated".into(),
        simulated: true,
        settings: fingerprint.clone(),
    };
    let split = ManifestSplit {
        tasks: 24,
        excluded: [("t9".into(), "no gold".into())].into(),
        fingerprint: fingerprint.clone(),
    };
    Manifest {
        tool: Manifest::tool_version(),
        formats: Manifest::tool_formats(),
        benchmark: "own".into(),
        caveats: Vec::new(),
        data: [(Split::Train, split)].into(),
        prompts: [("merge.md".to_owned(), fingerprint.clone())].into(),
        initial_context: fingerprint.clone(),
        feedback: FeedbackLevel::Safe,
        target: endpoint("reader"),
        optimizer: endpoint("critic"),
    }
}

pub(crate) fn run(scratch: &Scratch) -> RunDir {
    RunDir::create(&scratch.run, &manifest(), "[run]\nseed = 1\n").unwrap()
}

pub(crate) fn slot() -> Slot {
    Slot::Step { step: StepId::new(1, 3), stage: Stage::Rollout }
}

pub(crate) fn record(slot: Slot) -> StageRecord {
    StageRecord {
        slot,
        inputs: [("batch".to_owned(), Fingerprint::of(b"batch"))].into(),
        outputs: BTreeMap::new(),
        generation: 0,
        simulated: true,
        usage: RoleUsage::default(),
        summary: StageSummary::Rollout {
            mixed: 1,
            all_success: 2,
            all_failure: 3,
            left_out: 0,
            rollouts: 24,
            solved: 11,
            not_scored: 0,
        },
    }
}

/// A trajectory that uses every field.
pub(crate) fn full_trajectory() -> Trajectory {
    let mut asks = Turn::text(Role::Assistant, "Let me look.");
    asks.tool_calls =
        vec![ToolCall { id: "c1".into(), name: "look".into(), arguments: "{\"at\": \"north\"".into() }];
    asks.reasoning = Some("north first".into());
    let mut sees = Turn::text(Role::Tool, "A door.");
    sees.tool_call_id = Some("c1".into());
    sees.content.push(Part::Image { media_type: "image/png".into(), base64: "iVBORw0KGgo=".into() });
    Trajectory {
        task: TaskId::new("../a/b „ü“").unwrap(),
        rollout: RolloutIndex::new(2),
        split: Split::Train,
        context: Context::new("Be brief.").fingerprint(),
        turns: vec![Turn::text(Role::System, "Be brief."), Turn::text(Role::User, "Where?"), asks, sees],
        outcome: Outcome::Scored {
            reward: Reward::Failure,
            answer: Some("north".into()),
            feedback: Feedback { safe: Some("one word".into()), expected: Some("the north door".into()) },
        },
        usage: Usage { input: Some(1234), output: None },
        calls: 2,
    }
}

/// Trajectory `number`, about `length` bytes long, with text that compresses as prose does.
pub(crate) fn trajectory(number: u32, length: usize) -> Trajectory {
    let words = ["the", "answer", "stands", "in", "passage", "where", "a", "door", "opens", "north"];
    let mut state = u64::from(number) + 1;
    let mut text = String::with_capacity(length + 16);
    while text.len() < length {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push_str(words[(state >> 33) as usize % words.len()]);
        text.push_str(if state >> 60 == 0 { ". " } else { " " });
    }
    Trajectory {
        task: TaskId::new(format!("task-{}", number / 4)).unwrap(),
        rollout: RolloutIndex::new(number % 4 + 1),
        turns: vec![Turn::text(Role::User, text), Turn::text(Role::Assistant, format!("answer {number}"))],
        outcome: if number.is_multiple_of(7) {
            Outcome::NotScored { cause: NotScoredCause::Provider { message: "connection reset".into() } }
        } else {
            Outcome::failure("no answer tag")
        },
        ..full_trajectory()
    }
}
