//! Usage by role and purpose.
//!
//! Always holds: a call is counted when it is complete, replayed ones apart; unknown usage is counted as unknown.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use textualrl_model::UsageTotal;

use crate::chat::{BoxFuture, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription};
use crate::identity::{CallIdentity, CallPurpose, ModelRole};

/// Usage summed by role and purpose, in their order.
pub type UsageByPurpose = BTreeMap<(ModelRole, CallPurpose), UsageTotal>;

/// A model whose usage is summed.
pub struct UsageMeter {
    model: Arc<dyn ChatModel>,
    totals: Mutex<UsageByPurpose>,
}

impl UsageMeter {
    /// Measures `model`.
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model, totals: Mutex::default() }
    }

    /// The sums so far.
    pub fn totals(&self) -> UsageByPurpose {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn count(&self, identity: &CallIdentity, reply: &ChatReply) {
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        let total = totals.entry((identity.role, identity.purpose)).or_default();
        total.add_call(reply.usage, reply.from_journal);
    }
}

impl ChatModel for UsageMeter {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        identity: &'a CallIdentity,
    ) -> BoxFuture<'a, Result<ChatReply, ChatError>> {
        Box::pin(async move {
            let reply = self.model.chat(request, identity).await?;
            self.count(identity, &reply);
            Ok(reply)
        })
    }

    fn describe(&self) -> &EndpointDescription {
        self.model.describe()
    }
}
