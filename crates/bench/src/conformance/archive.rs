//! Recordings as others hand them out: texts and folders, packed or not.
//!
//! Always holds: nothing is unpacked onto the disk; a damaged archive is an error that names its file, never less text.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use lzma_rust2::XzReader;

/// The most bytes that one archive may unpack to: far above any recording, far below what harms a machine.
const MOST_UNPACKED: u64 = 1 << 30;

/// The most kibibytes of memory that unpacking may take: as much as the strongest common setting needs, and room.
const MOST_MEMORY: u32 = 256 * 1024;

/// Why a file of recordings cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be read: {source}", path.display())]
pub struct ArchiveError {
    /// Which file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub source: io::Error,
}

/// The text of a file. One with the extension `xz` is unpacked.
///
/// # Errors
/// If the file cannot be read, is damaged, or is no UTF-8.
pub fn read_text(path: &Path) -> Result<String, ArchiveError> {
    let read = || {
        let mut text = String::new();
        opened(path)?.read_to_string(&mut text)?;
        Ok(text)
    };
    read().map_err(|source| ArchiveError { path: path.to_owned(), source })
}

/// The texts of an archive's files with an extension, with their paths there. An archive with the extension `xz` is
/// unpacked.
///
/// # Errors
/// If the archive cannot be read, is damaged, or such a file in it is no UTF-8.
pub fn read_archive(path: &Path, extension: &str) -> Result<Vec<(String, String)>, ArchiveError> {
    let read = || {
        let mut archive = tar::Archive::new(opened(path)?);
        let mut texts = Vec::new();
        for entry in archive.entries()? {
            let mut entry = entry?;
            let name = entry.path()?.into_owned();
            if name.extension().is_some_and(|found| found == extension) {
                let mut text = String::new();
                entry.read_to_string(&mut text)?;
                texts.push((name.to_string_lossy().into_owned(), text));
            }
        }
        // What stands after the last entry is read too, so that a damaged end is noticed.
        io::copy(&mut archive.into_inner(), &mut io::sink())?;
        Ok(texts)
    };
    read().map_err(|source| ArchiveError { path: path.to_owned(), source })
}

fn opened(path: &Path) -> io::Result<Box<dyn Read>> {
    let file = BufReader::new(File::open(path)?);
    if path.extension().is_some_and(|extension| extension == "xz") {
        let unpacked = XzReader::new_mem_limit(file, true, MOST_MEMORY);
        return Ok(Box::new(Limited { inner: unpacked, left: MOST_UNPACKED }));
    }
    Ok(Box::new(file))
}

/// A reader that fails once it has given its most, instead of ending as if all were read.
struct Limited<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let size = u64::try_from(read).unwrap_or(u64::MAX);
        let left = self.left.checked_sub(size);
        self.left = left.ok_or_else(|| io::Error::other("it unpacks to more than can be a recording"))?;
        Ok(read)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write;

    use lzma_rust2::{XzOptions, XzWriter};

    use super::*;

    /// The bytes as xz.
    pub(crate) fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut writer = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).unwrap();
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    /// The files as an archive.
    pub(crate) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, name, *bytes).unwrap();
        }
        builder.into_inner().unwrap()
    }

    #[test]
    fn texts_and_archives_are_read_packed_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        assert_eq!(read_text(&put("a.txt", "ä".as_bytes())).unwrap(), "ä");
        assert_eq!(read_text(&put("a.txt.xz", &packed("ä".as_bytes()))).unwrap(), "ä");
        let twice = [packed(b"one "), packed(b"two")].concat();
        assert_eq!(read_text(&put("b.xz", &twice)).unwrap(), "one two");
        let games = archive(&[("x/one.game", b"1"), ("two.other", b"\xff"), ("x/y/three.game", b"3")]);
        let expected = [("x/one.game", "1"), ("x/y/three.game", "3")];
        for (name, bytes) in [("g.tar", games.clone()), ("g.tar.xz", packed(&games))] {
            let found = read_archive(&put(name, &bytes), "game").unwrap();
            let found: Vec<_> = found.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            assert_eq!(found, expected, "{name}");
        }
    }

    #[test]
    fn a_damaged_archive_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.tar.xz");
        let text = (0..5000).map(|n| n.to_string()).collect::<String>();
        let whole = packed(&archive(&[("one.game", text.as_bytes()), ("two.game", b"2")]));
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 0x10;
        let mut bad_end = whole.clone();
        *bad_end.last_mut().unwrap() ^= 1;
        let short = whole[..whole.len() / 2].to_vec();
        let no_end = whole[..whole.len() - 20].to_vec();
        for (what, bytes) in [
            ("half", short),
            ("without its end", no_end),
            ("with another bit", flipped),
            ("with another end", bad_end),
            ("empty", Vec::new()),
            ("no archive", b"this is no archive".to_vec()),
            ("no text in it", packed(&archive(&[("one.game", b"\xff\xfe")]))),
        ] {
            std::fs::write(&path, bytes).unwrap();
            let error = read_archive(&path, "game").map(|found| found.len()).unwrap_err().to_string();
            assert!(error.contains("games.tar.xz cannot be read: "), "{what}: {error}");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(read_archive(&path, "game").is_err());
    }

    #[test]
    fn what_unpacks_to_too_much_is_refused() {
        let mut reader = Limited { inner: io::repeat(7), left: 10 };
        let mut all = Vec::new();
        assert!(reader.read_to_end(&mut all).is_err() && all.len() <= 10);
        let mut reader = Limited { inner: &b"0123456789"[..], left: 10 };
        assert_eq!(reader.read_to_end(&mut all).unwrap(), 10);
    }
}
