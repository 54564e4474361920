//! The user turn of a critic call: tagged blocks, each tag alone on its line.
//!
//! Always holds: all that was written by others stands inside blocks, with lines that look like our tags escaped.

use textualrl_llm::prompt::{attribute, block, escape_tags};
use textualrl_model::{Context, Reward, Route};

use crate::display::{Display, Piece, ShownBlock, ShownTrajectory, ShownTurn};

/// What a call is told beside its task blocks.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The context C.
    pub context: &'a Context,
    /// The history H as text; blank if there is none.
    pub history: &'a str,
    /// The route. None under the ablation without routing.
    pub route: Option<Route>,
    /// The edits that may be proposed.
    pub max_edits: u32,
}

/// A route's name in prompts and records.
pub fn route_name(route: Option<Route>) -> &'static str {
    route.map_or("unified", Route::name)
}

/// The user turn.
pub fn user_turn(surroundings: &Surroundings<'_>, display: &Display) -> String {
    let mut text = block("context", surroundings.context.text());
    text.push_str(&format!("<edit_budget>{}</edit_budget>\n", surroundings.max_edits));
    text.push_str(&format!("<route>{}</route>\n", route_name(surroundings.route)));
    if !surroundings.history.trim().is_empty() {
        text.push_str(&block("history", surroundings.history));
    }
    for shown in &display.blocks {
        push_block(&mut text, shown);
    }
    text
}

fn push_block(text: &mut String, block: &ShownBlock) {
    text.push_str(&format!("<task_block id=\"{}\">\n<task_input>\n", attribute(block.task.as_str())));
    for turn in &block.input {
        push_pieces(text, &turn.pieces);
    }
    text.push_str("</task_input>\n");
    for trajectory in &block.trajectories {
        push_trajectory(text, trajectory);
    }
    text.push_str("</task_block>\n");
}

fn push_trajectory(text: &mut String, trajectory: &ShownTrajectory) {
    let outcome = match trajectory.outcome {
        Reward::Success => "success",
        Reward::Failure => "failure",
    };
    text.push_str(&format!(
        "<trajectory id=\"{}\" outcome=\"{outcome}\" multiplicity=\"{}\">\n",
        trajectory.rollout,
        trajectory.references.len(),
    ));
    for turn in &trajectory.turns {
        push_turn(text, turn);
    }
    if let Some(feedback) = &trajectory.feedback {
        text.push_str(&block("feedback", feedback));
    }
    text.push_str("</trajectory>\n");
}

fn push_turn(text: &mut String, turn: &ShownTurn) {
    text.push_str(&format!("<turn role=\"{}\">\n", turn.role.name()));
    push_pieces(text, &turn.pieces);
    text.push_str("</turn>\n");
}

/// Pieces one below the other. A mark inside a text that was cut stands on a line of its own.
fn push_pieces(text: &mut String, pieces: &[Piece]) {
    for piece in pieces {
        match piece {
            Piece::Text(said) => push_line(text, &escape_tags(said)),
            Piece::Mark(mark) => push_line(text, mark),
            Piece::Call { name, arguments } => {
                text.push_str(&format!("<tool_call name=\"{}\">\n", attribute(name)));
                push_pieces(text, arguments);
                text.push_str("</tool_call>\n");
            }
        }
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    if !line.is_empty() && !line.ends_with('\n') {
        text.push('\n');
    }
}
