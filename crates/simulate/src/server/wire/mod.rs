//! Bodies of the two API styles: requests read, replies written.
//!
//! Always holds: a reply has the fields that clients of its style read, with token counts and a mark that it is
//! simulated; a request of either style that says the same is read as the same.

mod reply;
mod request;

use serde::Deserialize;
use serde_json::{Value, json};

pub(super) use request::read;

/// An API style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `/v1/chat/completions`.
    ChatCompletions,
    /// `/v1/responses`.
    Responses,
}

impl Style {
    /// The style of a path, with or without `/v1`.
    pub(super) fn of(path: &str) -> Option<Self> {
        match path.strip_prefix("/v1").unwrap_or(path).trim_end_matches('/') {
            "/chat/completions" => Some(Self::ChatCompletions),
            "/responses" => Some(Self::Responses),
            _ => None,
        }
    }
}

/// The body of an error.
pub(super) fn error_body(status: u16, message: &str) -> Value {
    json!({"error": {"message": message, "type": "simulated_error", "code": status}})
}

/// The model's name alone, for replies that need no more.
#[derive(Deserialize)]
pub(super) struct Named {
    #[serde(default)]
    pub(super) model: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_known_with_and_without_version() {
        for (path, style) in [
            ("/v1/chat/completions", Some(Style::ChatCompletions)),
            ("/chat/completions/", Some(Style::ChatCompletions)),
            ("/responses", Some(Style::Responses)),
            ("/v1/models", None),
        ] {
            assert_eq!(Style::of(path), style, "{path}");
        }
    }
}
