//! Nested lists of words, the form in which PDDL is written.
//!
//! Always holds: words are lower-case ASCII without comments; a word with `?` starts at the `?`; lists are nested at
//! most [`DEEPEST`] deep, so that whoever walks them may recurse.

/// The deepest nesting that is read.
pub(crate) const DEEPEST: usize = 100;

/// A word or a list, with the line on which it starts, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) line: usize,
    pub(crate) form: Form,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    Word(String),
    List(Vec<Node>),
}

/// Why a text is no PDDL that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct PddlError {
    /// The line in the domain or problem, from 1.
    pub line: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

impl PddlError {
    pub(crate) fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}

impl Node {
    /// The word, if it is one.
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.form {
            Form::Word(word) => Some(word),
            Form::List(_) => None,
        }
    }

    /// The word, or an error that says what was expected.
    pub(crate) fn expect_word(&self, what: &str) -> Result<&str, PddlError> {
        self.word().ok_or_else(|| PddlError::new(self.line, format!("expected {what}, found a list")))
    }

    /// The list's nodes, or an error that says what was expected.
    pub(crate) fn expect_list(&self, what: &str) -> Result<&[Node], PddlError> {
        match &self.form {
            Form::List(nodes) => Ok(nodes),
            Form::Word(word) => Err(PddlError::new(self.line, format!("expected {what}, found `{word}`"))),
        }
    }

    /// The list's first word and the rest.
    pub(crate) fn expect_tagged(&self, what: &str) -> Result<(&str, &[Node]), PddlError> {
        match self.expect_list(what)?.split_first() {
            Some((first, rest)) => Ok((first.expect_word(what)?, rest)),
            None => Err(PddlError::new(self.line, format!("expected {what}, found an empty list"))),
        }
    }
}

/// Reads the one list that a text holds.
pub(crate) fn read(text: &str) -> Result<Node, PddlError> {
    let mut open: Vec<Node> = Vec::new();
    let mut whole: Option<Node> = None;
    for (line, token) in tokens(text) {
        if whole.is_some() {
            return Err(PddlError::new(line, format!("unexpected `{token}` after the last `)`")));
        }
        let node = match token {
            "(" => {
                if open.len() >= DEEPEST {
                    return Err(PddlError::new(line, format!("nested deeper than {DEEPEST} lists")));
                }
                open.push(Node { line, form: Form::List(Vec::new()) });
                continue;
            }
            ")" => open.pop().ok_or_else(|| PddlError::new(line, "`)` without `(`"))?,
            word if word.is_ascii() => Node { line, form: Form::Word(word.to_ascii_lowercase()) },
            word => return Err(PddlError::new(line, format!("`{word}` is not ASCII"))),
        };
        match open.last_mut().map(|list| &mut list.form) {
            Some(Form::List(nodes)) => nodes.push(node),
            _ => whole = Some(node),
        }
    }
    match (whole, open.last()) {
        (_, Some(list)) => Err(PddlError::new(list.line, "`(` without `)`")),
        (Some(node @ Node { form: Form::List(_), .. }), None) => Ok(node),
        (_, None) => Err(PddlError::new(1, "expected a list `(define …)`")),
    }
}

/// The brackets and words of a text with their lines.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().flat_map(|(index, line)| {
        let code = line.split(';').next().unwrap_or_default();
        split_words(code).map(move |word| (index + 1, word))
    })
}

/// Splits at white space, around brackets and before `?`.
fn split_words(code: &str) -> impl Iterator<Item = &str> {
    let mut rest = code;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let mut characters = rest.char_indices();
        let (_, first) = characters.next()?;
        let end = if matches!(first, '(' | ')') {
            first.len_utf8()
        } else {
            let stop = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '?');
            characters.find(|&(_, c)| stop(c)).map_or(rest.len(), |(at, _)| at)
        };
        let (word, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(node: &Node) -> String {
        match &node.form {
            Form::Word(word) => word.clone(),
            Form::List(nodes) => format!("({})", nodes.iter().map(shown).collect::<Vec<_>>().join(" ")),
        }
    }

    #[test]
    fn lists_words_and_comments_are_read() {
        let cases = [
            ("(a)", "(a)"),
            ("(A ; b)\n)", "(a)"),
            ("(p ?x?y -z)", "(p ?x ?y -z)"),
            ("(e (?l - place, ?r - box))", "(e (?l - place, ?r - box))"),
            ("(a(b)()c)", "(a (b) () c)"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(&read(text).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn faults_name_their_line() {
        let deep = "(".repeat(DEEPEST + 1);
        let cases = [("(a\n(b)", 1), ("(a)\n)", 2), ("\n(é)", 2), ("word", 1), ("", 1), (deep.as_str(), 1)];
        for (text, line) in cases {
            assert_eq!(read(text).unwrap_err().line, line, "{text}");
        }
    }
}
