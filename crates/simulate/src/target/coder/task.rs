//! What is asked over which table, as the prompt shows it.
//!
//! Always holds: a column is named by its heading in the first shown row of the sheet; what the coder does not know is no
//! task of its own.

/// What to compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    Sum,
    Count,
    Mean,
    Largest,
    Smallest,
    /// Of two columns, row by row.
    Product,
}

/// A task.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) goal: Goal,
    /// The sheet of the table.
    pub(super) sheet: String,
    /// The columns to compute with, from 1.
    pub(super) columns: Vec<usize>,
    /// A column and the text that rows must have in it.
    pub(super) condition: Option<(usize, String)>,
    /// The last row of the table, as the preview gives it.
    pub(super) last_row: usize,
    /// The last row that is shown.
    pub(super) shown: usize,
    /// The sheet of the answer.
    pub(super) answer_sheet: String,
    /// The first and the last cell of the answer; one if they are the same.
    pub(super) cells: Vec<String>,
}

/// A sheet of the preview.
struct Sheet<'a> {
    name: &'a str,
    last_row: usize,
    /// The cells of each shown row.
    rows: Vec<Vec<&'a str>>,
}

/// Words for what to compute, of which the first that occurs decides.
const GOALS: [(Goal, &[&str]); 6] = [
    (Goal::Product, &["multiply", "times"]),
    (Goal::Mean, &["average", "mean"]),
    (Goal::Largest, &["largest", "highest", "maximum"]),
    (Goal::Smallest, &["lowest", "smallest", "minimum"]),
    (Goal::Count, &["how many", "count"]),
    (Goal::Sum, &["sum", "total", "add up"]),
];

impl Task {
    /// Reads what the user asks; none if it is nothing that the coder knows.
    pub(super) fn read(asked: &str) -> Option<Self> {
        let (head, preview) = asked.split_once("preview\n")?;
        let instruction = head.split("\n\n").next()?;
        let small = instruction.to_lowercase();
        let (goal, _) = GOALS.into_iter().find(|(_, words)| words.iter().any(|word| small.contains(word)))?;
        let sheets = sheets(preview);
        let table = sheets.iter().max_by_key(|sheet| sheet.last_row)?;
        let headings = table.rows.first()?;
        let condition = condition(instruction, headings);
        let mut columns: Vec<(usize, usize)> = Vec::new();
        for (column, heading) in (1..).zip(headings) {
            let conditional = condition.as_ref().is_some_and(|(other, _)| *other == column);
            if let Some(place) = word_place(instruction, heading).filter(|_| !conditional) {
                columns.push((place, column));
            }
        }
        columns.sort_unstable();
        let position = head.lines().find_map(|line| line.split_once("answer position: "))?.1;
        let (answer_sheet, range) = match position.split_once('!') {
            Some((sheet, range)) => (sheet.trim_matches('\''), range),
            None => (sheets.first()?.name, position),
        };
        Some(Self {
            goal,
            sheet: table.name.to_owned(),
            columns: columns.into_iter().map(|(_, column)| column).collect(),
            condition,
            last_row: table.last_row,
            shown: table.rows.len(),
            answer_sheet: answer_sheet.to_owned(),
            cells: range.split(':').map(|cell| cell.trim().to_owned()).collect(),
        })
        .filter(Self::is_whole)
    }

    /// The first cell of the answer.
    pub(super) fn first_cell(&self) -> &str {
        self.cells.first().map_or("A1", String::as_str)
    }

    /// Whether there are the columns that the goal needs.
    fn is_whole(&self) -> bool {
        match self.goal {
            Goal::Count => self.condition.is_some(),
            Goal::Product => self.columns.len() >= 2,
            _ => !self.columns.is_empty(),
        }
    }
}

/// The column and the text of "Heading is Text".
fn condition(instruction: &str, headings: &[&str]) -> Option<(usize, String)> {
    let words: Vec<&str> = instruction.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned();
    (1..).zip(headings).find_map(|(column, heading)| {
        let at = words.windows(2).rposition(|pair| matches!(pair, [word, "is"] if word == heading))?;
        Some((column, bare(words.get(at + 2)?)))
    })
}

/// Where a heading stands as a word.
fn word_place(instruction: &str, heading: &str) -> Option<usize> {
    let mut words = instruction.split(|letter: char| !letter.is_alphanumeric());
    words.position(|word| word == heading)
}

/// The sheets of a preview.
fn sheets(preview: &str) -> Vec<Sheet<'_>> {
    let mut found: Vec<Sheet<'_>> = Vec::new();
    for line in preview.lines().take_while(|line| !line.starts_with("# ")) {
        if let Some(head) = line.strip_prefix("## Sheet:") {
            let (name, rest) = head.split_once("  (").unwrap_or((head, ""));
            let last_row =
                rest.split_once("max_row=").and_then(|(_, rest)| rest.split(',').next()?.parse().ok());
            found.push(Sheet { name: name.trim(), last_row: last_row.unwrap_or(0), rows: Vec::new() });
        } else if let (Some(sheet), true) = (found.last_mut(), line.contains('=')) {
            let cells = line.split(" | ").map(|cell| cell.split_once('=').map_or("", |(_, value)| value));
            sheet.rows.push(cells.collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(instruction: &str, position: &str) -> String {
        format!(
            "# Instruction\n{instruction}\n\nInstruction type: x\nExpected answer position: {position}\n\n# Input \
             preview\n## Sheet: Boats  (dim=A1:C9, max_row=9, max_col=3)\nA1=Name | B1=Port | C1=Catch\n\
             A2=Knot | B2=Corvath | C2=70\n... (7 more rows)\n\n## Sheet: Report  (dim=A1:A1, max_row=1, max_col=1)\n\
             A1=What\n\n# Task\nWrite."
        )
    }

    #[test]
    fn tables_and_goals_are_read() {
        for (instruction, position, goal, columns, condition, sheet, cells) in [
            ("Add up Catch.", "E2", Goal::Sum, vec![3], None, "Boats", vec!["E2"]),
            ("The highest Catch, please.", "'Report'!B2", Goal::Largest, vec![3], None, "Report", vec!["B2"]),
            (
                "How many rows are there whose Port is Corvath?",
                "E2",
                Goal::Count,
                vec![],
                Some((2, "Corvath")),
                "Boats",
                vec!["E2"],
            ),
            (
                "The sum of Catch where Port is Dunlow.",
                "E2",
                Goal::Sum,
                vec![3],
                Some((2, "Dunlow")),
                "Boats",
                vec!["E2"],
            ),
            ("Multiply Catch by Port.", "D2:D9", Goal::Product, vec![3, 2], None, "Boats", vec!["D2", "D9"]),
        ] {
            let task = Task::read(&asked(instruction, position)).expect(instruction);
            let found = (task.goal, task.columns, task.answer_sheet.as_str(), task.cells);
            assert_eq!(
                found,
                (goal, columns, sheet, cells.iter().map(ToString::to_string).collect()),
                "{instruction}"
            );
            let condition = condition.map(|(column, text): (usize, &str)| (column, text.to_owned()));
            assert_eq!(
                (task.condition, task.sheet.as_str(), task.last_row, task.shown),
                (condition, "Boats", 9, 2)
            );
        }
        for none in ["Sort the rows.", "Add up the wages.", "Count the rows."] {
            assert_eq!(Task::read(&asked(none, "E2")), None, "{none}");
        }
    }
}
