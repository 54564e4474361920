//! Tables of labelled sentences and pairs.

/// The rows of a table: fields separated by tabs; blank lines and lines with a hash sign are skipped.
pub(crate) fn rows(table: &str) -> Vec<Vec<&str>> {
    table
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
        .collect()
}

/// Counts of a yes-or-no verdict against labels.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) hits: usize,
    pub(crate) misses: Vec<String>,
    pub(crate) false_alarms: Vec<String>,
    pub(crate) passes: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, expected: bool, found: bool, what: &str) {
        match (expected, found) {
            (true, true) => self.hits += 1,
            (false, false) => self.passes += 1,
            (true, false) => self.misses.push(what.to_owned()),
            (false, true) => self.false_alarms.push(what.to_owned()),
        }
    }

    pub(crate) fn precision(&self) -> f64 {
        self.hits as f64 / (self.hits + self.false_alarms.len()).max(1) as f64
    }

    pub(crate) fn recall(&self) -> f64 {
        self.hits as f64 / (self.hits + self.misses.len()).max(1) as f64
    }

    pub(crate) fn total(&self) -> usize {
        self.hits + self.passes + self.misses.len() + self.false_alarms.len()
    }

    pub(crate) fn right(&self) -> f64 {
        (self.hits + self.passes) as f64 / self.total().max(1) as f64
    }

    pub(crate) fn print(&self, name: &str) {
        println!(
            "{name}: {} rows, precision {:.3}, recall {:.3}",
            self.total(),
            self.precision(),
            self.recall()
        );
        for miss in &self.misses {
            println!("  missed: {miss}");
        }
        for alarm in &self.false_alarms {
            println!("  false alarm: {alarm}");
        }
    }
}
