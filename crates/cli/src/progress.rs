//! One line of progress on a terminal.
//!
//! Always holds: nothing is printed where stderr is no terminal, and the line is gone when it ends.

use std::io::{self, IsTerminal, Write};

/// A line that is written over until it ends.
pub(crate) struct Progress {
    label: String,
    terminal: bool,
}

impl Progress {
    /// A line that starts with `label`.
    pub(crate) fn new(label: String) -> Self {
        Self { label, terminal: io::stderr().is_terminal() }
    }

    /// Shows how much is done.
    pub(crate) fn show(&self, done: usize, of: usize) {
        if self.terminal {
            let mut stderr = io::stderr().lock();
            let _ = write!(stderr, "\r{:<20} {done}/{of}", self.label);
            let _ = stderr.flush();
        }
    }

    /// Removes the line.
    pub(crate) fn end(&self) {
        if self.terminal {
            let mut stderr = io::stderr().lock();
            let _ = write!(stderr, "\r{:<60}\r", "");
            let _ = stderr.flush();
        }
    }
}
