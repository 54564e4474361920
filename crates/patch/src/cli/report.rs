//! The report of an application, for people and as JSON.
//!
//! Always holds: every edit of the patch file has a line, in its order, malformed ones too.

use serde::Serialize;
use textualrl_model::{Context, Edit};
use textualrl_patch::{Fate, Fingerprints, InversePatch, MarkerFlaw};

/// What a command found out.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Each edit's fate, in the order of the file.
    pub(crate) edits: Vec<Row>,
    /// The fingerprints of base and result.
    pub(crate) fingerprints: Option<Fingerprints>,
    /// Flaws in the markers of the context.
    pub(crate) flaws: Vec<MarkerFlaw>,
    /// What restores the base; none if it was an inverse that was applied.
    pub(crate) inverse: Option<InversePatch>,
    /// The result, unless it goes to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<Context>,
}

/// An edit's line.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    /// Its number in the file, from 1.
    pub(crate) edit: usize,
    /// The operation, if it could be read.
    pub(crate) op: Option<&'static str>,
    /// What became of it.
    #[serde(flatten)]
    pub(crate) fate: Fate,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// All edits apply, or change nothing because their text is there.
    Applies,
    /// Some edits apply and some were refused.
    Partly,
    /// Edits were refused and none applies, or lint found a problem.
    Not,
}

impl End {
    /// The exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Applies => 0,
            Self::Partly => 10,
            Self::Not => textualrl_model::ExitCode::CheckFailed.code(),
        }
    }
}

impl Report {
    pub(crate) fn row(edit: usize, read: Option<&Edit>, fate: Fate) -> Row {
        Row { edit: edit + 1, op: read.map(|edit| edit.op().name()), fate }
    }

    pub(crate) fn end(&self) -> End {
        let any = |wanted: fn(&Fate) -> bool| self.edits.iter().any(|row| wanted(&row.fate));
        match (any(Fate::is_refused), any(Fate::is_applied)) {
            (false, _) => End::Applies,
            (true, true) => End::Partly,
            (true, false) => End::Not,
        }
    }

    /// One line an edit, and one a flaw.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.edits {
            let said = match &row.fate {
                Fate::Applied(place) if place.bytes.is_empty() => {
                    format!("applied at line {}", place.lines.0)
                }
                Fate::Applied(place) if place.lines.0 == place.lines.1 => {
                    format!("applied on line {}", place.lines.0)
                }
                Fate::Applied(place) => format!("applied on lines {} to {}", place.lines.0, place.lines.1),
                Fate::NoChange { detail, .. } => format!("no change: {detail}"),
                Fate::Refused(refusal) => format!("refused: {refusal}"),
            };
            text.push_str(&format!("edit {} ({}): {said}\n", row.edit, row.op.unwrap_or("unreadable")));
        }
        for flaw in &self.flaws {
            text.push_str(&format!("context, {flaw}\n"));
        }
        text
    }

    pub(crate) fn json(&self) -> String {
        serde_json::to_string_pretty(self).map_or_else(|error| error.to_string(), |text| text + "\n")
    }
}
