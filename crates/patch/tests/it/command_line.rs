//! The command line, as a person uses it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

const BASE: &str = "---\r\nname: x\r\n---\r\n# Rules\r\n\r\n- Be brief.\r\n\r\n<!-- protected -->\r\n- Keep me.\r\n<!-- /protected -->\r\n";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_textualrl-patch")).args(arguments).current_dir(folder).output().unwrap()
}

fn folder(patch: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("AGENTS.md"), BASE).unwrap();
    std::fs::write(folder.path().join("patch.json"), patch).unwrap();
    folder
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

const GOOD: &str = r#"{"edits":[{"op":"insert_after","target":"- Be brief.","content":"- Cite sources.\n- Use SI units."}]}"#;
const MIXED: &str =
    r#"[{"op":"append","content":"- Cite."},{"op":"delete","target":"- Keep me."},{"op":"append"}]"#;

#[test]
fn a_patch_is_applied_in_place_and_undone() {
    let folder = folder(GOOD);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let output = run(
        folder.path(),
        &["apply", "AGENTS.md", "patch.json", "--in-place", "--backup", "--undo", "undo.json"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "edit 1 (insert_after): applied on lines 7 to 8\n");
    assert_eq!(read("AGENTS.md.bak"), BASE);
    assert_eq!(
        read("AGENTS.md"),
        BASE.replace("brief.\r\n", "brief.\r\n- Cite sources.\r\n- Use SI units.\r\n")
    );
    let output = run(folder.path(), &["apply", "AGENTS.md", "undo.json", "--in-place"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(read("AGENTS.md"), BASE);
    let output = run(folder.path(), &["apply", "AGENTS.md", "undo.json", "--in-place"]);
    assert_eq!(output.status.code(), Some(3), "an inverse applies once");
}

#[test]
fn the_input_is_not_written_unasked() {
    let folder = folder(GOOD);
    for arguments in
        [&["apply", "AGENTS.md", "patch.json"][..], &["apply", "AGENTS.md", "patch.json", "--out", "new.md"]]
    {
        assert_eq!(run(folder.path(), arguments).status.code(), Some(0));
        assert_eq!(std::fs::read_to_string(folder.path().join("AGENTS.md")).unwrap(), BASE);
    }
    assert!(std::fs::read_to_string(folder.path().join("new.md")).unwrap().contains("- Use SI units.\r\n"));
}

#[test]
fn nothing_is_written_over_an_input_or_an_older_backup() {
    for options in [
        &["--undo", "AGENTS.md"][..],
        &["--undo", "./AGENTS.md"],
        &["--undo", "patch.json"],
        &["--out", "AGENTS.md"],
        &["--out", "same", "--undo", "./same"],
        &["--in-place", "--undo", "AGENTS.md"],
        &["--in-place", "--backup"],
    ] {
        let folder = folder(GOOD);
        std::fs::write(folder.path().join("AGENTS.md.bak"), "older").unwrap();
        let arguments: Vec<&str> =
            ["apply", "AGENTS.md", "patch.json"].iter().chain(options).copied().collect();
        assert_eq!(run(folder.path(), &arguments).status.code(), Some(2), "{options:?}");
        for (name, text) in [("AGENTS.md", BASE), ("patch.json", GOOD), ("AGENTS.md.bak", "older")] {
            assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), text, "{options:?}");
        }
    }
}

#[test]
fn the_exit_code_says_what_applies() {
    let cases = [
        (GOOD, &["check"][..], 0),
        (MIXED, &["check"], 10),
        (MIXED, &["check", "--all-or-nothing"], 9),
        (r#"{"op":"delete","target":"nowhere"}"#, &["check"], 9),
        ("no json", &["check"], 3),
        (r#"{"edits":7}"#, &["check"], 3),
        (r#"{"base":"00000000000000000000000000000000","edits":[]}"#, &["check"], 3),
        (r#"{"base":"00000000000000000000000000000000","edits":[]}"#, &["check", "--rebase"], 0),
        (MIXED, &["apply", "--backup"], 2),
        (GOOD, &["check", "--max-bytes", "10"], 9),
        (GOOD, &["check", "--must-contain", "absent"], 9),
        (GOOD, &["check", "--protect", "# Rules", "- Be brief."], 0),
    ];
    for (patch, arguments, code) in cases {
        let folder = folder(patch);
        let (command, options) = arguments.split_first().unwrap();
        let arguments: Vec<&str> =
            [command, "AGENTS.md", "patch.json"].into_iter().chain(options.iter().copied()).collect();
        let output = run(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?} {patch}: {}", text(&output.stderr));
    }
}

#[test]
fn a_report_names_every_edit() {
    let folder = folder(MIXED);
    let output = run(folder.path(), &["check", "AGENTS.md", "patch.json"]);
    assert_eq!(
        text(&output.stdout),
        "edit 1 (append): applied on line 12\n\
         edit 2 (delete): refused: protected region: lines 8 to 10 are protected\n\
         edit 3 (unreadable): refused: malformed edit: $[2].content: is missing; `append` needs it\n"
    );
    let output = run(folder.path(), &["apply", "AGENTS.md", "patch.json", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["edits"][1]["reason"], "protected");
    assert!(report["context"].as_str().unwrap().ends_with("- Cite.\r\n"));
    assert_eq!(report["inverse"]["from"], report["fingerprints"]["result"]);
}

#[test]
fn the_patch_may_come_from_standard_input() {
    let folder = folder("");
    let mut child = Command::new(env!("CARGO_BIN_EXE_textualrl-patch"))
        .args(["diff", "AGENTS.md", "-", "--color", "always"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), GOOD.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(text(&output.stdout).contains("\x1b[32m+- Cite sources.\x1b[0m"), "{}", text(&output.stdout));
}

#[test]
fn an_inverse_can_be_printed_first() {
    let folder = folder(GOOD);
    let output = run(folder.path(), &["invert", "AGENTS.md", "patch.json"]);
    assert_eq!(output.status.code(), Some(0));
    std::fs::write(folder.path().join("undo.json"), &output.stdout).unwrap();
    assert_eq!(
        run(folder.path(), &["apply", "AGENTS.md", "patch.json", "--in-place"]).status.code(),
        Some(0)
    );
    let output = run(folder.path(), &["apply", "AGENTS.md", "undo.json"]);
    assert_eq!(text(&output.stdout), BASE);
}

#[test]
fn lint_finds_what_hinders_edits() {
    let folder = folder("");
    assert_eq!(run(folder.path(), &["lint", "AGENTS.md"]).status.code(), Some(0));
    let broken = "- A rule.\n- A rule.\n```\nopen\n<!-- protected -->\n";
    std::fs::write(folder.path().join("broken.md"), broken).unwrap();
    let output = run(folder.path(), &["lint", "broken.md", "--max-bytes", "20"]);
    assert_eq!(output.status.code(), Some(9));
    for part in [
        "line 2: problem: repeats line 1",
        "line 3: problem: the code fence",
        "line 5: problem: the protected region is never closed",
        "at most 20 are allowed",
    ] {
        assert!(text(&output.stdout).contains(part), "{part}: {}", text(&output.stdout));
    }
    std::fs::write(folder.path().join("binary.md"), b"a\xff").unwrap();
    let output = run(folder.path(), &["lint", "binary.md"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("no UTF-8 text at byte 1"));
}
