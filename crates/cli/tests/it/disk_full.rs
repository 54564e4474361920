//! A disk that is full: a limit on the size of files stands in for it.
//!
//! Always holds: whatever could not be written, a run resumed with room ends as one that always had it.

use std::process::Command;

use crate::run_folder::{Ended, SMALL, assert_same, ended, fingerprinted};
use crate::scratch::Scratch;

/// Runs `textualrl` where no file grows beyond so many blocks of 512 bytes. Without the trap the system would end the
/// process before it can say why.
fn cramped(scratch: &Scratch, blocks: u32, arguments: &[&str]) -> Ended {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.current_dir(scratch.path()).env("RUST_BACKTRACE", "1");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_textualrl")]).args(arguments);
    Ended::of(&command.output().unwrap())
}

fn named(name: &str) -> Vec<&str> {
    SMALL[..SMALL.len() - 1].iter().copied().chain([name]).collect()
}

#[test]
fn a_full_disk_stops_a_run_that_then_goes_on_where_it_was() {
    let scratch = Scratch::new();
    scratch.textualrl(&named("roomy"));
    let expected = fingerprinted(&scratch.run("roomy"));
    let mut stopped = 0;
    for blocks in [0, 1, 8, 24, 40] {
        let name = format!("cramped-{blocks}");
        let run = scratch.run(&name);
        let path = format!("runs/{name}");
        let first = cramped(&scratch, blocks, &named(&name));
        if first.code == 0 {
            break;
        }
        first.with(7).saying(&["room"]);
        stopped += 1;
        if run.join("manifest.json").exists() {
            // Once more without room: it gets further or nowhere, as each process writes a journal segment of its own.
            let again = cramped(&scratch, blocks, &["run", "--resume", &path]);
            assert!([0, 7].contains(&again.code), "{again}");
            scratch.textualrl(&["status", "--run", &path]);
            ended(&scratch, &["run", "--resume", &path]).with(0);
        } else {
            ended(&scratch, &["run", "--resume", &path]).with(5).saying(&["no run folder"]);
            ended(&scratch, &named(&name)).with(0);
        }
        assert_same(&expected, &fingerprinted(&run));
    }
    assert!(stopped >= 3, "only {stopped} limits stopped a run");
}
