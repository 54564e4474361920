//! Every kind of bad input: the exit code, one paragraph that names the place, and nothing made.
//!
//! Always holds: no case leaves a run folder that was not there before.

use std::fs;
use std::process::Stdio;

use camino::Utf8Path;

use crate::run_folder::{SMALL, command, copy, ended};
use crate::scratch::Scratch;

/// The start of a run that must be refused.
const RUN: [&str; 5] = ["run", "--preset", "quickstart", "--name", "bad"];

/// A command that is refused: further arguments, exit code, what must be said.
type Case = (&'static [&'static str], i32, &'static [&'static str]);

#[track_caller]
fn check(scratch: &Scratch, start: &[&str], cases: &[Case]) {
    for (arguments, code, said) in cases {
        ended(scratch, &[start, arguments].concat()).with(*code).saying(said);
        assert!(!scratch.run("bad").exists(), "{arguments:?} left a run folder");
    }
}

#[test]
fn command_lines_and_settings() {
    let scratch = Scratch::new();
    let cases: &[Case] = &[
        (&["--config", "none.toml"], 2, &["none.toml", "--config"]),
        (&["--set", "rollout.kk=3"], 2, &["rollout.kk", "rollout.k"]),
        (&["--set", "rolout.k=3"], 2, &["rolout", "did you mean", "rollout"]),
        (&["--set", "rollout.k=\"3\""], 2, &["rollout.k", "whole number"]),
        (&["--set", "rollout.k=-1"], 2, &["rollout.k"]),
        (&["--set", "rollout.k=0"], 2, &["rollout.k", "1 or more"]),
        (&["--set", "rollout.k"], 2, &["rollout.k"]),
        (&["--set", "run.epochs=0.5"], 2, &["run.epochs", "whole number"]),
        (&["--set", "critique.feedback=all"], 2, &["critique.feedback", "safe"]),
        (&["--set", "data.own.scorer.name=best"], 2, &["data.own.scorer.name", "normalized"]),
        (&["--set", "data.benchmark=serchqa"], 3, &["data.benchmark", "searchqa"]),
        (
            &["--set", "data.own.scorer.name=regex", "--set", "data.own.template={{ nothing }}"],
            3,
            &["nothing"],
        ),
        (&["--set", "data.own.template={{ passage"], 3, &["data.own.template"]),
        (&["--data", "nowhere"], 3, &["nowhere"]),
        (&["--data", "embedded:slowstart"], 3, &["slowstart", "embedded:quickstart"]),
        (&["--set", "data.context=nowhere.md"], 3, &["nowhere.md"]),
        (&["--prompts", "nowhere"], 3, &["nowhere"]),
        (&["--set", "target.provider=http"], 2, &["target.base_url"]),
        (
            &["--set", "target.provider=http", "--set", "target.base_url=file:///x"],
            2,
            &["target.base_url", "http://"],
        ),
        (&["--stop-after", "first"], 2, &["first", "e1-s03"]),
        (&["--kay", "3"], 2, &["--kay"]),
    ];
    check(&scratch, &RUN, cases);
    let names = ["../x", "/x", "a/b", "..", ".hidden", "", "a b", "x\\y"];
    for name in names {
        ended(&scratch, &["run", "--name", name]).with(2).saying(&["name"]);
    }
    ended(&scratch, &["run", "--preset", "quikstart"]).with(2).saying(&["quikstart", "quickstart"]);
    ended(&scratch, &["critik"]).with(2).saying(&["critique"]);
    assert!(scratch.path().read_dir_utf8().unwrap().next().is_none(), "something was made");
}

#[test]
fn configuration_files() {
    let scratch = Scratch::new();
    let file = scratch.path().join("my.toml");
    let cases: &[(&[u8], &[&str])] = &[
        (b"[rollout]\nkk = 3\n", &["my.toml:2", "kk"]),
        (b"[rollout]\nk = true\n", &["my.toml:2", "rollout.k"]),
        (b"[rollout\n", &["my.toml", "line 1"]),
        (b"[rollout]\nk = 1\nk = 2\n", &["my.toml", "line 3", "duplicate"]),
        (b"[data]\ncontext = \"\xff\"\n", &["my.toml", "UTF-8"]),
        (b"preset = \"nothing\"\n", &["my.toml"]),
    ];
    for (bytes, said) in cases {
        fs::write(&file, bytes).unwrap();
        ended(&scratch, &[&RUN[..], &["--config", "my.toml"]].concat()).with(2).saying(said);
    }
    fs::write(&file, "\u{feff}[run]\r\nepochs = 1\r\n[data]\r\nlimit = 8\r\n").unwrap();
    ended(&scratch, &[&RUN[..], &["--config", "my.toml", "--dry-run"]].concat()).with(0);
    fs::write(scratch.path().join("latin.md"), b"Caf\xe9").unwrap();
    let latin = ["--set", "data.context=latin.md"];
    ended(&scratch, &[&RUN[..], &latin].concat()).with(3).saying(&["latin.md", "UTF-8", "byte 3"]);
    assert!(!scratch.run("bad").exists());
}

