//! What is known of a game before it is played: types, objects, and facts that never change.
//!
//! Always holds: the facts of a predicate keep the order of the problem.

use std::collections::{HashMap, HashSet};

use super::clause::{Question, Test};
use super::join::{Filling, value};
use super::types::Types;
use super::vocabulary::{Object, Objects, Predicate, Predicates};

/// The facts that never change.
#[derive(Debug, Default)]
pub(crate) struct Fixed {
    facts: HashMap<Predicate, Vec<Box<[Object]>>>,
    /// For a predicate, a place and an object: which facts have the object there.
    places: HashMap<(Predicate, usize, Object), Vec<usize>>,
    known: HashSet<(Predicate, Box<[Object]>)>,
}

impl Fixed {
    pub(crate) fn insert(&mut self, predicate: Predicate, objects: &[Object]) {
        if !self.known.insert((predicate, objects.into())) {
            return;
        }
        let facts = self.facts.entry(predicate).or_default();
        for (place, &object) in objects.iter().enumerate() {
            self.places.entry((predicate, place, object)).or_default().push(facts.len());
        }
        facts.push(objects.into());
    }

    /// How many facts a predicate has.
    pub(crate) fn count(&self, predicate: Predicate) -> usize {
        self.facts.get(&predicate).map_or(0, Vec::len)
    }
}

/// What the join knows of the game.
pub(crate) struct World<'a> {
    pub(crate) types: &'a Types,
    pub(crate) objects: &'a Objects,
    pub(crate) predicates: &'a Predicates,
    pub(crate) fixed: &'a Fixed,
}

impl World<'_> {
    /// Whether the test is about what never changes.
    pub(crate) fn is_fixed(&self, test: &Test) -> bool {
        match test.question {
            Question::Same => true,
            Question::True(predicate) => !self.predicates.changes(predicate),
        }
    }

    /// Whether an unchanging test holds whose slots are filled.
    pub(crate) fn holds(&self, test: &Test, filling: &Filling) -> bool {
        let objects: Option<Box<[Object]>> =
            test.arguments.iter().map(|&argument| value(argument, filling)).collect();
        let Some(objects) = objects else { return false };
        let truth = match test.question {
            Question::Same => matches!(*objects, [left, right] if left == right),
            Question::True(predicate) => self.fixed.known.contains(&(predicate, objects)),
        };
        truth != test.negated
    }

    /// The facts of a predicate, those with the test's object at a place if one is given.
    pub(crate) fn matching<'b>(
        &'b self,
        predicate: Predicate,
        through: Option<usize>,
        test: &Test,
        filling: &Filling,
    ) -> Vec<&'b [Object]> {
        let facts = self.fixed.facts.get(&predicate).map_or(&[][..], Vec::as_slice);
        let place = through.and_then(|place| Some((place, value(*test.arguments.get(place)?, filling)?)));
        match place {
            None => facts.iter().map(|fact| &**fact).collect(),
            Some((place, object)) => {
                let found = self.fixed.places.get(&(predicate, place, object));
                found
                    .into_iter()
                    .flatten()
                    .filter_map(|&index| facts.get(index))
                    .map(|fact| &**fact)
                    .collect()
            }
        }
    }
}
