//! Fills the slots of a clause with objects so that everything that never changes holds.
//!
//! Always holds: facts that never change are joined first, each through a place that is already filled where there is
//! one; what changes is left to the state.

use super::clause::{Argument, Clause, Question, Test};
use super::vocabulary::{Object, Predicate};
use super::world::World;

/// One move of a plan.
#[derive(Debug, Clone)]
enum Move {
    /// Take each fact that fits a test, found through the place if one is filled.
    Fact { test: usize, predicate: Predicate, through: Option<usize> },
    /// Take each object of the slot's type.
    Fill { slot: usize },
    /// Go on only if the test holds.
    Check { test: usize },
}

/// How to fill the slots of a clause.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    clause: Clause,
    kinds: Vec<String>,
    moves: Vec<Move>,
}

/// The objects in the slots so far.
pub(crate) type Filling = Vec<Option<Object>>;

impl Plan {
    /// Plans a clause over slots of these types. `wanted` are the slots to fill beside the clause's own; `filled` are
    /// filled beforehand.
    pub(crate) fn new(
        clause: &Clause,
        kinds: &[String],
        wanted: &[usize],
        filled: &[usize],
        world: &World<'_>,
    ) -> Self {
        let mut done = vec![false; kinds.len()];
        filled.iter().for_each(|&slot| mark(&mut done, slot));
        let mut plan = Self { clause: clause.clone(), kinds: kinds.to_vec(), moves: Vec::new() };
        let mut open: Vec<usize> = (0..clause.tests.len()).collect();
        plan.add_checks(&mut open, &done, world);
        while let Some(step) = plan.next_fact(&open, &done, world) {
            if let Move::Fact { test, .. } = step {
                open.retain(|&index| index != test);
                plan.slots_of(test).for_each(|slot| mark(&mut done, slot));
            }
            plan.moves.push(step);
            plan.add_checks(&mut open, &done, world);
        }
        for &slot in wanted.iter().chain(&clause.slots) {
            if !done.get(slot).copied().unwrap_or(true) {
                mark(&mut done, slot);
                plan.moves.push(Move::Fill { slot });
                plan.add_checks(&mut open, &done, world);
            }
        }
        plan
    }

    fn slots_of(&self, test: usize) -> impl Iterator<Item = usize> + use<'_> {
        let arguments = self.clause.tests.get(test).map_or(&[][..], |test| &test.arguments);
        arguments.iter().filter_map(|argument| match argument {
            Argument::Slot(slot) => Some(*slot),
            Argument::Object(_) => None,
        })
    }

    /// Adds the checks of unchanging tests whose slots are all filled.
    fn add_checks(&mut self, open: &mut Vec<usize>, done: &[bool], world: &World<'_>) {
        let ready: Vec<usize> = open
            .iter()
            .copied()
            .filter(|&index| self.clause.tests.get(index).is_some_and(|test| world.is_fixed(test)))
            .filter(|&index| self.slots_of(index).all(|slot| done.get(slot).copied().unwrap_or(false)))
            .collect();
        open.retain(|index| !ready.contains(index));
        self.moves.extend(ready.into_iter().map(|test| Move::Check { test }));
    }

    /// The unchanging positive test to join next: one with a filled place before one without, few facts before many.
    fn next_fact(&self, open: &[usize], done: &[bool], world: &World<'_>) -> Option<Move> {
        let candidates = open.iter().filter_map(|&index| {
            let test = self.clause.tests.get(index)?;
            let Question::True(predicate) = test.question else { return None };
            if test.negated || world.predicates.changes(predicate) {
                return None;
            }
            let through = test.arguments.iter().position(|argument| match argument {
                Argument::Slot(slot) => done.get(*slot).copied().unwrap_or(false),
                Argument::Object(_) => true,
            });
            let order = (through.is_none(), world.fixed.count(predicate), index);
            Some((order, Move::Fact { test: index, predicate, through }))
        });
        candidates.min_by_key(|(order, _)| *order).map(|(_, step)| step)
    }

    /// Calls `found` with every filling that satisfies all that never changes.
    pub(crate) fn each(
        &self,
        world: &World<'_>,
        filling: &mut Filling,
        found: &mut dyn FnMut(&Self, &Filling),
    ) {
        self.follow(&self.moves, world, filling, found);
    }

    fn follow(
        &self,
        moves: &[Move],
        world: &World<'_>,
        filling: &mut Filling,
        found: &mut dyn FnMut(&Self, &Filling),
    ) {
        let Some((step, rest)) = moves.split_first() else {
            found(self, filling);
            return;
        };
        match step {
            Move::Check { test } => {
                if self.clause.tests.get(*test).is_some_and(|test| world.holds(test, filling)) {
                    self.follow(rest, world, filling, found);
                }
            }
            Move::Fill { slot } => {
                let kind = self.kinds.get(*slot).map_or("", String::as_str);
                for &object in world.objects.of_kind(kind) {
                    set(filling, *slot, Some(object));
                    self.follow(rest, world, filling, found);
                }
                set(filling, *slot, None);
            }
            Move::Fact { test, predicate, through } => {
                let Some(test) = self.clause.tests.get(*test) else { return };
                for fact in world.matching(*predicate, *through, test, filling) {
                    let opened = self.unify(test, fact, world, filling);
                    if let Some(opened) = &opened {
                        self.follow(rest, world, filling, found);
                        opened.iter().for_each(|&slot| set(filling, slot, None));
                    }
                }
            }
        }
    }

    /// Fills the test's open slots from the fact and returns them, or leaves the filling as it was.
    fn unify(
        &self,
        test: &Test,
        fact: &[Object],
        world: &World<'_>,
        filling: &mut Filling,
    ) -> Option<Vec<usize>> {
        let mut opened = Vec::new();
        for (argument, &object) in test.arguments.iter().zip(fact) {
            let fits = match (*argument, value(*argument, filling)) {
                (_, Some(present)) => present == object,
                (Argument::Slot(slot), None) => {
                    set(filling, slot, Some(object));
                    opened.push(slot);
                    let kind = self.kinds.get(slot).map_or("", String::as_str);
                    world.types.is_a(world.objects.kind(object), kind)
                }
                (Argument::Object(_), None) => false,
            };
            if !fits {
                opened.iter().for_each(|&slot| set(filling, slot, None));
                return None;
            }
        }
        Some(opened)
    }

    /// The clause's tests that the state decides.
    pub(crate) fn changing<'a>(&'a self, world: &'a World<'_>) -> impl Iterator<Item = &'a Test> {
        self.clause.tests.iter().filter(|test| !world.is_fixed(test))
    }
}

/// The object that an argument stands for, if its slot is filled.
pub(crate) fn value(argument: Argument, filling: &Filling) -> Option<Object> {
    match argument {
        Argument::Object(object) => Some(object),
        Argument::Slot(slot) => filling.get(slot).copied().flatten(),
    }
}

fn set(filling: &mut Filling, slot: usize, object: Option<Object>) {
    if let Some(entry) = filling.get_mut(slot) {
        *entry = object;
    }
}

fn mark(done: &mut [bool], slot: usize) {
    if let Some(entry) = done.get_mut(slot) {
        *entry = true;
    }
}
