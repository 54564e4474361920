//! Counts how the calls go, to stop early where going on is of no use.
//!
//! Always holds: what was collected never depends on these counts; they only decide whether to stop.

use std::collections::BTreeMap;

use textualrl_llm::ChatError;
use textualrl_model::{NotScoredCause, Outcome, Trajectory};

use crate::episode::FinishedEpisode;

/// An endpoint that failed this many rollouts and answered none is out of use.
const HOPELESS: usize = 8;

/// How the calls go.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    answered: u64,
    failed: usize,
    last: Option<ChatError>,
}

impl Tally {
    /// Counts an episode. Gives back the error that makes going on pointless.
    pub(crate) fn count(&mut self, episode: &FinishedEpisode) -> Option<ChatError> {
        // Replies out of the journal say nothing about the endpoint as it is now.
        self.answered += episode.usage.calls - episode.usage.from_journal;
        let error = episode.failed_call.as_ref()?;
        match error {
            // No rollout can do better, or what it costs would not be recorded.
            ChatError::Auth { .. } | ChatError::Journal { .. } => return Some(error.clone()),
            // This is about one prompt, not about the endpoint.
            ChatError::ContextTooLong { .. } => return None,
            ChatError::RateLimited { .. }
            | ChatError::Rejected { .. }
            | ChatError::Transport { .. }
            | ChatError::Malformed { .. } => self.failed += 1,
        }
        self.last = Some(error.clone());
        if self.failed >= HOPELESS { self.out_of_use() } else { None }
    }

    /// The last error of an endpoint that has answered nothing, if it was asked.
    pub(crate) fn out_of_use(&self) -> Option<ChatError> {
        self.last.clone().filter(|_| self.answered == 0)
    }
}

/// Whether trying this rollout again can help.
pub(crate) fn worth_retrying(episode: &FinishedEpisode) -> bool {
    let unscored = matches!(episode.trajectory.outcome, Outcome::NotScored { .. });
    unscored && !matches!(episode.failed_call, Some(ChatError::ContextTooLong { .. }))
}

/// The most frequent cause of unscored rollouts and how often it came; the first in alphabet among equals.
pub fn most_frequent_cause(trajectories: &[Trajectory]) -> Option<(NotScoredCause, u32)> {
    let mut counts: BTreeMap<String, (NotScoredCause, u32)> = BTreeMap::new();
    for trajectory in trajectories {
        if let Outcome::NotScored { cause } = &trajectory.outcome {
            counts.entry(cause.to_string()).or_insert((cause.clone(), 0)).1 += 1;
        }
    }
    // `max_by_key` takes the last of equals, so the order is turned round.
    counts.into_values().rev().max_by_key(|(_, count)| *count)
}
