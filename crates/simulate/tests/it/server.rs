//! The server over real sockets.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use textualrl_simulate::{FaultPlan, ServerOptions, SimulatedTarget, SimulationServer, Statistics};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::quickstart::{INITIAL, request, tasks};

struct Serving {
    address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<Statistics>,
}

async fn serve(options: ServerOptions) -> Serving {
    let server = SimulationServer::bind(options).await.unwrap();
    let address = server.address();
    let (stop, stopped) = oneshot::channel();
    let ended = tokio::spawn(server.run(async move { stopped.await.unwrap_or_default() }));
    Serving { address, stop, ended }
}

impl Serving {
    /// The raw response to one request on a connection of its own.
    async fn raw(&self, method: &str, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sk-secret\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        let mut response = Vec::new();
        let _cut = stream.read_to_end(&mut response).await;
        String::from_utf8(response).unwrap()
    }

    async fn json(&self, method: &str, path: &str, body: &Value) -> Value {
        let response = self.raw(method, path, &body.to_string()).await;
        serde_json::from_str(response.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

fn faults(shares: &[&str]) -> FaultPlan {
    let shares = shares.iter().map(|text| text.parse().unwrap()).collect();
    FaultPlan::new(shares, Some(7), Duration::from_millis(80)).unwrap()
}

#[tokio::test]
async fn both_styles_answer_as_in_process() {
    let serving = serve(ServerOptions::default()).await;
    let task = &tasks("train")[0];
    let asked = request(INITIAL, &task.input, 0.7, 3);
    let expected = SimulatedTarget::new().answer(&asked);
    let messages: Vec<Value> = asked
        .turns
        .iter()
        .map(|turn| json!({"role": turn.role.name(), "content": turn.joined_text()}))
        .collect();
    let chat = json!({"model": "simulated-target", "messages": messages, "temperature": 0.7, "seed": 3});
    for path in ["/v1/chat/completions", "/chat/completions"] {
        let reply = serving.json("POST", path, &chat).await;
        assert_eq!(reply["choices"][0]["message"]["content"], expected.turn.joined_text());
        assert_eq!(reply["usage"]["prompt_tokens"].as_u64(), expected.usage.input);
        assert_eq!(reply["system_fingerprint"], "simulated");
    }
    let responses = json!({"model": "simulated-another", "input": messages, "temperature": 0.7, "seed": 3});
    let reply = serving.json("POST", "/v1/responses", &responses).await;
    assert_eq!(reply["output"][0]["content"][0]["text"], expected.turn.joined_text());
    let rank =
        "<edit_budget>1</edit_budget>\n<edits_to_rank>\n[{\"id\":\"m-1\",\"support\":2}]\n</edits_to_rank>\n";
    let rank = json!({"model": "simulated-another", "messages": [{"role": "user", "content": rank}]});
    let reply = serving.json("POST", "/v1/chat/completions", &rank).await;
    let text = reply["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(text.contains("ranking") && text.contains("m-1"), "{text}");
    let statistics = serving.json("GET", "/stats", &Value::Null).await;
    assert_eq!(statistics["requests"], json!({"simulated-another": 2, "simulated-target": 2}));
    assert_eq!((&statistics["in_flight"], &statistics["connections"]), (&json!(0), &json!(5)));
    serving.stop.send(()).unwrap();
    assert_eq!(serving.ended.await.unwrap().max_in_flight, 1);
}

#[tokio::test]
async fn wrong_requests_are_refused() {
    let serving = serve(ServerOptions::default()).await;
    for (method, path, body, status) in [
        ("POST", "/v1/models", "{}", "404"),
        ("GET", "/v1/responses", "", "405"),
        ("POST", "/v1/responses", "no json", "400"),
        ("POST", "/v1/chat/completions", "{\"messages\": 3}", "400"),
        ("POST", "/v1/chat/completions", "{\"model\": \"a-real-name\", \"messages\": []}", "404"),
    ] {
        let response = serving.raw(method, path, body).await;
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {response}");
        assert!(response.contains("\"error\""), "{response}");
    }
}

#[tokio::test]
async fn faults_do_what_they_are_named_for() {
    let body = json!({"model": "simulated-m", "messages": [{"role": "user", "content": "x"}]}).to_string();
    let respond = async |share: &str| {
        let fixed_reply = Some("fixed".to_owned());
        let serving =
            serve(ServerOptions { fixed_reply, faults: faults(&[share]), ..ServerOptions::default() }).await;
        let started = Instant::now();
        let response = serving.raw("POST", "/v1/chat/completions", &body).await;
        serving.stop.send(()).unwrap();
        let counted = serving.ended.await.unwrap();
        assert_eq!(counted.faults.values().sum::<u64>(), 1, "{share}");
        (response, started.elapsed())
    };
    let (limited, _) = respond("429:1").await;
    assert!(
        limited.starts_with("HTTP/1.1 429") && limited.to_lowercase().contains("retry-after: 7\r\n"),
        "{limited}"
    );
    let parts = |response: &str| {
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        let length = head.to_lowercase().split_once("content-length: ").unwrap().1.to_owned();
        let length: usize = length.lines().next().unwrap().trim().parse().unwrap();
        (length, body.to_owned())
    };
    let (length, text) = parts(&respond("cut:1").await.0);
    assert!(!text.is_empty() && text.len() < length);
    let (length, text) = parts(&respond("malformed:1").await.0);
    assert!(text.len() == length && serde_json::from_str::<Value>(&text).is_err());
    let (slow, took) = respond("slow:1").await;
    assert!(took >= Duration::from_millis(80) && serde_json::from_str::<Value>(&parts(&slow).1).is_ok());
}

#[tokio::test]
async fn the_log_holds_bodies_and_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("requests.jsonl");
    let options = ServerOptions {
        request_log: Some(path.clone()),
        fixed_reply: Some("f".to_owned()),
        ..ServerOptions::default()
    };
    let serving = serve(options).await;
    let body = json!({"model": "simulated-m", "messages": [{"role": "user", "content": "needle"}]});
    serving.json("POST", "/v1/chat/completions", &body).await;
    serving.stop.send(()).unwrap();
    serving.ended.await.unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!((&line["body"], &line["authorization"]), (&body, &json!(true)));
    assert!(!text.contains("sk-secret"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_requests_wait_at_the_same_time() {
    let options = ServerOptions {
        latency: Duration::from_millis(300),
        fixed_reply: Some("fixed".to_owned()),
        ..ServerOptions::default()
    };
    let serving = serve(options).await;
    let started = Instant::now();
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..400 {
        let address = serving.address;
        asking.spawn(async move {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let head = "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
            stream.write_all(head.as_bytes()).await.unwrap();
            let mut response = String::new();
            stream.read_to_string(&mut response).await.unwrap();
            assert!(response.contains("fixed"));
        });
    }
    while let Some(asked) = asking.join_next().await {
        asked.unwrap();
    }
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    serving.stop.send(()).unwrap();
    assert!(serving.ended.await.unwrap().max_in_flight >= 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "for measuring: requests a second with a fixed reply, clients on the same cores"]
async fn show_throughput() {
    let options = ServerOptions { fixed_reply: Some("fixed".to_owned()), ..ServerOptions::default() };
    let serving = serve(options).await;
    let body = json!({"model": "simulated-m", "messages": [{"role": "user", "content": "x".repeat(2000)}]})
        .to_string();
    let head = "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length:";
    let request = format!("{head} {}\r\n\r\n{body}", body.len());
    let started = Instant::now();
    let (clients, each) = (64, 1000);
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..clients {
        let (address, request) = (serving.address, request.clone());
        asking.spawn(async move {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let mut buffer = [0; 4096];
            for _ in 0..each {
                stream.write_all(request.as_bytes()).await.unwrap();
                assert!(stream.read(&mut buffer).await.unwrap() > 100);
            }
        });
    }
    while let Some(asked) = asking.join_next().await {
        asked.unwrap();
    }
    println!("{:.0} requests a second", f64::from(clients * each) / started.elapsed().as_secs_f64());
}
