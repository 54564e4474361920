//! The tasks of a benchmark, ready to be asked for.
//!
//! Always holds: the splits passed the checks of [`super::split::check`]; a split's fingerprint covers its tasks, the
//! excluded ones with their reasons, and the protocol.

use std::sync::Arc;

use serde::Serialize;
use textualrl_model::{Fingerprint, Split, TaskId};

use super::error::LoadError;
use super::split::{self, Located, Splits, Tasks};
use crate::benchmark::{EpisodeError, Listing};

/// The tasks of the three splits.
#[derive(Debug)]
pub struct Catalogue<T> {
    tasks: Splits<Tasks<T>>,
    listings: Splits<Listing>,
}

/// What a split's fingerprint is of.
#[derive(Serialize)]
struct Fingerprinted<'a, P, T> {
    protocol: &'a P,
    tasks: Vec<&'a T>,
    excluded: Vec<(&'a str, &'a str)>,
}

impl<T: Located + Serialize> Catalogue<T> {
    /// Checks the splits and lists them. `protocol` is everything beside the tasks that decides a result: the
    /// benchmark's name, prompts, scoring, limits. `remedy` says what to do about an empty split.
    ///
    /// # Errors
    /// If an id or an input stands twice, or a split is empty.
    pub fn new(
        tasks: Splits<Tasks<T>>,
        protocol: &impl Serialize,
        remedy: &'static str,
    ) -> Result<Self, LoadError> {
        split::check(&tasks, remedy)?;
        let listings = Splits::make(|split| Ok(listing(tasks.of(split), protocol)))?;
        Ok(Self { tasks, listings })
    }

    /// What a split has.
    pub fn listing(&self, split: Split) -> &Listing {
        self.listings.of(split)
    }

    /// A task.
    ///
    /// # Errors
    /// If the split has no such task.
    pub fn find(&self, split: Split, task: &TaskId) -> Result<&Arc<T>, EpisodeError> {
        let unknown = || EpisodeError::UnknownTask { task: task.clone(), split };
        self.tasks.of(split).find(task).ok_or_else(unknown)
    }
}

fn listing<T: Located + Serialize>(tasks: &Tasks<T>, protocol: &impl Serialize) -> Listing {
    let excluded = tasks.excluded.iter().map(|one| (one.task.as_str(), one.reason.as_str())).collect();
    let fingerprinted =
        Fingerprinted { protocol, tasks: tasks.kept.iter().map(Arc::as_ref).collect(), excluded };
    Listing {
        tasks: tasks.kept.iter().map(|task| task.id().clone()).collect(),
        excluded: tasks.excluded.clone(),
        // Plain structs of texts and numbers always have a JSON form.
        fingerprint: Fingerprint::of_json(&fingerprinted).unwrap_or_else(|_| Fingerprint::of(b"")),
    }
}
