//! A grammar bound to its game: names become numbers, queries become lists of atoms.
//!
//! Always holds: the atoms of a pattern are in the order in which the reference engine tries them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::document::Document;
use super::expression::{Expression, Field};
use super::query::{Pattern, Query};
use super::scan::GrammarError;
use super::symbol::{self, Each, Part, Symbol};
use crate::alfworld::pddl::ground::Grounded;
use crate::alfworld::pddl::vocabulary::{Atom, Object};

/// The rules that lists are written with.
pub(crate) const LIST_EMPTY: &str = "list_empty";
pub(crate) const LIST_SEPARATOR: &str = "list_separator";
pub(crate) const LIST_LAST_SEPARATOR: &str = "list_last_separator";

/// A placeholder's name and type as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) name: usize,
    pub(crate) kind: usize,
}

/// The atoms that a pattern may match, with their objects.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) entries: Vec<(Atom, Box<[Object]>)>,
    /// For each place, which entries have an object there.
    pub(crate) by_place: Vec<HashMap<Object, Vec<usize>>>,
}

/// A pattern bound to the game.
#[derive(Debug, Clone)]
pub(crate) struct BoundPattern {
    pub(crate) negated: bool,
    pub(crate) slots: Vec<Slot>,
    pub(crate) candidates: Arc<Candidates>,
}

/// A query bound to the game.
pub(crate) type BoundQuery = Vec<BoundPattern>;

/// A value bound to the game.
#[derive(Debug, Clone)]
pub(crate) enum BoundValue {
    Text(String),
    Of(usize, Field),
    Sum(Vec<BoundValue>),
    First(Vec<BoundValue>),
}

/// A part bound to the game.
#[derive(Debug, Clone)]
pub(crate) enum BoundPart {
    Rule(String),
    Value(BoundValue),
}

/// A part for every way to fill a query.
#[derive(Debug, Clone)]
pub(crate) struct BoundEach {
    pub(crate) part: BoundPart,
    pub(crate) given: Option<BoundQuery>,
}

/// A symbol bound to the game.
#[derive(Debug, Clone)]
pub(crate) enum BoundSymbol {
    Text(String),
    Rule(String),
    Each(BoundEach),
    List(BoundEach),
}

/// A production bound to the game.
#[derive(Debug, Clone)]
pub(crate) struct BoundProduction {
    pub(crate) condition: Option<BoundQuery>,
    pub(crate) symbols: Vec<BoundSymbol>,
}

/// A grammar bound to its game.
#[derive(Debug, Clone, Default)]
pub(crate) struct Grammar {
    pub(crate) rules: BTreeMap<String, Vec<BoundProduction>>,
    /// The names of placeholders by number.
    pub(crate) names: Vec<String>,
}

/// The names of an atom's objects, the atom and the objects: sorted by the names.
type Named<'a> = (Vec<&'a str>, Atom, &'a [Object]);

