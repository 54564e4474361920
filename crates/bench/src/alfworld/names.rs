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
