//! Checks of merge replies.

use serde_json::{Value, json};
use textualrl_model::{Context, Edit, MergeId, Route};
use textualrl_review::bundle::{Branch, bundles};
use textualrl_review::merge_reply::{MergeAnswer, check_merge};

use crate::build::{CONTEXT, proposal, proposals};

fn check(edits: Value) -> Result<(MergeAnswer, Vec<String>), Vec<String>> {
    let bundles = bundles(&proposals(2, 1, 0), Branch::Corrective);
    let merge = MergeId::numbered("corrective", 1, 1);
    let reply = json!({"reasoning": "why", "edits": edits});
    check_merge(&reply, &merge, &bundles, &Context::new(CONTEXT))
        .map(|checked| (checked.value, checked.problems))
}

#[test]
fn proposals_fall_into_bundles_by_branch_and_group() {
    let mut all = proposals(2, 1, 2);
    let mut sibling = proposal(21, Some(Route::AllSuccess), Edit::append("another"));
    sibling.id = textualrl_model::EditId::new("x-g021-2").unwrap();
    all.insert(4, sibling);
    let names = |branch| {
        let of = bundles(&all, branch);
        of.iter().map(|bundle| (bundle.id.clone(), bundle.edits.len(), bundle.route())).collect::<Vec<_>>()
    };
    let named = |id: &str, edits, route: &str| (id.to_owned(), edits, route.to_owned());
    assert_eq!(
        names(Branch::Corrective),
        [named("g001", 1, "mixed"), named("g002", 1, "mixed"), named("g011", 1, "all-failure")]
    );
    assert_eq!(
        names(Branch::Preservation),
        [named("g021", 2, "all-success"), named("g022", 1, "all-success")]
    );
    let unrouted = bundles(&[proposal(1, None, Edit::append("a"))], Branch::Corrective);
    assert_eq!(unrouted[0].route(), "unified");
}

#[test]
fn a_merged_edit_inherits_from_its_sources() {
    let edit = json!({"op": "append", "content": "both", "from": ["x-g011-1", "x-g001-1", "x-g001-1"], "support": 9});
    let (answer, problems) = check(json!([edit])).unwrap();
    assert!(problems.is_empty());
    let [merged] = answer.edits.as_slice() else { panic!("{answer:?}") };
    assert_eq!(merged.id.as_str(), "corrective-1.1-1");
    assert_eq!(merged.edit, Edit::append("both"));
    assert_eq!(merged.routes, [Route::Mixed, Route::AllFailure]);
    assert_eq!(merged.groups.iter().map(|group| group.as_str()).collect::<Vec<_>>(), ["g001", "g011"]);
    assert_eq!(merged.support.iter().map(|task| task.as_str()).collect::<Vec<_>>(), ["t-g001", "t-g011"]);
    assert_eq!(merged.from.iter().map(|id| id.as_str()).collect::<Vec<_>>(), ["x-g001-1", "x-g011-1"]);
}

#[test]
fn what_is_wrong_is_named() {
    let good = json!({"op": "append", "content": "a", "from": ["x-g001-1"]});
    let cases = [
        (json!("text"), "edits[1]: must be an object"),
        (json!({"op": "append", "content": "a"}), "edits[1]: field `from`: must list"),
        (
            json!({"op": "append", "content": "a", "from": ["x-g099-1"]}),
            "edits[1]: field `from`: \"x-g099-1\" is no",
        ),
        (json!({"op": "append", "content": "", "from": ["x-g001-1"]}), "edits[1]: field `content`: is blank"),
        (json!({"op": "delete", "target": "Rule nine.", "from": ["x-g001-1"]}), "edits[1]: field `target`"),
        (json!({"op": "delete", "target": "- Rule two.", "from": ["x-g001-1"]}), "edits[1]: field `target`"),
    ];
    for (bad, expected) in cases {
        let (answer, problems) = check(json!([good, bad])).unwrap();
        assert_eq!(answer.edits.len(), 1, "{bad}");
        assert!(problems[0].starts_with(expected), "{problems:?}");
        assert!(check(json!([bad])).is_err(), "nothing is usable");
    }
    let partly = json!({"op": "append", "content": "a", "from": ["x-g099-1", "x-g002-1"]});
    let (answer, problems) = check(json!([partly])).unwrap();
    assert_eq!((answer.edits.len(), problems.len()), (1, 1));
    assert!(check(json!([])).is_err(), "an empty merge would throw everything away");
    assert!(check(json!({"a": 1})).is_err());
}
