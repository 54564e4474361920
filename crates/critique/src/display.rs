//! What a critic is shown of its task blocks, and what of it may be quoted.
//!
//! Always holds: quotable are the task input, the agent's turns and tool calls, and what they were answered; never
//! the context, a system turn, feedback, or a mark in the place of something cut.

use textualrl_llm::prompt::shorten;
use textualrl_model::{Part, Reward, Role, RolloutIndex, TaskId, Turn};

use crate::dedup::{TaskBlock, UniqueTrajectory};

/// A piece of a displayed turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text as it was said.
    Text(String),
    /// A tool call.
    Call {
        /// The tool.
        name: String,
        /// What of its arguments is shown.
        arguments: Vec<Piece>,
    },
    /// Our own words in the place of something that is not shown. Not quotable.
    Mark(String),
}

/// A displayed turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTurn {
    /// Who speaks.
    pub role: Role,
    /// What is shown of it.
    pub pieces: Vec<Piece>,
}

/// A displayed unique trajectory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTrajectory {
    /// The first of its duplicates.
    pub rollout: RolloutIndex,
    /// How it ended.
    pub outcome: Reward,
    /// The rollouts it stands for.
    pub references: Vec<RolloutIndex>,
    /// The turns from the first assistant turn on, or all if the input is not the block's.
    pub turns: Vec<ShownTurn>,
    /// The scorer's words, at the configured level.
    pub feedback: Option<String>,
}

/// A displayed task block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownBlock {
    /// The task.
    pub task: TaskId,
    /// The turns before the first assistant turn, which all its trajectories share.
    pub input: Vec<ShownTurn>,
    /// Its trajectories.
    pub trajectories: Vec<ShownTrajectory>,
}

/// The display of a call's blocks, and the characters that were cut from it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Display {
    /// The blocks.
    pub blocks: Vec<ShownBlock>,
    /// Characters that are not shown because a text was longer than allowed.
    pub cut: usize,
    /// The images that go with the text, each once, in the order of their numbers.
    pub images: Vec<Part>,
}

impl Display {
    /// Shows `blocks`. A text longer than `longest` characters keeps its head and tail; none shows all. With `images`
    /// the images go along, and the text says by number where each belongs; without, it says that there was one.
    pub fn new(blocks: &[TaskBlock], longest: Option<usize>, images: bool) -> Self {
        let mut shower = Shower { longest, cut: 0, images: images.then(Vec::new) };
        let blocks = blocks.iter().map(|block| shower.block(block)).collect();
        Self { blocks, cut: shower.cut, images: shower.images.unwrap_or_default() }
    }

    /// The displayed trajectory with this task and rollout.
    pub fn find(&self, task: &str, rollout: RolloutIndex) -> Option<(&ShownBlock, &ShownTrajectory)> {
        self.blocks.iter().filter(|block| block.task.as_str() == task).find_map(|block| {
            let trajectory = block.trajectories.iter().find(|shown| shown.rollout == rollout)?;
            Some((block, trajectory))
        })
    }

    /// The characters of the longest text; 0 if there is none.
    pub fn longest_text(&self) -> usize {
        let trajectories = self.blocks.iter().flat_map(|block| &block.trajectories);
        let turns = trajectories.flat_map(|trajectory| &trajectory.turns);
        let all = self.blocks.iter().flat_map(|block| &block.input).chain(turns);
        all.flat_map(quotable_texts).map(|text| text.chars().count()).max().unwrap_or(0)
    }
}

/// The quotable texts of a displayed trajectory: those of its task's input and of its turns.
pub fn quotable<'a>(block: &'a ShownBlock, trajectory: &'a ShownTrajectory) -> Vec<String> {
    block.input.iter().chain(&trajectory.turns).flat_map(quotable_texts).collect()
}

/// A call is quotable as its name and arguments in one; a text that was cut, as its head and its tail.
fn quotable_texts(turn: &ShownTurn) -> Vec<String> {
    let mut texts = Vec::new();
    for piece in &turn.pieces {
        match piece {
            Piece::Text(text) => texts.push(text.clone()),
            Piece::Mark(_) => {}
            Piece::Call { name, arguments } => {
                let mut before = format!("{name} ");
                for argument in arguments {
                    if let Piece::Text(text) = argument {
                        texts.push(format!("{before}{text}"));
                    }
                    before.clear();
                }
            }
        }
    }
    texts
}

/// Turns task blocks into what is shown of them, counting what was cut.
struct Shower {
    longest: Option<usize>,
    cut: usize,
    /// The images so far; none if they are not shown.
    images: Option<Vec<Part>>,
}

impl Shower {
    fn block(&mut self, block: &TaskBlock) -> ShownBlock {
        let input = block.trajectories.first().map_or(&[][..], |first| input_and_rest(first).0);
        ShownBlock {
            task: block.task.clone(),
            input: input.iter().map(|turn| self.turn(turn)).collect(),
            trajectories: block.trajectories.iter().map(|sibling| self.trajectory(sibling, input)).collect(),
        }
    }

    /// An input that is not the one shown for the block is shown with its trajectory.
    fn trajectory(&mut self, trajectory: &UniqueTrajectory, input: &[Turn]) -> ShownTrajectory {
        let turns = match input_and_rest(trajectory) {
            (own, rest) if own == input => rest,
            _ => trajectory.shown.turns.as_slice(),
        };
        ShownTrajectory {
            rollout: trajectory.shown.rollout,
            outcome: trajectory.shown.reward,
            references: trajectory.references.clone(),
            turns: turns.iter().map(|turn| self.turn(turn)).collect(),
            feedback: trajectory.shown.feedback.clone(),
        }
    }

    fn turn(&mut self, turn: &Turn) -> ShownTurn {
        let mut pieces = Vec::new();
        for part in &turn.content {
            match part {
                Part::Text { text } => pieces.extend(self.text(text)),
                Part::Image { media_type, .. } => pieces.push(Piece::Mark(self.image(part, media_type))),
            }
        }
        for call in &turn.tool_calls {
            pieces.push(Piece::Call { name: call.name.clone(), arguments: self.text(&call.arguments) });
        }
        ShownTurn { role: turn.role, pieces }
    }

    /// What stands in the place of an image.
    fn image(&mut self, part: &Part, media_type: &str) -> String {
        let Some(images) = &mut self.images else { return format!("[an image, {media_type}, is not shown]") };
        let number = images.iter().position(|known| known == part).unwrap_or(images.len()) + 1;
        if number > images.len() {
            images.push(part.clone());
        }
        format!("[image {number}, shown below]")
    }

    fn text(&mut self, text: &str) -> Vec<Piece> {
        match self.longest.and_then(|longest| shorten(text, longest)) {
            None => vec![Piece::Text(text.to_owned())],
            Some(shortened) => {
                self.cut += shortened.cut;
                let mark = Piece::Mark(shortened.mark());
                vec![Piece::Text(shortened.head), mark, Piece::Text(shortened.tail)]
            }
        }
    }
}

/// The turns before the first assistant turn, and the rest.
fn input_and_rest(trajectory: &UniqueTrajectory) -> (&[Turn], &[Turn]) {
    let turns = trajectory.shown.turns.as_slice();
    let input = turns.iter().take_while(|turn| turn.role != Role::Assistant).count();
    turns.split_at_checked(input).unwrap_or((turns, &[]))
}
