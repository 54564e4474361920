//! The system turn of a target: a fixed text with the context in its place.
//!
//! Always holds: a blank context leaves no trace, and a context is inserted as it is and never expanded again.

use textualrl_model::Context;

const MARKER: &str = "{context_section}";

/// The system prompt for a template with a place for the context.
pub fn system(template: &str, context: &Context) -> String {
    let (before, after) = template.split_once(MARKER).unwrap_or((template, ""));
    let section = match context.is_blank() {
        true => String::new(),
        false => format!("\n## Context\n{}\n", context.text().trim_end()),
    };
    format!("{before}{section}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_context_leaves_no_trace() {
        let template = "Role.\n{context_section}\n## Answer format\nTags.\n";
        assert_eq!(system(template, &Context::new(" \n")), "Role.\n\n## Answer format\nTags.\n");
        assert_eq!(
            system(template, &Context::new("Use {context_section} {{ x }}\n")),
            "Role.\n\n## Context\nUse {context_section} {{ x }}\n\n## Answer format\nTags.\n"
        );
    }
}
