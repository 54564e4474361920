//! SpreadsheetBench through its public face: loading, and real programs in the sandbox.
//!
//! Always holds: where Python with openpyxl is not installed, what needs it is passed over and that is said.

use std::path::{Path, PathBuf};
use std::process::Command;

use textualrl_bench::{Benchmark, Episode, Progress};
use textualrl_model::settings::{Confinement, DataSettings, Recalculation, Scoring, SpreadsheetMode};
use textualrl_model::{Context, Outcome, Reward, Role, Split, TaskId, Turn};

use crate::settings::{SEED, data, refused};

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/spreadsheet")
}

/// Settings for the fixture; none if nothing can run programs here.
fn settings() -> Option<DataSettings> {
    let found = Command::new("python3").args(["-c", "import openpyxl"]).output();
    if !found.is_ok_and(|found| found.status.success()) {
        println!("passed over: python3 with openpyxl is not installed");
        return None;
    }
    let mut settings = data("spreadsheet", &fixture());
    let confined = textualrl_bench::load(&settings).is_ok();
    if !confined {
        println!("without a sandbox: none works here");
        settings.spreadsheet.sandbox = Confinement::None;
    }
    Some(settings)
}

struct Played {
    /// What was said to the agent after the opening.
    told: Vec<String>,
    outcome: Outcome,
}

impl Played {
    fn reward(&self) -> Option<Reward> {
        self.outcome.reward()
    }

    fn safe(&self) -> &str {
        match &self.outcome {
            Outcome::Scored { feedback, .. } => feedback.safe.as_deref().unwrap_or_default(),
            Outcome::NotScored { .. } => "not scored",
        }
    }
}

fn start(benchmark: &dyn Benchmark, split: Split, task: &str) -> Box<dyn Episode> {
    benchmark.start(split, &TaskId::new(task).unwrap(), SEED).unwrap()
}

fn play(benchmark: &dyn Benchmark, task: &str, replies: &[&str]) -> Played {
    let mut episode = start(benchmark, Split::Train, task);
    episode.opening(&Context::default());
    let mut told = Vec::new();
    for reply in replies {
        match episode.act(&Turn::text(Role::Assistant, format!("```python\n{reply}\n```"))) {
            Progress::Continue(turns) => told.extend(turns.iter().map(Turn::joined_text)),
            Progress::Finished => break,
        }
    }
    Played { told, outcome: episode.score() }
}

const TOTAL: &str = "from openpyxl import load_workbook\nbook = load_workbook(INPUT_PATH)\nsheet = book['Landings']\n\
    sheet['E2'] = sum(sheet.cell(row, 3).value for row in range(2, sheet.max_row + 1))\nbook.save(OUTPUT_PATH)";

#[test]
fn the_prompt_shows_task_and_preview_and_no_golden_value() {
    let Some(settings) = settings() else { return };
    let benchmark = textualrl_bench::load(&settings).unwrap();
    let mut episode = start(benchmark.as_ref(), Split::Train, "104-2");
    let turns = episode.opening(&Context::new("Look at every sheet."));
    assert!(episode.blocks());
    let [system, asked] = [0, 1].map(|at| turns[at].joined_text());
    assert!(system.ends_with("## Context\nLook at every sheet.\n\n"), "{system}");
    for expected in [
        "# Instruction\nOn the sheet Summary, cell B2",
        "Instruction type: Sheet-Level Manipulation\nExpected answer position: 'Summary'!B2\n",
        "# Input spreadsheet preview\n## Sheet: Looms  (dim=A1:C13, max_row=13, max_col=3)\nA1=Loom | B1=Town | C1=Metres\n",
        "... (8 more rows)\n\n## Sheet: Summary",
        "A2=Corvath | B2=\n\n# Task\n",
    ] {
        assert!(asked.contains(expected), "{expected} in {asked}");
    }
}

