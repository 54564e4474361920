//! The pages that hold the answer, where they are parsed: shown in the prompt as the released harness does.
//!
//! Always holds: a page takes 24,000 characters at most and all pages of a task 80,000; only files in folders of parsed
//! pages are read, and only by the plain name of a document.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::documents::PARSED;
use super::fields::page_number;
use super::table;
use crate::data::LoadError;

/// Characters of one page, and of all pages of a task.
const PAGE: usize = 24_000;
const ALL: usize = 80_000;

/// A parsed document.
#[derive(Deserialize)]
struct Parsed {
    document: ParsedDocument,
}

#[derive(Deserialize)]
struct ParsedDocument {
    elements: Vec<Element>,
}

/// A piece of a page.
#[derive(Deserialize)]
struct Element {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    bbox: Option<Vec<Place>>,
}

/// Where a piece stands.
#[derive(Deserialize)]
struct Place {
    #[serde(default)]
    page_id: Value,
}

impl Element {
    fn is_on(&self, page: u64) -> bool {
        let is = |place: &Place| match &place.page_id {
            Value::Number(number) => number.as_u64() == Some(page),
            Value::String(text) => text.trim().parse() == Ok(page),
            _ => false,
        };
        self.bbox.iter().flatten().any(is)
    }
}

/// The folders of parsed pages of a folder of documents: in it, or beside it.
pub(super) fn folders(documents: &Path) -> Vec<PathBuf> {
    let around = [Some(documents), documents.parent()];
    let inner = around.into_iter().flatten().flat_map(|folder| PARSED.map(|name| folder.join(name)));
    inner.flat_map(|folder| [folder.join("jsons"), folder]).filter(|folder| folder.is_dir()).collect()
}

/// The pages that addresses name: the first of the first document, and so on, or all of the only document. Empty if
/// nothing of them is parsed.
///
/// # Errors
/// If a file of parsed pages cannot be read.
pub(super) fn shown(
    folders: &[PathBuf],
    documents: &[String],
    addresses: &[String],
) -> Result<String, LoadError> {
    let mut parsed: BTreeMap<PathBuf, Parsed> = BTreeMap::new();
    let mut blocks: Vec<String> = Vec::new();
    let mut left = ALL;
    for (number, address) in addresses.iter().enumerate() {
        let named = if let [only] = documents { Some(only) } else { documents.get(number) };
        let (Some(named), Some(page)) = (named, page_number(address)) else { continue };
        let Some(file) = file(folders, named) else { continue };
        if !parsed.contains_key(&file) {
            parsed.insert(file.clone(), read(&file)?);
        }
        let text = parsed.get(&file).map(|parsed| parsed.page(page)).unwrap_or_default();
        if text.is_empty() || left == 0 {
            continue;
        }
        let most = PAGE.min(left);
        left -= text.chars().count().min(most);
        let text = cut(&text, most);
        blocks.push(format!("### {named} page {page}\nSource URL: {address}\n\n{text}"));
    }
    Ok(blocks.join("\n\n"))
}

impl Parsed {
    /// The text of a page.
    fn page(&self, page: u64) -> String {
        let on_page = self.document.elements.iter().filter(|element| element.is_on(page));
        let texts = on_page.filter_map(|element| element.content.as_deref()).map(table::render);
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
    }
}

/// The file of a document's pages, which has the document's name.
fn file(folders: &[PathBuf], named: &str) -> Option<PathBuf> {
    let stem = Path::new(named).file_stem()?.to_str()?;
    folders.iter().find_map(|folder| {
        let folder = folder.canonicalize().ok()?;
        let file = folder.join(format!("{stem}.json")).canonicalize().ok()?;
        (file.starts_with(&folder) && file.is_file()).then_some(file)
    })
}

