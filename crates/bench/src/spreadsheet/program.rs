//! The program in a reply.
//!
//! Always holds: under the reference scoring the text that is run is the one that the published protocol runs.

use std::sync::LazyLock;

use regex::Regex;
use textualrl_model::settings::Scoring;

use crate::python::text::strip;

const FENCE: &str = "```";

/// The program of a reply: what the first fence holds, or else the whole reply.
pub fn extract_code(reply: &str, scoring: Scoring) -> &str {
    strip(fenced(reply, scoring).unwrap_or(reply))
}

fn fenced(reply: &str, scoring: Scoring) -> Option<&str> {
    let (_, after) = reply.split_once(FENCE)?;
    let (_, body) = after.split_once('\n')?;
    match body.split_once(FENCE) {
        Some((code, _)) => Some(code),
        None if scoring == Scoring::Corrected => Some(body),
        None => None,
    }
}

/// Blanks assignments to `INPUT_PATH` and `OUTPUT_PATH`, which are set outside the program.
pub fn strip_path_assignments(code: &str, scoring: Scoring) -> String {
    // Constant patterns; if one were broken, the tests would show it.
    static PUBLISHED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?m)^\s*(?:INPUT_PATH|OUTPUT_PATH)\s*=.*$").ok());
    static CORRECTED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?m)^([ \t]*)(?:INPUT_PATH|OUTPUT_PATH)[ \t]*=(?:[^=\n].*)?$").ok());
    let (pattern, instead) = match scoring {
        Scoring::Reference => (&PUBLISHED, ""),
        Scoring::Corrected => (&CORRECTED, "${1}pass"),
    };
    match pattern.as_ref() {
        Some(pattern) => pattern.replace_all(code, instead).into_owned(),
        None => code.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fence_holds_the_program() {
        for (reply, reference, corrected) in [
            ("Here:\n```python\nx = 1\n```\nand ```y```", "x = 1", "x = 1"),
            ("x = 1\n", "x = 1", "x = 1"),
            ("```\nx", "```\nx", "x"),
            ("```python x```", "```python x```", "```python x```"),
            ("", "", ""),
        ] {
            assert_eq!(extract_code(reply, Scoring::Reference), reference, "{reply}");
            assert_eq!(extract_code(reply, Scoring::Corrected), corrected, "{reply}");
        }
    }

    #[test]
    fn paths_are_set_from_outside() {
        for (code, reference, corrected) in [
            ("a\nINPUT_PATH = 'x'\nb", "a\n\nb", "a\npass\nb"),
            ("if x:\n    OUTPUT_PATH = 1\ny", "if x:\n\ny", "if x:\n    pass\ny"),
            ("\n\nINPUT_PATH=1\nx", "\nx", "\n\npass\nx"),
            ("INPUT_PATH == 3", "", "INPUT_PATH == 3"),
            ("MY_INPUT_PATH = 1", "MY_INPUT_PATH = 1", "MY_INPUT_PATH = 1"),
        ] {
            assert_eq!(strip_path_assignments(code, Scoring::Reference), reference, "{code}");
            assert_eq!(strip_path_assignments(code, Scoring::Corrected), corrected, "{code}");
        }
    }
}
