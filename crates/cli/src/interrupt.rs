//! Ctrl-C: the first one ends the work in order, the second one at once.
//!
//! Always holds: a stage that is interrupted keeps its completed calls; the loop outlives its stage, so that it can say
//! how to go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use textualrl_model::ExitCode;

use crate::failure::Failure;

/// A future that is ready when the person presses Ctrl-C. Once more then ends the process.
pub(crate) async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without a handler the signal ends the process by itself.
        std::future::pending::<()>().await;
    }
    tokio::spawn(async {
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(ExitCode::Interrupted.code().into());
        }
    });
}

/// Ends this process when the loop that started it does: stdin is a pipe that the loop holds open.
pub(crate) fn end_with_the_loop() {
    std::thread::spawn(|| {
        // Nothing is ever written to the pipe, so that its end is all that can be read.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        std::process::exit(ExitCode::Interrupted.code().into());
    });
}

/// The interrupts of a process that waits for others.
pub(crate) struct Interrupts {
    seen: Arc<AtomicBool>,
}

impl Interrupts {
    /// Watches from now on.
    pub(crate) fn watch() -> Result<Self, Failure> {
        let internal = |error: std::io::Error| Failure::of(ExitCode::Internal, &error);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(internal)?;
        let seen = Arc::new(AtomicBool::new(false));
        let noted = Arc::clone(&seen);
        let watching = move || {
            runtime.block_on(async {
                interrupted().await;
                noted.store(true, Ordering::Relaxed);
                // The runtime lives on for the second one.
                std::future::pending::<()>().await;
            });
        };
        std::thread::Builder::new().name("interrupts".to_owned()).spawn(watching).map_err(internal)?;
        Ok(Self { seen })
    }

    /// Whether there was one.
    pub(crate) fn seen(&self) -> bool {
        self.seen.load(Ordering::Relaxed)
    }
}
