//! Looking into documents: names by pattern, lines by text, lines by number.
//!
//! Always holds: an answer has a limited number of lines and characters, and says where it was cut; a document is read
//! in pieces, however large it is.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use globset::GlobBuilder;
use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Lossy;
use grep_searcher::{Searcher, SearcherBuilder};
use serde::Serialize;

use super::documents::{Document, Reachable};

/// How much an answer shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Names that a pattern finds.
    pub names: usize,
    /// Lines that hold a text.
    pub matches: usize,
    /// Characters of one such line.
    pub line: usize,
    /// Characters of all such lines.
    pub found: usize,
    /// Lines that are read where no number is given.
    pub lines: usize,
    /// Characters that are read.
    pub read: usize,
}

/// As released, but for the characters of matching lines, which have no limit there.
pub const LIMITS: Limits = Limits { names: 50, matches: 20, line: 1000, found: 8000, lines: 80, read: 4000 };

/// What an answer is if nothing is found.
const NOTHING: &str = "[no matches]";

/// Why a pattern cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// It has no meaning.
    #[error("{0}")]
    Pattern(String),
    /// A document cannot be read.
    #[error("document {name} cannot be read: {error}")]
    Document {
        /// The document.
        name: String,
        /// Why.
        error: io::Error,
    },
}

impl SearchError {
    fn document(document: &Document) -> impl Fn(io::Error) -> Self {
        |error| Self::Document { name: document.name.clone(), error }
    }
}

/// The documents whose path or file name a pattern matches.
///
/// # Errors
/// If the pattern has no meaning.
pub fn glob(pattern: &str, documents: &Reachable) -> Result<String, SearchError> {
    let built = GlobBuilder::new(pattern).literal_separator(false).build();
    let matcher = built.map_err(|error| SearchError::Pattern(error.to_string()))?.compile_matcher();
    let is_match =
        |document: &&Document| matcher.is_match(&document.name) || matcher.is_match(document.file_name());
    let mut names: Vec<&str> = documents
        .iter()
        .filter(is_match)
        .map(|document| document.name.as_str())
        .take(LIMITS.names + 1)
        .collect();
    if names.is_empty() {
        return Ok(NOTHING.to_owned());
    }
    let more = names.len() > LIMITS.names;
    names.truncate(LIMITS.names);
    Ok(with_rest(names.join("\n"), more.then(|| format!("[more match; only {} are shown]", LIMITS.names))))
}

/// The lines of documents that hold a text, whatever its case, each with its number and, if `named`, its document.
///
/// # Errors
/// If the text cannot stand in a line, or a document cannot be read.
pub fn grep<'a>(
    text: &str,
    documents: impl IntoIterator<Item = &'a Document>,
    named: bool,
) -> Result<String, SearchError> {
    let matcher = RegexMatcherBuilder::new()
        .case_insensitive(true)
        .fixed_strings(true)
        .line_terminator(Some(b'\n'))
        .build(text)
        .map_err(|error| SearchError::Pattern(error.to_string()))?;
    let mut searcher = SearcherBuilder::new().line_number(true).bom_sniffing(false).build();
    let mut found = Found::default();
    for document in documents {
        let name = named.then_some(document.name.as_str());
        found.search(&mut searcher, &matcher, document, name).map_err(SearchError::document(document))?;
        if found.is_full() {
            break;
        }
    }
    Ok(found.answer())
}

/// Matching lines so far.
#[derive(Default)]
struct Found {
    lines: Vec<String>,
    characters: usize,
    cut: Option<String>,
}

impl Found {
    fn search(
        &mut self,
        searcher: &mut Searcher,
        matcher: &RegexMatcher,
        document: &Document,
        name: Option<&str>,
    ) -> io::Result<()> {
        let prefix = name.map(|name| format!("{name}:")).unwrap_or_default();
        let sink = Lossy(|number, line| {
            let line = around_match(line.trim_end_matches(['\r', '\n']), matcher);
            self.add(format!("{prefix}{number}: {line}"));
            Ok(!self.is_full())
        });
        searcher.search_path(matcher, &document.path, sink)
    }

