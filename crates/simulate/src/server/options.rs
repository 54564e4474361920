//! What the server is told: port, latency, faults.
//!
//! Always holds: shares of faults are between 0 and 1 and add up to at most 1.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// How to serve the simulated models.
#[derive(Debug, Clone, Default)]
pub struct ServerOptions {
    /// The port on 127.0.0.1; 0 takes a free one.
    pub port: u16,
    /// How long every reply takes, beside the work itself.
    pub latency: Duration,
    /// What every request is answered with, whatever it asks.
    pub fixed_reply: Option<String>,
    /// The file to which one JSON line a request is added.
    pub request_log: Option<PathBuf>,
    /// What goes wrong.
    pub faults: FaultPlan,
}

/// Something that goes wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// An error status, 400 to 599, with an error body.
    Status(u16),
    /// The body ends before its announced length, and the connection closes.
    Cut,
    /// A body that is no JSON.
    Malformed,
    /// A good reply that takes `slow_by` longer.
    Slow,
}

/// A fault and how often it happens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaultShare {
    /// The fault.
    pub fault: Fault,
    /// The share of requests, 0 to 1.
    pub share: f64,
}

/// A text that names no fault with a share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is no fault: write status:share, cut:share, malformed:share or slow:share, such as 429:0.1"
)]
pub struct InvalidFault {
    text: String,
}

impl FromStr for FaultShare {
    type Err = InvalidFault;

    fn from_str(text: &str) -> Result<Self, InvalidFault> {
        let invalid = || InvalidFault { text: text.to_owned() };
        let (name, share) = text.split_once(':').ok_or_else(invalid)?;
        let share =
            share.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(invalid)?;
        let fault = match name.trim() {
            "cut" => Fault::Cut,
            "malformed" => Fault::Malformed,
            "slow" => Fault::Slow,
            status => {
                let status = status.parse().ok().filter(|status| (400..600).contains(status));
                Fault::Status(status.ok_or_else(invalid)?)
            }
        };
        Ok(Self { fault, share })
    }
}

/// Shares that add up to more than all requests.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the shares of all faults add up to {sum}; at most 1 is possible")]
pub struct TooManyFaults {
    sum: f64,
}

/// Which requests go wrong, and how.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FaultPlan {
    shares: Vec<FaultShare>,
    /// What `Retry-After` says with an error status, in seconds.
    pub retry_after: Option<u64>,
    /// How much longer a slow reply takes.
    pub slow_by: Duration,
}

impl FaultPlan {
    /// A plan of these faults.
    ///
    /// # Errors
    /// If the shares add up to more than 1.
    pub fn new(
        shares: Vec<FaultShare>,
        retry_after: Option<u64>,
        slow_by: Duration,
    ) -> Result<Self, TooManyFaults> {
        let sum: f64 = shares.iter().map(|share| share.share).sum();
        if sum > 1.0 + 1e-9 {
            return Err(TooManyFaults { sum });
        }
        Ok(Self { shares, retry_after, slow_by })
    }

    /// What goes wrong with the request of this number, if anything. The same number, the same fault.
    pub fn fault_of(&self, request: u64) -> Option<Fault> {
        if self.shares.is_empty() {
            return None;
        }
        let mut left = crate::draw::unit(&["fault of request", &request.to_string()]);
        for FaultShare { fault, share } in &self.shares {
            if left < *share {
                return Some(*fault);
            }
            left -= share;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read() {
        let cases = [
            ("429:0.1", Some((Fault::Status(429), 0.1))),
            ("cut:0.05", Some((Fault::Cut, 0.05))),
            ("malformed: 1", Some((Fault::Malformed, 1.0))),
            ("slow:0", Some((Fault::Slow, 0.0))),
            ("200:0.1", None),
            ("429", None),
            ("429:1.5", None),
            ("broken:0.1", None),
        ];
        for (text, expected) in cases {
            let read = text.parse::<FaultShare>().ok().map(|share| (share.fault, share.share));
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn faults_come_by_their_shares() {
        let shares = ["429:0.2", "cut:0.1"].map(|text| text.parse().unwrap()).to_vec();
        let plan = FaultPlan::new(shares, None, Duration::ZERO).unwrap();
        let count = |fault| (0..10_000).filter(|n| plan.fault_of(*n) == Some(fault)).count();
        assert!((1_800..2_200).contains(&count(Fault::Status(429))));
        assert!((850..1_150).contains(&count(Fault::Cut)));
        let too_many = ["500:0.9", "cut:0.2"].map(|text| text.parse().unwrap()).to_vec();
        assert!(FaultPlan::new(too_many, None, Duration::ZERO).is_err());
    }
}
