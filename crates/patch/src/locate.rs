//! Finding the target of an edit: exactly once, or not at all.
//!
//! Always holds: a tier counts only if exactly one match exists in it; there is no guess, and a refusal names lines.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::ops::Range;

use textualrl_model::{Action, Anchor, Context, Edit};
use unicode_normalization::char::canonical_combining_class;

use crate::ApplyOptions;
use crate::document::Document;
use crate::fate::{Refusal, RefusalReason, Tier};
use crate::nearest::nearest_line;
use crate::normal::Normal;
use crate::protect::Markers;
use crate::search::{Hits, Pattern, SHOWN, occurrences};
use crate::section::{Section, Sections};
use crate::text::{piece, preview, trim_breaks};

/// Nearest lines are looked up for this many missing targets of a patch; later refusals do without.
const NEAREST_LOOKUPS: usize = 16;

/// Where a target is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// How it was found; none for `append`, which has no target.
    pub tier: Option<Tier>,
    /// Its bytes in the base. For `append`, the empty range at the end of the text or section.
    pub bytes: Range<usize>,
    /// Its first and last line, from 1.
    pub lines: (usize, usize),
}

/// Finds the one place in `base` that `edit` is about.
///
/// # Errors
/// If the target is blank, is not there, is there more than once, or no single heading fits `under`. The refusal
/// says so in words that can be shown to a model.
///
/// ```
/// use textualrl_patch::{ApplyOptions, RefusalReason, locate};
/// use textualrl_model::{Context, Edit};
///
/// let base = Context::new("# Rules\n- Be brief.\n");
/// let found = locate(&base, &Edit::delete("- Be brief."), &ApplyOptions::default()).unwrap();
/// assert_eq!(found.lines, (2, 2));
/// let refusal = locate(&base, &Edit::delete("- Be short."), &ApplyOptions::default()).unwrap_err();
/// assert_eq!(refusal.reason, RefusalReason::NotFound);
/// ```
pub fn locate(base: &Context, edit: &Edit, options: &ApplyOptions) -> Result<Located, Refusal> {
    let markers = Markers::new(&options.protected);
    let document = Document::new(base.text(), &markers);
    let finder = Finder::new(&document);
    let (tier, bytes) = match &edit.action {
        Action::Append { under, .. } if under.is_empty() => (None, base.text().len()..base.text().len()),
        Action::Append { under, .. } => {
            let end = finder.section(under)?.range.end;
            (None, end..end)
        }
        _ => {
            let found = finder.find(&[edit]).pop().flatten();
            let found = found
                .unwrap_or_else(|| Err(Refusal::new(RefusalReason::EmptyTarget, "there is no target")))?;
            (Some(found.tier), found.bytes)
        }
    };
    let lines = (finder.line_of(bytes.start), finder.line_of(last_byte(&bytes)));
    Ok(Located { tier, bytes, lines })
}

/// The last byte of a range, or its place if it is empty.
pub(crate) fn last_byte(range: &Range<usize>) -> usize {
    range.end.saturating_sub(1).max(range.start)
}

/// A target's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) tier: Tier,
    pub(crate) bytes: Range<usize>,
}

/// Finds targets in a document, and keeps what more than one search needs.
pub(crate) struct Finder<'a> {
    document: &'a Document<'a>,
    sections: OnceCell<Sections>,
    normal: OnceCell<Normal>,
    line_starts: OnceCell<Vec<usize>>,
    lookups: Cell<usize>,
}

type Outcome = Option<Result<Found, Refusal>>;

impl<'a> Finder<'a> {
    pub(crate) fn new(document: &'a Document<'a>) -> Self {
        Self {
            document,
            sections: OnceCell::new(),
            normal: OnceCell::new(),
            line_starts: OnceCell::new(),
            lookups: Cell::new(NEAREST_LOOKUPS),
        }
    }

