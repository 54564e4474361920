//! Questions about pages as the data has them.
//!
//! Always holds: a task has a gold and something to read, an image or a text; others are excluded or refused by file
//! and line.

use std::path::{Path, PathBuf};

use serde::Serialize;
use textualrl_model::settings::{DocumentMode, Scoring};
use textualrl_model::{Fingerprint, TaskId};

use super::{gold, image};
use crate::benchmark::ExcludedTask;
use crate::data::LoadError;
use crate::data::row::Row;
use crate::data::split::Located;

/// What published tables put between a question and the path of its page.
const INLINE_PATH: &str = "document_path:";

/// What there is to read.
#[derive(Debug, Clone, Serialize)]
pub(super) enum Page {
    /// An image by its file and the fingerprint of its bytes.
    Image {
        /// As the row names it.
        named: String,
        bytes: Fingerprint,
        #[serde(skip)]
        file: PathBuf,
    },
    /// The text that was read from the page.
    Text(String),
}

/// A question about a page.
#[derive(Debug, Clone, Serialize)]
pub(super) struct DocVqaTask {
    pub(super) id: TaskId,
    pub(super) question: String,
    pub(super) page: Page,
    pub(super) golds: Vec<String>,
    /// Question and page, by which a copy under another id is found.
    #[serde(skip)]
    input: String,
    #[serde(skip)]
    place: String,
}

impl DocVqaTask {
    /// Reads a row; the inner error is a task that can never be scored.
    pub(super) fn of(
        row: &Row,
        folder: &Path,
        mode: DocumentMode,
        scoring: Scoring,
    ) -> Result<Result<Self, ExcludedTask>, LoadError> {
        let id = row.released_id()?;
        let asked = row.text("question")?;
        let (question, inline) = asked.split_once(INLINE_PATH).unwrap_or((asked, ""));
        let question = question.trim().to_owned();
        let excluded = |reason: &str| {
            Ok(Err(ExcludedTask { task: id.clone(), reason: format!("{}: {reason}", row.place_in_file()) }))
        };
        let golds = golds(row, scoring)?;
        if golds.iter().all(|gold| gold.trim().is_empty()) {
            return excluded("it has no gold answer");
        }
        let page = match mode {
            DocumentMode::Image => image_page(row, folder, inline.trim())?,
            DocumentMode::Text => match row.get("ocr_text").and_then(|text| text.as_str()) {
                Some(text) if !text.trim().is_empty() => Page::Text(text.trim().to_owned()),
                _ => return excluded("it has no text of the page in `ocr_text`"),
            },
        };
        let read = match &page {
            Page::Image { bytes, .. } => bytes.as_str().to_owned(),
            Page::Text(text) => text.clone(),
        };
        let input = format!("{question}\n{read}");
        Ok(Ok(Self { id, question, page, golds, input, place: row.place.clone() }))
    }
}

/// The golds in `answers`, `answer` or `ground_truth`.
fn golds(row: &Row, scoring: Scoring) -> Result<Vec<String>, LoadError> {
    let found = ["answers", "answer", "ground_truth"].iter().find_map(|name| row.get(name));
    let found = found.ok_or_else(|| {
        LoadError::row(
            &row.place,
            "none of the fields `answers`, `answer` and `ground_truth` is there; add one",
        )
    })?;
    Ok(gold::of_value(found, scoring))
}

fn image_page(row: &Row, folder: &Path, inline: &str) -> Result<Page, LoadError> {
    let problem = |message: String| LoadError::row(&row.place, message);
    let named = match row.get("image_path").and_then(|path| path.as_str()) {
        Some(path) => path,
        None if !inline.is_empty() => inline,
        None => row.text("image_path")?,
    };
    let file = image::locate(folder, named).map_err(|error| problem(error.to_string()))?;
    let bytes = std::fs::read(&file).map_err(|error| problem(format!("the image {named:?}: {error}")))?;
    Ok(Page::Image { named: named.to_owned(), bytes: Fingerprint::of(&bytes), file })
}

impl Located for DocVqaTask {
    fn id(&self) -> &TaskId {
        &self.id
    }

    fn input(&self) -> &str {
        &self.input
    }

    fn place(&self) -> &str {
        &self.place
    }
}
