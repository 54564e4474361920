//! The coder's programs.
//!
//! Always holds: a program uses openpyxl alone; without a habit it is right for every table of the shown layout.

use super::habit::Habit;
use super::task::{Goal, Task};

/// The program, as the habit spoils it; one that slips misspells the path in its last line.
pub(super) fn write(task: &Task, habit: Option<Habit>, slips: bool) -> String {
    let mut lines = vec![
        "from openpyxl import load_workbook".to_owned(),
        String::new(),
        "book = load_workbook(INPUT_PATH)".to_owned(),
        format!("table = book[{:?}]", task.sheet),
        match habit {
            Some(Habit::ActiveSheet) => "target = book.active".to_owned(),
            _ => format!("target = book[{:?}]", task.answer_sheet),
        },
    ];
    let rows = match habit {
        Some(Habit::ShownRows) => format!("range(2, {})", task.shown + 1),
        _ => "range(2, table.max_row + 1)".to_owned(),
    };
    lines.extend(match (task.goal, habit) {
        (Goal::Product, _) => products(task, habit, &rows),
        (_, Some(Habit::Formula)) => vec![format!("target[{:?}] = {:?}", task.first_cell(), formula(task))],
        _ => single(task, habit, &rows),
    });
    lines.push(format!("book.save({})", if slips { "RESULT_PATH" } else { "OUTPUT_PATH" }));
    lines.join("\n") + "\n"
}

/// A value for every row, below the first cell of the answer.
fn products(task: &Task, habit: Option<Habit>, rows: &str) -> Vec<String> {
    let [one, other] = [0, 1].map(|at| task.columns.get(at).copied().unwrap_or(1));
    let column: String = task.first_cell().chars().filter(char::is_ascii_alphabetic).collect();
    let value = match habit {
        Some(Habit::Formula) => format!("f\"={}{{row}}*{}{{row}}\"", letter(one), letter(other)),
        Some(Habit::Worded) => {
            format!("f\"{{table.cell(row, {one}).value * table.cell(row, {other}).value}} each\"")
        }
        _ => format!("table.cell(row, {one}).value * table.cell(row, {other}).value"),
    };
    vec![
        format!("for row in {rows}:"),
        format!("    if isinstance(table.cell(row, {one}).value, (int, float)):"),
        format!("        target[f\"{column}{{row}}\"] = {value}"),
    ]
}

/// One value of a whole column.
fn single(task: &Task, habit: Option<Habit>, rows: &str) -> Vec<String> {
    let column = task.columns.first().copied().unwrap_or(1);
    let condition = match &task.condition {
        Some((column, text)) => format!("table.cell(row, {column}).value == {text:?}"),
        None => format!("table.cell(row, {column}).value is not None"),
    };
    let value = match task.goal {
        Goal::Count => "len(values)".to_owned(),
        Goal::Mean => "sum(values) / len(values)".to_owned(),
        Goal::Largest => "max(values)".to_owned(),
        Goal::Smallest => "min(values)".to_owned(),
        Goal::Sum | Goal::Product => "sum(values)".to_owned(),
    };
    let written = match habit {
        Some(Habit::Worded) => format!("f\"Result: {{{value}}}\""),
        _ => value,
    };
    vec![
        format!("values = [table.cell(row, {column}).value for row in {rows} if {condition}]"),
        format!("target[{:?}] = {written}", task.first_cell()),
    ]
}

/// The formula that computes the same.
fn formula(task: &Task) -> String {
    let area = |column: usize| {
        let letter = letter(column);
        format!("'{}'!{letter}2:{letter}{}", task.sheet, task.last_row)
    };
    let column = area(task.columns.first().copied().unwrap_or(1));
    match (task.goal, &task.condition) {
        (Goal::Count, Some((other, text))) => format!("=COUNTIF({}, \"{text}\")", area(*other)),
        (Goal::Sum, Some((other, text))) => format!("=SUMIF({}, \"{text}\", {column})", area(*other)),
        (Goal::Mean, _) => format!("=AVERAGE({column})"),
        (Goal::Largest, _) => format!("=MAX({column})"),
        (Goal::Smallest, _) => format!("=MIN({column})"),
        _ => format!("=SUM({column})"),
    }
}

fn letter(column: usize) -> char {
    ('A'..='Z').nth(column.saturating_sub(1)).unwrap_or('A')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(goal: Goal, columns: &[usize], condition: Option<(usize, &str)>) -> Task {
        Task {
            goal,
            sheet: "Boats".to_owned(),
            columns: columns.to_vec(),
            condition: condition.map(|(column, text)| (column, text.to_owned())),
            last_row: 9,
            shown: 5,
            answer_sheet: "Report".to_owned(),
            cells: vec!["B2".to_owned()],
        }
    }

    #[test]
    fn programs_are_as_their_habits_make_them() {
        let sum = task(Goal::Sum, &[3], Some((2, "Dunlow")));
        let product = task(Goal::Product, &[2, 3], None);
        for (task, habit, line) in [
            (
                &sum,
                None,
                "values = [table.cell(row, 3).value for row in range(2, table.max_row + 1) if table.cell(row, 2).value == \"Dunlow\"]",
            ),
            (&sum, None, "target[\"B2\"] = sum(values)"),
            (
                &sum,
                Some(Habit::Formula),
                "target[\"B2\"] = \"=SUMIF('Boats'!B2:B9, \\\"Dunlow\\\", 'Boats'!C2:C9)\"",
            ),
            (
                &sum,
                Some(Habit::ShownRows),
                "values = [table.cell(row, 3).value for row in range(2, 6) if table.cell(row, 2).value == \"Dunlow\"]",
            ),
            (&sum, Some(Habit::Worded), "target[\"B2\"] = f\"Result: {sum(values)}\""),
            (&sum, Some(Habit::ActiveSheet), "target = book.active"),
            (
                &product,
                None,
                "        target[f\"B{row}\"] = table.cell(row, 2).value * table.cell(row, 3).value",
            ),
            (&product, Some(Habit::Formula), "        target[f\"B{row}\"] = f\"=B{row}*C{row}\""),
        ] {
            let program = write(task, habit, false);
            assert!(program.lines().any(|found| found == line), "{program}");
            assert!(program.ends_with("book.save(OUTPUT_PATH)\n"));
        }
        assert!(write(&sum, None, true).ends_with("book.save(RESULT_PATH)\n"));
    }
}
