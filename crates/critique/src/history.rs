//! The step buffer as the text that critics read (the history H of Algorithm 1).
//!
//! Always holds: no task id is in it; patterns beyond the ones shown are counted.

use textualrl_model::{BufferEntry, Edit, FailurePattern, Rejection, StepBuffer};

/// The most failure patterns shown for a step.
const SHOWN_PATTERNS: usize = 10;

/// The history in words, oldest step first; empty if there is none.
pub fn history_text(buffer: &StepBuffer) -> String {
    let entries: Vec<String> = buffer.entries.iter().map(entry_text).collect();
    entries.join("\n")
}

fn entry_text(entry: &BufferEntry) -> String {
    let verdict = if entry.accepted { "accepted" } else { "rejected" };
    let mut text = format!(
        "Step {}: candidate {verdict}. {} of {} tasks had failed attempts.\n",
        entry.step, entry.failed_tasks, entry.tasks
    );
    push_patterns(&mut text, &entry.patterns);
    if let Some(rejection) = &entry.rejection {
        push_rejection(&mut text, rejection);
    }
    text
}

fn push_patterns(text: &mut String, patterns: &[FailurePattern]) {
    if patterns.is_empty() {
        return;
    }
    text.push_str("What failed:\n");
    for pattern in patterns.iter().take(SHOWN_PATTERNS) {
        text.push_str(&format!("- {} (tasks: {})\n", pattern.label, pattern.tasks.len()));
    }
    if let Some(more) = patterns.len().checked_sub(SHOWN_PATTERNS).filter(|more| *more > 0) {
        text.push_str(&format!("- and {more} rarer kinds\n"));
    }
}

fn push_rejection(text: &mut String, rejection: &Rejection) {
    text.push_str(&format!(
        "Together these edits reached a validation score of {:.4}, not above {:.4}:\n",
        rejection.candidate, rejection.reference
    ));
    for edit in &rejection.edits {
        text.push_str(&format!("- {}\n", edit_text(edit)));
    }
}

fn edit_text(edit: &Edit) -> String {
    let quoted = |text: &str| format!("{:?}", text.trim());
    match (edit.target(), edit.content()) {
        (Some(target), Some(content)) => format!("{} {} with {}", edit.op(), quoted(target), quoted(content)),
        (Some(target), None) => format!("{} {}", edit.op(), quoted(target)),
        (None, content) => format!("{} {}", edit.op(), quoted(content.unwrap_or_default())),
    }
}
