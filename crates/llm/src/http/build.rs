//! The parts of a client that come from its settings.
//!
//! Always holds: a setting that cannot be used is refused before the first request; no system proxy is used for
//! loopback addresses, and none at all unless it was asked for.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use serde::Serialize;
use serde_json::Value;
use textualrl_model::Fingerprint;
use textualrl_model::settings::{
    ApiStyle, EndpointSettings, OutputCapField, SchemaSupport, Temperature, Thinking,
};

use super::EndpointError;
use super::address::{Address, is_secret};
use super::key::Key;
use super::wire::OWN_FIELDS;

/// An endpoint that does not even accept a connection for this long is not there.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// Installs the TLS implementation of the process. Repeated calls do nothing.
pub fn install_crypto_provider() {
    // An error means that one is installed already, which is what is wanted.
    let _already = rustls::crypto::ring::default_provider().install_default();
}

/// Refuses extra fields and headers that would hold a key or write one of our own fields a second time.
pub(super) fn check_extras(role: &str, settings: &EndpointSettings) -> Result<(), EndpointError> {
    let secret = |place: String| EndpointError::Secret { role: role.to_owned(), place };
    for name in settings.extra_headers.keys() {
        if header_is_secret(name) {
            return Err(secret(format!("extra_headers.{name}")));
        }
    }
    for name in settings.extra_body.keys() {
        if is_secret(name) {
            return Err(secret(format!("extra_body.{name}")));
        }
        let twice = name == "chat_template_kwargs" && settings.thinking != Thinking::Unset;
        if twice || OWN_FIELDS.contains(&name.as_str()) {
            return Err(EndpointError::OwnField { role: role.to_owned(), name: name.clone() });
        }
    }
    Ok(())
}

/// Whether a header of this name carries a key: by one of the words in it.
fn header_is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("authorization")
        || name.split(['-', '_']).any(|word| matches!(word, "key" | "apikey" | "token" | "secret" | "cookie"))
}

/// The client of one role.
pub(super) fn client(
    role: &str,
    settings: &EndpointSettings,
    address: &Address,
    key: &Key,
    proxied: bool,
) -> Result<reqwest::Client, EndpointError> {
    install_crypto_provider();
    let mut builder = reqwest::Client::builder()
        .http1_only()
        .default_headers(headers(role, settings, key)?)
        .user_agent(concat!("textualrl/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .referer(false);
    if !proxied {
        builder = builder.no_proxy();
    }
    if !address.is_encrypted() {
        // Reading the system's certificates takes longer than a first request without TLS.
        builder = builder.tls_certs_only([]);
    }
    let failed = |error: reqwest::Error| EndpointError::Client {
        role: role.to_owned(),
        reason: error.without_url().to_string(),
    };
    builder.build().map_err(failed)
}

fn headers(role: &str, settings: &EndpointSettings, key: &Key) -> Result<HeaderMap, EndpointError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in &settings.extra_headers {
        let malformed = || EndpointError::Header { role: role.to_owned(), name: name.clone() };
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| malformed())?;
        headers.insert(header, HeaderValue::from_str(value).map_err(|_| malformed())?);
    }
    if let Ok(Some(value)) = key.header() {
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}

/// The settings that decide answers, beside URL and model.
#[derive(Serialize)]
struct AnswerSettings<'a> {
    api: ApiStyle,
    temperature: Temperature,
    output_cap_field: OutputCapField,
    output_cap: u32,
    reasoning_effort: &'a str,
    thinking: Thinking,
    schema: SchemaSupport,
    extra_body: &'a BTreeMap<String, Value>,
    extra_headers: &'a BTreeMap<String, String>,
}

/// The fingerprint of the settings that decide answers: limits, timeouts and the key are not among them.
pub(super) fn answer_settings(role: &str, settings: &EndpointSettings) -> Result<Fingerprint, EndpointError> {
    let deciding = AnswerSettings {
        api: settings.api,
        temperature: settings.temperature,
        output_cap_field: settings.output_cap_field,
        output_cap: settings.output_cap,
        reasoning_effort: &settings.reasoning_effort,
        thinking: settings.thinking,
        schema: settings.schema,
        extra_body: &settings.extra_body,
        extra_headers: &settings.extra_headers,
    };
    let failed =
        |error: serde_json::Error| EndpointError::Client { role: role.to_owned(), reason: error.to_string() };
    Fingerprint::of_json(&deciding).map_err(failed)
}
