//! Chat models: the trait that everything else calls.
//!
//! Always holds: this is the only HTTP client of the workspace, and a key is never written anywhere.

pub mod ask;
pub mod chat;
pub mod identity;
pub mod reply;

pub use ask::{AskError, AskRecord, Asked, AskedReply, Checked, ask};
pub use chat::{
    BoxFuture, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription, Finish, ReplySchema,
    ToolDefinition,
};
pub use identity::{CallIdentity, CallPurpose, ModelRole};
