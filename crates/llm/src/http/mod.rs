//! The HTTP client of OpenAI-compatible endpoints.
//!
//! Always holds: what is wrong with an endpoint is a typed error that names role and URL and holds no key; limits
//! are kept over all roles on one URL; there is one layer of retries, and it is this one.

mod address;
mod build;
mod error;
mod failure;
mod key;
mod limits;
mod throttle;
mod wire;

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use textualrl_model::settings::EndpointSettings;
use tokio::sync::SemaphorePermit;
use tokio::time::Instant;

pub use address::Address;
pub use build::install_crypto_provider;
pub use error::EndpointError;
pub use limits::EndpointPool;

use crate::chat::{
    BoxFuture, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription, SIMULATED_PREFIX,
};
use crate::identity::CallIdentity;
use failure::{Answer, Failure, Retry};
use key::Key;
use limits::EndpointLimits;
use wire::BodyForm;

/// The pause before the first retry; it doubles with each.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause that the endpoint did not ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// No wait and no deadline is longer, so that times can be added.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);
/// The bytes of an answer beyond which it is not read: no model writes so much, and memory must not follow it.
const LONGEST_BODY: usize = 64 * 1024 * 1024;
/// The bytes of a request that are charged as one token before the endpoint has counted.
const BYTES_PER_TOKEN: usize = 4;

/// A model behind an OpenAI-compatible HTTP endpoint.
pub struct HttpModel {
    client: reqwest::Client,
    address: Address,
    /// `target at http://…`, for errors.
    shown: String,
    key: Key,
    proxied: bool,
    form: BodyForm,
    limits: Arc<EndpointLimits>,
    description: EndpointDescription,
    timeout: Duration,
    deadline: Duration,
    backoff: ExponentialBuilder,
    /// A 401: every other call would get it too.
    locked_out: OnceLock<ChatError>,
}

impl fmt::Debug for HttpModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpModel").field("shown", &self.shown).finish_non_exhaustive()
    }
}

impl HttpModel {
    /// The model of a role (`target`, `optimizer`). Reads the key from the environment; sends nothing yet.
    ///
    /// # Errors
    /// If a setting cannot be used or the key is missing; the error names the setting and says what to do.
    pub fn new(role: &str, settings: &EndpointSettings, pool: &EndpointPool) -> Result<Self, EndpointError> {
        let address = Address::new(role, &settings.base_url, settings.api)?;
        build::check_extras(role, settings)?;
        let limits =
            pool.limits(&address).ok_or_else(|| EndpointError::NotInPool { role: role.to_owned() })?;
        let key = Key::from_variable(role, &settings.key_env)?;
        let proxied = settings.system_proxy && !address.is_loopback();
        let client = build::client(role, settings, &address, &key, proxied)?;
        let description = Self::description(role, settings)?;
        let seconds = |number: f64| Duration::try_from_secs_f64(number).unwrap_or(LONGEST).min(LONGEST);
        Ok(Self {
            client,
            shown: format!("{role} at {address}"),
            address,
            key,
            proxied,
            form: BodyForm::new(settings),
            limits,
            description,
            timeout: seconds(settings.timeout_seconds),
            deadline: seconds(settings.deadline_seconds),
            backoff: ExponentialBuilder::new()
                .with_min_delay(FIRST_PAUSE)
                .with_max_delay(LONGEST_PAUSE)
                .with_jitter()
                .with_max_times(usize::try_from(settings.attempts.saturating_sub(1)).unwrap_or(usize::MAX)),
            locked_out: OnceLock::new(),
        })
    }

    /// What the model of a role is, without its key: enough to tell whether a result still fits.
    ///
    /// # Errors
    /// If the URL or a setting that decides answers cannot be used, or a setting holds a key: what is described is
    /// written down.
    pub fn description(
        role: &str,
        settings: &EndpointSettings,
    ) -> Result<EndpointDescription, EndpointError> {
        build::check_extras(role, settings)?;
        Ok(EndpointDescription {
            model: settings.model.clone(),
            endpoint: Address::new(role, &settings.base_url, settings.api)?.to_string(),
            simulated: settings.model.starts_with(SIMULATED_PREFIX),
            settings: build::answer_settings(role, settings)?,
        })
    }

    /// The same model with other pauses: `first` before the first retry, doubling up to `longest`.
    #[must_use]
    pub fn with_pauses(mut self, first: Duration, longest: Duration) -> Self {
        self.backoff = self.backoff.with_min_delay(first).with_max_delay(longest);
        self
    }

