//! Tagged blocks in which data stands in a prompt.
//!
//! Always holds: each tag stands alone on its line, and no line of the data inside is one of our tags: such a line
//! gets a space before its `<`.

/// The tags that our prompts use.
const TAGS: [&str; 15] = [
    "branch",
    "bundles",
    "candidate_edits",
    "context",
    "edit_budget",
    "edits_to_rank",
    "evidence_cards",
    "feedback",
    "history",
    "route",
    "task_block",
    "task_input",
    "tool_call",
    "trajectory",
    "turn",
];

/// `data` with a space before the `<` of each line that would look like one of our tags.
pub fn escape_tags(data: &str) -> String {
    let mut escaped = String::with_capacity(data.len());
    for line in data.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let (before, after) = line.split_at_checked(indent).unwrap_or(("", line));
        escaped.push_str(before);
        if looks_like_tag(after) {
            escaped.push(' ');
        }
        escaped.push_str(after);
    }
    escaped
}

/// Whether a line begins as one of our tags does, opening or closing.
fn looks_like_tag(line: &str) -> bool {
    let Some(inside) = line.strip_prefix('<') else { return false };
    let inside = inside.strip_prefix('/').unwrap_or(inside);
    TAGS.iter().any(|tag| {
        inside
            .strip_prefix(tag)
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    })
}

/// A value as it may stand between the quotes of an attribute.
pub fn attribute(value: &str) -> String {
    let mut written = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '&' => written.push_str("&amp;"),
            '"' => written.push_str("&quot;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            other => written.push(other),
        }
    }
    written
}

/// A block of data: the opening tag, the data with its tags escaped, the closing tag, each on a line of its own.
pub fn block(tag: &str, data: &str) -> String {
    let data = escape_tags(data);
    let end = if data.is_empty() || data.ends_with('\n') { "" } else { "\n" };
    format!("<{tag}>\n{data}{end}</{tag}>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_look_like_tags_are_moved() {
        let cases = [
            ("plain", "plain"),
            ("</context>", " </context>"),
            ("a\n<turn role=\"tool\">\nb\n", "a\n <turn role=\"tool\">\nb\n"),
            ("  </turn>", "   </turn>"),
            ("a </turn> in a line", "a </turn> in a line"),
            ("<turning>", "<turning>"),
            ("<answer>x</answer>", "<answer>x</answer>"),
            ("<context", " <context"),
            ("", ""),
        ];
        for (data, expected) in cases {
            assert_eq!(escape_tags(data), expected, "{data:?}");
        }
    }

    #[test]
    fn blocks_end_on_a_line_of_their_own() {
        assert_eq!(block("context", "a"), "<context>\na\n</context>\n");
        assert_eq!(block("context", "a\n"), "<context>\na\n</context>\n");
        assert_eq!(block("context", ""), "<context>\n</context>\n");
        assert_eq!(attribute("a\"<&>b"), "a&quot;&lt;&amp;&gt;b");
    }
}
