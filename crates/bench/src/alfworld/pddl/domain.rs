//! The domain: types, predicates and actions.
//!
//! Always holds: predicates and actions keep the order and the lower-case names of the file; numeric functions (costs)
//! are read over, since they decide nothing in play.

use std::collections::{BTreeMap, BTreeSet};

use super::condition::{Condition, EQUAL, Literal, Typed, read_typed};
use super::sexp::{Node, PddlError, read};
use super::types::{ROOT, Types};

/// One effect: `literal` comes true for all `variables` for which `condition` held before the action.
#[derive(Debug, Clone)]
pub(crate) struct Effect {
    pub(crate) variables: Vec<Typed>,
    pub(crate) condition: Condition,
    pub(crate) literal: Literal,
}

/// An action before objects are put in.
#[derive(Debug, Clone)]
pub(crate) struct Action {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Typed>,
    pub(crate) precondition: Condition,
    pub(crate) effects: Vec<Effect>,
}

/// A domain.
#[derive(Debug, Clone)]
pub(crate) struct Domain {
    pub(crate) types: Types,
    pub(crate) constants: Vec<Typed>,
    /// Each predicate with the number of its arguments.
    pub(crate) predicates: BTreeMap<String, usize>,
    pub(crate) actions: Vec<Action>,
}

impl Domain {
    /// Reads a domain.
    pub(crate) fn read(text: &str) -> Result<Self, PddlError> {
        let root = read(text)?;
        let mut declared = Vec::new();
        let mut domain = Self {
            types: Types::default(),
            constants: Vec::new(),
            predicates: BTreeMap::from([(EQUAL.to_owned(), 2)]),
            actions: Vec::new(),
        };
        for section in sections(&root, "domain")? {
            let (tag, rest) = section.expect_tagged("a section of the domain")?;
            match tag {
                ":types" => declared = read_typed(rest, ROOT)?,
                ":constants" => domain.constants = read_typed(rest, ROOT)?,
                ":predicates" => domain.add_predicates(rest)?,
                ":action" => domain.actions.push(read_action(section.line, rest)?),
                ":requirements" | ":functions" => {}
                _ => {
                    return Err(PddlError::new(section.line, format!("section `{tag}` is not supported")));
                }
            }
        }
        let pairs: Vec<_> = declared.into_iter().map(|entry| (entry.name, entry.kind)).collect();
        domain.types = Types::new(&pairs);
        Ok(domain)
    }

    fn add_predicates(&mut self, nodes: &[Node]) -> Result<(), PddlError> {
        for node in nodes {
            let (name, arguments) = node.expect_tagged("a predicate")?;
            self.predicates.insert(name.to_owned(), read_typed(arguments, ROOT)?.len());
        }
        Ok(())
    }

    /// The predicates that some action changes.
    pub(crate) fn changing(&self) -> BTreeSet<&str> {
        let effects = self.actions.iter().flat_map(|action| &action.effects);
        effects.map(|effect| effect.literal.predicate.as_str()).collect()
    }
}

/// The sections after `define` and the heading of a domain or problem.
pub(crate) fn sections<'a>(root: &'a Node, what: &str) -> Result<&'a [Node], PddlError> {
    let expected = format!("expected `(define ({what} …) …)`");
    match root.expect_tagged(&expected)? {
        ("define", [heading, rest @ ..]) if heading.expect_tagged(&expected)?.0 == what => Ok(rest),
        _ => Err(PddlError::new(root.line, expected)),
    }
}

fn read_action(line: usize, nodes: &[Node]) -> Result<Action, PddlError> {
    let Some((name, fields)) = nodes.split_first() else {
        return Err(PddlError::new(line, "expected the action's name"));
    };
    let name = name.expect_word("the action's name")?.to_owned();
    let mut action =
        Action { name, parameters: Vec::new(), precondition: Condition::truth(), effects: Vec::new() };
    for field in fields.chunks(2) {
        let [key, value] = field else {
            return Err(PddlError::new(line, format!("action `{}` ends within a field", action.name)));
        };
        match key.expect_word("a field of the action")? {
            ":parameters" => action.parameters = read_typed(value.expect_list("parameters")?, ROOT)?,
            ":precondition" => action.precondition = Condition::read(value)?,
            ":effect" => read_effects(value, &Scope::outer(), &mut action.effects)?,
            other => {
                return Err(PddlError::new(
                    key.line,
                    format!("field `{other}` of an action is not supported"),
                ));
            }
        }
    }
    Ok(action)
}

/// The quantifiers and conditions around an effect.
#[derive(Clone)]
struct Scope {
    variables: Vec<Typed>,
    condition: Condition,
}

impl Scope {
    fn outer() -> Self {
        Self { variables: Vec::new(), condition: Condition::truth() }
    }
}

fn read_effects(node: &Node, scope: &Scope, effects: &mut Vec<Effect>) -> Result<(), PddlError> {
    if node.expect_list("an effect")?.is_empty() {
        return Ok(());
    }
    match node.expect_tagged("an effect")? {
        ("and", parts) => parts.iter().try_for_each(|part| read_effects(part, scope, effects)),
        ("forall", [variables, inner]) => {
            let mut scope = scope.clone();
            scope.variables.extend(read_typed(variables.expect_list("variables")?, ROOT)?);
            read_effects(inner, &scope, effects)
        }
        ("when", [condition, inner]) => {
            let mut scope = scope.clone();
            scope.condition = Condition::All(vec![scope.condition, Condition::read(condition)?]);
            read_effects(inner, &scope, effects)
        }
        (tag @ ("forall" | "when"), _) => {
            Err(PddlError::new(node.line, format!("`{tag}` takes two parts in an effect")))
        }
        ("increase", _) => Ok(()),
        _ => {
            let Scope { variables, condition } = scope.clone();
            effects.push(Effect { variables, condition, literal: Literal::read(node)? });
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GARDEN: &str = "(define (domain garden)
        (:requirements :adl) (:types bed plant - object) (:constants rose - plant)
        (:predicates (in ?p - plant ?b - bed) (wet ?b - bed)) (:functions (total-cost) - number)
        (:action water :parameters (?b - bed)
            :precondition () :effect (and (wet ?b) (increase (total-cost) 1)
                (forall (?p - plant) (when (in ?p ?b) (not (in ?p ?b)))))))";

    #[test]
    fn a_domain_is_read() {
        let domain = Domain::read(GARDEN).unwrap();
        assert!(domain.types.is_a("plant", ROOT));
        assert_eq!(domain.predicates.get("in"), Some(&2));
        assert_eq!(domain.constants.len(), 1);
        assert_eq!(domain.changing(), BTreeSet::from(["in", "wet"]));
        let [water] = domain.actions.as_slice() else { panic!("one action") };
        assert_eq!((water.name.as_str(), water.effects.len()), ("water", 2));
        assert!(water.effects[1].literal.negated && water.effects[1].variables.len() == 1);
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let cases = [
            ("(define (problem p))", "domain"),
            ("(define (domain d) (:derived (p) (q)))", ":derived"),
            ("(define (domain d) (:action))", "name"),
            ("(define (domain d) (:action a :effect))", "ends within"),
            ("(define (domain d) (:action a :duration 1))", ":duration"),
            ("(define (domain d) (:action a :effect (when (p))))", "when"),
        ];
        for (text, part) in cases {
            let message = Domain::read(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
