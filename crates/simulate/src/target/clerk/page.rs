//! What the clerk reads from lines: figures in tables, with the year over them and the scale in the heading.
//!
//! Always holds: a figure is worded as it stands there.

use super::question::Question;

/// A figure that was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Figure {
    /// As it stands there.
    pub(super) digits: String,
    /// The word that the table's heading has for its figures.
    pub(super) scale: Option<&'static str>,
    /// What it stands beside.
    pub(super) place: String,
}

/// The figure in the row and the column that fit the question best.
pub(super) fn figure(text: &str, question: &Question) -> Option<Figure> {
    let mut heading = "";
    let mut header: Vec<&str> = Vec::new();
    let mut best: (usize, Option<Figure>) = (0, None);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_rule(line)) {
        let Some(row) = cells(line) else {
            (heading, header) = (line, Vec::new());
            continue;
        };
        if header.is_empty() {
            header = row;
            continue;
        }
        let Some((place, values)) = row.split_first() else { continue };
        let fit = fit(place, question);
        if fit > best.0 {
            let column =
                question.years.iter().find_map(|year| header.iter().skip(1).position(|cell| cell == year));
            let value = values.get(column.unwrap_or(0));
            let scale = scale(heading);
            best = (
                fit,
                value.map(|value| Figure { digits: (*value).to_owned(), scale, place: (*place).to_owned() }),
            );
        }
    }
    best.1
}

/// The first figure of the first line that a search has found, whatever it stands for.
pub(super) fn first_figure(found: &str, question: &Question) -> Option<Figure> {
    let line = found.lines().next()?.split_once(": ")?.1;
    let bare = |word: &'_ str| word.trim_matches(|c: char| !c.is_ascii_digit() && c != '%').to_owned();
    let is_year = |word: &String| word.len() == 4 && word.starts_with("19");
    let mut figures =
        line.split_whitespace().map(bare).filter(|word| word.contains(|c: char| c.is_ascii_digit()));
    let digits = figures.find(|word| !is_year(word) && !question.years.contains(word))?;
    let place = line.trim_matches(['|', ' ']).split(['|', '.']).next().unwrap_or_default().trim();
    Some(Figure { digits, scale: None, place: place.to_owned() })
}

/// The number of the line that fits best of those that a search has found; rows of tables before others.
pub(super) fn best_line(found: &str, question: &Question) -> usize {
    let numbered = found.lines().filter_map(|line| line.split_once(": "));
    let mut best = (0, 1);
    for (number, line) in numbered {
        let Ok(number) = number.parse() else { continue };
        let fit = cells(line).and_then(|row| row.first().map(|place| fit(place, question) + 1)).unwrap_or(0);
        if fit > best.0 || best == (0, 1) {
            best = (fit, number);
        }
    }
    best.1
}

/// Whether a line is the rule under a table's header.
fn is_rule(line: &str) -> bool {
    line.starts_with('|') && line.chars().all(|c| matches!(c, '|' | '-' | ' ' | ':'))
}

/// The cells of a row of a table; none of a line that is no row.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}

/// How many words of the question a row's name has.
fn fit(place: &str, question: &Question) -> usize {
    let place = place.to_lowercase();
    question.words().filter(|word| place.split_whitespace().any(|other| other == *word)).count()
}

fn scale(heading: &str) -> Option<&'static str> {
    ["thousand", "million", "billion"].into_iter().find(|scale| heading.to_lowercase().contains(scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(asked: &str) -> Question {
        Question::of(&format!("## Question\n{asked}\n")).unwrap()
    }

    const PAGE: &str = "2. Debt (in thousands of crowns)\n\n| Item | 1950 | 1951 |\n| --- | --- | --- |\n| Net debt | 9 | (4) |\n\
                        | Old debt | 7 | 8 |\n\nCounted.\n\n| Item | 1951 |\n| --- | --- |\n| Ships entered | 402 |";

    #[test]
    fn figures_stand_in_the_row_and_the_column_that_fit() {
        for (asked, digits, scale) in [
            ("What was the net debt in 1951?", "(4)", Some("thousand")),
            ("What was the net debt in 1950?", "9", Some("thousand")),
            ("How many ships entered in 1951?", "402", None),
        ] {
            let found = figure(PAGE, &question(asked)).unwrap();
            assert_eq!((found.digits.as_str(), found.scale), (digits, scale), "{asked}");
        }
        assert_eq!(figure(PAGE, &question("What is gold?")), None);
    }

    #[test]
    fn lines_of_a_search_are_weighed_or_not() {
        let found = "3: Net debt was 655 in 1938.\n9: | Net debt | 9 | (4) |";
        let asked = question("What was the net debt in 1951?");
        assert_eq!(best_line(found, &asked), 9);
        assert_eq!(best_line("3: Net debt was 655.", &asked), 3);
        assert_eq!(first_figure(found, &asked).unwrap().digits, "655");
        assert_eq!(first_figure("9: | Rate | 4.5% |", &asked).unwrap().digits, "4.5%");
    }
}
