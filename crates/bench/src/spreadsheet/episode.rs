//! One conversation about a task: programs, what they printed, and the score of the last one.
//!
//! Always holds: the agent is shown what its own programs printed and never how they compare with the golden workbook, in
//! training as in evaluation; the last program is scored on a fresh copy of every case's input; all cases must pass.

use std::sync::Arc;
use std::time::Duration;

use textualrl_model::settings::{Scoring, SpreadsheetMode};
use textualrl_model::{Context, Feedback, NotScoredCause, Outcome, Reward, Turn};
use textualrl_sandbox::Run;

use super::cases::TestCase;
use super::judge::{self, Judged, Rules, Wrong};
use super::program::{extract_code, strip_path_assignments};
use super::prompt;
use super::recalculate::Soffice;
use super::runner::{Runner, problem};
use super::tasks::SpreadsheetTask;
use crate::benchmark::{Episode, Progress};

const NO_TIME: &str = "the time of all programs of the episode together is used up";

/// What the episodes of a benchmark share.
#[derive(Debug)]
pub(super) struct Workshop {
    /// Which metric scores.
    pub(super) scoring: Scoring,
    /// How the agent is asked.
    pub(super) mode: SpreadsheetMode,
    /// Replies of an episode.
    pub(super) turns: u32,
    /// How long all programs of an episode may run together.
    pub(super) budget: Duration,
    /// How long one may run.
    pub(super) longest: Duration,
    /// Who runs programs.
    pub(super) runner: Box<dyn Runner>,
    /// Who computes formulas.
    pub(super) soffice: Option<Soffice>,
}

/// An episode of SpreadsheetBench.
#[derive(Debug)]
pub(super) struct SpreadsheetEpisode {
    task: Arc<SpreadsheetTask>,
    workshop: Arc<Workshop>,
    preview: String,
    replies: u32,
    left: Duration,
    last: Option<Attempt>,
    fault: Option<String>,
}

/// A program, and how it went on the first case if it was tried there.
#[derive(Debug)]
struct Attempt {
    program: String,
    tried: Option<Run>,
}

/// What became of a try to run a program.
enum Tried {
    Run(Run),
    /// No time is left.
    NoTime,
}

impl SpreadsheetEpisode {
    pub(super) fn new(task: Arc<SpreadsheetTask>, workshop: Arc<Workshop>, preview: String) -> Self {
        let left = workshop.budget;
        Self { task, workshop, preview, replies: 0, left, last: None, fault: None }
    }

    fn run(&mut self, program: &str, case: &TestCase) -> Result<Tried, String> {
        let time = self.left.min(self.workshop.longest);
        if time.is_zero() {
            return Ok(Tried::NoTime);
        }
        let run = self.workshop.runner.run(program, &case.input, time)?;
        self.left = self.left.saturating_sub(run.time);
        Ok(Tried::Run(run))
    }

    /// Tries a program on the first case; what is to be told of it if it did not do.
    fn attempt(&mut self, program: String) -> Result<Option<Turn>, String> {
        let task = Arc::clone(&self.task);
        let tried = match task.cases.first().filter(|_| self.workshop.mode == SpreadsheetMode::Multi) {
            None => None,
            Some(case) => match self.run(&program, case)? {
                Tried::Run(run) => Some(run),
                Tried::NoTime => None,
            },
        };
        let told = tried.as_ref().and_then(|run| Some(prompt::failed(&problem(run)?, &run.printed)));
        self.last = Some(Attempt { program, tried });
        Ok(told)
    }

    /// Asks once more if the protocol has another reply.
    fn again(&self, told: Turn) -> Progress {
        let Workshop { mode, turns, .. } = *self.workshop;
        let more = mode == SpreadsheetMode::Multi && self.replies < turns && !self.left.is_zero();
        if more { Progress::Continue(vec![told]) } else { Progress::Finished }
    }

    /// Judges the last program case by case, up to the first that fails.
    fn judged(&mut self, mut attempt: Attempt) -> Result<Judged, NotScoredCause> {
        let task = Arc::clone(&self.task);
        let workshop = Arc::clone(&self.workshop);
        let position = task.position(workshop.scoring);
        let rules =
            Rules { scoring: workshop.scoring, position: &position, soffice: workshop.soffice.as_ref() };
        let mut first = None;
        for (number, case) in (1..).zip(&task.cases) {
            let tried = match attempt.tried.take() {
                Some(run) => Ok(Tried::Run(run)),
                None => self.run(&attempt.program, case),
            };
            let judged = match tried.map_err(|message| NotScoredCause::Environment { message })? {
                Tried::Run(run) => judge::judge(&run, case, rules)
                    .map_err(|error| NotScoredCause::Scorer { message: error.to_string() })?,
                Tried::NoTime => {
                    Judged { answer: None, wrong: Some(Wrong { safe: NO_TIME.to_owned(), expected: None }) }
                }
            };
            if judged.wrong.is_some() {
                return Ok(judged.in_case(number, task.cases.len()));
            }
            first = first.or(Some(judged));
        }
        Ok(first.unwrap_or_default())
    }
}

