//! Runs programs that a model wrote.
//!
//! Always holds: no program is run without the confinement that the settings name.
