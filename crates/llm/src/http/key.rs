//! The key of an endpoint: read once from the environment, kept in memory, written nowhere.
//!
//! Always holds: neither `Debug` nor an error shows a key, and what an endpoint says is cleaned of it.

use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};

use super::EndpointError;

/// A key and the variable that it is from, or none if the endpoint needs none.
#[derive(Debug, Clone)]
pub(super) struct Key(Option<(String, SecretString)>);

impl Key {
    /// Reads the variable; an empty name means that no key is sent.
    pub(super) fn from_variable(role: &str, variable: &str) -> Result<Self, EndpointError> {
        if variable.is_empty() {
            return Ok(Self(None));
        }
        let named = || (role.to_owned(), variable.to_owned());
        let text = std::env::var(variable).map(|text| text.trim().to_owned()).unwrap_or_default();
        if text.is_empty() {
            let (role, variable) = named();
            return Err(EndpointError::MissingKey { role, variable });
        }
        let key = Self(Some((variable.to_owned(), SecretString::from(text))));
        match key.header() {
            Ok(_) => Ok(key),
            Err(()) => {
                let (role, variable) = named();
                Err(EndpointError::InvalidKey { role, variable })
            }
        }
    }

    /// The value of the `Authorization` header.
    pub(super) fn header(&self) -> Result<Option<HeaderValue>, ()> {
        let Some((_, key)) = &self.0 else { return Ok(None) };
        let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose_secret())).map_err(|_| ())?;
        value.set_sensitive(true);
        Ok(Some(value))
    }

    /// `text` with the key blotted out.
    pub(super) fn clean(&self, text: &str) -> String {
        match &self.0 {
            Some((_, key)) => text.replace(key.expose_secret(), "[key]"),
            None => text.to_owned(),
        }
    }

    /// What to do if the endpoint refuses the key.
    pub(super) fn remedy(&self) -> String {
        match &self.0 {
            Some((variable, _)) => format!("check the key in the environment variable {variable}"),
            None => "no key was sent; name the variable that holds it in key_env".to_owned(),
        }
    }
}
