//! A game, loaded from its file.
//!
//! Always holds: a game never changes and is shared by all plays of it; all its words come from the file.

use serde::Deserialize;

use super::commands::Commands;
use super::grammar::compile::{BoundSymbol, Compiler, Grammar, Slot};
use super::grammar::document::Document;
use super::grammar::expand::{Binding, Expansion};
use super::grammar::{ExpandError, GrammarError};
use super::names::Names;
use super::pddl::PddlError;
use super::pddl::domain::Domain;
use super::pddl::ground::{Grounded, ground};
use super::pddl::problem::Problem;
use super::pddl::program::{Operator, Program};
use super::pddl::state::State;
use super::pddl::vocabulary::Object;

/// The rule that opens a game.
const INTRO: &str = "#intro#";

/// Why a game cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The file is no JSON object with a domain, a problem and a grammar.
    #[error("the game is no JSON with pddl_domain, pddl_problem and grammar: {0}")]
    Form(String),
    /// The domain cannot be used.
    #[error("pddl_domain, {0}")]
    Domain(PddlError),
    /// The problem cannot be used.
    #[error("pddl_problem, {0}")]
    Problem(PddlError),
    /// Domain and problem do not fit.
    #[error("pddl_domain with pddl_problem, {0}")]
    Ground(PddlError),
    /// The grammar cannot be used.
    #[error("grammar, {0}")]
    Grammar(#[from] GrammarError),
    /// A text cannot be written.
    #[error("grammar: {0}")]
    Expand(#[from] ExpandError),
}

/// The fields of a game file that are played.
#[derive(Deserialize)]
struct File {
    pddl_domain: String,
    pddl_problem: String,
    grammar: String,
    #[serde(default)]
    walkthrough: Option<Vec<String>>,
}

/// An action's texts, bound to the game.
#[derive(Debug)]
struct Wording {
    /// The parameters with their types.
    parameters: Vec<(Slot, String)>,
    template: Vec<BoundSymbol>,
    feedback: Vec<BoundSymbol>,
}

/// A game, ready to be played.
#[derive(Debug)]
pub struct Game {
    pub(super) grounded: Grounded,
    grammar: Grammar,
    names: Names,
    wordings: Vec<Wording>,
    intro: Vec<BoundSymbol>,
    pub(super) commands: Commands,
    walkthrough: Vec<String>,
}

impl Game {
    /// Loads a game from the text of its file.
    ///
    /// # Errors
    /// If the file has not the form of a game or uses what is not supported.
    pub fn load(text: &str) -> Result<Self, GameError> {
        let file: File = serde_json::from_str(text).map_err(|error| GameError::Form(error.to_string()))?;
        let domain = Domain::read(&file.pddl_domain).map_err(GameError::Domain)?;
        let problem = Problem::read(&file.pddl_problem).map_err(GameError::Problem)?;
        let document = Document::read(&file.grammar)?;
        let grounded = ground(domain, problem).map_err(GameError::Ground)?;
        let mut compiler = Compiler::new(&grounded);
        let mut grammar = compiler.grammar(&document)?;
        let intro = compiler.text(INTRO, "the opening")?;
        let wordings = wordings(&grounded, &document, &mut compiler)?;
        grammar.names = compiler.into_names();
        let names = Names::new(&grounded.objects, stated_objects(&grounded.program));
        let mut game = Self {
            grounded,
            grammar,
            names,
            wordings,
            intro,
            commands: Commands::default(),
            walkthrough: file.walkthrough.unwrap_or_default(),
        };
        game.commands = Commands::new(game.settled_commands()?);
        Ok(game)
    }

    /// A way to win that came with the game. Empty if none did.
    pub fn walkthrough(&self) -> &[String] {
        &self.walkthrough
    }

    /// For each operator its command, if the words never change.
    fn settled_commands(&self) -> Result<Vec<Option<String>>, ExpandError> {
        let Grounded { program, predicates, .. } = &self.grounded;
        let state = State::new(program);
        let changing =
            |atom| program.atoms.parts(atom).is_some_and(|(predicate, _)| predicates.changes(predicate));
        let changes = |wording: &Wording| self.grammar.changes(&wording.template, &changing);
        let changes: Vec<bool> = self.wordings.iter().map(changes).collect();
        let command = |(number, operator): (usize, &Operator)| {
            let settled = changes.get(operator.action) == Some(&false);
            if settled { self.command(number, &state).map(Some) } else { Ok(None) }
        };
        program.operators.iter().enumerate().map(command).collect()
    }

    /// The text that opens a play.
    pub(super) fn opening(&self, state: &State) -> Result<String, ExpandError> {
        self.write(&self.intro, Vec::new(), state)
    }

    /// What is observed after an operator was applied.
    pub(super) fn feedback(&self, operator: usize, state: &State) -> Result<String, ExpandError> {
        self.say(operator, state, |wording| &wording.feedback)
    }

    /// The words of an operator's command.
    pub(super) fn command(&self, operator: usize, state: &State) -> Result<String, ExpandError> {
        self.say(operator, state, |wording| &wording.template)
    }

    fn say(
        &self,
        operator: usize,
        state: &State,
        text: impl Fn(&Wording) -> &[BoundSymbol],
    ) -> Result<String, ExpandError> {
        let Some(operator) = self.grounded.program.operators.get(operator) else {
            return Ok(String::new());
        };
        let Some(wording) = self.wordings.get(operator.action) else {
            return Ok(String::new());
        };
        let bound = wording.parameters.iter().zip(&operator.arguments);
        let bindings = bound.map(|((slot, kind), &object)| Binding {
            slot: *slot,
            object,
            exact: self.grounded.objects.kind(object) == kind,
        });
        let bindings = bindings.collect();
        self.write(text(wording), bindings, state)
    }

    fn write(
        &self,
        symbols: &[BoundSymbol],
        mut bindings: Vec<Binding>,
        state: &State,
    ) -> Result<String, ExpandError> {
        let Self { grammar, names, grounded, .. } = self;
        let mut expansion =
            Expansion { grammar, objects: &grounded.objects, names, state, text: String::new() };
        expansion.write(symbols, &mut bindings, 0)?;
        Ok(expansion.text)
    }
}

/// The objects that the facts at first are about.
fn stated_objects(program: &Program) -> impl Iterator<Item = Object> {
    let stated = (0..).zip(&program.initially).filter(|(_, stated)| **stated);
    stated.filter_map(|(atom, _)| Some(program.atoms.parts(atom)?.1)).flatten().copied()
}

fn wordings(
    grounded: &Grounded,
    document: &Document,
    compiler: &mut Compiler<'_>,
) -> Result<Vec<Wording>, GrammarError> {
    let mut wordings = Vec::new();
    for action in &grounded.domain.actions {
        let place = format!("action `{}`", action.name);
        let text = document
            .actions
            .get(&action.name)
            .ok_or_else(|| GrammarError::new(place.as_str(), "the grammar has no texts for it"))?;
        let parameters = action
            .parameters
            .iter()
            .map(|entry| (compiler.slot(entry.name.trim_matches('?'), &entry.kind), entry.kind.clone()));
        wordings.push(Wording {
            parameters: parameters.collect(),
            template: compiler.text(&text.template, &place)?,
            feedback: compiler.text(&text.feedback, &place)?,
        });
    }
    Ok(wordings)
}
