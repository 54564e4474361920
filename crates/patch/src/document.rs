//! A base text seen as Markdown: what a line is, and where blocks, list items and sections end.
//!
//! Always holds: only the surroundings of what is asked for are read, so that a small edit of a large text stays
//! cheap; lines within fences are never taken for headings or list items.

use std::ops::Range;

use crate::protect::{Fence, Markers, Protection, byte_order_mark, fences};
use crate::text::{Line, is_blank, line_at, piece};

/// How far a walk over lines goes before it settles for what it has seen.
const FARTHEST_WALK: usize = 4_000;

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Blank,
    Heading(usize),
    /// The first line of a list item, with its indentation in columns.
    Item(usize),
    Row,
    Quote,
    /// Within a fenced block, fences included.
    Fenced,
    /// A line of only dashes, stars or underscores, or a comment.
    Rule,
    /// Anything else, with its indentation in columns.
    Text(usize),
}

/// A base text with what is protected and fenced in it.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) text: &'a str,
    /// Where the text starts after a byte order mark.
    pub(crate) body: usize,
    pub(crate) protection: Protection,
    pub(crate) fences: Vec<Fence>,
}

impl<'a> Document<'a> {
    pub(crate) fn new(text: &'a str, markers: &Markers<'_>) -> Self {
        let body = byte_order_mark(text);
        let protection = Protection::of(text, body, markers);
        let after_front_matter = protection.front_matter.as_ref().map_or(body, |range| range.end);
        Self { text, body, protection, fences: fences(text, after_front_matter) }
    }

    /// The line ending to write beside `offset`: that of the line there, or of the text's first line.
    pub(crate) fn line_ending(&self, offset: usize) -> &'static str {
        let line = line_at(self.text, offset);
        let line = if line.is_ended() || line.start == 0 { line } else { line_at(self.text, line.start - 1) };
        if line.next - line.end == 2 { "\r\n" } else { "\n" }
    }

    /// The fence that holds `offset`.
    pub(crate) fn fence_at(&self, offset: usize) -> Option<&Fence> {
        let after = self.fences.partition_point(|fence| fence.range.start <= offset);
        self.fences.get(after.checked_sub(1)?).filter(|fence| offset < fence.range.end || !fence.closed)
    }

    /// Whether the last fence is never closed.
    pub(crate) fn open_fence(&self) -> Option<&Fence> {
        self.fences.last().filter(|fence| !fence.closed)
    }

    /// The line before `line`.
    pub(crate) fn before(&self, line: Line) -> Option<Line> {
        (line.start > self.body).then(|| self.line(line.start - 1))
    }

    /// The line after `line`.
    pub(crate) fn after(&self, line: Line) -> Option<Line> {
        (line.next < self.text.len()).then(|| self.line(line.next))
    }

    /// The line at `offset`, without the byte order mark.
    pub(crate) fn line(&self, offset: usize) -> Line {
        let line = line_at(self.text, offset);
        Line { start: line.start.max(self.body), ..line }
    }

    /// What the line is.
    pub(crate) fn kind(&self, line: Line) -> Kind {
        if self.fence_at(line.start).is_some() {
            return Kind::Fenced;
        }
        if self.protection.front_matter.as_ref().is_some_and(|range| range.contains(&line.start)) {
            return Kind::Rule;
        }
        kind_of(line.text(self.text))
    }

    /// The level of a heading line.
    pub(crate) fn heading_level(&self, line: Line) -> Option<usize> {
        match self.kind(line) {
            Kind::Heading(level) => Some(level),
            _ => None,
        }
    }

    /// The first line of the list item that holds `line`, and the item's indentation.
    pub(crate) fn item_of(&self, line: Line) -> Option<(Line, usize)> {
        let mut least = match self.kind(line) {
            Kind::Item(indentation) => return Some((line, indentation)),
            Kind::Text(indentation) => indentation,
            _ => return None,
        };
        let indented = least > 0;
        let mut current = line;
        for _ in 0..FARTHEST_WALK {
            current = self.before(current)?;
            match self.kind(current) {
                Kind::Item(indentation) if indentation < least.max(1) => return Some((current, indentation)),
                Kind::Blank if !indented => return None,
                Kind::Text(0) if indented && least > 0 && self.is_after_blank(current) => return None,
                Kind::Heading(_) | Kind::Rule | Kind::Quote | Kind::Row => return None,
                Kind::Text(indentation) if indented => least = least.min(indentation.max(1)),
                _ => {}
            }
        }
        None
    }

    fn is_after_blank(&self, line: Line) -> bool {
        self.before(line).is_none_or(|before| is_blank(before.text(self.text)))
    }

    /// The end of the list item that starts at `item`: the start of the line after its last line.
    pub(crate) fn item_end(&self, item: Line, indentation: usize) -> usize {
        let mut end = item.next;
        let mut current = item;
        let mut blank = false;
        for _ in 0..FARTHEST_WALK {
            let Some(next) = self.after(current) else { break };
            current = next;
            let belongs = match self.kind(next) {
                Kind::Blank => {
                    blank = true;
                    continue;
                }
                Kind::Item(deeper) => deeper > indentation,
                Kind::Text(deeper) => deeper > indentation || !blank,
                Kind::Fenced => indented(next.text(self.text)) > indentation || self.continues_fence(next),
                Kind::Heading(_) | Kind::Rule | Kind::Quote | Kind::Row => {
                    indented(next.text(self.text)) > indentation
                }
            };
            if !belongs {
                break;
            }
            blank = false;
            end = next.next;
        }
        end
    }

    fn continues_fence(&self, line: Line) -> bool {
        self.fence_at(line.start).is_some_and(|fence| fence.range.start < line.start)
    }

    /// The end of the block that holds `line`: paragraph, list item, table, quotation or fenced block.
    pub(crate) fn block_end(&self, line: Line) -> usize {
        if let Some(fence) = self.fence_at(line.start) {
            return fence.range.end;
        }
        if let Some((item, indentation)) = self.item_of(line) {
            return self.item_end(item, indentation);
        }
        let same = |kind: Kind| match self.kind(line) {
            Kind::Text(_) => matches!(kind, Kind::Text(_)),
            kind_here @ (Kind::Row | Kind::Quote) => kind == kind_here,
            _ => false,
        };
        let mut last = line;
        while let Some(next) = self.after(last).filter(|next| same(self.kind(*next))) {
            last = next;
        }
        last.next
    }

    /// Where the next heading of at most `level` starts, at or after `offset`; else the end of the text.
    pub(crate) fn section_end(&self, offset: usize, level: usize) -> usize {
        self.headings(offset)
            .find(|(_, found)| *found <= level)
            .map_or(self.text.len(), |(line, _)| line.start)
    }

    /// The headings from the start of a line on, with their levels.
    pub(crate) fn headings(&self, from: usize) -> impl Iterator<Item = (Line, usize)> {
        let bytes = self.text.as_bytes().get(from..).unwrap_or_default();
        let starts = memchr::memchr_iter(b'#', bytes).map(move |at| at + from);
        let mut passed = from;
        starts.filter_map(move |at| {
            if at < passed {
                return None;
            }
            let line = self.line(at);
            passed = line.next;
            self.heading_level(line).map(|level| (line, level))
        })
    }

    /// The range that an insertion at the end of `range` goes behind: the end of its last line that is not blank.
    pub(crate) fn end_of_lines(&self, range: &Range<usize>) -> usize {
        let end = crate::text::before_blank_lines(self.text, range.end, range.start);
        if end == self.text.len() && range.end == end && !self.text.ends_with('\n') {
            let last = self.line(end);
            if is_blank(last.text(self.text)) && last.start > range.start {
                return crate::text::before_blank_lines(self.text, last.start, range.start);
            }
        }
        end
    }
}

