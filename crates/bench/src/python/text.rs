//! White space, lines and word characters as Python's `str` knows them.
//!
//! Always holds: U+001C to U+001F are white space here, unlike in Rust.

use unicode_normalization::char::is_combining_mark;

/// Whether `str.split` and `str.strip` treat the character as white space.
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// `str.strip`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `str.split` without arguments.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// `str.splitlines`.
pub fn lines(text: &str) -> Vec<&str> {
    let ends = |character: char| {
        matches!(
            character,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    // A carriage return before a line feed makes an empty line here, which no caller looks at.
    text.split(ends).collect()
}

/// Whether `\w` matches: letters and numbers but no combining marks and no letters in circles or squares, and the
/// underscore.
pub fn is_word(character: char) -> bool {
    let framed = matches!(
        character,
        '\u{24b6}'..='\u{24e9}'
            | '\u{1f130}'..='\u{1f149}'
            | '\u{1f150}'..='\u{1f169}'
            | '\u{1f170}'..='\u{1f189}'
    );
    character == '_' || (character.is_alphanumeric() && !framed && !is_combining_mark(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_lines_are_pythons() {
        assert_eq!(words("x\u{1f}y \u{a0} z").collect::<Vec<_>>(), ["x", "y", "z"]);
        assert_eq!(lines("foo\u{b}bar\u{2028}baz"), ["foo", "bar", "baz"]);
        for (character, word) in [
            ('a', true),
            ('_', true),
            ('²', true),
            ('\u{301}', false),
            ('-', false),
            ('東', true),
            ('ⓐ', false),
        ] {
            assert_eq!(is_word(character), word, "{character:?}");
        }
    }
}
