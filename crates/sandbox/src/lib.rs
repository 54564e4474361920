//! Runs Python programs that a model wrote: confined, limited, on copies.
//!
//! A [`Sandbox`] is made once from the settings, and says then what is missing on this machine. It runs a [`Program`] in a
//! fresh work folder that goes away afterwards, under [`Limits`], and tells how it ended, what it printed and the one file
//! that it was to leave. A program that fails, breaks a limit or leaves nothing is a [`Run`] like any other; an error
//! means that the program could not be run, and is worth no reward at all.
//!
//! The program finds its inputs, and leaves its output, in its working directory. Scripts name those files by relative
//! paths, which hold in every confinement; the folder itself is [`FOLDER`] under bubblewrap alone, though what a program
//! prints says [`FOLDER`] always.
//!
//! Always holds: no program is run without the confinement that the settings name, and none sees a file that it was not
//! given unless that confinement is `none`.

mod account;
mod bubblewrap;
mod filter;
mod folder;
mod interpreter;
mod printed;
mod process;
mod processes;
mod program;
mod resources;
mod restricted;
mod sandbox;
mod system;
mod unconfined;
mod watch;

pub use program::{Ended, FOLDER, Limits, Program, Run};
pub use sandbox::{Sandbox, SandboxError};
