//! The files of the tree, and which of them belong there.
//!
//! Always holds: what is built or run in the tree is not looked at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::shell::TaskError;

/// What is built or run in the tree: at its root, and in any folder.
const PASSED_OVER: [&str; 2] = [".git", "runs"];
const PASSED_OVER_ANYWHERE: [&str; 3] = ["target", "corpus", "artifacts"];

/// What may lie at the root.
const AT_ROOT: [&str; 18] = [
    ".cargo",
    ".ci",
    ".config",
    ".gitattributes",
    ".gitignore",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "clippy.toml",
    "crates",
    "deny.toml",
    "docs",
    "fixtures",
    "fuzz",
    "prompts",
    "rust-toolchain.toml",
    "rustfmt.toml",
];

/// The files of the tree that are text, by their path below the root with `/` between the parts.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) files: BTreeMap<String, String>,
}

impl Tree {
    /// Reads the tree below `root`.
    pub(crate) fn read(root: &Path) -> Result<Self, TaskError> {
        let mut tree = Self::default();
        tree.add_folder(root, root)?;
        Ok(tree)
    }

    fn add_folder(&mut self, root: &Path, folder: &Path) -> Result<(), TaskError> {
        let failed = |source| TaskError::File { path: folder.to_owned(), source };
        let entries = std::fs::read_dir(folder).map_err(failed)?;
        let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
        for path in paths.map_err(failed)? {
            let below = path.strip_prefix(root).unwrap_or(&path);
            let name = below
                .components()
                .map(|part| part.as_os_str().to_string_lossy())
                .collect::<Vec<_>>()
                .join("/");
            if PASSED_OVER.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                let last = name.rsplit('/').next().unwrap_or(&name);
                // `fixtures/artifacts` is ours; what the fuzzer leaves lies below `fuzz`.
                let left_by_tools = last == "target" || name.contains("fuzz/");
                if left_by_tools && PASSED_OVER_ANYWHERE.contains(&last) {
                    continue;
                }
                self.add_folder(root, &path)?;
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                self.files.insert(name, text);
            }
        }
        Ok(())
    }

    /// The Rust files.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        let files = self.files.iter().filter(|(path, _)| path.ends_with(".rs"));
        files.map(|(path, text)| (path.as_str(), text.as_str()))
    }
}

/// What lies at the root and does not belong there.
pub(crate) fn strangers(tree: &Tree) -> Vec<String> {
    let mut names: Vec<&str> = tree.files.keys().filter_map(|path| path.split('/').next()).collect();
    names.dedup();
    let strangers = names.into_iter().filter(|name| !AT_ROOT.contains(name) && *name != "xtask");
    strangers.map(|name| format!("{name}: does not belong at the root of the tree")).collect()
}

/// Rust files that no other file declares as a module, and so are never compiled.
pub(crate) fn forgotten(tree: &Tree) -> Vec<String> {
    let modules = tree.rust().filter(|(path, _)| parents(path).is_some());
    modules
        .filter(|(path, _)| {
            let stem = stem(path);
            let declared = |text: &String| {
                text.lines().map(str::trim_start).any(|line| {
                    let line = line
                        .strip_prefix("pub(crate) ")
                        .or_else(|| line.strip_prefix("pub "))
                        .unwrap_or(line);
                    line.strip_prefix("mod ").is_some_and(|rest| rest.trim_end() == format!("{stem};"))
                })
            };
            !parents(path)
                .unwrap_or_default()
                .iter()
                .filter_map(|parent| tree.files.get(parent))
                .any(declared)
        })
        .map(|(path, _)| format!("{path}: no file declares this module, so it is never compiled"))
        .collect()
}

/// The files that may declare the module at `path`; none for the root of a crate.
fn parents(path: &str) -> Option<Vec<String>> {
    let (folder, file) = path.rsplit_once('/')?;
    let folder_name = folder.rsplit('/').next().unwrap_or(folder);
    let is_root = match folder_name {
        "src" => ["lib.rs", "main.rs"].contains(&file),
        "bin" | "benches" | "tests" | "examples" | "fuzz_targets" => true,
        "it" => file == "main.rs",
        // A folder of its own for a program beside a library.
        "cli" => file == "main.rs",
        _ => file == "build.rs",
    };
    if is_root {
        return None;
    }
    // `a/mod.rs` is declared beside its folder, everything else by the file that the folder belongs to.
    let owner = if file == "mod.rs" { folder.rsplit_once('/')?.0 } else { folder };
    let mut candidates: Vec<String> =
        ["lib.rs", "main.rs", "mod.rs"].iter().map(|name| format!("{owner}/{name}")).collect();
    candidates.push(format!("{owner}.rs"));
    Some(candidates)
}

fn stem(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    match parts.next() {
        Some("mod.rs") => parts.next().unwrap_or_default(),
        Some(file) => file.strip_suffix(".rs").unwrap_or(file),
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        Tree { files: files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect() }
    }

    #[test]
    fn a_module_that_nobody_declares_is_found() {
        let declared = [
            ("crates/a/src/lib.rs", "mod one;\npub mod two;\npub(crate) mod three;\n"),
            ("crates/a/src/one.rs", "mod inner;\n"),
            ("crates/a/src/one/inner.rs", ""),
            ("crates/a/src/two/mod.rs", "mod deep;"),
            ("crates/a/src/two/deep.rs", ""),
            ("crates/a/src/three.rs", ""),
            ("crates/a/tests/it/main.rs", "mod cases;"),
            ("crates/a/tests/it/cases.rs", ""),
            ("crates/a/benches/speed.rs", ""),
        ];
        assert_eq!(forgotten(&tree(&declared)), Vec::<String>::new());
        let mut files = declared.to_vec();
        files.extend([("crates/a/tests/it/lost.rs", ""), ("crates/a/src/two/one.rs", "")]);
        let found = forgotten(&tree(&files));
        let paths: Vec<_> = found.iter().filter_map(|line| line.split(':').next()).collect();
        assert_eq!(paths, ["crates/a/src/two/one.rs", "crates/a/tests/it/lost.rs"]);
    }

    #[test]
    fn a_stranger_at_the_root_is_found() {
        let found = strangers(&tree(&[("Cargo.toml", ""), ("notes.txt", ""), ("crates/a/src/lib.rs", "")]));
        assert_eq!(found, ["notes.txt: does not belong at the root of the tree"]);
    }

    #[test]
    fn built_files_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        for path in [
            "target/x.rs",
            "crates/a/fuzz/target/b.d",
            "crates/a/fuzz/corpus/c",
            "runs/a/b.md",
            "crates/a/src/lib.rs",
            ".git/HEAD",
        ] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "text").unwrap();
        }
        let tree = Tree::read(folder.path()).unwrap();
        assert_eq!(tree.files.keys().collect::<Vec<_>>(), ["crates/a/src/lib.rs"]);
    }
}
