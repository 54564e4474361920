//! How prompts are put together: compiled-in templates, tagged blocks of data, and texts that fit the window.
//!
//! Always holds: what is inserted is never expanded again; a line of data is never one of our tags; what was cut is
//! marked.

pub mod tags;
pub mod templates;
pub mod window;

pub use tags::{attribute, block, escape_tags};
pub use templates::{Template, TemplateError, Templates};
pub use window::{Shortened, estimated_tokens, longest_that_fits, shorten};
