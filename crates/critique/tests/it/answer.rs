//! Checks of whole replies and of the edits in them.

use serde_json::{Value, json};
use textualrl_critique::answer::{CriticAnswer, check_answer, critic_schema};
use textualrl_critique::batch::AnalysisGroup;
use textualrl_critique::display::Display;
use textualrl_critique::route::route;
use textualrl_llm::Checked;
use textualrl_model::{Context, FeedbackLevel, GroupId, Route};

use crate::build::groups;

fn check(reply: Value, route_: Option<Route>) -> Result<Checked<CriticAnswer>, Vec<String>> {
    let blocks = route(&groups("t", 3, "++"), FeedbackLevel::None).blocks;
    let group = AnalysisGroup { route: route_, blocks, max_edits: 2 };
    let display = Display::new(&group.blocks, None, false);
    let context = Context::new("Rule one.\nRule two. Rule two.\n");
    check_answer(&reply, &GroupId::numbered(1), &group, &display, &context)
}

fn with_edit(changes: Value) -> Value {
    let mut edit = json!({"op": "append", "content": "Rule three.", "support": ["t01", "t03"]});
    for (field, value) in changes.as_object().unwrap() {
        edit[field] = value.clone();
    }
    json!({"patch": {"reasoning": "r", "edits": [edit]}, "cross_group_cards": []})
}

#[test]
fn edits_are_checked_one_by_one() {
    let cases = [
        (json!({}), None),
        (json!({"op": "prepend"}), Some("field `op`")),
        (json!({"content": "  "}), Some("field `content`")),
        (json!({"op": "replace"}), Some("field `target`: is missing")),
        (json!({"op": "replace", "target": "Rule one."}), None),
        (json!({"op": "replace", "target": "Rule nine."}), Some("target not found")),
        (json!({"op": "delete", "target": "Rule two."}), Some("occurs 2 times")),
        (json!({"op": "insert_after", "target": "rule one."}), Some("target not found")),
        (json!({"support": ["t01"]}), Some("names 1 tasks of this call")),
        (json!({"support": ["t01", "t01", "t09"]}), Some("names 1 tasks of this call")),
        (json!({"support": null}), Some("names 0 tasks of this call")),
        (json!({"support": 3}), Some("must be a list")),
        (json!({"support": [1, 2]}), Some("must be a list")),
    ];
    for (changes, problem) in cases {
        let checked = check(with_edit(changes.clone()), Some(Route::AllSuccess)).unwrap();
        assert_eq!(checked.value.edits.len(), usize::from(problem.is_none()), "{changes}");
        match problem {
            None => assert!(checked.problems.is_empty(), "{:?}", checked.problems),
            Some(problem) => {
                assert!(checked.problems[0].starts_with("patch.edits[0]: "), "{:?}", checked.problems);
                assert!(checked.problems[0].contains(problem), "{:?} {problem}", checked.problems);
            }
        }
    }
}

#[test]
fn support_depends_on_the_route() {
    let support = |route, named: Value| {
        let checked = check(with_edit(json!({"support": named})), route).unwrap();
        checked.value.edits.first().map(|edit| edit.support.len())
    };
    assert_eq!(support(Some(Route::Mixed), json!([])), Some(3));
    assert_eq!(support(Some(Route::AllFailure), json!(["t02", "t01"])), Some(2));
    assert_eq!(support(None, json!(["t02"])), Some(1));
    assert_eq!(support(None, json!("t02")), Some(1));
    assert_eq!(support(None, json!([])), None);
}

#[test]
fn support_does_not_stay_with_the_edit() {
    let checked = check(with_edit(json!({"note": "kept"})), None).unwrap();
    let extra = &checked.value.edits[0].edit.extra;
    assert_eq!(extra.keys().collect::<Vec<_>>(), ["note"]);
}

#[test]
fn edits_beyond_the_budget_are_left_out_and_said() {
    let edit = |content: &str| json!({"op": "append", "content": content, "support": ["t01", "t02"]});
    let edits = json!([edit("a"), "no object", edit("b"), edit("c")]);
    let reply = json!({"patch": {"edits": edits}, "cross_group_cards": []});
    let checked = check(reply, Some(Route::AllSuccess)).unwrap();
    let taken: Vec<_> = checked.value.edits.iter().filter_map(|edit| edit.edit.content()).collect();
    assert_eq!(taken, ["a", "b"]);
    assert_eq!(
        checked.problems,
        ["patch.edits: there are 4, at most 2 are allowed", "patch.edits[1]: must be an object"]
    );
}

#[test]
fn the_parts_of_a_reply_are_independent() {
    let cards = json!([{"task_id": "t01", "rollout_id": "r1", "quote": "right in t01", "behavior": "b"}]);
    let cases = [
        (json!({"task": "Calculate the area", "input": {"length": 10}}), None),
        (json!({"patch": {"edits": "none"}, "cross_group_cards": null}), None),
        (json!({"cross_group_cards": cards}), Some((0, 1, 1))),
        (json!({"patch": [], "cross_group_cards": cards}), Some((0, 1, 1))),
        (json!({"patch": {"edits": []}}), Some((0, 0, 1))),
        (json!({"patch": {"edits": []}, "cross_group_cards": {"a": 1}}), Some((0, 0, 1))),
        (json!({"patch": {"edits": []}, "cross_group_cards": cards}), Some((0, 1, 0))),
    ];
    for (reply, expected) in cases {
        let found = check(reply.clone(), Some(Route::AllSuccess)).ok().map(|checked| {
            (checked.value.edits.len(), checked.value.cards.cards.len(), checked.problems.len())
        });
        assert_eq!(found, expected, "{reply}");
    }
}

#[test]
fn the_schema_demands_every_field() {
    insta::assert_json_snapshot!(critic_schema().schema);
}
