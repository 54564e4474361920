//! A text modulo line endings, Unicode composition, trailing blanks and typographic quotes, with the way back to the
//! original's bytes.
//!
//! Always holds: a place in the normal form maps to one place in the original, and only at boundaries of characters
//! of the original.

use std::ops::Range;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::text::line_at;

/// The normal form of a text.
#[derive(Debug, Default)]
pub(crate) struct Normal {
    pub(crate) text: String,
    /// Where stretches start, in the normal form and in the original, ascending. Within a stretch that was copied
    /// the two go in step; a stretch that was changed has only its start and its end.
    stretches: Vec<Stretch>,
}

#[derive(Debug, Clone, Copy)]
struct Stretch {
    normal: usize,
    original: usize,
    copied: bool,
}

impl Normal {
    pub(crate) fn of(text: &str) -> Self {
        let mut normal = Self::default();
        let mut offset = 0;
        while offset < text.len() {
            let line = line_at(text, offset);
            let trimmed = line.text(text).trim_end_matches([' ', '\t', '\r']);
            normal.add_line(trimmed, line.start);
            if line.is_ended() {
                normal.start(line.start + trimmed.len(), false);
                normal.text.push('\n');
            }
            offset = line.next;
        }
        normal.start(text.len(), false);
        normal
    }

    fn start(&mut self, original: usize, copied: bool) {
        let goes_on = self.stretches.last().is_some_and(|last| {
            copied && last.copied && last.original + (self.text.len() - last.normal) == original
        });
        if !goes_on {
            self.stretches.push(Stretch { normal: self.text.len(), original, copied });
        }
    }

    fn add_line(&mut self, line: &str, start: usize) {
        if line.is_ascii() {
            self.start(start, true);
            self.text.push_str(line);
            return;
        }
        let composed = is_nfc_quick(line.chars()) == IsNormalized::Yes;
        let mut segment_start = 0;
        for (at, character) in line.char_indices().skip(1).chain([(line.len(), ' ')]) {
            if at == line.len() || composed || character.is_ascii() || starts_anew(character) {
                self.add_segment(crate::text::piece(line, segment_start..at), start + segment_start);
                segment_start = at;
            }
        }
    }

    fn add_segment(&mut self, segment: &str, original: usize) {
        let before = self.text.len();
        if segment.is_ascii() {
            self.start(original, true);
            self.text.push_str(segment);
            return;
        }
        let plain: String = segment.nfc().map(plain_quote).collect();
        self.start(original, plain == segment);
        self.text.push_str(&plain);
        debug_assert!(self.text.len() > before);
    }

    /// The place in the original of a place in the normal form, if it is a boundary there.
    fn original(&self, place: usize) -> Option<usize> {
        let after = self.stretches.partition_point(|stretch| stretch.normal <= place);
        let stretch = self.stretches.get(after.checked_sub(1)?)?;
        let within = place - stretch.normal;
        (stretch.copied || within == 0).then_some(stretch.original + within)
    }

    /// The range in the original of a range in the normal form.
    pub(crate) fn original_range(&self, range: Range<usize>) -> Option<Range<usize>> {
        let start = self.original(range.start)?;
        // The end is where the last character ends, not where the next begins: blanks between are not matched.
        let after = self.stretches.partition_point(|stretch| stretch.normal < range.end);
        let last = self.stretches.get(after.checked_sub(1)?)?;
        let end =
            if last.copied { last.original + (range.end - last.normal) } else { self.original(range.end)? };
        Some(start..end)
    }
}

/// Whether a character can begin a composed character: it never joins the one before.
fn starts_anew(character: char) -> bool {
    canonical_combining_class(character) == 0
        && is_nfc_quick(std::iter::once(character)) != IsNormalized::Maybe
}

fn plain_quote(character: char) -> char {
    match character {
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201f}' => '"',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_lead_back_to_the_original() {
        let cases = [
            ("a  \r\nb\r\n", "a\nb", "a  \r\nb"),
            ("cafe\u{301} rule", "caf\u{e9} rule", "cafe\u{301} rule"),
            ("say \u{201c}x\u{201d}.", "say \"x\".", "say \u{201c}x\u{201d}."),
            ("- a  \n- b", "- a", "- a"),
            ("0\u{37e}", ";", "\u{37e}"),
            ("\u{1112}\u{1161}\u{11ab} x", "\u{d55c}", "\u{1112}\u{1161}\u{11ab}"),
        ];
        for (text, target, matched) in cases {
            let normal = Normal::of(text);
            let target = Normal::of(target).text;
            let at = normal.text.find(&target).unwrap();
            let range = normal.original_range(at..at + target.len()).unwrap();
            assert_eq!(&text[range], matched);
        }
    }
}
