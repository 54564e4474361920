//! The names under which objects are shown.
//!
//! Always holds: a name is made from the object's id alone, by the rules of ALFWorld's name wrapper: `_bar_` ends the
//! name, objects of one name are numbered, the first id in sorted order gets the highest number.

use std::collections::HashMap;

use super::pddl::vocabulary::{Object, Objects};

/// Ends the name within an id.
const BAR: &str = "_bar_";
/// How ids write what PDDL does not allow in names.
const ESCAPES: [(&str, &str); 4] = [("_minus_", "-"), ("_plus_", "+"), ("_dot_", "."), ("_comma_", ",")];

/// The shown name of each object.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    shown: Vec<String>,
}

impl Names {
    /// Names the objects. `known` are those that occur in facts; the others keep their ids and take no number.
    pub(crate) fn new(objects: &Objects, known: impl IntoIterator<Item = Object>) -> Self {
        let mut ids: Vec<(&str, Object)> =
            known.into_iter().map(|object| (objects.name(object), object)).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut counts: HashMap<String, usize> = HashMap::new();
        for (id, _) in &ids {
            if let Some(name) = base(id) {
                *counts.entry(name).or_default() += 1;
            }
        }
        let mut shown: Vec<String> =
            (0..).take(objects.len()).map(|object| objects.name(object).to_owned()).collect();
        for (id, object) in ids {
            let name = match base(id) {
                // The wrapper leaves a blank where the number would stand.
                None => format!("{} ", unescaped(id)),
                Some(name) => {
                    let count = counts.entry(name.clone()).or_default();
                    let numbered = format!("{name} {count}");
                    *count = count.saturating_sub(1);
                    numbered
                }
            };
            if let Some(entry) = shown.get_mut(object as usize) {
                *entry = name;
            }
        }
        Self { shown }
    }

    /// The object's shown name.
    pub(crate) fn shown(&self, object: Object) -> &str {
        self.shown.get(object as usize).map_or("", String::as_str)
    }
}

/// The name that an id gives its object, if the id has a position.
///
/// An id may end in the name of a part of the object, which is the name and more letters: the part is what is shown.
fn base(id: &str) -> Option<String> {
    let (name, position) = id.split_once(BAR)?;
    let last = position.rsplit(BAR).next().unwrap_or_default();
    let part = last
        .strip_prefix(name)
        .is_some_and(|more| !more.is_empty() && more.chars().all(|c| c.is_ascii_alphabetic()));
    Some(unescaped(if part { last } else { name }))
}

fn unescaped(text: &str) -> String {
    ESCAPES.iter().fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain))
}

#[cfg(test)]
mod tests {
    use super::super::pddl::condition::Typed;
    use super::super::pddl::types::Types;
    use super::*;

    #[test]
    fn the_first_id_gets_the_highest_number() {
        let ids = [
            "cup_bar_b",
            "cup_bar_a",
            "cup_bar__minus_01_dot_50",
            "cup",
            "tray_bar_1_bar_trayrim",
            "tray_bar_2_bar_tray_3",
            "unstated_bar_1",
            "red_minus_cup",
        ];
        let entry = |id: &&str| Typed { name: (*id).to_owned(), kind: "object".to_owned() };
        let objects = Objects::new(ids.iter().map(entry).collect(), &Types::new(&[])).unwrap();
        let names = Names::new(&objects, [0, 1, 2, 3, 4, 5, 7, 0]);
        let shown: Vec<&str> = (0..8).map(|object| names.shown(object)).collect();
        assert_eq!(
            shown,
            ["cup 1", "cup 2", "cup 3", "cup ", "trayrim 1", "tray 1", "unstated_bar_1", "red-cup "]
        );
    }
}
