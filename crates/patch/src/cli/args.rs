//! The arguments of `textualrl-patch`.
//!
//! Always holds: every option changes what happens; none is read and forgotten.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use textualrl_patch::ApplyOptions;

/// Applies edits to instructions: nothing misplaced, nothing protected touched, everything reversible.
///
/// Exit codes: 0 all edits applied or were no-ops; 2 wrong command line; 3 input cannot be used; 7 a file could not be
/// written; 9 nothing applies, or lint found a problem; 10 some edits apply and some were refused.
#[derive(Debug, Parser)]
#[command(name = "textualrl-patch", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Apply a patch, or undo one with its inverse, and print the result.
    Apply(Apply),
    /// Say what would become of each edit, and write nothing.
    Check {
        #[command(flatten)]
        inputs: Inputs,
        /// Print the report as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print what would change as a unified diff.
    Diff {
        #[command(flatten)]
        inputs: Inputs,
        /// Colour the diff: `auto` does so on a terminal.
        #[arg(long, value_enum, default_value = "auto")]
        color: Color,
    },
    /// Print the inverse of a patch: `apply` undoes the patch with it.
    Invert {
        #[command(flatten)]
        inputs: Inputs,
    },
    /// Look for protected regions, repeated rules, broken fences and the size.
    Lint {
        /// The context.
        context: PathBuf,
        #[command(flatten)]
        limits: Limits,
        /// Print the findings as JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Apply {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Write the result to this file instead of printing it.
    #[arg(long, value_name = "FILE", conflicts_with = "in_place")]
    pub(crate) out: Option<PathBuf>,
    /// Write the result to the context's own file.
    #[arg(long)]
    pub(crate) in_place: bool,
    /// With --in-place, keep the old text beside the file, with `.bak` added to its name.
    #[arg(long, requires = "in_place")]
    pub(crate) backup: bool,
    /// Write the inverse patch to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) undo: Option<PathBuf>,
    /// Print a report as JSON instead of the result; it holds the result unless that goes to a file.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// The context: the text to edit.
    pub(crate) context: PathBuf,
    /// The patch as JSON; `-` reads it from standard input.
    pub(crate) patch: PathBuf,
    /// Apply all edits or none.
    #[arg(long)]
    pub(crate) all_or_nothing: bool,
    /// Apply a patch that names another base.
    #[arg(long)]
    pub(crate) rebase: bool,
    /// Keep headings whose last content is deleted.
    #[arg(long)]
    pub(crate) keep_empty_headings: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

#[derive(Debug, Args)]
pub(crate) struct Limits {
    /// Another pair of markers around protected regions, beside `<!-- protected -->`; may be repeated.
    #[arg(long, num_args = 2, value_names = ["START", "END"], allow_hyphen_values = true)]
    pub(crate) protect: Vec<String>,
    /// A text that the result must contain; may be repeated.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) must_contain: Vec<String>,
    /// The largest result in bytes.
    #[arg(long, value_name = "N")]
    pub(crate) max_bytes: Option<u64>,
    /// The largest result in estimated tokens (a quarter of the bytes).
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Limits {
    pub(crate) fn options(&self) -> ApplyOptions {
        let mut options = ApplyOptions {
            must_contain: self.must_contain.clone(),
            max_bytes: self.max_bytes,
            max_tokens: self.max_tokens,
            ..ApplyOptions::default()
        };
        for pair in self.protect.chunks_exact(2) {
            if let [start, end] = pair {
                options.protected.push([start.clone(), end.clone()]);
            }
        }
        options
    }
}

impl Inputs {
    pub(crate) fn options(&self) -> ApplyOptions {
        ApplyOptions {
            all_or_nothing: self.all_or_nothing,
            rebase: self.rebase,
            keep_empty_headings: self.keep_empty_headings,
            ..self.limits.options()
        }
    }
}
