//! The patch stage (Algorithm 1, line 6): from ranked edits to a candidate context.
//!
//! Whole edits that depend on unavailable information, name an id or belong to a blocked family are dropped. In ranked
//! order the first edits that apply are taken, up to the budget, so that a dropped or refused edit makes room for the
//! next. If the combination repeats one that was rejected, its last edit gives way to the next in rank.
//!
//! Always holds: every ranked edit has exactly one fate; the candidate is what [`apply`](crate::apply) makes of the
//! patch on the base; nothing here knows files, models or time.

use serde::{Deserialize, Serialize};
use textualrl_model::settings::PatchSettings;
use textualrl_model::{Context, Edit, EditId, Patch, SkipReason};

use crate::apply::{Applied, apply_edits};
use crate::difference::unified_diff;
use crate::family::closest;
use crate::fate::{AppliedEdit, Fate, NoChangeReason, Refusal, RefusalReason};
use crate::inverse::InversePatch;
use crate::observability::{Dependency, edit_dependency, named_identifier};
use crate::options::ApplyOptions;
use crate::protect::MarkerFlaw;
use crate::similarity::{EditProfile, profiles_pair_up};

/// What the stage works from.
#[derive(Debug, Clone, Copy)]
pub struct ComposeInput<'a> {
    /// The active context.
    pub base: &'a Context,
    /// The reviewed edits, the best first.
    pub ranked: &'a [RankedEdit],
    /// The largest number of edits, L.
    pub budget: u32,
    /// The combinations that were rejected in this epoch.
    pub rejected: &'a [Vec<Edit>],
    /// The wordings of each blocked family.
    pub blocked_families: &'a [Vec<Edit>],
    /// Ids of tasks, rollouts and cards; no edit may name one.
    pub identifiers: &'a [String],
    /// Thresholds, protected markers and limits.
    pub settings: &'a PatchSettings,
}

/// An edit with its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankedEdit {
    /// The edit's id within the step.
    pub id: EditId,
    /// The edit.
    pub edit: Edit,
}

/// What the stage decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Composition {
    /// What became of each edit, in ranked order.
    pub fates: Vec<EditFate>,
    /// The edits that were taken, in ranked order, with the base's fingerprint.
    pub patch: Patch,
    /// The candidate, or why there is none.
    pub outcome: ComposeOutcome,
    /// Flaws in the markers of the base.
    pub flaws: Vec<MarkerFlaw>,
}

/// A candidate, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum ComposeOutcome {
    /// A candidate to validate.
    Candidate {
        /// The candidate context.
        context: Context,
        /// The change as a unified diff.
        diff: String,
        /// What restores the base.
        inverse: InversePatch,
    },
    /// The step ends here.
    Skipped {
        /// Why.
        reason: SkipReason,
    },
}

/// An edit and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EditFate {
    /// The edit's id.
    pub id: EditId,
    /// The edit.
    pub edit: Edit,
    /// What became of it.
    pub fate: StageFate,
}

/// What the stage did with an edit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "fate")]
pub enum StageFate {
    /// It is part of the candidate.
    Taken {
        /// Where its text is.
        place: AppliedEdit,
    },
    /// Enough edits stood before it.
    OverBudget,
    /// It depends on information that is unavailable at run time.
    Unobservable {
        /// The phrase and the explanation.
        dependency: Dependency,
    },
    /// It names a task, a rollout or a card.
    NamesIdentifier {
        /// The id.
        identifier: String,
    },
    /// It belongs to a family that was rejected too often.
    BlockedFamily {
        /// The position of the family among the blocked ones, from 0.
        family: usize,
        /// The similarity to the family's closest wording, from 0 to 1.
        similarity: f64,
    },
    /// It does not apply.
    Refused {
        /// Why.
        refusal: Refusal,
    },
    /// It would change nothing.
    NoChange {
        /// Why.
        reason: NoChangeReason,
        /// Where, or what to know.
        detail: String,
    },
    /// The combination with it repeats one that was rejected.
    GaveWay {
        /// The position of that combination among the rejected ones, from 0.
        combination: usize,
    },
}

