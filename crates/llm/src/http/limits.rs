//! How fast an endpoint may be used: calls at once, requests and tokens a minute.
//!
//! Always holds: roles on one base URL share one set of limits, and of two limits the smaller holds.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use textualrl_model::Usage;
use textualrl_model::settings::{EndpointSettings, Provider};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::EndpointError;
use super::address::Address;
use super::throttle::Throttle;

/// A limiter lets through at once what it grants in this part of a minute.
const BURSTS_PER_MINUTE: u32 = 12;

/// The limits of every endpoint in use.
#[derive(Debug, Clone, Default)]
pub struct EndpointPool {
    endpoints: BTreeMap<String, Arc<EndpointLimits>>,
}

impl EndpointPool {
    /// The pool of these roles' endpoints, each with the name of its role. Simulated models have no limits.
    ///
    /// # Errors
    /// If a base URL cannot be used.
    pub fn new<'a>(
        roles: impl IntoIterator<Item = (&'a str, &'a EndpointSettings)>,
    ) -> Result<Self, EndpointError> {
        let mut smallest: BTreeMap<String, Limits> = BTreeMap::new();
        for (role, settings) in roles {
            if settings.provider == Provider::Simulated {
                continue;
            }
            let address = Address::new(role, &settings.base_url, settings.api)?;
            let limits = Limits::of(settings);
            let entry = smallest.entry(address.base().to_owned()).or_insert(limits);
            *entry = entry.smaller(limits);
        }
        let endpoints =
            smallest.into_iter().map(|(base, limits)| (base, Arc::new(EndpointLimits::new(limits))));
        Ok(Self { endpoints: endpoints.collect() })
    }

    /// The limits of an address, if its role was named when the pool was made.
    pub(super) fn limits(&self, address: &Address) -> Option<Arc<EndpointLimits>> {
        self.endpoints.get(address.base()).cloned()
    }
}

/// The figures of the settings; 0 requests or tokens is unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limits {
    concurrency: u32,
    requests: u32,
    tokens: u32,
}

impl Limits {
    fn of(settings: &EndpointSettings) -> Self {
        Self {
            concurrency: settings.concurrency.max(1),
            requests: settings.requests_per_minute,
            tokens: settings.tokens_per_minute,
        }
    }

    fn smaller(self, other: Self) -> Self {
        let smaller = |a: u32, b: u32| if a == 0 || b == 0 { a.max(b) } else { a.min(b) };
        Self {
            concurrency: self.concurrency.min(other.concurrency),
            requests: smaller(self.requests, other.requests),
            tokens: smaller(self.tokens, other.tokens),
        }
    }
}

/// One endpoint's limits.
#[derive(Debug)]
pub(super) struct EndpointLimits {
    in_flight: Semaphore,
    requests: Option<DefaultDirectRateLimiter>,
    tokens: Option<TokenLimiter>,
    throttle: Throttle,
}

impl EndpointLimits {
    fn new(limits: Limits) -> Self {
        let concurrency =
            usize::try_from(limits.concurrency).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        Self {
            in_flight: Semaphore::new(concurrency),
            requests: NonZeroU32::new(limits.requests).map(|limit| RateLimiter::direct(quota(limit))),
            tokens: NonZeroU32::new(limits.tokens).map(TokenLimiter::new),
            throttle: Throttle::default(),
        }
    }

    /// Waits until a request of about `tokens` tokens may be sent. The place is free again when the permit is dropped.
    pub(super) async fn admit(&self, tokens: u64) -> Option<SemaphorePermit<'_>> {
        let permit = self.in_flight.acquire().await.ok();
        if let Some(requests) = &self.requests {
            requests.until_ready().await;
        }
        if let Some(limiter) = &self.tokens {
            limiter.charge(tokens).await;
        }
        permit
    }

    /// Corrects what was charged for a request by what it used.
    pub(super) fn settle(&self, charged: u64, usage: Usage) {
        if let (Some(limiter), Some(input), Some(output)) = (&self.tokens, usage.input, usage.output) {
            limiter.settle(charged, input.saturating_add(output));
        }
    }

    /// The pause that the endpoint asked for.
    pub(super) fn throttle(&self) -> &Throttle {
        &self.throttle
    }
}

/// `limit` a minute, a part of it at once, so that a minute never sees nearly twice the limit.
fn quota(limit: NonZeroU32) -> Quota {
    let burst = NonZeroU32::new(limit.get() / BURSTS_PER_MINUTE).unwrap_or(NonZeroU32::MIN);
    Quota::per_minute(limit).allow_burst(burst)
}

/// Tokens are charged by estimate before a request and corrected after it.
#[derive(Debug)]
struct TokenLimiter {
    limiter: DefaultDirectRateLimiter,
    burst: NonZeroU32,
    /// Tokens used and not yet charged; negative if too many were charged.
    owed: AtomicI64,
}

impl TokenLimiter {
    fn new(limit: NonZeroU32) -> Self {
        let quota = quota(limit);
        Self { limiter: RateLimiter::direct(quota), burst: quota.burst_size(), owed: AtomicI64::new(0) }
    }

    async fn charge(&self, tokens: u64) {
        let owed = self.owed.swap(0, Ordering::Relaxed);
        let due = i64::try_from(tokens).unwrap_or(i64::MAX).saturating_add(owed);
        let Ok(mut due) = u64::try_from(due) else {
            self.owed.fetch_add(due, Ordering::Relaxed);
            return;
        };
        while due > 0 {
            let part = u32::try_from(due).unwrap_or(u32::MAX).min(self.burst.get());
            let Some(cells) = NonZeroU32::new(part) else { return };
            if self.limiter.until_n_ready(cells).await.is_err() {
                return;
            }
            due -= u64::from(part);
        }
    }

    fn settle(&self, charged: u64, used: u64) {
        let as_signed = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
        self.owed.fetch_add(as_signed(used).saturating_sub(as_signed(charged)), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_limit_holds_and_zero_is_unlimited() {
        let limits = |concurrency, requests, tokens| Limits { concurrency, requests, tokens };
        assert_eq!(limits(4, 0, 10).smaller(limits(8, 60, 5)), limits(4, 60, 5));
        assert_eq!(limits(8, 0, 0).smaller(limits(4, 0, 7)), limits(4, 0, 7));
    }

    #[tokio::test]
    async fn too_many_tokens_charged_are_given_back() {
        let limiter = TokenLimiter::new(NonZeroU32::new(120).unwrap());
        limiter.charge(10).await;
        limiter.settle(10, 2);
        // 8 tokens of credit: these pass without waiting, though the burst of 10 is used up.
        let passed = tokio::time::timeout(std::time::Duration::from_millis(200), limiter.charge(8)).await;
        assert!(passed.is_ok());
        limiter.settle(8, 20);
        let late = tokio::time::timeout(std::time::Duration::from_millis(200), limiter.charge(8)).await;
        assert!(late.is_err());
    }
}
