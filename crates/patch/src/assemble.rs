//! The result of a plan, with the seams between blocks.
//!
//! Always holds: every byte of the base that no step takes is in the result, in order, but for blank lines beside
//! lines that go; the splices say exactly what differs.

use std::ops::Range;

use crate::document::{Document, Kind, kind_of};
use crate::plan::{Step, What};
use crate::resolve::Change;
use crate::text::{Line, after_blank_lines, before_blank_lines, is_blank, line_at, piece};

/// Bytes of the base, and the bytes of the result that stand in their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Splice {
    pub(crate) base: Range<usize>,
    pub(crate) result: Range<usize>,
}

/// Where an edit's new text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) edit: usize,
    pub(crate) base: Range<usize>,
    pub(crate) result: Range<usize>,
}

/// A result.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    pub(crate) text: String,
    pub(crate) splices: Vec<Splice>,
    /// In order of place.
    pub(crate) held: Vec<Held>,
}

/// Applies the steps, which are in order of place and apart.
pub(crate) fn assemble(document: &Document<'_>, steps: &[Step<'_, '_>]) -> Assembly {
    let grown: usize = steps.iter().map(|step| new_text(step).len() + 4).sum();
    let mut builder = Builder {
        document,
        cursor: 0,
        done: Assembly { text: String::with_capacity(document.text.len() + grown), ..Assembly::default() },
    };
    let mut rest = steps;
    while let Some((step, later)) = rest.split_first() {
        if step.drops() || step.inserts() {
            let gap = Gap::around(document, rest, builder.cursor);
            builder.fill(&gap);
            rest = rest.get(gap.steps.len()..).unwrap_or_default();
        } else {
            builder.cut(step);
            rest = later;
        }
    }
    builder.keep_to(document.text.len());
    builder.done
}

fn new_text<'p>(step: &Step<'p, '_>) -> &'p str {
    match step.what {
        What::Change(change) => change.text(),
        What::EmptyHeading => "",
    }
}

/// The place between two lines that stay: blank lines, lines that go, and lines that come.
struct Gap<'s, 'p, 'a> {
    range: Range<usize>,
    steps: &'s [Step<'p, 'a>],
    /// The blank lines before the lines that come; before the lines that go, if none come.
    left: Range<usize>,
    /// The blank lines after them. If nothing goes, all blank lines are here.
    right: Range<usize>,
    drops: bool,
    above: Option<Line>,
    below: Option<Line>,
}

impl<'s, 'p, 'a> Gap<'s, 'p, 'a> {
    fn around(document: &Document<'_>, steps: &'s [Step<'p, 'a>], cursor: usize) -> Self {
        let text = document.text;
        let first = steps.first().map_or(0, |step| step.range.start);
        let start = before_blank_lines(text, first, cursor.max(document.body));
        let mut run = start..first;
        let (mut left, mut right) = (None, None);
        let (mut drops, mut inserted, mut count) = (false, false, 0);
        for step in steps {
            if !(step.drops() || step.inserts()) || (count > 0 && step.range.start > run.end) {
                break;
            }
            run.end = run.end.min(step.range.start).max(run.start);
            count += 1;
            if step.inserts() {
                choose(if inserted { &mut right } else { &mut left }, &run);
                inserted = true;
                right = None;
            } else {
                drops = true;
                choose(if inserted { &mut right } else { &mut left }, &run);
            }
            run = step.range.end..after_blank_lines(text, step.range.end);
            // A replacement may begin with a blank line, which is no longer part of the gap then.
            if let Some(next) = steps.get(count).filter(|next| next.range.start < run.end) {
                run.end = document.line(next.range.start).start.max(run.start);
            }
        }
        let end = run.end;
        // At the end of the text the last run is what the text ended with.
        if end == text.len() {
            right = Some(run)
        } else {
            choose(&mut right, &run)
        }
        let above = (start > document.body).then(|| document.line(start - 1));
        if above.is_none() {
            // At the start of the text the first run is what the text started with.
            left = Some(start..first);
        }
        let below = (end < text.len()).then(|| document.line(end));
        Self {
            range: start..end,
            steps: steps.get(..count).unwrap_or_default(),
            left: left.unwrap_or(start..start),
            right: right.unwrap_or(end..end),
            drops,
            above,
            below,
        }
    }
}

