//! A grounded game: operators with their objects put in, and the clauses that make them applicable.
//!
//! Always holds: an operator has a clause; clauses hold literals that can change only; a program never changes.

use super::vocabulary::{Atom, Atoms, Object};

/// An atom or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Literal {
    pub(crate) atom: Atom,
    pub(crate) negated: bool,
}

/// The atom comes true (`adds`) or false if all of the condition held before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Effect {
    pub(crate) condition: Vec<Literal>,
    pub(crate) atom: Atom,
    pub(crate) adds: bool,
}

/// An action with objects put in.
#[derive(Debug, Clone)]
pub(crate) struct Operator {
    /// The action's place in the domain.
    pub(crate) action: usize,
    /// One object a parameter.
    pub(crate) arguments: Vec<Object>,
    pub(crate) effects: Vec<Effect>,
}

/// A conjunction that makes its owner applicable; the owner after the last operator is the goal.
#[derive(Debug, Clone)]
pub(crate) struct Clause {
    pub(crate) owner: usize,
    pub(crate) literals: Vec<Literal>,
}

/// A clause that looks at an atom.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watcher {
    pub(crate) clause: usize,
    pub(crate) negated: bool,
}

/// A grounded game.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    pub(crate) atoms: Atoms,
    /// For each atom, whether it is true at first.
    pub(crate) initially: Vec<bool>,
    /// For each atom, whether it can ever be true.
    pub(crate) possible: Vec<bool>,
    /// For each atom, whether an operator makes it false.
    pub(crate) deniable: Vec<bool>,
    pub(crate) operators: Vec<Operator>,
    pub(crate) clauses: Vec<Clause>,
    /// For each atom, the clauses that look at it.
    pub(crate) watchers: Vec<Vec<Watcher>>,
}

impl Program {
    /// The number under which the goal owns clauses.
    pub(crate) fn goal(&self) -> usize {
        self.operators.len()
    }

    /// Fills in who watches what and what can be denied.
    pub(crate) fn finish(mut self) -> Self {
        self.watchers = vec![Vec::new(); self.atoms.len()];
        self.deniable = vec![false; self.atoms.len()];
        self.initially.resize(self.atoms.len(), false);
        self.possible.resize(self.atoms.len(), false);
        for (number, clause) in self.clauses.iter().enumerate() {
            for literal in &clause.literals {
                if let Some(list) = self.watchers.get_mut(literal.atom as usize) {
                    list.push(Watcher { clause: number, negated: literal.negated });
                }
            }
        }
        for effect in self.operators.iter().flat_map(|operator| &operator.effects) {
            if let Some(entry) = self.deniable.get_mut(effect.atom as usize) {
                *entry |= !effect.adds;
            }
        }
        self
    }
}
