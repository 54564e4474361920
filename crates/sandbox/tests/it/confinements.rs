//! The sandboxes of this machine, and small programs for them.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use textualrl_model::settings::Confinement;
use textualrl_sandbox::{Limits, Program, Run, Sandbox};

/// Interpreters to try. One in the folder of a user may be out of reach for the number that root gives a run.
const PYTHONS: [&str; 2] = ["python3", "/usr/bin/python3"];

pub(crate) const LIMITS: Limits = Limits {
    run_time: Duration::from_secs(10),
    memory_bytes: 512 << 20,
    disk_bytes: 8 << 20,
    processes: 16,
    output_bytes: 4096,
};

static UNCONFINED: LazyLock<Sandbox> = LazyLock::new(|| Sandbox::new(Confinement::None, "python3").unwrap());
static CONFINED: LazyLock<Vec<Sandbox>> =
    LazyLock::new(|| [Confinement::Bwrap, Confinement::Landlock].into_iter().filter_map(working).collect());

/// No confinement, for controls.
pub(crate) fn unconfined() -> &'static Sandbox {
    &UNCONFINED
}

/// The confinements that work here. Says which do not, and why.
pub(crate) fn confined() -> impl Iterator<Item = &'static Sandbox> {
    CONFINED.iter()
}

/// Every confinement that works here, and none.
pub(crate) fn all() -> impl Iterator<Item = &'static Sandbox> {
    confined().chain([unconfined()])
}

fn working(confinement: Confinement) -> Option<Sandbox> {
    let tried: Vec<_> = PYTHONS.iter().map(|python| Sandbox::new(confinement, python)).collect();
    let (working, failed): (Vec<_>, Vec<_>) = tried.into_iter().partition(Result::is_ok);
    let found = working.into_iter().flatten().next();
    if found.is_none() {
        let why: Vec<String> =
            failed.into_iter().filter_map(Result::err).map(|error| error.to_string()).collect();
        eprintln!("SKIPPED: {confinement:?} does not work on this machine: {}", why.join("; "));
    }
    found
}

/// Runs a script that is to leave `output.txt`.
pub(crate) fn run(sandbox: &Sandbox, script: &str, limits: &Limits) -> Run {
    run_with(sandbox, script, &[], limits)
}

pub(crate) fn run_with(sandbox: &Sandbox, script: &str, inputs: &[(&str, &Path)], limits: &Limits) -> Run {
    let program = Program { script, inputs: inputs.to_vec(), output: "output.txt" };
    sandbox.run(&program, limits).unwrap()
}
