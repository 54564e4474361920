//! The direction of dependencies, and who may use which library.
//!
//! Always holds: a package that is not in the table below is a problem, so that a new one gets its place on purpose.

use super::workspace::{Package, Workspace};

/// What each package may use of the workspace. No stage uses another one, except `patch`, which is a pure library.
const MAY_USE: [(&str, &[&str]); 15] = [
    ("model", &[]),
    ("artifact", &["model"]),
    ("sandbox", &["model"]),
    ("bench", &["model", "sandbox"]),
    ("llm", &["model"]),
    ("simulate", &["llm", "model"]),
    ("rollout", &["bench", "llm", "model"]),
    ("critique", &["llm", "model", "patch"]),
    ("review", &["llm", "model", "patch"]),
    ("patch", &["model"]),
    ("gate", &["model"]),
    ("pipeline", &["artifact", "model"]),
    ("report", &["artifact", "model", "pipeline"]),
    (
        "cli",
        &[
            "artifact", "bench", "critique", "gate", "llm", "model", "patch", "pipeline", "report", "review",
            "rollout", "simulate",
        ],
    ),
    ("xtask", &["artifact", "model", "pipeline"]),
];

/// Libraries that only some packages may use.
const ONLY: [(&str, &[&str]); 5] = [
    ("reqwest", &["llm"]),
    ("rustls", &["llm"]),
    ("bincode", &["artifact"]),
    ("zstd", &["artifact"]),
    ("clap", &["cli", "xtask", "patch"]),
];

/// The pure packages, with everything from outside that they may use without a feature.
const PURE: [(&str, &[&str]); 3] = [
    ("model", &["blake3", "serde", "serde_json", "thiserror"]),
    ("gate", &["serde", "thiserror"]),
    (
        "patch",
        &[
            "aho-corasick",
            "memchr",
            "regex",
            "serde",
            "serde_json",
            "similar",
            "strsim",
            "thiserror",
            "unicode-normalization",
        ],
    ),
];

/// Dependencies that point the wrong way or reach too far.
pub(crate) fn problems(workspace: &Workspace) -> Vec<String> {
    workspace.packages.iter().flat_map(package_problems).collect()
}

fn package_problems(package: &Package) -> Vec<String> {
    let name = short(&package.name);
    let Some(allowed) = of(&MAY_USE, name) else {
        return vec![format!(
            "{name}: has no place in the table of xtask/src/tidy/dependencies.rs; give it one"
        )];
    };
    let shipped = package.dependencies.iter().filter(|dependency| !dependency.development);
    let mut problems = Vec::new();
    for dependency in shipped {
        let used = short(&dependency.name);
        let inside = of(&MAY_USE, used).is_some();
        if inside && !allowed.contains(&used) {
            problems.push(format!("{name}: must not depend on {used}; dependencies point one way"));
        }
        if of(&ONLY, used).is_some_and(|users| !users.contains(&name)) {
            problems.push(format!("{name}: must not use {used}, which has its place in another crate"));
        }
        let foreign = !inside && !dependency.optional;
        if foreign && of(&PURE, name).is_some_and(|libraries| !libraries.contains(&used)) {
            problems.push(format!("{name}: must stay small, and {used} is not on its list"));
        }
    }
    problems
}

fn short(package: &str) -> &str {
    package.strip_prefix("textualrl-").unwrap_or(package)
}

fn of<'a>(table: &[(&str, &'a [&'a str])], name: &str) -> Option<&'a [&'a str]> {
    table.iter().find(|(known, _)| *known == name).map(|(_, list)| *list)
}

#[cfg(test)]
mod tests {
    use super::super::workspace::Dependency;
    use super::*;

    fn package(name: &str, uses: &[&str]) -> Package {
        let dependency =
            |name: &&str| Dependency { name: (*name).to_owned(), development: false, optional: false };
        Package {
            name: name.to_owned(),
            dependencies: uses.iter().map(dependency).collect(),
            benches: Vec::new(),
        }
    }

    #[test]
    fn what_points_the_wrong_way_is_found() {
        for (name, uses, expected) in [
            ("textualrl-critique", &["textualrl-patch", "serde"][..], &[][..]),
            (
                "textualrl-critique",
                &["textualrl-review"],
                &["critique: must not depend on review; dependencies point one way"],
            ),
            (
                "textualrl-bench",
                &["reqwest"],
                &["bench: must not use reqwest, which has its place in another crate"],
            ),
            ("textualrl-gate", &["tokio"], &["gate: must stay small, and tokio is not on its list"]),
            (
                "textualrl-new",
                &[],
                &["new: has no place in the table of xtask/src/tidy/dependencies.rs; give it one"],
            ),
        ] {
            assert_eq!(package_problems(&package(name, uses)), expected, "{name}");
        }
    }

    #[test]
    fn tests_may_use_what_they_need_and_features_bring_what_they_bring() {
        let mut gate = package("textualrl-gate", &["tokio", "proptest"]);
        gate.dependencies[0].optional = true;
        gate.dependencies[1].development = true;
        assert_eq!(package_problems(&gate), Vec::<String>::new());
    }
}
