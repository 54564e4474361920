//! The search results of a clue, cut to their budget.
//!
//! Always holds: whole documents are kept from the front as long as they fit; the published cut is kept to the letter.

/// The characters that the published protocol allows.
pub const BUDGET: usize = 6000;

const MARKER: &str = "[DOC]";

/// Cuts `passages` to `budget` characters: whole documents while they fit, or a hard cut if not even one does.
pub fn cut(passages: &str, budget: usize) -> String {
    if passages.chars().count() <= budget {
        return passages.to_owned();
    }
    let mut kept = String::new();
    let mut length = 0;
    for document in passages.split(MARKER) {
        let marker = if kept.is_empty() { 0 } else { MARKER.len() };
        let more = document.chars().count() + marker;
        if length + more > budget {
            break;
        }
        if marker > 0 {
            kept.push_str(MARKER);
        }
        kept.push_str(document);
        length += more;
    }
    if kept.is_empty() {
        let hard: String = passages.chars().take(budget).collect();
        return format!("{hard}\n...[truncated]");
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_documents_are_kept_while_they_fit() {
        for (passages, budget, expected) in [
            ("[DOC] aa [DOC] bb", 100, "[DOC] aa [DOC] bb"),
            ("[DOC] aa [DOC] bb [DOC] cc", 17, " aa [DOC] bb "),
            ("[DOC] xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 20, "[DOC] xxxxxxxxxxxxxx\n...[truncated]"),
            ("abcdefghij", 5, "abcde\n...[truncated]"),
            ("", 5, ""),
        ] {
            assert_eq!(cut(passages, budget), expected, "{passages}");
        }
    }
}