#[test]
fn programs_are_run_and_their_workbooks_compared() {
    let Some(settings) = settings() else { return };
    let benchmark = textualrl_bench::load(&settings).unwrap();
    let slipped = TOTAL.replace("OUTPUT_PATH", "RESULT_PATH");
    let formula = "from openpyxl import load_workbook\nbook = load_workbook(INPUT_PATH)\n\
        book['Landings']['E2'] = '=SUM(C2:C12)'\nbook.save(OUTPUT_PATH)";
    // The first workbook's total, written down, is wrong for the second one.
    let learnt = "from openpyxl import load_workbook\nbook = load_workbook(INPUT_PATH)\nsheet = book['Landings']\n\
        rows = [sheet.cell(row, 3).value for row in range(2, 13)]\n\
        sheet['E2'] = sum(rows) if rows[0] == FIRST else 0\nbook.save(OUTPUT_PATH)";
    let first = first_catch();
    let learnt = learnt.replace("FIRST", &first.to_string());
    let in_place = TOTAL.replace("save(OUTPUT_PATH)", "save(INPUT_PATH)");
    for (replies, reward, told, said) in [
        (vec![TOTAL], Reward::Success, "", "all answer cells are right"),
        (
            vec![&slipped, TOTAL],
            Reward::Success,
            "NameError: name 'RESULT_PATH'",
            "all answer cells are right",
        ),
        (vec![formula], Reward::Failure, "", "1 of them hold a formula without a value"),
        (vec![&learnt], Reward::Failure, "", "in workbook 2 of 2"),
        (vec![&in_place; 8], Reward::Failure, "saved nothing at OUTPUT_PATH", "saved nothing at OUTPUT_PATH"),
    ] {
        let played = play(benchmark.as_ref(), "101", &replies);
        assert_eq!(played.reward(), Some(reward), "{:?}", played.outcome);
        assert!(played.safe().contains(said), "{}", played.safe());
        assert!(played.told.join("\n").contains(told), "{:?}", played.told);
    }
}

