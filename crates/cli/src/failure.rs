//! How a command fails: one paragraph, a remedy, and a documented exit code.
//!
//! Always holds: an error's message names each cause once, and never holds a key (the errors themselves never do).

use std::error::Error;
use std::fmt;

use textualrl_model::ExitCode;

/// A failed command.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The exit code.
    pub(crate) code: ExitCode,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// A failure with a message of its own.
    pub(crate) fn new(code: ExitCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None }
    }

    /// A failure that an error caused, with the error's causes.
    pub(crate) fn of(code: ExitCode, error: &dyn Error) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            let text = error.to_string();
            // Some errors print their source themselves; saying it twice helps nobody.
            if !message.contains(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            cause = error.source();
        }
        let room = "make room or mend the permissions, then try again";
        Self { code, message, hint: (code == ExitCode::Storage).then(|| room.to_owned()) }
    }

    /// Adds what to do about it.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
    }
}
