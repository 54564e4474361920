//! Where in a reply the JSON object stands.
//!
//! Always holds: each function reads the text once from front to back; braces inside strings do not count.

use super::{MAX_DEPTH, ReplyError};

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// The text after leading thinking. Some endpoints leave out the opening tag, as their template has already sent it.
pub(crate) fn after_thinking(text: &str) -> Result<&str, ReplyError> {
    let mut rest = text.trim();
    while let Some(thinking) = rest.strip_prefix(OPEN) {
        let (_, after) = thinking.split_once(CLOSE).ok_or(ReplyError::UnclosedThinking)?;
        rest = after.trim();
    }
    if rest.starts_with(['{', '`', '~']) {
        return Ok(rest);
    }
    match rest.split_once(CLOSE) {
        Some((thinking, after)) if !thinking.contains(OPEN) => Ok(after.trim()),
        _ => Ok(rest),
    }
}

/// What stands in the only fenced block; none if there is no block or more than one.
pub(crate) fn only_fenced_block(text: &str) -> Option<&str> {
    let mut only = None;
    let mut open: Option<(&str, usize)> = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        match open {
            None => open = fence_mark(line).map(|mark| (mark, offset)),
            Some((mark, from)) if closes(line, mark) => {
                if only.is_some() {
                    return None;
                }
                only = text.get(from..start);
                open = None;
            }
            Some(_) => {}
        }
    }
    if open.is_some() { None } else { only }
}

/// The marks that open a fenced block on this line, whatever the info string.
fn fence_mark(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(' ');
    ['`', '~'].into_iter().find_map(|mark| {
        let length = line.len() - line.trim_start_matches(mark).len();
        let info = line.get(length..)?;
        (length >= 3 && !info.contains('`')).then(|| line.get(..length)).flatten()
    })
}

/// Whether the line is nothing but the closing marks.
fn closes(line: &str, mark: &str) -> bool {
    let line = line.trim();
    line.starts_with(mark) && line.chars().all(|character| mark.starts_with(character))
}

/// The only top-level object by its braces. Braces of prose, as in `{x}`, are passed over whole.
pub(crate) fn only_object(text: &str) -> Result<&str, ReplyError> {
    let mut found = None;
    let mut count = 0;
    let mut scan = Scan::default();
    for (position, byte) in text.bytes().enumerate() {
        let Some((from, to)) = scan.step(position, byte)? else { continue };
        let span = text.get(from..to).unwrap_or_default();
        if looks_like_object(span) {
            count += 1;
            found = Some(span);
        }
    }
    if scan.depth > 0 {
        let before = text.get(..scan.start).unwrap_or_default();
        return Err(ReplyError::Unclosed(before.chars().count()));
    }
    match (found, count) {
        (Some(span), 1) => Ok(span),
        (None, _) => Err(ReplyError::NoObject),
        (Some(_), count) => Err(ReplyError::Several(count)),
    }
}

/// An object opens with a key or is empty; `{x}` and `{'a': 1}` are none.
fn looks_like_object(span: &str) -> bool {
    let inside = span.strip_prefix('{').unwrap_or_default().trim_start();
    inside.starts_with(['"', '}'])
}

/// The state of the scan between two bytes.
#[derive(Default)]
struct Scan {
    depth: usize,
    start: usize,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    /// Takes one byte; returns the span of a top-level object that it closes.
    fn step(&mut self, position: usize, byte: u8) -> Result<Option<(usize, usize)>, ReplyError> {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return Ok(None);
        }
        match byte {
            b'{' if self.depth == 0 => {
                self.start = position;
                self.depth = 1;
            }
            _ if self.depth == 0 => {}
            b'"' => self.in_string = true,
            b'{' | b'[' if self.depth == MAX_DEPTH => return Err(ReplyError::TooDeep),
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth -= 1;
                if self.depth == 0 {
                    return Ok(Some((self.start, position + 1)));
                }
            }
            _ => {}
        }
        Ok(None)
    }
}