/// The first number of the first workbook of task 101.
fn first_catch() -> u32 {
    let code = format!(
        "import openpyxl; print(openpyxl.load_workbook({:?}).active['C2'].value)",
        fixture().join("workbooks/spreadsheet/101/1_101_input.xlsx").display().to_string()
    );
    let output = Command::new("python3").args(["-c", &code]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

#[test]
fn a_program_reaches_the_interpreter_letter_for_letter() {
    let Some(settings) = settings() else { return };
    let benchmark = textualrl_bench::load(&settings).unwrap();
    // Texts over several lines keep their beginnings, a main block runs, futures and classes of annotated fields work.
    let main = format!(
        "from __future__ import annotations\nimport dataclasses\n\n@dataclasses.dataclass\nclass Row:\n    text: str = \
         '''one\ntwo'''\n\nassert Row().text == 'one\\ntwo', repr(Row().text)\nif __name__ == \"__main__\":\n    {}",
        TOTAL.replace('\n', "\n    ")
    );
    let played = play(benchmark.as_ref(), "101", &[&main]);
    assert_eq!(played.reward(), Some(Reward::Success), "{:?}", played.told);
    // A trace shows the program's own lines and nothing of what runs it, and is the same in every run.
    let failing = "def first(values):\n    return values[0]\n\nprint('so far', flush=True)\nfirst([])";
    let told = [0, 1].map(|_| play(benchmark.as_ref(), "101", &[failing, TOTAL]).told.join("\n"));
    assert_eq!(told[0], told[1]);
    for expected in
        ["so far\n", "File \"program.py\", line 5, in <module>", "    return values[0]", "IndexError"]
    {
        assert!(told[0].contains(expected), "{}", told[0]);
    }
    assert_eq!(told[0].matches("File \"").count(), 2, "{}", told[0]);
    let ended = play(benchmark.as_ref(), "101", &["import sys\nsys.exit('nothing to do')"; 8]);
    assert!(ended.safe().contains("exit code 1: nothing to do"), "{}", ended.safe());
}

#[test]
fn golden_workbooks_and_the_data_folder_are_out_of_reach() {
    let Some(settings) = settings() else { return };
    if settings.spreadsheet.sandbox == Confinement::None {
        println!("passed over: no sandbox works here");
        return;
    }
    let benchmark = textualrl_bench::load(&settings).unwrap();
    let golden = fixture().canonicalize().unwrap().join("workbooks/spreadsheet/101/1_101_answer.xlsx");
    let steals = format!("import shutil\nshutil.copy({:?}, OUTPUT_PATH)", golden.display().to_string());
    let played = play(benchmark.as_ref(), "101", &[steals.as_str(); 8]);
    assert!(played.safe().contains("FileNotFoundError"), "{}", played.safe());
    let before = std::fs::read(fixture().join("workbooks/spreadsheet/101/1_101_input.xlsx")).unwrap();
    play(benchmark.as_ref(), "101", &["open(INPUT_PATH, 'wb').write(b'gone')"; 2]);
    assert_eq!(std::fs::read(fixture().join("workbooks/spreadsheet/101/1_101_input.xlsx")).unwrap(), before);
}

#[test]
fn settings_do_what_they_say() {
    let Some(base) = settings() else { return };
    let changed = |change: fn(&mut DataSettings)| {
        let mut settings = base.clone();
        change(&mut settings);
        textualrl_bench::load(&settings).unwrap()
    };
    let endless = "while True: pass";
    for (change, replies, told, said) in [
        (
            (|settings| settings.spreadsheet.mode = SpreadsheetMode::Single) as fn(&mut DataSettings),
            ["1/0", TOTAL],
            0,
            "ZeroDivisionError",
        ),
        (|settings| settings.spreadsheet.turns = 1, ["1/0", TOTAL], 0, "ZeroDivisionError"),
        (|settings| settings.spreadsheet.turns = 2, ["1/0", TOTAL], 1, "all answer cells"),
        (|settings| settings.spreadsheet.run_seconds = 0.5, [endless, endless], 2, "took too long"),
        (|settings| settings.spreadsheet.budget_seconds = 0.5, [endless, endless], 0, "took too long"),
        (
            |settings| settings.spreadsheet.disk_mb = 1,
            ["open('x', 'wb').write(bytes(3 << 20))", "1/0"],
            2,
            "ZeroDivisionError",
        ),
    ] {
        let played = play(changed(change).as_ref(), "101", &replies);
        assert_eq!(played.told.len(), told, "{:?}", played.told);
        assert!(played.safe().contains(said), "{}", played.safe());
    }
    let fingerprint = |benchmark: Box<dyn Benchmark>| benchmark.listing(Split::Test).fingerprint.clone();
    let own = fingerprint(changed(|_| {}));
    assert_ne!(own, fingerprint(changed(|settings| settings.spreadsheet.turns = 3)));
    assert_ne!(own, fingerprint(changed(|settings| settings.scoring = Scoring::Reference)));
    let pandas = Command::new("python3").args(["-c", "import pandas"]).output().unwrap().status.success();
    let said = |caveats: Vec<String>, about: &str| caveats.iter().any(|caveat| caveat.contains(about));
    assert_eq!(said(changed(|_| {}).caveats(), "no pandas"), !pandas);
    let open = changed(|settings| settings.spreadsheet.sandbox = Confinement::None);
    assert!(said(open.caveats(), "without a sandbox"));
}

#[test]
fn what_is_missing_is_named_with_a_remedy() {
    let mut settings = data("spreadsheet", &fixture());
    settings.spreadsheet.python = "no-such-python".to_owned();
    let said = refused(&settings);
    assert!(said.contains("data.spreadsheet.python") && said.contains("install Python 3"), "{said}");
    let installed = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .any(|folder| folder.join("soffice").is_file());
    if !installed {
        settings.spreadsheet.recalculate = Recalculation::Soffice;
        let said = refused(&settings);
        assert!(said.contains("install LibreOffice") && said.contains("recalculate=none"), "{said}");
    }
    let missing = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(missing.path().join("train")).unwrap();
    assert!(refused(&data("spreadsheet", missing.path())).contains("no file for the train split"));
}

#[test]
fn an_interpreter_without_openpyxl_is_refused() {
    let Some(mut settings) = settings() else { return };
    let bare = tempfile::tempdir().unwrap();
    let made = Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(bare.path()).output();
    if !made.is_ok_and(|made| made.status.success()) {
        println!("passed over: python3 makes no environments here");
        return;
    }
    settings.spreadsheet.sandbox = Confinement::None;
    settings.spreadsheet.python = bare.path().join("bin/python3").display().to_string();
    let said = refused(&settings);
    assert!(said.contains("No module named 'openpyxl'") && said.contains("pip install openpyxl"), "{said}");
}

#[test]
fn the_fixture_has_the_promised_tasks() {
    let Some(settings) = settings() else { return };
    let benchmark = textualrl_bench::load(&settings).unwrap();
    let sizes = Split::ALL.map(|split| benchmark.listing(split).tasks.len());
    assert_eq!(sizes, [10, 6, 4]);
    assert!(Split::ALL.iter().all(|split| benchmark.listing(*split).excluded.is_empty()));
}