    /// The number of the line that holds `offset`, from 1.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        let starts = self.line_starts.get_or_init(|| {
            memchr::memchr_iter(b'\n', self.document.text.as_bytes()).map(|newline| newline + 1).collect()
        });
        starts.partition_point(|&start| start <= offset) + 1
    }

    fn sections(&self) -> &Sections {
        self.sections.get_or_init(|| Sections::of(self.document))
    }

    /// The one section that `under` names.
    pub(crate) fn section(&self, under: &[String]) -> Result<Section, Refusal> {
        let mut found = self.sections().under(under);
        match (found.pop(), found.is_empty()) {
            (Some(section), true) => Ok(section),
            (None, _) => Err(self.no_heading(under)),
            (Some(last), false) => {
                let starts = found.iter().chain([&last]).map(|section| section.range.start);
                let lines = self.line_list(starts, found.len() + 1);
                let detail = format!("{} fits {lines}; name its parent headings too", path(under));
                Err(Refusal::new(RefusalReason::Heading, detail))
            }
        }
    }

    fn no_heading(&self, under: &[String]) -> Refusal {
        let detail = format!("no heading {} in the text", path(under));
        Refusal::new(RefusalReason::Heading, detail)
    }

    /// The place of each edit's target; none for edits without one. One pass over the text for all of them.
    pub(crate) fn find(&self, edits: &[&Edit]) -> Vec<Outcome> {
        let mut outcomes: Vec<Outcome> = vec![None; edits.len()];
        let mut scopes: BTreeMap<&[String], Vec<Range<usize>>> = BTreeMap::new();
        let mut wanted: Vec<(usize, &Anchor)> = Vec::new();
        for (index, edit) in edits.iter().enumerate() {
            let Some(anchor) = edit.anchor() else { continue };
            let under = anchor.under.as_slice();
            if !under.is_empty() && !scopes.contains_key(under) {
                let sections = self.sections().under(under);
                scopes.insert(under, sections.into_iter().map(|section| section.range).collect());
            }
            if anchor.target.trim().is_empty() {
                let refusal =
                    Refusal::new(RefusalReason::EmptyTarget, "empty target; write the text to find");
                set(&mut outcomes, index, Err(refusal));
            } else if scopes.get(under).is_some_and(Vec::is_empty) {
                set(&mut outcomes, index, Err(self.no_heading(under)));
            } else {
                wanted.push((index, anchor));
            }
        }
        self.find_exact(&scopes, &mut wanted, &mut outcomes, None);
        // A target of several lines that differs in its line endings alone is as good as exact, and is looked for
        // before anything else is folded.
        if wanted.iter().any(|(_, anchor)| anchor.target.contains('\n')) {
            let ending = if self.document.text.contains("\r\n") { "\r\n" } else { "\n" };
            self.find_exact(&scopes, &mut wanted, &mut outcomes, Some(ending));
        }
        if !wanted.is_empty() {
            self.find_normalized(&scopes, &wanted, &mut outcomes);
        }
        outcomes
    }

    /// Settles the targets that occur byte for byte, with their line endings or all with `ending`; leaves the others in
    /// `wanted`.
    fn find_exact(
        &self,
        scopes: &BTreeMap<&[String], Vec<Range<usize>>>,
        wanted: &mut Vec<(usize, &Anchor)>,
        outcomes: &mut [Outcome],
        ending: Option<&str>,
    ) {
        let tier = if ending.is_none() { Tier::Exact } else { Tier::Normalized };
        let forms: Vec<Cow<'_, str>> = wanted
            .iter()
            .map(|(_, anchor)| match ending {
                None => Cow::from(&anchor.target),
                Some(ending) => Cow::from(anchor.target.replace("\r\n", "\n").replace('\n', ending)),
            })
            .collect();
        let patterns: Vec<Pattern<'_>> = wanted
            .iter()
            .zip(&forms)
            .map(|((_, anchor), text)| Pattern { text, all: needs_all(anchor) })
            .collect();
        let mut hits = occurrences(self.document.text, &patterns).into_iter().zip(&forms);
        wanted.retain(|(index, anchor)| {
            let Some((hits, form)) = hits.next() else { return true };
            let length = form.len();
            let matches = self.counted(hits, scopes.get(anchor.under.as_slice()), |at| Some(at..at + length));
            self.choose(anchor, tier, &matches).map(|outcome| set(outcomes, *index, outcome)).is_none()
        });
    }

    fn find_normalized(
        &self,
        scopes: &BTreeMap<&[String], Vec<Range<usize>>>,
        wanted: &[(usize, &Anchor)],
        outcomes: &mut [Outcome],
    ) {
        let normal = self.normal.get_or_init(|| Normal::of(self.document.text));
        // A blank at the end of a target may be one within a line, which counts, or one at its end, which does not.
        let exactly: Vec<String> = wanted.iter().map(|(_, anchor)| normal_target(&anchor.target)).collect();
        let blanks: Vec<&str> = exactly.iter().map(|target| target.trim_end_matches([' ', '\t'])).collect();
        let patterns: Vec<Pattern<'_>> = exactly
            .iter()
            .map(String::as_str)
            .chain(blanks.iter().copied())
            .map(|text| Pattern { text, all: true })
            .collect();
        let mut hits = occurrences(&normal.text, &patterns);
        let trimmed_hits = hits.split_off(wanted.len());
        let tries = exactly.iter().zip(blanks).zip(hits.into_iter().zip(trimmed_hits));
        for ((index, anchor), ((exact, trimmed), (hits, trimmed_hits))) in wanted.iter().zip(tries) {
            let (length, hits) =
                if hits.count > 0 { (exact.len(), hits) } else { (trimmed.len(), trimmed_hits) };
            let original = |at: usize| normal.original_range(at..at + length);
            let matches = self.counted(hits, scopes.get(anchor.under.as_slice()), original);
            let outcome = self.choose(anchor, Tier::Normalized, &matches);
            set(outcomes, *index, outcome.unwrap_or_else(|| Err(self.missing(anchor))));
        }
    }

    /// The hits that lie in the scope and start and end between characters as people see them.
    fn counted(
        &self,
        hits: Hits,
        scope: Option<&Vec<Range<usize>>>,
        range: impl Fn(usize) -> Option<Range<usize>>,
    ) -> Matches {
        let kept = hits.places.len();
        let text = self.document.text;
        let within = |range: &Range<usize>| {
            let in_scope = scope.is_none_or(|scope| {
                scope.iter().any(|section| section.start <= range.start && range.end <= section.end)
            });
            let cuts =
                [range.start, range.end].iter().any(|&at| starts_with_mark(piece(text, at..text.len())));
            in_scope && range.start >= self.document.body && !cuts
        };
        let places: Vec<Range<usize>> = hits.places.into_iter().filter_map(range).filter(within).collect();
        let count = if places.len() == kept { hits.count } else { hits.count - (kept - places.len()) };
        Matches { places, count }
    }

    /// The place that is meant, a refusal if there are several, or none if the tier has no match.
    fn choose(&self, anchor: &Anchor, tier: Tier, matches: &Matches) -> Outcome {
        if matches.count == 0 {
            return None;
        }
        let found = |bytes: &Range<usize>| Ok(Found { tier, bytes: bytes.clone() });
        let refuse = |detail: String| Err(Refusal::new(RefusalReason::Ambiguous, detail));
        let lines = || self.line_list(matches.places.iter().map(|range| range.start), matches.count);
        Some(match anchor.occurrence {
            None if matches.count == 1 => match matches.places.first() {
                Some(bytes) => found(bytes),
                None => return None,
            },
            None => refuse(format!(
                "{:?} occurs {} times, {}; make the target longer, or name `under` or `occurrence`",
                preview(&anchor.target, 80),
                matches.count,
                lines()
            )),
            Some(number) => match matches.places.get(number.saturating_sub(1) as usize) {
                Some(bytes) => found(bytes),
                None => Err(Refusal::new(
                    RefusalReason::NotFound,
                    format!(
                        "there is no occurrence {number}; the target occurs {} times, {}",
                        matches.count,
                        lines()
                    ),
                )),
            },
        })
    }

    fn missing(&self, anchor: &Anchor) -> Refusal {
        let target = preview(anchor.target.trim(), 80);
        let mut detail = format!("{target:?} is not in the text");
        if !anchor.under.is_empty() {
            detail = format!("{target:?} is not in section {}", path(&anchor.under));
        }
        if let Some(left) = self.lookups.get().checked_sub(1) {
            self.lookups.set(left);
            if let Some(nearest) = nearest_line(self.document.text, &anchor.target) {
                detail.push_str("; ");
                detail.push_str(&nearest.to_string());
            }
        }
        Refusal::new(RefusalReason::NotFound, detail)
    }

    fn line_list(&self, places: impl Iterator<Item = usize>, count: usize) -> String {
        let lines: Vec<String> = places.take(SHOWN).map(|place| self.line_of(place).to_string()).collect();
        let more = if count > lines.len() { ", …" } else { "" };
        format!("on lines {}{more}", lines.join(", "))
    }
}

/// The target in normal form, but for blanks at its end.
fn normal_target(target: &str) -> String {
    let target = trim_breaks(target);
    let end = target.trim_end_matches([' ', '\t']);
    let mut normal = Normal::of(end).text;
    normal.push_str(piece(target, end.len()..target.len()));
    normal
}

struct Matches {
    places: Vec<Range<usize>>,
    count: usize,
}

fn needs_all(anchor: &Anchor) -> bool {
    anchor.occurrence.is_some() || !anchor.under.is_empty()
}

fn set(outcomes: &mut [Outcome], index: usize, outcome: Result<Found, Refusal>) {
    if let Some(slot) = outcomes.get_mut(index) {
        *slot = Some(outcome);
    }
}

fn path(under: &[String]) -> String {
    format!("{:?}", under.join(" > "))
}

/// Whether the text goes on with a mark that belongs to the character before it.
fn starts_with_mark(text: &str) -> bool {
    text.chars()
        .next()
        .is_some_and(|character| !character.is_ascii() && canonical_combining_class(character) != 0)
}
