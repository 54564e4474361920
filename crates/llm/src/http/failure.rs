//! What a failed attempt means: whether another can succeed, and after how long.
//!
//! Always holds: only what can succeed on retry is retried; a permanent refusal fails at once; no message holds a
//! key, a query or a user.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

use super::LONGEST;
use super::wire::{BadReply, message};
use crate::chat::ChatError;

/// The most characters of a body that an error shows.
const EXCERPT: usize = 300;

/// How often a failed attempt may be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Retry {
    /// Never: the same request fails again.
    Never,
    /// Once: a second failure of this kind is the model's way.
    Once,
    /// While attempts and time last.
    Yes,
}

/// A failed attempt.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: ChatError,
    pub(super) retry: Retry,
    /// How long the endpoint asks to wait.
    pub(super) retry_after: Option<Duration>,
    /// Whether the whole endpoint must slow down.
    pub(super) slow_down: bool,
    /// Whether every other call of the role would fail in the same way.
    pub(super) locks_out: bool,
}

/// An answer that is no reply, as far as errors tell of it.
pub(super) struct Answer<'a> {
    pub(super) status: u16,
    pub(super) headers: &'a HeaderMap,
    /// The body, cleaned of the key.
    pub(super) body: &'a str,
}

impl Failure {
    /// The connection failed, timed out or broke off.
    pub(super) fn transport(endpoint: &str, error: &reqwest::Error, proxied: bool) -> Self {
        let mut message = if error.is_timeout() {
            "no complete answer within `timeout_seconds`".to_owned()
        } else {
            innermost(error)
        };
        if error.is_connect() && proxied {
            message.push_str(" (a system proxy may be in between; `system_proxy = false` avoids it)");
        }
        let error = ChatError::Transport { endpoint: endpoint.to_owned(), message };
        Self { error, retry: Retry::Yes, retry_after: None, slow_down: false, locks_out: false }
    }

    /// The body goes on and on.
    pub(super) fn too_long(endpoint: &str) -> Self {
        let message = "the answer is longer than 64 MiB".to_owned();
        let error = ChatError::Malformed { endpoint: endpoint.to_owned(), message };
        Self { error, retry: Retry::Never, retry_after: None, slow_down: false, locks_out: false }
    }

    /// The answer has a status other than 2xx.
    pub(super) fn status(endpoint: &str, answer: &Answer<'_>) -> Self {
        let message = describe(answer);
        Self::by_status(endpoint, answer.status, message, retry_after(answer.headers))
    }

    /// The status is 200 and the body is no reply.
    pub(super) fn bad_reply(endpoint: &str, bad: &BadReply, answer: &Answer<'_>) -> Self {
        let (endpoint, after) = (endpoint.to_owned(), retry_after(answer.headers));
        let (message, retry) = match bad {
            BadReply::ErrorObject { status: Some(status), message } if !(200..300).contains(status) => {
                return Self::by_status(&endpoint, *status, message.clone(), after);
            }
            BadReply::ErrorObject { message, .. } => (excerpt(message), Retry::Yes),
            BadReply::ReasoningOnly => (bad.to_string(), Retry::Once),
            BadReply::Empty | BadReply::BrokenOff | BadReply::CutOffStream => (bad.to_string(), Retry::Yes),
            BadReply::NoChoice => (format!("{bad}: {}", excerpt(answer.body)), Retry::Yes),
            BadReply::NotJson(_) => (format!("{bad}; {}", describe(answer)), Retry::Yes),
        };
        let error = ChatError::Malformed { endpoint, message };
        Self { error, retry, retry_after: None, slow_down: false, locks_out: false }
    }

    /// The same; a refused key is told with what to do.
    pub(super) fn with_remedy(mut self, remedy: String) -> Self {
        if let ChatError::Auth { message, .. } = &mut self.error {
            message.push_str(&format!(" ({remedy})"));
        }
        self
    }

    fn by_status(endpoint: &str, status: u16, message: String, after: Option<Duration>) -> Self {
        let endpoint = endpoint.to_owned();
        let permanent = |error| Self {
            error,
            retry: Retry::Never,
            retry_after: None,
            slow_down: false,
            locks_out: false,
        };
        match status {
            401 => Self { locks_out: true, ..permanent(ChatError::Auth { endpoint, message }) },
            403 => permanent(ChatError::Auth { endpoint, message }),
            400 | 413 | 422 if overflows_window(&message) => {
                permanent(ChatError::ContextTooLong { endpoint, message })
            }
            429 => {
                // A spent quota is answered with 429 too, and no waiting refills it.
                let spent =
                    message.contains("insufficient_quota") || message.contains("exceeded your current quota");
                Self {
                    error: ChatError::RateLimited { endpoint, message, retry_after: after },
                    retry: if spent { Retry::Never } else { Retry::Yes },
                    retry_after: after,
                    slow_down: !spent,
                    locks_out: false,
                }
            }
            408 | 425 | 500..600 => Self {
                error: ChatError::Transport { endpoint, message: format!("status {status}: {message}") },
                retry: if status == 501 || status == 505 { Retry::Never } else { Retry::Yes },
                retry_after: after,
                slow_down: status == 503 && after.is_some(),
                locks_out: false,
            },
            _ => permanent(ChatError::Rejected { endpoint, status, message }),
        }
    }
}

