//! From domain and problem to a program.
//!
//! Always holds: what never changes is decided here, so that a program holds what can change only.

use std::collections::HashMap;

use super::clause::{Argument, Lifting, Names, Question, Test};
use super::condition::{self, Condition};
use super::domain::{Action, Domain};
use super::join::{Filling, Plan, value};
use super::keep::keep;
use super::problem::Problem;
use super::program::{Clause, Literal, Operator, Program};
use super::reach::reach;
use super::sexp::PddlError;
use super::vocabulary::{Atoms, Object, Objects, Predicates};
use super::world::{Fixed, World};

/// A grounded game with the names of its objects and predicates.
#[derive(Debug, Clone)]
pub(crate) struct Grounded {
    pub(crate) domain: Domain,
    pub(crate) objects: Objects,
    pub(crate) predicates: Predicates,
    pub(crate) program: Program,
}

/// An action with its conditions planned.
pub(crate) struct Lifted {
    /// How many parameters, which are the first slots.
    parameters: usize,
    pub(crate) slots: usize,
    preconditions: Vec<Plan>,
    pub(crate) effects: Vec<LiftedEffect>,
}

/// An effect with its condition planned.
pub(crate) struct LiftedEffect {
    pub(crate) plans: Vec<Plan>,
    pub(crate) literal: Test,
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

/// The clause's changing tests with the objects put in.
pub(crate) fn literals(plan: &Plan, world: &World<'_>, filling: &Filling, atoms: &mut Atoms) -> Vec<Literal> {
    plan.changing(world)
        .map(|test| Literal { atom: atoms.intern(&key(test, filling)), negated: test.negated })
        .collect()
}

/// The atom's key: predicate, then objects.
pub(crate) fn key(test: &Test, filling: &Filling) -> Vec<u32> {
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
