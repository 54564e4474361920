//! The URL that requests go to, from a base URL however providers document it.
//!
//! Always holds: what is shown of an address has no query, no user and no password; an address that would put a
//! secret into the configuration is refused.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;
use textualrl_model::settings::ApiStyle;

use super::EndpointError;

/// Query fields and body fields of these names hold keys.
pub(super) const SECRET_NAMES: [&str; 10] = [
    "key",
    "api_key",
    "api-key",
    "apikey",
    "token",
    "access_token",
    "secret",
    "password",
    "authorization",
    "sig",
];

/// Where one model's requests go.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    url: Url,
    base: String,
    shown: String,
}

impl Address {
    /// Reads a base URL with or without `/v1`, with a trailing slash, or with the whole path of the request form.
    /// A URL without path gets `/v1`; any other path is kept.
    ///
    /// # Errors
    /// If the text is no http or https URL, or holds a user, a password or a key.
    pub fn new(role: &str, base_url: &str, api: ApiStyle) -> Result<Self, EndpointError> {
        let invalid = |reason: &str| EndpointError::Url { role: role.to_owned(), reason: reason.to_owned() };
        let mut url = Url::parse(base_url.trim()).map_err(|_| invalid("it is no URL"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(invalid("it does not begin with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(EndpointError::Secret { role: role.to_owned(), place: "base_url (user)".to_owned() });
        }
        if let Some((name, _)) = url.query_pairs().find(|(name, _)| is_secret(name)) {
            return Err(EndpointError::Secret { role: role.to_owned(), place: format!("base_url ({name})") });
        }
        url.set_fragment(None);
        let base_path = base_path(url.path());
        let origin = without_query(&url, "");
        let base = format!("{}{base_path}", origin.trim_end_matches('/'));
        url.set_path(&format!("{base_path}/{}", suffix(api)));
        let shown = without_query(&url, url.path());
        Ok(Self { url, base, shown })
    }

    /// The URL of the request, query included. Never shown.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// The base URL, by which roles share limits.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Whether the host is this machine, which no proxy can reach.
    pub(super) fn is_loopback(&self) -> bool {
        let host = self.url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let by_address = host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        by_address || host == "localhost" || host.ends_with(".localhost")
    }

    /// Whether requests are encrypted.
    pub(super) fn is_encrypted(&self) -> bool {
        self.url.scheme() == "https"
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({})", self.shown)
    }
}

/// Whether a field of this name holds a secret.
pub(super) fn is_secret(name: &str) -> bool {
    SECRET_NAMES.iter().any(|secret| name.eq_ignore_ascii_case(secret))
}

fn suffix(api: ApiStyle) -> &'static str {
    match api {
        ApiStyle::ChatCompletions => "chat/completions",
        ApiStyle::Responses => "responses",
    }
}

/// The path before the request form's own part, without trailing slash.
fn base_path(path: &str) -> String {
    let path = path.trim_end_matches('/');
    let whole = [ApiStyle::ChatCompletions, ApiStyle::Responses]
        .into_iter()
        .find_map(|api| path.strip_suffix(suffix(api)).and_then(|rest| rest.strip_suffix('/')));
    match whole {
        Some(rest) => rest.trim_end_matches('/').to_owned(),
        None if path.is_empty() => "/v1".to_owned(),
        None => path.to_owned(),
    }
}

fn without_query(url: &Url, path: &str) -> String {
    let mut shown = url.clone();
    shown.set_query(None);
    shown.set_path(path);
    shown.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(base_url: &str) -> Result<Address, EndpointError> {
        Address::new("target", base_url, ApiStyle::ChatCompletions)
    }

    #[test]
    fn every_documented_spelling_gives_one_path() {
        let cases = [
            ("http://h", "http://h/v1/chat/completions"),
            ("http://h/", "http://h/v1/chat/completions"),
            ("http://h/v1", "http://h/v1/chat/completions"),
            (" http://h/v1/ ", "http://h/v1/chat/completions"),
            ("http://h/v1/chat/completions", "http://h/v1/chat/completions"),
            ("http://h/v1/chat/completions/", "http://h/v1/chat/completions"),
            ("http://h/v1/responses", "http://h/v1/chat/completions"),
            ("http://h/chat/completions", "http://h/chat/completions"),
            ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/chat/completions"),
            ("http://h/v1beta", "http://h/v1beta/chat/completions"),
            ("http://h/v1beta/openai/", "http://h/v1beta/openai/chat/completions"),
            ("http://[::1]:8000", "http://[::1]:8000/v1/chat/completions"),
            ("http://h/v1?api-version=2026-01-01#x", "http://h/v1/chat/completions"),
        ];
        for (base_url, shown) in cases {
            assert_eq!(address(base_url).unwrap().to_string(), shown, "{base_url}");
        }
        let responses = Address::new("target", "http://h", ApiStyle::Responses).unwrap();
        assert_eq!(responses.to_string(), "http://h/v1/responses");
        assert_eq!(responses.base(), address("http://h/v1/chat/completions").unwrap().base());
    }

    #[test]
    fn the_query_is_sent_and_never_shown() {
        let address = address("http://h/v1?api-version=2026").unwrap();
        assert_eq!(address.url().as_str(), "http://h/v1/chat/completions?api-version=2026");
        assert!(!format!("{address} {address:?} {}", address.base()).contains("2026"));
    }

    #[test]
    fn secrets_and_nonsense_are_refused_without_being_shown() {
        let cases = [
            "http://h/v1?api_key=SECRET123",
            "http://h/v1?Key=SECRET123",
            "http://user:SECRET123@h/v1",
            "http://SECRET123@h/v1",
            "localhost:8000/SECRET123",
            "ftp://h/SECRET123",
            "SECRET123",
        ];
        for base_url in cases {
            let error = address(base_url).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("SECRET123"), "{base_url}: {error}");
        }
    }

    #[test]
    fn loopback_is_known_by_name_and_number() {
        for base_url in ["http://localhost:1", "http://127.0.0.1:1", "http://127.9.9.9", "http://[::1]:1/v1"]
        {
            assert!(address(base_url).unwrap().is_loopback(), "{base_url}");
        }
        assert!(!address("http://localhost.example.org").unwrap().is_loopback());
    }
}
