//! What can be noticed about a program that changes a workbook.
//!
//! Always holds: only the reply is looked at, never what became of the program.

use std::collections::BTreeSet;

use super::Sign;

/// Whether the input shows a workbook.
pub(super) fn fits(input: &str) -> bool {
    input.lines().any(|line| line.starts_with("## Sheet: "))
}

/// The signs of a reply.
pub(super) fn signs(reply: &str) -> BTreeSet<Sign> {
    let found = reply.lines().filter_map(|line| {
        let assigned = line.split_once("] = ").map(|(_, value)| value);
        if assigned.is_some_and(|value| value.trim_start_matches('f').starts_with("\"=")) {
            Some(Sign::Uncomputed)
        } else if assigned.is_some_and(|value| value.starts_with("f\"")) {
            Some(Sign::Dressed)
        } else if line.contains(".active") {
            Some(Sign::Current)
        } else {
            None
        }
    });
    let glance = reply.split("range(2, ").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    found.chain(glance.then_some(Sign::Glance)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_seen() {
        assert!(fits("Do it.\n\n## Sheet: A  (dim=A1:B2)\nA1=x") && !fits("Sheet: A"));
        let cases: [(&str, &[Sign]); 6] = [
            ("cells[\"B2\"] = sum(values)", &[]),
            ("cells[\"B2\"] = \"=SUM(A1:A9)\"", &[Sign::Uncomputed]),
            ("cells[f\"B{row}\"] = f\"=A{row}*2\"", &[Sign::Uncomputed]),
            ("cells[\"B2\"] = f\"{total} kg\"", &[Sign::Dressed]),
            ("cells = book.active\nfor row in range(2, 6):", &[Sign::Glance, Sign::Current]),
            ("for row in range(2, cells.max_row + 1):", &[]),
        ];
        for (reply, expected) in cases {
            assert_eq!(signs(reply).into_iter().collect::<Vec<_>>(), expected, "{reply}");
        }
    }
}