/// The indentation in columns; a tab counts as four.
pub(crate) fn indented(line: &str) -> usize {
    line.bytes()
        .map_while(|byte| match byte {
            b' ' => Some(1),
            b'\t' => Some(4),
            _ => None,
        })
        .sum()
}

/// What a line outside fences is.
pub(crate) fn kind_of(line: &str) -> Kind {
    let indentation = indented(line);
    let text = line.trim();
    let Some(first) = text.chars().next() else { return Kind::Blank };
    match first {
        '#' if indentation < 4 => heading_level(text).map_or(Kind::Text(indentation), Kind::Heading),
        '>' => Kind::Quote,
        '|' => Kind::Row,
        '-' | '*' | '_' if is_rule(text) => Kind::Rule,
        '<' if text.starts_with("<!--") => Kind::Rule,
        '-' | '*' | '+' if has_gap(text, 1) => Kind::Item(indentation),
        '`' | '~' if text.starts_with("```") || text.starts_with("~~~") => Kind::Fenced,
        '0'..='9' if is_numbered(text) => Kind::Item(indentation),
        _ => Kind::Text(indentation),
    }
}

fn heading_level(text: &str) -> Option<usize> {
    let level = text.len() - text.trim_start_matches('#').len();
    ((1..=6).contains(&level) && has_gap(text, level)).then_some(level)
}

fn has_gap(text: &str, at: usize) -> bool {
    piece(text, at..text.len()).chars().next().is_none_or(char::is_whitespace)
}

fn is_numbered(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits <= 9 && matches!(text.as_bytes().get(digits), Some(b'.' | b')')) && has_gap(text, digits + 1)
}

fn is_rule(text: &str) -> bool {
    let mut marks = text.chars().filter(|character| !character.is_whitespace());
    let Some(first) = marks.next() else { return false };
    let mut count = 1;
    for mark in marks {
        if mark != first {
            return false;
        }
        count += 1;
    }
    count >= 3
}

/// Whether the whole line is a marker without text: a bullet, a number, hashes or a quotation sign.
pub(crate) fn is_bare_marker(line: &str) -> bool {
    let text = line.trim();
    matches!(text, "-" | "*" | "+" | ">")
        || (!text.is_empty() && text.len() <= 6 && text.bytes().all(|byte| byte == b'#'))
        || (is_numbered(text)
            && text.len() <= 10
            && text.trim_start_matches(|c: char| c.is_ascii_digit()).len() == 1)
}

/// The text of a heading line, without the hashes.
pub(crate) fn heading_text(line: &str) -> &str {
    let text = line.trim().trim_start_matches('#').trim_start();
    let without_tail = text.trim_end_matches('#');
    if without_tail.len() < text.len() && without_tail.ends_with([' ', '\t']) {
        without_tail.trim_end()
    } else {
        text
    }
}