    fn add(&mut self, line: String) {
        let characters = line.chars().count() + 1;
        if self.lines.len() == LIMITS.matches {
            self.cut = Some(format!("[more lines match; only {} are shown]", LIMITS.matches));
        } else if self.characters + characters > LIMITS.found {
            self.cut = Some(format!("[more lines match; only {} characters are shown]", LIMITS.found));
        } else {
            self.characters += characters;
            self.lines.push(line);
        }
    }

    fn is_full(&self) -> bool {
        self.cut.is_some()
    }

    fn answer(self) -> String {
        match self.lines.is_empty() {
            true => NOTHING.to_owned(),
            false => with_rest(self.lines.join("\n"), self.cut),
        }
    }
}

/// A line, or the part of a long one about its first match.
fn around_match(line: &str, matcher: &RegexMatcher) -> String {
    let length = line.chars().count();
    if length <= LIMITS.line {
        return line.to_owned();
    }
    let at = matcher.find(line.as_bytes()).ok().flatten().map_or(0, |found| found.start());
    let before = line.get(..at).unwrap_or_default().chars().count();
    let first = before.saturating_sub(LIMITS.line / 2).min(length - LIMITS.line);
    let part: String = line.chars().skip(first).take(LIMITS.line).collect();
    let mark = |cut: bool| if cut { "…" } else { "" };
    format!("{}{part}{}", mark(first > 0), mark(first + LIMITS.line < length))
}

/// Some lines of a document, from a number (from 1) on.
///
/// # Errors
/// If the document cannot be read.
pub fn read(document: &Document, start: usize, lines: usize) -> Result<String, SearchError> {
    let failed = SearchError::document(document);
    let mut reader = BufReader::new(File::open(&document.path).map_err(&failed)?);
    let mut passed = 0;
    while passed + 1 < start {
        if reader.skip_until(b'\n').map_err(&failed)? == 0 {
            break;
        }
        passed += 1;
    }
    let window = window(&mut reader, lines).map_err(&failed)?;
    Ok(match window {
        None if passed == 0 => "[empty file]".to_owned(),
        None => format!("[the document ends after line {passed}]"),
        Some(Window { text, cut: None }) => text,
        Some(Window { text, cut: Some(after) }) => {
            let line = passed + 1 + after;
            with_rest(text, Some(format!("[cut after {} characters, in line {line}]", LIMITS.read)))
        }
    })
}

/// Lines of a document, and after how many whole ones they were cut.
struct Window {
    text: String,
    cut: Option<usize>,
}

/// The next lines of a reader; none at its end.
fn window(reader: &mut impl BufRead, lines: usize) -> io::Result<Option<Window>> {
    // No character takes more bytes, so that a longer line is cut anyway.
    let most = u64::try_from(LIMITS.read * 4 + 4).unwrap_or(u64::MAX);
    let mut text = String::new();
    for number in 0..lines {
        let mut line = Vec::new();
        if reader.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
            return Ok((number > 0).then_some(Window { text, cut: None }));
        }
        if number > 0 {
            text.push('\n');
        }
        text.push_str(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']));
        if let Some((end, _)) = text.char_indices().nth(LIMITS.read) {
            text.truncate(end);
            return Ok(Some(Window { text, cut: Some(number) }));
        }
    }
    Ok(Some(Window { text, cut: None }))
}

