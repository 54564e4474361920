//! The housekeeper: does tasks in a home of words, one command a step.
//!
//! Always holds: it remembers nothing between steps; what it draws stays the same throughout an episode, so that its
//! habit does.

mod habit;
mod plan;
mod scene;

use textualrl_llm::ChatRequest;
use textualrl_model::{Role, Turn};

use self::habit::Habit;
use self::plan::Plan;
use self::scene::Scene;
use super::moment::Moment;
use super::prompt;

/// The steps before tags are forgotten by those who forget them.
const CAREFUL_STEPS: usize = 2;

/// Whether the prompt lists commands to choose from.
pub(super) fn recognises(request: &ChatRequest) -> bool {
    Scene::read(request).is_some()
}

/// Settles on a command and words the reply.
pub(super) fn act(request: &ChatRequest) -> Turn {
    let text = Scene::read(request).map(|scene| reply(request, &scene));
    Turn::text(Role::Assistant, text.unwrap_or_else(|| "I see no commands here.".to_owned()))
}

fn reply(request: &ChatRequest, scene: &Scene) -> String {
    let context = prompt::read(&request.turns).context;
    // The task is all that stays the same from step to step.
    let moment = Moment::of(request, &[&scene.task], std::slice::from_ref(&scene.task));
    let habit = habit::showing(&context, Plan::change(&scene.task).is_some(), &moment);
    let command = Plan::new(scene, habit).command();
    let thought = match moment.choice(3, &format!("thought {}", scene.taken)) {
        0 => format!("I have seen what is here; {command} is what helps now."),
        1 => format!("Not done yet, so I {command}."),
        _ => format!("To get nearer to the goal I {command}."),
    };
    if habit == Some(Habit::Untagged) && scene.taken >= CAREFUL_STEPS {
        return format!("{thought}\n\nNext I would {command}.");
    }
    format!("<think>{thought}</think>\n<action>{command}</action>")
}
