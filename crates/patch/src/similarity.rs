//! How alike two rules are, as far as their words can tell.
//!
//! The measure: words in lower case, without markup, inflection and filler words; a few dozen groups of synonyms count
//! as one word each. The score is twice the weight of the shared words over the weight of all words of both, so that
//! word order and filler do not matter. Then come the guards, which cap the score at [`DECISIVE_CAP`]: a word in the
//! place of another in otherwise equal surroundings ("person" for "place"); another number; a negation more or less;
//! the two sides of "over", "than", "not", "before" or "after" exchanged. When unsure the measure says "different", as a
//! rule that is wrongly called a repetition would be lost, and one that is wrongly called new costs one validation.
//!
//! Always holds: scores are from 0 to 1, symmetric, and 1 for equal words; nothing depends on the length of the texts.

mod lexicon;
mod profile;

use textualrl_model::{Edit, EditOp};

pub use profile::{DECISIVE_CAP, Profile};

/// How alike two texts are, from 0 to 1.
///
/// ```
/// use textualrl_patch::similarity::texts;
///
/// assert!(texts("Do not round results.", "Never round the results.") > 0.9);
/// assert!(texts("Give persons in full.", "Give places in full.") < 0.72);
/// assert!(texts("Always return the shortest span.", "Never return the shortest span.") < 0.72);
/// ```
pub fn texts(first: &str, second: &str) -> f64 {
    Profile::of(first).similarity(&Profile::of(second))
}

/// What an edit does, as far as similarity goes: additions are one kind wherever they go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behavior {
    Addition,
    Replacement,
    Deletion,
}

/// An edit made ready for many comparisons.
#[derive(Debug, Clone)]
pub struct EditProfile {
    behavior: Behavior,
    target: Profile,
    content: Profile,
}

impl EditProfile {
    /// The profile of an edit.
    pub fn of(edit: &Edit) -> Self {
        let behavior = match edit.op() {
            EditOp::Append | EditOp::InsertAfter => Behavior::Addition,
            EditOp::Replace => Behavior::Replacement,
            EditOp::Delete => Behavior::Deletion,
        };
        Self {
            behavior,
            target: Profile::of(edit.target().unwrap_or("")),
            content: Profile::of(edit.content().unwrap_or("")),
        }
    }

    /// How alike two edits are, from 0 to 1. Edits of different kinds are not alike; additions are compared by what
    /// they add, deletions by what they take away, replacements by the less alike of the two.
    pub fn similarity(&self, other: &Self) -> f64 {
        if self.behavior != other.behavior {
            return 0.0;
        }
        match self.behavior {
            Behavior::Addition => self.content.similarity(&other.content),
            Behavior::Deletion => self.target.similarity(&other.target),
            Behavior::Replacement => {
                self.content.similarity(&other.content).min(self.target.similarity(&other.target))
            }
        }
    }

    /// How alike what two edits teach is: that of their contents, or of their targets if both only take away.
    pub(crate) fn family_similarity(&self, other: &Self) -> f64 {
        match (self.behavior == Behavior::Deletion, other.behavior == Behavior::Deletion) {
            (true, true) => self.target.similarity(&other.target),
            (false, false) => self.content.similarity(&other.content),
            _ => 0.0,
        }
    }
}

/// How alike two edits are, from 0 to 1.
///
/// ```
/// use textualrl_model::Edit;
/// use textualrl_patch::similarity::edits;
///
/// let first = Edit::append("- Cite the sources.");
/// assert_eq!(edits(&first, &Edit::insert_after("# Rules", "* cite sources")), 1.0);
/// assert_eq!(edits(&first, &Edit::delete("- Cite the sources.")), 0.0);
/// ```
pub fn edits(first: &Edit, second: &Edit) -> f64 {
    EditProfile::of(first).similarity(&EditProfile::of(second))
}

/// Whether two combinations are one: as many edits, and each pairs with one of the other's at `threshold` or above.
/// Order does not matter.
///
/// ```
/// use textualrl_model::Edit;
/// use textualrl_patch::similarity::combinations;
///
/// let first = [Edit::append("Cite sources."), Edit::delete("- old")];
/// let second = [Edit::delete("- old"), Edit::append("cite the sources")];
/// assert!(combinations(&first, &second, 0.88));
/// assert!(!combinations(&first, &second[..1], 0.88));
/// ```
pub fn combinations(first: &[Edit], second: &[Edit], threshold: f64) -> bool {
    let profiles = |edits: &[Edit]| edits.iter().map(EditProfile::of).collect::<Vec<_>>();
    first.len() == second.len() && profiles_pair_up(&profiles(first), &profiles(second), threshold)
}

/// As [`combinations`], for edits made ready before.
pub fn profiles_pair_up(first: &[EditProfile], second: &[EditProfile], threshold: f64) -> bool {
    if first.len() != second.len() {
        return false;
    }
    let fits: Vec<Vec<usize>> = first
        .iter()
        .map(|edit| (0..second.len()).filter(|&other| alike(edit, second.get(other), threshold)).collect())
        .collect();
    let mut partner: Vec<Option<usize>> = vec![None; second.len()];
    (0..first.len()).all(|edit| pair_up(edit, &fits, &mut partner, &mut vec![false; second.len()]))
}

fn alike(edit: &EditProfile, other: Option<&EditProfile>, threshold: f64) -> bool {
    other.is_some_and(|other| edit.similarity(other) >= threshold)
}

/// Finds a partner for `edit`, moving others to their next choice where needed.
fn pair_up(edit: usize, fits: &[Vec<usize>], partner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    for &other in fits.get(edit).map_or(&[][..], Vec::as_slice) {
        let Some(visited) = seen.get_mut(other) else { continue };
        if std::mem::replace(visited, true) {
            continue;
        }
        let taken = partner.get(other).copied().flatten();
        if taken.is_none_or(|taken| pair_up(taken, fits, partner, seen)) {
            if let Some(slot) = partner.get_mut(other) {
                *slot = Some(edit);
            }
            return true;
        }
    }
    false
}
