//! The simulated models as an OpenAI-compatible server on loopback.
//!
//! Always holds: it listens on 127.0.0.1 only; it answers as the models do in process; faults come by the number of
//! the request, so that the same sequence of requests meets the same faults.

mod answering;
mod log;
mod options;
mod statistics;
mod wire;

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use answering::Shared;
use log::RequestLog;

pub use options::{Fault, FaultPlan, FaultShare, InvalidFault, ServerOptions, TooManyFaults};
pub use statistics::Statistics;

/// How long open connections may go on after the shutdown.
const GRACE: Duration = Duration::from_secs(5);

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port is taken or not allowed.
    #[error("127.0.0.1:{port} cannot be listened on: {cause}; choose another port, or 0 for a free one")]
    Bind {
        /// The port.
        port: u16,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The log of requests cannot be opened.
    #[error("the log of requests {path} cannot be opened: {cause}")]
    Log {
        /// The file.
        path: String,
        /// What the system says.
        cause: std::io::Error,
    },
}

/// A server that is bound and not yet serving.
pub struct SimulationServer {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
    writing: Option<JoinHandle<()>>,
}

impl SimulationServer {
    /// Binds the port and opens the log. Needs a tokio runtime.
    ///
    /// # Errors
    /// If the port cannot be bound or the log cannot be opened.
    pub async fn bind(options: ServerOptions) -> Result<Self, ServerError> {
        let port = options.port;
        let bind = |cause| ServerError::Bind { port, cause };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(bind)?;
        let address = listener.local_addr().map_err(bind)?;
        let (log, writing) = match &options.request_log {
            Some(path) => {
                let opened = RequestLog::open(path).await;
                let (log, writing) =
                    opened.map_err(|cause| ServerError::Log { path: path.display().to_string(), cause })?;
                (Some(log), Some(writing))
            }
            None => (None, None),
        };
        Ok(Self { listener, address, shared: Arc::new(Shared::new(options, log)), writing })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown` is ready, then lets open requests end, for at most five seconds. What was counted.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> Statistics {
        let (stop, stopped) = watch::channel(false);
        let mut connections = JoinSet::new();
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            tokio::select! {
                () = &mut shutdown => break,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        self.shared.counters.connection();
                        connections.spawn(connection(stream, Arc::clone(&self.shared), stopped.clone()));
                    }
                    // Too many open files, most likely: others will be closed soon.
                    Err(error) => {
                        tracing::warn!(%error, "a connection cannot be accepted");
                        tokio::time::sleep(Duration::from_millis(10)).await;
                    }
                },
            }
            while connections.try_join_next().is_some() {}
        }
        drop(self.listener);
        let _nobody = stop.send(true);
        let ended = async { while connections.join_next().await.is_some() {} };
        if tokio::time::timeout(GRACE, ended).await.is_err() {
            connections.shutdown().await;
        }
        let counted = self.shared.counters.now();
        drop(self.shared);
        if let Some(writing) = self.writing {
            let _ended = writing.await;
        }
        counted
    }
}

/// Serves one connection until it closes or the server stops.
async fn connection(stream: TcpStream, shared: Arc<Shared>, mut stopped: watch::Receiver<bool>) {
    let _slower = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let shared = Arc::clone(&shared);
        async move { shared.respond(request).await }
    });
    let serving = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let mut serving = std::pin::pin!(serving);
    let ended = tokio::select! {
        ended = serving.as_mut() => ended,
        _ = stopped.changed() => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    if let Err(error) = ended {
        // Bodies cut off on purpose end here, as do clients that go away.
        tracing::debug!(%error, "a connection broke off");
    }
}
