//! A game and a play of it.
//!
//! Always holds: a game never changes and is shared by all plays of it; commands are sorted and unique; a command that
//! does not apply is answered with [`NOTHING`] and changes nothing.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;

use super::grammar::compile::{BoundSymbol, Compiler, Grammar, Slot};
use super::grammar::document::Document;
use super::grammar::expand::{Binding, Expansion};
use super::grammar::{ExpandError, GrammarError};
use super::names::Names;
use super::pddl::PddlError;
use super::pddl::domain::Domain;
use super::pddl::ground::{Grounded, ground};
use super::pddl::problem::Problem;
use super::pddl::state::State;

/// The answer to a command that does not apply.
pub const NOTHING: &str = "Nothing happens.";

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
    grounded: Grounded,
    grammar: Grammar,
    names: Names,
    wordings: Vec<Wording>,
    intro: Vec<BoundSymbol>,
    /// All commands that never change their words, sorted.
    commands: Vec<String>,
    /// For each operator its command, if its words never change.
    spoken: Vec<Option<usize>>,
    /// For each command its operators.
    meant: Vec<Vec<usize>>,
    /// Whether there are operators whose words may change.
    unsettled: bool,
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
        let program = &grounded.program;
        let known = (0..)
            .zip(&program.initially)
            .filter(|(_, initially)| **initially)
            .filter_map(|(atom, _)| Some(program.atoms.parts(atom)?.1))
            .flatten()
            .copied();
        let names = Names::new(&grounded.objects, known);
        let mut game = Self {
            grounded,
            grammar,
            names,
            wordings,
            intro,
            commands: Vec::new(),
            spoken: Vec::new(),
            meant: Vec::new(),
            unsettled: false,
            walkthrough: file.walkthrough.unwrap_or_default(),
        };
        game.settle()?;
        Ok(game)
    }

    /// A way to win that came with the game. Empty if none did.
    pub fn walkthrough(&self) -> &[String] {
        &self.walkthrough
    }

    /// Writes the commands of all operators whose words never change.
    fn settle(&mut self) -> Result<(), ExpandError> {
        let state = State::new(&self.grounded.program);
        let changing = |atom| {
            let parts = self.grounded.program.atoms.parts(atom);
            parts.is_some_and(|(predicate, _)| self.grounded.predicates.changes(predicate))
        };
        let fixed: Vec<bool> =
            self.wordings.iter().map(|wording| !self.grammar.changes(&wording.template, &changing)).collect();
        let mut words: Vec<Option<String>> = Vec::new();
        for (number, operator) in self.grounded.program.operators.iter().enumerate() {
            let settled = fixed.get(operator.action).copied().unwrap_or_default();
            words.push(if settled { Some(self.command(number, &state)?) } else { None });
        }
        self.unsettled = words.iter().any(Option::is_none);
        let mut commands: Vec<String> = words.iter().flatten().cloned().collect();
        commands.sort_unstable();
        commands.dedup();
        let numbers: HashMap<&str, usize> =
            commands.iter().enumerate().map(|(number, command)| (command.as_str(), number)).collect();
        self.spoken = words.iter().map(|word| numbers.get(word.as_deref()?).copied()).collect();
        self.meant = vec![Vec::new(); commands.len()];
        for (operator, command) in self.spoken.iter().enumerate() {
            if let Some(list) = command.and_then(|command| self.meant.get_mut(command)) {
                list.push(operator);
            }
        }
        self.commands = commands;
        Ok(())
    }

    /// The words of an operator's command.
    fn command(&self, operator: usize, state: &State) -> Result<String, ExpandError> {
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

/// A play of a game.
#[derive(Debug, Clone)]
pub struct Play {
    game: Arc<Game>,
    state: State,
    observation: String,
}

impl Play {
    /// Starts a play.
    ///
    /// # Errors
    /// If the opening cannot be written.
    pub fn start(game: Arc<Game>) -> Result<Self, GameError> {
        let state = State::new(&game.grounded.program);
        let observation = game.write(&game.intro, Vec::new(), &state)?;
        Ok(Self { game, state, observation })
    }

    /// What was observed last.
    pub fn observation(&self) -> &str {
        &self.observation
    }

    /// Whether the goal is reached.
    pub fn is_won(&self) -> bool {
        self.state.is_won()
    }

    /// The commands that apply, sorted, each once.
    ///
    /// # Errors
    /// If a command cannot be written.
    pub fn admissible(&self) -> Result<Vec<String>, GameError> {
        let mut commands = Vec::new();
        for command in self.settled() {
            commands.push(self.game.commands.get(command).cloned().unwrap_or_default());
        }
        if self.game.unsettled {
            for (_, command) in self.unsettled()? {
                commands.push(command);
            }
            commands.sort_unstable();
            commands.dedup();
        }
        Ok(commands)
    }

    /// Gives a command and returns what is observed.
    ///
    /// # Errors
    /// If the observation cannot be written.
    pub fn step(&mut self, command: &str) -> Result<&str, GameError> {
        self.observation = match self.meaning(trim(command))? {
            None => NOTHING.to_owned(),
            Some(operator) => {
                self.state.apply(&self.game.grounded.program, operator);
                self.game.say(operator, &self.state, |wording| &wording.feedback)?
            }
        };
        Ok(&self.observation)
    }

    /// The numbers of the commands that apply and never change their words, sorted, each once.
    fn settled(&self) -> Vec<usize> {
        let spoken = |operator: &usize| self.game.spoken.get(*operator).copied().flatten();
        let mut commands: Vec<usize> = self.state.applicable().iter().filter_map(spoken).collect();
        commands.sort_unstable();
        commands.dedup();
        commands
    }

    /// The operators that apply and may change their words, with their words.
    fn unsettled(&self) -> Result<Vec<(usize, String)>, ExpandError> {
        let spoken = |operator: usize| self.game.spoken.get(operator).copied().flatten();
        let open = self.state.applicable().iter().filter(|operator| spoken(**operator).is_none());
        open.map(|&operator| Ok((operator, self.game.command(operator, &self.state)?))).collect()
    }

    /// The operator that a command means now.
    fn meaning(&self, command: &str) -> Result<Option<usize>, ExpandError> {
        let known = self.game.commands.binary_search_by(|probe| probe.as_str().cmp(command)).ok();
        let operators = known.and_then(|number| self.game.meant.get(number));
        let settled = operators.into_iter().flatten().copied().find(|&operator| self.state.applies(operator));
        if settled.is_some() || !self.game.unsettled {
            return Ok(settled);
        }
        let fitting = self.unsettled()?.into_iter().filter(|(_, words)| words == command);
        Ok(fitting.map(|(operator, _)| operator).min())
    }
}

/// Trims as Python does, which counts the separators 0x1c to 0x1f as white space.
fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}'))
}
