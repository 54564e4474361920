//! Inputs on which comparable tools went wrong, with the right behaviour.

use textualrl_model::{Context, Edit, Patch};
use textualrl_patch::{ApplyOptions, Fate, NoChangeReason, RefusalReason, apply, read_edits};

use crate::rules::apply_to;

fn refusal(base: &str, edit: Edit) -> (RefusalReason, String) {
    let applied = apply_to(base, vec![edit]);
    assert_eq!(applied.context.text(), base, "refused edits change nothing");
    match applied.fates.into_iter().next() {
        Some(Fate::Refused(refusal)) => (refusal.reason, refusal.detail),
        other => panic!("{other:?} is no refusal"),
    }
}

#[test]
fn a_target_that_occurs_twice_is_refused_with_the_count() {
    let base = "## Rules\n- Be brief.\n\n## Style\n- Be brief.\n";
    let (reason, detail) = refusal(base, Edit::replace("- Be brief.", "- Be exact."));
    assert_eq!(reason, RefusalReason::Ambiguous);
    assert!(detail.contains("2 times, on lines 2, 5"), "{detail}");
    let named = r#"{"op":"replace","target":"- Be brief.","content":"- Be exact.","under":["Style"]}"#;
    let applied = apply_to(base, vec![serde_json::from_str(named).unwrap()]);
    assert_eq!(applied.context.text(), "## Rules\n- Be brief.\n\n## Style\n- Be exact.\n");
    let numbered = r#"{"op":"replace","target":"- Be brief.","content":"- Be exact.","occurrence":1}"#;
    let applied = apply_to(base, vec![serde_json::from_str(numbered).unwrap()]);
    assert_eq!(applied.context.text(), "## Rules\n- Be exact.\n\n## Style\n- Be brief.\n");
}

#[test]
fn a_blank_target_is_refused() {
    for edit in [Edit::replace("", "X"), Edit::delete(""), Edit::insert_after("  \n", "X")] {
        assert_eq!(refusal("abc", edit).0, RefusalReason::EmptyTarget);
    }
    let value = serde_json::json!([
        {"op": "replace", "target": "", "content": "X"},
        {"op": "delete", "target": ""},
        {"op": "insert_after", "target": "  \n", "content": "X"},
    ]);
    for (index, edit) in read_edits(&value).unwrap().edits.into_iter().enumerate() {
        assert_eq!(edit.unwrap_err().path, format!("$[{index}].target"));
    }
}

#[test]
fn a_missing_heading_is_refused_with_the_nearest_line() {
    let (reason, detail) =
        refusal("# A\n\n## How to cite\n- x\n", Edit::insert_after("## How to quote", "- X"));
    assert_eq!(reason, RefusalReason::NotFound);
    assert!(detail.contains("\"## How to quote\"") && detail.contains("line 3"), "{detail}");
}

#[test]
fn line_endings_and_composition_do_not_hide_a_target() {
    let cases = [
        ("- a\r\n- b\r\n- c\r\n", "- a\n- b", "- x\n- y", "- x\r\n- y\r\n- c\r\n"),
        ("- a\n- b\n- c\n", "- a\r\n- b", "- x\r\n- y", "- x\n- y\n- c\n"),
        ("- a\r\n- b\n- c\r\n", "- b", "- y\n- z", "- a\r\n- y\n- z\n- c\r\n"),
        ("cafe\u{301} rule\ne\u{301}", "caf\u{e9} rule", "tea rule", "tea rule\ne\u{301}"),
    ];
    for (base, target, content, expected) in cases {
        assert_eq!(apply_to(base, vec![Edit::replace(target, content)]).context.text(), expected, "{base:?}");
    }
}

#[test]
fn replacement_text_is_no_pattern() {
    let content = "- price is $1, use $$ and $& and \\1 and ${x}";
    assert_eq!(
        apply_to("- price\n", vec![Edit::replace("- price", content)]).context.text(),
        format!("{content}\n")
    );
}

