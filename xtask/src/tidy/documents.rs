//! Pages that must say what the code says.
//!
//! Always holds: a generated page is compared byte for byte; a listing page must name every item of the list in the code.

use std::path::Path;

use textualrl_artifact::{Kind, TextKind};
use textualrl_model::ExitCode;
use textualrl_pipeline::config::reference_markdown;

use super::tree::Tree;
use crate::shell::TaskError;

const CONFIGURATION: &str = "docs/configuration.md";
const EXIT_CODES: &str = "docs/exit-codes.md";
const ARTIFACTS: &str = "docs/artifacts.md";

/// Writes the pages that are made from the code.
pub(crate) fn write_generated(root: &Path) -> Result<(), TaskError> {
    let path = root.join(CONFIGURATION);
    std::fs::write(&path, reference_markdown()).map_err(|source| TaskError::File { path, source })
}

/// Pages that are not current, and links that lead nowhere.
pub(crate) fn problems(tree: &Tree) -> Vec<String> {
    let page = |path: &str| tree.files.get(path).map(String::as_str).unwrap_or_default();
    let mut problems = Vec::new();
    if page(CONFIGURATION) != reference_markdown() {
        problems.push(format!("{CONFIGURATION}: is not what the defaults say; run `cargo xtask tidy --fix`"));
    }
    for code in ExitCode::ALL {
        if !page(EXIT_CODES).contains(&format!("| {} |", code.code())) {
            problems.push(format!("{EXIT_CODES}: does not list {}: {}", code.code(), code.meaning()));
        }
    }
    let texts = [TextKind::Context, TextKind::Review, TextKind::CandidateContext, TextKind::Change];
    let files = Kind::ALL.iter().map(|kind| kind.file()).chain(texts.map(TextKind::file));
    for file in files.filter(|file| !page(ARTIFACTS).contains(&listed(file))) {
        problems.push(format!("{ARTIFACTS}: does not describe `{file}`"));
    }
    problems.extend(dead_links(tree));
    problems
}

/// How a page names a file; one of which a slot holds several has a number in its name.
fn listed(file: &str) -> String {
    if file == Kind::AnalysisGroup.file() { "`group-".to_owned() } else { format!("`{file}`") }
}

/// Links of Markdown pages to files that are not there.
fn dead_links(tree: &Tree) -> Vec<String> {
    let pages = tree.files.iter().filter(|(path, _)| path.ends_with(".md") && !path.starts_with("fixtures/"));
    let mut problems = Vec::new();
    for (path, text) in pages {
        for (number, line) in text.lines().enumerate() {
            for target in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let file = target.split('#').next().unwrap_or(target);
                let inside = !file.is_empty() && !file.contains("://") && !file.contains(' ');
                if inside && !exists(tree, &resolved(path, file)) {
                    problems.push(format!("{path}:{}: the link to {target} leads nowhere", number + 1));
                }
            }
        }
    }
    problems
}

/// A link's target below the root, seen from the page at `path`.
fn resolved(path: &str, link: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

fn exists(tree: &Tree, path: &str) -> bool {
    let folder = format!("{path}/");
    tree.files.contains_key(path) || tree.files.keys().any(|file| file.starts_with(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_are_found() {
        let files = [
            (
                "README.md",
                "[a](docs/a.md) [b](https://example.org/x) [c](#here) [d](docs) [e](docs/gone.md#x)",
            ),
            ("docs/a.md", "[up](../README.md#x) [beside](b.md)"),
        ];
        let tree = Tree { files: files.map(|(path, text)| (path.to_owned(), text.to_owned())).into() };
        let expected = [
            "README.md:1: the link to docs/gone.md#x leads nowhere",
            "docs/a.md:1: the link to b.md leads nowhere",
        ];
        assert_eq!(dead_links(&tree), expected);
    }

    #[test]
    fn a_missing_page_is_told_item_by_item() {
        let found = problems(&Tree::default());
        assert_eq!(found.len(), 1 + ExitCode::ALL.len() + Kind::ALL.len() + 4);
    }
}
