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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::super::domain::Domain;
    use super::super::ground::{Grounded, ground};
    use super::super::problem::Problem;
    use super::*;

    fn grounded(domain: &str, problem: &str) -> Grounded {
        ground(Domain::read(domain).unwrap(), Problem::read(problem).unwrap()).unwrap()
    }

    fn harbour() -> Program {
        let file = include_str!("../../../../../fixtures/alfworld/harbour.tw-pddl");
        let file: Value = serde_json::from_str(file).unwrap();
        let part = |key: &str| file[key].as_str().unwrap();
        grounded(part("pddl_domain"), part("pddl_problem")).program
    }

    fn sorted(state: &State) -> Vec<usize> {
        let mut operators = state.applicable().to_vec();
        operators.sort_unstable();
        operators
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_applies_is_as_if_computed_anew(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..80)) {
            let program = harbour();
            let mut state = State::new(&program);
            for choice in choices {
                let operators = sorted(&state);
                state.apply(&program, *choice.get(&operators));
                let fresh = State::new(&Program { initially: state.truth.clone(), ..program.clone() });
                prop_assert_eq!(sorted(&state), sorted(&fresh));
                prop_assert_eq!(state.is_won(), fresh.is_won());
            }
        }
    }

    #[test]
    fn effects_look_at_what_was_before() {
        let domain = "(define (domain d) (:predicates (a) (b) (c) (d)) (:action swap :effect (and
            (when (a) (and (b) (not (a)))) (when (b) (and (a) (not (b)))) (when (c) (not (d))) (d))))";
        let Grounded { program, predicates, .. } =
            grounded(domain, "(define (problem p) (:init (a) (c)) (:goal (and (b) (not (a)) (d))))");
        let mut program = program;
        let mut state = State::new(&program);
        let atoms: Vec<Atom> = ["a", "b", "c", "d"]
            .map(|name| program.atoms.intern(&[predicates.number(name).unwrap()]))
            .to_vec();
        let truth = |state: &State| atoms.iter().map(|&atom| state.truth[atom as usize]).collect::<Vec<_>>();
        state.apply(&program, 0);
        assert_eq!(truth(&state), [false, true, true, true]);
        assert!(state.is_won());
        state.apply(&program, 0);
        assert_eq!(truth(&state), [true, false, true, true]);
        assert!(!state.is_won());
    }

    #[test]
    fn quantifiers_range_over_objects() {
        let domain = "(define (domain d) (:types box) (:predicates (full ?b - box))
            (:action fill :parameters (?b - box) :precondition (not (full ?b)) :effect (full ?b))
            (:action cheer :precondition (forall (?b - box) (full ?b)) :effect (not (full x)))
            (:action groan :precondition (exists (?b - crate) (full ?b)) :effect (full x)))";
        let problem = "(define (problem p) (:objects x y - box) (:init (full x))
            (:goal (exists (?a ?b - box) (and (not (= ?a ?b)) (full ?a) (full ?b)))))";
        let program = grounded(domain, problem).program;
        let actions = |state: &State| {
            let mut actions: Vec<usize> =
                state.applicable().iter().map(|&number| program.operators[number].action).collect();
            actions.sort_unstable();
            actions
        };
        let mut state = State::new(&program);
        assert_eq!((actions(&state), state.is_won()), (vec![0], false));
        let fill = state.applicable()[0];
        state.apply(&program, fill);
        assert_eq!((actions(&state), state.is_won()), (vec![1], true));
    }
}