/// Decides the patch and the candidate.
///
/// ```
/// use textualrl_model::{Context, Edit, EditId};
/// use textualrl_patch::{ComposeInput, ComposeOutcome, RankedEdit, StageFate, compose};
/// # let settings = textualrl_model::settings::PatchSettings {
/// #     max_edits: 4, min_edits: 2, combination_similarity: 0.88, family_similarity: 0.72, family_rejections: 3,
/// #     protected: Vec::new(), must_contain: Vec::new(), max_bytes: 0,
/// # };
/// let ranked = |id: &str, edit| RankedEdit { id: EditId::new(id).unwrap(), edit };
/// let ranked =
///     [ranked("m-1", Edit::append("Match the gold answer.")), ranked("m-2", Edit::append("Cite sources."))];
/// let base = Context::new("Be brief.\n");
/// let composition = compose(&ComposeInput {
///     base: &base, ranked: &ranked, budget: 1, rejected: &[], blocked_families: &[], identifiers: &[],
///     settings: &settings,
/// });
/// assert!(matches!(composition.fates[0].fate, StageFate::Unobservable { .. }));
/// assert!(matches!(composition.outcome, ComposeOutcome::Candidate { .. }));
/// ```
pub fn compose(input: &ComposeInput<'_>) -> Composition {
    let options = ApplyOptions::from(input.settings);
    let mut stage = Stage::new(input, &options);
    stage.drop_unfit();
    stage.take();
    stage.finish()
}

struct Stage<'a> {
    input: &'a ComposeInput<'a>,
    options: &'a ApplyOptions,
    profiles: Vec<EditProfile>,
    rejected: Vec<Vec<EditProfile>>,
    /// Why each edit is out of the patch, as far as is known.
    out: Vec<Option<StageFate>>,
    taken: Vec<usize>,
}

impl<'a> Stage<'a> {
    fn new(input: &'a ComposeInput<'a>, options: &'a ApplyOptions) -> Self {
        Self {
            input,
            options,
            profiles: input.ranked.iter().map(|ranked| EditProfile::of(&ranked.edit)).collect(),
            rejected: input
                .rejected
                .iter()
                .map(|edits| edits.iter().map(EditProfile::of).collect())
                .collect(),
            out: vec![None; input.ranked.len()],
            taken: Vec::new(),
        }
    }

    /// Drops what must not be in any patch, whatever room there is.
    fn drop_unfit(&mut self) {
        let families: Vec<Vec<EditProfile>> = self
            .input
            .blocked_families
            .iter()
            .map(|edits| edits.iter().map(EditProfile::of).collect())
            .collect();
        let unfit = |(ranked, profile): (&RankedEdit, &EditProfile)| {
            if let Some(dependency) = edit_dependency(&ranked.edit) {
                return Some(StageFate::Unobservable { dependency });
            }
            let identifiers = self.input.identifiers.iter().map(String::as_str);
            let named = ranked.edit.content().and_then(|content| named_identifier(content, identifiers));
            if let Some(identifier) = named {
                return Some(StageFate::NamesIdentifier { identifier: identifier.to_owned() });
            }
            self.blocked_family(&families, profile)
        };
        self.out = self.input.ranked.iter().zip(&self.profiles).map(unfit).collect();
    }

    fn blocked_family(&self, families: &[Vec<EditProfile>], profile: &EditProfile) -> Option<StageFate> {
        let similarities = families.iter().map(|variants| closest(profile, variants)).enumerate();
        let (family, similarity) = similarities.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        (similarity >= self.input.settings.family_similarity)
            .then_some(StageFate::BlockedFamily { family, similarity })
    }

    /// Takes the first edits that apply and make no rejected combination.
    fn take(&mut self) {
        let mut next = 0;
        loop {
            self.fill(next);
            let Some(combination) = self.repeated_combination() else { return };
            let Some(last) = self.taken.pop() else { return };
            self.set_out(last, StageFate::GaveWay { combination });
            next = last + 1;
        }
    }

    /// Takes edits from position `next` on while there is room.
    fn fill(&mut self, next: usize) {
        for index in next..self.input.ranked.len() {
            if self.taken.len() >= self.input.budget as usize {
                return;
            }
            let is_unfit = self.out.get(index).and_then(Option::as_ref).is_some_and(|fate| {
                !matches!(
                    fate,
                    StageFate::GaveWay { .. } | StageFate::Refused { .. } | StageFate::NoChange { .. }
                )
            });
            if is_unfit {
                continue;
            }
            self.taken.push(index);
            if let Err(fate) = self.latest_applies() {
                self.taken.pop();
                self.set_out(index, fate);
            }
        }
    }

