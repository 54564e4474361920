//! Numbers for the objects, predicates and atoms of a game.
//!
//! Always holds: a number is given once and never changes; objects and predicates are numbered in a fixed order, atoms
//! in the order in which they are first met.

use std::collections::{BTreeMap, HashMap};

use super::condition::Typed;
use super::domain::Domain;
use super::sexp::PddlError;
use super::types::Types;

/// An object's number.
pub(crate) type Object = u32;
/// A predicate's number.
pub(crate) type Predicate = u32;
/// An atom's number: a predicate with objects.
pub(crate) type Atom = u32;

/// The objects of a game.
#[derive(Debug, Clone, Default)]
pub(crate) struct Objects {
    entries: Vec<Typed>,
    by_name: HashMap<String, Object>,
    by_kind: BTreeMap<String, Vec<Object>>,
}

impl Objects {
    /// Numbers the objects.
    pub(crate) fn new(entries: Vec<Typed>, types: &Types) -> Result<Self, PddlError> {
        let mut objects = Self::default();
        for (number, entry) in (0..).zip(&entries) {
            if objects.by_name.insert(entry.name.clone(), number).is_some() {
                return Err(PddlError::new(1, format!("object `{}` is declared twice", entry.name)));
            }
            if !types.contains(&entry.kind) {
                let message = format!("object `{}` has the undeclared type `{}`", entry.name, entry.kind);
                return Err(PddlError::new(1, message));
            }
            for kind in types.with_above(&entry.kind) {
                objects.by_kind.entry(kind.to_owned()).or_default().push(number);
            }
        }
        objects.entries = entries;
        Ok(objects)
    }

    /// The object of that name.
    pub(crate) fn number(&self, name: &str) -> Option<Object> {
        self.by_name.get(name).copied()
    }

    /// The object's name in the file, in lower case.
    pub(crate) fn name(&self, object: Object) -> &str {
        self.entries.get(object as usize).map_or("", |entry| &entry.name)
    }

    /// The object's declared type.
    pub(crate) fn kind(&self, object: Object) -> &str {
        self.entries.get(object as usize).map_or("", |entry| &entry.kind)
    }

    /// The objects of a type or of one below it. None for a type that nobody declared.
    pub(crate) fn of_kind(&self, kind: &str) -> &[Object] {
        self.by_kind.get(kind).map_or(&[], Vec::as_slice)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

/// The predicates of a game.
#[derive(Debug, Clone)]
pub(crate) struct Predicates {
    names: Vec<String>,
    arities: Vec<usize>,
    changing: Vec<bool>,
}

impl Predicates {
    /// Numbers the predicates of a domain in the order of their names.
    pub(crate) fn new(domain: &Domain) -> Self {
        let changing = domain.changing();
        Self {
            names: domain.predicates.keys().cloned().collect(),
            arities: domain.predicates.values().copied().collect(),
            changing: domain.predicates.keys().map(|name| changing.contains(name.as_str())).collect(),
        }
    }

    /// The predicate of that name.
    pub(crate) fn number(&self, name: &str) -> Option<Predicate> {
        let index = self.names.binary_search_by(|probe| probe.as_str().cmp(name)).ok()?;
        Predicate::try_from(index).ok()
    }

    /// How many arguments it takes.
    pub(crate) fn arity(&self, predicate: Predicate) -> usize {
        self.arities.get(predicate as usize).copied().unwrap_or_default()
    }

    /// Whether some action changes it.
    pub(crate) fn changes(&self, predicate: Predicate) -> bool {
        self.changing.get(predicate as usize).copied().unwrap_or_default()
    }
}

/// Atoms in the order in which they were first met.
#[derive(Debug, Clone, Default)]
pub(crate) struct Atoms {
    /// Predicate first, then the objects.
    entries: Vec<Box<[u32]>>,
    numbers: HashMap<Box<[u32]>, Atom>,
}

impl Atoms {
    /// The atom's number, new if it is met for the first time. `key` is the predicate, then the objects.
    pub(crate) fn intern(&mut self, key: &[u32]) -> Atom {
        if let Some(&number) = self.numbers.get(key) {
            return number;
        }
        let number = Atom::try_from(self.entries.len()).unwrap_or(Atom::MAX);
        self.entries.push(key.into());
        self.numbers.insert(key.into(), number);
        number
    }

    /// The atom's predicate and objects.
    pub(crate) fn parts(&self, atom: Atom) -> Option<(Predicate, &[Object])> {
        let (&predicate, objects) = self.entries.get(atom as usize)?.split_first()?;
        Some((predicate, objects))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}
