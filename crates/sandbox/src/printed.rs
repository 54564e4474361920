//! What a program prints, collected up to a limit.
//!
//! Always holds: the two streams together are kept up to the limit, and reading goes on in the background, so that a
//! program that prints is never held up and one that never closes its streams holds nobody up.

use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::program::FOLDER;

/// How long to wait for what was printed before the program ended.
const LAST_WORDS: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(1);

/// A stream that is read in the background.
#[derive(Debug)]
pub(crate) struct Collected {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

/// How much may be collected, for several streams together.
#[derive(Debug, Clone)]
pub(crate) struct Allowance {
    read: Arc<AtomicUsize>,
    most: usize,
}

impl Allowance {
    /// An allowance of this many bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self { read: Arc::new(AtomicUsize::new(0)), most }
    }

    /// Whether more came than is allowed.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.read.load(Ordering::Acquire) > self.most
    }

    /// How many of the next `count` bytes may still be kept.
    fn take(&self, count: usize) -> usize {
        let before = self.read.fetch_add(count, Ordering::AcqRel);
        self.most.saturating_sub(before).min(count)
    }
}

impl Collected {
    /// Starts to read; ends at the end of the stream, or once the allowance is exceeded.
    pub(crate) fn from(mut stream: impl Read + Send + 'static, allowance: Allowance) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&bytes);
        let reader = std::thread::spawn(move || {
            let mut buffer = vec![0; 16 * 1024];
            while !allowance.is_exceeded() {
                let count = match stream.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(count) => count,
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                    Err(_) => return,
                };
                let keep = allowance.take(count);
                let Ok(mut kept) = kept.lock() else { return };
                kept.extend(buffer.iter().take(keep));
            }
        });
        Self { bytes, reader }
    }

    /// What was collected. Waits a moment for the end of the stream.
    pub(crate) fn finish(self) -> Vec<u8> {
        let until = Instant::now() + LAST_WORDS;
        while !self.reader.is_finished() && Instant::now() < until {
            std::thread::sleep(PAUSE);
        }
        self.bytes.lock().map(|mut bytes| std::mem::take(&mut *bytes)).unwrap_or_default()
    }
}

/// Both streams as one text of at most `most` bytes, with `folder` written as [`FOLDER`].
pub(crate) fn text(output: &[u8], errors: &[u8], folder: &Path, most: usize) -> String {
    let mut text = String::from_utf8_lossy(output).into_owned();
    if !text.is_empty() && !text.ends_with('\n') && !errors.is_empty() {
        text.push('\n');
    }
    text.push_str(&String::from_utf8_lossy(errors));
    let mut text = text.replace(&*folder.to_string_lossy(), FOLDER);
    text.truncate(text.floor_char_boundary(most));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_streams_become_one_text() {
        let folder = Path::new("/tmp/x1/files");
        for (output, errors, most, expected) in [
            ("1\n", "", 100, "1\n"),
            ("1", "oh", 100, "1\noh"),
            ("", "/tmp/x1/files is it", 100, "/work is it"),
            ("äää", "", 3, "ä"),
        ] {
            assert_eq!(text(output.as_bytes(), errors.as_bytes(), folder, most), expected);
        }
    }

    #[test]
    fn streams_share_their_allowance() {
        let allowance = Allowance::new(10);
        let first = Collected::from(&b"12345678"[..], allowance.clone()).finish();
        assert!(!allowance.is_exceeded());
        let second = Collected::from(&b"12345678"[..], allowance.clone()).finish();
        assert_eq!((first.as_slice(), second.as_slice()), (&b"12345678"[..], &b"12"[..]));
        assert!(allowance.is_exceeded());
    }
}
