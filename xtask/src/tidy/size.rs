//! Files and functions that one can read, and heads that say what a file is for.
//!
//! Always holds: functions are found by their indentation, which rustfmt sees to.

use super::tree::Tree;

const FILE_LINES: usize = 500;
const FUNCTION_LINES: usize = 60;
const INVARIANT: &str = "Always holds:";

/// Files that are too long, functions that are too long, and files without a head.
pub(crate) fn problems(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, text) in tree.rust() {
        let lines = text.lines().count();
        if lines > FILE_LINES {
            problems.push(format!("{path}: {lines} lines, above {FILE_LINES}; split it"));
        }
        problems.extend(head_problem(path, text));
        for (line, name, length) in functions(text) {
            if length > FUNCTION_LINES {
                problems.push(format!(
                    "{path}:{line}: `{name}` has {length} lines, above {FUNCTION_LINES}; split it"
                ));
            }
        }
    }
    problems
}

fn head_problem(path: &str, text: &str) -> Option<String> {
    let head: Vec<&str> = text.lines().take_while(|line| line.starts_with("//!")).collect();
    if head.is_empty() {
        return Some(format!("{path}:1: starts without `//!`; say what the file is for"));
    }
    let source = path.contains("/src/");
    let says = head.iter().any(|line| line.contains(INVARIANT));
    (source && !says).then(|| format!("{path}:1: the head has no \"{INVARIANT}\""))
}

/// The functions of a file: line, name and length.
fn functions(text: &str) -> Vec<(usize, &str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let indent = line.len() - line.trim_start().len();
        let closes = |line: &&str| line.len() == indent + 1 && line.trim_start() == "}";
        let body = lines.iter().skip(start);
        // A function on one line, or without a body, ends where it starts.
        let length = match line.trim_end().chars().last() {
            Some('}' | ';') => 1,
            _ => body.clone().position(closes).map_or(1, |end| end + 1),
        };
        found.push((start + 1, name, length));
    }
    found
}

fn function_name(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    for word in ["pub(crate) ", "pub(super) ", "pub ", "const ", "async ", "unsafe "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let name = rest.strip_prefix("fn ")?;
    name.split(['(', '<']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_measured_to_their_closing_brace() {
        let text = "fn a() {\n    b();\n}\n\nimpl X {\n    pub(crate) async fn c<T>(\n        x: T,\n    ) {\n        if x {\n        }\n    }\n    fn d() {}\n    fn e();\n}\n";
        assert_eq!(functions(text), [(1, "a", 3), (6, "c", 6), (12, "d", 1), (13, "e", 1)]);
    }

    #[test]
    fn long_files_functions_and_missing_heads_are_found() {
        let head = "//! What it is for.\n//!\n//! Always holds: this.\n";
        let long = format!("{head}fn long() {{\n{}}}\n", "    x();\n".repeat(59));
        let files = [
            ("crates/a/src/good.rs", format!("{head}{}", "x\n".repeat(497))),
            ("crates/a/src/file.rs", format!("{head}{}", "x\n".repeat(498))),
            ("crates/a/src/function.rs", long),
            ("crates/a/src/bare.rs", "fn a() {}\n".to_owned()),
            ("crates/a/src/half.rs", "//! Half.\n".to_owned()),
            ("crates/a/tests/it/half.rs", "//! Enough for a test.\n".to_owned()),
        ];
        let tree = Tree { files: files.map(|(path, text)| (path.to_owned(), text)).into() };
        let expected = [
            "crates/a/src/bare.rs:1: starts without `//!`; say what the file is for",
            "crates/a/src/file.rs: 501 lines, above 500; split it",
            "crates/a/src/function.rs:4: `long` has 61 lines, above 60; split it",
            "crates/a/src/half.rs:1: the head has no \"Always holds:\"",
        ];
        assert_eq!(problems(&tree), expected);
    }
}
