//! Programs that want more than they may have. Each control is the same program under wider limits, or a harmless size
//! of it.

use std::time::{Duration, Instant};

use textualrl_model::settings::Confinement;
use textualrl_sandbox::{Ended, Limits, Run, Sandbox};

use super::confinements::{LIMITS, confined, is_root, run, run_with, unconfined};

const SHORT: Limits = Limits { run_time: Duration::from_secs(2), ..LIMITS };

/// Starts so many sleeping children and says how many there came to be.
fn forks(count: u32) -> String {
    format!(
        "import os, signal, time\nchildren = []\ntry:\n    for _ in range({count}):\n        child = os.fork()\n        \
         if child == 0:\n            time.sleep(30)\n            os._exit(0)\n        children.append(child)\n\
         except OSError: pass\nprint(len(children))\nfor child in children: os.kill(child, signal.SIGKILL)\n"
    )
}

fn number(run: &Run) -> u32 {
    run.printed.trim().parse().unwrap_or_else(|_| panic!("{:?} {}", run.ended, run.printed))
}

#[test]
fn processes_are_counted() {
    let control = run(unconfined(), &forks(40), &LIMITS);
    assert_eq!(number(&control), 40, "the control");
    for sandbox in confined() {
        // An ordinary user's other processes come and go, and count where there is no namespace of users.
        let exact = sandbox.confinement() == Confinement::Bwrap || is_root();
        let most = if exact { 15..=16 } else { 1..=39 };
        let many = number(&run(sandbox, &forks(40), &LIMITS));
        assert!(most.contains(&many), "{:?}: {many} children", sandbox.confinement());
        let few = number(&run(sandbox, &forks(8), &LIMITS));
        assert!(few == 8 || !exact, "{:?}: {few} children", sandbox.confinement());
    }
}

#[test]
fn threads_count_as_processes() {
    let script = "import threading, time\ndone = threading.Event()\ncount = 0\ntry:\n    for _ in range(40):\n        \
                  threading.Thread(target=done.wait, daemon=True).start()\n        count += 1\nexcept RuntimeError: pass\n\
                  print(count)\ndone.set()";
    assert_eq!(number(&run(unconfined(), script, &LIMITS)), 40, "the control");
    for sandbox in confined() {
        let count = number(&run(sandbox, script, &LIMITS));
        assert!(count < 40, "{:?}: {count} threads", sandbox.confinement());
    }
}

#[test]
fn a_program_that_forks_without_end_is_ended() {
    let script = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n";
    for sandbox in confined() {
        let start = Instant::now();
        assert_eq!(run(sandbox, script, &SHORT).ended, Ended::OutOfTime, "{:?}", sandbox.confinement());
        assert!(start.elapsed() < Duration::from_secs(8));
        assert!(run(sandbox, "", &SHORT).ended.well(), "the next program runs");
    }
}

#[test]
fn a_process_that_fills_its_memory_is_refused_more() {
    let script = "x = b'x' * (200 << 20); print(len(x) >> 20)";
    let narrow = Limits { memory_bytes: 128 << 20, ..LIMITS };
    assert_eq!(number(&run(unconfined(), script, &LIMITS)), 200, "the control has 512 MB");
    for sandbox in confined() {
        let refused = run(sandbox, script, &narrow);
        assert_eq!(refused.ended, Ended::Exited(1), "{:?}: {}", sandbox.confinement(), refused.printed);
        assert!(refused.printed.contains("MemoryError"), "{:?}: {}", sandbox.confinement(), refused.printed);
        assert_eq!(number(&run(sandbox, script, &LIMITS)), 200, "{:?}", sandbox.confinement());
    }
}

#[test]
fn processes_that_fill_memory_together_are_ended() {
    let script = "import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n        x = b'x' * (60 << 20)\n        \
                  time.sleep(30)\n        os._exit(0)\ntime.sleep(1)\nprint('enough')\n";
    let narrow = Limits { memory_bytes: 128 << 20, ..LIMITS };
    assert_eq!(run(unconfined(), script, &LIMITS).printed, "enough\n", "the control has 512 MB");
    for sandbox in confined() {
        assert_eq!(run(sandbox, script, &narrow).ended, Ended::OutOfMemory, "{:?}", sandbox.confinement());
        assert_eq!(run(sandbox, script, &LIMITS).printed, "enough\n", "{:?}", sandbox.confinement());
    }
}

/// Whether a program was refused more disk, or ended for it.
fn is_out_of_disk(run: &Run) -> bool {
    let said = run.printed.contains("No space left on device") || run.printed.contains("File too large");
    run.ended == Ended::OutOfDisk || run.ended == Ended::Exited(1) && said
}

