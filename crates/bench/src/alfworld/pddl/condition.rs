//! Conditions of actions, effects and goals, before objects are put in.
//!
//! Always holds: negation stands at literals only; every variable of a literal is bound by a parameter or quantifier.

use super::sexp::{Node, PddlError};
use super::types::ROOT;

/// The name under which equality is written.
pub(crate) const EQUAL: &str = "=";

/// A variable with the type of what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Typed {
    /// With its `?` in domains; without for objects and types.
    pub(crate) name: String,
    pub(crate) kind: String,
}

/// A predicate over variables and objects, or its negation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Literal {
    pub(crate) line: usize,
    pub(crate) negated: bool,
    pub(crate) predicate: String,
    pub(crate) arguments: Vec<String>,
}

/// A condition in negation normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Exists(Vec<Typed>, Box<Condition>),
    ForAll(Vec<Typed>, Box<Condition>),
    Literal(Literal),
}

impl Condition {
    /// The condition that always holds.
    pub(crate) fn truth() -> Self {
        Self::All(Vec::new())
    }

    /// Reads a condition; an empty list always holds.
    pub(crate) fn read(node: &Node) -> Result<Self, PddlError> {
        if node.expect_list("a condition")?.is_empty() {
            return Ok(Self::truth());
        }
        Self::read_signed(node, false)
    }

    fn read_signed(node: &Node, negated: bool) -> Result<Self, PddlError> {
        let (tag, rest) = node.expect_tagged("a condition")?;
        let wrong = |message: &str| PddlError::new(node.line, format!("`{tag}` {message}"));
        match (tag, rest) {
            ("not", [inner]) => Self::read_signed(inner, !negated),
            ("and" | "or", parts) => {
                let parts: Result<_, _> = parts.iter().map(|part| Self::read_signed(part, negated)).collect();
                Ok(if (tag == "and") == negated { Self::Any(parts?) } else { Self::All(parts?) })
            }
            ("imply", [condition, conclusion]) => {
                let parts =
                    vec![Self::read_signed(condition, !negated)?, Self::read_signed(conclusion, negated)?];
                Ok(if negated { Self::All(parts) } else { Self::Any(parts) })
            }
            ("exists" | "forall", [variables, inner]) => {
                let variables = read_typed(variables.expect_list("variables with types")?, ROOT)?;
                let inner = Box::new(Self::read_signed(inner, negated)?);
                let exists = (tag == "exists") != negated;
                Ok(if exists { Self::Exists(variables, inner) } else { Self::ForAll(variables, inner) })
            }
            ("not", _) => Err(wrong("takes one condition")),
            ("imply", _) => Err(wrong("takes two conditions")),
            ("exists" | "forall", _) => Err(wrong("takes variables and one condition")),
            _ => Ok(Self::Literal(Literal { negated, ..Literal::read_atom(node)? })),
        }
    }
}

impl Literal {
    /// Reads `(predicate argument …)` or `(not (predicate argument …))`.
    pub(crate) fn read(node: &Node) -> Result<Self, PddlError> {
        match node.expect_tagged("a predicate")? {
            ("not", [inner]) => Ok(Self { negated: true, ..Self::read_atom(inner)? }),
            _ => Self::read_atom(node),
        }
    }

    fn read_atom(node: &Node) -> Result<Self, PddlError> {
        let (predicate, rest) = node.expect_tagged("a predicate")?;
        let arguments: Result<_, _> =
            rest.iter().map(|word| word.expect_word("a variable or an object").map(str::to_owned)).collect();
        Ok(Self { line: node.line, negated: false, predicate: predicate.to_owned(), arguments: arguments? })
    }
}

/// Reads `a b - kind c - other d`; what has no type gets `default`.
pub(crate) fn read_typed(nodes: &[Node], default: &str) -> Result<Vec<Typed>, PddlError> {
    let mut result: Vec<Typed> = Vec::new();
    let mut untyped = 0;
    let mut words = nodes.iter();
    while let Some(node) = words.next() {
        let word = node.expect_word("a name")?;
        if word != "-" {
            result.push(Typed { name: word.to_owned(), kind: default.to_owned() });
            continue;
        }
        let Some(kind) = words.next() else {
            return Err(PddlError::new(node.line, "expected a type after `-`"));
        };
        let kind = kind.expect_word("a type")?;
        for entry in result.iter_mut().skip(untyped) {
            kind.clone_into(&mut entry.kind);
        }
        untyped = result.len();
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::super::sexp::read;
    use super::*;

    fn condition(text: &str) -> Condition {
        Condition::read(&read(text).unwrap()).unwrap()
    }

    #[test]
    fn negation_moves_to_the_literals() {
        let pairs = [
            ("(not (and (p) (q)))", "(or (not (p)) (not (q)))"),
            ("(not (not (p)))", "(p)"),
            ("(imply (p) (q))", "(or (not (p)) (q))"),
            ("(not (exists (?x - box) (p ?x)))", "(forall (?x - box) (not (p ?x)))"),
            ("()", "(and)"),
        ];
        for (left, right) in pairs {
            assert_eq!(condition(left), condition(right), "{left}");
        }
    }

    #[test]
    fn names_before_a_type_share_it() {
        let node = read("(a b - box c)").unwrap();
        let typed = read_typed(node.expect_list("").unwrap(), ROOT).unwrap();
        let shown: Vec<String> = typed.iter().map(|entry| format!("{}:{}", entry.name, entry.kind)).collect();
        assert_eq!(shown, ["a:box", "b:box", "c:object"]);
    }

    #[test]
    fn malformed_conditions_are_refused() {
        for text in ["(not)", "(imply (p))", "(exists (?x))", "((p))", "(p (q))", "(exists (?x -) (p ?x))"] {
            assert!(Condition::read(&read(text).unwrap()).is_err(), "{text}");
        }
    }
}
