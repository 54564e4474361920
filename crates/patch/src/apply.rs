//! Applying a patch: all targets are found in the base, then all changes are made together.
//!
//! Always holds: every edit has a fate, in list order; protected bytes are in the result as they were; the inverse
//! restores the base byte for byte.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use textualrl_model::{Context, Edit, Fingerprint, Patch};

use crate::ApplyOptions;
use crate::assemble::{Assembly, Held, assemble};
use crate::document::Document;
use crate::fate::{AppliedEdit, Fate, Refusal, RefusalReason};
use crate::inverse::InversePatch;
use crate::locate::{Finder, last_byte};
use crate::plan::{add_empty_headings, order, settle_repeats};
use crate::protect::{MarkerFlaw, Markers};
use crate::resolve::{Planned, resolve};
use crate::text::line_numbers;
use crate::verify::culprits;

/// What came of a patch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// The result.
    pub context: Context,
    /// The fate of each edit, in list order.
    pub fates: Vec<Fate>,
    /// What restores the base.
    pub inverse: InversePatch,
    /// The fingerprints of base and result, if they were asked for.
    pub fingerprints: Option<Fingerprints>,
    /// Flaws in the markers of the base.
    pub flaws: Vec<MarkerFlaw>,
}

/// The fingerprints of an application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprints {
    /// Of the base.
    pub base: Fingerprint,
    /// Of the result.
    pub result: Fingerprint,
}

impl Applied {
    /// Whether the result differs from the base.
    pub fn changed(&self) -> bool {
        !self.inverse.splices.is_empty()
    }
}

/// Why nothing of a patch was applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// The patch names another base.
    #[error(
        "the patch is for base {named}, and this is {found}; give the right base, or allow another (rebase)"
    )]
    OtherBase {
        /// The base that the patch names.
        named: Fingerprint,
        /// The base that was given.
        found: Fingerprint,
    },
    /// All or nothing was asked for, and an edit was refused.
    #[error("nothing applied: {refused} of {} edits refused, first edit {}: {first}", fates.len(), index + 1)]
    Incomplete {
        /// How many edits were refused for reasons of their own.
        refused: usize,
        /// The position of the first of them, from 0.
        index: usize,
        /// Why it was refused.
        first: Refusal,
        /// The fate of each edit; those that would apply are withheld.
        fates: Vec<Fate>,
    },
}

/// Applies a patch to a base.
///
/// # Errors
/// If the patch names another base and `rebase` is off, or if an edit is refused under `all_or_nothing`. A refused
/// edit is otherwise no error: its fate says why, and the others are applied.
///
/// ```
/// use textualrl_model::{Context, Edit, Patch};
/// use textualrl_patch::{ApplyOptions, apply};
///
/// let base = Context::new("# Rules\n- Be brief.\n");
/// let patch = Patch { base: None, edits: vec![Edit::insert_after("- Be brief.", "- Cite sources.")] };
/// let applied = apply(&base, &patch, &ApplyOptions::default()).unwrap();
/// assert_eq!(applied.context.text(), "# Rules\n- Be brief.\n- Cite sources.\n");
/// assert!(applied.fates[0].is_applied());
/// ```
pub fn apply(base: &Context, patch: &Patch, options: &ApplyOptions) -> Result<Applied, ApplyError> {
    let edits: Vec<&Edit> = patch.edits.iter().collect();
    apply_edits(base, patch.base.as_ref(), &edits, options)
}

