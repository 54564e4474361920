//! Group commit: one thread brings to the disk what many calls have written.
//!
//! Always holds: what was written is on the disk at the latest one interval later and when the journal is dropped;
//! a failed sync fails every later write.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use fs_err::File;

use super::JournalError;

/// The time between two syncs.
const INTERVAL: Duration = Duration::from_millis(20);

/// The thread that syncs one file.
#[derive(Debug)]
pub(super) struct Flusher {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    dirty: bool,
    closed: bool,
    failure: Option<String>,
}

impl Flusher {
    /// Starts the thread.
    pub(super) fn start(file: Arc<File>) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("journal-sync".to_owned())
            .spawn(move || for_thread.sync_while_open(&file))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Says that there is something to sync.
    pub(super) fn wake(&self) {
        let mut state = self.shared.lock();
        if !state.dirty {
            state.dirty = true;
            self.shared.changed.notify_one();
        }
    }

    /// Fails every later write, for this reason.
    pub(super) fn fail(&self, reason: String) {
        self.shared.lock().failure.get_or_insert(reason);
    }

    /// Fails if a sync has failed.
    pub(super) fn check(&self) -> Result<(), JournalError> {
        match &self.shared.lock().failure {
            Some(reason) => Err(JournalError::Sync { reason: reason.clone() }),
            None => Ok(()),
        }
    }
}

impl Shared {
    fn sync_while_open(&self, file: &File) {
        let mut state = self.lock();
        loop {
            while !state.dirty && !state.closed {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if !state.dirty {
                return;
            }
            state.dirty = false;
            drop(state);
            let synced = file.sync_data();
            state = self.lock();
            if let Err(error) = synced {
                state.failure = Some(error.to_string());
                return;
            }
            // Records that come in the meantime share the next sync.
            let pause = self.changed.wait_timeout_while(state, INTERVAL, |state| !state.closed);
            state = pause.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Flusher {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // The thread does not panic; what it could not sync, it has noted.
            let _ended = thread.join();
        }
    }
}
