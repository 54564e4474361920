//! What changed between two texts, for people.
//!
//! Always holds: the unified diff of equal texts is empty; line endings are shown as they are.

use similar::{Algorithm, TextDiff};
use textualrl_model::Context;

/// The unified diff of two contexts, with three lines around each change.
///
/// ```
/// use textualrl_model::Context;
///
/// let (old, new) = (Context::new("- a\n- b\n"), Context::new("- a\n- c\n"));
/// let text = textualrl_patch::unified_diff(&old, &new, "base", "candidate");
/// assert_eq!(text, "--- base\n+++ candidate\n@@ -1,2 +1,2 @@\n - a\n-- b\n+- c\n");
/// assert_eq!(textualrl_patch::unified_diff(&old, &old, "base", "candidate"), "");
/// ```
pub fn unified_diff(base: &Context, candidate: &Context, base_name: &str, candidate_name: &str) -> String {
    if base == candidate {
        return String::new();
    }
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).diff_lines(base.text(), candidate.text());
    diff.unified_diff().context_radius(3).header(base_name, candidate_name).to_string()
}