/// Ten tasks of a split.
fn rows(split: &str) -> Vec<String> {
    let row = |number| {
        format!(
            "{{\"id\":\"{split}-{number}\",\"passage\":\"{split} {number} is red.\",\"question\":\"Which colour?\",\"answer\":\"red\"}}"
        )
    };
    (0..10).map(row).collect()
}

fn write_splits(folder: &Utf8Path, change: impl Fn(&str, &mut Vec<String>)) {
    fs::create_dir_all(folder).unwrap();
    for split in ["train", "validation", "test"] {
        let mut rows = rows(split);
        change(split, &mut rows);
        fs::write(folder.join(format!("{split}.jsonl")), rows.join("\n") + "\n").unwrap();
    }
}

#[test]
fn task_files() {
    /// What is done to the rows of the train split, and what must be said.
    type Change = (fn(&mut Vec<String>), &'static [&'static str]);
    let scratch = Scratch::new();
    let changes: &[Change] = &[
        (Vec::clear, &["train split has no task"]),
        (|rows| rows[3] = "{\"id\":".into(), &["train.jsonl:4"]),
        (|rows| rows[3] = "[1]".into(), &["train.jsonl:4"]),
        (
            |rows| rows[3] = "{\"id\":\"x\",\"passage\":\"p\",\"question\":\"q\"}".into(),
            &["train.jsonl:4", "answer"],
        ),
        (
            |rows| rows[3] = "{\"id\":\"x\",\"question\":\"q\",\"answer\":\"a\"}".into(),
            &["train.jsonl:4", "passage"],
        ),
        (|rows| rows[3] = rows[2].replace("red.", "blue."), &["train.jsonl:4", "train.jsonl:3", "id"]),
        (
            |rows| rows[3] = self::rows("test")[5].replace("test-5", "other"),
            &["test.jsonl:6", "train.jsonl:4", "input"],
        ),
        (|rows| rows[3] = self::rows("test")[5].clone(), &["test.jsonl:6", "train.jsonl:4"]),
        (|rows| rows[3] = rows[3].replace("train-3", "a\\u0000b"), &["train.jsonl:4", "id"]),
        (|rows| rows[3] = rows[3].replace("\"train-3\"", "\"\""), &["train.jsonl:4", "id"]),
    ];
    for (change, said) in changes {
        let folder = scratch.path().join("tasks");
        write_splits(&folder, |split, rows| {
            if split == "train" {
                change(rows)
            }
        });
        ended(&scratch, &[&RUN[..], &["--data", "tasks"]].concat()).with(3).saying(said);
        assert!(!scratch.run("bad").exists());
    }
    fs::remove_file(scratch.path().join("tasks/validation.jsonl")).unwrap();
    write_splits(&scratch.path().join("whole"), |_, _| {});
    fs::remove_file(scratch.path().join("whole/validation.jsonl")).unwrap();
    ended(&scratch, &[&RUN[..], &["--data", "whole"]].concat())
        .with(3)
        .saying(&["validation.jsonl", "data.dir"]);
}

