//! The coder: writes small programs over tables of a workbook.
//!
//! Always holds: it knows sums, counts, extremes, means and products of columns; a program is spoilt by one habit at most;
//! within a conversation the habit stays, and only what the program's own output tells of is repaired.

mod habit;
mod program;
mod task;

use textualrl_llm::ChatRequest;
use textualrl_model::{Role, Turn};

use self::task::Task;
use super::moment::Moment;
use super::prompt;

/// Whether the prompt asks for a program over a workbook.
pub(super) fn recognises(request: &ChatRequest) -> bool {
    let says =
        |role, word| request.turns.iter().any(|turn| turn.role == role && turn.joined_text().contains(word));
    says(Role::System, "INPUT_PATH")
        && says(Role::System, "OUTPUT_PATH")
        && Task::read(&asked(request)).is_some()
}

/// Writes a program, or repairs the last one.
pub(super) fn act(request: &ChatRequest) -> Turn {
    let asked = asked(request);
    let text = Task::read(&asked).map(|task| answer_text(request, &asked, &task));
    Turn::text(Role::Assistant, text.unwrap_or_else(|| "There is no table here.".to_owned()))
}

/// What the user asks at first.
fn asked(request: &ChatRequest) -> String {
    request.turns.iter().find(|turn| turn.role == Role::User).map(Turn::joined_text).unwrap_or_default()
}

fn answer_text(request: &ChatRequest, asked: &str, task: &Task) -> String {
    let context = prompt::read(&request.turns).context;
    // What was said later changes no draw, so that a repaired program is the same but for the repair.
    let moment = Moment::of(request, &[asked], &[context.clone(), asked.to_owned()]);
    let habit = habit::showing(&context, task, &moment);
    let told =
        request.turns.iter().any(|turn| turn.role == Role::User && turn.joined_text().contains("NameError"));
    let slips = !told && moment.unit("slip") < 0.2;
    let program = program::write(task, habit, slips);
    let before = match (told, moment.choice(3, "before")) {
        (true, _) => "The last line used a name that does not exist.".to_owned(),
        (false, 0) => format!("The table stands on {}, and its first row holds the headings.", task.sheet),
        (false, 1) => format!("I read the rows of {} one by one.", task.sheet),
        (false, _) => "One pass over the rows is enough.".to_owned(),
    };
    let cells = task.cells.join(" to ");
    format!(
        "{before}\n\n```python\n{program}```\n\nThe result then stands in {cells}, which is where it was wanted."
    )
}
