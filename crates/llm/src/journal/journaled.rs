//! A chat model that answers from the journal what was asked before.
//!
//! Always holds: a reply is returned only when its record is written; of calls with one key all get the same reply.

use std::path::Path;
use std::sync::Arc;

use super::{Journal, JournalError, key_number};
use crate::chat::{BoxFuture, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription};
use crate::identity::CallIdentity;

/// A model with a journal in front of it.
pub struct Journaled {
    model: Arc<dyn ChatModel>,
    journal: Arc<Journal>,
}

impl Journaled {
    /// Puts `journal` in front of `model`.
    pub fn new(model: Arc<dyn ChatModel>, journal: Arc<Journal>) -> Self {
        Self { model, journal }
    }

    async fn call(&self, request: &ChatRequest, identity: &CallIdentity) -> Result<ChatReply, ChatError> {
        let unusable = |message: String| ChatError::Journal { message };
        let key = identity.key(self.model.describe(), request);
        let key = key_number(&key.map_err(|error| unusable(format!("the call has no key: {error}")))?);
        if let Some(reply) = self.replay(key)? {
            return Ok(reply);
        }
        self.journal.sending(key).map_err(journal_error)?;
        let reply = match self.model.chat(request, identity).await {
            Ok(reply) => reply,
            Err(error) => {
                self.journal.failed(key).map_err(journal_error)?;
                return Err(error);
            }
        };
        let record = serde_json::to_vec(&reply).map_err(|error| unusable(error.to_string()))?;
        if self.journal.complete(key, &record).map_err(journal_error)? {
            return Ok(reply);
        }
        // Another call with this key was quicker.
        Ok(self.replay(key)?.unwrap_or(reply))
    }

    fn replay(&self, key: u128) -> Result<Option<ChatReply>, ChatError> {
        let Some((record, path)) = self.journal.reply(key).map_err(journal_error)? else { return Ok(None) };
        let mut reply = decode(&record, &path).map_err(journal_error)?;
        reply.from_journal = true;
        Ok(Some(reply))
    }
}

impl ChatModel for Journaled {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        identity: &'a CallIdentity,
    ) -> BoxFuture<'a, Result<ChatReply, ChatError>> {
        Box::pin(self.call(request, identity))
    }

    fn describe(&self) -> &EndpointDescription {
        self.model.describe()
    }
}

fn decode(record: &[u8], path: &Path) -> Result<ChatReply, JournalError> {
    serde_json::from_slice(record)
        .map_err(|error| JournalError::NoReply { path: path.to_owned(), reason: error.to_string() })
}

fn journal_error(error: JournalError) -> ChatError {
    ChatError::Journal { message: error.to_string() }
}
