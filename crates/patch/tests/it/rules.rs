//! Each rule of the crate documentation as a table of cases: base, edits, result.

use textualrl_model::{Action, Anchor, Context, Edit, Patch, Place};
use textualrl_patch::{Applied, ApplyOptions, apply};

pub(crate) fn apply_to(base: &str, edits: Vec<Edit>) -> Applied {
    let base = Context::new(base);
    let applied = apply(&base, &Patch { base: None, edits }, &ApplyOptions::default()).unwrap();
    assert_eq!(applied.inverse.undo(&applied.context).unwrap(), base);
    applied
}

fn block(target: &str, content: &str) -> Edit {
    Edit::new(Action::InsertAfter {
        anchor: Anchor::of(target),
        content: content.to_owned(),
        place: Place::Block,
    })
}

fn append_under(under: &[&str], content: &str) -> Edit {
    let under = under.iter().map(|&name| name.to_owned()).collect();
    Edit::new(Action::Append { content: content.to_owned(), under })
}

#[test]
fn one_edit_and_its_seams() {
    let cases: &[(&str, Edit, &str)] = &[
        // Append.
        ("a\n", Edit::append("b"), "a\n\nb\n"),
        ("a", Edit::append("b"), "a\n\nb"),
        ("a\n\n\n", Edit::append("b"), "a\n\nb\n\n"),
        ("- a\n", Edit::append("- b"), "- a\n- b\n"),
        ("- a", Edit::append("\n- b\n\n"), "- a\n- b"),
        ("", Edit::append("b"), "b\n"),
        ("\u{feff}a\r\n", Edit::append("b\nc"), "\u{feff}a\r\n\r\nb\r\nc\r\n"),
        // Append under a heading.
        ("# A\n\n- a\n\n# B\n", append_under(&["A"], "- b"), "# A\n\n- a\n- b\n\n# B\n"),
        ("# A\n# B\nx", append_under(&["A"], "y"), "# A\n\ny\n\n# B\nx"),
        ("# A\n## S\nx\n# B\n## S\ny\n", append_under(&["B", "S"], "z"), "# A\n## S\nx\n# B\n## S\ny\n\nz\n"),
        // Insert after a line.
        ("- a\n- b\n", Edit::insert_after("- a", "- x"), "- a\n- x\n- b\n"),
        ("- a\n\n- b\n", Edit::insert_after("- a", "- x"), "- a\n\n- x\n\n- b\n"),
        ("- Cite.\n", Edit::insert_after("- Cite.", "  - page number"), "- Cite.\n  - page number\n"),
        ("- a\n\ntext\n", Edit::insert_after("- a", "- x"), "- a\n- x\n\ntext\n"),
        ("text:\n- a\n", Edit::insert_after("text:", "- x"), "text:\n- x\n- a\n"),
        ("## R\n\n- a\n", Edit::insert_after("## R", "- x"), "## R\n\n- x\n- a\n"),
        ("## R\n\nText.\n", Edit::insert_after("## R", "New."), "## R\n\nNew.\n\nText.\n"),
        ("One.\nTwo.\n", Edit::insert_after("One.", "New."), "One.\nNew.\nTwo.\n"),
        ("One.\n\nTwo.\n", Edit::insert_after("One.", "New."), "One.\n\nNew.\n\nTwo.\n"),
        ("| a |\n| - |\n| b |\n", Edit::insert_after("| b |", "| c |"), "| a |\n| - |\n| b |\n| c |\n"),
        // Insert after: what belongs together stays together.
        ("## C\n\nS.\n", Edit::insert_after("## C", "## F\n\nQ."), "## C\n\nS.\n\n## F\n\nQ.\n"),
        ("## C\nS.\n# D\n", Edit::insert_after("## C", "## F"), "## C\nS.\n\n## F\n\n# D\n"),
        ("- a\n  - k\n- b\n", Edit::insert_after("- a", "- x"), "- a\n  - k\n- x\n- b\n"),
        ("- long\n  tail\n- b\n", Edit::insert_after("- long", "- x"), "- long\n  tail\n- x\n- b\n"),
        ("- a\n  - k\n", Edit::insert_after("- a", "  - j"), "- a\n  - j\n  - k\n"),
        ("```\nrun\n```\nend\n", Edit::insert_after("run", "- x"), "```\nrun\n```\n\n- x\n\nend\n"),
        // Insert after a block.
        ("One\ntwo.\n\nThree.\n", block("One", "New."), "One\ntwo.\n\nNew.\n\nThree.\n"),
        ("- a\n  more\n\n  para\n- b\n", block("- a", "- x"), "- a\n  more\n\n  para\n- x\n- b\n"),
        // Replace.
        ("- a\n- b\n", Edit::replace("- a\n", "- x"), "- x\n- b\n"),
        ("- a\n- b\n", Edit::replace("- a", "- x\n"), "- x\n- b\n"),
        ("- a\r\n- b\r\n- c\r\n", Edit::replace("- a\n- b", "- x\n- y"), "- x\r\n- y\r\n- c\r\n"),
        ("cafe\u{301} rule, e\u{301}", Edit::replace("caf\u{e9} rule", "x"), "x, e\u{301}"),
        ("- price", Edit::replace("- price", "- $1 $$ $& \\1 ${x}"), "- $1 $$ $& \\1 ${x}"),
        ("say \u{201c}x\u{201d}.\n", Edit::replace("say \"x\".", "say y."), "say y.\n"),
        // Delete.
        ("- a\n- b\n- c\n", Edit::delete("- b"), "- a\n- c\n"),
        ("a\n\nb\n\nc\n", Edit::delete("b"), "a\n\nc\n"),
        ("a\n\nb\n", Edit::delete("b"), "a\n"),
        ("a\n\nb", Edit::delete("b"), "a"),
        ("a\n\nb\n", Edit::delete("a"), "b\n"),
        ("Be very brief.\n", Edit::delete("very"), "Be brief.\n"),
        ("- Be brief.\n- b\n", Edit::delete("Be brief."), "- b\n"),
        ("# A\n\n- a\n\n# B\n\nb\n", Edit::delete("- a"), "# B\n\nb\n"),
        ("# A\n\nx\n\n## S\n\n- a\n", Edit::delete("- a"), "# A\n\nx\n"),
        ("# A\n\n## S\n\n- a\n", Edit::delete("- a"), ""),
        ("# A\n\n- a\n\n## S\n\ns\n", Edit::delete("- a"), "# A\n\n## S\n\ns\n"),
    ];
    for (base, edit, expected) in cases {
        let applied = apply_to(base, vec![edit.clone()]);
        assert_eq!(applied.context.text(), *expected, "{edit:?} on {base:?}: {:?}", applied.fates);
    }
}
