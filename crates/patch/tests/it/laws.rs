//! Laws that hold for any text and any patch.

use proptest::prelude::*;
use textualrl_model::{Action, Anchor, Context, Edit, Patch, Place};
use textualrl_patch::{Applied, ApplyError, ApplyOptions, Fate, apply, parse_patch, read_edits};

/// Lines that exercise every part of Markdown that the library knows.
const LINES: &[&str] = &[
    "",
    "",
    " ",
    "# One",
    "## Two",
    "### Three",
    "- a",
    "- b",
    "  - nested",
    "  more",
    "1. first",
    "plain",
    "two words",
    "```",
    "~~~",
    "> quote",
    "| a | b |",
    "---",
    "<!-- protected -->",
    "<!-- /protected -->",
    "<!-- protected",
    "cafe\u{301}",
    "caf\u{e9}",
    "\u{201c}q\u{201d}",
    "\"q\"",
    "trail  ",
    "\ttab",
    "\u{feff}",
    "-->",
    "***",
    "é\u{301}",
];

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(LINES).prop_map(str::to_owned),
        1 => "[a-c ]{0,6}",
        1 => any::<String>(),
    ]
}

fn text() -> impl Strategy<Value = String> {
    (prop::collection::vec((line(), prop::sample::select(&["\n", "\n", "\n", "\r\n"][..])), 0..12), line())
        .prop_map(|(lines, last)| {
            let mut text: String = lines.into_iter().map(|(line, ending)| line + ending).collect();
            text.push_str(&last);
            text
        })
}

/// A piece of `text`, or something else.
fn target(text: String) -> impl Strategy<Value = String> {
    let count = text.chars().count();
    let piece = (0..=count, 0..20_usize)
        .prop_map(move |(start, length)| text.chars().skip(start).take(length).collect());
    prop_oneof![6 => piece, 2 => line(), 1 => any::<String>()]
}

fn edit(text: String) -> impl Strategy<Value = Edit> {
    let content = prop::collection::vec(line(), 1..4).prop_map(|lines| lines.join("\n"));
    let under = prop::collection::vec(
        prop::sample::select(&["One", "Two", "# One"][..]).prop_map(str::to_owned),
        0..2,
    );
    let occurrence = prop::option::weighted(0.2, 1..3_u32);
    (target(text), content, under, occurrence, 0..6_u8).prop_map(
        |(target, content, under, occurrence, op)| {
            let anchor = Anchor { target, under: under.clone(), occurrence };
            Edit::new(match op {
                0 => Action::Append { content, under },
                1 => Action::InsertAfter { anchor, content, place: Place::Line },
                2 => Action::InsertAfter { anchor, content, place: Place::Block },
                3 | 4 => Action::Replace { anchor, content },
                _ => Action::Delete { anchor },
            })
        },
    )
}

fn text_and_edits() -> impl Strategy<Value = (String, Vec<Edit>)> {
    text().prop_flat_map(|base| (Just(base.clone()), prop::collection::vec(edit(base), 0..6)))
}

fn options() -> impl Strategy<Value = ApplyOptions> {
    (any::<bool>(), prop::option::weighted(0.2, 0..200_u64), any::<bool>()).prop_map(
        |(fingerprints, max_bytes, keep)| {
            let must_contain = if keep { vec!["plain".to_owned()] } else { Vec::new() };
            ApplyOptions { fingerprints, max_bytes, must_contain, ..ApplyOptions::default() }
        },
    )
}

fn applied(base: &str, edits: &[Edit], options: &ApplyOptions) -> Applied {
    apply(&Context::new(base), &Patch { base: None, edits: edits.to_vec() }, options).unwrap()
}