    /// One call with its retries. Waiting for a free place is not counted against the deadline.
    async fn call(&self, request: &ChatRequest) -> Result<ChatReply, ChatError> {
        let body = self.form.write(request).map_err(|error| self.unwritable(&error))?;
        let mut pauses = self.backoff.build();
        let mut left = self.deadline;
        let mut only_once = 0_u32;
        loop {
            let begun = self.begin(body.len(), left).await?;
            let failure = match self.attempt(body.clone(), left.min(self.timeout)).await {
                Ok(reply) => {
                    self.limits.throttle().served();
                    self.limits.settle(begun.charged, reply.usage);
                    return Ok(reply);
                }
                Err(failure) => failure,
            };
            let now = Instant::now();
            left = left.saturating_sub(now.duration_since(begun.at));
            only_once += u32::from(failure.retry == Retry::Once);
            let pause = pauses.next().map(|pause| pause.max(failure.retry_after.unwrap_or_default()));
            if failure.slow_down {
                let asked = failure.retry_after.or(pause).unwrap_or(FIRST_PAUSE);
                self.limits.throttle().refused(begun.at, now, asked);
            }
            if failure.locks_out {
                let _first_one_stays = self.locked_out.set(failure.error.clone());
            }
            let again = failure.retry == Retry::Yes || (failure.retry == Retry::Once && only_once < 2);
            match pause {
                Some(pause) if again && pause < left => {
                    drop(begun);
                    tracing::debug!(endpoint = %self.shown, error = %failure.error, ?pause, "retrying a call");
                    tokio::time::sleep(pause).await;
                    left -= pause;
                }
                _ => return Err(failure.error),
            }
        }
    }

    /// Waits for a free place and for the end of a pause.
    async fn begin(&self, body_bytes: usize, left: Duration) -> Result<Begun<'_>, ChatError> {
        let charged = u64::try_from(body_bytes / BYTES_PER_TOKEN).unwrap_or(u64::MAX);
        let place = self.limits.admit(charged).await;
        let throttle = self.limits.throttle();
        let mut now = Instant::now();
        loop {
            let start = throttle.reserve(now, now + left).ok_or_else(|| ChatError::RateLimited {
                endpoint: self.shown.clone(),
                message: "it asked for a longer pause than `deadline_seconds` allows".to_owned(),
                retry_after: None,
            })?;
            if start > now {
                tokio::time::sleep_until(start).await;
                now = Instant::now();
            }
            if let Some(error) = self.locked_out.get() {
                return Err(error.clone());
            }
            // A refusal while this call slept means a new pause.
            if !throttle.is_paused(now) {
                return Ok(Begun { at: now, charged, _place: place });
            }
        }
    }

    /// Sends the request once and reads the whole answer.
    async fn attempt(&self, body: Vec<u8>, timeout: Duration) -> Result<ChatReply, Failure> {
        let transport = |error: reqwest::Error| Failure::transport(&self.shown, &error, self.proxied);
        let request = self.client.post(self.address.url().clone()).timeout(timeout).body(body);
        let mut response = request.send().await.map_err(transport)?;
        let status = response.status();
        let headers = std::mem::take(response.headers_mut());
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(transport)? {
            body.extend_from_slice(&chunk);
            if body.len() > LONGEST_BODY {
                return Err(Failure::too_long(&self.shown));
            }
        }
        let bad = match status.is_success().then(|| wire::read(self.form.api(), &body)) {
            Some(Ok(reply)) => return Ok(reply),
            Some(Err(bad)) => Some(bad),
            None => None,
        };
        let body = self.key.clean(&String::from_utf8_lossy(&body));
        let answer = Answer { status: status.as_u16(), headers: &headers, body: &body };
        let failure = match bad {
            Some(bad) => Failure::bad_reply(&self.shown, &bad.map_text(|text| self.key.clean(text)), &answer),
            None => Failure::status(&self.shown, &answer),
        };
        Err(failure.with_remedy(self.key.remedy()))
    }

    fn unwritable(&self, error: &serde_json::Error) -> ChatError {
        let message = format!("the request cannot be written as JSON: {error}");
        ChatError::Rejected { endpoint: self.shown.clone(), status: 0, message }
    }
}

impl ChatModel for HttpModel {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        _identity: &'a CallIdentity,
    ) -> BoxFuture<'a, Result<ChatReply, ChatError>> {
        Box::pin(self.call(request))
    }

    fn describe(&self) -> &EndpointDescription {
        &self.description
    }
}

/// An attempt that may start.
struct Begun<'a> {
    at: Instant,
    charged: u64,
    /// The place among the calls in flight, held until the attempt is over.
    _place: Option<SemaphorePermit<'a>>,
}