/// Keeps the first run that is not empty.
fn choose(slot: &mut Option<Range<usize>>, run: &Range<usize>) {
    if slot.as_ref().is_none_or(Range::is_empty) {
        *slot = Some(run.clone());
    }
}

struct Builder<'d> {
    document: &'d Document<'d>,
    cursor: usize,
    done: Assembly,
}

impl Builder<'_> {
    fn keep_to(&mut self, end: usize) {
        self.done.text.push_str(piece(self.document.text, self.cursor..end));
        self.cursor = end.max(self.cursor);
    }

    fn close(&mut self, base_start: usize, result_start: usize, base_end: usize) {
        self.cursor = base_end;
        self.done
            .splices
            .push(Splice { base: base_start..base_end, result: result_start..self.done.text.len() });
    }

    fn hold(&mut self, step: &Step<'_, '_>, text: &str) {
        let start = self.done.text.len();
        self.done.text.push_str(text);
        if let What::Change(_) = step.what {
            let result = start..self.done.text.len();
            self.done.held.push(Held { edit: step.edit, base: step.range.clone(), result });
        }
    }

    fn cut(&mut self, step: &Step<'_, '_>) {
        self.keep_to(step.range.start);
        let start = self.done.text.len();
        self.hold(step, new_text(step));
        self.close(step.range.start, start, step.range.end);
    }

    fn fill(&mut self, gap: &Gap<'_, '_, '_>) {
        let contents: Vec<&Step<'_, '_>> = gap.steps.iter().filter(|step| step.inserts()).collect();
        if contents.is_empty() { self.close_up(gap) } else { self.fill_with(gap, &contents) }
    }

    /// Lines go and none come: one run of blank lines stays.
    fn close_up(&mut self, gap: &Gap<'_, '_, '_>) {
        let text = self.document.text;
        let kept = match (gap.above, gap.below) {
            (Some(_), Some(_)) if !gap.left.is_empty() => gap.left.clone(),
            (None, Some(_)) => gap.left.clone(),
            _ => gap.right.clone(),
        };
        let unended = gap.below.is_none() && !text.ends_with('\n') && kept.is_empty();
        let start = match gap.above {
            Some(above) if unended => above.end.max(self.cursor),
            _ => gap.range.start,
        };
        self.keep_to(start);
        let result = self.done.text.len();
        for step in gap.steps {
            self.hold(step, "");
        }
        self.done.text.push_str(piece(text, kept));
        self.close(start, result, gap.range.end);
    }

    fn fill_with(&mut self, gap: &Gap<'_, '_, '_>, contents: &[&Step<'_, '_>]) {
        let text = self.document.text;
        let ending = self.document.line_ending(gap.range.start.saturating_sub(1).max(self.document.body));
        let needs = Needs::of(self.document, gap, contents);
        let (before, after) = split(text, gap, needs);
        let glued = before.end == text.len() && !text.ends_with('\n') && before.end > self.document.body;
        if gap.drops {
            self.keep_to(gap.range.start);
        } else {
            self.keep_to(before.end);
        }
        let (base_start, result_start) = (self.cursor, self.done.text.len());
        if gap.drops {
            self.done.text.push_str(piece(text, before.clone()));
        }
        if glued {
            self.done.text.push_str(ending);
        }
        if needs.above && before.is_empty() {
            self.done.text.push_str(ending);
        }
        self.put(contents, ending);
        let unended = gap.below.is_none() && after.is_empty() && gap.above.is_some() && !text.ends_with('\n');
        if !unended {
            self.done.text.push_str(ending);
        }
        if needs.below && after.is_empty() {
            self.done.text.push_str(ending);
        }
        if gap.drops {
            self.done.text.push_str(piece(text, after));
            self.close(base_start, result_start, gap.range.end);
        } else {
            self.close(base_start, result_start, base_start);
        }
    }

    fn put(&mut self, contents: &[&Step<'_, '_>], ending: &str) {
        let mut last: Option<&str> = None;
        for step in contents {
            let content = new_text(step);
            if let Some(last) = last {
                self.done.text.push_str(ending);
                if !joins(end_of(last), start_of(content)) {
                    self.done.text.push_str(ending);
                }
            }
            self.hold(step, content);
            last = Some(content);
        }
    }
}

