//! The records that the binary container holds, one frozen module a version.
//!
//! Always holds: a module here is never changed once it was released; a change is a new module and a conversion from
//! the one before.

pub mod v1;
