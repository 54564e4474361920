//! Recorded plays of the reference engine, and whether ours goes the same way.
//!
//! Always holds: a game that cannot be read or played is a difference, never skipped; a file of recordings that cannot
//! be read ends the check with its name.

mod games;
mod replay;

use std::path::{Path, PathBuf};

use serde::Serialize;

use self::games::Games;
use self::replay::{Transcript, compare};
use crate::conformance::archive::{ArchiveError, read_text};

/// The first difference in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The game's path, as the transcript names it.
    pub game: String,
    /// Where it is and what was expected and found.
    pub message: String,
}

/// What a comparison found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Games in the transcripts.
    pub games: usize,
    /// Games without difference.
    pub matched: usize,
    /// Episodes in the transcripts.
    pub episodes: usize,
    /// Steps in the transcripts.
    pub steps: usize,
    /// The first difference of each game that has one, in the transcripts' order.
    pub differences: Vec<Difference>,
}

/// Why transcripts cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] ArchiveError),
    /// A file has not the form of transcripts.
    #[error("{}, transcript {number} (from 1): {source}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// Which one in it.
        number: usize,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// A file has no transcript.
    #[error("{} has no transcript", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// Plays all transcripts of a folder: those of `transcripts.jsonl.xz` or `transcripts.jsonl`, whose games are in
/// `games.tar.xz`, `games.tar` or below the folder; and every `NAME.json` with a game `NAME.tw-pddl` beside it. None if
/// the folder has none.
///
/// # Errors
/// If a file cannot be read or is damaged, or is no JSON of the expected form.
pub fn check_folder(folder: &Path) -> Result<Option<Report>, TranscriptError> {
    let files = files(folder);
    if files.is_empty() {
        return Ok(None);
    }
    let games = Games::of(folder)?;
    let mut report = Report::default();
    for path in files {
        let text = read_text(&path)?;
        if text.trim().is_empty() {
            return Err(TranscriptError::Empty { path });
        }
        let stream = serde_json::Deserializer::from_str(&text).into_iter::<Transcript>();
        for (index, transcript) in stream.enumerate() {
            let form = |source| TranscriptError::Form { path: path.clone(), number: index + 1, source };
            report.add(transcript.map_err(form)?, &games);
        }
    }
    Ok(Some(report))
}

/// The files of transcripts in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let many = ["transcripts.jsonl.xz", "transcripts.jsonl"].map(|name| folder.join(name));
    let mut files: Vec<PathBuf> = many.into_iter().find(|path| path.is_file()).into_iter().collect();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let beside_game = |path: &PathBuf| {
        path.extension().is_some_and(|found| found == "json") && path.with_extension("tw-pddl").is_file()
    };
    let mut single: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(beside_game).collect();
    single.sort();
    files.extend(single);
    files
}

impl Report {
    fn add(&mut self, transcript: Transcript, games: &Games) {
        self.games += 1;
        self.episodes += transcript.episodes.len();
        self.steps += transcript.episodes.iter().map(|episode| episode.steps.len()).sum::<usize>();
        let compared = games.text(&transcript.game).and_then(|game| compare(&transcript, &game));
        match compared {
            Ok(()) => self.matched += 1,
            Err(message) => self.differences.push(Difference { game: transcript.game, message }),
        }
    }

    /// The share of games without difference, in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.matched as f64 / self.games.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::archive::tests::{archive, packed};

    const GAME: &str = include_str!("../../../../../fixtures/alfworld/harbour.tw-pddl");
    const TRANSCRIPT: &str = include_str!("../../../../../fixtures/alfworld/harbour.json");

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn report(files: &[(&str, &str)]) -> Report {
        check_folder(folder(files).path()).unwrap().unwrap()
    }

    #[test]
    fn the_harbour_plays_as_the_reference_engine_recorded() {
        let report = report(&[("harbour.json", TRANSCRIPT), ("harbour.tw-pddl", GAME)]);
        assert_eq!(report.differences, []);
        assert!(report.episodes == 5 && report.steps > 150 && report.percent() == 100.0, "{report:?}");
    }

