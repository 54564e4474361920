//! Edit families: edits that teach the same, over all candidates of a run.
//!
//! Always holds: families are a pure function of the history; one candidate counts once for a family, and the same
//! candidate counts once however often it was tried; an accepted edit releases its family.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use textualrl_model::Edit;
use textualrl_model::settings::PatchSettings;

use crate::similarity::EditProfile;

/// How many wordings of a family are kept.
const MOST_VARIANTS: usize = 8;

/// A candidate that was validated earlier in the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastCandidate {
    /// Its edits.
    pub edits: Vec<Edit>,
    /// Whether it was adopted.
    pub accepted: bool,
}

/// Edits that teach the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditFamily {
    /// Its wordings, the first seen first; at most eight.
    pub variants: Vec<Edit>,
    /// The distinct candidates with one of them that were rejected.
    pub rejected: u32,
    /// The distinct candidates with one of them that were accepted.
    pub accepted: u32,
    /// Whether edits of the family are dropped.
    pub blocked: bool,
}

/// The families of a run's candidates, which are given in order. An edit belongs to the family with the most similar
/// wording at `family_similarity` or above. A family is blocked once `family_rejections` distinct candidates with it
/// were rejected and none accepted; 0 never blocks.
///
/// ```
/// use textualrl_model::Edit;
/// use textualrl_patch::{PastCandidate, families};
/// # let settings = textualrl_model::settings::PatchSettings {
/// #     max_edits: 4, min_edits: 2, combination_similarity: 0.88, family_similarity: 0.72, family_rejections: 3,
/// #     protected: Vec::new(), must_contain: Vec::new(), max_bytes: 0,
/// # };
/// let rejected = |companion: &str| PastCandidate {
///     edits: vec![Edit::append("Be brief."), Edit::append(companion)],
///     accepted: false,
/// };
/// let mut history = vec![rejected("Cite sources."), rejected("Use SI units."), rejected("Show the year.")];
/// let found = families(&history, &settings);
/// assert!(found[0].blocked && !found[1].blocked);
/// history.push(PastCandidate { edits: vec![Edit::append("be brief")], accepted: true });
/// assert!(!families(&history, &settings)[0].blocked);
/// ```
pub fn families(history: &[PastCandidate], settings: &PatchSettings) -> Vec<EditFamily> {
    let mut families: Vec<(EditFamily, Vec<EditProfile>)> = Vec::new();
    let mut seen = BTreeSet::new();
    for candidate in history {
        if !seen.insert((candidate.accepted, identity(&candidate.edits))) {
            continue;
        }
        let mut counted = BTreeSet::new();
        for edit in &candidate.edits {
            let family = join(&mut families, edit, settings.family_similarity);
            if counted.insert(family)
                && let Some((family, _)) = families.get_mut(family)
            {
                if candidate.accepted { family.accepted += 1 } else { family.rejected += 1 }
            }
        }
    }
    let threshold = settings.family_rejections;
    let settled = |(family, _): (EditFamily, _)| EditFamily {
        blocked: threshold > 0 && family.rejected >= threshold && family.accepted == 0,
        ..family
    };
    families.into_iter().map(settled).collect()
}

/// What makes two candidates the same: their edits, in any order.
fn identity(edits: &[Edit]) -> BTreeSet<String> {
    edits.iter().map(|edit| format!("{:?}", edit.action)).collect()
}

/// The position of the edit's family, which is made if there is none.
fn join(families: &mut Vec<(EditFamily, Vec<EditProfile>)>, edit: &Edit, threshold: f64) -> usize {
    let profile = EditProfile::of(edit);
    let mut best: Option<(usize, f64)> = None;
    for (index, (_, variants)) in families.iter().enumerate() {
        let score = closest(&profile, variants);
        if score >= threshold && best.is_none_or(|(_, highest)| score > highest) {
            best = Some((index, score));
        }
    }
    let Some((index, score)) = best else {
        let family = EditFamily { variants: vec![edit.clone()], rejected: 0, accepted: 0, blocked: false };
        families.push((family, vec![profile]));
        return families.len() - 1;
    };
    if score < 1.0
        && let Some((family, variants)) =
            families.get_mut(index).filter(|(family, _)| family.variants.len() < MOST_VARIANTS)
    {
        family.variants.push(edit.clone());
        variants.push(profile);
    }
    index
}

pub(crate) fn closest(profile: &EditProfile, variants: &[EditProfile]) -> f64 {
    variants.iter().map(|variant| profile.family_similarity(variant)).fold(0.0, f64::max)
}
