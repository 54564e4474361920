//! The values in braces: fields of objects, texts, `+` and `or`.
//!
//! Always holds: a value is made of its object's names only; nothing is executed.

use super::scan::{Scan, is_word};

/// A field of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// The name that is shown. An object without a field stands for this one.
    Name,
    /// The name in the file.
    Id,
    /// The type.
    Kind,
    /// `a`.
    Indefinite,
    /// `the`.
    Definite,
    /// A field that games of this kind leave empty.
    Empty,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    Text(String),
    Of(String, Field),
    /// The parts, one after the other.
    Sum(Vec<Expression>),
    /// The first that is not empty, or the last.
    First(Vec<Expression>),
}

impl Expression {
    /// Reads an expression.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut scan = Scan::new(text);
        let fault = || format!("`{}` is not an expression that is supported", text.trim());
        let expression = alternatives(&mut scan).ok_or_else(fault)?;
        scan.take(char::is_whitespace);
        if scan.rest.is_empty() { Ok(expression) } else { Err(fault()) }
    }
}

fn alternatives(scan: &mut Scan<'_>) -> Option<Expression> {
    let first = sum(scan)?;
    let mut all = vec![first];
    loop {
        let before = *scan;
        scan.take(char::is_whitespace);
        if scan.take(is_word) != "or" {
            *scan = before;
            break;
        }
        all.push(sum(scan)?);
    }
    Some(if all.len() == 1 { all.pop()? } else { Expression::First(all) })
}

fn sum(scan: &mut Scan<'_>) -> Option<Expression> {
    let mut all = vec![value(scan)?];
    loop {
        let before = *scan;
        scan.take(char::is_whitespace);
        if !scan.eat("+") {
            *scan = before;
            break;
        }
        all.push(value(scan)?);
    }
    Some(if all.len() == 1 { all.pop()? } else { Expression::Sum(all) })
}

fn value(scan: &mut Scan<'_>) -> Option<Expression> {
    scan.take(char::is_whitespace);
    for quote in ["'", "\""] {
        if scan.eat(quote) {
            return scan.take_until(quote).map(|text| Expression::Text(text.to_owned()));
        }
    }
    let name = scan.take_some(is_word).filter(|name| !name.starts_with(|c: char| c.is_numeric()))?;
    let field = if scan.eat(".") {
        match scan.take_some(is_word)? {
            "name" => Field::Name,
            "id" => Field::Id,
            "type" => Field::Kind,
            "indefinite" => Field::Indefinite,
            "definite" => Field::Definite,
            "noun" | "adj" | "desc" | "synonyms" | "room_type" => Field::Empty,
            _ => return None,
        }
    } else {
        Field::Name
    };
    Some(Expression::Of(name.to_owned(), field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read() {
        let of = |name: &str, field| Expression::Of(name.to_owned(), field);
        let cases = [
            (" r ", of("r", Field::Name)),
            ("o2.id", of("o2", Field::Id)),
            ("r.noun or r.name", Expression::First(vec![of("r", Field::Empty), of("r", Field::Name)])),
            (
                "o.indefinite + ' ' + o.name",
                Expression::Sum(vec![
                    of("o", Field::Indefinite),
                    Expression::Text(" ".to_owned()),
                    of("o", Field::Name),
                ]),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(Expression::read(text).unwrap(), expected, "{text}");
        }
        for text in ["", "r.colour", "f(x)", "r.name +", "'open", "1 + 2", "a b"] {
            assert!(Expression::read(text).is_err(), "{text}");
        }
    }
}
