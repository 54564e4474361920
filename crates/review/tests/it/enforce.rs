//! The rules of the review, case by case.

use serde_json::{Value, json};
use textualrl_model::{Context, Edit, EditId, EditProposal, ReviewDecision};
use textualrl_review::enforce::{Candidates, ReviewAnswer, check_review};

use crate::build::{CONTEXT, pool, proposal};

fn candidates() -> Vec<EditProposal> {
    let edits = [Edit::append("Answer in one word."), Edit::replace("- Rule one.", "- Rule 1.")];
    let named = edits
        .into_iter()
        .enumerate()
        .map(|(index, edit)| EditProposal { id: EditId::merged(index + 1), ..proposal(1, None, edit) });
    named.collect()
}

fn check(edits: Value) -> Result<(ReviewAnswer, Vec<String>), Vec<String>> {
    let (owned, cards, context) = (candidates(), pool(&[1, 2]).cards, Context::new(CONTEXT));
    let edits_under_review: Vec<&EditProposal> = owned.iter().collect();
    let candidates = Candidates { edits: &edits_under_review, cards: &cards, context: &context };
    check_review(&json!({"edits": edits}), &candidates).map(|checked| (checked.value, checked.problems))
}

/// An entry for the append, with a valid citation, under `decision`.
fn entry(decision: &str, changes: Value) -> Value {
    let citation =
        json!({"task_id": "t-g002", "rollout_id": "r1", "relation": "limits", "reason": "a success"});
    let mut entry = json!({
        "id": "m-1", "op": "append", "content": "Answer in one word.",
        "cross_group_review": {"decision": decision, "reason": "because", "evidence": [citation]},
    });
    for (field, value) in changes.as_object().unwrap() {
        match field.as_str() {
            "evidence" | "decision" => entry["cross_group_review"][field] = value.clone(),
            _ => entry[field] = value.clone(),
        }
    }
    entry
}

/// The second candidate, retained.
fn other() -> Value {
    json!({"id": "m-2", "op": "replace", "target": "- Rule one.", "content": "- Rule 1.",
           "cross_group_review": {"decision": "retain", "reason": "fine", "evidence": []}})
}

#[test]
fn decisions_are_enforced() {
    use ReviewDecision::{InsufficientEvidence, Narrow, NotReviewed, Retain, Revise};
    let narrowed = "If a name is asked for, answer in one word.";
    let text = || json!({"content": narrowed});
    let wrong = |field: &str, value: Value| {
        let mut citation =
            json!({"task_id": "t-g002", "rollout_id": "r1", "relation": "limits", "reason": "a success"});
        citation[field] = value;
        json!({"content": narrowed, "evidence": [citation]})
    };
    // decision, changes, as enforced, text changed, things refused, problems for the re-ask
    let cases = [
        ("retain", json!({}), Retain, false, 0, 0),
        ("retain", json!({"content": null, "op": null}), Retain, false, 0, 0),
        ("retain", text(), Retain, false, 1, 0),
        ("retain", json!({"content": "Answer in one word. "}), Retain, false, 1, 0),
        ("retain", json!({"op": "delete"}), Retain, false, 1, 0),
        ("retain", json!({"evidence": null}), Retain, false, 0, 0),
        ("insufficient_evidence", text(), InsufficientEvidence, false, 1, 0),
        ("narrow", text(), Narrow, true, 0, 0),
        ("revise", text(), Revise, true, 0, 0),
        ("narrow", json!({}), Retain, false, 1, 0),
        ("narrow", json!({"content": narrowed, "op": "delete"}), NotReviewed, false, 1, 1),
        ("revise", json!({"content": " "}), NotReviewed, false, 1, 1),
        ("narrow", json!({"content": narrowed, "evidence": []}), InsufficientEvidence, false, 1, 1),
        ("narrow", wrong("task_id", json!("t-g009")), InsufficientEvidence, false, 2, 1),
        ("narrow", wrong("rollout_id", json!("r2")), InsufficientEvidence, false, 2, 1),
        ("narrow", wrong("relation", json!("confirms")), InsufficientEvidence, false, 2, 1),
        ("narrow", wrong("reason", json!(" ")), InsufficientEvidence, false, 2, 1),
        ("narrow", json!({"content": narrowed, "evidence": "all"}), InsufficientEvidence, false, 2, 1),
        ("reject", text(), NotReviewed, false, 0, 1),
        ("not_reviewed", text(), NotReviewed, false, 0, 1),
    ];
    for (decision, changes, enforced, changed, refused, problems) in cases {
        let (answer, found) = check(json!([entry(decision, changes.clone()), other()])).unwrap();
        let (edit, record) = &answer.edits[0];
        let case = format!("{decision} {changes}");
        assert_eq!(record.decision, enforced, "{case}");
        assert_eq!(*edit, Edit::append(if changed { narrowed } else { "Answer in one word." }), "{case}");
        assert_eq!(record.refused.len(), refused, "{case} {:?}", record.refused);
        assert_eq!(found.len(), problems, "{case} {found:?}");
    }
}

#[test]
fn a_target_changes_only_to_text_found_once() {
    for (target, expected) in [
        ("- Rule two.", "- Rule one."),
        ("- Rule nine.", "- Rule one."),
        ("Rule one.", "Rule one."),
        ("# Rules", "# Rules"),
    ] {
        let mut narrowed = entry("narrow", json!({"id": "m-2", "op": "replace", "content": "- Rule 1."}));
        narrowed["target"] = json!(target);
        let (answer, problems) = check(json!([entry("retain", json!({})), narrowed])).unwrap();
        assert_eq!(answer.edits[1].0.target(), Some(expected), "{target}");
        assert_eq!(problems.is_empty(), target == expected, "{problems:?}");
    }
}

#[test]
fn every_candidate_goes_on_and_nothing_else() {
    let stranger = json!({"id": "m-7", "op": "append", "content": "new"});
    let nameless = json!({"op": "append", "content": "new"});
    let again = entry("narrow", json!({"content": "second"}));
    let (answer, problems) =
        check(json!([stranger, entry("retain", json!({})), again, nameless, 5])).unwrap();
    assert_eq!(answer.edits.len(), 2);
    assert_eq!(answer.edits[0].0, Edit::append("Answer in one word."));
    assert_eq!(answer.edits[1].1.decision, ReviewDecision::NotReviewed);
    assert_eq!(answer.refused.len(), 4, "{:?}", answer.refused);
    assert_eq!(problems, ["m-2: is missing in `edits`"]);
    assert!(check(json!([])).is_err());
    assert!(check(json!({"m-1": {}})).is_err());
}

#[test]
fn repeated_citations_count_once() {
    let citation = |relation: &str| json!({"task_id": "t-g001", "rollout_id": "r1", "relation": relation, "reason": "seen"});
    let evidence = json!([citation("supports"), citation("supports"), citation("limits")]);
    let (answer, _) = check(json!([entry("retain", json!({"evidence": evidence})), other()])).unwrap();
    assert_eq!(answer.edits[0].1.citations.len(), 2);
}
