//! What is true at a moment of play, and which operators apply.
//!
//! Always holds: an operator is in the list of applicable ones if and only if one of its clauses holds; an action costs
//! time for the conditions that look at what it changes, never for the whole game.

use super::program::{Literal, Program};
use super::vocabulary::Atom;

/// Stands for an operator that is not in the list.
const ABSENT: usize = usize::MAX;

/// A moment of play.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// What decides which operators apply.
    truth: Vec<bool>,
    /// What texts go by. As in the reference engine, an action states all its effects, those whose condition does not
    /// hold too, additions first.
    stated: Vec<bool>,
    /// The negative facts that texts go by: an atom is denied once an action stated its negation, not merely false.
    denied: Vec<bool>,
    /// For each clause, how many of its literals do not hold.
    missing: Vec<usize>,
    /// For each owner, how many of its clauses hold.
    holding: Vec<usize>,
    applicable: Vec<usize>,
    /// Where each operator stands in the list.
    places: Vec<usize>,
    goal: usize,
}

impl State {
    /// The first moment of play.
    pub(crate) fn new(program: &Program) -> Self {
        let goal = program.goal();
        let mut state = Self {
            truth: program.initially.clone(),
            stated: program.initially.clone(),
            denied: vec![false; program.initially.len()],
            missing: vec![0; program.clauses.len()],
            holding: vec![0; goal + 1],
            applicable: Vec::new(),
            places: vec![ABSENT; goal + 1],
            goal,
        };
        for (number, clause) in program.clauses.iter().enumerate() {
            let missing = clause.literals.iter().filter(|literal| !state.holds(**literal)).count();
            if let Some(entry) = state.missing.get_mut(number) {
                *entry = missing;
            }
            if missing == 0 {
                state.gain(clause.owner);
            }
        }
        state
    }

    /// Whether the atom was stated, at first or by an action, and not denied since.
    pub(crate) fn is_stated(&self, atom: Atom) -> bool {
        self.stated.get(atom as usize).copied().unwrap_or_default()
    }

    /// Whether an action denied the atom, and none stated it since.
    pub(crate) fn is_denied(&self, atom: Atom) -> bool {
        self.denied.get(atom as usize).copied().unwrap_or_default()
    }

    /// The operators that apply, in no particular order.
    pub(crate) fn applicable(&self) -> &[usize] {
        &self.applicable
    }

    /// Whether the operator applies.
    pub(crate) fn applies(&self, operator: usize) -> bool {
        operator != self.goal && self.holding.get(operator).is_some_and(|&count| count > 0)
    }

    /// Whether the goal is reached.
    pub(crate) fn is_won(&self) -> bool {
        self.holding.get(self.goal).is_some_and(|&count| count > 0)
    }

    /// Applies an operator: all conditions are looked at before anything changes, and what is added stays.
    pub(crate) fn apply(&mut self, program: &Program, operator: usize) {
        let Some(operator) = program.operators.get(operator) else { return };
        let fires: Vec<_> = operator
            .effects
            .iter()
            .filter(|effect| effect.condition.iter().all(|literal| self.holds(*literal)))
            .collect();
        for adds in [false, true] {
            for effect in fires.iter().filter(|effect| effect.adds == adds) {
                self.set(program, effect.atom, adds);
            }
        }
        for adds in [true, false] {
            for effect in operator.effects.iter().filter(|effect| effect.adds == adds) {
                self.state(effect.atom, adds);
            }
        }
    }

    fn state(&mut self, atom: Atom, value: bool) {
        for (facts, value) in [(&mut self.stated, value), (&mut self.denied, !value)] {
            if let Some(entry) = facts.get_mut(atom as usize) {
                *entry = value;
            }
        }
    }

    fn holds(&self, literal: Literal) -> bool {
        self.truth.get(literal.atom as usize).copied().unwrap_or_default() != literal.negated
    }

    fn set(&mut self, program: &Program, atom: Atom, value: bool) {
        let Some(entry) = self.truth.get_mut(atom as usize) else { return };
        if *entry == value {
            return;
        }
        *entry = value;
        for watcher in program.watchers.get(atom as usize).into_iter().flatten() {
            let Some(clause) = program.clauses.get(watcher.clause) else { continue };
            let Some(missing) = self.missing.get_mut(watcher.clause) else { continue };
            if value == watcher.negated {
                *missing += 1;
                if *missing == 1 {
                    self.lose(clause.owner);
                }
            } else {
                *missing = missing.saturating_sub(1);
                if *missing == 0 {
                    self.gain(clause.owner);
                }
            }
        }
    }

    fn gain(&mut self, owner: usize) {
        let Some(count) = self.holding.get_mut(owner) else { return };
        *count += 1;
        if *count == 1 && owner != self.goal {
            if let Some(place) = self.places.get_mut(owner) {
                *place = self.applicable.len();
            }
            self.applicable.push(owner);
        }
    }

    fn lose(&mut self, owner: usize) {
        let Some(count) = self.holding.get_mut(owner) else { return };
        *count = count.saturating_sub(1);
        if *count > 0 || owner == self.goal {
            return;
        }
        let Some(place) = self.places.get_mut(owner).map(|place| std::mem::replace(place, ABSENT)) else {
            return;
        };
        if place < self.applicable.len() {
            self.applicable.swap_remove(place);
        }
        if let Some(moved) = self.applicable.get(place).and_then(|&moved| self.places.get_mut(moved)) {
            *moved = place;
        }
    }
}
