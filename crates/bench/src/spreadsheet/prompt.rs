//! What the agent is told.
//!
//! Always holds: nothing here knows a golden workbook; what a program printed is shown as it is and cut.

use textualrl_model::{Context, Role, Turn};

use super::tasks::SpreadsheetTask;
use crate::prompt::system;

/// The target's system prompt, with a place for the context at its end.
pub(super) const SYSTEM: &str = include_str!("../../../../prompts/target/spreadsheet.md");
/// The most characters that are shown of what a program printed, as released.
const MOST_PRINTED: usize = 3000;
/// What is asked below the preview.
const REQUEST: &str = "# Task\nWrite a Python program that opens the workbook at `INPUT_PATH`, does what the instruction \
                       asks, and saves the whole workbook to `OUTPUT_PATH`, with the result in the expected answer \
                       position. The preview shows the first rows only. Reply with the program in one ```python block.";
const AGAIN: &str = "Reply with the whole corrected program in one ```python block.";

/// All texts that the protocol is made of, for its fingerprint.
pub(super) const TEXTS: [&str; 3] = [SYSTEM, REQUEST, AGAIN];

/// The system turn and the task.
pub(super) fn opening(context: &Context, task: &SpreadsheetTask, preview: &str) -> Vec<Turn> {
    let asked = format!(
        "# Instruction\n{}\n\nInstruction type: {}\nExpected answer position: {}\n\n# Input spreadsheet preview\n\
         {}\n\n{REQUEST}",
        task.instruction.trim(),
        task.instruction_type,
        task.answer_position,
        preview.trim_end()
    );
    vec![Turn::text(Role::System, system(SYSTEM, context)), Turn::text(Role::User, asked)]
}

/// What follows a reply without a program.
pub(super) fn no_program() -> Turn {
    Turn::text(Role::User, format!("The reply holds no program. {AGAIN}"))
}

/// What follows a program that did not do: how it ended, and what it printed.
pub(super) fn failed(problem: &str, printed: &str) -> Turn {
    let printed = printed.trim_end();
    let shown: String = printed.chars().take(MOST_PRINTED).collect();
    let shown = match shown.is_empty() {
        true => "It printed nothing.".to_owned(),
        false => format!("It printed:\n{fence}\n{shown}\n{fence}", fence = fence(&shown)),
    };
    Turn::text(Role::User, format!("{}. {shown}\n\n{AGAIN}", sentence(problem)))
}

fn sentence(problem: &str) -> String {
    let mut letters = problem.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A fence that nothing in the text can close.
fn fence(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.saturating_add(1).max(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_printed_is_cut_and_fenced() {
        for (printed, shown) in [
            ("", "The program ended with exit code 1. It printed nothing.\n\nReply with the whole"),
            ("oh\n\n", "The program ended with exit code 1. It printed:\n```\noh\n```\n\nReply"),
            ("```\n", "It printed:\n````\n```\n````\n\n"),
        ] {
            let told = failed("the program ended with exit code 1", printed).joined_text();
            assert!(told.contains(shown), "{told}");
        }
        let told = failed("the program ended with exit code 1", &"é".repeat(4000)).joined_text();
        assert_eq!(told.matches('é').count(), MOST_PRINTED);
    }
}
