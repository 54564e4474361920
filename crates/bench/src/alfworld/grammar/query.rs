//! Queries: conjunctions of predicates over placeholders with types, such as `in(p:plant, b:bed) & wet(b:bed)`.
//!
//! Always holds: two placeholders are one if and only if name and type are equal.

use super::scan::{Scan, is_word};

/// What a predicate's argument stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Placeholder {
    pub(crate) name: String,
    pub(crate) kind: String,
}

/// A predicate over placeholders. Negation holds only where an action has said so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) predicate: String,
    pub(crate) negated: bool,
    pub(crate) placeholders: Vec<Placeholder>,
}

/// A conjunction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Query {
    pub(crate) patterns: Vec<Pattern>,
}

impl Query {
    /// Reads a query.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut scan = Scan::new(text);
        let mut patterns = Vec::new();
        loop {
            let pattern = pattern(&mut scan);
            patterns.push(pattern.ok_or_else(|| format!("`{}` is not a query", text.trim()))?);
            if scan.rest.is_empty() {
                return Ok(Self { patterns });
            }
            if !scan.eat("&") {
                return Err(format!("expected `&` before `{}` in a query", scan.rest));
            }
        }
    }
}

fn pattern(scan: &mut Scan<'_>) -> Option<Pattern> {
    scan.take(char::is_whitespace);
    let marked = scan.eat("!");
    let name = scan.take_some(|c| is_word(c) || c == '/')?;
    let stripped = name.strip_prefix("not_").filter(|rest| !rest.is_empty());
    scan.take(char::is_whitespace);
    if !scan.eat("(") {
        return None;
    }
    let mut placeholders = Vec::new();
    loop {
        scan.take(char::is_whitespace);
        if placeholders.is_empty() && scan.eat(")") {
            break;
        }
        placeholders.push(placeholder(scan)?);
        scan.take(char::is_whitespace);
        if scan.eat(")") {
            break;
        }
        if !scan.eat(",") {
            return None;
        }
    }
    scan.take(char::is_whitespace);
    let predicate = stripped.unwrap_or(name).to_owned();
    Some(Pattern { predicate, negated: marked != stripped.is_some(), placeholders })
}

fn placeholder(scan: &mut Scan<'_>) -> Option<Placeholder> {
    let name = scan.take_some(|c| is_word(c) || c == '\'')?;
    scan.take(char::is_whitespace);
    let kind = if scan.eat(":") {
        scan.take(char::is_whitespace);
        scan.take_some(|c| is_word(c) || matches!(c, '/' | '-'))?
    } else {
        name.trim_end_matches('\'')
    };
    Some(Placeholder { name: name.to_owned(), kind: kind.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_read() {
        let query = Query::read(" in(p:plant, b : bed) & not_wet(b') & !dry() ").unwrap();
        let shown: Vec<String> = query
            .patterns
            .iter()
            .map(|pattern| {
                let names = pattern.placeholders.iter().map(|p| format!("{}:{}", p.name, p.kind));
                format!(
                    "{}{}({})",
                    if pattern.negated { "!" } else { "" },
                    pattern.predicate,
                    names.collect::<Vec<_>>().join(",")
                )
            })
            .collect();
        assert_eq!(shown, ["in(p:plant,b:bed)", "!wet(b':b)", "!dry()"]);
    }

    #[test]
    fn what_is_no_query_is_refused() {
        for text in ["", "in", "in(", "in(a b)", "in(a,)", "in(a) on(b)", "in(a) &"] {
            assert!(Query::read(text).is_err(), "{text}");
        }
    }
}
