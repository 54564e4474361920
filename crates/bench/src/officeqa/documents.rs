//! The folder of documents, and which of them an episode may open.
//!
//! Always holds: a path that a model names is looked up among the documents that were listed when the data was loaded,
//! and never joined to a folder, so that `..`, absolute paths and links lead nowhere; a link out of the folder is not
//! listed.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use textualrl_model::Fingerprint;
use walkdir::{DirEntry, WalkDir};

use crate::data::LoadError;

/// The folder that released data keep texts in, beside other forms of the same documents.
const TEXTS: &str = "transformed";

/// The folders of parsed pages, which are no documents.
pub(super) const PARSED: [&str; 2] = ["jsons", "treasury_bulletins_parsed"];

/// A document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its path below the folder, with slashes.
    pub name: String,
    /// Where it lies, without links.
    pub path: PathBuf,
}

impl Document {
    /// The last part of its name.
    pub(super) fn file_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }
}

/// The documents of a folder.
#[derive(Debug, Clone, Default)]
pub struct Documents {
    /// By name.
    files: Vec<Document>,
}

impl Documents {
    /// Lists a folder, or the folder `transformed` in it if it has one.
    ///
    /// # Errors
    /// If the folder or one in it cannot be read.
    pub fn list(folder: &Path) -> Result<Self, LoadError> {
        let texts = folder.join(TEXTS);
        let root = if texts.is_dir() { texts } else { folder.to_owned() };
        let unreadable = |path: &Path, message: String| LoadError::Unreadable {
            path: path.display().to_string(),
            message: format!("{message}; data.officeqa.documents names the folder of the documents"),
        };
        let root = root.canonicalize().map_err(|error| unreadable(&root, error.to_string()))?;
        let walk = WalkDir::new(&root).min_depth(1).sort_by_file_name().into_iter();
        let mut files = Vec::new();
        for entry in walk.filter_entry(|entry| !is_parsed(entry)) {
            let entry = entry.map_err(|error| {
                let path = error.path().unwrap_or(&root).to_owned();
                unreadable(&path, error.to_string())
            })?;
            files.extend(document(&root, entry.path()));
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { files })
    }

    /// The fingerprint of all names and contents.
    ///
    /// # Errors
    /// If a document cannot be read.
    pub fn fingerprint(&self) -> Result<Fingerprint, LoadError> {
        let mut parts = Vec::new();
        for document in &self.files {
            let bytes = std::fs::read(&document.path).map_err(|error| LoadError::Unreadable {
                path: document.path.display().to_string(),
                message: error.to_string(),
            })?;
            parts.push(format!("{}\0{}", document.name, Fingerprint::of(&bytes)));
        }
        Ok(Fingerprint::of_parts(parts.iter().map(String::as_bytes)))
    }

    /// The place of a document that is named by its path, or else by its file name if no other has the same.
    pub(super) fn place(&self, named: &str) -> Option<usize> {
        let name = inside(named)?;
        if let Ok(place) = self.files.binary_search_by(|document| document.name.as_str().cmp(&name)) {
            return Some(place);
        }
        let file_name = name.rsplit('/').next()?;
        let alike = |(_, document): &(usize, &Document)| document.file_name() == file_name;
        let mut places = self.files.iter().enumerate().filter(alike).map(|(place, _)| place);
        places.next().filter(|_| places.next().is_none())
    }
}

impl Documents {
    /// The name of a document by its place.
    pub(super) fn name(&self, place: usize) -> Option<&str> {
        self.files.get(place).map(|document| document.name.as_str())
    }
}

fn is_parsed(entry: &DirEntry) -> bool {
    entry.file_type().is_dir() && PARSED.iter().any(|name| entry.file_name() == *name)
}

/// The document at a path; none if it is no file, or a link leads out of the root.
fn document(root: &Path, path: &Path) -> Option<Document> {
    let real = path.canonicalize().ok().filter(|real| real.starts_with(root) && real.is_file())?;
    let parts = path.strip_prefix(root).ok()?.components();
    let name: Vec<String> = parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    Some(Document { name: name.join("/"), path: real })
}

