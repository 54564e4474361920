//! Merges: one edit for each lesson, the better supported one where two contradict each other.
//!
//! Always holds: every edit that is kept names the edits that it came from.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::Chance;
use super::lesson::{self, Way};
use super::notice::Sign;
use super::read::{self, Merge};

/// How often the sweeping form of a lesson takes the place of the careful one.
const GENERALISING: f64 = 0.6;

/// Edits that teach the same.
struct Family {
    lesson: Option<(Sign, Way)>,
    edits: Vec<Map<String, Value>>,
}

impl Family {
    /// The distinct tasks that support it.
    fn support(&self) -> usize {
        let tasks =
            self.edits.iter().filter_map(|edit| edit.get("support").and_then(Value::as_array)).flatten();
        let tasks: BTreeSet<&str> = tasks.filter_map(Value::as_str).collect();
        tasks.len()
    }

    fn takes(&self, edit: &Map<String, Value>) -> bool {
        let content = read::text(edit, "content");
        let lesson = lesson::read(content);
        let alike = |other: &Map<String, Value>| {
            read::text(other, "op") == read::text(edit, "op")
                && read::text(other, "target") == read::text(edit, "target")
                && overlap(read::text(other, "content"), content) > 0.7
        };
        if lesson.is_some() {
            lesson == self.lesson
        } else {
            self.lesson.is_none() && self.edits.iter().any(alike)
        }
    }
}

/// The share of words that two texts have in common.
fn overlap(a: &str, b: &str) -> f64 {
    let words =
        |text: &str| text.to_lowercase().split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
    let (a, b) = (words(a), words(b));
    a.intersection(&b).count() as f64 / a.union(&b).count().max(1) as f64
}

/// The merge's reply.
pub(crate) fn reply(merge: &Merge, chance: &Chance) -> Value {
    let mut families: Vec<Family> = Vec::new();
    for edit in &merge.edits {
        match families.iter_mut().find(|family| family.takes(edit)) {
            Some(family) => family.edits.push(edit.clone()),
            None => {
                let lesson = lesson::read(read::text(edit, "content"));
                families.push(Family { lesson, edits: vec![edit.clone()] });
            }
        }
    }
    let outweighed = |family: &Family| families.iter().any(|other| outweighs(other, family, chance));
    let kept: Vec<&Family> = families.iter().filter(|family| !outweighed(family)).collect();
    let edits: Vec<Value> = kept.iter().filter_map(|family| merged(family)).collect();
    json!({"reasoning": format!("{} proposals teach {} things.", merge.edits.len(), edits.len()), "edits": edits})
}

/// Whether `other` takes the place of `family`: it teaches the contrary with at least as much support, or the same
/// in the form, careful or sweeping, that this merge prefers.
fn outweighs(other: &Family, family: &Family, chance: &Chance) -> bool {
    let (Some((sign, way)), Some((other_sign, other_way))) = (family.lesson, other.lesson) else {
        return false;
    };
    if sign != other_sign || way == other_way {
        return false;
    }
    if way == Way::Seek || other_way == Way::Seek {
        let (support, others) = (family.support(), other.support());
        return others > support || (others == support && other_way < way);
    }
    let generalises = chance.unit(&format!("generalises {sign:?}")) < GENERALISING;
    generalises == (other_way == Way::Sweeping)
}

fn merged(family: &Family) -> Option<Value> {
    let supporting =
        |edit: &&Map<String, Value>| edit.get("support").and_then(Value::as_array).map_or(0, Vec::len);
    // Of equally supported wordings the first stays.
    let best = family.edits.iter().rev().max_by_key(supporting)?;
    let from: Vec<&str> = family.edits.iter().map(|edit| read::text(edit, "id")).collect();
    let mut edit = best.clone();
    edit.remove("id");
    edit.remove("support");
    edit.insert("from".to_owned(), json!(from));
    Some(Value::Object(edit))
}
