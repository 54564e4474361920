//! What is wrong with a context before anything is applied to it.
//!
//! Always holds: findings are in order of lines; nothing is changed.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use textualrl_model::Context;

use crate::document::{Document, Kind};
use crate::options::{ApplyOptions, estimated_tokens};
use crate::protect::{MarkerFlaw, Markers};
use crate::text::preview;

/// Something to know about a context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The line, from 1; 0 for the text as a whole.
    pub line: usize,
    /// Whether it hinders edits, rather than being good to know.
    pub is_problem: bool,
    /// What it is, in words.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_problem { "problem" } else { "note" };
        match self.line {
            0 => write!(f, "{kind}: {}", self.message),
            line => write!(f, "line {line}: {kind}: {}", self.message),
        }
    }
}

/// Looks for protected regions and flaws in their markers, unclosed fences, rules that occur twice, mixed line endings,
/// missing required texts, and the size.
///
/// ```
/// use textualrl_model::Context;
/// use textualrl_patch::{ApplyOptions, lint};
///
/// let findings = lint(&Context::new("- Be brief.\n- Be brief.\n"), &ApplyOptions::default());
/// let problem = findings.iter().find(|finding| finding.is_problem).unwrap();
/// assert_eq!(problem.to_string(), "line 2: problem: repeats line 1: \"- Be brief.\"");
/// ```
pub fn lint(context: &Context, options: &ApplyOptions) -> Vec<Finding> {
    let text = context.text();
    let markers = Markers::new(&options.protected);
    let document = Document::new(text, &markers);
    let mut findings = size(text, options);
    findings.extend(protected(&document));
    if let Some(fence) = document.open_fence() {
        let line = line_of(text, fence.range.start);
        findings.push(problem(line, "the code fence is never closed, so nothing can be added behind it"));
    }
    findings.extend(repeated(&document));
    findings.extend(mixed_endings(text));
    for required in options.must_contain.iter().filter(|required| !text.contains(required.as_str())) {
        let message =
            format!("must contain {:?} and does not, so every edit will be refused", preview(required, 80));
        findings.push(problem(0, message));
    }
    findings.sort_by(|a, b| a.line.cmp(&b.line).then_with(|| b.is_problem.cmp(&a.is_problem)));
    findings
}

fn problem(line: usize, message: impl Into<String>) -> Finding {
    Finding { line, is_problem: true, message: message.into() }
}

fn note(line: usize, message: impl Into<String>) -> Finding {
    Finding { line, is_problem: false, message: message.into() }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.get(..offset).unwrap_or("").matches('\n').count() + 1
}

fn size(text: &str, options: &ApplyOptions) -> Vec<Finding> {
    let (bytes, tokens) = (text.len() as u64, estimated_tokens(text));
    let mut findings = vec![note(0, format!("{bytes} bytes, about {tokens} tokens"))];
    for (size, limit, unit) in
        [(bytes, options.max_bytes, "bytes"), (tokens, options.max_tokens, "estimated tokens")]
    {
        if let Some(limit) = limit.filter(|limit| size > *limit) {
            findings.push(problem(0, format!("{size} {unit}, and at most {limit} are allowed")));
        }
    }
    findings
}

fn protected(document: &Document<'_>) -> Vec<Finding> {
    let lines = |range: &std::ops::Range<usize>| {
        (line_of(document.text, range.start), line_of(document.text, range.end.saturating_sub(1)))
    };
    let mut findings = Vec::new();
    if let Some(range) = &document.protection.front_matter {
        findings.push(note(lines(range).0, format!("front matter to line {} is protected", lines(range).1)));
    }
    for region in &document.protection.regions {
        findings.push(note(lines(region).0, format!("protected to line {}", lines(region).1)));
    }
    for flaw in &document.protection.flaws {
        let (MarkerFlaw::Nested { line } | MarkerFlaw::Unclosed { line } | MarkerFlaw::StrayEnd { line }) =
            flaw;
        let message = flaw.to_string();
        let message = message.split_once(": ").map_or(message.as_str(), |(_, message)| message);
        findings.push(problem(*line, message));
    }
    findings
}

/// Rules, which are list items and paragraphs of one line, that occur more than once in one section or another.
fn repeated(document: &Document<'_>) -> Vec<Finding> {
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    let mut findings = Vec::new();
    let mut offset = document.body;
    let mut number = 1;
    while offset < document.text.len() {
        let line = document.line(offset);
        let text = line.text(document.text).trim();
        if matches!(document.kind(line), Kind::Item(_) | Kind::Text(_)) && text.len() > 8 {
            match first.get(text) {
                Some(earlier) => {
                    findings
                        .push(problem(number, format!("repeats line {earlier}: {:?}", preview(text, 80))));
                }
                None => {
                    first.insert(text, number);
                }
            }
        }
        offset = line.next;
        number += 1;
    }
    findings
}

fn mixed_endings(text: &str) -> Option<Finding> {
    let all = text.matches('\n').count();
    let windows = text.matches("\r\n").count();
    (windows > 0 && windows < all).then(|| {
        note(0, format!("{windows} of {all} lines end with CRLF, the others with LF; edits keep both"))
    })
}
