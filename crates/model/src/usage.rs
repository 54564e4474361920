//! Tokens as the provider counted them.
//!
//! Always holds: what the provider did not report is unknown, never 0.

use serde::{Deserialize, Serialize};

/// The tokens of one call or one episode. `None` is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read by the model.
    pub input: Option<u64>,
    /// Tokens written by the model, reasoning included where the provider includes it.
    pub output: Option<u64>,
}

/// Usage summed over calls, saying how many calls it is short of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct UsageTotal {
    /// Completed calls.
    pub calls: u64,
    /// Calls answered from the journal among them; they cost nothing now.
    pub from_journal: u64,
    /// Known input tokens.
    pub input: u64,
    /// Known output tokens.
    pub output: u64,
    /// Calls whose input or output tokens are unknown and missing in the sums.
    pub unknown: u64,
}

impl UsageTotal {
    /// Counts one completed call.
    pub fn add_call(&mut self, usage: Usage, from_journal: bool) {
        self.calls += 1;
        self.from_journal += u64::from(from_journal);
        self.input += usage.input.unwrap_or(0);
        self.output += usage.output.unwrap_or(0);
        self.unknown += u64::from(usage.input.is_none() || usage.output.is_none());
    }

    /// Adds another sum to this one.
    pub fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.from_journal += other.from_journal;
        self.input += other.input;
        self.output += other.output;
        self.unknown += other.unknown;
    }
}

impl Usage {
    /// This usage and another; unknown where either is unknown.
    pub fn plus(self, other: Self) -> Self {
        let sum = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a + b);
        Self { input: sum(self.input, other.input), output: sum(self.output, other.output) }
    }
}
