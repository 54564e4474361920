//! Any text and any patch: nothing panics, the inverse restores the base, every edit has a fate.
#![no_main]

use libfuzzer_sys::fuzz_target;
use textualrl_model::{Action, Anchor, Context, Edit, Patch, Place};
use textualrl_patch::{ApplyOptions, apply, lint, observability, parse_patch_text, similarity};

/// Separates the fields of an input: the base, then target and content of each edit.
const SEPARATOR: char = '\u{1}';

fn edit(number: usize, target: &str, content: &str) -> Edit {
    // The first character says which operation, so that the fuzzer can choose.
    let (op, target) = match target.chars().next() {
        Some(first) if first.is_ascii_digit() => (first as usize - '0' as usize, target.get(1..).unwrap_or("")),
        _ => (number, target),
    };
    let occurrence = (op >= 6).then_some(1);
    let anchor = Anchor { target: target.to_owned(), under: Vec::new(), occurrence };
    let content = content.to_owned();
    Edit::new(match op % 5 {
        0 => Action::Append { content, under: Vec::new() },
        1 => Action::InsertAfter { anchor, content, place: Place::Line },
        2 => Action::InsertAfter { anchor, content, place: Place::Block },
        3 => Action::Replace { anchor, content },
        _ => Action::Delete { anchor },
    })
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let _ = parse_patch_text(&text);
    let fields: Vec<&str> = text.split(SEPARATOR).collect();
    let (base, rest) = fields.split_first().map_or(("", &[][..]), |(base, rest)| (*base, rest));
    let pairs = rest.chunks(2).enumerate();
    let edits: Vec<Edit> =
        pairs.map(|(number, pair)| edit(number, pair.first().unwrap_or(&""), pair.get(1).unwrap_or(&""))).collect();
    let base = Context::new(base);
    let options = ApplyOptions::default();
    let patch = Patch { base: None, edits };
    let applied = apply(&base, &patch, &options).expect("edits are applied one by one");
    assert_eq!(applied.fates.len(), patch.edits.len());
    assert_eq!(applied.inverse.undo(&applied.context).as_ref(), Ok(&base));
    let _ = lint(&base, &options);
    for edit in &patch.edits {
        let _ = observability::edit_dependency(edit);
        assert_eq!(similarity::edits(edit, edit), 1.0);
    }
});