fn read(file: &Path) -> Result<Parsed, LoadError> {
    let unreadable = |message: String| LoadError::Unreadable {
        path: file.display().to_string(),
        message: format!("{message}; mend the file, or set data.officeqa.oracle_pages = false"),
    };
    let text = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    serde_json::from_slice(&text).map_err(|error| unreadable(format!("these are no parsed pages ({error})")))
}

/// The beginning of a text, with the cut marked.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}\n...[truncated]", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn element(content: &str, pages: &[u64]) -> Value {
        let places: Vec<Value> = pages.iter().map(|page| json!({"page_id": page, "coord": [0, 1]})).collect();
        json!({"type": "text", "content": content, "bbox": places})
    }

    fn folder(name: &str, elements: &[Value]) -> tempfile::TempDir {
        let around = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(around.path().join("documents")).unwrap();
        std::fs::create_dir_all(around.path().join("jsons")).unwrap();
        let text = json!({"document": {"elements": elements}}).to_string();
        std::fs::write(around.path().join("jsons").join(name), text).unwrap();
        around
    }

    fn pages(
        around: &tempfile::TempDir,
        documents: &[&str],
        addresses: &[&str],
    ) -> Result<String, LoadError> {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        shown(&folders(&around.path().join("documents")), &owned(documents), &owned(addresses))
    }

    #[test]
    fn named_pages_are_shown_in_order() {
        let elements = [
            element("Debt of 1951", &[4]),
            element("<table><tr><td>net</td><td>12</td></tr></table>", &[3, 4]),
            element("elsewhere", &[5]),
            json!({"content": null}),
            json!({"content": "as text", "bbox": [{"page_id": "4"}]}),
        ];
        let around = folder("ledger.json", &elements);
        let page = "### ledger.txt page 4\nSource URL: https://a.example/l?page=4\n\nDebt of 1951\n\n\
                    | net | 12 |\n| --- | --- |\n\nas text";
        let address = "https://a.example/l?page=4";
        for (documents, addresses, expected) in [
            (vec!["ledger.txt"], vec![address], page.to_owned()),
            (vec!["other.txt", "ledger.txt"], vec!["x?page=1", address], page.to_owned()),
            (vec!["ledger.txt", "other.txt"], vec!["x?page=9", address], String::new()),
            (vec!["ledger.txt"], vec!["https://a.example/l"], String::new()),
            (vec!["../jsons/ledger.txt"], vec![address], page.replace("### ", "### ../jsons/")),
            (vec![".."], vec![address], String::new()),
            (vec![], vec![address], String::new()),
        ] {
            assert_eq!(
                pages(&around, &documents, &addresses).unwrap(),
                expected,
                "{documents:?} {addresses:?}"
            );
        }
    }

    #[test]
    fn long_pages_are_cut() {
        let around = folder("l.json", &[element(&"w".repeat(30_000), &[1])]);
        let addresses = vec!["l?page=1"; 6];
        let shown = pages(&around, &["l.txt"], &addresses).unwrap();
        assert_eq!(shown.matches('w').count(), ALL);
        assert_eq!(shown.matches("### l.txt page 1").count(), 4);
        assert_eq!(shown.matches("[truncated]").count(), 4);
    }

    #[test]
    fn what_is_no_parsed_page_is_named() {
        let around = folder("l.json", &[]);
        std::fs::write(around.path().join("jsons/l.json"), "{\"document\": 1}").unwrap();
        let error = pages(&around, &["l.txt"], &["l?page=1"]).unwrap_err().to_string();
        assert!(error.contains("l.json") && error.contains("oracle_pages"), "{error}");
        #[cfg(unix)]
        {
            std::fs::write(around.path().join("secret.json"), "{\"document\": 1}").unwrap();
            let link = around.path().join("jsons/out.json");
            std::os::unix::fs::symlink(around.path().join("secret.json"), link).unwrap();
            assert_eq!(pages(&around, &["out.txt"], &["l?page=1"]).unwrap(), "");
        }
    }
}
