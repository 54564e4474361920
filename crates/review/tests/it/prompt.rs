//! The prompts as sent, and the schemas.

use textualrl_model::Turn;
use textualrl_review::wire::{merge_schema, rank_schema, review_schema};

use crate::build::{Step, faithful, pool, proposals};
use crate::scripted::user;

#[tokio::test]
async fn each_call_has_its_prompt() {
    let mut step = Step::new(proposals(1, 1, 2), pool(&[1, 22]));
    step.edit_budget = 3;
    let model = faithful();
    step.run(&model).await;
    let requests = model.requests();
    for (name, tag) in [
        ("merge_corrective", "<branch>corrective</branch>"),
        ("merge_preservation", "<branch>preservation</branch>"),
        ("merge_final", "<branch>final</branch>"),
        ("review", "<candidate_edits>"),
        ("rank", "<edits_to_rank>"),
    ] {
        let request = requests.iter().find(|request| user(request).contains(tag)).unwrap();
        let text = request.turns.iter().map(Turn::joined_text).collect::<Vec<_>>().join("\n=== user ===\n");
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn the_schemas_demand_every_field() {
    for reply in [merge_schema(), review_schema(), rank_schema()] {
        insta::assert_json_snapshot!(format!("schema_{}", reply.name), reply.schema);
    }
}
