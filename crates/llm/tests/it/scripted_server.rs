//! A tiny HTTP/1.1 server on loopback that answers from a script and remembers what it was asked.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// One request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) at: Instant,
    pub(crate) head: String,
    pub(crate) body: Value,
}

/// One answer.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    delay: Duration,
    cut_after: Option<usize>,
}

impl Answer {
    pub(crate) fn new(status: u16, body: impl Into<String>) -> Self {
        let body = body.into().into_bytes();
        Self { status, headers: Vec::new(), body, delay: Duration::ZERO, cut_after: None }
    }

    /// A chat completion with this content.
    pub(crate) fn said(text: &str) -> Self {
        let body = serde_json::json!({
            "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 3},
        });
        Self::new(200, body.to_string())
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Closes the connection after so many bytes of the body.
    pub(crate) fn cut_after(mut self, bytes: usize) -> Self {
        self.cut_after = Some(bytes);
        self
    }
}

type Script = dyn Fn(usize, &Asked) -> Answer + Send + Sync;

/// The server; it ends with the test's runtime.
#[derive(Clone)]
pub(crate) struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    most_in_flight: Arc<AtomicUsize>,
}

impl Server {
    /// Answers the n-th request, from 0, by `script`.
    pub(crate) async fn start(script: impl Fn(usize, &Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            asked: Arc::default(),
            most_in_flight: Arc::default(),
        };
        let script: Arc<Script> = Arc::new(script);
        let in_flight = Arc::new(AtomicUsize::new(0));
        let shared = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, shared.clone(), Arc::clone(&script), Arc::clone(&in_flight)));
            }
        });
        server
    }

    /// Answers with the list in order, then with its last.
    pub(crate) async fn answering(answers: Vec<Answer>) -> Self {
        Self::start(move |n, _| answers.get(n).or(answers.last()).unwrap().clone()).await
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn most_in_flight(&self) -> usize {
        self.most_in_flight.load(Ordering::SeqCst)
    }
}

async fn serve(mut stream: TcpStream, server: Server, script: Arc<Script>, in_flight: Arc<AtomicUsize>) {
    let mut buffer = Vec::new();
    while let Some(asked) = read_request(&mut stream, &mut buffer).await {
        let now = in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        server.most_in_flight.fetch_max(now, Ordering::SeqCst);
        let number = {
            let mut list = server.asked.lock().unwrap();
            list.push(asked.clone());
            list.len() - 1
        };
        let answer = script(number, &asked);
        tokio::time::sleep(answer.delay).await;
        in_flight.fetch_sub(1, Ordering::SeqCst);
        let mut head = format!("HTTP/1.1 {} x\r\ncontent-length: {}\r\n", answer.status, answer.body.len());
        for (name, value) in &answer.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let sent = &answer.body[..answer.cut_after.unwrap_or(answer.body.len())];
        let whole = [head.as_bytes(), b"\r\n", sent].concat();
        if stream.write_all(&whole).await.is_err() || answer.cut_after.is_some() {
            return;
        }
    }
}

async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Asked> {
    loop {
        if let Some(asked) = take_request(buffer) {
            return Some(asked);
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
}

/// Takes the first request out of the buffer if it is whole.
fn take_request(buffer: &mut Vec<u8>) -> Option<Asked> {
    let end = buffer.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&buffer[..end]).into_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().unwrap())
    });
    let whole = end + 4 + length.unwrap_or(0);
    let body = serde_json::from_slice(buffer.get(end + 4..whole)?).unwrap_or(Value::Null);
    buffer.drain(..whole);
    Some(Asked { at: Instant::now(), head, body })
}
