//! The simulated models: a target that does each kind of task with bad habits, an optimizer that compares trajectories,
//! and both behind an OpenAI-compatible server on loopback.
//!
//! Always holds: a simulated model sees the messages that a real one would see and nothing else; its reply depends
//! on messages, temperature and the request's seed alone; what it is says that it is simulated. Target and
//! optimizer share no code about behaviour and no wording.

mod draw;
mod optimizer;
mod server;
mod spoken;
mod target;

pub use optimizer::SimulatedOptimizer;
pub use server::{
    Fault, FaultPlan, FaultShare, InvalidFault, ServerError, ServerOptions, SimulationServer, Statistics,
    TooManyFaults,
};
pub use target::SimulatedTarget;
