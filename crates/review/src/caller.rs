//! What all calls of the stage share.
//!
//! Always holds: a call says its purpose, step and generation, so that it is sampled anew in a later step.

use serde_json::json;
use textualrl_llm::prompt::{Template, TemplateError, Templates, estimated_tokens};
use textualrl_llm::{
    AskError, CallIdentity, CallPurpose, ChatError, ChatModel, ChatRequest, ModelRole, ReplySchema,
};
use textualrl_model::{Role, Turn};

use crate::bundle::Branch;
use crate::review::ReviewInput;

/// The step's input, the optimizer and its prompts.
#[derive(Clone, Copy)]
pub(crate) struct Caller<'a> {
    pub(crate) input: &'a ReviewInput<'a>,
    pub(crate) model: &'a dyn ChatModel,
    pub(crate) templates: &'a Templates,
}

impl Caller<'_> {
    /// The system turn of a template.
    pub(crate) fn system_turn(
        &self,
        template: Template,
        branch: Option<Branch>,
    ) -> Result<String, TemplateError> {
        let values = json!({
            "branch": branch.map(Branch::name).unwrap_or_default(),
            "context_rules": self.templates.render(Template::ContextRules, &())?,
            "edit_format": self.templates.render(Template::EditFormat, &())?,
        });
        self.templates.render(template, &values)
    }

    /// Who asks what in which step. `sequence` is the number of the call among those of its purpose.
    pub(crate) fn identity(&self, purpose: CallPurpose, sequence: usize) -> CallIdentity {
        CallIdentity {
            role: ModelRole::Optimizer,
            purpose,
            split: None,
            step: Some(self.input.step),
            task: None,
            rollout: None,
            sequence: u32::try_from(sequence).unwrap_or(u32::MAX),
            attempt: 0,
            generation: self.input.generation,
        }
    }
}

/// A request of two turns for a JSON reply.
pub(crate) fn request(system: &str, user: &str, schema: ReplySchema) -> ChatRequest {
    ChatRequest {
        turns: vec![Turn::text(Role::System, system), Turn::text(Role::User, user)],
        temperature: None,
        seed: None,
        schema: Some(schema),
        tools: Vec::new(),
    }
}

/// About how many tokens a request has.
pub(crate) fn request_tokens(system: &str, user: &str) -> usize {
    estimated_tokens(system) + estimated_tokens(user)
}

/// Whether the endpoint refused the first prompt as too long.
pub(crate) fn is_too_long(error: &AskError) -> bool {
    match error {
        AskError::Call { cause: ChatError::ContextTooLong { .. }, record } => record.calls() == 0,
        _ => false,
    }
}

/// The endpoint's failure, if that is what the error is.
pub(crate) fn endpoint_failure(error: &AskError) -> Option<ChatError> {
    match error {
        AskError::Call { cause, .. } => Some(cause.clone()),
        _ => None,
    }
}
