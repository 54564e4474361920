//! One planned critic call, and the calls it becomes if its prompt does not fit.
//!
//! Always holds: whatever a call ends with, it leaves a record with the reason; only templates that cannot be
//! rendered stop it.

use serde_json::json;
use textualrl_llm::prompt::{Template, TemplateError, Templates, estimated_tokens, longest_that_fits};
use textualrl_llm::{
    AskError, Asked, CallIdentity, CallPurpose, ChatError, ChatModel, ChatRequest, ModelRole, ask,
};
use textualrl_model::{GroupId, Role, Route, Turn};

use crate::answer::{CriticAnswer, check_answer, critic_schema};
use crate::batch::AnalysisGroup;
use crate::critique::CritiqueInput;
use crate::display::Display;
use crate::fit::split;
use crate::render::{Surroundings, user_turn};

/// How often a prompt that the endpoint finds too long is made smaller.
const MOST_REDUCTIONS: u32 = 6;

/// A text is never shortened below this many characters.
const SHORTEST_TEXT: usize = 120;

/// About how many tokens an image is. Endpoints differ; one that finds a prompt too long has it made smaller.
const IMAGE_TOKENS: usize = 1500;

/// What does not change between the calls of a step.
pub(crate) struct Caller<'a> {
    pub(crate) input: &'a CritiqueInput<'a>,
    pub(crate) history: &'a str,
    pub(crate) model: &'a dyn ChatModel,
    pub(crate) templates: &'a Templates,
}

/// A group that waits for its call.
struct Waiting {
    id: GroupId,
    group: AnalysisGroup,
    /// Tokens that its prompt may have.
    window: usize,
    reductions: u32,
}

/// A group whose prompt fits as it is, or is too long and can be split.
enum Prepared {
    Ready { display: Display, turns: Vec<Turn>, tokens: usize },
    Split(Box<(AnalysisGroup, AnalysisGroup)>),
}

/// A call that was made, and what came of it.
pub(crate) struct Called {
    pub(crate) id: GroupId,
    pub(crate) group: AnalysisGroup,
    pub(crate) display: Display,
    pub(crate) answer: Result<Asked<CriticAnswer>, AskError>,
}

impl Caller<'_> {
    /// Asks the critic of planned group `number`, in parts if its prompt does not fit. In the order of the blocks.
    pub(crate) async fn analyse(
        &self,
        number: u32,
        group: AnalysisGroup,
    ) -> Result<Vec<Called>, TemplateError> {
        let window = self.input.window_tokens as usize;
        let mut stack = vec![Waiting { id: GroupId::numbered(number), group, window, reductions: 0 }];
        let mut called = Vec::new();
        while let Some(waiting) = stack.pop() {
            let (display, turns, tokens) = match self.prepare(&waiting)? {
                Prepared::Ready { display, turns, tokens } => (display, turns, tokens),
                Prepared::Split(halves) => {
                    stack.extend(waiting.halves(*halves));
                    continue;
                }
            };
            let answer = self.ask(number, &waiting, &display, turns).await;
            if is_too_long(&answer) && waiting.reductions < MOST_REDUCTIONS {
                let window = tokens.min(waiting.window) / 2;
                stack.push(Waiting { window, reductions: waiting.reductions + 1, ..waiting });
                continue;
            }
            called.push(Called { id: waiting.id, group: waiting.group, display, answer });
        }
        Ok(called)
    }

    /// The prompt of a group, whole if it fits, else split by task blocks, else with its long texts shortened.
    fn prepare(&self, waiting: &Waiting) -> Result<Prepared, TemplateError> {
        let system = self.system_turn(&waiting.group)?;
        let shown = |longest| {
            let display = Display::new(&waiting.group.blocks, longest, self.input.settings.images);
            let user = self.user_turn(&waiting.group, &display);
            let images = IMAGE_TOKENS * display.images.len();
            let tokens = estimated_tokens(&system) + estimated_tokens(&user) + images;
            (display, user, tokens)
        };
        let (mut display, mut user, mut tokens) = shown(None);
        if tokens > waiting.window {
            if let Some(halves) = split(&waiting.group) {
                return Ok(Prepared::Split(Box::new(halves)));
            }
            let longest =
                longest_that_fits(SHORTEST_TEXT, display.longest_text(), waiting.window, |longest| {
                    shown(Some(longest)).2
                });
            (display, user, tokens) = shown(Some(longest));
        }
        let mut user = Turn::text(Role::User, user);
        user.content.extend(display.images.iter().cloned());
        let turns = vec![Turn::text(Role::System, system), user];
        Ok(Prepared::Ready { display, turns, tokens })
    }

    fn system_turn(&self, group: &AnalysisGroup) -> Result<String, TemplateError> {
        let part = |template| self.templates.render(template, &());
        let template = match group.route {
            Some(Route::Mixed) => Template::Mixed,
            Some(Route::AllSuccess) => Template::AllSuccess,
            Some(Route::AllFailure) => Template::AllFailure,
            None => Template::Unified,
        };
        let values = json!({
            "max_edits": group.max_edits,
            "context_rules": part(Template::ContextRules)?,
            "edit_format": part(Template::EditFormat)?,
            "evidence_cards": part(Template::EvidenceCards)?,
        });
        self.templates.render(template, &values)
    }

    fn user_turn(&self, group: &AnalysisGroup, display: &Display) -> String {
        let surroundings = Surroundings {
            context: self.input.context,
            history: self.history,
            route: group.route,
            max_edits: group.max_edits,
        };
        user_turn(&surroundings, display)
    }

    async fn ask(
        &self,
        number: u32,
        waiting: &Waiting,
        display: &Display,
        turns: Vec<Turn>,
    ) -> Result<Asked<CriticAnswer>, AskError> {
        let request = ChatRequest {
            turns,
            temperature: None,
            seed: None,
            schema: Some(critic_schema()),
            tools: Vec::new(),
        };
        let identity = CallIdentity {
            role: ModelRole::Optimizer,
            purpose: CallPurpose::Critique,
            split: None,
            step: Some(self.input.step),
            task: None,
            rollout: None,
            sequence: number,
            attempt: 0,
            generation: self.input.generation,
        };
        let Waiting { id, group, .. } = waiting;
        let check = |reply| check_answer(&reply, id, group, display, self.input.context);
        ask(self.model, &request, &identity, check).await
    }
}

impl Waiting {
    /// The two halves, the second first, as they are taken from the end of a stack.
    fn halves(self, (first, second): (AnalysisGroup, AnalysisGroup)) -> [Self; 2] {
        let (first_id, second_id) = self.id.halves();
        let (window, reductions) = (self.window, self.reductions);
        [
            Self { id: second_id, group: second, window, reductions },
            Self { id: first_id, group: first, window, reductions },
        ]
    }
}

/// Whether the endpoint refused the first prompt as too long.
fn is_too_long(answer: &Result<Asked<CriticAnswer>, AskError>) -> bool {
    match answer {
        Err(AskError::Call { cause: ChatError::ContextTooLong { .. }, record }) => record.calls() == 0,
        _ => false,
    }
}
