//! From an HTTP request to its reply.
//!
//! Always holds: what goes wrong on purpose is decided by the request's number alone; the models are asked through
//! the same functions as in process.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::Value;
use textualrl_llm::{ChatRequest, SIMULATED_PREFIX};
use textualrl_model::{Role, Turn, Usage};

use super::log::{self, Line, RequestLog};
use super::options::{Fault, FaultPlan, ServerOptions};
use super::statistics::{self, Counters};
use super::wire::{self, Style};
use crate::{SimulatedOptimizer, SimulatedTarget, spoken};

/// What all connections share.
pub(super) struct Shared {
    options: ServerOptions,
    log: Option<RequestLog>,
    pub(super) counters: Counters,
    numbers: AtomicU64,
    target: SimulatedTarget,
    optimizer: SimulatedOptimizer,
}

impl Shared {
    pub(super) fn new(options: ServerOptions, log: Option<RequestLog>) -> Self {
        Self {
            options,
            log,
            counters: Counters::default(),
            numbers: AtomicU64::new(0),
            target: SimulatedTarget::new(),
            optimizer: SimulatedOptimizer::new(),
        }
    }

    /// Answers a request.
    pub(super) async fn respond(&self, request: Request<Incoming>) -> Result<Response<Reply>, hyper::Error> {
        if request.method() == Method::GET && request.uri().path() == "/stats" {
            let statistics = serde_json::to_value(self.counters.now()).unwrap_or_default();
            return Ok(json(StatusCode::OK, &statistics));
        }
        let Some(style) = Style::of(request.uri().path()) else {
            return Ok(refused(
                StatusCode::NOT_FOUND,
                "there is /v1/chat/completions, /v1/responses and /stats",
            ));
        };
        if request.method() != Method::POST {
            return Ok(refused(StatusCode::METHOD_NOT_ALLOWED, "this path takes POST"));
        }
        let (head, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let number = self.numbers.fetch_add(1, Relaxed);
        let model = serde_json::from_slice::<wire::Named>(&body).map(|named| named.model).unwrap_or_default();
        let _in_flight = self.counters.request(&model);
        let fault = self.options.faults.fault_of(number);
        if let Some(requests) = &self.log {
            requests.add(Line {
                number,
                unix_us: log::unix_us(),
                path: head.uri.path().to_owned(),
                authorization: head.headers.contains_key(AUTHORIZATION),
                fault: fault.map(statistics::name),
                body: serde_json::from_slice(&body).ok(),
            });
        }
        if !self.serves(&model) {
            return Ok(refused(
                StatusCode::NOT_FOUND,
                &format!(
                    "there is no model {model:?}: ask for {} or {}",
                    SimulatedTarget::MODEL,
                    SimulatedOptimizer::MODEL
                ),
            ));
        }
        self.wait(fault).await;
        if let Some(Fault::Status(status)) = fault {
            return Ok(failed(status, &self.options.faults));
        }
        let reply = self.body(style, number, &model, &body);
        Ok(match (reply, fault) {
            (Err(error), _) => refused(StatusCode::BAD_REQUEST, &format!("the body cannot be read: {error}")),
            (Ok(text), Some(Fault::Cut)) => respond(StatusCode::OK, Reply::cut(text)),
            (Ok(text), Some(Fault::Malformed)) => respond(StatusCode::OK, Reply::malformed(text)),
            (Ok(text), _) => respond(StatusCode::OK, Reply::whole(text)),
        })
    }

    /// Whether a model of this name is served. The name tells the client that its answers are simulated, so every
    /// other one is refused, but for a fixed reply, which is taken for no model's. A body without a name is read first.
    fn serves(&self, model: &str) -> bool {
        self.options.fixed_reply.is_some() || model.is_empty() || model.starts_with(SIMULATED_PREFIX)
    }

    /// Counts the fault and takes the time that the reply should take.
    async fn wait(&self, fault: Option<Fault>) {
        let mut time = self.options.latency;
        if let Some(fault) = fault {
            self.counters.fault(fault);
            if fault == Fault::Slow {
                time += self.options.faults.slow_by;
            }
        }
        if !time.is_zero() {
            tokio::time::sleep(time).await;
        }
    }

    /// The reply's body as text.
    fn body(&self, style: Style, number: u64, model: &str, body: &[u8]) -> Result<String, serde_json::Error> {
        if let Some(text) = &self.options.fixed_reply {
            let input = u64::try_from(body.len().div_ceil(4)).unwrap_or(u64::MAX);
            let usage = Usage { input: Some(input), output: Some(spoken::estimated_tokens(text)) };
            let turn = Turn::text(Role::Assistant, text.as_str());
            return serde_json::to_string(&style.body(number, model, &turn, usage));
        }
        let request = wire::read(body)?;
        let reply = match model {
            SimulatedTarget::MODEL => self.target.answer(&request),
            SimulatedOptimizer::MODEL => self.optimizer.answer(&request),
            _ if is_for_optimizer(&request) => self.optimizer.answer(&request),
            _ => self.target.answer(&request),
        };
        serde_json::to_string(&style.reply_body(number, model, &reply))
    }
}

/// Whether the first user turn has the optimizer's blocks.
fn is_for_optimizer(request: &ChatRequest) -> bool {
    let asked = request.turns.iter().find(|turn| turn.role == Role::User);
    asked.is_some_and(|turn| SimulatedOptimizer::recognises(&turn.joined_text()))
}

fn respond(status: StatusCode, body: Reply) -> Response<Reply> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static("application/json"));
    response
}

fn json(status: StatusCode, value: &Value) -> Response<Reply> {
    respond(status, Reply::whole(value.to_string()))
}

fn refused(status: StatusCode, message: &str) -> Response<Reply> {
    json(status, &wire::error_body(status.as_u16(), message))
}

fn failed(status: u16, faults: &FaultPlan) -> Response<Reply> {
    let code = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = refused(code, "a simulated fault");
    if let Some(seconds) = faults.retry_after {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

/// A reply's body: all of it, or less than it announces.
pub(super) struct Reply {
    rest: Option<Bytes>,
    missing: u64,
    flushed: bool,
}

impl Reply {
    fn whole(text: String) -> Self {
        Self { rest: Some(Bytes::from(text)), missing: 0, flushed: false }
    }

    /// The first half of a body, which then breaks off.
    fn cut(text: String) -> Self {
        let bytes = Bytes::from(text);
        let half = bytes.slice(..bytes.len() / 2);
        Self { missing: (bytes.len() - half.len()) as u64, rest: Some(half), flushed: false }
    }

    /// The first half of a body, announced as the whole.
    fn malformed(text: String) -> Self {
        let bytes = Bytes::from(text);
        Self { rest: Some(bytes.slice(..bytes.len() / 2)), missing: 0, flushed: false }
    }
}

impl Body for Reply {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if let Some(bytes) = self.rest.take() {
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        if self.missing > 0 && !self.flushed {
            // What was given so far is sent before the connection breaks.
            self.flushed = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let broken = || io::Error::new(io::ErrorKind::ConnectionAborted, "cut off on purpose");
        Poll::Ready((self.missing > 0).then(|| Err(broken())))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_none() && self.missing == 0
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.as_ref().map_or(0, |rest| rest.len() as u64);
        SizeHint::with_exact(rest + self.missing)
    }
}
