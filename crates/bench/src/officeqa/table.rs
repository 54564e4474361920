//! Elements of a parsed page as text: tables of HTML as pipe tables.
//!
//! Always holds: a table's rows have equally many cells; a blank row is left out.

use crate::python::text::{strip, words};

/// Entities of HTML that accounts and their parsers use.
const ENTITIES: [(&str, &str); 30] = [
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("apos", "'"),
    ("nbsp", "\u{a0}"),
    ("ndash", "–"),
    ("mdash", "—"),
    ("minus", "−"),
    ("hellip", "…"),
    ("lsquo", "‘"),
    ("rsquo", "’"),
    ("ldquo", "“"),
    ("rdquo", "”"),
    ("bull", "•"),
    ("middot", "·"),
    ("dagger", "†"),
    ("Dagger", "‡"),
    ("cent", "¢"),
    ("pound", "£"),
    ("yen", "¥"),
    ("euro", "€"),
    ("sect", "§"),
    ("copy", "©"),
    ("reg", "®"),
    ("deg", "°"),
    ("frac14", "¼"),
    ("frac12", "½"),
    ("frac34", "¾"),
    ("times", "×"),
];

/// An element's content as text. As published, of an element with a table only the table's cells are shown.
pub(super) fn render(content: &str) -> String {
    if !content.to_ascii_lowercase().contains("<table") {
        return tidied(&unescaped(content));
    }
    let rows = rows(content);
    if rows.is_empty() {
        let text: String = Pieces(content).filter_map(Piece::text).collect();
        return tidied(&unescaped(&text));
    }
    pipe_table(&rows)
}

/// The rows of all tables, without blank ones.
fn rows(content: &str) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut cell: Option<String> = None;
    let close = |rows: &mut Vec<Vec<String>>, cell: &mut Option<String>| {
        if let (Some(row), Some(text)) = (rows.last_mut(), cell.take()) {
            row.push(words(&unescaped(&text)).collect::<Vec<_>>().join(" "));
        }
    };
    for piece in Pieces(content) {
        match piece {
            Piece::Text(text) => cell.iter_mut().for_each(|cell| cell.push_str(text)),
            Piece::Tag(tag) => match tag_name(tag).as_str() {
                "tr" | "/tr" | "/table" => {
                    close(&mut rows, &mut cell);
                    rows.push(Vec::new());
                }
                "td" | "th" => {
                    close(&mut rows, &mut cell);
                    cell = Some(String::new());
                }
                "/td" | "/th" => close(&mut rows, &mut cell),
                "br" | "br/" => cell.iter_mut().for_each(|cell| cell.push(' ')),
                _ => {}
            },
        }
    }
    close(&mut rows, &mut cell);
    rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
    rows
}

fn pipe_table(rows: &[Vec<String>]) -> String {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let line = |row: &Vec<String>| {
        let cells = row.iter().map(|cell| cell.replace('|', "\\|"));
        let padded = cells.chain(std::iter::repeat(String::new())).take(width);
        format!("| {} |", padded.collect::<Vec<_>>().join(" | "))
    };
    let rule = format!("| {} |", vec!["---"; width].join(" | "));
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    lines.insert(1.min(lines.len()), rule);
    lines.join("\n")
}

/// A tag without its brackets, or the text between two.
enum Piece<'a> {
    Tag(&'a str),
    Text(&'a str),
}

impl<'a> Piece<'a> {
    fn text(self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Tag(_) => None,
        }
    }
}

/// The pieces of a text. A `<` that begins no tag is text.
struct Pieces<'a>(&'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if let Some((tag, rest)) = self.0.strip_prefix('<').and_then(|inside| inside.split_once('>'))
            && tag.starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '/' | '!'))
        {
            self.0 = rest;
            return Some(Piece::Tag(tag));
        }
        let mut characters = self.0.char_indices();
        characters.next()?;
        let end = characters.find(|(_, character)| *character == '<').map_or(self.0.len(), |(at, _)| at);
        let (text, rest) = self.0.split_at_checked(end)?;
        self.0 = rest;
        Some(Piece::Text(text))
    }
}

/// The name of a tag in lower case, with the slash of a closing one.
fn tag_name(tag: &str) -> String {
    tag.split(char::is_whitespace).next().unwrap_or_default().to_ascii_lowercase()
}

/// The text with entities replaced; what is none stays.
fn unescaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        result.push_str(before);
        match after.split_once(';').and_then(|(name, behind)| Some((entity(name)?, behind))) {
            Some((character, behind)) => {
                result.push_str(&character);
                rest = behind;
            }
            None => {
                result.push('&');
                rest = after;
            }
        }
    }
    result.push_str(rest);
    result
}

fn entity(name: &str) -> Option<String> {
    let code = match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => number.parse().ok(),
        },
        None => return ENTITIES.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned()),
    };
    code.and_then(char::from_u32).map(String::from)
}

/// Line ends as line feeds, and at most one blank line at a time.
fn tidied(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut result = String::with_capacity(text.len());
    let mut breaks = 0;
    for character in strip(&text).chars() {
        breaks = if character == '\n' { breaks + 1 } else { 0 };
        if breaks <= 2 {
            result.push(character);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tables_become_pipe_tables_and_text_is_tidied() {
        for (content, expected) in [
            (
                "<table><tr><th>Year</th><th>In|Out</th></tr><tr><td>1951</td></tr><tr><td> </td></tr></table>",
                "| Year | In\\|Out |\n| --- | --- |\n| 1951 |  |",
            ),
            (
                "before <TABLE border=1><TR><TD>Coin &amp; notes<br>in all<TD>4 &lt; 5</TABLE> after",
                "| Coin & notes in all | 4 < 5 |\n| --- | --- |",
            ),
            ("<table>nothing <b>here</b></table>", "nothing here"),
            (
                "Debt &mdash; gross\r\n\r\n\r\n\r\nnet &#163;5 &unknown; a<b",
                "Debt — gross\n\nnet £5 &unknown; a<b",
            ),
            (" \n ", ""),
        ] {
            assert_eq!(render(content), expected, "{content}");
        }
    }

    proptest! {
        #[test]
        fn rows_are_equally_wide(content in "(<table>|<tr>|<td>|</td>|</tr>|</table>|<|&amp;|x|\\|| ){0,40}") {
            let rendered = render(&format!("<table>{content}"));
            let plain = rendered.replace("\\|", "");
            if plain.starts_with('|') {
                let widths: Vec<usize> = plain.lines().map(|line| line.matches('|').count()).collect();
                prop_assert!(widths.windows(2).all(|pair| pair[0] == pair[1]), "{}", rendered);
            }
        }
    }
}
