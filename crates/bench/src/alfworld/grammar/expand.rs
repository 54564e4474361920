//! Writes out rules for a moment of play.
//!
//! Always holds: the first production whose condition holds is taken; different placeholders stand for different
//! objects; a grammar that never ends is an error.

use super::compile::{
    BoundEach, BoundPart, BoundQuery, BoundSymbol, BoundValue, Grammar, LIST_EMPTY, LIST_LAST_SEPARATOR,
    LIST_SEPARATOR, Slot,
};
use super::expression::Field;
use crate::alfworld::names::Names;
use crate::alfworld::pddl::state::State;
use crate::alfworld::pddl::vocabulary::{Object, Objects};

/// The deepest nesting of rules.
const DEEPEST: usize = 64;
/// The longest text in bytes.
const LONGEST: usize = 1 << 20;

/// Why a text cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExpandError {
    /// A rule is used that the grammar lacks.
    #[error("the grammar has no rule `{0}`")]
    UnknownRule(String),
    /// No production of a rule fits the moment.
    #[error("no production of rule `{0}` fits the moment")]
    NoProduction(String),
    /// A value names something that is not bound.
    #[error("`{0}` stands for nothing here")]
    Unbound(String),
    /// Rules are nested without end.
    #[error("the rules are nested deeper than {DEEPEST} or write more than {LONGEST} bytes")]
    Endless,
}

/// A placeholder with its object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Binding {
    pub(crate) slot: Slot,
    pub(crate) object: Object,
    /// Whether the placeholder's type is the object's own. The reference engine takes an object under the type of an
    /// action's parameter for another than the same object in a fact, unless the types are one.
    pub(crate) exact: bool,
}

impl Binding {
    fn is(&self, object: Object) -> bool {
        self.exact && self.object == object
    }
}

/// All that a text may look at.
pub(crate) struct Expansion<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) objects: &'a Objects,
    pub(crate) names: &'a Names,
    pub(crate) state: &'a State,
    pub(crate) text: String,
}