#[test]
fn an_edit_without_effect_is_reported_and_the_others_apply() {
    let applied = apply_to("- a\n", vec![Edit::replace("- a", "- a"), Edit::append("- new")]);
    assert!(matches!(applied.fates[0], Fate::NoChange { reason: NoChangeReason::ContentEqual, .. }));
    assert_eq!(applied.context.text(), "- a\n- new\n");
}

#[test]
fn appending_twice_is_reported() {
    let once = apply_to("- a\n", vec![Edit::append("- X")]);
    let twice = apply_to(once.context.text(), vec![Edit::append("- X")]);
    assert!(matches!(twice.fates[0], Fate::NoChange { reason: NoChangeReason::AlreadyPresent, .. }));
    assert_eq!(twice.context, once.context);
    let both = apply_to("- a\n", vec![Edit::append("- X"), Edit::append("- X")]);
    assert_eq!(both.context.text(), "- a\n- X\n");
}

#[test]
fn a_heading_keeps_its_body() {
    let applied = apply_to("## Config\n\nSettings.\n", vec![Edit::insert_after("## Config", "## FAQ\n\nQ.")]);
    assert_eq!(applied.context.text(), "## Config\n\nSettings.\n\n## FAQ\n\nQ.\n");
}

#[test]
fn an_edit_that_straddles_a_protected_region_is_refused() {
    let base = "intro\n<!-- SLOW_UPDATE_START -->\nK\n<!-- SLOW_UPDATE_END -->\nend\n";
    let markers = ["<!-- SLOW_UPDATE_START -->".to_owned(), "<!-- SLOW_UPDATE_END -->".to_owned()];
    let options = ApplyOptions { protected: vec![markers], ..ApplyOptions::default() };
    let edits = [
        Edit::delete("intro\n<!-- SLOW_UPDATE_START -->\nK"),
        Edit::delete("K\n<!-- SLOW_UPDATE_END -->\nend"),
        Edit::replace("K", "L"),
        Edit::insert_after("K", "L"),
        Edit::replace("intro\n<!-- SLOW_UPDATE_START -->\nK\n<!-- SLOW_UPDATE_END -->\nend", "x"),
    ];
    for edit in edits {
        let patch = Patch { base: None, edits: vec![edit.clone()] };
        let applied = apply(&Context::new(base), &patch, &options).unwrap();
        assert_eq!(applied.context.text(), base, "{edit:?}");
        assert!(
            matches!(&applied.fates[0], Fate::Refused(refusal) if refusal.reason == RefusalReason::Protected)
        );
    }
    let patch = Patch { base: None, edits: vec![Edit::insert_after("<!-- SLOW_UPDATE_END -->", "new")] };
    let applied = apply(&Context::new(base), &patch, &options).unwrap();
    assert!(applied.context.text().contains("<!-- SLOW_UPDATE_END -->\n\nnew\n\nend\n"));
}

#[test]
fn front_matter_is_not_edited() {
    let base = "---\nname: x\ndescription: a\n---\n# S\n";
    let (reason, _) = refusal(base, Edit::replace("description: a", "description: use when: always"));
    assert_eq!(reason, RefusalReason::FrontMatter);
    assert_eq!(refusal(base, Edit::insert_after("---", "x")).0, RefusalReason::Ambiguous);
    assert_eq!(refusal("a\n---\nb\n---\n", Edit::delete("a")).0, RefusalReason::FrontMatter);
}

#[test]
fn blank_content_changes_nothing() {
    for content in ["", "   \n"] {
        let applied = apply_to("- a\n", vec![Edit::append(content)]);
        assert!(matches!(applied.fates[0], Fate::NoChange { reason: NoChangeReason::BlankContent, .. }));
        assert_eq!(applied.context.text(), "- a\n");
    }
    assert_eq!(refusal("- a\n", Edit::replace("- a", " ")).0, RefusalReason::BlankContent);
}

#[test]
fn long_texts_are_shortened_between_characters() {
    let (_, detail) = refusal("x\n", Edit::delete("\u{e9}".repeat(120)));
    assert!(detail.contains("40 more characters"), "{detail}");
}

