//! As which user a program runs.
//!
//! Limits on processes do not bind root, and whoever is root may read everything. So root hands each run a user number
//! that nobody else has, and only who is not root runs programs as himself.
//!
//! Always holds: two runs at one time have different numbers, also if they belong to different processes.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::system;

/// Runs that one process may have at a time before a number is given twice.
const RUNS_AT_A_TIME: u32 = 512;

/// The user of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Account {
    /// A user and group number of its own, which only root can give.
    Own(u32),
    /// Whoever runs this process.
    Same,
}

impl Account {
    /// The account of the next run.
    pub(crate) fn next() -> Self {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        if !system::is_root() {
            return Self::Same;
        }
        let numbers = system::user_numbers();
        let place = std::process::id()
            .wrapping_mul(RUNS_AT_A_TIME)
            .wrapping_add(RUNS.fetch_add(1, Ordering::Relaxed) % RUNS_AT_A_TIME);
        within(numbers, place).map_or(Self::Same, Self::Own)
    }
}

/// A number in the upper half of the `(first, count)` that this namespace has; `None` if it has only a few, as one that an
/// ordinary user made for himself.
fn within((first, count): (u32, u32), place: u32) -> Option<u32> {
    let half = count / 2;
    if half < RUNS_AT_A_TIME {
        return None;
    }
    // The last number means "no user", and the one before it is left free too.
    let usable = half.saturating_sub(2);
    first.checked_add(half)?.checked_add(place % usable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_one_of_those_that_the_namespace_has() {
        for (numbers, place, expected) in [
            ((0, u32::MAX), 0, Some(2_147_483_647)),
            ((0, u32::MAX), 3, Some(2_147_483_650)),
            ((0, 65_536), 70_000, Some(32_768 + 70_000 % 32_766)),
            ((0, 1), 7, None),
            ((1_000, 1), 7, None),
        ] {
            assert_eq!(within(numbers, place), expected, "{numbers:?} {place}");
        }
    }
}