pub(crate) fn apply_edits(
    base: &Context,
    named: Option<&Fingerprint>,
    edits: &[&Edit],
    options: &ApplyOptions,
) -> Result<Applied, ApplyError> {
    let named = named.filter(|_| !options.rebase);
    let base_fingerprint = (options.fingerprints || named.is_some()).then(|| base.fingerprint());
    if let (Some(named), Some(found)) = (named, &base_fingerprint)
        && named != found
    {
        return Err(ApplyError::OtherBase { named: named.clone(), found: found.clone() });
    }
    let markers = Markers::new(&options.protected);
    let document = Document::new(base.text(), &markers);
    let mut planned = resolve(&document, &Finder::new(&document), edits);
    settle_repeats(&document, edits, &mut planned);
    let (assembly, refused) = settle(&document, &markers, &planned, options);
    let fates = fates(&planned, refused, &assembly);
    if options.all_or_nothing {
        all_or_nothing(&fates)?;
    }
    let mut inverse = InversePatch::of(base.text(), &assembly.text, &assembly.splices);
    let context = Context::new(assembly.text);
    let fingerprints = options.fingerprints.then(|| Fingerprints {
        base: base_fingerprint.unwrap_or_else(|| base.fingerprint()),
        result: context.fingerprint(),
    });
    if let Some(fingerprints) = &fingerprints {
        inverse.from = Some(fingerprints.result.clone());
        inverse.to = Some(fingerprints.base.clone());
    }
    Ok(Applied { context, fates, inverse, fingerprints, flaws: document.protection.flaws })
}

/// Makes the changes that go together, and takes out those that the result must not have.
fn settle(
    document: &Document<'_>,
    markers: &Markers<'_>,
    planned: &[Result<Planned<'_>, Fate>],
    options: &ApplyOptions,
) -> (Assembly, BTreeMap<usize, Fate>) {
    let mut taken_out: BTreeMap<usize, Fate> = BTreeMap::new();
    loop {
        let (mut steps, overlapping) = order(planned, &taken_out);
        if !options.keep_empty_headings {
            steps = add_empty_headings(document, steps);
        }
        let assembly = assemble(document, &steps);
        let culprits = culprits(document, markers, options, &assembly);
        if culprits.is_empty() {
            taken_out.extend(overlapping);
            return (assembly, taken_out);
        }
        taken_out.extend(culprits.into_iter().map(|(edit, refusal)| (edit, Fate::Refused(refusal))));
    }
}

fn fates(
    planned: &[Result<Planned<'_>, Fate>],
    mut refused: BTreeMap<usize, Fate>,
    assembly: &Assembly,
) -> Vec<Fate> {
    let ends = assembly.held.iter().flat_map(|held| [held.result.start, last_byte(&held.result)]);
    let lines = line_numbers(&assembly.text, ends);
    let places: BTreeMap<usize, (&Held, (usize, usize))> = assembly
        .held
        .iter()
        .zip(lines.chunks_exact(2))
        .filter_map(|(held, lines)| Some((held.edit, (held, (*lines.first()?, *lines.last()?)))))
        .collect();
    let fate_of = |(edit, planned): (usize, &Result<Planned<'_>, Fate>)| match planned {
        Err(fate) => fate.clone(),
        Ok(planned) => refused.remove(&edit).unwrap_or_else(|| {
            let (bytes, base_bytes, lines) =
                places.get(&edit).map_or((0..0, 0..0, (1, 1)), |(held, lines)| {
                    (held.result.clone(), held.base.clone(), *lines)
                });
            Fate::Applied(AppliedEdit { tier: planned.tier, bytes, lines, base_bytes })
        }),
    };
    planned.iter().enumerate().map(fate_of).collect()
}

fn all_or_nothing(fates: &[Fate]) -> Result<(), ApplyError> {
    let mut refusals = fates.iter().enumerate().filter_map(|(index, fate)| match fate {
        Fate::Refused(refusal) => Some((index, refusal)),
        _ => None,
    });
    let Some((index, first)) = refusals.next() else { return Ok(()) };
    let refused = refusals.count() + 1;
    let withheld = |fate: &Fate| match fate {
        Fate::Applied(_) => Fate::Refused(Refusal::new(RefusalReason::Withheld, "another edit was refused")),
        other => other.clone(),
    };
    let fates = fates.iter().map(withheld).collect();
    Err(ApplyError::Incomplete { refused, index, first: first.clone(), fates })
}
