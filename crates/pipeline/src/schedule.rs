//! How many steps a run has, and how many edits each may apply (Section 3.3: the cosine edit budget).
//!
//! Always holds: a step's budget depends on its place alone, also when an earlier step ended without candidate; the
//! last step's budget is the smallest.

use textualrl_model::StepId;

/// The steps of an epoch over `tasks` train tasks. The last one may be short.
pub fn steps_per_epoch(tasks: usize, batch_size: u32) -> u32 {
    let size = usize::try_from(batch_size.max(1)).unwrap_or(usize::MAX);
    u32::try_from(tasks.div_ceil(size)).unwrap_or(u32::MAX)
}

/// All steps of a run, in order.
pub fn steps(epochs: u32, steps_per_epoch: u32) -> impl Iterator<Item = StepId> {
    (1..=epochs).flat_map(move |epoch| (1..=steps_per_epoch).map(move |step| StepId::new(epoch, step)))
}

/// The edit budget L of step `place` of `total`, counted from 1: `min + (max-min)/2 * (1 + cos(pi*place/total))`,
/// rounded half to even; `max` if there is only one step.
pub fn edit_budget(place: u32, total: u32, max: u32, min: u32) -> u32 {
    if total <= 1 {
        return max;
    }
    let share = f64::from(place.min(total)) / f64::from(total);
    let span = f64::from(max.saturating_sub(min));
    let above = 0.5 * span * (1.0 + (std::f64::consts::PI * share).cos());
    // `above` is between 0 and `span`, so the number is in range.
    let budget = (f64::from(min) + above).round_ties_even() as u32;
    budget.clamp(min, max.max(min))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn budgets_follow_the_cosine() {
        let cases: [(u32, u32, u32, &[u32]); 7] = [
            (1, 4, 2, &[4]),
            (2, 4, 2, &[3, 2]),
            (4, 4, 2, &[4, 3, 2, 2]),
            (8, 4, 2, &[4, 4, 3, 3, 3, 2, 2, 2]),
            (12, 4, 2, &[4, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2]),
            (4, 10, 2, &[9, 6, 3, 2]),
            (3, 5, 5, &[5, 5, 5]),
        ];
        for (total, max, min, expected) in cases {
            let budgets: Vec<u32> = (1..=total).map(|place| edit_budget(place, total, max, min)).collect();
            assert_eq!(budgets, expected, "T = {total}");
        }
        let of_forty: Vec<u32> = (1..=40).map(|place| edit_budget(place, 40, 4, 2)).collect();
        let count = |budget| of_forty.iter().filter(|other| **other == budget).count();
        assert_eq!((count(4), count(3), count(2)), (13, 13, 14));
    }

    #[test]
    fn the_last_step_of_an_epoch_may_be_short() {
        for (tasks, batch_size, expected) in
            [(400, 40, 10), (107, 40, 3), (50, 40, 2), (35, 40, 1), (0, 40, 0)]
        {
            assert_eq!(steps_per_epoch(tasks, batch_size), expected);
        }
        let names: Vec<String> = steps(2, 2).map(|step| step.to_string()).collect();
        assert_eq!(names, ["e1-s01", "e1-s02", "e2-s01", "e2-s02"]);
    }

    proptest! {
        #[test]
        fn budgets_never_rise_and_end_at_the_smallest(total in 2_u32..200, min in 1_u32..8, span in 0_u32..8) {
            let max = min + span;
            let budgets: Vec<u32> = (1..=total).map(|place| edit_budget(place, total, max, min)).collect();
            prop_assert!(budgets.windows(2).all(|pair| pair[0] >= pair[1]));
            prop_assert!(budgets.iter().all(|budget| (min..=max).contains(budget)));
            prop_assert_eq!(budgets.last(), Some(&min));
        }
    }
}