impl Judged {
    /// Says in which of several cases something is wrong.
    fn in_case(self, number: usize, cases: usize) -> Self {
        if cases < 2 {
            return self;
        }
        let wrong = self.wrong.map(|wrong| Wrong {
            safe: format!("{} (in workbook {number} of {cases} that it is run on)", wrong.safe),
            expected: wrong.expected.map(|expected| format!("case {number} of {cases}: {expected}")),
        });
        Self { wrong, ..self }
    }
}

impl Episode for SpreadsheetEpisode {
    fn opening(&mut self, context: &Context) -> Vec<Turn> {
        prompt::opening(context, &self.task, &self.preview)
    }

    fn blocks(&self) -> bool {
        true
    }

    fn act(&mut self, reply: &Turn) -> Progress {
        self.replies = self.replies.saturating_add(1);
        let scoring = self.workshop.scoring;
        let text = reply.joined_text();
        let program = extract_code(&text, scoring);
        if program.is_empty() {
            return self.again(prompt::no_program());
        }
        match self.attempt(strip_path_assignments(program, scoring)) {
            Ok(Some(told)) => self.again(told),
            Ok(None) => Progress::Finished,
            Err(message) => {
                self.fault = Some(message);
                Progress::Finished
            }
        }
    }

    fn score(&mut self) -> Outcome {
        if let Some(message) = self.fault.take() {
            return Outcome::NotScored { cause: NotScoredCause::Environment { message } };
        }
        let Some(attempt) = self.last.take() else {
            return Outcome::failure("no reply holds a program");
        };
        let Judged { answer, wrong } = match self.judged(attempt) {
            Ok(judged) => judged,
            Err(cause) => return Outcome::NotScored { cause },
        };
        let reward = Reward::of(wrong.is_none());
        let feedback = match wrong {
            None => Feedback { safe: Some("all answer cells are right".to_owned()), expected: None },
            Some(Wrong { safe, expected }) => {
                let expected = expected.map(|expected| format!("{safe}\n{expected}"));
                Feedback { safe: Some(safe), expected }
            }
        };
        Outcome::Scored { reward, answer, feedback }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::path::Path;
    use std::sync::Mutex;

    use rust_xlsxwriter::Workbook;
    use textualrl_model::Role;
    use textualrl_sandbox::Ended;

    use super::*;

    /// Ends as it is told, run by run, and notes what it was asked to run.
    #[derive(Debug)]
    struct Script {
        runs: Mutex<VecDeque<Result<Run, String>>>,
        asked: Arc<Mutex<Vec<String>>>,
    }

    impl Runner for Script {
        fn run(&self, program: &str, input: &Path, time: Duration) -> Result<Run, String> {
            let input = input.file_stem().unwrap().to_string_lossy();
            self.asked.lock().unwrap().push(format!("{program} on {input} for {}", time.as_secs()));
            self.runs.lock().unwrap().pop_front().expect("a run that the test foresees")
        }
    }

    /// A workbook with a number.
    fn workbook(number: f64) -> Vec<u8> {
        let mut workbook = Workbook::new();
        workbook.add_worksheet().write(0, 0, number).unwrap();
        workbook.save_to_buffer().unwrap()
    }

    fn ended(ended: Ended, printed: &str, output: Option<Vec<u8>>) -> Result<Run, String> {
        Ok(Run { ended, printed: printed.to_owned(), output, time: Duration::from_secs(40) })
    }

    fn saved(number: f64) -> Result<Run, String> {
        ended(Ended::Exited(0), "", Some(workbook(number)))
    }

    /// The golden number of both cases.
    const GOLD: f64 = 41.5;

    struct Played {
        outcome: Outcome,
        told: Vec<String>,
        asked: Vec<String>,
    }

    fn play(mode: SpreadsheetMode, cases: usize, replies: &[&str], runs: Vec<Result<Run, String>>) -> Played {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: String, bytes: Vec<u8>| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let case = |number: usize| {
            let input = file(format!("in{number}.xlsx"), workbook(0.0));
            let golden = file(format!("gold{number}.xlsx"), workbook(GOLD));
            TestCase::of(number.to_string(), input, golden).unwrap()
        };
        let task = SpreadsheetTask::of_cases((1..=cases).map(case).collect(), "A1");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let runner = Script { runs: Mutex::new(runs.into()), asked: Arc::clone(&asked) };
        let workshop = Workshop {
            scoring: Scoring::Corrected,
            mode,
            turns: 3,
            budget: Duration::from_secs(100),
            longest: Duration::from_secs(70),
            runner: Box::new(runner),
            soffice: None,
        };
        let mut episode = SpreadsheetEpisode::new(Arc::new(task), Arc::new(workshop), "A1=0".to_owned());
        let mut told = Vec::new();
        for reply in replies {
            match episode.act(&Turn::text(Role::Assistant, *reply)) {
                Progress::Continue(turns) => told.extend(turns.iter().map(Turn::joined_text)),
                Progress::Finished => break,
            }
        }
        let outcome = episode.score();
        let asked = asked.lock().unwrap().clone();
        Played { outcome, told, asked }
    }

    fn safe(outcome: &Outcome) -> (Option<Reward>, String) {
        match outcome {
            Outcome::Scored { feedback, .. } => (outcome.reward(), feedback.safe.clone().unwrap_or_default()),
            Outcome::NotScored { cause } => (None, cause.to_string()),
        }
    }

    use Reward::{Failure, Success};
    use SpreadsheetMode::{Multi, Single};

    #[test]
    fn a_program_is_tried_until_it_ends_well_and_the_last_one_is_scored() {
        let error = || ended(Ended::Exited(1), "Traceback\nNameError: name 'x' is not defined\n", None);
        for (mode, replies, runs, asked, (reward, said)) in [
            (
                Multi,
                vec!["a"],
                vec![saved(GOLD)],
                vec!["a on in1 for 70"],
                (Some(Success), "all answer cells"),
            ),
            // A wrong result ends the conversation as a right one does.
            (
                Multi,
                vec!["a", "b"],
                vec![saved(2.0)],
                vec!["a on in1 for 70"],
                (Some(Failure), "1 of 1 answer cells"),
            ),
            (
                Multi,
                vec!["a", "```\n```", "b"],
                vec![error(), saved(GOLD)],
                vec!["a on in1 for 70", "b on in1 for 60"],
                (Some(Success), "all answer cells"),
            ),
            (
                Multi,
                vec!["a", "b", "c", "d"],
                vec![error(), error(), error()],
                vec!["a on in1 for 70", "b on in1 for 60", "c on in1 for 20"],
                (Some(Failure), "exit code 1: NameError: name 'x' is not defined"),
            ),
            (Multi, vec!["```\n```"; 4], vec![], vec![], (Some(Failure), "no reply holds a program")),
            (
                Single,
                vec!["a", "b"],
                vec![saved(GOLD)],
                vec!["a on in1 for 70"],
                (Some(Success), "all answer cells"),
            ),
            (Single, vec!["a", "b"], vec![error()], vec!["a on in1 for 70"], (Some(Failure), "exit code 1")),
            (Single, vec!["```\n```", "b"], vec![], vec![], (Some(Failure), "no reply holds a program")),
            (
                Multi,
                vec!["a"],
                vec![Err("no bwrap".to_owned())],
                vec!["a on in1 for 70"],
                (None, "environment: no bwrap"),
            ),
        ] {
            let played = play(mode, 1, &replies, runs);
            let (found, text) = safe(&played.outcome);
            assert_eq!(
                (found, played.asked),
                (reward, asked.iter().map(ToString::to_string).collect()),
                "{replies:?}"
            );
            assert!(text.contains(said), "{text}");
        }
    }

    #[test]
    fn every_case_has_its_own_run_and_the_time_is_one_for_all() {
        for (runs, asked, (reward, said)) in [
            (vec![saved(GOLD), saved(GOLD)], 2, (Some(Success), "all answer cells")),
            (
                vec![saved(GOLD), saved(9.0)],
                2,
                (Some(Failure), "1 of 1 answer cells are wrong (in workbook 2 of 3"),
            ),
            (vec![saved(9.0)], 1, (Some(Failure), "(in workbook 1 of 3")),
            (vec![saved(GOLD), saved(GOLD), saved(GOLD)], 3, (Some(Success), "all answer cells")),
        ] {
            let cases = runs.len().max(if reward == Some(Failure) { 3 } else { 0 });
            let played = play(Multi, cases, &["a"], runs);
            assert_eq!((safe(&played.outcome).0, played.asked.len()), (reward, asked));
            assert!(safe(&played.outcome).1.contains(said), "{:?}", played.outcome);
        }
        let played = play(Multi, 4, &["a"], vec![saved(GOLD), saved(GOLD), saved(GOLD)]);
        assert_eq!(
            safe(&played.outcome),
            (Some(Failure), format!("{NO_TIME} (in workbook 4 of 4 that it is run on)"))
        );
    }

    #[test]
    fn what_the_agent_and_safe_feedback_tell_holds_no_golden_value() {
        for (run, said) in [
            (ended(Ended::Exited(0), "done", None), "saved nothing at OUTPUT_PATH"),
            (ended(Ended::OutOfTime, "", None), "took too long"),
            (
                ended(Ended::Exited(0), "", Some(b"no zip".to_vec())),
                "cannot be used: the file is no readable",
            ),
            (saved(7.25), "1 of 1 answer cells are wrong"),
        ] {
            let played = play(Multi, 1, &["a"], vec![run]);
            let Outcome::Scored { feedback, answer, .. } = &played.outcome else { panic!("scored") };
            let shown = format!("{:?} {} {answer:?}", feedback.safe, played.told.join(" "));
            assert!(shown.contains(said) && !shown.contains("41.5"), "{shown}");
        }
        let played = play(Multi, 1, &["a"], vec![saved(7.25)]);
        let Outcome::Scored { feedback, answer, .. } = played.outcome else { panic!("scored") };
        assert_eq!(answer.as_deref(), Some("A1=7.25"));
        assert!(feedback.expected.unwrap().contains("Sheet1!A1: got=7.25, expected=41.5"));
    }
}
