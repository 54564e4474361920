//! What a program is given, and what comes back.

use std::path::Path;
use std::time::Duration;

use textualrl_model::settings::Confinement;
use textualrl_sandbox::{Ended, FOLDER, Limits, Program, Sandbox, SandboxError};

use super::confinements::{LIMITS, all, run, run_with, unconfined};

#[test]
fn a_program_reads_its_inputs_and_leaves_its_output() {
    let folder = tempfile::tempdir().unwrap();
    let original = folder.path().join("original");
    std::fs::write(&original, "three").unwrap();
    let script = "text = open('input.txt').read()\nopen('input.txt', 'w').write('changed')\n\
                  open('output.txt', 'w').write(text.upper())\nprint('read', text)";
    for sandbox in all() {
        let run = run_with(sandbox, script, &[("input.txt", &original)], &LIMITS);
        let found = (run.ended, run.printed.as_str(), run.output.as_deref());
        assert_eq!(
            found,
            (Ended::Exited(0), "read three\n", Some(&b"THREE"[..])),
            "{:?}",
            sandbox.confinement()
        );
        assert_eq!(std::fs::read_to_string(&original).unwrap(), "three", "the original is never written");
    }
}

#[test]
fn how_a_program_ended_is_told() {
    for (script, ended) in [
        ("", Ended::Exited(0)),
        ("raise SystemExit(3)", Ended::Exited(3)),
        ("1 / 0", Ended::Exited(1)),
        ("def", Ended::Exited(1)),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", Ended::Signalled(11)),
    ] {
        for sandbox in all() {
            let run = run(sandbox, script, &LIMITS);
            assert_eq!((run.ended, run.output), (ended, None), "{:?} {script}", sandbox.confinement());
        }
    }
}

#[test]
fn what_is_printed_is_the_same_everywhere() {
    let script =
        "import os, sys\nprint('ä', os.getcwd())\nprint('oh', file=sys.stderr)\nprint('end')\nopen('none')";
    let expected = format!(
        "ä {FOLDER}\nend\noh\nTraceback (most recent call last):\n  File \"{FOLDER}/program.py\", line 5, in <module>\n"
    );
    for sandbox in all() {
        let run = run(sandbox, script, &LIMITS);
        assert!(run.printed.starts_with(&expected), "{:?}: {}", sandbox.confinement(), run.printed);
        assert!(run.printed.ends_with("No such file or directory: 'none'\n"), "{}", run.printed);
    }
}

#[test]
fn nothing_of_the_environment_is_passed_on() {
    let script = "import os\nprint(sorted(set(os.environ) - {'PWD', 'OLDPWD', 'SHLVL', '_', 'LC_CTYPE'}))\n\
                  print(os.environ['HOME'], os.environ['TMPDIR'], hash('a'))\n\
                  import tempfile; print(os.path.dirname(tempfile.mkstemp()[1]) == os.environ['TMPDIR'])";
    let mut printed: Vec<String> = all().map(|sandbox| run(sandbox, script, &LIMITS).printed).collect();
    let first = printed.remove(0);
    let expected = "['HOME', 'LANG', 'PATH', 'PYTHONHASHSEED', 'TMPDIR', 'TZ']\n";
    assert!(first.starts_with(expected) && first.ends_with("True\n"), "{first}");
    for other in printed {
        assert_eq!(other, first);
    }
}

#[test]
fn what_the_usual_libraries_need_is_there() {
    // The last line is what importing a library for workbooks comes to.
    let script = "import ctypes, decimal, json, random, subprocess, sys, tempfile, threading, zlib\n\
                  import xml.etree.ElementTree, zoneinfo, datetime, uuid, concurrent.futures, asyncio\n\
                  print(subprocess.run([sys.executable, '-c', 'print(7)'], capture_output=True, text=True).stdout)\n\
                  print(random.SystemRandom().random() < 1, asyncio.run(asyncio.sleep(0)))\n\
                  with tempfile.NamedTemporaryFile() as file: file.write(b'x')\n\
                  with concurrent.futures.ThreadPoolExecutor(4) as pool: print(list(pool.map(abs, [-1, -2])))\n\
                  import mimetypes; mimetypes.MimeTypes(); print('end')";
    for sandbox in all() {
        let run = run(sandbox, script, &LIMITS);
        assert_eq!(run.printed, "7\n\nTrue None\n[1, 2]\nend\n", "{:?}", sandbox.confinement());
    }
}

