//! Python literals as `ast.literal_eval` reads them, and how `str` writes them.
//!
//! Always holds: nothing is evaluated; a text that is no literal, or is nested deeper than a few levels, is none.

use super::number::{self, plain};

/// How deeply literals may be nested.
const DEEPEST: usize = 16;

/// A literal.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// A text.
    Text(String),
    /// What is not a text and no list: as `str` writes it.
    Plain(String),
    /// A list.
    List(Vec<Literal>),
    /// A tuple.
    Tuple(Vec<Literal>),
    /// A set.
    Set(Vec<Literal>),
    /// A dictionary.
    Dictionary(Vec<(Literal, Literal)>),
}

impl Literal {
    /// The literal that the whole text is, white space around it aside.
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: super::text::strip(text) };
        let literal = reader.literal(0)?;
        reader.space();
        reader.rest.is_empty().then_some(literal)
    }

    /// `str` of it.
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            other => other.repr(),
        }
    }

    fn repr(&self) -> String {
        let joined = |items: &[Self]| items.iter().map(Self::repr).collect::<Vec<_>>().join(", ");
        match self {
            Self::Text(text) => repr(text),
            Self::Plain(text) => text.clone(),
            Self::List(items) => format!("[{}]", joined(items)),
            Self::Tuple(items) if items.len() == 1 => format!("({},)", joined(items)),
            Self::Tuple(items) => format!("({})", joined(items)),
            Self::Set(items) => format!("{{{}}}", joined(items)),
            Self::Dictionary(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| format!("{}: {}", key.repr(), value.repr()));
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A text in quotes, as `repr` writes it.
pub fn repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut written = String::from(quote);
    for character in text.chars() {
        match character {
            '\n' => written.push_str("\\n"),
            '\t' => written.push_str("\\t"),
            '\r' => written.push_str("\\r"),
            '\\' => written.push_str("\\\\"),
            other if other == quote => written.extend(['\\', other]),
            other => written.push(other),
        }
    }
    written.push(quote);
    written
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
    }

    /// Takes `token` after white space, if it is there.
    fn takes(&mut self, token: &str) -> bool {
        self.space();
        let after = self.rest.strip_prefix(token);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// A literal, or a tuple that stands without brackets at the outermost level.
    fn literal(&mut self, depth: usize) -> Option<Literal> {
        let first = self.element(depth)?;
        if depth > 0 || !self.takes(",") {
            return Some(first);
        }
        let mut items = vec![first];
        self.space();
        while !self.rest.is_empty() {
            items.push(self.element(depth)?);
            if !self.takes(",") {
                break;
            }
            self.space();
        }
        Some(Literal::Tuple(items))
    }

    fn element(&mut self, depth: usize) -> Option<Literal> {
        if depth > DEEPEST {
            return None;
        }
        self.space();
        match self.rest.chars().next()? {
            '[' => Some(Literal::List(self.items('[', "]", depth)?.0)),
            '(' => {
                let (mut items, comma) = self.items('(', ")", depth)?;
                match items.len() {
                    1 if !comma => items.pop(),
                    _ => Some(Literal::Tuple(items)),
                }
            }
            '{' => self.braces(depth),
            '\'' | '"' => self.string().map(Literal::Text),
            _ => self.word().or_else(|| self.number()),
        }
    }

    /// The items between brackets, and whether a comma follows the last.
    fn items(&mut self, open: char, close: &str, depth: usize) -> Option<(Vec<Literal>, bool)> {
        self.rest = self.rest.strip_prefix(open)?;
        let mut items = Vec::new();
        let mut comma = false;
        loop {
            if self.takes(close) {
                return Some((items, comma));
            }
            if !items.is_empty() && !comma {
                return None;
            }
            items.push(self.element(depth + 1)?);
            comma = self.takes(",");
        }
    }

    fn braces(&mut self, depth: usize) -> Option<Literal> {
        let start = self.rest;
        self.rest = self.rest.strip_prefix('{')?;
        if self.takes("}") {
            return Some(Literal::Dictionary(Vec::new()));
        }
        self.element(depth + 1)?;
        if !self.takes(":") {
            self.rest = start;
            return Some(Literal::Set(self.items('{', "}", depth)?.0));
        }
        self.rest = start.strip_prefix('{')?;
        let mut pairs = Vec::new();
        while !self.takes("}") {
            let key = self.element(depth + 1)?;
            if !self.takes(":") {
                return None;
            }
            pairs.push((key, self.element(depth + 1)?));
            if !self.takes(",") {
                return self.takes("}").then_some(Literal::Dictionary(pairs));
            }
        }
        Some(Literal::Dictionary(pairs))
    }

    fn string(&mut self) -> Option<String> {
        let quote = self.rest.chars().next()?;
        let mut characters = self.rest.char_indices().skip(1);
        let mut text = String::new();
        while let Some((at, character)) = characters.next() {
            if character == quote {
                self.rest = self.rest.get(at + quote.len_utf8()..)?;
                return Some(text);
            }
            if character == '\n' {
                return None;
            }
            if character != '\\' {
                text.push(character);
                continue;
            }
            match characters.next()?.1 {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                '\n' => {}
                mark @ ('x' | 'u') => {
                    let digits = if mark == 'x' { 2 } else { 4 };
                    let hexadecimal: String = characters.by_ref().take(digits).map(|(_, one)| one).collect();
                    text.push(char::from_u32(u32::from_str_radix(&hexadecimal, 16).ok()?)?);
                }
                same @ ('\\' | '\'' | '"') => text.push(same),
                other => text.extend(['\\', other]),
            }
        }
        None
    }

    fn word(&mut self) -> Option<Literal> {
        ["True", "False", "None"].into_iter().find_map(|word| {
            let after = self.rest.strip_prefix(word)?;
            if after.starts_with(super::text::is_word) {
                return None;
            }
            self.rest = after;
            Some(Literal::Plain(word.to_owned()))
        })
    }

    /// A signed number, or the sum of a real and an imaginary one.
    fn number(&mut self) -> Option<Literal> {
        let real = self.signed()?;
        self.space();
        let Some(sign) = self.rest.chars().next().filter(|sign| matches!(sign, '+' | '-')) else {
            return Some(Literal::Plain(match real {
                Number::Whole(text) => text,
                Number::Real(value) => number::repr(value),
                Number::Imaginary(value) => format!("{}j", plain(value)),
            }));
        };
        self.rest = self.rest.get(1..)?;
        self.space();
        let (Number::Imaginary(imaginary), Some(real)) = (self.signed()?, real.value()) else { return None };
        Some(Literal::Plain(format!("({}{sign}{}j)", plain(real), plain(imaginary))))
    }

    fn signed(&mut self) -> Option<Number> {
        let negative = match self.rest.chars().next()? {
            '-' => true,
            '+' => false,
            _ => return self.unsigned(false),
        };
        self.rest = self.rest.get(1..)?.trim_start();
        self.unsigned(negative)
    }

    fn unsigned(&mut self, negative: bool) -> Option<Number> {
        let token = self.number_token();
        let number = read_number(token, negative)?;
        self.rest = self.rest.get(token.len()..)?;
        Some(number)
    }

    /// The characters that a number could have, an exponent's sign among them.
    fn number_token(&self) -> &'a str {
        let hexadecimal = self.rest.starts_with("0x") || self.rest.starts_with("0X");
        let mut before = ' ';
        let end = self.rest.find(|character: char| {
            let sign = matches!(character, '+' | '-') && matches!(before, 'e' | 'E') && !hexadecimal;
            before = character;
            !(sign || character.is_ascii_alphanumeric() || matches!(character, '.' | '_'))
        });
        self.rest.get(..end.unwrap_or(self.rest.len())).unwrap_or_default()
    }
}

