//! Chat models: the trait that everything else calls.
//!
//! Always holds: this is the only HTTP client of the workspace, and a key is never written anywhere.

pub mod ask;
pub mod chat;
pub mod http;
pub mod identity;
pub mod journal;
pub mod meter;
pub mod prompt;
pub mod reply;

pub use ask::{AskError, AskRecord, Asked, AskedReply, Checked, ask};
pub use chat::{
    BoxFuture, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription, Finish, ReplySchema,
    SIMULATED_PREFIX, ToolDefinition,
};
pub use http::{EndpointError, EndpointPool, HttpModel, install_crypto_provider};
pub use identity::{CallIdentity, CallPurpose, ModelRole};
pub use journal::{Journal, JournalCounts, JournalError, Journaled};
pub use meter::{UsageByPurpose, UsageMeter};