/// Binds a grammar to its game.
pub(crate) struct Compiler<'a> {
    grounded: &'a Grounded,
    names: Vec<String>,
    kinds: Vec<String>,
    by_predicate: HashMap<u32, Vec<Atom>>,
    known: HashMap<(String, bool, Vec<String>), Arc<Candidates>>,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(grounded: &'a Grounded) -> Self {
        let atoms = &grounded.program.atoms;
        let mut by_predicate: HashMap<u32, Vec<Atom>> = HashMap::new();
        for atom in (0..).take(atoms.len()) {
            if let Some((predicate, _)) = atoms.parts(atom) {
                by_predicate.entry(predicate).or_default().push(atom);
            }
        }
        Self { grounded, names: Vec::new(), kinds: Vec::new(), by_predicate, known: HashMap::new() }
    }

    /// Binds all rules.
    pub(crate) fn grammar(&mut self, document: &Document) -> Result<Grammar, GrammarError> {
        let mut rules = BTreeMap::new();
        for (name, productions) in &document.rules {
            let place = format!("rule `{name}`");
            let mut bound = Vec::new();
            for production in productions {
                let condition = match production.condition.as_str() {
                    "" => None,
                    text => {
                        let query = Query::read(text)
                            .map_err(|message| GrammarError::new(place.as_str(), message))?;
                        Some(self.query(&query))
                    }
                };
                bound.push(BoundProduction { condition, symbols: self.text(&production.rhs, &place)? });
            }
            rules.insert(name.clone(), bound);
        }
        Ok(Grammar { rules, names: Vec::new() })
    }

    /// Binds a text outside the rules, such as a command's template.
    pub(crate) fn text(&mut self, text: &str, place: &str) -> Result<Vec<BoundSymbol>, GrammarError> {
        Ok(symbol::read(text, place)?.into_iter().map(|symbol| self.symbol(symbol)).collect())
    }

    /// The numbers of a placeholder's name and type.
    pub(crate) fn slot(&mut self, name: &str, kind: &str) -> Slot {
        Slot { name: number(&mut self.names, name), kind: number(&mut self.kinds, kind) }
    }

    /// The names given so far.
    pub(crate) fn into_names(self) -> Vec<String> {
        self.names
    }

    fn symbol(&mut self, symbol: Symbol) -> BoundSymbol {
        match symbol {
            Symbol::Text(text) => BoundSymbol::Text(text),
            Symbol::Rule(name) => BoundSymbol::Rule(name),
            Symbol::Each(each) => BoundSymbol::Each(self.each(each)),
            Symbol::List(each) => BoundSymbol::List(self.each(each)),
        }
    }

    fn each(&mut self, each: Each) -> BoundEach {
        let part = match each.part {
            Part::Rule(name) => BoundPart::Rule(name),
            Part::Value(value) => BoundPart::Value(self.value(value)),
        };
        BoundEach { part, given: each.given.map(|query| self.query(&query)) }
    }

    fn value(&mut self, value: Expression) -> BoundValue {
        match value {
            Expression::Text(text) => BoundValue::Text(text),
            Expression::Of(name, field) => BoundValue::Of(number(&mut self.names, &name), field),
            Expression::Sum(parts) => {
                BoundValue::Sum(parts.into_iter().map(|part| self.value(part)).collect())
            }
            Expression::First(parts) => {
                BoundValue::First(parts.into_iter().map(|part| self.value(part)).collect())
            }
        }
    }

    fn query(&mut self, query: &Query) -> BoundQuery {
        query.patterns.iter().map(|pattern| self.pattern(pattern)).collect()
    }

    fn pattern(&mut self, pattern: &Pattern) -> BoundPattern {
        let slots = pattern.placeholders.iter().map(|entry| self.slot(&entry.name, &entry.kind)).collect();
        let kinds: Vec<String> = pattern.placeholders.iter().map(|entry| entry.kind.clone()).collect();
        let key = (pattern.predicate.clone(), pattern.negated, kinds);
        let candidates = match self.known.get(&key) {
            Some(candidates) => candidates.clone(),
            None => {
                let candidates = Arc::new(self.candidates(&key.0, key.1, &key.2));
                self.known.insert(key, candidates.clone());
                candidates
            }
        };
        BoundPattern { negated: pattern.negated, slots, candidates }
    }

    /// All atoms that may match, signature by signature, sorted by the names of their objects within each.
    fn candidates(&self, predicate: &str, negated: bool, kinds: &[String]) -> Candidates {
        let Grounded { domain, objects, predicates, program } = self.grounded;
        let wanted = if negated { &program.deniable } else { &program.possible };
        let atoms = predicates.number(predicate).and_then(|number| self.by_predicate.get(&number));
        let mut by_signature: HashMap<Vec<&str>, Vec<Named<'_>>> = HashMap::new();
        for &atom in atoms.into_iter().flatten() {
            let Some((_, arguments)) = program.atoms.parts(atom) else { continue };
            if wanted.get(atom as usize).copied().unwrap_or_default() {
                let signature = arguments.iter().map(|&object| objects.kind(object)).collect();
                let names = arguments.iter().map(|&object| objects.name(object)).collect();
                by_signature.entry(signature).or_default().push((names, atom, arguments));
            }
        }
        by_signature.values_mut().for_each(|list| list.sort_unstable());
        let mut candidates = Candidates { entries: Vec::new(), by_place: vec![HashMap::new(); kinds.len()] };
        for signature in domain.types.signatures(kinds) {
            let signature: Vec<&str> = signature.iter().map(String::as_str).collect();
            for (_, atom, arguments) in by_signature.get(&signature).into_iter().flatten() {
                for (place, &object) in candidates.by_place.iter_mut().zip(*arguments) {
                    place.entry(object).or_default().push(candidates.entries.len());
                }
                candidates.entries.push((*atom, (*arguments).into()));
            }
        }
        candidates
    }
}

fn number(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

impl Grammar {
    /// Whether what the symbols say depends on anything that changes in play.
    pub(crate) fn changes(&self, symbols: &[BoundSymbol], changing: &dyn Fn(Atom) -> bool) -> bool {
        let query = |query: &BoundQuery| {
            query.iter().flat_map(|pattern| &pattern.candidates.entries).any(|(atom, _)| changing(*atom))
        };
        symbols.iter().any(|symbol| match symbol {
            BoundSymbol::Text(_) => false,
            // A rule may hold anything; templates of commands rarely use one.
            BoundSymbol::Rule(_) => true,
            BoundSymbol::Each(each) | BoundSymbol::List(each) => {
                matches!(each.part, BoundPart::Rule(_)) || each.given.as_ref().is_some_and(query)
            }
        })
    }
}
