//! The context C: the text that is optimised (Equation 1).
//!
//! Always holds: a context is known by its bytes alone; two contexts with one fingerprint are one context.

use serde::{Deserialize, Serialize};

use crate::fingerprint::Fingerprint;

/// The textual context of a frozen agent: instructions, a skill, a system prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Context(String);

impl Context {
    /// A context of this text, byte for byte.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing but white space, in which case the agent is shown no context section.
    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// The fingerprint of the text.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self.0.as_bytes())
    }
}
