//! From an edit to the change of the base that it means.
//!
//! Always holds: a change is worked out from the base alone, never from what other edits do.

use std::borrow::Cow;
use std::ops::Range;

use textualrl_model::{Action, Edit, Place};

use crate::document::{Document, Kind, is_bare_marker, kind_of};
use crate::fate::{Fate, NoChangeReason, Refusal, RefusalReason, Tier};
use crate::locate::{Finder, Found, last_byte};
use crate::protect::{Touched, fences, may_have_fence};
use crate::search::{Hits, Pattern, occurrences};
use crate::text::{is_blank, line_at, piece, trim_breaks, with_line_ending, without_outer_breaks};

/// A change of the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change<'a> {
    /// Other text in the place of some bytes; empty text takes them away.
    Cut { range: Range<usize>, text: Cow<'a, str> },
    /// Whole lines go.
    Drop { range: Range<usize> },
    /// New lines between two lines. `at` is the start of a line, or the end of the text.
    Insert { at: usize, content: Cow<'a, str> },
}

impl Change<'_> {
    /// The bytes of the base that the change takes, or the place where it puts something.
    pub(crate) fn range(&self) -> Range<usize> {
        match self {
            Self::Cut { range, .. } | Self::Drop { range } => range.clone(),
            Self::Insert { at, .. } => *at..*at,
        }
    }

    /// The new text.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Cut { text, .. } => text,
            Self::Insert { content, .. } => content,
            Self::Drop { .. } => "",
        }
    }
}

/// An edit's change, and how its target was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Planned<'a> {
    pub(crate) tier: Option<Tier>,
    pub(crate) change: Change<'a>,
}

type Resolved<'a> = Result<Planned<'a>, Fate>;

/// The change of each edit, or its fate if there is none. One pass over the text for all targets.
pub(crate) fn resolve<'a>(
    document: &Document<'_>,
    finder: &Finder<'_>,
    edits: &[&'a Edit],
) -> Vec<Resolved<'a>> {
    let mut present = occurrences_of_appended(document, edits).into_iter();
    let resolver = Resolver { document, finder };
    let found = finder.find(edits);
    edits
        .iter()
        .zip(found)
        .map(|(edit, found)| {
            let planned = match (&edit.action, found) {
                (_, Some(Err(refusal))) => Err(resolver.perhaps_done(edit, refusal)),
                (Action::Append { content, under }, _) => {
                    resolver.append(content, under, present.next().unwrap_or_default())
                }
                (Action::InsertAfter { content, place, .. }, Some(Ok(found))) => {
                    resolver.insert_after(content, *place, found)
                }
                (Action::Replace { content, anchor }, Some(Ok(found))) => {
                    resolver.replace(&anchor.target, content, found)
                }
                (Action::Delete { .. }, Some(Ok(found))) => resolver.delete(found),
                (_, None) => refused(RefusalReason::EmptyTarget, "there is no target"),
            }?;
            resolver.guard(&planned.change).map(|()| planned)
        })
        .collect()
}

fn refused<T>(reason: RefusalReason, detail: impl Into<String>) -> Result<T, Fate> {
    Err(Fate::Refused(Refusal::new(reason, detail)))
}

fn unchanged<T>(reason: NoChangeReason, detail: impl Into<String>) -> Result<T, Fate> {
    Err(Fate::NoChange { reason, detail: detail.into() })
}

/// Where the contents of the appends stand already.
fn occurrences_of_appended(document: &Document<'_>, edits: &[&Edit]) -> Vec<Hits> {
    let ending = document.line_ending(document.body);
    let contents: Vec<Cow<'_, str>> = edits
        .iter()
        .filter_map(|edit| match &edit.action {
            Action::Append { content, .. } => Some(with_line_ending(without_outer_breaks(content), ending)),
            _ => None,
        })
        .collect();
    let patterns: Vec<Pattern<'_>> = contents.iter().map(|text| Pattern { text, all: true }).collect();
    occurrences(document.text, &patterns)
}

struct Resolver<'d> {
    document: &'d Document<'d>,
    finder: &'d Finder<'d>,
}