/// The usual wordings of a prompt that is too long.
fn overflows_window(message: &str) -> bool {
    const WORDINGS: [&str; 12] = [
        "context_length_exceeded",
        "context length",
        "context window",
        "context size",
        "maximum context",
        "exceed_context",
        "prompt is too long",
        "prompt too long",
        "input is too long",
        "too many tokens",
        "input tokens exceed",
        "maximum number of tokens",
    ];
    let message = message.to_lowercase();
    WORDINGS.iter().any(|wording| message.contains(wording))
}

/// What an answer says: the message and code of its error object, or its type and first characters.
fn describe(answer: &Answer<'_>) -> String {
    let error = serde_json::from_str::<Value>(answer.body).ok();
    let error =
        error.as_ref().and_then(|body| body.get("error").or_else(|| body.get("detail")).or(Some(body)));
    match error {
        Some(error @ (Value::Object(_) | Value::String(_))) => {
            let code = error.get("code").and_then(Value::as_str).or_else(|| error.get("type")?.as_str());
            let text = excerpt(&message(error));
            code.map_or(text.clone(), |code| format!("{text} [{}]", excerpt(code)))
        }
        _ => {
            let kind = answer.headers.get(reqwest::header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
            let location = answer
                .headers
                .get(reqwest::header::LOCATION)
                .map(|_| " (a redirect; set base_url to its goal)");
            let (kind, location) = (kind.unwrap_or("no content type"), location.unwrap_or_default());
            format!("{kind}{location}, body: {:?}", excerpt(answer.body))
        }
    }
}

/// The beginning of a text.
fn excerpt(text: &str) -> String {
    let mut short: String = text.chars().take(EXCERPT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The cause at the bottom; the layers above it only say that sending failed, and would show the URL.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = std::error::Error::source(error);
    let mut text = "the request failed".to_owned();
    while let Some(error) = cause {
        text = error.to_string();
        cause = error.source();
    }
    text
}

/// How long an answer asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let seconds = |number: f64| Some(Duration::try_from_secs_f64(number).ok()?.min(LONGEST));
    if let Some(wait) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return seconds(wait / 1000.0);
    }
    let wait = text(RETRY_AFTER.as_str())?;
    if let Ok(number) = wait.parse::<f64>() {
        return seconds(number);
    }
    // The endpoint's own clock, if it shows it, is the one that its date is meant by.
    let now = text(DATE.as_str()).and_then(date).or_else(|| Timestamp::try_from(SystemTime::now()).ok())?;
    let wait = Duration::try_from(date(wait)?.duration_since(now));
    Some(wait.unwrap_or_default().min(LONGEST))
}

fn date(text: &str) -> Option<Timestamp> {
    DateTimeParser::new().parse_timestamp(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn retry_after_is_read_in_every_form() {
        let date = ("date", "Wed, 21 Oct 2026 07:28:00 GMT");
        let cases: [(&[_], Option<u64>); 8] = [
            (&[("retry-after", "3")], Some(3000)),
            (&[("retry-after", "0.5")], Some(500)),
            (&[("retry-after-ms", "120"), ("retry-after", "9")], Some(120)),
            (&[date, ("retry-after", "Wed, 21 Oct 2026 07:28:05 GMT")], Some(5000)),
            (&[date, ("retry-after", "Wed, 21 Oct 2026 07:27:00 GMT")], Some(0)),
            (&[("retry-after", "1e18")], Some(366 * 24 * 3_600_000)),
            (&[("retry-after", "-1")], None),
            (&[("retry-after", "soon")], None),
        ];
        for (pairs, milliseconds) in cases {
            assert_eq!(retry_after(&headers(pairs)), milliseconds.map(Duration::from_millis), "{pairs:?}");
        }
    }

    #[test]
    fn usual_wordings_of_overflow_are_known() {
        for message in [
            "This model's maximum context length is 8192 tokens.",
            "Input tokens exceed the configured limit of 272000 tokens. [context_length_exceeded]",
            "prompt is too long: 210000 tokens > 200000 maximum",
            "the request exceeds the available context size, try increasing it",
        ] {
            assert!(overflows_window(message), "{message}");
        }
        assert!(!overflows_window("Unsupported parameter: 'max_tokens'"));
    }
}
