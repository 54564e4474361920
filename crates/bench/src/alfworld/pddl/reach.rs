//! What can happen at all.
//!
//! Always holds: what is found is a superset of what any play reaches, as nothing is ever made false here; only the
//! effects of operators that are reached are grounded.

use super::ground::{Lifted, key, literals};
use super::join::Filling;
use super::program::{Effect, Program};
use super::vocabulary::Atom;
use super::world::World;

/// What can be true, and which clauses can hold.
pub(crate) struct Reached {
    pub(crate) atoms: Vec<bool>,
    pub(crate) clauses: Vec<bool>,
}

impl Reached {
    /// Whether the atom can be true.
    pub(crate) fn is_possible(&self, atom: Atom) -> bool {
        self.atoms.get(atom as usize).copied().unwrap_or_default()
    }
}

/// The search at work.
struct Search {
    /// For each clause, how many of its positive literals were not met yet.
    missing: Vec<usize>,
    /// For each atom, the clauses that wait for it.
    waiting: Vec<Vec<usize>>,
    /// Atoms met and not yet looked at.
    open: Vec<Atom>,
    /// Clauses that can hold and were not yet looked at.
    ready: Vec<usize>,
    reached: Reached,
}

/// Finds what can be reached, and grounds the effects of the operators met.
pub(crate) fn reach(lifted: &[Lifted], world: &World<'_>, program: &mut Program) -> Reached {
    let mut search = Search::new(program);
    let mut grounded = vec![false; program.operators.len()];
    loop {
        search.meet_open();
        let Some(clause) = search.ready.pop() else { break };
        search.reached.clauses.get_mut(clause).into_iter().for_each(|entry| *entry = true);
        let Some(owner) = program.clauses.get(clause).map(|clause| clause.owner) else { continue };
        // The goal, beyond the operators, has no effects.
        let seen = grounded.get_mut(owner).is_none_or(|seen| std::mem::replace(seen, true));
        if !seen {
            let effects = effects(owner, lifted, world, program);
            search.open.extend(effects.iter().filter(|effect| effect.adds).map(|effect| effect.atom));
            if let Some(operator) = program.operators.get_mut(owner) {
                operator.effects = effects;
            }
        }
    }
    search.reached.atoms.resize(program.atoms.len(), false);
    search.reached
}

impl Search {
    fn new(program: &Program) -> Self {
        let mut search = Self {
            missing: Vec::with_capacity(program.clauses.len()),
            waiting: vec![Vec::new(); program.atoms.len()],
            open: (0..).take(program.initially.len()).collect(),
            ready: Vec::new(),
            reached: Reached { atoms: Vec::new(), clauses: vec![false; program.clauses.len()] },
        };
        for (number, clause) in program.clauses.iter().enumerate() {
            let mut missing = 0;
            for literal in clause.literals.iter().filter(|literal| !literal.negated) {
                missing += 1;
                search.waiting.get_mut(literal.atom as usize).into_iter().for_each(|list| list.push(number));
            }
            search.missing.push(missing);
            if missing == 0 {
                search.ready.push(number);
            }
        }
        search
    }

    /// Looks at the atoms met.
    fn meet_open(&mut self) {
        while let Some(atom) = self.open.pop() {
            let place = atom as usize;
            if self.reached.atoms.len() <= place {
                self.reached.atoms.resize(place + 1, false);
            }
            let known = self.reached.atoms.get_mut(place).is_none_or(|known| std::mem::replace(known, true));
            if known {
                continue;
            }
            for &clause in self.waiting.get(place).into_iter().flatten() {
                let Some(missing) = self.missing.get_mut(clause) else { continue };
                *missing = missing.saturating_sub(1);
                if *missing == 0 {
                    self.ready.push(clause);
                }
            }
        }
    }
}

fn effects(owner: usize, lifted: &[Lifted], world: &World<'_>, program: &mut Program) -> Vec<Effect> {
    let mut effects = Vec::new();
    let Some(operator) = program.operators.get(owner) else { return effects };
    let Some(action) = lifted.get(operator.action) else { return effects };
    let mut filling: Filling = operator.arguments.iter().copied().map(Some).collect();
    filling.resize(action.slots, None);
    for effect in &action.effects {
        for plan in &effect.plans {
            plan.each(world, &mut filling, &mut |plan, filling| {
                let condition = literals(plan, world, filling, &mut program.atoms);
                let atom = program.atoms.intern(&key(&effect.literal, filling));
                effects.push(Effect { condition, atom, adds: !effect.literal.negated });
            });
        }
    }
    effects
}
