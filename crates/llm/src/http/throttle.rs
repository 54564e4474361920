//! What an endpoint's refusals teach: a pause for everybody, then a pace that it can bear.
//!
//! Always holds: after a refusal no call starts before the pause is over, and calls then start one after another
//! rather than all at once; successes quicken the pace again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Paces slower than this are not learned, as it takes some fifty successes of it to be quick again; the pause itself
/// may be longer.
const SLOWEST: Duration = Duration::from_secs(1);
/// A pace quicker than this is no longer kept.
const QUICKEST: Duration = Duration::from_millis(1);

/// The pause and pace of one endpoint.
#[derive(Debug, Default)]
pub(super) struct Throttle {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// When the next call may start.
    next_start: Option<Instant>,
    /// The end of the newest pause; refusals of calls that started before it say nothing new.
    paused_until: Option<Instant>,
    /// The time between two starts.
    spacing: Duration,
    /// Successes since the last pause began.
    successes: u32,
}

impl Throttle {
    /// When a call may start; the place is taken. `None` if that is later than `latest`, and then no place is taken.
    pub(super) fn reserve(&self, now: Instant, latest: Instant) -> Option<Instant> {
        let mut state = self.lock();
        if state.paused_until.is_some_and(|end| end > latest) {
            return None;
        }
        let start = state.next_start.map_or(now, |next| next.max(now));
        state.next_start = (!state.spacing.is_zero() || start > now).then(|| start + state.spacing);
        Some(start)
    }

    /// The endpoint refused a call that started at `started` and asks for a pause.
    pub(super) fn refused(&self, started: Instant, now: Instant, pause: Duration) {
        let mut state = self.lock();
        let known = state.paused_until.is_some_and(|end| started < end);
        let end = now + pause;
        state.paused_until = Some(state.paused_until.map_or(end, |known| known.max(end)));
        if !known {
            // What was served before the refusal tells what one pause's time can bear.
            let borne = pause / state.successes.max(1);
            state.spacing = borne.max(state.spacing.mul_f64(1.5)).clamp(QUICKEST, SLOWEST);
            state.successes = 0;
        }
        let until = state.paused_until;
        state.next_start = state.next_start.max(until);
    }

    /// Whether a pause is not over yet.
    pub(super) fn is_paused(&self, now: Instant) -> bool {
        self.lock().paused_until.is_some_and(|end| end > now)
    }

    /// The endpoint served a call.
    pub(super) fn served(&self) {
        let mut state = self.lock();
        state.successes = state.successes.saturating_add(1);
        if state.spacing.is_zero() {
            return;
        }
        state.spacing = state.spacing.mul_f64(0.98);
        if state.spacing < QUICKEST {
            state.spacing = Duration::ZERO;
        }
    }

    /// A panic elsewhere leaves plain numbers behind, which are as good as before.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test]
    async fn nothing_waits_before_the_first_refusal() {
        let throttle = Throttle::default();
        let now = Instant::now();
        for _ in 0..3 {
            assert_eq!(throttle.reserve(now, now + SECOND), Some(now));
        }
    }

    #[tokio::test]
    async fn a_pause_holds_for_everybody_and_ends_one_by_one() {
        let throttle = Throttle::default();
        let now = Instant::now();
        for _ in 0..4 {
            throttle.served();
        }
        for _ in 0..12 {
            throttle.refused(now, now, SECOND);
        }
        let starts: Vec<_> = (0..3).filter_map(|_| throttle.reserve(now, now + SECOND * 60)).collect();
        let quarter = Duration::from_millis(250);
        assert_eq!(starts, [now + SECOND, now + SECOND + quarter, now + SECOND + quarter * 2]);
    }

    #[tokio::test]
    async fn a_pause_beyond_the_deadline_is_not_waited_for() {
        let throttle = Throttle::default();
        let now = Instant::now();
        throttle.refused(now, now, SECOND * 3600);
        assert_eq!(throttle.reserve(now, now + SECOND), None);
    }

    #[tokio::test]
    async fn successes_quicken_the_pace_until_it_is_free() {
        let throttle = Throttle::default();
        let now = Instant::now();
        throttle.refused(now, now, SECOND);
        for _ in 0..400 {
            throttle.served();
        }
        let later = now + SECOND * 2;
        assert_eq!(throttle.reserve(later, later + SECOND), Some(later));
        assert_eq!(throttle.reserve(later, later + SECOND), Some(later));
    }
}
