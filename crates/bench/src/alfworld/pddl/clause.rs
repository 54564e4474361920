//! Conditions as alternatives of conjunctions over numbered slots, ready to be joined with the facts.
//!
//! Always holds: a condition holds if and only if one of its clauses does; universal quantifiers are gone, since the
//! objects are known.

use super::condition::{Condition, EQUAL, Literal, Typed};
use super::sexp::PddlError;
use super::vocabulary::{Object, Objects, Predicate, Predicates};

/// The most alternatives that one condition may have.
const MOST_CLAUSES: usize = 20_000;

/// What a variable stands for: a slot to be filled, or an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Argument {
    Slot(usize),
    Object(Object),
}

/// What a literal asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Question {
    /// Whether the two arguments are the same object.
    Same,
    /// Whether the atom of this predicate is true.
    True(Predicate),
}

/// A literal over slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Test {
    pub(crate) negated: bool,
    pub(crate) question: Question,
    pub(crate) arguments: Vec<Argument>,
}

/// A conjunction, with the slots that its own quantifiers opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Clause {
    pub(crate) slots: Vec<usize>,
    pub(crate) tests: Vec<Test>,
}

/// Numbers variables and resolves names for one action or goal.
pub(crate) struct Lifting<'a> {
    objects: &'a Objects,
    predicates: &'a Predicates,
    /// The type of what each slot takes.
    pub(crate) kinds: Vec<String>,
}

/// The names that are bound, innermost last.
pub(crate) type Names = Vec<(String, Argument)>;

impl<'a> Lifting<'a> {
    pub(crate) fn new(objects: &'a Objects, predicates: &'a Predicates) -> Self {
        Self { objects, predicates, kinds: Vec::new() }
    }

    /// Opens a slot for each variable and binds its name.
    pub(crate) fn bind(&mut self, variables: &[Typed], names: &mut Names) -> Vec<usize> {
        let first = self.kinds.len();
        for variable in variables {
            names.push((variable.name.clone(), Argument::Slot(self.kinds.len())));
            self.kinds.push(variable.kind.clone());
        }
        (first..self.kinds.len()).collect()
    }

    /// The condition's clauses.
    pub(crate) fn clauses(
        &mut self,
        condition: &Condition,
        names: &mut Names,
    ) -> Result<Vec<Clause>, PddlError> {
        match condition {
            Condition::Literal(literal) => Ok(match self.test(literal, names)? {
                Some(test) => vec![Clause { slots: Vec::new(), tests: vec![test] }],
                None if literal.negated => vec![Clause::default()],
                None => Vec::new(),
            }),
            Condition::Any(parts) => {
                let mut result = Vec::new();
                for part in parts {
                    result.extend(self.clauses(part, names)?);
                }
                limited(result)
            }
            Condition::All(parts) => {
                let mut result = vec![Clause::default()];
                for part in parts {
                    result = both(result, &self.clauses(part, names)?)?;
                }
                Ok(result)
            }
            Condition::Exists(variables, inner) => {
                let outer = names.len();
                let slots = self.bind(variables, names);
                let mut result = self.clauses(inner, names)?;
                names.truncate(outer);
                for clause in &mut result {
                    clause.slots.extend(&slots);
                }
                Ok(result)
            }
            Condition::ForAll(variables, inner) => self.for_all(variables, inner, names),
        }
    }

    fn for_all(
        &mut self,
        variables: &[Typed],
        inner: &Condition,
        names: &mut Names,
    ) -> Result<Vec<Clause>, PddlError> {
        let Some((first, rest)) = variables.split_first() else {
            return self.clauses(inner, names);
        };
        let mut result = vec![Clause::default()];
        for &object in self.objects.of_kind(&first.kind) {
            names.push((first.name.clone(), Argument::Object(object)));
            let part = self.for_all(rest, inner, names)?;
            names.pop();
            result = both(result, &part)?;
        }
        Ok(result)
    }

    /// A literal over slots. None if it names an object that the problem lacks, so that its atom is never true:
    /// domains name things that only some problems have.
    pub(crate) fn test(&self, literal: &Literal, names: &Names) -> Result<Option<Test>, PddlError> {
        let fault = |message: String| PddlError::new(literal.line, message);
        let name = &literal.predicate;
        let predicate = self
            .predicates
            .number(name)
            .ok_or_else(|| fault(format!("predicate `{name}` is not declared in the domain")))?;
        let expected = self.predicates.arity(predicate);
        if literal.arguments.len() != expected {
            let found = literal.arguments.len();
            return Err(fault(format!("predicate `{name}` takes {expected} arguments, found {found}")));
        }
        let mut arguments = Vec::new();
        for word in &literal.arguments {
            let bound = names.iter().rev().find(|(name, _)| name == word).map(|&(_, argument)| argument);
            match bound.or_else(|| self.objects.number(word).map(Argument::Object)) {
                Some(argument) => arguments.push(argument),
                None if word.starts_with('?') => {
                    return Err(fault(format!(
                        "variable `{word}` is not bound by a parameter or quantifier"
                    )));
                }
                None => return Ok(None),
            }
        }
        let question = if name == EQUAL { Question::Same } else { Question::True(predicate) };
        Ok(Some(Test { negated: literal.negated, question, arguments }))
    }
}

/// All conjunctions of a clause of the left with one of the right.
fn both(left: Vec<Clause>, right: &[Clause]) -> Result<Vec<Clause>, PddlError> {
    if left.len().saturating_mul(right.len()) > MOST_CLAUSES {
        return Err(too_many());
    }
    let mut result = Vec::with_capacity(left.len() * right.len());
    for first in &left {
        for second in right {
            let mut joined = first.clone();
            joined.slots.extend(&second.slots);
            joined.tests.extend(second.tests.iter().cloned());
            result.push(joined);
        }
    }
    Ok(result)
}

fn limited(clauses: Vec<Clause>) -> Result<Vec<Clause>, PddlError> {
    if clauses.len() > MOST_CLAUSES { Err(too_many()) } else { Ok(clauses) }
}

fn too_many() -> PddlError {
    PddlError::new(1, format!("a condition has more than {MOST_CLAUSES} alternatives"))
}
