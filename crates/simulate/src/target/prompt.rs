//! The parts of the target's prompt: context, passage and question.
//!
//! Always holds: what stands outside the context section of the system turn is no instruction of the context.

use textualrl_model::{Role, Turn};

/// The parts of a prompt. A part that is not there is empty.
pub(crate) struct Prompt {
    /// The context C.
    pub(crate) context: String,
    /// What there is to read.
    pub(crate) passage: String,
    /// What is asked.
    pub(crate) question: String,
}

/// Labels before what is asked, and before what there is to read.
const ASKING: [&str; 4] = ["question", "clue", "query", "task"];
const READING: [&str; 5] = ["passage", "context", "text", "document", "documents"];

/// Reads the system turns and the first user turn.
pub(crate) fn read(turns: &[Turn]) -> Prompt {
    let system: Vec<String> =
        turns.iter().filter(|turn| turn.role == Role::System).map(Turn::joined_text).collect();
    let task = turns.iter().find(|turn| turn.role == Role::User).map(Turn::joined_text).unwrap_or_default();
    let (passage, question) = split_task(&task);
    Prompt { context: context_section(&system.join("\n")), passage, question }
}

/// What stands between the heading of the context and the headings about formats at the prompt's end.
fn context_section(system: &str) -> String {
    let lines: Vec<&str> = system.lines().collect();
    let Some(start) = lines.iter().position(|line| line.trim() == "## Context") else { return String::new() };
    let about_format = |line: &str| line.to_lowercase().contains("format");
    let headings = lines.iter().enumerate().rev().filter(|(_, line)| line.starts_with("## "));
    let at_end = headings.take_while(|(at, line)| *at > start && about_format(line));
    let end = at_end.last().map_or(lines.len(), |(at, _)| at);
    lines.get(start + 1..end).unwrap_or_default().join("\n")
}

/// The passage and the question; without labels the last paragraph is the question.
fn split_task(task: &str) -> (String, String) {
    let lines: Vec<&str> = task.lines().collect();
    let labelled =
        lines.iter().enumerate().rev().find_map(|(at, line)| label(line, &ASKING).map(|rest| (at, rest)));
    let (passage, question) = match labelled {
        Some((at, rest)) => {
            let after = lines.get(at + 1..).unwrap_or_default().join("\n");
            (lines.get(..at).unwrap_or_default().join("\n"), format!("{rest}\n{after}"))
        }
        None => match task.trim_end().rsplit_once("\n\n") {
            Some((passage, question)) => (passage.to_owned(), question.to_owned()),
            None => (task.to_owned(), task.to_owned()),
        },
    };
    let unlabelled: Vec<&str> = passage.lines().map(|line| label(line, &READING).unwrap_or(line)).collect();
    (unlabelled.join("\n").trim().to_owned(), question.trim().to_owned())
}

/// What follows on the line if it begins with one of the labels, as a heading or before a colon.
fn label<'a>(line: &'a str, labels: &[&str]) -> Option<&'a str> {
    let bare = line.trim().trim_start_matches(['#', '*', ' ']);
    let heading = line.trim_start().starts_with('#');
    labels.iter().find_map(|label| {
        let (word, rest) = bare.split_at_checked(label.len())?;
        let rest = rest.trim_start_matches('*');
        let ends = rest.starts_with(':') || (heading && rest.trim().is_empty());
        (word.eq_ignore_ascii_case(label) && ends).then(|| rest.trim_start_matches([':', '*', ' ']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_several_styles_are_read() {
        let cases = [
            ("Passage:\nA b.\n\nQuestion: Who?", "A b.", "Who?"),
            ("## Context\n[DOC] [TLE] A\n\n## Question\nThis man\n", "[DOC] [TLE] A", "This man"),
            ("Some text.\n\nWho is it?", "Some text.", "Who is it?"),
            ("**Passage:** A b.\n**Clue:** This b", "A b.", "This b"),
        ];
        for (task, passage, question) in cases {
            assert_eq!(split_task(task), (passage.to_owned(), question.to_owned()), "{task:?}");
        }
    }

    #[test]
    fn the_format_section_is_no_part_of_the_context() {
        let system = "Role.\n\n## Context\n# Notes\n## More\nBe exact.\n\n## Answer format\nUse tags.";
        assert_eq!(context_section(system), "# Notes\n## More\nBe exact.\n");
        assert_eq!(context_section("Role.\n\n## Answer format\nUse tags."), "");
        let two = "Role.\n\n## Context\n## Format\nBrief.\n## More\nBe exact.\n## Task format\nA clue.\n## Answer format\nTags.";
        assert_eq!(context_section(two), "## Format\nBrief.\n## More\nBe exact.");
    }
}