/// A path below a folder in its plain form; none if it leads out of it.
fn inside(named: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in Path::new(named.trim()).components() {
        match part {
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Why a document cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// No path was given.
    #[error("missing path")]
    NoPath,
    /// It lies outside the folder, or the task does not open it.
    #[error("path not allowed")]
    NotAllowed,
    /// There is no such document.
    #[error("no such document")]
    Missing,
}

/// The documents that an episode may open.
#[derive(Debug, Clone)]
pub struct Reachable {
    documents: Arc<Documents>,
    /// Places in the list; none opens all.
    only: Option<Vec<usize>>,
}

impl Reachable {
    /// All documents.
    pub fn all(documents: Arc<Documents>) -> Self {
        Self { documents, only: None }
    }

    /// Some documents by their places.
    pub(super) fn some(documents: Arc<Documents>, only: Vec<usize>) -> Self {
        Self { documents, only: Some(only) }
    }

    /// The documents in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Document> {
        let open = |place: &usize| self.only.as_ref().is_none_or(|only| only.contains(place));
        self.documents.files.iter().enumerate().filter(move |(place, _)| open(place)).map(|(_, one)| one)
    }

    /// The document that a model names.
    ///
    /// # Errors
    /// If it names none that may be opened.
    pub fn find(&self, named: &str) -> Result<&Document, Unavailable> {
        if named.trim().is_empty() {
            return Err(Unavailable::NoPath);
        }
        if inside(named).is_none() {
            return Err(Unavailable::NotAllowed);
        }
        let place = self.documents.place(named).ok_or(Unavailable::Missing)?;
        let open = self.only.as_ref().is_none_or(|only| only.contains(&place));
        self.documents.files.get(place).filter(|_| open).ok_or(Unavailable::NotAllowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder `documents` with texts, and a secret beside it.
    fn folder() -> (tempfile::TempDir, PathBuf) {
        let around = tempfile::tempdir().unwrap();
        let root = around.path().join("documents");
        std::fs::create_dir_all(root.join("1951")).unwrap();
        std::fs::create_dir_all(root.join("jsons")).unwrap();
        for (name, text) in [
            ("documents/ledger.txt", "ledger"),
            ("documents/1951/ledger.txt", "older ledger"),
            ("documents/1951/coin.txt", "coin"),
            ("documents/jsons/ledger.json", "{}"),
            ("secret.txt", "secret"),
        ] {
            std::fs::write(around.path().join(name), text).unwrap();
        }
        (around, root)
    }

    fn names(reachable: &Reachable) -> Vec<&str> {
        reachable.iter().map(|document| document.name.as_str()).collect()
    }

    #[test]
    fn documents_inside_are_found_and_all_else_is_refused() {
        let (around, root) = folder();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(around.path().join("secret.txt"), root.join("link.txt")).unwrap();
            std::os::unix::fs::symlink(around.path(), root.join("out")).unwrap();
            std::os::unix::fs::symlink(root.join("1951/coin.txt"), root.join("alias.txt")).unwrap();
        }
        let all = Reachable::all(Arc::new(Documents::list(&root).unwrap()));
        let absolute = |path: &Path| path.display().to_string();
        for (named, expected) in [
            ("ledger.txt", Ok("ledger.txt")),
            ("./1951//ledger.txt", Ok("1951/ledger.txt")),
            (" coin.txt ", Ok("1951/coin.txt")),
            ("documents/1951/coin.txt", Ok("1951/coin.txt")),
            ("", Err(Unavailable::NoPath)),
            ("../secret.txt", Err(Unavailable::NotAllowed)),
            ("1951/../ledger.txt", Err(Unavailable::NotAllowed)),
            (&absolute(&around.path().join("secret.txt")), Err(Unavailable::NotAllowed)),
            (&absolute(&root.join("ledger.txt")), Err(Unavailable::NotAllowed)),
            ("secret.txt", Err(Unavailable::Missing)),
            ("ledger.json", Err(Unavailable::Missing)),
            ("1951", Err(Unavailable::Missing)),
            ("link.txt", Err(Unavailable::Missing)),
            ("out/secret.txt", Err(Unavailable::Missing)),
        ] {
            let found = all.find(named).map(|document| document.name.as_str());
            assert_eq!(found, expected, "{named}");
        }
        #[cfg(unix)]
        {
            // A link that stays inside is read like what it leads to.
            let alias = &all.find("alias.txt").unwrap().path;
            assert_eq!(std::fs::read_to_string(alias).unwrap(), "coin");
        }
    }

    #[test]
    fn a_task_can_open_its_sources_alone() {
        let (_around, root) = folder();
        let documents = Arc::new(Documents::list(&root).unwrap());
        assert_eq!(
            names(&Reachable::all(documents.clone())),
            ["1951/coin.txt", "1951/ledger.txt", "ledger.txt"]
        );
        let only = vec![documents.place("ledger.txt").unwrap()];
        let sources = Reachable::some(documents, only);
        assert_eq!(names(&sources), ["ledger.txt"]);
        assert!(sources.find("ledger.txt").is_ok());
        assert_eq!(sources.find("1951/ledger.txt"), Err(Unavailable::NotAllowed));
    }

    #[test]
    fn texts_lie_in_a_folder_of_their_own_where_there_is_one() {
        let (_around, root) = folder();
        let before = Documents::list(&root).unwrap().fingerprint().unwrap();
        std::fs::create_dir(root.join("transformed")).unwrap();
        std::fs::write(root.join("transformed/only.txt"), "text").unwrap();
        let documents = Documents::list(&root).unwrap();
        let after = documents.fingerprint().unwrap();
        assert_eq!(names(&Reachable::all(Arc::new(documents.clone()))), ["only.txt"]);
        std::fs::write(root.join("transformed/only.txt"), "other").unwrap();
        assert!(before != after && documents.fingerprint().unwrap() != after);
        let error = Documents::list(&root.join("nowhere")).unwrap_err().to_string();
        assert!(error.contains("data.officeqa.documents"), "{error}");
    }
}
