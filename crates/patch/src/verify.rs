//! What a result is held to, and which edits are to blame if it fails.
//!
//! Always holds: blame falls on edits whose own change breaks the rule, so that an innocent edit is never taken out for
//! another; of several it falls on the last, in order of place for seams and in list order for size and lost texts.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::ApplyOptions;
use crate::assemble::{Assembly, Held};
use crate::document::Document;
use crate::fate::{Refusal, RefusalReason};
use crate::protect::{Markers, front_matter};
use crate::text::{piece, preview};

type Culprits = BTreeMap<usize, Refusal>;

/// The edits that must be taken out before the result can stand; none if it stands.
pub(crate) fn culprits(
    document: &Document<'_>,
    markers: &Markers<'_>,
    options: &ApplyOptions,
    assembly: &Assembly,
) -> Culprits {
    let mut culprits = changed_markers(markers, assembly);
    new_front_matter(document, assembly, &mut culprits);
    for required in options.must_contain.iter().filter(|required| !required.is_empty()) {
        lost_text(document, required, assembly, &mut culprits);
    }
    if culprits.is_empty() {
        too_large(document, options, assembly, &mut culprits);
    }
    culprits
}

/// The last edit in order of place whose new text touches `range` of the result; so the order of the list does not
/// matter.
fn last_touching<'a>(held: impl Iterator<Item = &'a Held>, range: &Range<usize>) -> Option<usize> {
    let touches = |held: &&Held| held.result.start <= range.end && range.start <= held.result.end;
    held.filter(touches).last().map(|held| held.edit)
}

/// Protected regions are untouched, so a marker that reaches into new text or over a seam is a new one.
fn changed_markers(markers: &Markers<'_>, assembly: &Assembly) -> Culprits {
    let mut culprits = Culprits::new();
    let reach = markers.longest().saturating_sub(1);
    if markers.longest() == 0 {
        return culprits;
    }
    for (index, splice) in assembly.splices.iter().enumerate() {
        let start = floor(&assembly.text, splice.result.start.saturating_sub(reach));
        let end = ceiling(&assembly.text, splice.result.end + reach);
        for marker in markers.ranges(piece(&assembly.text, start..end)) {
            let marker = marker.start + start..marker.end + start;
            let inside = marker.start < splice.result.end && splice.result.start < marker.end;
            if !inside {
                continue;
            }
            let near = assembly.held.iter().skip(index.saturating_sub(reach));
            if let Some(edit) = last_touching(near, &marker) {
                let found = preview(piece(&assembly.text, marker), 80);
                let detail = format!("the result would have a new marker {found:?}");
                culprits.insert(edit, Refusal::new(RefusalReason::Marker, detail));
            }
        }
    }
    culprits
}

fn floor(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&offset| text.is_char_boundary(offset)).unwrap_or(0)
}

fn ceiling(text: &str, offset: usize) -> usize {
    (offset..text.len()).find(|&offset| text.is_char_boundary(offset)).unwrap_or(text.len())
}

fn new_front_matter(document: &Document<'_>, assembly: &Assembly, culprits: &mut Culprits) {
    if document.protection.front_matter.is_some() || document.text.trim().is_empty() {
        return;
    }
    if let Some(range) = front_matter(&assembly.text, document.body)
        && let Some(edit) = last_touching(assembly.held.iter(), &range)
    {
        let detail = "the text would start with a new front matter";
        culprits.insert(edit, Refusal::new(RefusalReason::FrontMatter, detail));
    }
}

fn lost_text(document: &Document<'_>, required: &str, assembly: &Assembly, culprits: &mut Culprits) {
    if memchr::memmem::find(assembly.text.as_bytes(), required.as_bytes()).is_some() {
        return;
    }
    let detail = format!("the result would not contain {:?}", preview(required, 80));
    let refusal = Refusal::new(RefusalReason::MustContain, detail);
    let mut overlapping: Vec<usize> = Vec::new();
    for (at, found) in document.text.match_indices(required) {
        let range = at..at + found.len();
        let touches = |base: &Range<usize>| {
            base.start < range.end && range.start < base.end
                || (base.is_empty() && range.contains(&base.start))
        };
        overlapping.extend(assembly.held.iter().filter(|held| touches(&held.base)).map(|held| held.edit));
    }
    match overlapping.iter().max() {
        Some(last) => {
            culprits.insert(*last, refusal);
        }
        // The base does not hold it either, so no edit can be left in.
        None => culprits.extend(assembly.held.iter().map(|held| (held.edit, refusal.clone()))),
    }
}

fn too_large(document: &Document<'_>, options: &ApplyOptions, assembly: &Assembly, culprits: &mut Culprits) {
    let bytes = options.max_bytes.unwrap_or(u64::MAX);
    let limit = bytes.min(options.max_tokens.map_or(u64::MAX, |tokens| tokens.saturating_mul(4)));
    let size = assembly.text.len() as u64;
    if size <= limit {
        return;
    }
    let mut excess = size - limit;
    let growth = |held: &Held| (held.result.len() as u64).saturating_sub(held.base.len() as u64);
    let mut growing: Vec<&Held> = assembly.held.iter().filter(|held| growth(held) > 0).collect();
    growing.sort_by_key(|held| held.edit);
    while let Some(held) = growing.pop().filter(|_| excess > 0) {
        let detail = format!(
            "the result would have {size} bytes, and at most {limit} are allowed; the base has {}",
            document.text.len()
        );
        culprits.insert(held.edit, Refusal::new(RefusalReason::TooLarge, detail));
        excess = excess.saturating_sub(growth(held));
    }
}