/// Whether a blank line is needed above and below the new lines.
#[derive(Debug, Clone, Copy)]
struct Needs {
    above: bool,
    below: bool,
}

/// What a block is, as far as it matters for joining the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    List,
    Table,
    Quote,
    Lines,
    /// Indented text: it goes on with a list item above it.
    Indented,
    Other,
}

impl Needs {
    fn of(document: &Document<'_>, gap: &Gap<'_, '_, '_>, contents: &[&Step<'_, '_>]) -> Self {
        let first = contents.first().map_or("", |step| new_text(step));
        let last = contents.last().map_or("", |step| new_text(step));
        let apart = !gap.left.is_empty() || !gap.right.is_empty();
        let above = gap.above.map(|line| part_of(document, line));
        let below = gap.below.map(|line| part_of(document, line));
        let within_lines =
            above == Some(Part::Lines) && below == above && !apart && is_one_paragraph(contents);
        let joins_above = within_lines || above.is_some_and(|above| joins(above, start_of(first)));
        let joins_below = within_lines || below.is_some_and(|below| joins(end_of(last), below));
        let needs = |here: bool, other: bool| if here { other && apart } else { !other || apart };
        Self {
            above: gap.above.is_some() && needs(joins_above, joins_below),
            below: gap.below.is_some() && needs(joins_below, joins_above),
        }
    }
}

fn part_of(document: &Document<'_>, line: Line) -> Part {
    match document.kind(line) {
        Kind::Row => Part::Table,
        Kind::Quote => Part::Quote,
        Kind::Item(_) => Part::List,
        Kind::Text(_) if document.item_of(line).is_some() => Part::List,
        Kind::Text(_) => Part::Lines,
        _ => Part::Other,
    }
}

fn start_of(content: &str) -> Part {
    match kind_of(content.lines().next().unwrap_or("")) {
        Kind::Item(_) => Part::List,
        Kind::Row => Part::Table,
        Kind::Quote => Part::Quote,
        Kind::Text(0) => Part::Lines,
        Kind::Text(_) => Part::Indented,
        _ => Part::Other,
    }
}

fn end_of(content: &str) -> Part {
    let last = content.lines().next_back().unwrap_or("");
    let has_item = content.lines().any(|line| matches!(kind_of(line), Kind::Item(_)));
    match kind_of(last) {
        Kind::Text(indentation) if indentation > 0 && has_item => Part::List,
        Kind::Text(0) if has_item && !content.lines().any(is_blank) && start_of(content) == Part::List => {
            Part::List
        }
        _ => start_of(last),
    }
}

fn joins(above: Part, below: Part) -> bool {
    use Part::{Indented, List, Quote, Table};
    matches!((above, below), (List | Indented, List) | (List, Indented) | (Table, Table) | (Quote, Quote))
}

fn is_one_paragraph(contents: &[&Step<'_, '_>]) -> bool {
    contents.iter().all(|step| match step.what {
        What::Change(Change::Insert { content, .. }) => {
            content.lines().all(|line| matches!(kind_of(line), Kind::Text(0)))
        }
        _ => true,
    }) && contents.len() == 1
}

/// Which blank lines stay above and which below the new lines.
fn split(text: &str, gap: &Gap<'_, '_, '_>, needs: Needs) -> (Range<usize>, Range<usize>) {
    if gap.drops {
        let (left, right) = (gap.left.clone(), gap.right.clone());
        let before = if needs.above || gap.above.is_none() { left } else { left.start..left.start };
        let after = if needs.below || gap.below.is_none() { right } else { right.end..right.end };
        return (before, after);
    }
    let run = gap.range.clone();
    let cut = match (gap.above.is_some(), needs.above, needs.below || gap.below.is_none()) {
        (false, _, _) | (_, false, _) => run.start,
        (_, true, false) => run.end,
        (_, true, true) if run.is_empty() => run.start,
        (_, true, true) => {
            let line = line_at(text, run.start);
            debug_assert!(is_blank(line.text(text)));
            line.next.min(run.end)
        }
    };
    (run.start..cut, cut..run.end)
}
