//! Which changes go together, and in what order they stand in the text.
//!
//! Always holds: the plan does not depend on the order of edits that touch different places; where two overlap, the
//! one that comes first in the list stays.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use textualrl_model::{Action, Edit};

use crate::document::{Document, Kind};
use crate::fate::{Fate, NoChangeReason, Refusal, RefusalReason};
use crate::resolve::{Change, Planned};
use crate::text::{
    after_blank_lines, before_blank_lines, line_at, piece, with_line_ending, without_outer_breaks,
};

/// A change with the edit that it belongs to.
#[derive(Debug, Clone)]
pub(crate) struct Step<'p, 'a> {
    pub(crate) edit: usize,
    pub(crate) range: Range<usize>,
    pub(crate) what: What<'p, 'a>,
}

/// What happens at a step.
#[derive(Debug, Clone)]
pub(crate) enum What<'p, 'a> {
    /// A change that an edit asks for.
    Change(&'p Change<'a>),
    /// A heading that lost its last content goes.
    EmptyHeading,
}

impl Step<'_, '_> {
    /// Whether whole lines go.
    pub(crate) fn drops(&self) -> bool {
        matches!(self.what, What::EmptyHeading | What::Change(Change::Drop { .. }))
    }

    /// Whether lines come.
    pub(crate) fn inserts(&self) -> bool {
        matches!(self.what, What::Change(Change::Insert { .. }))
    }
}

/// Turns insertions into no-ops whose text stands at their place already, or that an earlier edit puts there.
pub(crate) fn settle_repeats(
    document: &Document<'_>,
    edits: &[&Edit],
    planned: &mut [Result<Planned<'_>, Fate>],
) {
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (edit, planned) in planned.iter().enumerate() {
        if let Ok(Planned { change: Change::Insert { at, .. }, .. }) = planned {
            groups.entry(*at).or_default().push(edit);
        }
    }
    let added = Added::of(document, edits);
    for (at, edits) in groups {
        let there = added.at(document, at);
        let mut seen = BTreeSet::new();
        for edit in edits {
            let Some(slot) = planned.get_mut(edit) else { continue };
            let Ok(Planned { change, .. }) = &*slot else { continue };
            let detail = if there.contains(change.text()) {
                "the text stands there already"
            } else if !seen.insert(change.text().to_owned()) {
                "an earlier edit of the patch adds the same text there"
            } else {
                continue;
            };
            *slot = Err(Fate::NoChange { reason: NoChangeReason::AlreadyPresent, detail: detail.to_owned() });
        }
    }
}

/// What the patch adds anywhere, by first line: whatever of it stands at a place was put there by the same patch.
struct Added<'a> {
    by_first_line: BTreeMap<String, Vec<Cow<'a, str>>>,
}

impl<'a> Added<'a> {
    fn of(document: &Document<'_>, edits: &[&'a Edit]) -> Self {
        let ending = document.line_ending(document.body);
        let mut by_first_line: BTreeMap<String, Vec<Cow<'a, str>>> = BTreeMap::new();
        for edit in edits {
            if let Action::Append { content, .. } | Action::InsertAfter { content, .. } = &edit.action {
                let content = with_line_ending(without_outer_breaks(content), ending);
                let first = content.lines().next().unwrap_or("").to_owned();
                by_first_line.entry(first).or_default().push(content);
            }
        }
        Self { by_first_line }
    }

    /// The contents that follow `at`, one after the other.
    fn at(&self, document: &Document<'_>, at: usize) -> BTreeSet<&str> {
        let text = document.text;
        let mut there = BTreeSet::new();
        let mut offset = after_blank_lines(text, at);
        while offset < text.len() {
            let Some(candidates) = self.by_first_line.get(line_at(text, offset).text(text)) else { break };
            let stands = |content: &&Cow<'a, str>| {
                let end = offset + content.len();
                piece(text, offset..end) == content.as_ref() && line_at(text, end).end == end
            };
            let Some(content) = candidates.iter().filter(stands).max_by_key(|content| content.len()) else {
                break;
            };
            there.insert(content.as_ref());
            offset = after_blank_lines(text, line_at(text, offset + content.len()).next);
        }
        there
    }
}

