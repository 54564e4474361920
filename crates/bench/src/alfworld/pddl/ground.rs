//! From domain and problem to a program.
//!
//! Always holds: an operator is kept only if it can become applicable when nothing is ever made false, and only if it
//! can change something, as in the planner beneath the reference engine. (So one cannot go where one is.)

use std::collections::HashMap;

use super::clause::{Argument, Lifting, Names, Question, Test};
use super::condition::{self, Condition};
use super::domain::{Action, Domain};
use super::join::{Filling, Fixed, Plan, World, value};
use super::problem::Problem;
use super::program::{Clause, Effect, Literal, Operator, Program};
use super::sexp::PddlError;
use super::vocabulary::{Atom, Atoms, Object, Objects, Predicates};

/// A grounded game with the names of its objects and predicates.
#[derive(Debug, Clone)]
pub(crate) struct Grounded {
    pub(crate) domain: Domain,
    pub(crate) objects: Objects,
    pub(crate) predicates: Predicates,
    pub(crate) program: Program,
}

/// An action with its conditions planned.
struct Lifted {
    /// How many parameters, which are the first slots.
    parameters: usize,
    slots: usize,
    preconditions: Vec<Plan>,
    effects: Vec<LiftedEffect>,
}

/// An effect with its condition planned.
struct LiftedEffect {
    plans: Vec<Plan>,
    literal: Test,
}

/// Grounds a game.
pub(crate) fn ground(domain: Domain, problem: Problem) -> Result<Grounded, PddlError> {
    let entries = domain.constants.iter().cloned().chain(problem.objects).collect();
    let objects = Objects::new(entries, &domain.types)?;
    let predicates = Predicates::new(&domain);
    let mut program = Program::default();
    let mut fixed = Fixed::default();
    let lifting = Lifting::new(&objects, &predicates);
    for literal in &problem.initial {
        let test = declared(lifting.test(literal, &Names::new())?, literal)?;
        if let (Question::True(predicate), false) = (&test.question, test.negated) {
            let key = key(&test, &Filling::new());
            program.atoms.intern(&key);
            if !predicates.changes(*predicate) {
                fixed.insert(*predicate, key.get(1..).unwrap_or_default());
            }
        }
    }
    program.initially = vec![true; program.atoms.len()];
    let world = World { types: &domain.types, objects: &objects, predicates: &predicates, fixed: &fixed };
    let lifted: Result<Vec<_>, _> = domain.actions.iter().map(|action| lift(action, &world)).collect();
    let lifted = lifted?;
    for (number, action) in lifted.iter().enumerate() {
        add_operators(number, action, &world, &mut program);
    }
    add_goal(&problem.goal, &world, &mut program)?;
    let reached = reach(&lifted, &world, &mut program);
    let program = keep(program, reached);
    Ok(Grounded { program, domain, objects, predicates })
}

/// What is stated must be about objects that there are.
fn declared(test: Option<Test>, literal: &condition::Literal) -> Result<Test, PddlError> {
    let undeclared = || {
        let message = format!("`{}` is stated of an object that is not declared", literal.predicate);
        PddlError::new(literal.line, message)
    };
    test.ok_or_else(undeclared)
}

fn lift(action: &Action, world: &World<'_>) -> Result<Lifted, PddlError> {
    let mut lifting = Lifting::new(world.objects, world.predicates);
    let mut names = Names::new();
    let parameters = lifting.bind(&action.parameters, &mut names);
    let clauses = lifting.clauses(&action.precondition, &mut names)?;
    let mut planned = Vec::new();
    for effect in &action.effects {
        let mut names = names.clone();
        let variables = lifting.bind(&effect.variables, &mut names);
        let conditions = lifting.clauses(&effect.condition, &mut names)?;
        let literal = declared(lifting.test(&effect.literal, &names)?, &effect.literal)?;
        planned.push((variables, conditions, literal));
    }
    let kinds = &lifting.kinds;
    let preconditions =
        clauses.iter().map(|clause| Plan::new(clause, kinds, &parameters, &[], world)).collect();
    let effects = planned
        .into_iter()
        .map(|(variables, conditions, literal)| {
            let plan = |clause| Plan::new(clause, kinds, &variables, &parameters, world);
            LiftedEffect { plans: conditions.iter().map(plan).collect(), literal }
        })
        .collect();
    Ok(Lifted { parameters: parameters.len(), slots: kinds.len(), preconditions, effects })
}

fn add_operators(action: usize, lifted: &Lifted, world: &World<'_>, program: &mut Program) {
    let mut numbers: HashMap<Vec<Object>, usize> = HashMap::new();
    for plan in &lifted.preconditions {
        let mut filling = vec![None; lifted.slots];
        plan.each(world, &mut filling, &mut |plan, filling| {
            let arguments: Vec<Object> = filling.iter().take(lifted.parameters).copied().flatten().collect();
            let owner = *numbers.entry(arguments).or_insert_with_key(|arguments| {
                let arguments = arguments.clone();
                program.operators.push(Operator { action, arguments, effects: Vec::new() });
                program.operators.len() - 1
            });
            let literals = literals(plan, world, filling, &mut program.atoms);
            program.clauses.push(Clause { owner, literals });
        });
    }
}

