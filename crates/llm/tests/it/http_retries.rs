//! What is retried, when, and how often; limits and pauses over many calls.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use textualrl_llm::{ChatError, ChatModel, EndpointPool, HttpModel};

use crate::scripted_model::{http, identity, request, settings};
use crate::scripted_server::{Answer, Server};

/// The kind of an error.
fn kind(error: &ChatError) -> &'static str {
    match error {
        ChatError::Auth { .. } => "auth",
        ChatError::RateLimited { .. } => "rate limited",
        ChatError::ContextTooLong { .. } => "too long",
        ChatError::Rejected { .. } => "rejected",
        ChatError::Transport { .. } => "transport",
        ChatError::Malformed { .. } => "malformed",
        ChatError::Journal { .. } => "journal",
    }
}

#[tokio::test]
async fn statuses_are_retried_only_if_that_can_help() {
    let error = |text: &str| format!(r#"{{"error":{{"message":"{text}","code":"c"}}}}"#);
    let cases = [
        (400, error("Unsupported parameter: 'max_tokens'"), "rejected", 1),
        (400, error("This model's maximum context length is 8192 tokens"), "too long", 1),
        (413, error("prompt is too long"), "too long", 1),
        (422, error("input is too long for the context window"), "too long", 1),
        (413, "too large".to_owned(), "rejected", 1),
        (401, error("bad key"), "auth", 1),
        (403, error("forbidden"), "auth", 1),
        (404, "File Not Found".to_owned(), "rejected", 1),
        (301, String::new(), "rejected", 1),
        (429, error("insufficient_quota"), "rate limited", 1),
        (429, error("slow down"), "rate limited", 3),
        (408, String::new(), "transport", 3),
        (425, String::new(), "transport", 3),
        (500, error("oops"), "transport", 3),
        (501, error("never"), "transport", 1),
        (529, error("overloaded"), "transport", 3),
    ];
    for (status, body, expected, calls) in cases {
        let server = Server::answering(vec![Answer::new(status, body.clone())]).await;
        let error = http(&settings(&server.url(""))).chat(&request("hi"), &identity()).await.unwrap_err();
        assert_eq!((kind(&error), server.asked().len()), (expected, calls), "{status} {body}: {error}");
        assert!(error.to_string().contains("target at http://127.0.0.1:"), "{error}");
        assert!(error.to_string().contains("/v1/chat/completions"), "{error}");
    }
}

#[tokio::test]
async fn a_retry_can_succeed() {
    let broken = [Answer::new(503, ""), Answer::new(200, r#"{"choices":null}"#)];
    let server = Server::answering(broken.into_iter().chain([Answer::said("ok")]).collect()).await;
    let reply = http(&settings(&server.url(""))).chat(&request("hi"), &identity()).await.unwrap();
    assert_eq!((reply.turn.joined_text().as_str(), server.asked().len()), ("ok", 3));
}

#[tokio::test]
async fn each_retry_after_is_honoured() {
    let later = |seconds| Answer::new(429, "").header("retry-after", seconds);
    let server = Server::answering(vec![later("0.3"), later("0.6"), Answer::said("ok")]).await;
    http(&settings(&server.url(""))).chat(&request("hi"), &identity()).await.unwrap();
    let at: Vec<Instant> = server.asked().iter().map(|asked| asked.at).collect();
    assert!(at[1] - at[0] >= Duration::from_millis(300), "{at:?}");
    assert!(at[2] - at[1] >= Duration::from_millis(600), "{at:?}");
}

#[tokio::test]
async fn a_pause_beyond_the_deadline_fails_at_once() {
    let server = Server::answering(vec![Answer::new(429, "").header("retry-after", "3600")]).await;
    let model = http(&settings(&server.url("")));
    for _ in 0..2 {
        let error = model.chat(&request("hi"), &identity()).await.unwrap_err();
        assert_eq!(kind(&error), "rate limited");
    }
    assert_eq!(server.asked().len(), 1, "the second call knows of the pause");
}

#[tokio::test]
async fn silence_ends_with_the_timeout_and_the_deadline() {
    let server = Server::answering(vec![Answer::said("late").after(Duration::from_secs(60))]).await;
    let mut settings = settings(&server.url(""));
    (settings.timeout_seconds, settings.deadline_seconds, settings.attempts) = (0.2, 0.5, 100);
    let begun = Instant::now();
    let error = http(&settings).chat(&request("hi"), &identity()).await.unwrap_err();
    assert!(error.to_string().contains("timeout_seconds"), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(2));
    assert!((2..=3).contains(&server.asked().len()), "{}", server.asked().len());
}

#[tokio::test]
async fn a_refused_connection_names_the_endpoint() {
    let mut settings = settings("http://127.0.0.1:1/v1");
    settings.attempts = 2;
    let error = http(&settings).chat(&request("hi"), &identity()).await.unwrap_err();
    assert_eq!(kind(&error), "transport");
    assert!(error.to_string().contains("http://127.0.0.1:1/v1/chat/completions"), "{error}");
    assert!(error.to_string().to_lowercase().contains("refused"), "{error}");
}

#[tokio::test]
async fn a_refused_key_locks_the_role_out() {
    let server = Server::answering(vec![Answer::new(401, r#"{"error":{"message":"bad key"}}"#)]).await;
    let mut settings = settings(&server.url(""));
    settings.concurrency = 1;
    let model = http(&settings);
    let requests: Vec<_> = (0..20).map(|n| request(&n.to_string())).collect();
    let identity = identity();
    for outcome in join_all(requests.iter().map(|request| model.chat(request, &identity))).await {
        let error = outcome.unwrap_err();
        assert_eq!(kind(&error), "auth");
        assert!(error.to_string().contains("key_env"), "{error}");
    }
    assert_eq!(server.asked().len(), 1, "MIO-14");
}

#[tokio::test]
async fn roles_on_one_url_share_the_smaller_limit() {
    let server = Server::start(|_, _| Answer::said("ok").after(Duration::from_millis(20))).await;
    let (mut target, mut optimizer) = (settings(&server.url("/v1")), settings(&server.url("/v1/responses")));
    (target.concurrency, optimizer.concurrency) = (8, 4);
    optimizer.model = "other".into();
    let pool = EndpointPool::new([("target", &target), ("optimizer", &optimizer)]).unwrap();
    let models = [("target", &target), ("optimizer", &optimizer)]
        .map(|(role, settings)| HttpModel::new(role, settings, &pool).unwrap());
    let (request, identity) = (request("hi"), identity());
    let calls = models.iter().flat_map(|model| (0..16).map(|_| model.chat(&request, &identity)));
    for outcome in join_all(calls).await {
        outcome.unwrap();
    }
    assert_eq!(server.most_in_flight(), 4, "CON-06");
    let other = settings("http://127.0.0.1:9/v1");
    assert!(HttpModel::new("target", &other, &pool).is_err());
}

#[tokio::test]
async fn requests_a_minute_are_kept() {
    let server = Server::answering(vec![Answer::said("ok")]).await;
    let mut settings = settings(&server.url(""));
    settings.requests_per_minute = 600;
    let model = http(&settings);
    let (request, identity) = (request("hi"), identity());
    let begun = Instant::now();
    for outcome in join_all((0..55).map(|_| model.chat(&request, &identity))).await {
        outcome.unwrap();
    }
    // 50 at once, then one each 100 ms.
    assert!(begun.elapsed() >= Duration::from_millis(390), "{:?}", begun.elapsed());
}

/// CON-03: sixteen workers, and a server that bears four requests each window.
#[tokio::test]
async fn a_limited_endpoint_is_not_stormed() {
    const WINDOW: Duration = Duration::from_millis(400);
    let begun = Instant::now();
    let windows = std::sync::Mutex::new((0, 0));
    let server = Server::start(move |_, _| {
        let window = begun.elapsed().as_millis() / WINDOW.as_millis();
        let mut windows = windows.lock().unwrap();
        if windows.0 != window {
            *windows = (window, 0);
        }
        windows.1 += 1;
        if windows.1 <= 4 { Answer::said("ok") } else { Answer::new(429, "").header("retry-after", "0.4") }
    })
    .await;
    let mut settings = settings(&server.url(""));
    (settings.concurrency, settings.attempts) = (16, 20);
    let model = Arc::new(http(&settings));
    let (request, identity) = (request("hi"), identity());
    for outcome in join_all((0..48).map(|_| model.chat(&request, &identity))).await {
        outcome.unwrap();
    }
    let sent = server.asked().len();
    assert!(sent <= 48 * 3 / 2, "{sent} requests for 48 replies");
}
