//! Texts that fit the model's window.
//!
//! Always holds: a text is cut in its middle only, head and tail stay, and a mark says how much is missing.

/// Bytes that one token is taken for. Low, so that an estimate is too high rather than too low.
const BYTES_PER_TOKEN: usize = 3;

/// About how many tokens `text` has; no fewer than real tokenizers find in prose, code or CJK.
pub fn estimated_tokens(text: &str) -> usize {
    text.len().div_ceil(BYTES_PER_TOKEN)
}

/// A text of which the middle was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortened {
    /// What is left of the beginning.
    pub head: String,
    /// The characters that are missing; at least 1.
    pub cut: usize,
    /// What is left of the end.
    pub tail: String,
}

impl Shortened {
    /// The mark that stands in the place of what was cut.
    pub fn mark(&self) -> String {
        format!("[… {} characters cut here …]", self.cut)
    }
}

/// Cuts the middle of `text` so that `keep` characters are left, two thirds of them at the head. Nothing if the text
/// is no longer than that.
pub fn shorten(text: &str, keep: usize) -> Option<Shortened> {
    let length = text.chars().count();
    let cut = length.checked_sub(keep).filter(|cut| *cut > 0)?;
    let tail = keep / 3;
    let head = keep - tail;
    Some(Shortened {
        head: text.chars().take(head).collect(),
        cut,
        tail: text.chars().skip(length - tail).collect(),
    })
}

/// The largest allowed text length, from `shortest` to `longest`, with which a prompt has no more than `window`
/// tokens, if it has `tokens(length)` with texts of at most `length` characters. `shortest` if none is enough. Found
/// by halving, to within a sixteenth.
pub fn longest_that_fits(
    shortest: usize,
    longest: usize,
    window: usize,
    tokens: impl Fn(usize) -> usize,
) -> usize {
    let (mut fits, mut too_long) = (shortest, longest.max(shortest));
    while too_long - fits > fits / 16 + 1 {
        let middle = fits.midpoint(too_long);
        if tokens(middle) <= window { fits = middle } else { too_long = middle }
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_and_tail_stay() {
        assert_eq!(shorten("abc", 3), None);
        assert_eq!(shorten("", 0), None);
        let shortened = shorten("0123456789äöü", 6).unwrap();
        assert_eq!((shortened.head.as_str(), shortened.tail.as_str()), ("0123", "öü"));
        assert_eq!(shortened.mark(), "[… 7 characters cut here …]");
        assert_eq!(shorten("abcd", 0).unwrap().cut, 4);
    }

    #[test]
    fn the_length_found_fits_if_any_does() {
        let tokens = |length: usize| 10 + 3 * length / 4;
        for (longest, window, expected) in [
            (1, 0, 120..=120),
            (50_000, 99, 120..=120),
            (50_000, 1_000, 1_200..=1_320),
            (900, 9_000, 840..=900),
        ] {
            let found = longest_that_fits(120, longest, window, tokens);
            assert!(expected.contains(&found), "{longest} {window} {found}");
        }
    }
}