    fn set_out(&mut self, index: usize, fate: StageFate) {
        if let Some(slot) = self.out.get_mut(index) {
            *slot = Some(fate);
        }
    }

    /// Whether the edit taken last applies beside the others, all of which must still apply.
    fn latest_applies(&self) -> Result<(), StageFate> {
        let refused = |refusal: Refusal| StageFate::Refused { refusal };
        let applied =
            self.applied().map_err(|detail| refused(Refusal::new(RefusalReason::Withheld, detail)))?;
        let mut fates = applied.fates.into_iter().rev();
        match fates.next() {
            Some(Fate::Refused(refusal)) => return Err(refused(refusal)),
            Some(Fate::NoChange { reason, detail }) => return Err(StageFate::NoChange { reason, detail }),
            _ => {}
        }
        match fates.find(|fate| !fate.is_applied()) {
            Some(Fate::Refused(refusal)) => Err(refused(refusal)),
            Some(_) => {
                Err(refused(Refusal::new(RefusalReason::Overlap, "an edit before it would change nothing")))
            }
            None => Ok(()),
        }
    }

    fn taken_edits(&self) -> Vec<&Edit> {
        self.taken
            .iter()
            .filter_map(|&index| self.input.ranked.get(index))
            .map(|ranked| &ranked.edit)
            .collect()
    }

    fn applied(&self) -> Result<Applied, String> {
        apply_edits(self.input.base, None, &self.taken_edits(), self.options)
            .map_err(|error| error.to_string())
    }

    fn repeated_combination(&self) -> Option<usize> {
        if self.taken.is_empty() {
            return None;
        }
        let profiles: Vec<EditProfile> =
            self.taken.iter().filter_map(|&index| self.profiles.get(index)).cloned().collect();
        let threshold = self.input.settings.combination_similarity;
        self.rejected.iter().position(|rejected| profiles_pair_up(&profiles, rejected, threshold))
    }

    fn finish(self) -> Composition {
        let applied = self.applied().ok();
        let places: Vec<AppliedEdit> = applied
            .iter()
            .flat_map(|applied| &applied.fates)
            .filter_map(|fate| match fate {
                Fate::Applied(place) => Some(place.clone()),
                _ => None,
            })
            .collect();
        let mut places = self.taken.iter().copied().zip(places);
        let mut place = places.next();
        let mut fates = Vec::new();
        for (index, ranked) in self.input.ranked.iter().enumerate() {
            let fate = match place.take_if(|(taken, _)| *taken == index) {
                Some((_, found)) => {
                    place = places.next();
                    StageFate::Taken { place: found }
                }
                None => self.out.get(index).cloned().flatten().unwrap_or(StageFate::OverBudget),
            };
            fates.push(EditFate { id: ranked.id.clone(), edit: ranked.edit.clone(), fate });
        }
        let edits = self.taken_edits().into_iter().cloned().collect();
        let patch = Patch { base: Some(self.input.base.fingerprint()), edits };
        let flaws = applied.as_ref().map_or_else(Vec::new, |applied| applied.flaws.clone());
        let outcome = match applied {
            Some(applied) if !patch.edits.is_empty() && applied.context != *self.input.base => {
                ComposeOutcome::Candidate {
                    diff: unified_diff(self.input.base, &applied.context, "base", "candidate"),
                    context: applied.context,
                    inverse: applied.inverse,
                }
            }
            _ => ComposeOutcome::Skipped { reason: skip_reason(&fates) },
        };
        Composition { fates, patch, outcome, flaws }
    }
}

fn skip_reason(fates: &[EditFate]) -> SkipReason {
    let changes_nothing =
        |fate: &EditFate| matches!(fate.fate, StageFate::NoChange { .. } | StageFate::Taken { .. });
    match fates {
        [] => SkipReason::NoProposals,
        fates if fates.iter().all(changes_nothing) => SkipReason::CandidateEqualsBase,
        _ => SkipReason::NoEditsLeft,
    }
}
