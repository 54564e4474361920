//! Why an endpoint's settings cannot be used.
//!
//! Always holds: a message names the role and the field, says what to do, and shows no value that may be a key.

/// Why an endpoint's settings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// The base URL cannot be used.
    #[error("[{role}] base_url cannot be used: {reason}; write it like http://127.0.0.1:8000/v1")]
    Url {
        /// The role.
        role: String,
        /// What is wrong.
        reason: String,
    },
    /// A key stands in the configuration, from where it would reach the run folder.
    #[error("[{role}] {place} holds a key; put it into an environment variable and name that in key_env")]
    Secret {
        /// The role.
        role: String,
        /// The field.
        place: String,
    },
    /// The key variable is not set or blank.
    #[error(
        "[{role}] needs a key and the environment variable {variable} is not set; set it, or name another in key_env (empty sends no key)"
    )]
    MissingKey {
        /// The role.
        role: String,
        /// The variable.
        variable: String,
    },
    /// The key cannot stand in a header.
    #[error(
        "[{role}] the environment variable {variable} holds characters that no key can have; set it again"
    )]
    InvalidKey {
        /// The role.
        role: String,
        /// The variable.
        variable: String,
    },
    /// A header's name or value is malformed.
    #[error("[{role}] extra_headers.{name} is no valid header; correct or remove it")]
    Header {
        /// The role.
        role: String,
        /// The header's name.
        name: String,
    },
    /// An extra body field would be written twice.
    #[error(
        "[{role}] extra_body.{name} is set by the tool itself; use the setting for it and remove this field"
    )]
    OwnField {
        /// The role.
        role: String,
        /// The field.
        name: String,
    },
    /// The pool was made without this role.
    #[error("[{role}] has no limits; make the endpoint pool of all roles")]
    NotInPool {
        /// The role.
        role: String,
    },
    /// The client could not be built.
    #[error("[{role}] the HTTP client cannot be built: {reason}")]
    Client {
        /// The role.
        role: String,
        /// What went wrong.
        reason: String,
    },
}
