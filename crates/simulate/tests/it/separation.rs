//! Target and optimizer know nothing of each other.

use std::collections::BTreeSet;
use std::path::Path;

/// The texts of a module's files, in its folder and below.
fn sources(folder: &str) -> Vec<String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder)];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => texts.push(std::fs::read_to_string(path).unwrap()),
            }
        }
    }
    texts
}

/// The string literals of a module's files that are longer than twelve characters.
fn literals(folder: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for text in sources(folder) {
        let code = text.split("#[cfg(test)]").next().unwrap();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let pieces = line.replace("\\\"", "'");
            let inside = pieces.split('"').skip(1).step_by(2).map(str::to_owned);
            found.extend(inside.filter(|text| text.chars().count() > 12));
        }
    }
    found
}

#[test]
fn target_and_optimizer_share_no_wording() {
    let (target, optimizer) = (literals("target"), literals("optimizer"));
    assert!(target.len() > 20 && optimizer.len() > 50, "{} {}", target.len(), optimizer.len());
    let shared: Vec<&String> = target.intersection(&optimizer).collect();
    assert!(shared.is_empty(), "{shared:?}");
    let held = |text: &String| optimizer.iter().any(|other| other.contains(text.as_str()));
    let repeated: Vec<&String> = target.iter().filter(|text| held(text)).collect();
    assert!(repeated.is_empty(), "{repeated:?}");
}

#[test]
fn neither_module_uses_the_other() {
    let uses = |folder: &str, other: &str| sources(folder).iter().any(|text| text.contains(other));
    assert!(!uses("target", "crate::optimizer") && !uses("optimizer", "crate::target"));
}
