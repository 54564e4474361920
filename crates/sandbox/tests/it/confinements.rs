//! The sandboxes of this machine, and small programs for them.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use textualrl_model::settings::Confinement;
use textualrl_sandbox::{Limits, Program, Run, Sandbox};

/// Interpreters to try. The one of the system starts quickly and can be reached by every user.
const PYTHONS: [&str; 2] = ["/usr/bin/python3", "python3"];

pub(crate) const LIMITS: Limits = Limits {
    run_time: Duration::from_secs(10),
    memory_bytes: 512 << 20,
    disk_bytes: 8 << 20,
    processes: 16,
    output_bytes: 4096,
};

static UNCONFINED: LazyLock<Sandbox> = LazyLock::new(|| working(Confinement::None).unwrap());
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
    let mut why = Vec::new();
    for python in PYTHONS {
        match Sandbox::new(confinement, python) {
            Ok(sandbox) => return Some(sandbox),
            Err(error) => why.push(error.to_string()),
        }
    }
    eprintln!("SKIPPED: {confinement:?} does not work on this machine: {}", why.join("; "));
    None
}

/// Whether the tests run as root.
pub(crate) fn is_root() -> bool {
    std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()) == 0
}

/// Runs a script that is to leave `output.txt`.
pub(crate) fn run(sandbox: &Sandbox, script: &str, limits: &Limits) -> Run {
    run_with(sandbox, script, &[], limits)
}

pub(crate) fn run_with(sandbox: &Sandbox, script: &str, inputs: &[(&str, &Path)], limits: &Limits) -> Run {
    let program = Program { script, inputs: inputs.to_vec(), output: "output.txt" };
    sandbox.run(&program, limits).unwrap()
}
