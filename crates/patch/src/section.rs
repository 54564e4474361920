//! The sections of a Markdown text, by their headings.
//!
//! Always holds: a section reaches from its heading to the next heading of the same or a higher level; only headings
//! with hashes count, and none within a fence or front matter.

use std::ops::Range;

use crate::document::{Document, heading_text};
use crate::normal::Normal;

/// A section: the heading and all that is under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) range: Range<usize>,
}

/// All sections of a text, in order.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    all: Vec<Named>,
}

#[derive(Debug)]
struct Named {
    range: Range<usize>,
    level: usize,
    name: String,
    /// The position of the section that holds this one.
    parent: Option<usize>,
}

impl Sections {
    pub(crate) fn of(document: &Document<'_>) -> Self {
        let mut all: Vec<Named> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (line, level) in document.headings(document.body) {
            while let Some(named) = open.last().and_then(|&index| all.get_mut(index)) {
                if named.level < level {
                    break;
                }
                named.range.end = line.start;
                open.pop();
            }
            let name = normal_name(line.text(document.text));
            let parent = open.last().copied();
            open.push(all.len());
            all.push(Named { range: line.start..document.text.len(), level, name, parent });
        }
        Self { all }
    }

    /// The sections that a path of headings names, outermost first. Headings between may be left out.
    pub(crate) fn under(&self, path: &[String]) -> Vec<Section> {
        let names: Vec<String> = path.iter().map(|name| normal_name(name)).collect();
        let Some((last, outer)) = names.split_last() else { return Vec::new() };
        let fits = |named: &&Named| named.name == *last && self.has_ancestors(named, outer);
        self.all.iter().filter(fits).map(|named| Section { range: named.range.clone() }).collect()
    }

    fn has_ancestors(&self, named: &Named, names: &[String]) -> bool {
        let mut names = names.iter().rev().peekable();
        let mut parent = named.parent;
        while let Some(name) = names.peek() {
            let Some(ancestor) = parent.and_then(|index| self.all.get(index)) else { return false };
            if ancestor.name == **name {
                names.next();
            }
            parent = ancestor.parent;
        }
        true
    }
}

fn normal_name(heading: &str) -> String {
    Normal::of(heading_text(heading)).text
}
