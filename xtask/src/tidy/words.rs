//! Words that do not belong into the tree.
//!
//! Always holds: a path of somebody's machine is found wherever it stands, also in a fixture.

use super::tree::Tree;

/// The only file that may name what lies beside the tree.
const NAMES_NEIGHBOURS: &str = ".ci/run";

/// Words with the reason against them. They are put together here so that this file does not hold them.
fn forbidden() -> [(String, &'static str); 8] {
    let slashed = |parts: &[&str]| format!("/{}/", parts.join("/"));
    [
        (slashed(&["work"]), "a path of one machine"),
        (slashed(&["root"]), "a path of one machine"),
        (slashed(&["home"]), "a path of one machine"),
        (slashed(&["Users"]), "a path of one machine"),
        (format!("..{}", slashed(&["shared"])), "a path outside the tree"),
        (["TO", "DO"].concat(), "unfinished work; do it or describe it where it is planned"),
        (["FIX", "ME"].concat(), "unfinished work; do it or describe it where it is planned"),
        (["dbg", "!("].concat(), "left over from debugging"),
    ]
}

/// Where a forbidden word stands.
pub(crate) fn problems(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    let forbidden = forbidden();
    let files = tree.files.iter().filter(|(path, _)| path.as_str() != NAMES_NEIGHBOURS);
    for (path, text) in files {
        for (number, line) in text.lines().enumerate() {
            for (word, reason) in forbidden.iter().filter(|(word, _)| contains_word(line, word)) {
                problems.push(format!("{path}:{}: {word:?} is {reason}", number + 1));
            }
        }
    }
    problems
}

/// Whether `word` stands in `line` by itself: not as the tail of a longer path or name.
fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(|character| character.is_alphanumeric() || "_-.}".contains(character))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_words_are_found_with_their_line() {
        let path = ["/ho", "me/someone/x"].concat();
        let files = [
            ("docs/a.md".to_owned(), format!("fine\nsee {path}\n")),
            ("docs/b.md".to_owned(), "https://example.org/network/x and framework/x".to_owned()),
            (".ci/run".to_owned(), ["..", "/shared/cases"].concat()),
        ];
        let found = problems(&Tree { files: files.into() });
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("docs/a.md:2: ") && found[0].ends_with("a path of one machine"),
            "{found:?}"
        );
    }
}
