//! Lexical fixes of near-JSON that lose nothing and have one meaning only.
//!
//! Always holds: the text of every string stays what the model wrote; nothing is added but escapes, and nothing is
//! removed but a comma before a closing bracket.

/// The mended text and how many places were mended.
pub(crate) struct Repaired {
    pub(crate) text: String,
    pub(crate) fixes: u32,
}

/// Escapes raw control characters in strings, doubles the backslash of escapes that JSON does not know (`\(`, `\s`,
/// `\u12`), and drops trailing commas.
pub(crate) fn repair(span: &str) -> Repaired {
    let mut repaired = Repaired { text: String::with_capacity(span.len() + 16), fixes: 0 };
    let mut in_string = false;
    let mut rest = span;
    while let Some(character) = rest.chars().next() {
        let after = rest.get(character.len_utf8()..).unwrap_or_default();
        rest = after;
        match character {
            '"' => {
                in_string = !in_string;
                repaired.text.push('"');
            }
            '\\' if in_string => rest = escape(after, &mut repaired),
            control if in_string && control < ' ' => {
                repaired.text.push_str(&format!("\\u{:04x}", u32::from(control)));
                repaired.fixes += 1;
            }
            ',' if !in_string && after.trim_start().starts_with(['}', ']']) => repaired.fixes += 1,
            other => repaired.text.push(other),
        }
    }
    repaired
}

/// Copies a valid escape whole; otherwise writes the backslash as a character. Returns what follows.
fn escape<'a>(after: &'a str, repaired: &mut Repaired) -> &'a str {
    let length = match after.chars().next() {
        Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => 1,
        Some('u') if after.get(1..5).is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit())) => 5,
        _ => 0,
    };
    repaired.text.push('\\');
    if length == 0 {
        repaired.text.push('\\');
        repaired.fixes += 1;
    }
    let (copied, rest) = after.split_at_checked(length).unwrap_or(("", after));
    repaired.text.push_str(copied);
    rest
}