/// The protected regions, by a scan of its own: text from a start marker to where the nesting ends.
fn protected(text: &str) -> Vec<&str> {
    let (start, end) = ("<!-- protected -->", "<!-- /protected -->");
    let mut regions = Vec::new();
    let (mut depth, mut from) = (0, 0);
    for (at, _) in text.char_indices() {
        if text[at..].starts_with(start) {
            if depth == 0 {
                from = at;
            }
            depth += 1;
        } else if text[at..].starts_with(end) {
            match depth {
                0 => regions.push(end),
                1 => regions.push(&text[from..at + end.len()]),
                _ => {}
            }
            depth = i32::max(depth - 1, 0);
        }
    }
    if depth > 0 {
        regions.push(&text[from..]);
    }
    regions
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, max_global_rejects: 1_000_000, ..ProptestConfig::default() })]

    #[test]
    fn the_empty_patch_is_the_identity(base in text(), options in options()) {
        let applied = applied(&base, &[], &ApplyOptions { must_contain: Vec::new(), ..options });
        prop_assert_eq!(applied.context.text(), &base);
        prop_assert!(!applied.changed());
    }

    #[test]
    fn the_inverse_restores((base, edits) in text_and_edits(), options in options()) {
        let applied = applied(&base, &edits, &options);
        prop_assert_eq!(applied.fates.len(), edits.len());
        let restored = applied.inverse.undo(&applied.context).unwrap();
        prop_assert_eq!(restored.text(), &base);
    }

    #[test]
    fn protected_bytes_never_change((base, edits) in text_and_edits(), options in options()) {
        let applied = applied(&base, &edits, &options);
        prop_assert_eq!(protected(applied.context.text()), protected(&base), "{:?}", applied.fates);
    }

    #[test]
    fn applied_ranges_hold_the_content((base, edits) in text_and_edits(), options in options()) {
        let applied = applied(&base, &edits, &options);
        let result = applied.context.text();
        for (edit, fate) in edits.iter().zip(&applied.fates) {
            let Fate::Applied(place) = fate else { continue };
            let held = result[place.bytes.clone()].replace("\r\n", "\n");
            let content = edit.content().unwrap_or("").replace("\r\n", "\n");
            prop_assert!(content.contains(&held), "{:?} holds {:?}", edit, held);
            prop_assert_eq!(held.trim(), content.trim());
            let line = result[..place.bytes.start].matches('\n').count() + 1;
            prop_assert_eq!(place.lines.0, line);
        }
    }

    #[test]
    fn the_order_of_edits_at_different_places_does_not_matter((base, edits) in text_and_edits()) {
        let forward = applied(&base, &edits, &ApplyOptions::default());
        let places: Vec<usize> = forward.fates.iter().filter_map(|fate| match fate {
            Fate::Applied(place) => Some(place.base_bytes.start),
            _ => None,
        }).collect();
        let apart = places.iter().collect::<std::collections::BTreeSet<_>>().len() == places.len();
        let all = forward.fates.iter().all(|fate| !matches!(fate, Fate::Refused(refusal) if matches!(
            refusal.reason, textualrl_patch::RefusalReason::Overlap | textualrl_patch::RefusalReason::Marker)));
        let repeats = forward.fates.iter().any(|fate| matches!(fate, Fate::NoChange { .. }));
        prop_assume!(apart && all && !repeats);
        let reversed: Vec<Edit> = edits.iter().rev().cloned().collect();
        let backward = applied(&base, &reversed, &ApplyOptions::default());
        prop_assert_eq!(backward.context, forward.context);
    }

    #[test]
    fn twins_in_line_endings_give_twins((base, edits) in text_and_edits()) {
        let base = base.replace('\r', "");
        prop_assume!(base.contains('\n'));
        let twin = base.replace('\n', "\r\n");
        // What a target with breaks at its ends or blanks at line ends takes with it depends on how it is found.
        let has_twin = |edit: &Edit| {
            let target = edit.target().unwrap_or("");
            let bare = target.split('\n').all(|line| line.trim_end() == line) && !target.starts_with('\n');
            bare && !target.ends_with('\n') && !target.contains('\r') && !edit.content().unwrap_or("").contains('\r')
        };
        let edits: Vec<Edit> = edits.into_iter().filter(has_twin).collect();
        let plain = applied(&base, &edits, &ApplyOptions::default());
        let other = applied(&twin, &edits, &ApplyOptions::default());
        prop_assert_eq!(other.context.text(), plain.context.text().replace('\n', "\r\n"));
    }

    #[test]
    fn a_patch_that_names_its_base_changes_nothing_twice((base, edits) in text_and_edits()) {
        let base = Context::new(base);
        let patch = Patch { base: Some(base.fingerprint()), edits };
        let once = apply(&base, &patch, &ApplyOptions::default()).unwrap();
        let twice = apply(&once.context, &patch, &ApplyOptions::default());
        if once.context == base {
            prop_assert_eq!(twice.unwrap().context, base);
        } else {
            prop_assert!(matches!(twice, Err(ApplyError::OtherBase { .. })), "applied twice");
        }
    }

    #[test]
    fn additions_and_replacements_recognize_what_they_did(kinds in prop::collection::vec(0..4_u8, 1..8), crlf in any::<bool>()) {
        let mut base: String = (0..kinds.len()).map(|number| format!("- rule {number};\n\n")).collect();
        base.insert_str(0, "# Rules\n\n");
        if crlf {
            base = base.replace('\n', "\r\n");
        }
        let edits: Vec<Edit> = kinds.iter().enumerate().map(|(number, kind)| {
            let target = format!("- rule {number};");
            match kind {
                0 => Edit::append(format!("- new {number}\n  more")),
                1 => Edit::insert_after(target, format!("- next {number};")),
                2 => Edit::replace(target.clone(), format!("{target} and more {number}")),
                _ => Edit::delete(target),
            }
        }).collect();
        let once = applied(&base, &edits, &ApplyOptions::default());
        prop_assert!(once.fates.iter().all(Fate::is_applied), "{:?}", once.fates);
        let twice = applied(once.context.text(), &edits, &ApplyOptions::default());
        prop_assert_eq!(twice.context, once.context);
        prop_assert!(!twice.fates.iter().any(Fate::is_applied));
    }

    #[test]
    fn no_value_makes_reading_panic(text in any::<String>(), edits in prop::collection::vec(edit("abc".to_owned()), 0..3)) {
        let value = serde_json::json!({"edits": edits, "note": text});
        let _ = read_edits(&value);
        let _ = parse_patch(&serde_json::Value::String(text));
    }
}