impl<'d> Resolver<'d> {
    fn append<'a>(&self, content: &'a str, under: &[String], present: Hits) -> Resolved<'a> {
        let text = self.document.text;
        let content = self.content(content, self.document.body)?;
        let range = if under.is_empty() {
            self.document.body..text.len()
        } else {
            self.finder.section(under).map_err(Fate::Refused)?.range
        };
        let whole = |at: &&usize| range.contains(at) && self.is_whole_lines(**at, content.len());
        if let Some(&at) = present.places.iter().find(whole) {
            let line = self.finder.line_of(at);
            return unchanged(NoChangeReason::AlreadyPresent, format!("the text is on line {line} already"));
        }
        let end = self.document.end_of_lines(&range);
        Ok(Planned { tier: None, change: Change::Insert { at: end, content } })
    }

    fn insert_after<'a>(&self, content: &'a str, place: Place, found: Found) -> Resolved<'a> {
        let document = self.document;
        let line = document.line(last_byte(&found.bytes));
        let content = self.content(content, line.start)?;
        let at = match place {
            Place::Block => document.block_end(line),
            Place::Line => self.after_line(line, &content),
        };
        Ok(Planned { tier: Some(found.tier), change: Change::Insert { at, content } })
    }

    /// After the line; but nothing is cut off from what belongs to it.
    fn after_line(&self, line: crate::text::Line, content: &str) -> usize {
        let document = self.document;
        if let Some(fence) = document.fence_at(line.start) {
            return fence.range.end;
        }
        let first = kind_of(content.lines().next().unwrap_or(""));
        match (document.kind(line), first) {
            (Kind::Heading(_), Kind::Heading(level)) => {
                document.end_of_lines(&(line.next..document.section_end(line.next, level)))
            }
            (_, Kind::Item(new)) => match document.item_of(line) {
                Some((item, indentation)) if new <= indentation => document.item_end(item, indentation),
                Some(_) => self.after_wrapped(line),
                None => line.next,
            },
            _ => line.next,
        }
    }

    /// After the lines that go on with the sentence of this one.
    fn after_wrapped(&self, line: crate::text::Line) -> usize {
        let mut last = line;
        while let Some(next) =
            self.document.after(last).filter(|next| matches!(self.document.kind(*next), Kind::Text(_)))
        {
            last = next;
        }
        last.next
    }

    fn replace<'a>(&self, target: &str, content: &'a str, found: Found) -> Resolved<'a> {
        let text = self.document.text;
        if content.trim().is_empty() {
            return refused(
                RefusalReason::BlankContent,
                "the new text is blank; use delete to take text away",
            );
        }
        let range = without_breaks(text, found.bytes);
        let ending = self.document.line_ending(range.start);
        let new = with_line_ending(trim_breaks(content), ending);
        let old = piece(text, range.clone());
        if *new == *old || trim_breaks(content) == trim_breaks(target) {
            return unchanged(NoChangeReason::ContentEqual, "the new text equals the old text");
        }
        if self.stands_around(&new, old, &range) {
            let line = self.finder.line_of(range.start);
            return unchanged(
                NoChangeReason::AlreadyPresent,
                format!("the new text is on line {line} already"),
            );
        }
        Ok(Planned { tier: Some(found.tier), change: Change::Cut { range, text: new } })
    }

    /// Whether the new text holds the old and already stands around it.
    fn stands_around(&self, new: &str, old: &str, range: &Range<usize>) -> bool {
        let starts = new.match_indices(old).filter_map(|(at, _)| range.start.checked_sub(at));
        starts.into_iter().any(|start| piece(self.document.text, start..start + new.len()) == new)
    }

    fn delete<'a>(&self, found: Found) -> Resolved<'a> {
        let text = self.document.text;
        let range = without_breaks(text, found.bytes);
        let (first, last) = (self.document.line(range.start), self.document.line(last_byte(&range)));
        let before = piece(text, first.start..range.start);
        let after = piece(text, range.end..last.end);
        let nothing_left = is_blank(after) && (is_blank(before) || is_bare_marker(before));
        let change = if nothing_left {
            Change::Drop { range: first.start..last.next }
        } else {
            let spaced =
                before.ends_with(' ') && (after.starts_with(' ') || after.is_empty()) && !is_blank(before);
            let start = range.start - usize::from(spaced);
            Change::Cut { range: start..range.end, text: Cow::Borrowed("") }
        };
        Ok(Planned { tier: Some(found.tier), change })
    }

    /// The content as it will stand: without blank lines around it, with the line endings of the place.
    fn content<'a>(&self, content: &'a str, near: usize) -> Result<Cow<'a, str>, Fate> {
        if content.trim().is_empty() {
            return unchanged(NoChangeReason::BlankContent, "there is nothing to add");
        }
        let content = without_outer_breaks(content);
        if fences(content, 0).last().is_some_and(|fence| !fence.closed) {
            return refused(
                RefusalReason::OpenFence,
                "the new text opens a code fence and does not close it",
            );
        }
        Ok(with_line_ending(content, self.document.line_ending(near)))
    }

    /// Whether the bytes are whole lines.
    fn is_whole_lines(&self, at: usize, length: usize) -> bool {
        let text = self.document.text;
        let first = self.document.line(at);
        let last = line_at(text, at + length);
        first.start == at && is_blank(piece(text, at + length..last.end))
    }

    /// A replacement whose target is gone but whose text is there has been made before.
    fn perhaps_done(&self, edit: &Edit, refusal: Refusal) -> Fate {
        let text = self.document.text;
        if let (RefusalReason::NotFound, Action::Replace { anchor, content }) = (refusal.reason, &edit.action)
            && anchor.occurrence.is_none()
            && !content.trim().is_empty()
        {
            let new = with_line_ending(trim_breaks(content), self.document.line_ending(self.document.body));
            let mut places = text.match_indices(&*new);
            if let (Some((at, _)), None) = (places.next(), places.next())
                && is_word_edge(text, at)
                && is_word_edge(text, at + new.len())
            {
                let line = self.finder.line_of(at);
                let detail = format!("the target is gone and the new text is on line {line} already");
                return Fate::NoChange { reason: NoChangeReason::AlreadyPresent, detail };
            }
        }
        Fate::Refused(refusal)
    }

    /// Refuses a change of a protected place, and one within an open fence.
    fn guard(&self, change: &Change<'_>) -> Result<(), Fate> {
        let range = change.range();
        match self.document.protection.touched(&range) {
            Some(Touched::FrontMatter) => {
                return refused(
                    RefusalReason::FrontMatter,
                    "the front matter at the start of the text is protected",
                );
            }
            Some(Touched::Region(region)) => {
                let lines = (self.finder.line_of(region.start), self.finder.line_of(last_byte(&region)));
                let detail = format!("lines {} to {} are protected", lines.0, lines.1);
                return refused(RefusalReason::Protected, detail);
            }
            None => {}
        }
        if let Change::Insert { at, .. } = change {
            if *at == self.document.text.len() && self.document.protection.open_at_end() {
                return refused(
                    RefusalReason::Protected,
                    "a protected region is never closed and reaches to the end",
                );
            }
            if let Some(fence) = self.document.open_fence().filter(|fence| fence.range.start < *at) {
                let line = self.finder.line_of(fence.range.start);
                let detail = format!("the code fence of line {line} is never closed; close it first");
                return refused(RefusalReason::OpenFence, detail);
            }
        }
        self.guard_fences(change)
    }

    /// Refuses a change that takes or gives only one end of a fenced block.
    fn guard_fences(&self, change: &Change<'_>) -> Result<(), Fate> {
        if matches!(change, Change::Insert { .. }) || self.document.open_fence().is_some() {
            return Ok(());
        }
        let text = self.document.text;
        let range = change.range();
        let old = piece(text, range.clone());
        if !may_have_fence(old.as_bytes()) && !may_have_fence(change.text().as_bytes()) {
            return Ok(());
        }
        let before = self.document.fences.partition_point(|fence| fence.range.end <= range.start);
        let start =
            self.document.fences.get(before).map_or(range.start, |fence| fence.range.start.min(range.start));
        let after = self.document.fences.partition_point(|fence| fence.range.start < range.end);
        let end = after.checked_sub(1).and_then(|index| self.document.fences.get(index));
        let end = end.map_or(range.end, |fence| fence.range.end.max(range.end));
        let (start, end) =
            (line_at(text, start).start, line_at(text, end.saturating_sub(1).max(range.end)).next);
        let mut changed = piece(text, start..range.start).to_owned();
        changed.push_str(change.text());
        changed.push_str(piece(text, range.end..end));
        if fences(&changed, 0).last().is_some_and(|fence| !fence.closed) {
            return refused(RefusalReason::OpenFence, "the edit would leave a code fence open");
        }
        Ok(())
    }
}

/// The range without line breaks at its ends.
fn without_breaks(text: &str, range: Range<usize>) -> Range<usize> {
    let whole = piece(text, range.clone());
    let trimmed = whole.trim_start_matches(['\r', '\n']);
    let start = range.start + (whole.len() - trimmed.len());
    start..start + trimmed.trim_end_matches(['\r', '\n']).len()
}

/// Whether a word starts or ends at `at`, rather than going on.
fn is_word_edge(text: &str, at: usize) -> bool {
    let before = piece(text, 0..at).chars().next_back().is_some_and(char::is_alphanumeric);
    let after = piece(text, at..text.len()).chars().next().is_some_and(char::is_alphanumeric);
    !(before && after)
}
