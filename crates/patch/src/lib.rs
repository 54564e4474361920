//! Edits of instructions, applied safely: nothing misplaced, nothing protected touched, everything reported,
//! everything reversible.
//!
//! Models propose edits of system prompts, `AGENTS.md` and `SKILL.md` files. [`apply`] makes them, [`InversePatch`]
//! undoes them, [`locate`] says where an edit would go, and [`compose`] decides which of many ranked edits make the
//! next candidate of TextualRL. The rules follow, each with an example that is a test.
//!
//! Always holds: this crate reads and writes no file, talks to no model, and never guesses where an edit belongs.
//!
//! # Edits
//!
//! A patch is `{"edits": […]}`, a bare list or a single edit. An edit has `op` (`append`, `insert_after`, `replace`,
//! `delete`), `target`, `content`, and perhaps `under` (a heading or a path of headings), `occurrence` (from 1) and
//! `block`. Null counts as absent; unknown fields are kept; anything else is an error with the path to the field.
//!
//! ```
//! let patch = textualrl_patch::parse_patch_text(r#"{"edits": [
//!     {"op": "replace", "target": "- Be brief.", "content": "- Be exact.", "under": "Style", "why": "r2"}
//! ]}"#).unwrap();
//! assert_eq!(patch.edits[0].extra["why"], "r2");
//! let error = textualrl_patch::parse_patch_text(r#"[{"op": "replace", "target": "a"}]"#).unwrap_err();
//! assert_eq!(error.to_string(), "$[0].content: is missing; `replace` needs it");
//! ```
//!
//! # Together
//!
//! All targets are found in the base, then all changes are made together, so the order of edits at different places
//! does not matter. Insertions at one place keep list order. Of overlapping edits the later one is refused.
//!
//! ```
//! # fn result(base: &str, edits: Vec<Edit>) -> (String, Vec<Fate>) {
//! #     let patch = Patch { base: None, edits };
//! #     let applied = apply(&Context::new(base), &patch, &ApplyOptions::default()).unwrap();
//! #     (applied.context.text().to_owned(), applied.fates)
//! # }
//! use textualrl_model::{Context, Edit, Patch};
//! use textualrl_patch::{ApplyOptions, Fate, apply};
//!
//! let edits = vec![Edit::insert_after("- a", "- 1"), Edit::insert_after("- a", "- 2"), Edit::delete("- a\n- b")];
//! let (text, fates) = result("- a\n- b\n", edits);
//! assert_eq!(text, "- a\n- 1\n- 2\n- b\n");
//! assert!(fates[2].is_refused());
//! ```
//!
//! # Finding a target
//!
//! First byte for byte; then modulo line endings, Unicode composition, trailing blanks and typographic quotes. A tier
//! counts only if exactly one match exists in it. Several are [`Ambiguous`](RefusalReason::Ambiguous), with the line
//! numbers; none is [`NotFound`](RefusalReason::NotFound), with the nearest line and how it differs. There is no fuzzy
//! match, and `insert_after` never becomes `append`. `under` and `occurrence` make a target unambiguous.
//!
//! ```
//! use textualrl_model::{Context, Edit};
//! use textualrl_patch::{ApplyOptions, Tier, locate};
//!
//! let base = Context::new("# A\r\n- Say \u{201c}please\u{201d}.  \r\n- Be brief.\r\n# B\r\n- Be brief.\r\n");
//! let find = |edit: &str| locate(&base, &serde_json::from_str::<Edit>(edit).unwrap(), &ApplyOptions::default());
//! let found = find(r#"{"op": "delete", "target": "- Say \"please\".\n- Be brief."}"#).unwrap();
//! assert_eq!((found.tier, found.lines), (Some(Tier::Normalized), (2, 3)));
//! let refusal = find(r#"{"op": "delete", "target": "- Be brief."}"#).unwrap_err();
//! assert!(refusal.detail.contains("2 times, on lines 3, 5"));
//! assert_eq!(find(r#"{"op": "delete", "target": "- Be brief.", "under": "B"}"#).unwrap().lines, (5, 5));
//! assert_eq!(find(r#"{"op": "delete", "target": "- Be brief.", "occurrence": 1}"#).unwrap().lines, (3, 3));
//! let refusal = find(r#"{"op": "delete", "target": "- Be Brief."}"#).unwrap_err();
//! assert!(refusal.detail.contains("nearest is line 3"));
//! ```
//!
//! # Seams
//!
//! - `insert_after` goes after the line of its target; with `block`, after the paragraph, list item, table or fenced
//!   block. It cuts nothing off: a new list item goes after the whole item, a new section after the body of the
//!   heading that it names (up to the next heading that is no deeper than the new one), and whatever names a place
//!   within a fenced block goes after that block. To change a fenced block, use `replace`.
//! - `append` goes to the end of the text, or of the section `under`.
//! - A new list item joins its list, a row its table; between other blocks stands exactly one blank line. A line that
//!   goes between two lines of a paragraph stays within it.
//! - Line breaks around `target` and `content` do not count; indentation and everything else of `content` is kept.
//! - `delete` of all that a line holds takes the line, and of two runs of blank lines one; a heading whose last content
//!   goes, goes too, unless [`keep_empty_headings`](ApplyOptions::keep_empty_headings) is set.
//! - No edit leaves a code fence open.
//!
//! ```
//! # use textualrl_model::{Context, Edit, Patch};
//! # use textualrl_patch::{ApplyOptions, apply};
//! # fn result(base: &str, edit: Edit) -> String {
//! #     let patch = Patch { base: None, edits: vec![edit] };
//! #     apply(&Context::new(base), &patch, &ApplyOptions::default()).unwrap().context.text().to_owned()
//! # }
//! assert_eq!(result("- a\n  more\n- b\n", Edit::insert_after("- a", "- x")), "- a\n  more\n- x\n- b\n");
//! assert_eq!(result("- a\n\nText.\n", Edit::append("- x")), "- a\n\nText.\n\n- x\n");
//! assert_eq!(result("## C\n\nText.\n", Edit::insert_after("## C", "## D")), "## C\n\nText.\n\n## D\n");
//! assert_eq!(result("# A\n\n- a\n\n# B\n\n- b\n", Edit::delete("- a")), "# B\n\n- b\n");
//! ```
//!
//! # Bytes
//!
//! Whatever is not edited stays byte for byte: line endings, byte order mark, final newline or none, tabs, trailing
//! blanks. New text takes the line ending of its surroundings.
//!
//! ```
//! # use textualrl_model::{Context, Edit, Patch};
//! # use textualrl_patch::{ApplyOptions, apply};
//! let base = Context::new("\u{feff}- a  \r\n- b");
//! let patch = Patch { base: None, edits: vec![Edit::append("- c\n- d")] };
//! let applied = apply(&base, &patch, &ApplyOptions::default()).unwrap();
//! assert_eq!(applied.context.text(), "\u{feff}- a  \r\n- b\r\n- c\r\n- d");
//! ```
//!
//! # Protection
//!
//! YAML front matter and regions between markers are protected: an edit that touches one, or that would make or remove
//! a marker, is refused. Nested regions end with the outer end marker, an unclosed one reaches to the end, and
//! [`Applied::flaws`] says so. Markers count within code fences too. `must_contain` and the size limits are checked on
//! the result; the last edit that breaks them is refused.
//!
//! ```
//! # use textualrl_model::{Context, Edit, Patch};
//! # use textualrl_patch::{ApplyOptions, Fate, RefusalReason, apply};
//! let base = Context::new("- a\n<!-- protected -->\n- b\n<!-- /protected -->\n");
//! let patch = Patch { base: None, edits: vec![Edit::delete("- a\n<!-- protected -->\n- b"), Edit::delete("- a")] };
//! let applied = apply(&base, &patch, &ApplyOptions::default()).unwrap();
//! assert!(matches!(&applied.fates[0], Fate::Refused(refusal) if refusal.reason == RefusalReason::Protected));
//! assert_eq!(applied.context.text(), "<!-- protected -->\n- b\n<!-- /protected -->\n");
//! ```
//!
//! # Repetition
//!
//! An edit that changes nothing is [`NoChange`](Fate::NoChange): a replacement that equals its target, an addition that
//! stands at its place already (for `append`, anywhere in the text or section), a replacement that is already made. So
//! applying a patch again changes nothing, provided that no content holds another edit's target and no edit counts
//! occurrences. A patch that names its base changes nothing a second time in any case, as its base is gone.
//!
//! ```
//! # use textualrl_model::{Context, Edit, Patch};
//! # use textualrl_patch::{ApplyOptions, Fate, apply};
//! let edits = vec![Edit::replace("Be brief.", "Be brief. Cite."), Edit::append("- x")];
//! let patch = Patch { base: None, edits };
//! let once = apply(&Context::new("Be brief.\n"), &patch, &ApplyOptions::default()).unwrap();
//! let twice = apply(&once.context, &patch, &ApplyOptions::default()).unwrap();
//! assert_eq!(twice.context, once.context);
//! assert!(twice.fates.iter().all(|fate| matches!(fate, Fate::NoChange { .. })));
//! ```
//!
//! # Fates and the way back
//!
//! Every edit ends as applied (bytes and lines of the result, tier), no change, or refused (reason, detail). A patch is
//! applied edit by edit, or with [`all_or_nothing`](ApplyOptions::all_or_nothing). [`Applied::inverse`] restores the
//! base byte for byte. A patch that names another base is refused unless [`rebase`](ApplyOptions::rebase) is set.
//!
//! ```
//! # use textualrl_model::{Context, Edit, Patch};
//! # use textualrl_patch::{ApplyError, ApplyOptions, apply};
//! let base = Context::new("- a\n");
//! let patch = Patch { base: Some(base.fingerprint()), edits: vec![Edit::replace("- a", "- b")] };
//! let applied = apply(&base, &patch, &ApplyOptions::default()).unwrap();
//! assert_eq!(applied.inverse.undo(&applied.context).unwrap(), base);
//! let error = apply(&applied.context, &patch, &ApplyOptions::default()).unwrap_err();
//! assert!(matches!(error, ApplyError::OtherBase { .. }));
//! ```
//!
//! # Limits
//!
//! Headings with underlines instead of hashes are not seen as headings. A fence is a line that starts with three
//! backticks or tildes, however far it is indented. Lone carriage returns are ordinary characters.

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod apply;
mod assemble;
mod budget;
mod compose;
mod difference;
mod document;
mod family;
mod fate;
mod inverse;
mod lint;
mod locate;
mod nearest;
mod normal;
pub mod observability;
mod options;
mod parse;
mod plan;
mod protect;
mod resolve;
mod search;
mod section;
pub mod similarity;
mod text;
mod verify;

pub use apply::{Applied, ApplyError, Fingerprints, apply};
pub use budget::clip;
pub use compose::{ComposeInput, ComposeOutcome, Composition, EditFate, RankedEdit, StageFate, compose};
pub use difference::unified_diff;
pub use family::{EditFamily, PastCandidate, families};
pub use fate::{AppliedEdit, Fate, NoChangeReason, Refusal, RefusalReason, Tier};
pub use inverse::{InversePatch, Restore, UndoError};
pub use lint::{Finding, lint};
pub use locate::{Located, locate};
pub use options::{ApplyOptions, estimated_tokens};
pub use parse::{ParsePatchError, ReadEdits, parse_patch, parse_patch_text, read_edits};
pub use protect::MarkerFlaw;
