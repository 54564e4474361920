//! What was measured, for people and for programs.
//!
//! Always holds: the median stands beside the least and the most, so that noise is seen.

use serde_json::{Value, json};

/// What was measured, turn by turn.
pub(super) type Values = Vec<f64>;

/// What is to be reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Target {
    /// This or less.
    AtMost(f64),
    /// This or more.
    AtLeast(f64),
}

/// A line of the table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    name: &'static str,
    unit: &'static str,
    /// In ascending order.
    values: Values,
    target: Option<Target>,
}

impl Target {
    fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtMost(limit) => value <= limit,
            Self::AtLeast(limit) => value >= limit,
        }
    }

    fn text(self, met: bool) -> String {
        let (sign, limit) = match self {
            Self::AtMost(limit) => ("≤", limit),
            Self::AtLeast(limit) => ("≥", limit),
        };
        format!("{sign} {limit:.2}{}", if met { "" } else { "  MISSED" })
    }
}

impl Row {
    pub(super) fn new(
        name: &'static str,
        unit: &'static str,
        mut values: Values,
        target: Option<Target>,
    ) -> Self {
        values.sort_by(f64::total_cmp);
        Self { name, unit, values, target }
    }

    fn median(&self) -> Option<f64> {
        self.values.get(self.values.len() / 2).copied()
    }

    fn text(&self) -> String {
        let (Some(median), Some(least), Some(most)) =
            (self.median(), self.values.first(), self.values.last())
        else {
            return format!("{:<42} {:>9}", self.name, "unknown");
        };
        let target = self.target.map(|target| target.text(target.is_met(median))).unwrap_or_default();
        let line = format!("{:<42} {median:>9.3} {:<4} ({least:.3} to {most:.3})", self.name, self.unit);
        format!("{line:<78} {target}").trim_end().to_owned()
    }

    fn json(&self) -> Value {
        let median = self.median();
        json!({
            "name": self.name.trim(),
            "unit": self.unit,
            "median": median,
            "values": self.values,
            "met": median.zip(self.target).map(|(median, target)| target.is_met(median)),
        })
    }
}

/// A table for people: the median, the least and the most, the target.
pub(super) fn text(rows: &[Row]) -> String {
    rows.iter().map(Row::text).collect::<Vec<_>>().join("\n")
}

/// The same as JSON.
pub(super) fn json(rows: &[Row]) -> String {
    format!("{:#}", rows.iter().map(Row::json).collect::<Value>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_held_against_the_target() {
        let row = |values: &[f64], target| Row::new("throughput", "", values.to_vec(), Some(target));
        for (values, target, met) in [
            (&[0.97, 0.90, 0.96][..], Target::AtLeast(0.95), Some(true)),
            (&[0.97, 0.90, 0.94], Target::AtLeast(0.95), Some(false)),
            (&[0.1], Target::AtMost(0.1), Some(true)),
            (&[], Target::AtMost(0.1), None),
        ] {
            let row = row(values, target);
            assert_eq!(row.json()["met"], json!(met), "{values:?}");
            assert_eq!(row.text().contains("MISSED"), met == Some(false), "{values:?}");
        }
    }
}
