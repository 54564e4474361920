//! The simulated optimizer's replies to single prompts.

use serde_json::{Value, json};
use textualrl_llm::{ChatModel, ChatRequest};
use textualrl_model::{Role, Turn};
use textualrl_simulate::SimulatedOptimizer;

use crate::quickstart::assert_labelled;

fn ask(turns: Vec<Turn>) -> String {
    let request = ChatRequest { turns, temperature: None, seed: None, schema: None, tools: Vec::new() };
    SimulatedOptimizer::new().answer(&request).turn.joined_text()
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text.trim_start_matches("```json").trim_end_matches("```")).unwrap()
}

/// A mixed task: the two replies with their outcomes.
fn mixed(context: &str, replies: [(&str, &str); 2]) -> String {
    let shown = replies.iter().enumerate().map(|(n, (reply, outcome))| {
        format!(
            "<trajectory id=\"r{}\" outcome=\"{outcome}\" multiplicity=\"2\">\n<turn role=\"assistant\">\n{reply}\n</turn>\n</trajectory>\n",
            n + 1
        )
    });
    let shown: String = shown.collect();
    format!(
        "<context>\n{context}\n</context>\n<edit_budget>1</edit_budget>\n<route>mixed</route>\n\
         <task_block id=\"t1\">\n<task_input>\nAda Lind came.\n\nWho came?\n</task_input>\n{shown}</task_block>\n"
    )
}

fn proposals(prompt: &str) -> Vec<Value> {
    let again = vec![
        Turn::text(Role::User, prompt),
        Turn::text(Role::Assistant, "{}"),
        Turn::text(Role::User, "Give the whole JSON again."),
    ];
    json_of(&ask(again))["patch"]["edits"].as_array().unwrap().clone()
}

const TAGGED: &str = "It says so.\n\n<answer>Ada Lind</answer>";
const PLAIN: &str = "It says so.\n\nThe answer is Ada Lind.";

#[test]
fn proposals_follow_outcomes_and_spare_what_is_taught() {
    assert_labelled(SimulatedOptimizer::new().describe());
    let content = |edits: Vec<Value>| edits.first().map(|edit| edit["content"].as_str().unwrap().to_owned());
    let towards = content(proposals(&mixed("Read.", [(PLAIN, "failure"), (TAGGED, "success")]))).unwrap();
    let away = content(proposals(&mixed("Read.", [(PLAIN, "success"), (TAGGED, "failure")]))).unwrap();
    assert!(towards.contains("<answer>") && away.contains("do not use any tags"), "{towards} {away}");
    let taught = "Put the answer inside <answer> tags.";
    assert_eq!(proposals(&mixed(taught, [(PLAIN, "failure"), (TAGGED, "success")])), Vec::<Value>::new());
    assert_eq!(proposals(&mixed("Read.", [(TAGGED, "failure"), (TAGGED, "success")])), Vec::<Value>::new());
}

#[test]
fn slips_of_form_are_rare_and_mended_on_the_re_ask() {
    let slipped = (0..400).filter(|n| {
        let prompt = mixed(&format!("Read {n}."), [(PLAIN, "failure"), (TAGGED, "success")]);
        let edits = json_of(&ask(vec![Turn::text(Role::User, prompt.as_str())]))["patch"]["edits"].clone();
        let mended = proposals(&prompt);
        let target = mended[0]["target"].as_str().unwrap();
        assert!(mended[0]["content"].is_string() && prompt.contains(target));
        edits != json!(mended)
    });
    let slipped = slipped.count();
    assert!((8..50).contains(&slipped), "{slipped} of 400");
}

#[test]
fn contradicting_edits_give_way_to_the_better_supported() {
    let edit = |id: &str, prompt: [(&str, &str); 2], support: &[&str]| {
        let mut edit = proposals(&mixed("Read.", prompt))[0].clone();
        (edit["id"], edit["support"]) = (json!(id), json!(support));
        edit
    };
    let towards = edit("x-1", [(PLAIN, "failure"), (TAGGED, "success")], &["t1"]);
    let again = edit("x-2", [(PLAIN, "failure"), (TAGGED, "success")], &["t2"]);
    let away = edit("x-3", [(PLAIN, "success"), (TAGGED, "failure")], &["t3"]);
    let bundles = json!([{"bundle": "b1", "edits": [away, towards]}, {"bundle": "b2", "edits": [again]}]);
    let prompt = format!(
        "<context>\nRead.\n</context>\n<branch>corrective</branch>\n<bundles>\n{bundles}\n</bundles>\n"
    );
    let merged = json_of(&ask(vec![Turn::text(Role::User, prompt)]))["edits"].clone();
    assert_eq!(merged.as_array().unwrap().len(), 1, "{merged}");
    assert_eq!(merged[0]["from"], json!(["x-1", "x-2"]));
}
