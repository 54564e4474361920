//! The right side of a rule: text, names of rules, values, and lists of what fits a query.
//!
//! Always holds: what cannot be read ends the rule without an error, as in the reference engine; white space that
//! opens a text is dropped, as there.

use super::expression::Expression;
use super::query::Query;
use super::scan::{GrammarError, Scan, is_word};

/// What stands in braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Rule(String),
    Value(Expression),
}

/// A part, once for every way to fill a query (once if there is none).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Each {
    pub(crate) part: Part,
    pub(crate) given: Option<Query>,
}

/// A symbol of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Symbol {
    Text(String),
    Rule(String),
    Each(Each),
    /// As `Each`, with separators between.
    List(Each),
}

/// Reads the right side of a rule. `place` names it in errors.
pub(crate) fn read(text: &str, place: &str) -> Result<Vec<Symbol>, GrammarError> {
    let mut scan = Scan::new(text);
    skip_opening(&mut scan);
    let mut symbols = Vec::new();
    loop {
        scan.take(|c| c == '\t');
        let before = scan;
        match symbol(&mut scan, place)? {
            Some(symbol) => symbols.push(symbol),
            None => {
                scan = before;
                match literal(&mut scan) {
                    Some(text) if !text.is_empty() => symbols.push(Symbol::Text(text.to_owned())),
                    _ => return Ok(symbols),
                }
            }
        }
    }
}

/// White space and comments at the start of a line count for nothing there.
fn skip_opening(scan: &mut Scan<'_>) {
    loop {
        scan.take(char::is_whitespace);
        if !scan.eat("//") {
            return;
        }
        scan.take(|c| c != '\n');
    }
}

fn symbol(scan: &mut Scan<'_>, place: &str) -> Result<Option<Symbol>, GrammarError> {
    if scan.eat("[") {
        let Some(each) = each(scan, place)? else { return Ok(None) };
        return Ok(scan.eat("]").then_some(Symbol::List(each)));
    }
    if scan.rest.starts_with('{') {
        return Ok(each(scan, place)?.map(Symbol::Each));
    }
    Ok(rule_name(scan).map(Symbol::Rule))
}

fn each(scan: &mut Scan<'_>, place: &str) -> Result<Option<Each>, GrammarError> {
    if !scan.eat("{") {
        return Ok(None);
    }
    let before = *scan;
    let part = match rule_name(scan) {
        Some(name) => Part::Rule(name),
        None => {
            *scan = before;
            let statement = |c| !matches!(c, '|' | '[' | ']' | '{' | '}' | '\n' | '<' | '>');
            let Some(text) = scan.take_some(statement) else { return Ok(None) };
            Part::Value(Expression::read(text).map_err(|message| GrammarError::new(place, message))?)
        }
    };
    scan.take(char::is_whitespace);
    let given = if scan.eat("|") {
        let query = |c| !matches!(c, ';' | '|' | '{' | '}' | '\n' | '[' | ']' | '#');
        scan.take(char::is_whitespace);
        let Some(text) = scan.take_some(query) else { return Ok(None) };
        Some(Query::read(text).map_err(|message| GrammarError::new(place, message))?)
    } else {
        None
    };
    Ok(scan.eat("}").then_some(Each { part, given }))
}

/// `#name#`
fn rule_name(scan: &mut Scan<'_>) -> Option<String> {
    let fits = |c: char| {
        is_word(c) || c.is_whitespace() || matches!(c, '(' | ')' | '/' | '!' | '<' | '>' | '-' | ',' | '.')
    };
    if !scan.eat("#") {
        return None;
    }
    let name = scan.take_some(fits)?;
    scan.eat("#").then(|| name.to_owned())
}

/// Text, in quotes or bare.
fn literal<'a>(scan: &mut Scan<'a>) -> Option<&'a str> {
    let fits = |c| !matches!(c, ';' | '|' | '"' | '<' | '>' | '[' | ']' | '#' | '{' | '}');
    if scan.eat("\"") {
        let text = scan.take(fits);
        return scan.eat("\"").then_some(text);
    }
    scan.take_some(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let each = |each: &Each| {
            let part = match &each.part {
                Part::Rule(name) => format!("#{name}#"),
                Part::Value(_) => "value".to_owned(),
            };
            format!("{part}{}", if each.given.is_some() { " given" } else { "" })
        };
        let symbols = read(text, "here").unwrap();
        let shown = symbols.iter().map(|symbol| match symbol {
            Symbol::Text(text) => format!("{text:?}"),
            Symbol::Rule(name) => format!("#{name}#"),
            Symbol::Each(one) => format!("{{{}}}", each(one)),
            Symbol::List(one) => format!("[{}]", each(one)),
        });
        shown.collect()
    }

    #[test]
    fn the_right_side_is_read_as_far_as_it_goes() {
        for (text, expected) in [
            ("You see {o.name}.", vec!["\"You see \"", "{value}", "\".\""]),
            ("[{#a thing(o)# | in(o:thing, b:box)}]!", vec!["[#a thing(o)# given]", "\"!\""]),
            ("{o.name | in(o:thing)}", vec!["{value given}"]),
            ("#one##two#\n\n#three#", vec!["#one#", "#two#", "\"\n\n\"", "#three#"]),
            ("\n  leading\n", vec!["\"leading\\n\""]),
            ("// a comment\nafter", vec!["\"after\""]),
            ("before} after", vec!["\"before\""]),
            ("before [after", vec!["\"before \""]),
            ("100 # of them", vec!["\"100 \""]),
            ("", vec![]),
        ] {
            let expected: Vec<String> = expected.into_iter().map(|line| line.replace("\n", "\\n")).collect();
            assert_eq!(shown(text), expected, "{text}");
        }
        assert_eq!(read("{o.colour}", "rule `x`").unwrap_err().place, "rule `x`");
    }
}