fn with_rest(text: String, rest: Option<String>) -> String {
    match rest {
        Some(rest) => format!("{text}\n{rest}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::officeqa::documents::Documents;

    fn documents(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Reachable) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let listed = Documents::list(folder.path()).unwrap();
        (folder, Reachable::all(Arc::new(listed)))
    }

    #[test]
    fn names_match_by_path_or_file_name() {
        let (_folder, all) = documents(&[("a/ledger_1951.txt", b""), ("coin.txt", b""), ("b/coin.md", b"")]);
        for (pattern, expected) in [
            ("*", "a/ledger_1951.txt\nb/coin.md\ncoin.txt"),
            ("*.txt", "a/ledger_1951.txt\ncoin.txt"),
            ("**/*.txt", "a/ledger_1951.txt\ncoin.txt"),
            ("a/*", "a/ledger_1951.txt"),
            ("ledger_????.txt", "a/ledger_1951.txt"),
            ("{coin,ledger}*.md", "b/coin.md"),
            ("../*", "[no matches]"),
            ("Coin.txt", "[no matches]"),
        ] {
            assert_eq!(glob(pattern, &all).unwrap(), expected, "{pattern}");
        }
        assert!(matches!(glob("[", &all), Err(SearchError::Pattern(_))));
    }

    #[test]
    fn only_so_many_names_are_shown() {
        let names: Vec<String> = (0..60).map(|number| format!("{number:02}.txt")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), b"".as_slice())).collect();
        let (_folder, all) = documents(&files);
        let shown = glob("*", &all).unwrap();
        assert_eq!(shown.lines().count(), 51);
        assert!(shown.ends_with("49.txt\n[more match; only 50 are shown]"), "{shown}");
    }

    #[test]
    fn lines_are_found_literally_whatever_their_case() {
        let utf8 = "Net debt (a.b)\r\nTOTAL\n\u{0} total\nnet DEBT\nÜBER 5%\n";
        let text = utf8.as_bytes();
        let latin = [b"caf\xe9 total\n".as_slice(), text].concat();
        let (_folder, all) = documents(&[("x.txt", text), ("y.txt", &latin)]);
        let in_x = |text: &str| grep(text, [all.find("x.txt").unwrap()], false).unwrap();
        for (text, expected) in [
            ("net debt", "1: Net debt (a.b)\n4: net DEBT"),
            ("(A.B)", "1: Net debt (a.b)"),
            (".", "1: Net debt (a.b)"),
            ("über", "5: ÜBER 5%"),
            ("gold", "[no matches]"),
        ] {
            assert_eq!(in_x(text), expected, "{text}");
        }
        assert_eq!(grep("café", all.iter(), true).unwrap(), "[no matches]");
        assert_eq!(grep("5%", all.iter(), true).unwrap(), "x.txt:5: ÜBER 5%\ny.txt:6: ÜBER 5%");
        assert!(matches!(grep("a\nb", all.iter(), true), Err(SearchError::Pattern(_))));
    }

    #[test]
    fn matching_lines_are_limited_in_number_and_characters() {
        let many = "debt\n".repeat(30);
        let long = format!("{}debt{}\n", "x".repeat(50_000), "y".repeat(50_000)).repeat(15);
        let (_folder, all) = documents(&[("many.txt", many.as_bytes()), ("long.txt", long.as_bytes())]);
        let found = grep("debt", [all.find("many.txt").unwrap()], false).unwrap();
        assert_eq!(found.lines().count(), LIMITS.matches + 1);
        assert!(found.ends_with("20: debt\n[more lines match; only 20 are shown]"), "{found}");
        let found = grep("debt", [all.find("long.txt").unwrap()], false).unwrap();
        assert!(found.starts_with("1: …xxx") && found.contains("xdebty") && found.contains("yy…\n2: …x"));
        assert!(found.ends_with("[more lines match; only 8000 characters are shown]"));
        assert!(found.chars().count() < LIMITS.found + 100);
    }

    #[test]
    fn a_window_of_lines_is_read() {
        let text = (1..=100).map(|number| format!("line {number}\r\n")).collect::<String>();
        let wide = format!("{}\n{}\nend", "w".repeat(3000), "ä".repeat(30_000));
        let (_folder, all) = documents(&[
            ("x.txt", text.as_bytes()),
            ("empty.txt", b""),
            ("wide.txt", wide.as_bytes()),
            ("one.txt", b"\xff\n"),
        ]);
        let lines = |name: &str, start, count| read(all.find(name).unwrap(), start, count).unwrap();
        assert_eq!(lines("x.txt", 1, 2), "line 1\nline 2");
        assert_eq!(lines("x.txt", 99, 80), "line 99\nline 100");
        assert_eq!(lines("x.txt", 0, 1), "line 1");
        assert_eq!(lines("x.txt", 101, 5), "[the document ends after line 100]");
        assert_eq!(lines("empty.txt", 1, 80), "[empty file]");
        assert_eq!(lines("one.txt", 1, 80), "\u{fffd}");
        let cut = lines("wide.txt", 1, 80);
        assert!(cut.ends_with("ä\n[cut after 4000 characters, in line 2]"), "{cut}");
        assert_eq!(cut.lines().take(2).map(|line| line.chars().count() + 1).sum::<usize>(), 4001);
        assert_eq!(lines("wide.txt", 3, 80), "end");
    }
}
