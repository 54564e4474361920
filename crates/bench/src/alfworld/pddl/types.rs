//! The hierarchy of types.
//!
//! Always holds: every type has `object` above it; the order in which signatures are tried is the reference engine's,
//! since lists in observations follow it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The type above all others, as PDDL names it.
pub(crate) const ROOT: &str = "object";

/// Types by name, with all types above and below each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Types {
    above: BTreeMap<String, BTreeSet<String>>,
    below: BTreeMap<String, BTreeSet<String>>,
}

impl Types {
    /// Builds the hierarchy from pairs of a type and the type above it.
    pub(crate) fn new(declared: &[(String, String)]) -> Self {
        let mut parents: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::from([(ROOT, BTreeSet::new())]);
        for (name, parent) in declared {
            parents.entry(parent).or_default();
            parents.entry(name).or_default().insert(parent);
        }
        let mut types = Self::default();
        for &name in parents.keys() {
            let mut above = BTreeSet::new();
            let mut open = vec![name];
            while let Some(current) = open.pop() {
                for &parent in parents.get(current).into_iter().flatten() {
                    if parent != name && above.insert(parent.to_owned()) {
                        open.push(parent);
                    }
                }
            }
            for parent in &above {
                types.below.entry(parent.clone()).or_default().insert(name.to_owned());
            }
            types.above.insert(name.to_owned(), above);
        }
        types
    }

    /// Whether the type is declared.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.above.contains_key(name)
    }

    /// Whether a thing of type `lower` may stand where `upper` is asked for.
    pub(crate) fn is_a(&self, lower: &str, upper: &str) -> bool {
        lower == upper || self.above.get(lower).is_some_and(|above| above.contains(upper))
    }

    /// The type and all types above it.
    pub(crate) fn with_above<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let above = self.above.get(name).into_iter().flatten().map(String::as_str);
        std::iter::once(name).chain(above)
    }

    /// The signatures that a query with these types matches, in the order of the reference engine: breadth first, one
    /// place lowered at a time. A signature that is first met among the direct ones may come twice, as it does there.
    pub(crate) fn signatures(&self, types: &[String]) -> Vec<Vec<String>> {
        let mut found = vec![types.to_vec()];
        let mut seen = BTreeSet::new();
        let mut open: VecDeque<Vec<String>> = self.lowered(types).into();
        while let Some(signature) = open.pop_front() {
            for lower in self.lowered(&signature) {
                if seen.insert(lower.clone()) {
                    open.push_back(lower);
                }
            }
            found.push(signature);
        }
        found
    }

    fn lowered(&self, types: &[String]) -> Vec<Vec<String>> {
        let mut result = Vec::new();
        for (place, name) in types.iter().enumerate() {
            for lower in self.below.get(name).into_iter().flatten() {
                let mut signature = types.to_vec();
                if let Some(slot) = signature.get_mut(place) {
                    slot.clone_from(lower);
                }
                result.push(signature);
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(pairs: &[(&str, &str)]) -> Types {
        let owned: Vec<_> = pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        Types::new(&owned)
    }

    #[test]
    fn a_type_is_each_type_above_it() {
        let types = types(&[("tool", "thing"), ("thing", ROOT), (ROOT, ROOT)]);
        assert!(types.is_a("tool", "thing") && types.is_a("tool", ROOT) && types.is_a("tool", "tool"));
        assert!(!types.is_a("thing", "tool") && !types.is_a("tool", "unknown"));
    }

    #[test]
    fn signatures_come_from_the_top_down() {
        let types = types(&[("box", ROOT), ("cup", ROOT)]);
        let found = types.signatures(&[ROOT.to_owned(), "box".to_owned()]);
        let shown: Vec<String> = found.iter().map(|signature| signature.join(" ")).collect();
        assert_eq!(shown, ["object box", "box box", "cup box"]);
    }
}
