//! Lines of a text, by byte offsets.
//!
//! Always holds: a line ends at `\n` or `\r\n`; offsets lie on character boundaries; nothing is copied.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memrchr};

/// A line: where it starts, where its text ends, and where the next line starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) next: usize,
}

impl Line {
    /// The line's text, without its line ending.
    pub(crate) fn text(self, text: &str) -> &str {
        piece(text, self.start..self.end)
    }

    /// Whether the line has a line ending.
    pub(crate) fn is_ended(self) -> bool {
        self.next > self.end
    }
}

/// The bytes of a range, or nothing if the range does not fit.
pub(crate) fn piece(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or("")
}

/// The line that holds the byte at `offset`. A line ending belongs to the line that it ends.
pub(crate) fn line_at(text: &str, offset: usize) -> Line {
    let bytes = text.as_bytes();
    let offset = offset.min(bytes.len());
    let before = bytes.get(..offset).unwrap_or_default();
    let start = memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let after = bytes.get(offset..).unwrap_or_default();
    match memchr(b'\n', after) {
        None => Line { start, end: bytes.len(), next: bytes.len() },
        Some(distance) => {
            let newline = offset + distance;
            let carriage = newline > start && bytes.get(newline - 1) == Some(&b'\r');
            Line { start, end: newline - usize::from(carriage), next: newline + 1 }
        }
    }
}

/// Whether there is nothing but blanks.
pub(crate) fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// The end of the blank lines that start at `offset`, which is the start of a line.
pub(crate) fn after_blank_lines(text: &str, offset: usize) -> usize {
    let mut end = offset;
    while end < text.len() {
        let line = line_at(text, end);
        if !is_blank(line.text(text)) {
            break;
        }
        end = line.next;
    }
    end
}

/// The start of the blank lines that end at `offset`, which is the start of a line; not before `floor`.
pub(crate) fn before_blank_lines(text: &str, offset: usize, floor: usize) -> usize {
    let mut start = offset;
    while start > floor {
        let line = line_at(text, start - 1);
        if line.start < floor || !is_blank(line.text(text)) {
            break;
        }
        start = line.start;
    }
    start
}

/// The text without line breaks at its start and blank lines at its ends. Indentation is kept.
pub(crate) fn without_outer_breaks(text: &str) -> &str {
    let mut rest = text;
    while let Some(newline) = memchr(b'\n', rest.as_bytes()) {
        let (head, tail) = rest.split_at(newline + 1);
        if !is_blank(head.trim_end_matches('\n')) {
            break;
        }
        rest = tail;
    }
    while let Some(newline) = memrchr(b'\n', rest.as_bytes()) {
        let (head, tail) = rest.split_at(newline);
        if !is_blank(tail.trim_start_matches('\n')) {
            break;
        }
        rest = head.strip_suffix('\r').unwrap_or(head);
    }
    rest
}

/// The text without line breaks at its ends.
pub(crate) fn trim_breaks(text: &str) -> &str {
    text.trim_matches(['\r', '\n'])
}

/// The text with every line ending written as `ending`.
pub(crate) fn with_line_ending<'a>(text: &'a str, ending: &str) -> Cow<'a, str> {
    let bytes = text.as_bytes();
    if memchr(b'\n', bytes).is_none() || (ending == "\n" && memchr(b'\r', bytes).is_none()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\n', ending))
}

/// The numbers of the lines on which ascending `offsets` lie, from 1. One pass over the text.
pub(crate) fn line_numbers(text: &str, offsets: impl Iterator<Item = usize>) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut number = 1;
    let mut counted = 0;
    offsets
        .map(|offset| {
            let offset = offset.clamp(counted, bytes.len());
            let between = bytes.get(counted..offset).unwrap_or_default();
            number += memchr::memchr_iter(b'\n', between).count();
            counted = offset;
            number
        })
        .collect()
}

/// The beginning of a text for a message: at most `limit` characters, and a note of how many were left out.
pub(crate) fn preview(text: &str, limit: usize) -> String {
    let characters = text.chars().count();
    if characters <= limit {
        return text.to_owned();
    }
    let head: String = text.chars().take(limit).collect();
    format!("{head}… ({} more characters)", characters - limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_both_kinds_of_breaks() {
        let text = "a\r\nbc\n\nd";
        let cases =
            [(0, "a", 3), (1, "a", 3), (2, "a", 3), (3, "bc", 6), (6, "", 7), (7, "d", 8), (8, "d", 8)];
        for (offset, expected, next) in cases {
            let line = line_at(text, offset);
            assert_eq!((line.text(text), line.next), (expected, next), "{offset}");
        }
    }

    #[test]
    fn outer_breaks_go_and_indentation_stays() {
        for (text, expected) in [
            ("\n  - a\n", "  - a"),
            ("  \n\r\n- a\n\n- b  \r\n \n", "- a\n\n- b  "),
            ("a", "a"),
            ("\n", ""),
            ("  ", "  "),
        ] {
            assert_eq!(without_outer_breaks(text), expected, "{text:?}");
        }
    }

    #[test]
    fn previews_are_cut_between_characters() {
        assert_eq!(preview(&"é".repeat(120), 100), format!("{}… (20 more characters)", "é".repeat(100)));
        assert_eq!(preview("short", 5), "short");
    }
}
