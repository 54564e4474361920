//! What needs a process of its own: a kill in the middle of writing, and proxy variables.
//!
//! The tests marked as ignored are the child processes of the others.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use futures_util::future::join_all;
use textualrl_llm::{ChatModel, Journal, Journaled};

use crate::scripted_model::{ScriptedModel, http, identity, request, said, settings};
use crate::scripted_server::{Answer, Server};

const DIR_VARIABLE: &str = "TEXTUALRL_TEST_DIR";
const IN_FLIGHT: usize = 4;

/// This test binary again, running just the ignored test `name`.
fn child(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([name, "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
    command
}

#[test]
#[ignore = "the child process of another test"]
fn writes_until_it_is_killed() {
    let Ok(dir) = std::env::var(DIR_VARIABLE) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let journal = Arc::new(Journal::open(Path::new(&dir)).unwrap());
    let answers = (0..100_000).map(|_| said(&"long answer ".repeat(200))).collect();
    let model = Journaled::new(Arc::new(ScriptedModel::new(answers)), journal);
    let identity = identity();
    runtime.block_on(join_all((0..IN_FLIGHT).map(|lane| {
        let (model, identity) = (&model, &identity);
        async move {
            for number in 0..25_000 {
                let text = format!("{lane}-{number}");
                model.chat(&request(&text), identity).await.unwrap();
                writeln!(std::io::stdout(), "done {text}").unwrap();
                tokio::task::yield_now().await;
            }
        }
    })));
}

#[tokio::test]
async fn after_a_kill_every_completed_call_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let mut process = child("child_processes::writes_until_it_is_killed")
        .env(DIR_VARIABLE, dir.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut done = BTreeSet::new();
    for line in lines {
        done.extend(line.split_once("done ").map(|(_, text)| text.to_owned()));
        if done.len() == 500 {
            process.kill().unwrap();
        }
    }
    process.wait().unwrap();
    assert!(done.len() >= 500);
    let journal = Arc::new(Journal::open(dir.path()).unwrap());
    assert!(journal.counts().interrupted <= IN_FLIGHT as u64, "{:?}", journal.counts());
    let model = Arc::new(ScriptedModel::new(Vec::new()));
    let journaled = Journaled::new(model.clone(), journal);
    for text in &done {
        assert!(journaled.chat(&request(text), &identity()).await.unwrap().from_journal, "{text}");
    }
    assert_eq!(model.calls(), 0);
}

#[tokio::test]
#[ignore = "the child process of another test"]
async fn calls_a_server_on_loopback() {
    let server = Server::answering(vec![Answer::said("ok")]).await;
    for system_proxy in [false, true] {
        for url in [server.url("/v1"), server.url("/v1").replace("127.0.0.1", "localhost")] {
            let mut settings = settings(&url);
            (settings.system_proxy, settings.attempts) = (system_proxy, 1);
            http(&settings).chat(&request("hi"), &identity()).await.unwrap();
        }
    }
}

#[tokio::test]
#[ignore = "the child process of another test"]
async fn calls_a_distant_server() {
    for (system_proxy, proxied) in [(true, true), (false, false)] {
        let mut settings = settings("http://textualrl.invalid/v1");
        (settings.system_proxy, settings.attempts) = (system_proxy, 1);
        let error = http(&settings).chat(&request("hi"), &identity()).await.unwrap_err();
        assert_eq!(error.to_string().contains("system proxy"), proxied, "{error}");
    }
}

/// MIO-18.
#[test]
fn a_proxy_is_used_only_if_asked_for_and_never_for_loopback() {
    for name in ["child_processes::calls_a_server_on_loopback", "child_processes::calls_a_distant_server"] {
        let mut process = child(name);
        for variable in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
            process.env(variable, "http://127.0.0.1:9");
        }
        let output = process.env_remove("NO_PROXY").env_remove("no_proxy").output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    }
}
