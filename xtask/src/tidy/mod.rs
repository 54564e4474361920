//! `cargo xtask tidy`: the rules of this tree that can be checked.
//!
//! Always holds: a problem names the file and line; the checks read the tree as it is on disk, tracked or not, without
//! what is built or run in it.

mod dependencies;
mod documents;
mod size;
mod tree;
mod words;
mod workspace;

use std::process::ExitCode;

use clap::Args;

use crate::shell::{self, TaskError};
use tree::Tree;
pub(crate) use workspace::Workspace;

/// `cargo xtask tidy`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Write the generated pages anew first.
    #[arg(long)]
    fix: bool,
}

/// Checks the tree and prints every problem.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, TaskError> {
    if arguments.fix {
        documents::write_generated(shell::root())?;
    }
    let problems = problems()?;
    for problem in &problems {
        println!("{problem}");
    }
    if problems.is_empty() {
        println!("tidy");
        Ok(ExitCode::SUCCESS)
    } else {
        println!("{} problems", problems.len());
        Ok(ExitCode::FAILURE)
    }
}

/// Everything that is wrong with the tree.
pub(crate) fn problems() -> Result<Vec<String>, TaskError> {
    let tree = Tree::read(shell::root())?;
    let workspace = Workspace::load()?;
    let checks = [
        size::problems(&tree),
        tree::forgotten(&tree),
        tree::strangers(&tree),
        words::problems(&tree),
        documents::problems(&tree),
        dependencies::problems(&workspace),
    ];
    Ok(checks.concat())
}