enum Number {
    Whole(String),
    Real(f64),
    Imaginary(f64),
}

impl Number {
    fn value(&self) -> Option<f64> {
        match self {
            Self::Whole(text) => text.parse().ok(),
            Self::Real(value) => Some(*value),
            Self::Imaginary(_) => None,
        }
    }
}

fn read_number(token: &str, negative: bool) -> Option<Number> {
    if token.ends_with('_') || token.contains("__") || token.starts_with('_') {
        return None;
    }
    let plain = token.replace('_', "").to_ascii_lowercase();
    let sign = if negative { "-" } else { "" };
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = plain.strip_prefix(prefix) {
            let value = u128::from_str_radix(digits, radix).ok()?;
            return Some(Number::Whole(format!("{}{value}", if value == 0 { "" } else { sign })));
        }
    }
    if !plain.is_empty() && plain.chars().all(|character| character.is_ascii_digit()) {
        let bare = plain.trim_start_matches('0');
        // A leading zero is no octal number any more; zeros alone are 0.
        return match (bare.is_empty(), plain.starts_with('0')) {
            (true, _) => Some(Number::Whole("0".to_owned())),
            (false, true) => None,
            (false, false) => Some(Number::Whole(format!("{sign}{plain}"))),
        };
    }
    let (digits, imaginary) = plain.strip_suffix('j').map_or((plain.as_str(), false), |rest| (rest, true));
    let starts = digits.starts_with(|character: char| character.is_ascii_digit() || character == '.');
    let value: f64 = digits.parse().ok().filter(|_| starts)?;
    let value = if negative { -value } else { value };
    Some(if imaginary { Number::Imaginary(value) } else { Number::Real(value) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn literals_are_written_as_str_writes_them() {
        for (text, expected) in [
            ("0.10", "0.1"),
            ("3,456", "(3, 456)"),
            ("1e5", "100000.0"),
            ("9_000", "9000"),
            ("0xff", "255"),
            ("True", "True"),
            ("(3)", "3"),
            ("(3,)", "(3,)"),
            ("4-1.5j", "(4-1.5j)"),
            ("{2}", "{2}"),
            ("{'a': [1, None]}", "{'a': [1, None]}"),
            ("\"it's\"", "it's"),
            ("['it\\'s', 'b']", "[\"it's\", 'b']"),
            ("-0.5", "-0.5"),
            ("'caf\\u00e9'", "café"),
        ] {
            assert_eq!(Literal::parse(text).map(|found| found.text()).as_deref(), Some(expected), "{text}");
        }
        for text in
            ["007", "5%", "two", "[1", "['a' 1]", "1__0", "1 2", "Truex", "", "os.system('x')", "{1: }"]
        {
            assert_eq!(Literal::parse(text), None, "{text}");
        }
        assert_eq!(Literal::parse(&format!("{}1{}", "[".repeat(99), "]".repeat(99))), None);
    }

    proptest! {
        #[test]
        fn any_text_in_a_list_is_read_back(texts in proptest::collection::vec("[ -~\n\té]{0,12}", 0..4)) {
            let list = Literal::List(texts.into_iter().map(Literal::Text).collect());
            prop_assert_eq!(Literal::parse(&list.text()), Some(list));
        }

        #[test]
        fn no_text_breaks_it(text in "[\\[\\](){}'\",:0-9a-fxj._+ \\\\-]{0,24}") {
            let _ = Literal::parse(&text);
        }
    }
}