#[test]
fn a_full_disk_is_an_end() {
    let wide = Limits { disk_bytes: 64 << 20, ..LIMITS };
    let scripts = [
        ("one file", "file = open('big', 'wb')\nfor _ in range(20): file.write(b'x' * (1 << 20))\n"),
        ("many files", "for i in range(20): open(f'big{i}', 'wb').write(b'x' * (1 << 20))\n"),
        (
            "files for a while",
            "for i in range(20): open(os.environ['TMPDIR'] + f'/b{i}', 'wb').write(b'x' * (1 << 20))\n",
        ),
        (
            "files without a name",
            "files = []\nfor i in range(20):\n    files.append(open('big', 'wb', 0))\n    os.remove('big')\n    \
             files[-1].write(b'x' * (1 << 20))\n",
        ),
    ];
    for (what, script) in scripts {
        let script = format!("import os, time\n{script}time.sleep(1)\nprint('enough')");
        assert_eq!(run(unconfined(), &script, &wide).printed, "enough\n", "the control, {what}");
        for sandbox in confined() {
            let run = run(sandbox, &script, &LIMITS);
            assert!(
                is_out_of_disk(&run),
                "{:?}, {what}: {:?} {}",
                sandbox.confinement(),
                run.ended,
                run.printed
            );
        }
    }
}

#[test]
fn a_file_as_large_as_the_disk_is_taken() {
    let script = "open('output.txt', 'wb').write(b'x' * (8 << 20))";
    for sandbox in confined() {
        let run = run(sandbox, script, &LIMITS);
        assert_eq!(
            run.output.map(|output| output.len()),
            Some(8 << 20),
            "{:?}: {}",
            sandbox.confinement(),
            run.printed
        );
    }
}

#[test]
fn an_input_does_not_count_as_written() {
    let mut input = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut input, &vec![b'x'; 3 << 20]).unwrap();
    let limits = Limits { disk_bytes: 1 << 20, ..LIMITS };
    let script =
        "text = open('a').read()\nopen('a', 'a').write('x')\nopen('output.txt', 'w').write(text[:1 << 19])";
    for sandbox in confined().chain([unconfined()]) {
        let run = run_with(sandbox, script, &[("a", input.path())], &limits);
        let found = (run.ended, run.output.map(|output| output.len()));
        assert_eq!(found, (Ended::Exited(0), Some(1 << 19)), "{:?}: {}", sandbox.confinement(), run.printed);
    }
}

#[test]
fn printing_without_end_is_an_end() {
    let endless = "import sys\nwhile True:\n    print('x' * 100)\n    print('y' * 100, file=sys.stderr)\n";
    for sandbox in confined().chain([unconfined()]) {
        let run_of = |script: &str| run(sandbox, script, &LIMITS);
        let run = run_of(endless);
        assert_eq!(run.ended, Ended::OutOfOutput, "{:?}", sandbox.confinement());
        assert!(
            run.printed.len() <= LIMITS.output_bytes && run.printed.len() > 1000,
            "{}",
            run.printed.len()
        );
        assert!(run.time < Duration::from_secs(5));
        assert_eq!(run_of("print('x' * 4000)").printed.len(), 4001, "the control");
    }
}

/// The command lines of all processes that hold this word.
fn alive(word: &str) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(word)).count()
}

/// Whether so many are alive, in a moment: one that was killed takes a while to go.
fn come_to_be(word: &str, count: usize) -> bool {
    let until = Instant::now() + Duration::from_secs(3);
    while alive(word) != count && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    alive(word) == count
}

#[test]
fn no_child_is_left_behind() {
    let mark =
        |sandbox: &Sandbox| format!("textualrl-left-{:?}-{}", sandbox.confinement(), std::process::id());
    let script = |word: &str| {
        format!(
            "import os, subprocess\nfor session in [False, True]:\n    subprocess.Popen(['sh', '-c', 'sleep 20; : {word}'], \
             stdin=-3, stdout=-3, stderr=-3, start_new_session=session)\nprint('over')"
        )
    };
    for sandbox in confined() {
        let word = mark(sandbox);
        let run = run(sandbox, &script(&word), &LIMITS);
        assert_eq!(
            (run.ended, run.printed.as_str()),
            (Ended::Exited(0), "over\n"),
            "{:?}",
            sandbox.confinement()
        );
        assert!(come_to_be(&word, 0), "{:?}", sandbox.confinement());
    }
    // Without a confinement, who leaves the group stays.
    let word = mark(unconfined());
    assert!(run(unconfined(), &script(&word), &LIMITS).ended.well());
    assert!(come_to_be(&word, 1), "the control");
}

#[test]
fn a_child_that_keeps_its_streams_open_holds_nobody_up() {
    let script =
        "import os, time\nif os.fork() == 0:\n    os.setsid(); time.sleep(3); os._exit(0)\nprint('over')";
    for sandbox in confined().chain([unconfined()]) {
        let start = Instant::now();
        let run = run(sandbox, script, &LIMITS);
        assert_eq!(
            (run.ended, run.printed.as_str()),
            (Ended::Exited(0), "over\n"),
            "{:?}",
            sandbox.confinement()
        );
        assert!(start.elapsed() < Duration::from_millis(2900), "{:?}", sandbox.confinement());
    }
}
