//! Counters of what was served.
//!
//! Always holds: counting never waits for anything but another count.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::options::Fault;

/// The most model names that are counted apart; what more there are is counted as `other`.
const MOST_MODELS: usize = 64;

/// The counters.
#[derive(Debug, Default)]
pub(super) struct Counters {
    connections: AtomicU64,
    in_flight: AtomicU64,
    most_in_flight: AtomicU64,
    requests: Mutex<BTreeMap<String, u64>>,
    faults: Mutex<BTreeMap<String, u64>>,
}

/// The counters at a moment, as `/stats` shows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// That all replies are simulated; always true.
    pub simulated: bool,
    /// Requests to a model, by the model's name as requested.
    pub requests: BTreeMap<String, u64>,
    /// Requests being answered.
    pub in_flight: u64,
    /// The most that were answered at a time.
    pub max_in_flight: u64,
    /// Faults by kind: a status, `cut`, `malformed` or `slow`.
    pub faults: BTreeMap<String, u64>,
    /// Connections accepted.
    pub connections: u64,
}

/// A request being answered; dropping it ends that.
pub(super) struct InFlight<'a>(&'a Counters);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Relaxed);
    }
}

impl Counters {
    pub(super) fn connection(&self) {
        self.connections.fetch_add(1, Relaxed);
    }

    pub(super) fn request(&self, model: &str) -> InFlight<'_> {
        add(&self.requests, model);
        let now = self.in_flight.fetch_add(1, Relaxed) + 1;
        self.most_in_flight.fetch_max(now, Relaxed);
        InFlight(self)
    }

    pub(super) fn fault(&self, fault: Fault) {
        add(&self.faults, &name(fault));
    }

    pub(super) fn now(&self) -> Statistics {
        Statistics {
            simulated: true,
            requests: copy(&self.requests),
            in_flight: self.in_flight.load(Relaxed),
            max_in_flight: self.most_in_flight.load(Relaxed),
            faults: copy(&self.faults),
            connections: self.connections.load(Relaxed),
        }
    }
}

/// A fault's name in counters and logs.
pub(super) fn name(fault: Fault) -> String {
    match fault {
        Fault::Status(status) => status.to_string(),
        Fault::Cut => "cut".to_owned(),
        Fault::Malformed => "malformed".to_owned(),
        Fault::Slow => "slow".to_owned(),
    }
}

fn add(counts: &Mutex<BTreeMap<String, u64>>, key: &str) {
    let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(count) = counts.get_mut(key) {
        *count += 1;
        return;
    }
    let key = if counts.len() < MOST_MODELS { key } else { "other" };
    *counts.entry(key.to_owned()).or_insert(0) += 1;
}

fn copy(counts: &Mutex<BTreeMap<String, u64>>) -> BTreeMap<String, u64> {
    counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