fn add_goal(goal: &Condition, world: &World<'_>, program: &mut Program) -> Result<(), PddlError> {
    let owner = program.goal();
    let mut lifting = Lifting::new(world.objects, world.predicates);
    let clauses = lifting.clauses(goal, &mut Names::new())?;
    for clause in &clauses {
        let plan = Plan::new(clause, &lifting.kinds, &[], &[], world);
        let mut filling = vec![None; lifting.kinds.len()];
        plan.each(world, &mut filling, &mut |plan, filling| {
            let literals = literals(plan, world, filling, &mut program.atoms);
            program.clauses.push(Clause { owner, literals });
        });
    }
    Ok(())
}

fn literals(plan: &Plan, world: &World<'_>, filling: &Filling, atoms: &mut Atoms) -> Vec<Literal> {
    plan.changing(world)
        .map(|test| Literal { atom: atoms.intern(&key(test, filling)), negated: test.negated })
        .collect()
}

/// The atom's key: predicate, then objects.
fn key(test: &Test, filling: &Filling) -> Vec<u32> {
    let predicate = match test.question {
        Question::True(predicate) => predicate,
        Question::Same => u32::MAX,
    };
    let objects = test.arguments.iter().filter_map(|&argument| match argument {
        Argument::Object(object) => Some(object),
        slot @ Argument::Slot(_) => value(slot, filling),
    });
    std::iter::once(predicate).chain(objects).collect()
}

/// What can be true, and which clauses can hold.
struct Reached {
    atoms: Vec<bool>,
    clauses: Vec<bool>,
}

/// Finds what can be reached when nothing is ever made false, and grounds the effects of the operators met.
fn reach(lifted: &[Lifted], world: &World<'_>, program: &mut Program) -> Reached {
    let mut missing = Vec::with_capacity(program.clauses.len());
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); program.atoms.len()];
    let mut ready = Vec::new();
    for (number, clause) in program.clauses.iter().enumerate() {
        let needed = clause.literals.iter().filter(|literal| !literal.negated);
        missing.push(needed.clone().count());
        needed.for_each(|literal| {
            waiting.get_mut(literal.atom as usize).into_iter().for_each(|list| list.push(number))
        });
        if missing.last() == Some(&0) {
            ready.push(number);
        }
    }
    let mut reached = Reached { atoms: Vec::new(), clauses: vec![false; program.clauses.len()] };
    let mut open: Vec<Atom> = (0..).take(program.initially.len()).collect();
    let mut grounded = vec![false; program.operators.len()];
    loop {
        while let Some(atom) = open.pop() {
            reached.atoms.resize(program.atoms.len(), false);
            let known =
                reached.atoms.get_mut(atom as usize).is_none_or(|known| std::mem::replace(known, true));
            if known {
                continue;
            }
            for &clause in waiting.get(atom as usize).into_iter().flatten() {
                let Some(count) = missing.get_mut(clause) else { continue };
                *count -= 1;
                if *count == 0 {
                    ready.push(clause);
                }
            }
        }
        let Some(clause) = ready.pop() else { break };
        if let Some(entry) = reached.clauses.get_mut(clause) {
            *entry = true;
        }
        let Some(owner) = program.clauses.get(clause).map(|clause| clause.owner) else { continue };
        let seen = grounded.get_mut(owner).is_none_or(|seen| std::mem::replace(seen, true));
        if !seen {
            let effects = effects(owner, lifted, world, program);
            open.extend(effects.iter().filter(|effect| effect.adds).map(|effect| effect.atom));
            if let Some(operator) = program.operators.get_mut(owner) {
                operator.effects = effects;
            }
        }
    }
    reached.atoms.resize(program.atoms.len(), false);
    reached
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

/// Drops what cannot be reached and what changes nothing, and numbers the operators anew.
fn keep(mut program: Program, reached: Reached) -> Program {
    let possible = |atom: Atom| reached.atoms.get(atom as usize).copied().unwrap_or_default();
    for operator in &mut program.operators {
        let all = std::mem::take(&mut operator.effects);
        let added = |effect: &Effect| {
            all.iter().any(|other| {
                other.adds
                    && other.atom == effect.atom
                    && (other.condition.is_empty() || other.condition == effect.condition)
            })
        };
        let kept = |effect: &&Effect| effect.adds || (possible(effect.atom) && !added(effect));
        operator.effects = all.iter().filter(kept).cloned().collect();
    }
    let goal = program.goal();
    let mut clauses = std::mem::take(&mut program.clauses);
    let mut flags = reached.clauses.iter();
    clauses.retain(|clause| {
        let operator = program.operators.get(clause.owner);
        flags.next().copied().unwrap_or_default()
            && operator.is_none_or(|operator| operator.effects.iter().any(|effect| changes(effect, clause)))
    });
    drop_idle(&mut program.operators, &clauses);
    for clause in &mut clauses {
        clause.literals.retain(|literal| !literal.negated || possible(literal.atom));
    }
    let mut owned = vec![false; goal];
    for clause in &clauses {
        owned.get_mut(clause.owner).into_iter().for_each(|entry| *entry = true);
    }
    let mut numbers = Vec::with_capacity(goal + 1);
    let mut next = 0;
    for &kept in &owned {
        numbers.push(next);
        next += usize::from(kept);
    }
    numbers.push(next);
    for clause in &mut clauses {
        clause.owner = numbers.get(clause.owner).copied().unwrap_or(next);
    }
    let mut owned = owned.into_iter();
    program.operators.retain(|_| owned.next().unwrap_or_default());
    program.clauses = clauses;
    program.possible = reached.atoms;
    program.finish()
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
