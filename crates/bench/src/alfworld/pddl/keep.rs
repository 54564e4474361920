//! Drops from a program what plays no part.
//!
//! Always holds: an operator is kept only if it can become applicable when nothing is ever made false, and only if it
//! can change something, as in the planner beneath the reference engine. (So one cannot go where one is.)

use super::program::{Clause, Effect, Literal, Operator, Program};
use super::reach::Reached;

/// Drops what cannot be reached and what changes nothing, and numbers the operators anew.
pub(crate) fn keep(mut program: Program, reached: Reached) -> Program {
    drop_void(&mut program.operators, &reached);
    let mut clauses = std::mem::take(&mut program.clauses);
    let mut flags = reached.clauses.iter();
    clauses.retain(|clause| {
        let operator = program.operators.get(clause.owner);
        flags.next().copied().unwrap_or_default()
            && operator.is_none_or(|operator| operator.effects.iter().any(|effect| changes(effect, clause)))
    });
    drop_idle(&mut program.operators, &clauses);
    for clause in &mut clauses {
        clause.literals.retain(|literal| !literal.negated || reached.is_possible(literal.atom));
    }
    program.clauses = clauses;
    drop_ownerless(&mut program);
    program.possible = reached.atoms;
    program.finish()
}

/// Drops the effects that deny what is never true, or what the same action adds anyway.
fn drop_void(operators: &mut [Operator], reached: &Reached) {
    for operator in operators {
        let all = std::mem::take(&mut operator.effects);
        let added = |effect: &Effect| {
            all.iter().any(|other| {
                other.adds
                    && other.atom == effect.atom
                    && (other.condition.is_empty() || other.condition == effect.condition)
            })
        };
        let kept = |effect: &&Effect| effect.adds || (reached.is_possible(effect.atom) && !added(effect));
        operator.effects = all.iter().filter(kept).cloned().collect();
    }
}

/// Drops the operators without clause and numbers the owners anew.
fn drop_ownerless(program: &mut Program) {
    let mut owns = vec![false; program.goal()];
    for clause in &program.clauses {
        owns.get_mut(clause.owner).into_iter().for_each(|entry| *entry = true);
    }
    let mut numbers = Vec::with_capacity(owns.len());
    let mut next = 0;
    for &kept in &owns {
        numbers.push(next);
        next += usize::from(kept);
    }
    for clause in &mut program.clauses {
        // What is beyond the operators is the goal.
        clause.owner = numbers.get(clause.owner).copied().unwrap_or(next);
    }
    let mut owns = owns.into_iter();
    program.operators.retain(|_| owns.next().unwrap_or_default());
}

/// Drops the effects that change nothing wherever the operator applies.
fn drop_idle(operators: &mut [Operator], clauses: &[Clause]) {
    let mut useful: Vec<Vec<bool>> =
        operators.iter().map(|operator| vec![false; operator.effects.len()]).collect();
    for clause in clauses {
        let Some(operator) = operators.get(clause.owner) else { continue };
        let flags = useful.get_mut(clause.owner).into_iter().flatten();
        for (effect, flag) in operator.effects.iter().zip(flags) {
            *flag |= changes(effect, clause);
        }
    }
    for (operator, flags) in operators.iter_mut().zip(useful) {
        let mut flags = flags.into_iter();
        operator.effects.retain(|_| flags.next().unwrap_or_default());
    }
}

/// Whether the effect can change anything where the clause holds.
fn changes(effect: &Effect, clause: &Clause) -> bool {
    let stated = |literal: &Literal| clause.literals.contains(literal);
    let already = Literal { atom: effect.atom, negated: !effect.adds };
    let impossible = |literal: &Literal| stated(&Literal { negated: !literal.negated, ..*literal });
    !stated(&already) && !effect.condition.iter().any(impossible)
}
