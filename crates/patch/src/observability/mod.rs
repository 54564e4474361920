//! The observability filter: instructions that need what does not exist at run time.
//!
//! An edit that tells the agent to match the gold answer, or to revise after the grader's feedback, cannot be followed
//! when the agent works alone. [`dependency`] finds such a phrase by a table of phrase families ([`Family`]). A
//! prohibition ("never use the gold answer") and a word of the tasks' own domain ("the test results column") are no
//! dependency.
//!
//! Always holds: the filter reads text and nothing else, so that the same sentence always gets the same verdict; each
//! verdict names the family, the phrase and why it cannot be observed.
//!
//! Known misses: other languages than English; wishes without any of the families' words ("give what they want to
//! hear"); two instructions joined by "and" after a prohibition ("do not paraphrase and match the gold answer" passes);
//! domain words far from any word of place ("report the test score") are blocked.

mod family;
mod identifier;
mod phrase;
mod prohibition;
mod rules;
mod words;

use std::ops::Range;

use serde::{Deserialize, Serialize};
use textualrl_model::Edit;

pub use family::Family;
pub use identifier::named_identifier;

use words::words_of;

/// A phrase that depends on information that is unavailable at run time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependency {
    /// The family that the phrase is of.
    pub family: Family,
    /// The phrase's bytes in the text.
    pub bytes: Range<usize>,
    /// The phrase as it stands.
    pub phrase: String,
    /// Why it cannot be followed at run time.
    pub explanation: String,
}

/// The first phrase of `text` that depends on information that is unavailable at run time.
///
/// ```
/// use textualrl_patch::observability::{Family, dependency};
///
/// let found = dependency("Revise until it matches the gold answer.").unwrap();
/// assert_eq!(found.family, Family::GoldAnswer);
/// assert_eq!(found.phrase, "gold answer");
/// assert_eq!(dependency("Never use the gold answer."), None);
/// assert_eq!(dependency("Copy the test results column."), None);
/// ```
pub fn dependency(text: &str) -> Option<Dependency> {
    let words = words_of(text);
    let mut first: Option<(usize, usize, Family)> = None;
    for rule in rules::rules() {
        for start in 0..words.len() {
            if first.is_some_and(|(earliest, _, _)| earliest <= start) {
                break;
            }
            let Some(end) = rule.phrase.end_at(&words, start) else { continue };
            if rule.applies(&words, start, end) && !prohibition::excuses(&words, start, end) {
                first = Some((start, end, rule.family));
            }
        }
    }
    let (start, end, family) = first?;
    let bytes = words.get(start)?.bytes.start..words.get(end.checked_sub(1)?)?.bytes.end;
    let phrase = text.get(bytes.clone())?.to_owned();
    Some(Dependency { family, bytes, phrase, explanation: family.explanation().to_owned() })
}

/// The dependency of an edit: that of its content. A deletion has none, whatever it takes away.
///
/// ```
/// use textualrl_model::Edit;
/// use textualrl_patch::observability::edit_dependency;
///
/// assert!(edit_dependency(&Edit::append("Consult the answer key.")).is_some());
/// assert!(edit_dependency(&Edit::delete("Consult the answer key.")).is_none());
/// ```
pub fn edit_dependency(edit: &Edit) -> Option<Dependency> {
    edit.content().and_then(dependency)
}
