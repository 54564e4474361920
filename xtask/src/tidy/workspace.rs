//! The packages of the workspace as cargo sees them.
//!
//! Always holds: only what this tree declares is read, nothing of the packages that it uses.

use serde_json::Value;

use crate::shell::{self, TaskError};

/// A dependency as declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Whether it is for tests and benches only.
    pub(crate) development: bool,
    /// Whether a feature brings it in.
    pub(crate) optional: bool,
}

/// A package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) dependencies: Vec<Dependency>,
    /// The names of its benches.
    pub(crate) benches: Vec<String>,
}

/// All packages, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Workspace {
    pub(crate) packages: Vec<Package>,
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn load() -> Result<Self, TaskError> {
        let arguments = ["metadata", "--no-deps", "--format-version", "1"];
        let text = shell::output(shell::cargo().args(arguments).current_dir(shell::root()))?;
        let unreadable = |error: serde_json::Error| TaskError::Refused(format!("cargo metadata: {error}"));
        let metadata: Value = serde_json::from_str(&text).map_err(unreadable)?;
        let mut packages: Vec<Package> = items(&metadata, "packages").map(package).collect();
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { packages })
    }

    /// Package and name of each bench.
    pub(crate) fn benches(&self) -> Vec<(String, String)> {
        let of = |package: &Package| {
            let name = package.name.clone();
            package.benches.clone().into_iter().map(move |bench| (name.clone(), bench))
        };
        self.packages.iter().flat_map(of).collect()
    }
}

fn items<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    value.get(field).and_then(Value::as_array).into_iter().flatten()
}

fn text(value: &Value, field: &str) -> String {
    value.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn package(value: &Value) -> Package {
    let dependency = |value: &Value| Dependency {
        name: text(value, "name"),
        development: text(value, "kind") == "dev",
        optional: value.get("optional").and_then(Value::as_bool).unwrap_or(false),
    };
    let is_bench = |target: &&Value| items(target, "kind").any(|kind| kind == "bench");
    Package {
        name: text(value, "name"),
        dependencies: items(value, "dependencies").map(dependency).collect(),
        benches: items(value, "targets").filter(is_bench).map(|target| text(target, "name")).collect(),
    }
}
