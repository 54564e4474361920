//! What a process may do with a run, and shards of a stage.
//!
//! Always holds: a shard's number is below the number of shards.

use crate::slot::Slot;

/// What a process may do with a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read, while others may write.
    Read,
    /// Write, as the only one.
    Write,
    /// Write, as a stage process of the loop that holds the run.
    UnderLoop,
    /// Write one shard, while other processes write other shards.
    Shard(Shard),
}

/// A part of a slot's rollouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    slot: Slot,
    number: u32,
    of: u32,
}

/// Numbers that name no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{number}/{of} is no shard; write 0/4 to 3/4 for four of them")]
pub struct InvalidShard {
    /// The shard's number.
    pub number: u32,
    /// The number of shards.
    pub of: u32,
}

impl Shard {
    /// Shard `number`, from 0, of `of`.
    ///
    /// # Errors
    /// If `number` is not below `of`.
    pub fn new(slot: Slot, number: u32, of: u32) -> Result<Self, InvalidShard> {
        if number < of { Ok(Self { slot, number, of }) } else { Err(InvalidShard { number, of }) }
    }

    /// The slot that it is a part of.
    pub fn slot(self) -> Slot {
        self.slot
    }

    /// Its number, from 0.
    pub fn number(self) -> u32 {
        self.number
    }

    /// The number of shards.
    pub fn of(self) -> u32 {
        self.of
    }

    pub(crate) fn folder(self) -> String {
        format!("{}.shards/{:02}-of-{:02}", self.slot.folder(), self.number, self.of)
    }
}
