//! The log of requests: one JSON line each.
//!
//! Always holds: of the headers only whether one with a key was there is written; the file is complete whenever no
//! request waits to be written.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::value::RawValue;
use tokio::fs::{File, OpenOptions};
use tokio::io::{AsyncWriteExt, BufWriter};
use tokio::sync::mpsc;

/// A line of the log.
#[derive(Serialize)]
pub(super) struct Line {
    /// The request's number, from 0.
    pub(super) number: u64,
    /// When it had been read, in microseconds since 1970; it decides nothing.
    pub(super) unix_us: u64,
    /// Its path.
    pub(super) path: String,
    /// Whether an `Authorization` header came with it.
    pub(super) authorization: bool,
    /// What went wrong with it on purpose.
    pub(super) fault: Option<String>,
    /// Its body; none if it is no JSON.
    pub(super) body: Option<Box<RawValue>>,
}

/// The time for a line.
pub(super) fn unix_us() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

/// Where lines are sent to.
#[derive(Clone)]
pub(super) struct RequestLog(mpsc::UnboundedSender<Line>);

impl RequestLog {
    /// Opens the file and writes what is sent until all senders are gone.
    pub(super) async fn open(path: &Path) -> std::io::Result<(Self, tokio::task::JoinHandle<()>)> {
        let file = OpenOptions::new().create(true).append(true).open(path).await?;
        let (sender, lines) = mpsc::unbounded_channel();
        let writing = tokio::spawn(async move {
            if let Err(error) = write(file, lines).await {
                tracing::error!(%error, "the log of requests cannot be written");
            }
        });
        Ok((Self(sender), writing))
    }

    pub(super) fn add(&self, line: Line) {
        // The writer has said why it is gone.
        let _gone = self.0.send(line);
    }
}

async fn write(file: File, mut lines: mpsc::UnboundedReceiver<Line>) -> std::io::Result<()> {
    let mut file = BufWriter::new(file);
    while let Some(line) = lines.recv().await {
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        file.write_all(&text).await?;
        if lines.is_empty() {
            file.flush().await?;
        }
    }
    file.flush().await
}
