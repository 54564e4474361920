//! The look of every table: plain columns without frames, so that it reads well in a terminal, a log and a diff.
//!
//! Always holds: no colour and no width of a terminal decides what is printed.

use comfy_table::{Cell, CellAlignment, Table, presets};

/// A column's header and whether it holds numbers.
pub(crate) struct Column {
    /// The header.
    pub(crate) header: &'static str,
    /// Numbers stand to the right.
    pub(crate) numeric: bool,
}

impl Column {
    /// A column of text.
    pub(crate) fn text(header: &'static str) -> Self {
        Self { header, numeric: false }
    }

    /// A column of numbers.
    pub(crate) fn number(header: &'static str) -> Self {
        Self { header, numeric: true }
    }
}

/// Lays out rows under their headers, each line indented by two blanks and without blanks at its end.
pub(crate) fn table(columns: &[Column], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(columns.iter().map(|column| align(Cell::new(column.header), column)));
    for row in rows {
        table.add_row(row.into_iter().zip(columns).map(|(text, column)| align(Cell::new(text), column)));
    }
    let lines: Vec<String> = table.lines().map(|line| format!(" {}", line.trim_end())).collect();
    lines.join("\n") + "\n"
}

fn align(cell: Cell, column: &Column) -> Cell {
    cell.set_alignment(if column.numeric { CellAlignment::Right } else { CellAlignment::Left })
}

/// A whole number with a blank between each three digits: `12 345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1 000"), (1_234_567, "1 234 567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