#[test]
fn there_is_a_fate_for_each_edit_of_any_list() {
    let edits: Vec<Edit> = (0..3).map(|number| Edit::append(format!("- {number}"))).collect();
    let applied = apply_to("", edits);
    assert_eq!(applied.fates.iter().filter(|fate| fate.is_applied()).count(), 3);
    assert_eq!(applied.context.text(), "- 0\n- 1\n- 2\n");
}

#[test]
fn markers_are_neither_made_nor_removed() {
    let cases = [
        ("a\n", Edit::append("<!-- protected -->\nb\n<!-- /protected -->")),
        ("a\n", Edit::replace("a", "<!-- /protected -->")),
        ("<!-- prot#ected -->\n", Edit::delete("#")),
        ("<!-- prot\n", Edit::replace("prot", "protected -->")),
    ];
    for (base, edit) in cases {
        assert_eq!(refusal(base, edit.clone()).0, RefusalReason::Marker, "{edit:?}");
    }
    // A stray end marker is protected too, and so is everything behind a start marker that nothing closes.
    assert_eq!(
        refusal("a\n<!-- /protected -->\nb\n", Edit::delete("<!-- /protected -->")).0,
        RefusalReason::Protected
    );
    assert_eq!(refusal("<!-- protected -->\na\n", Edit::append("b")).0, RefusalReason::Protected);
}

#[test]
fn fences_stay_whole() {
    let base = "Run:\n```\ncargo test\n```\n";
    assert_eq!(refusal(base, Edit::delete("```\ncargo test")).0, RefusalReason::OpenFence);
    assert_eq!(refusal(base, Edit::append("```\nopen")).0, RefusalReason::OpenFence);
    assert_eq!(refusal("```\nnever closed\n", Edit::append("- x")).0, RefusalReason::OpenFence);
    let applied = apply_to(base, vec![Edit::delete("```\ncargo test\n```")]);
    assert_eq!(applied.context.text(), "Run:\n");
    let applied = apply_to(base, vec![Edit::replace("cargo test", "cargo test\ncargo clippy")]);
    assert_eq!(applied.context.text(), "Run:\n```\ncargo test\ncargo clippy\n```\n");
}

#[test]
fn limits_refuse_the_last_edits_that_break_them() {
    let options = ApplyOptions {
        must_contain: vec!["Be brief".to_owned()],
        max_bytes: Some(40),
        ..ApplyOptions::default()
    };
    let edits = vec![
        Edit::replace("- Be brief.", "- Be terse."),
        Edit::append("- Cite."),
        Edit::append("- A rule that is much too long for this text."),
    ];
    let base = Context::new("# Rules\n- Be brief.\n");
    let applied = apply(&base, &Patch { base: None, edits }, &options).unwrap();
    assert_eq!(applied.context.text(), "# Rules\n- Be brief.\n- Cite.\n");
    let reasons: Vec<_> = applied
        .fates
        .iter()
        .map(|fate| match fate {
            Fate::Refused(refusal) => Some(refusal.reason),
            _ => None,
        })
        .collect();
    assert_eq!(reasons, [Some(RefusalReason::MustContain), None, Some(RefusalReason::TooLarge)]);
}

#[test]
fn all_or_nothing_withholds_the_good_edits() {
    let options = ApplyOptions { all_or_nothing: true, ..ApplyOptions::default() };
    let patch = Patch { base: None, edits: vec![Edit::append("- b"), Edit::delete("nowhere")] };
    let error = apply(&Context::new("- a\n"), &patch, &options).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("nothing applied: 1 of 2 edits refused, first edit 2: target not found")
    );
}

#[test]
fn overlapping_edits_keep_the_first_of_the_list() {
    let edits =
        vec![Edit::delete("- b\n- c"), Edit::replace("- a\n- b", "- x"), Edit::insert_after("- b", "- y")];
    let applied = apply_to("- a\n- b\n- c\n- d\n", edits);
    assert_eq!(applied.context.text(), "- a\n- d\n");
    for fate in &applied.fates[1..] {
        assert!(
            matches!(fate, Fate::Refused(refusal) if refusal.reason == RefusalReason::Overlap),
            "{fate:?}"
        );
    }
}