#[test]
fn odd_but_good_task_files() {
    let scratch = Scratch::new();
    write_splits(&scratch.path().join("tasks"), |_, rows| {
        rows[0].insert(0, '\u{feff}');
        rows.iter_mut().for_each(|row| row.push('\r'));
        rows.push("  ".into());
        rows[5] = rows[5].replacen("-5\"", "/../é-5\"", 1);
    });
    let small = ["--data", "tasks", "--set", "run.epochs=1", "--set", "run.batch_size=10"];
    ended(&scratch, &[&["run", "--preset", "quickstart", "--name", "odd"], &small[..]].concat()).with(0);
    let outside = scratch.path().read_dir_utf8().unwrap();
    let names: Vec<_> = outside.map(|entry| entry.unwrap().file_name().to_owned()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn scorer_commands() {
    let scratch = Scratch::new();
    write_splits(&scratch.path().join("tasks"), |_, _| {});
    let cases: &[(&str, i32, &str)] = &[
        ("[\"/nonexistent/scorer\"]", 3, "data.own.scorer.command"),
        ("[\"false\"]", 8, "false"),
        ("[\"sleep\", \"5\"]", 8, "took longer"),
        ("[\"echo\", \"nonsense\"]", 8, "reward"),
    ];
    for (number, (scorer, code, said)) in cases.iter().enumerate() {
        let name = format!("scored-{number}");
        let program = format!("data.own.scorer.command={scorer}");
        let settings =
            ["data.limit=3", "data.own.scorer.name=command", "data.own.scorer.timeout_seconds=0.2", &program];
        let set = settings.iter().flat_map(|setting| ["--set", setting]);
        let start = ["run", "--preset", "quickstart", "--data", "tasks", "--name", &name];
        let arguments: Vec<&str> = start.into_iter().chain(set).collect();
        ended(&scratch, &arguments).with(*code).saying(&[said]);
    }
}

#[test]
fn damaged_run_folders() {
    /// A file, what is done to it, the exit code and what must be said by `critique` of the first step.
    type Damage = (&'static str, fn(&mut Vec<u8>), &'static [&'static str]);
    let scratch = Scratch::new();
    scratch.textualrl(&SMALL);
    let newer = |bytes: &mut Vec<u8>| {
        let text = String::from_utf8(bytes.clone()).unwrap();
        let place = text
            .find("\"major\": ")
            .map(|place| place + 9)
            .or_else(|| text.find("\"version\": \"").map(|place| place + 12));
        let place = place.unwrap_or_else(|| panic!("no version in {}", &text[..200]));
        bytes.splice(place..=place, *b"99");
    };
    let damages: &[Damage] = &[
        ("manifest.json", newer, &["99", "textualrl"]),
        ("manifest.json", |bytes| bytes.truncate(bytes.len() / 2), &["manifest.json", "damaged"]),
        ("manifest.json", Vec::clear, &["manifest.json", "damaged"]),
        ("run.toml", |bytes| bytes.extend(b"\n[nonsense]\nx = 1\n"), &["run.toml", "nonsense"]),
        ("run.toml", |bytes| bytes.truncate(20), &["run.toml"]),
        (
            "steps/e1-s01/1-rollout/stage.json",
            |bytes| bytes.truncate(50),
            &["1-rollout/stage.json", "damaged", "again"],
        ),
        (
            "steps/e1-s01/1-rollout/trajectories.trj",
            |bytes| bytes.truncate(500),
            &["trajectories.trj", "damaged", "again"],
        ),
        (
            "steps/e1-s01/1-rollout/trajectories.trj",
            |bytes| bytes[300] ^= 4,
            &["trajectories.trj", "damaged", "again"],
        ),
        ("baseline/context.md", |bytes| bytes.extend(b"more"), &["context", "changed"]),
    ];
    for (number, (file, damage, said)) in damages.iter().enumerate() {
        let name = format!("damaged-{number}");
        copy(&scratch.run("small"), &scratch.run(&name));
        let path = scratch.run(&name).join(file);
        let mut bytes = fs::read(&path).unwrap();
        damage(&mut bytes);
        fs::write(&path, bytes).unwrap();
        let run = format!("runs/{name}");
        ended(&scratch, &["critique", "--run", &run, "--step", "e1-s01"]).with(5).saying(said);
    }
    ended(&scratch, &["status", "--run", "runs/none"]).with(5).saying(&["runs/none", "no run folder"]);
    ended(&scratch, &["status", "--run", "."]).with(5).saying(&["no run folder"]);
    ended(&scratch, &["show", "runs/small/run.toml"]).with(5).saying(&["run.toml"]);
    ended(&scratch, &["show", "runs/small/none.trj"]).with(5).saying(&["none.trj"]);
}

#[test]
fn a_closed_stdout_changes_no_exit_code() {
    let scratch = Scratch::new();
    scratch.textualrl(&SMALL);
    let file = "runs/small/steps/e1-s01/1-rollout/trajectories.trj";
    let commands: [(&[&str], i32); 5] = [
        (&["show", file], 0),
        (&["show", file, "--json"], 0),
        (&["status", "--run", "runs/small", "--json"], 0),
        (&["run", "--resume", "runs/small"], 0),
        (&["show", file, "--task", "nobody"], 2),
    ];
    for (arguments, code) in commands {
        let mut child =
            command(&scratch, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        crate::run_folder::Ended::of(&child.wait_with_output().unwrap()).with(code);
    }
}

#[test]
fn words_go_to_stderr_and_only_data_to_stdout() {
    let scratch = Scratch::new();
    let run = ended(&scratch, &[&SMALL[..], &["--json", "-v"]].concat()).with(0);
    serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap();
    assert!(!run.stderr.contains('\u{1b}') && run.stderr.contains("stage done"), "{run}");
    let quiet = ended(&scratch, &["run", "--resume", "runs/small"]).with(0);
    assert!(quiet.stderr.lines().count() <= 2, "{quiet}");
    for name in
        ["run", "rollout", "critique", "review", "patch", "gate", "status", "show", "check", "simulate"]
    {
        let help = ended(&scratch, &[name, "--help"]).with(0);
        assert!(help.stderr.is_empty() && help.stdout.contains("Usage: textualrl"), "{help}");
    }
    let help = ended(&scratch, &["--help"]).with(0).stdout;
    assert!((0..10).all(|code| help.contains(&format!("{code:>3}  "))), "{help}");
}