#[test]
fn every_run_has_a_fresh_folder() {
    let script = "import os\nprint(sorted(os.listdir('.')))\nopen('more', 'w').write('x')";
    for sandbox in all() {
        for _ in 0..2 {
            assert_eq!(run(sandbox, script, &LIMITS).printed, "['.tmp', 'program.py']\n");
        }
    }
}

#[test]
fn an_output_above_the_disk_limit_is_not_taken() {
    // Made of holes, so that it takes no room.
    let script = "import sys\nwith open('output.txt', 'wb') as file: file.truncate(5000)";
    for (disk_bytes, taken) in [(8192, true), (4999, false)] {
        let limits = Limits { disk_bytes, ..LIMITS };
        let run = run(unconfined(), script, &limits);
        assert_eq!((run.ended, run.output.is_some()), (Ended::Exited(0), taken), "{disk_bytes}");
    }
}

#[test]
fn bubblewrap_takes_an_interpreter_that_only_its_owner_can_reach() {
    if !all().any(|sandbox| sandbox.confinement() == Confinement::Bwrap) {
        eprintln!("SKIPPED: bubblewrap does not work on this machine");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let environment = folder.path().join("environment");
    let mut make = std::process::Command::new("python3");
    assert!(make.args(["-m", "venv", "--without-pip"]).arg(&environment).status().unwrap().success());
    std::fs::write(folder.path().join("gold.txt"), "the gold").unwrap();
    let python = environment.join("bin/python");
    let sandbox = Sandbox::new(Confinement::Bwrap, python.to_str().unwrap()).unwrap();
    let script = "import os, sys\nprint(sys.prefix != sys.base_prefix, os.listdir(sys.prefix + '/..'))";
    assert_eq!(run(&sandbox, script, &LIMITS).printed, "True ['environment']\n");
}

#[test]
fn a_sandbox_says_what_it_is() {
    for sandbox in all() {
        assert_ne!(sandbox.confinement(), Confinement::Auto);
        assert!(sandbox.python_version().starts_with("3."), "{}", sandbox.python_version());
    }
}

#[test]
fn what_cannot_be_run_is_an_error_and_no_run() {
    let sandbox = unconfined();
    let missing = Path::new("/nowhere/at/all");
    let run = |inputs, output| sandbox.run(&Program { script: "", inputs, output }, &LIMITS);
    assert!(
        matches!(run(vec![("a", missing)], "b"), Err(SandboxError::Input { path, .. }) if path == missing)
    );
    assert!(matches!(run(vec![("../a", missing)], "b"), Err(SandboxError::Name { .. })));
    assert!(matches!(run(Vec::new(), "/b"), Err(SandboxError::Name { .. })));
    for python in ["no-such-python", "/bin/true"] {
        let error = Sandbox::new(Confinement::None, python).unwrap_err();
        assert!(matches!(error, SandboxError::Interpreter { .. }), "{error}");
    }
}

#[test]
fn a_run_takes_no_longer_than_its_limit() {
    let limits = Limits { run_time: Duration::from_millis(700), ..LIMITS };
    for sandbox in all() {
        let slow = run(sandbox, "import time; print('here'); time.sleep(60)", &limits);
        assert_eq!(
            (slow.ended, slow.printed.as_str()),
            (Ended::OutOfTime, "here\n"),
            "{:?}",
            sandbox.confinement()
        );
        assert!(slow.time < Duration::from_secs(5));
    }
}