impl Expansion<'_> {
    /// Appends what the symbols say.
    pub(crate) fn write(
        &mut self,
        symbols: &[BoundSymbol],
        bindings: &mut Vec<Binding>,
        depth: usize,
    ) -> Result<(), ExpandError> {
        if depth > DEEPEST {
            return Err(ExpandError::Endless);
        }
        for symbol in symbols {
            match symbol {
                BoundSymbol::Text(text) => self.text.push_str(text),
                BoundSymbol::Rule(name) => self.rule(name, bindings, depth)?,
                BoundSymbol::Each(each) => {
                    for mut filled in self.fillings(each, bindings) {
                        self.part(&each.part, &mut filled, depth)?;
                    }
                }
                BoundSymbol::List(each) => self.list(each, bindings, depth)?,
            }
            if self.text.len() > LONGEST {
                return Err(ExpandError::Endless);
            }
        }
        Ok(())
    }

    fn list(
        &mut self,
        each: &BoundEach,
        bindings: &mut Vec<Binding>,
        depth: usize,
    ) -> Result<(), ExpandError> {
        let mut fillings = self.fillings(each, bindings);
        let last = match fillings.len().checked_sub(1) {
            Some(last) => last,
            None => return self.rule(LIST_EMPTY, bindings, depth),
        };
        for (number, filled) in fillings.iter_mut().enumerate() {
            if number > 0 {
                let separator = if number == last { LIST_LAST_SEPARATOR } else { LIST_SEPARATOR };
                self.rule(separator, bindings, depth)?;
            }
            self.part(&each.part, filled, depth)?;
        }
        Ok(())
    }

    fn part(
        &mut self,
        part: &BoundPart,
        bindings: &mut Vec<Binding>,
        depth: usize,
    ) -> Result<(), ExpandError> {
        match part {
            BoundPart::Rule(name) => self.rule(name, bindings, depth),
            BoundPart::Value(value) => {
                let text = self.value(value, bindings)?;
                self.text.push_str(&text);
                Ok(())
            }
        }
    }

    fn rule(&mut self, name: &str, bindings: &mut Vec<Binding>, depth: usize) -> Result<(), ExpandError> {
        let grammar = self.grammar;
        let productions = grammar.rules.get(name).ok_or_else(|| ExpandError::UnknownRule(name.to_owned()))?;
        let fitting = productions.iter().find(|production| match &production.condition {
            None => true,
            Some(query) => self.holds(query, bindings),
        });
        let production = fitting.ok_or_else(|| ExpandError::NoProduction(name.to_owned()))?;
        self.write(&production.symbols, bindings, depth + 1)
    }

    fn value(&self, value: &BoundValue, bindings: &[Binding]) -> Result<String, ExpandError> {
        match value {
            BoundValue::Text(text) => Ok(text.clone()),
            BoundValue::Of(name, field) => {
                let bound = bindings.iter().rev().find(|binding| binding.slot.name == *name);
                let unbound =
                    || ExpandError::Unbound(self.grammar.names.get(*name).cloned().unwrap_or_default());
                let object = bound.ok_or_else(unbound)?.object;
                Ok(match field {
                    Field::Name => self.names.shown(object).to_owned(),
                    Field::Id => self.objects.name(object).to_owned(),
                    Field::Kind => self.objects.kind(object).to_owned(),
                    Field::Indefinite => "a".to_owned(),
                    Field::Definite => "the".to_owned(),
                    Field::Empty => String::new(),
                })
            }
            BoundValue::Sum(parts) => {
                let mut text = String::new();
                for part in parts {
                    text.push_str(&self.value(part, bindings)?);
                }
                Ok(text)
            }
            BoundValue::First(parts) => {
                let mut text = String::new();
                for part in parts {
                    text = self.value(part, bindings)?;
                    if !text.is_empty() {
                        break;
                    }
                }
                Ok(text)
            }
        }
    }

    /// The bindings for every way to fill a query; the present ones if there is none.
    fn fillings(&self, each: &BoundEach, bindings: &mut Vec<Binding>) -> Vec<Vec<Binding>> {
        let mut found = Vec::new();
        match &each.given {
            None => found.push(bindings.clone()),
            Some(query) => {
                self.solve(query, bindings, &mut |filled| {
                    found.push(filled.to_vec());
                    false
                });
            }
        }
        found
    }

    fn holds(&self, query: &BoundQuery, bindings: &mut Vec<Binding>) -> bool {
        self.solve(query, bindings, &mut |_| true)
    }

    /// Calls `found` for every way to fill the query until it says that it has enough; whether it did.
    fn solve(
        &self,
        query: &[super::compile::BoundPattern],
        bindings: &mut Vec<Binding>,
        found: &mut dyn FnMut(&[Binding]) -> bool,
    ) -> bool {
        let Some((pattern, rest)) = query.split_first() else {
            return found(bindings);
        };
        let candidates = &*pattern.candidates;
        let bound = pattern.slots.iter().zip(&candidates.by_place).find_map(|(slot, place)| {
            let object = bound_to(*slot, bindings)?.object;
            Some(place.get(&object).map_or(&[][..], Vec::as_slice))
        });
        let mut narrowed = bound.unwrap_or_default().iter();
        let mut all = 0..candidates.entries.len();
        let before = bindings.len();
        while let Some(index) = if bound.is_some() { narrowed.next().copied() } else { all.next() } {
            let Some((atom, objects)) = candidates.entries.get(index) else { continue };
            let fact =
                if pattern.negated { self.state.is_denied(*atom) } else { self.state.is_stated(*atom) };
            if fact && unify(&pattern.slots, objects, bindings) && self.solve(rest, bindings, found) {
                bindings.truncate(before);
                return true;
            }
            bindings.truncate(before);
        }
        false
    }
}

fn bound_to(slot: Slot, bindings: &[Binding]) -> Option<&Binding> {
    bindings.iter().find(|binding| binding.slot == slot)
}

/// Binds the slots to the objects of a fact. What it bound before it failed is left to the caller to undo.
fn unify(slots: &[Slot], objects: &[Object], bindings: &mut Vec<Binding>) -> bool {
    slots.iter().zip(objects).all(|(&slot, &object)| match bound_to(slot, bindings) {
        Some(present) => present.is(object),
        None => {
            let fresh = !bindings.iter().any(|binding| binding.is(object));
            if fresh {
                bindings.push(Binding { slot, object, exact: true });
            }
            fresh
        }
    })
}
