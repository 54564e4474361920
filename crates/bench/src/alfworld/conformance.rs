//! Plays recorded transcripts of the reference engine again and compares text for text.
//!
//! Always holds: a game counts as matching only if every observation, every list of commands and every end is equal;
//! a game that cannot be read is a difference, never skipped.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use textualrl_model::settings::Scoring;

use super::action::{Projected, Released, history};
use super::game::Game;
use super::play::Play;
use super::tasks::task_type;
use crate::conformance::Case;

/// The recording of one game.
#[derive(Debug, Deserialize)]
struct Transcript {
    game: String,
    episodes: Vec<Recording>,
}

/// One recorded episode.
#[derive(Debug, Deserialize)]
struct Recording {
    policy: String,
    initial_obs: String,
    initial_admissible: Vec<String>,
    steps: Vec<Step>,
    won: bool,
}

/// One recorded step.
#[derive(Debug, Deserialize)]
struct Step {
    action: String,
    obs: String,
    admissible: Vec<String>,
    won: bool,
    done: bool,
}

/// The first difference in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The game's path, as the transcript names it.
    pub game: String,
    /// Where it is and what was expected and found.
    pub message: String,
}

/// What a comparison found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Games in the transcripts.
    pub games: usize,
    /// Games without difference.
    pub matching: usize,
    /// Episodes in the transcripts.
    pub episodes: usize,
    /// Steps that were played and equal.
    pub steps: usize,
    /// The first difference of each game that has one, in the transcripts' order.
    pub differences: Vec<Difference>,
}

/// Why transcripts cannot be compared.
#[derive(Debug, thiserror::Error)]
#[error("transcript {number} (from 1) cannot be read: {source}")]
pub struct CheckError {
    /// Which one.
    pub number: usize,
    /// What is wrong.
    pub source: serde_json::Error,
}

/// Compares all transcripts, which stand one after the other as JSON (lines or not). `game` gives the text of the game
/// file that a transcript names, or says why it cannot.
///
/// # Errors
/// If a transcript is no JSON of the expected form.
pub fn check(
    transcripts: &str,
    game: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Report, CheckError> {
    let mut report = Report::default();
    let stream = serde_json::Deserializer::from_str(transcripts).into_iter::<Transcript>();
    for (index, transcript) in stream.enumerate() {
        let transcript = transcript.map_err(|source| CheckError { number: index + 1, source })?;
        report.games += 1;
        report.episodes += transcript.episodes.len();
        match compare(&transcript, game, &mut report.steps) {
            Ok(()) => report.matching += 1,
            Err(message) => report.differences.push(Difference { game: transcript.game, message }),
        }
    }
    Ok(report)
}

/// What ours returns for a case of the released harness: its reading of replies, its window, its types of tasks. None
/// for a scorer that there is not. The scoring makes no difference: the reward is whether the game was won.
///
/// Episodes read replies otherwise, as [`Reading`](super::action::Reading) says, and do so under either scoring.
pub fn found(case: &Case, _: Scoring) -> Option<Value> {
    let Case { prediction, extra, .. } = case;
    let text = prediction.as_str().unwrap_or_default();
    match case.scorer.as_str() {
        "harness_action" => {
            let Released { reply, action, thought, projected } = Released::of(text);
            Some(json!({
                "recorded_action": action, "recorded_think": thought, "model_response": reply,
                "env_action": projected.command, "valid_flag": u8::from(projected.valid),
            }))
        }
        "projection" => {
            let Projected { command, valid } = Projected::of(text);
            Some(json!({ "env_action": command, "valid_flag": u8::from(valid) }))
        }
        "history" => {
            let pairs: Vec<(String, String)> = Vec::deserialize(prediction).ok()?;
            let length = extra.get("history_length")?.as_u64()?;
            let shown = history(&pairs, usize::try_from(length).ok()?);
            Some(
                json!({ "text": shown, "history_length": length.min(pairs.len() as u64), "step_count": pairs.len() }),
            )
        }
        "task_type" => Some(json!(task_type(text))),
        _ => None,
    }
}

fn compare(
    transcript: &Transcript,
    game: &mut dyn FnMut(&str) -> Result<String, String>,
    steps: &mut usize,
) -> Result<(), String> {
    let text = game(&transcript.game)?;
    let game = Arc::new(Game::load(&text).map_err(|error| error.to_string())?);
    for recording in &transcript.episodes {
        replay(&game, recording, steps).map_err(|message| format!("{}: {message}", recording.policy))?;
    }
    Ok(())
}

fn replay(game: &Arc<Game>, recording: &Recording, steps: &mut usize) -> Result<(), String> {
    let mut play = Play::start(game.clone()).map_err(|error| error.to_string())?;
    same("opening", &recording.initial_obs, play.observation())?;
    same_commands("opening", &recording.initial_admissible, &play)?;
    for (number, step) in recording.steps.iter().enumerate() {
        let place = format!("step {} `{}`", number + 1, step.action);
        play.step(&step.action).map_err(|error| format!("{place}: {error}"))?;
        same(&place, &step.obs, play.observation())?;
        same_commands(&place, &step.admissible, &play)?;
        if (step.won, step.done) != (play.is_won(), play.is_won()) {
            return Err(format!("{place}: won {} and done {} expected", step.won, step.done));
        }
        *steps += 1;
    }
    if recording.won != play.is_won() {
        return Err(format!("at the end: won {} expected", recording.won));
    }
    Ok(())
}

fn same(place: &str, expected: &str, found: &str) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    Err(format!("{place}: expected {expected:?}, found {found:?}"))
}