    #[test]
    fn a_difference_is_told_where_it_is() {
        for (from, to, place) in [
            ("look around\",", "look about\",", "opening: commands differ; missing \"look about\""),
            ("You slide", "You drag", "step 4 `open heron 1`"),
            ("harbour.tw-pddl", "elsewhere.tw-pddl", "there is no such game"),
        ] {
            let changed = TRANSCRIPT.replacen(from, to, 1);
            let report = report(&[("transcripts.jsonl", &changed), ("a/b/harbour.tw-pddl", GAME)]);
            let message = &report.differences[0].message;
            assert!(report.matched == 0 && message.contains(place), "{message}");
        }
        let cut = GAME.split_at(GAME.len() / 2).0;
        let report = report(&[("harbour.json", TRANSCRIPT), ("harbour.tw-pddl", cut)]);
        assert!(report.matched == 0 && report.percent() == 0.0, "{report:?}");
    }

    #[test]
    fn only_transcripts_are_read_and_what_has_none_is_no_check() {
        for files in [&[][..], &[("splits.json", "{}")], &[("train.jsonl", "{}"), ("games/a.tw-pddl", GAME)]]
        {
            assert_eq!(check_folder(folder(files).path()).unwrap(), None, "{files:?}");
        }
        let missing = folder(&[]).path().join("alfworld");
        assert_eq!(check_folder(&missing).unwrap(), None);
        let error = check_folder(folder(&[("transcripts.jsonl", "{}")]).path()).unwrap_err();
        assert!(error.to_string().contains("transcripts.jsonl, transcript 1 (from 1): missing field"));
        let error = check_folder(folder(&[("transcripts.jsonl", "\n")]).path()).unwrap_err();
        assert!(error.to_string().ends_with("transcripts.jsonl has no transcript"), "{error}");
    }

    /// A folder with games and transcripts as they are handed out.
    fn packed_folder() -> tempfile::TempDir {
        let folder = folder(&[]);
        let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), packed(bytes)).unwrap();
        let games = [("games_1/inner/harbour.tw-pddl", GAME.as_bytes()), ("games_1/broken.tw-pddl", b"{}")];
        put("games.tar.xz", &archive(&games));
        let line = |name: &str| TRANSCRIPT.replacen("harbour.tw-pddl", name, 1).replace('\n', "");
        let lines = [line("inner/harbour.tw-pddl"), line("broken.tw-pddl")].join("\n");
        put("transcripts.jsonl.xz", lines.as_bytes());
        folder
    }

    #[test]
    fn archives_are_played_without_unpacking() {
        let report = check_folder(packed_folder().path()).unwrap().unwrap();
        assert_eq!((report.games, report.matched, report.episodes), (2, 1, 10), "{report:?}");
        assert_eq!(report.differences[0].game, "broken.tw-pddl");
        assert!(report.differences[0].message.contains("pddl_domain"), "{report:?}");
    }

    #[test]
    fn a_damaged_archive_ends_the_check_with_its_name() {
        for name in ["games.tar.xz", "transcripts.jsonl.xz"] {
            let folder = packed_folder();
            let path = folder.path().join(name);
            let bytes = std::fs::read(&path).unwrap();
            std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
            let error = check_folder(folder.path()).unwrap_err().to_string();
            assert!(error.contains(&format!("{name} cannot be read")), "{error}");
        }
    }

    #[test]
    fn a_name_that_leads_out_finds_nothing() {
        let changed = TRANSCRIPT.replacen("\"harbour.tw-pddl\"", "\"../harbour.tw-pddl\"", 1);
        let folder = folder(&[("harbour.tw-pddl", GAME), ("in/transcripts.jsonl", &changed)]);
        let report = check_folder(&folder.path().join("in")).unwrap().unwrap();
        assert_eq!((report.games, report.matched), (1, 0), "{report:?}");
    }
}
