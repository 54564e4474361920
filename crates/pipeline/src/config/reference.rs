//! The reference of all keys as Markdown, made from the commented defaults.
//!
//! Always holds: the page says what the defaults file says, and nothing else; `docs/configuration.md` is this text.

use std::fmt::Write;

use super::sources::DEFAULTS;

const HEAD: &str = "\
# Configuration

Every key, its default and its meaning. This page is made from `crates/pipeline/presets/defaults.toml`; change it there, then
run `cargo xtask tidy --fix`.

A configuration is laid together from the defaults, a preset (`--preset NAME`, or `extends = \"NAME\"` in your file), your
file (`--config FILE`), single keys (`--set rollout.k=8`) and `--data DIR`; what comes later wins. An unknown key, a value of
the wrong kind and keys that do not fit each other are refused with file and line. The resolved configuration lies in the
run folder as `run.toml`.

A run is resumed with the configuration that it was made with. Keys that change no result may change on the way: those of
`[limits]`, and of the endpoints `concurrency`, `requests_per_minute`, `tokens_per_minute`, `timeout_seconds`,
`deadline_seconds`, `attempts`, `key_env` and `system_proxy`. Any other needs `--allow-changed KEY`, and makes stale what
depends on it.
";

/// The text of `docs/configuration.md`.
pub fn reference_markdown() -> String {
    let mut page = HEAD.to_owned();
    // The first paragraph of the file is about the file itself.
    let body = DEFAULTS.split_once("\n\n").map_or(DEFAULTS, |(_, body)| body);
    let mut comment: Vec<&str> = Vec::new();
    for line in body.lines() {
        if let Some(words) = line.strip_prefix('#') {
            comment.push(words.trim());
        } else if let Some(section) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let words = std::mem::take(&mut comment).join(" ");
            // Writing to a string cannot fail.
            let _ =
                write!(page, "\n## `[{section}]`\n\n{words}\n\n| key | default | meaning |\n|---|---|---|\n");
        } else if let Some((key, value)) = line.split_once(" = ") {
            let words = std::mem::take(&mut comment).join(" ").replace('|', "\\|");
            let _ = writeln!(page, "| `{key}` | `{}` | {words} |", value.replace('|', "\\|"));
        }
    }
    page
}