fn same_commands(place: &str, expected: &[String], play: &Play) -> Result<(), String> {
    let found = play.admissible().map_err(|error| format!("{place}: {error}"))?;
    if expected == found {
        return Ok(());
    }
    let mut message = format!("{place}: commands differ;");
    for command in expected.iter().filter(|command| !found.contains(command)) {
        let _ = write!(message, " missing {command:?}");
    }
    for command in found.iter().filter(|command| !expected.contains(command)) {
        let _ = write!(message, " unexpected {command:?}");
    }
    Err(message)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    use super::*;

    fn unpacked(archive: &Path) -> String {
        let output = Command::new("xz").arg("-dc").arg(archive).stderr(Stdio::inherit()).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn the_harbour_plays_as_the_reference_engine_recorded() {
        let game = include_str!("../../../../fixtures/alfworld/harbour.tw-pddl");
        let transcript = include_str!("../../../../fixtures/alfworld/harbour.json");
        let report = check(transcript, &mut |_| Ok(game.to_owned())).unwrap();
        assert_eq!(report.differences, []);
        assert!(report.episodes == 5 && report.steps > 150, "{report:?}");
    }

    #[test]
    fn a_difference_is_told_where_it_is() {
        let game = include_str!("../../../../fixtures/alfworld/harbour.tw-pddl");
        let transcript = include_str!("../../../../fixtures/alfworld/harbour.json");
        for (from, to, place) in [
            ("look around\",", "look about\",", "opening: commands differ; missing \"look about\""),
            ("You slide", "You drag", "step 4 `open heron 1`"),
        ] {
            let changed = transcript.replacen(from, to, 1);
            let report = check(&changed, &mut |_| Ok(game.to_owned())).unwrap();
            let message = &report.differences[0].message;
            assert!(report.matching == 0 && message.contains(place), "{message}");
        }
        let report = check(transcript, &mut |name| Err(format!("no {name}"))).unwrap();
        assert_eq!(report.differences[0].message, "no harbour.tw-pddl");
        assert!(check("{}", &mut |_| Ok(String::new())).is_err());
    }

    #[test]
    fn cases_run_through_the_released_reading() {
        let case = |scorer: &str, prediction: Value, expected: Value| {
            let case = json!({"id": "x", "benchmark": "alfworld", "scorer": scorer, "prediction": prediction,
                "gold": null, "extra": {"history_length": 2}, "expected": null, "quirk": false});
            let case: Case = serde_json::from_value(case).unwrap();
            assert_eq!(found(&case, Scoring::Reference), Some(expected), "{scorer}");
        };
        let stand_in = "<think>empty model response</think><action>look</action>";
        let read = json!({"recorded_action": "look", "recorded_think": "empty model response",
            "model_response": stand_in, "env_action": "look", "valid_flag": 1});
        case("harness_action", Value::Null, read);
        case("projection", json!("None"), json!({"env_action": "none", "valid_flag": 0}));
        let shown = "[Observation 1: 'o', Action 1: 'a']";
        let window = json!({"text": shown, "history_length": 1, "step_count": 1});
        case("history", json!([["o", "a"]]), window);
        case("task_type", json!("harbour"), json!("other"));
    }

    #[test]
    fn recorded_cases_match() {
        let Some(cases) = std::env::var_os("TEXTUALRL_CASES").map(PathBuf::from) else { return };
        let text = std::fs::read_to_string(cases.join("scorers.json")).unwrap();
        let cases: Vec<Case> = serde_json::from_str(&text).unwrap();
        let ours: Vec<&Case> = cases.iter().filter(|case| case.benchmark == "alfworld").collect();
        assert!(!ours.is_empty());
        for case in ours {
            assert_eq!(found(case, Scoring::Reference).as_ref(), Some(&case.expected), "{}", case.id);
        }
    }

    #[test]
    fn recorded_transcripts_match() {
        let Some(cases) = std::env::var_os("TEXTUALRL_CASES").map(PathBuf::from) else { return };
        let cases = cases.join("alfworld");
        let folder = tempfile::tempdir().unwrap();
        let archive = cases.join("games.tar.xz");
        let status = Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(folder.path()).status();
        assert!(status.unwrap().success());
        let root = folder.path().join("json_2.1.1");
        let mut read =
            |name: &str| std::fs::read_to_string(root.join(name)).map_err(|error| error.to_string());
        let report = check(&unpacked(&cases.join("transcripts.jsonl.xz")), &mut read).unwrap();
        for difference in &report.differences {
            eprintln!("{}: {}", difference.game, difference.message);
        }
        eprintln!(
            "{} of {} games, {} episodes, {} steps",
            report.matching, report.games, report.episodes, report.steps
        );
        assert!(report.games > 0 && report.matching == report.games);
        let mut read =
            |name: &str| std::fs::read_to_string(cases.join(name)).map_err(|error| error.to_string());
        let handmade = std::fs::read_to_string(cases.join("handmade.json")).unwrap();
        let report = check(&handmade, &mut read).unwrap();
        assert!(report.differences.is_empty(), "{:?}", report.differences);
    }
}