/// Refuses edits that overlap one earlier in the list; gives the others in order of place.
pub(crate) fn order<'p, 'a>(
    planned: &'p [Result<Planned<'a>, Fate>],
    taken_out: &BTreeMap<usize, Fate>,
) -> (Vec<Step<'p, 'a>>, BTreeMap<usize, Fate>) {
    let mut taken: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let mut points: BTreeMap<usize, usize> = BTreeMap::new();
    let mut steps = Vec::new();
    let mut overlapping = BTreeMap::new();
    for (edit, planned) in planned.iter().enumerate() {
        let Ok(planned) = planned else { continue };
        if taken_out.contains_key(&edit) {
            continue;
        }
        let range = planned.change.range();
        if let Some(other) = conflict(&range, &taken, &points) {
            let detail = format!("it overlaps edit {} of the list", other + 1);
            overlapping.insert(edit, Fate::Refused(Refusal::new(RefusalReason::Overlap, detail)));
            continue;
        }
        if range.is_empty() {
            points.entry(range.start).or_insert(edit);
        } else {
            taken.insert(range.start, (range.end, edit));
        }
        steps.push(Step { edit, range, what: What::Change(&planned.change) });
    }
    steps.sort_by_key(|step| (step.range.start, step.range.end, step.edit));
    (steps, overlapping)
}

/// The edit whose place overlaps `range`.
fn conflict(
    range: &Range<usize>,
    taken: &BTreeMap<usize, (usize, usize)>,
    points: &BTreeMap<usize, usize>,
) -> Option<usize> {
    let before = taken.range(..range.end.max(range.start)).next_back();
    if let Some((start, (end, edit))) = before
        && *end > range.start
        && (!range.is_empty() || *start < range.start)
    {
        return Some(*edit);
    }
    if range.is_empty() {
        return None;
    }
    points.range(range.start + 1..range.end).next().map(|(_, edit)| *edit)
}

/// Adds the headings whose sections the steps leave empty.
pub(crate) fn add_empty_headings<'p, 'a>(
    document: &Document<'_>,
    steps: Vec<Step<'p, 'a>>,
) -> Vec<Step<'p, 'a>> {
    let mut added = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        if step.drops()
            && let Some(level) = level_after(document, &steps, index)
        {
            headings_before(document, &steps, index, level, &mut added);
        }
    }
    if added.is_empty() {
        return steps;
    }
    let mut steps = steps;
    steps.append(&mut added);
    steps.sort_by_key(|step| (step.range.start, step.range.end, step.edit));
    steps
}

/// The level of the heading that follows the dropped lines of step `index`, 0 at the end of the text, or none if
/// something else follows or comes.
fn level_after(document: &Document<'_>, steps: &[Step<'_, '_>], index: usize) -> Option<usize> {
    let step = steps.get(index)?;
    let next = after_blank_lines(document.text, step.range.end);
    if steps
        .get(index + 1)
        .is_some_and(|later| later.range.start <= next && (later.drops() || later.inserts()))
    {
        return None;
    }
    if next >= document.text.len() {
        return Some(0);
    }
    document.heading_level(document.line(next))
}

fn headings_before<'p, 'a>(
    document: &Document<'_>,
    steps: &[Step<'p, 'a>],
    index: usize,
    level: usize,
    added: &mut Vec<Step<'p, 'a>>,
) {
    let Some(owner) = steps.get(index).map(|step| step.edit) else { return };
    let mut earlier = index;
    let mut offset = steps.get(index).map_or(0, |step| step.range.start);
    loop {
        let floor = document.body;
        let start = before_blank_lines(document.text, offset, floor);
        match earlier.checked_sub(1).and_then(|earlier| steps.get(earlier)) {
            Some(step) if step.drops() && step.range.end >= start => {
                earlier -= 1;
                offset = step.range.start;
                continue;
            }
            Some(step) if step.range.end >= start => return,
            _ => {}
        }
        if start <= floor {
            return;
        }
        let line = document.line(start - 1);
        let Kind::Heading(found) = document.kind(line) else { return };
        let touched = earlier
            .checked_sub(1)
            .and_then(|earlier| steps.get(earlier))
            .is_some_and(|step| step.range.end > line.start);
        let range = line.start..line.next;
        if found < level
            || (level == 0 && found == 0)
            || touched
            || document.protection.touched(&range).is_some()
        {
            return;
        }
        added.push(Step { edit: owner, range: range.clone(), what: What::EmptyHeading });
        offset = range.start;
    }
}
