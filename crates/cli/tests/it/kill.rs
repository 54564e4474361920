//! A run that is killed again and again ends as one that never was.
//!
//! Always holds: no moment of the kills is chosen to suit; what the journal held whole is never asked for again.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use camino::Utf8Path;

use crate::run_folder::{Ended, against, all_files, assert_same, command, ended_against, fingerprinted};
use crate::scratch::Scratch;
use crate::simulator::{Request, Simulator};

const KILLS: u64 = 10;
/// Calls in flight at once.
const CONCURRENCY: usize = 8;
const RUN: [&str; 7] =
    ["run", "--preset", "quickstart", "--set", "target.concurrency=8", "--set", "optimizer.concurrency=8"];

#[test]
fn ten_kills_change_nothing_and_repeat_only_what_was_in_flight() {
    let scratch = Scratch::new();
    let whole = Simulator::start_with(&scratch, "whole", &["--latency-ms", "5"]);
    let port = port(&whole.url).to_owned();
    ended_against(&scratch, &whole, &[&RUN[..], &["--name", "whole"]].concat()).with(0);
    let expected = counted(&whole.requests());
    let calls: usize = expected.values().sum();

    let broken = Simulator::start_with(&scratch, "broken", &["--latency-ms", "5", "--port", &port]);
    let run = scratch.run("broken");
    let mut known = BTreeMap::new();
    let mut repeats = 0;
    let mut in_flight = 0;
    for kill in 0..KILLS {
        let arguments =
            if kill == 0 { against(&broken, &[&RUN[..], &["--name", "broken"]].concat()) } else { resume() };
        let killed = killed_at(&scratch, &broken, &arguments, moment(kill, calls));
        repeats += repeats_told(&killed.stderr);
        let frames = frames(&run.join("journal-v1"));
        assert_nothing_whole_was_sent_again(&known, &frames);
        in_flight += frames.values().filter(|call| !call.whole).count();
        known = frames;
    }
    let arguments = resume();
    let last = crate::run_folder::ended(&scratch, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let last = last.with(0);
    repeats += repeats_told(&last.stderr);
    assert_nothing_whole_was_sent_again(&known, &frames(&run.join("journal-v1")));

    let got = counted(&broken.requests());
    assert_eq!(got.keys().collect::<BTreeSet<_>>(), expected.keys().collect::<BTreeSet<_>>());
    let sent_again: usize = got.iter().map(|(body, count)| count - expected[body]).sum();
    // The server cannot have seen a call that was killed between journal and socket.
    assert!(sent_again <= repeats, "{sent_again} requests came again, and {repeats} were told");
    assert!(repeats <= in_flight, "{repeats} repeats, and {in_flight} were in flight");
    assert!(repeats > 0, "no kill came while calls were in flight");
    println!("{calls} calls, {KILLS} kills: {repeats} repeats told, {sent_again} requests seen again");

    assert_same(&fingerprinted(&scratch.run("whole")), &fingerprinted(&run));
}

fn resume() -> Vec<String> {
    ["run", "--resume", "runs/broken", "--yes"].map(str::to_owned).to_vec()
}

fn port(url: &str) -> &str {
    url.rsplit(':').next().unwrap().trim_end_matches("/v1")
}

/// The number of requests after which a run is killed: one in each tenth of all, by a generator of our own.
fn moment(kill: u64, calls: usize) -> usize {
    let mixed = (kill + 1).wrapping_mul(6_364_136_223_846_793_005).rotate_left(29) ^ 0x9e37_79b9;
    let tenth = u64::try_from(calls).unwrap() / KILLS;
    usize::try_from(kill * tenth + mixed % tenth).unwrap().max(1)
}

/// Starts a run in a process group of its own and kills the group once the simulator got so many requests.
fn killed_at(scratch: &Scratch, simulator: &Simulator, arguments: &[String], requests: usize) -> Ended {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut starting = command(scratch, &arguments);
    let mut child = starting.process_group(0).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while simulator.logged() < requests {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before {requests} requests");
        assert!(began.elapsed() < Duration::from_secs(60), "no {requests} requests after a minute");
        std::thread::sleep(Duration::from_millis(1));
    }
    kill_group(&child);
    let ended = Ended::of(&child.wait_with_output().unwrap());
    assert_eq!(ended.code, -1, "the run ended by itself: {ended}");
    ended
}

fn kill_group(child: &Child) {
    let group = format!("kill -9 -{}", child.id());
    assert!(Command::new("sh").args(["-c", &group]).status().unwrap().success());
}

/// The sum of what the stages said they had to do again.
fn repeats_told(stderr: &str) -> usize {
    let words = " calls were in flight when an earlier process ended";
    let told = stderr.lines().filter_map(|line| line.split(words).next().filter(|head| *head != line));
    told.map(|head| head.rsplit(' ').next().unwrap().parse::<usize>().unwrap()).sum()
}

fn counted(requests: &[Request]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for request in requests {
        *counts.entry(request.body.to_string()).or_default() += 1;
    }
    counts
}

/// What the journal says of a call.
#[derive(Debug, Default, Clone, Copy)]
struct Call {
    sent: u32,
    whole: bool,
}

/// All calls of a journal by partition and key, read by the documented layout of its frames.
fn frames(journal: &Utf8Path) -> BTreeMap<(String, [u8; 16]), Call> {
    let mut calls: BTreeMap<_, Call> = BTreeMap::new();
    for (name, bytes) in all_files(journal) {
        let partition = name.split('/').next().unwrap().to_owned();
        let mut rest = bytes.get(8..).unwrap_or_default();
        while rest.len() >= 37 {
            let length = u32::from_le_bytes(rest[..4].try_into().unwrap()) as usize;
            let Some(next) = rest.get(37 + length..) else { break };
            let call = calls.entry((partition.clone(), rest[5..21].try_into().unwrap())).or_default();
            match rest[4] {
                1 => call.sent += 1,
                2 => call.whole = true,
                kind => panic!("no call failed, but {name} has a frame of kind {kind}"),
            }
            rest = next;
        }
    }
    calls
}

fn assert_nothing_whole_was_sent_again(
    before: &BTreeMap<(String, [u8; 16]), Call>,
    after: &BTreeMap<(String, [u8; 16]), Call>,
) {
    for (key, call) in before.iter().filter(|(_, call)| call.whole) {
        assert_eq!(after[key].sent, call.sent, "{key:?} was complete and was sent again");
    }
    let open = after.values().filter(|call| !call.whole).count();
    assert!(open <= CONCURRENCY, "{open} calls in flight at once");
}
