//! Checks of rankings.

use serde_json::json;
use textualrl_model::{EditId, EditProposal};
use textualrl_review::rank::check_ranking;

use crate::build::proposals;

#[test]
fn an_order_holds_every_edit_once() {
    let edits: Vec<EditProposal> = (1..)
        .zip(proposals(3, 0, 0))
        .map(|(number, proposal)| EditProposal { id: EditId::merged(number), ..proposal })
        .collect();
    // written, the order as ids in one text (blank if it cannot be used), notes
    let cases = [
        (json!(["m-3", "m-1", "m-2"]), "m-3 m-1 m-2", 0),
        (json!(["m-3"]), "m-3 m-1 m-2", 2),
        (json!(["m-2", "m-2", "m-9", 1, "m-1"]), "m-2 m-1 m-3", 4),
        (json!([" m-2 ", "m-3", "m-1"]), "m-2 m-3 m-1", 0),
        (json!([0, 1, 2]), "", 0),
        (json!([]), "", 0),
        (json!("m-1"), "", 0),
    ];
    for (written, order, notes) in cases {
        let found = check_ranking(&json!({"ranking": written}), &edits).map(|checked| {
            let ids: Vec<&str> = checked.value.order.iter().map(EditId::as_str).collect();
            (ids.join(" "), checked.value.notes.len())
        });
        assert_eq!(found.unwrap_or_default(), (order.to_owned(), notes), "{written}");
    }
}
