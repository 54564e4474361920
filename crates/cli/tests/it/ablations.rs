//! The five ablations: what each changes on disk and in the requests of the same step, and what it leaves alone.
//!
//! Always holds: every ablation is compared with the full method on the same tasks, seed and context.

use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use serde_json::Value;

use crate::scratch::{Scratch, artifact};
use crate::simulator::{Purpose, Request, Simulator};

/// A seed whose first step has two routes, a critic with cards and no edit, and merged edits of several groups.
const SEED: u64 = 2;

/// A first step: what it left and what it asked.
struct FirstStep {
    folder: Utf8PathBuf,
    requests: Vec<Request>,
}

impl FirstStep {
    /// Runs the first step of the quickstart over HTTP with one more setting.
    fn with(scratch: &Scratch, name: &str, setting: Option<&str>) -> Self {
        let simulator = Simulator::start(scratch, name);
        let seed = format!("run.seed={SEED}");
        let mut arguments =
            vec!["run", "--preset", "quickstart", "--name", name, "--stop-after", "e1-s01", "--set", &seed];
        let settings = simulator.settings();
        arguments.extend(settings.iter().map(String::as_str));
        arguments.extend(setting.iter().flat_map(|setting| ["--set", setting]));
        scratch.textualrl(&arguments);
        Self { folder: scratch.run(name).join("steps/e1-s01"), requests: simulator.requests() }
    }

    fn of(&self, purpose: Purpose) -> impl Iterator<Item = &Request> {
        self.requests.iter().filter(move |request| request.purpose == purpose)
    }

    /// The bodies of a purpose, in an order of their own: they were sent in parallel.
    fn bodies(&self, purpose: Purpose) -> Vec<String> {
        let mut bodies: Vec<String> = self.of(purpose).map(|request| request.body.to_string()).collect();
        bodies.sort();
        bodies
    }

    fn read(&self, file: &str) -> Value {
        artifact(&self.folder.join(file))
    }

    /// The files `group-*.json`.
    fn groups(&self) -> Vec<Value> {
        let numbers = (1..).map(|number| self.folder.join(format!("2-critique/group-{number:03}.json")));
        numbers.take_while(|file| file.exists()).map(|file| artifact(&file)).collect()
    }

    /// The routes that critics were told.
    fn routes_asked(&self) -> BTreeSet<String> {
        let told = |request: &Request| {
            let (_, after) = request.text.split_once("\n<route>").expect("a route");
            after.split_once("</route>\n").expect("the end of the route").0.to_owned()
        };
        self.of(Purpose::Critic).map(told).collect()
    }

    /// The ids of the pool on disk.
    fn cards(&self) -> BTreeSet<String> {
        ids(&self.read("2-critique/evidence.json"), "id")
    }

    /// What each review request shows: candidate edits and cards.
    fn reviews(&self) -> Vec<(BTreeSet<String>, BTreeSet<String>)> {
        let shown = |request: &Request, tag: &str, key: &str| {
            ids(&serde_json::from_str(request.block(tag).expect(tag)).expect("a JSON list"), key)
        };
        self.of(Purpose::Review)
            .map(|request| {
                (shown(request, "candidate_edits", "id"), shown(request, "evidence_cards", "card"))
            })
            .collect()
    }
}

fn ids(list: &Value, key: &str) -> BTreeSet<String> {
    let id = |one: &Value| one[key].as_str().expect("an id").to_owned();
    list.as_array().expect("a list").iter().map(id).collect()
}

fn count(list: &Value) -> usize {
    list.as_array().expect("a list").len()
}

type Check = fn(full: &FirstStep, ablated: &FirstStep);

/// Each ablation with what it must leave alone and what it must change.
const ABLATIONS: [(&str, &[Purpose], Check); 5] = [
    ("critique.routing=off", &[], routing_off),
    ("rollout.k=1", &[], one_rollout),
    ("review.evidence=intra_group", &[Purpose::Critic, Purpose::Merge], intra_group),
    ("critique.cards=only_with_edits", &[Purpose::Critic, Purpose::Merge], only_with_edits),
    ("review.enabled=false", &[Purpose::Critic, Purpose::Merge], no_review),
];

#[test]
fn each_ablation_changes_what_it_names_and_nothing_before_it() {
    let scratch = Scratch::new();
    let full = FirstStep::with(&scratch, "full", None);
    full_method(&full);
    for (number, (setting, unchanged, check)) in ABLATIONS.into_iter().enumerate() {
        println!("{setting}");
        let ablated = FirstStep::with(&scratch, &format!("ablation-{number}"), Some(setting));
        for purpose in unchanged {
            assert_eq!(full.bodies(*purpose), ablated.bodies(*purpose), "{setting}: {purpose:?}");
        }
        check(&full, &ablated);
    }
}

/// What the full method shows on this step, so that the differences below are differences.
fn full_method(full: &FirstStep) {
    assert_eq!(full.routes_asked(), ["all-failure", "mixed"].map(str::to_owned).into());
    assert!(full.groups().iter().any(|group| count(&group["proposals"]) == 0 && count(&group["cards"]) > 0));
    let [(edits, cards)] = full.reviews().try_into().expect("one review request");
    assert!(edits.len() > 1);
    assert_eq!(cards, full.cards(), "the review reads all cards of the step");
}

/// Trajectories of all outcomes together under one unified prompt; everything is corrective.
fn routing_off(full: &FirstStep, ablated: &FirstStep) {
    assert_eq!(training(full), training(ablated), "the same rollouts");
    assert_eq!(ablated.routes_asked(), ["unified".to_owned()].into());
    let groups = ablated.groups();
    for (number, group) in groups.iter().enumerate() {
        assert_eq!(group["route"], Value::Null);
        let shown = count(&group["shown"]);
        assert!(shown == 8 || number + 1 == groups.len() && (2..=9).contains(&shown), "{shown} trajectories");
    }
    let both = |group: &Value| {
        let outcomes =
            group["shown"].as_array().expect("shown").iter().map(|shown| shown["outcome"].as_u64());
        outcomes.collect::<BTreeSet<_>>().len() == 2
    };
    assert!(groups.iter().any(both), "outcomes stand together");
    let merges = ablated.read("3-review/merge-tree.json");
    let branches = |merges: &Value| ids(&merges["merges"], "branch");
    assert!(!branches(&merges).contains("preservation"));
    assert!(full.groups().iter().all(|group| group["route"] != Value::Null));
    assert!(!ablated.cards().is_empty(), "cards are kept");
    assert!(ablated.of(Purpose::Review).count() > 0, "the review is kept");
}

/// One rollout a task at the same temperature: no mixed group, cards and review kept.
fn one_rollout(full: &FirstStep, ablated: &FirstStep) {
    assert_eq!((training(full).len(), training(ablated).len()), (32, 8));
    let groups = ablated.read("1-rollout/groups.json");
    assert_eq!((&groups["k"], &groups["mixed"]), (&1.into(), &0.into()));
    for group in groups["groups"].as_array().expect("groups") {
        assert_eq!(count(&group["rewards"]), 1);
    }
    assert!(full.read("1-rollout/groups.json")["mixed"].as_u64().expect("a count") > 0);
    assert!(!ablated.routes_asked().contains("mixed"));
    assert!(!ablated.cards().is_empty(), "cards are kept");
    assert!(ablated.of(Purpose::Review).count() > 0, "the review is kept");
}

/// Each edit is reviewed with the cards of the groups that it came from, and with no others.
fn intra_group(full: &FirstStep, ablated: &FirstStep) {
    assert_eq!(full.cards(), ablated.cards());
    let unreviewed = ablated.read("3-review/unreviewed.json");
    let unreviewed = unreviewed["edits"].as_array().or(unreviewed.as_array()).expect("merged edits");
    let pool = ablated.read("2-critique/evidence.json");
    for (edits, cards) in ablated.reviews() {
        assert!(cards.len() < full.cards().len());
        for edit in unreviewed.iter().filter(|edit| edits.contains(edit["id"].as_str().expect("an id"))) {
            let own = edit["groups"].as_array().expect("groups");
            let of_own = |card: &&Value| own.contains(&card["group"]);
            let pool = pool.as_array().expect("cards").iter().filter(of_own).cloned().collect();
            assert_eq!(cards, ids(&Value::Array(pool), "id"), "{}", edit["id"]);
        }
    }
    let calls = ablated.read("3-review/reviewed.json")["calls"].take();
    assert_eq!(count(&calls), ablated.reviews().len());
    assert!(count(&calls) > count(&full.read("3-review/reviewed.json")["calls"]));
}

/// Cards of critics without an edit are dropped, counted, and not shown to the review.
fn only_with_edits(full: &FirstStep, ablated: &FirstStep) {
    let mut expected = BTreeSet::new();
    for group in full.groups().iter().filter(|group| count(&group["proposals"]) > 0) {
        expected.extend(
            group["cards"].as_array().expect("cards").iter().map(|id| id.as_str().expect("id").to_owned()),
        );
    }
    assert_eq!(ablated.cards(), expected);
    assert!(expected.len() < full.cards().len());
    for group in ablated.groups() {
        let without = count(&group["proposals"]) == 0;
        assert_eq!(without, group["dropped_cards"].as_u64().expect("a count") > 0);
    }
    for (_, cards) in ablated.reviews() {
        assert_eq!(cards, expected);
    }
}

/// No review request; merged edits go on as they are, and the cards stay on disk.
fn no_review(full: &FirstStep, ablated: &FirstStep) {
    assert_eq!(ablated.of(Purpose::Review).count(), 0);
    assert_eq!(full.cards(), ablated.cards());
    let reviewed = ablated.read("3-review/reviewed.json");
    assert_eq!(count(&reviewed["calls"]), 0);
    for record in reviewed["records"].as_array().expect("records") {
        assert_eq!(record["decision"], "not_reviewed");
    }
    let decisions = ids(&full.read("3-review/reviewed.json")["records"], "decision");
    assert!(!decisions.contains("not_reviewed"));
    let unreviewed = |step: &FirstStep| step.read("3-review/unreviewed.json");
    assert_eq!(unreviewed(full), unreviewed(ablated));
}

/// The training requests of a step: those at the training temperature.
fn training(step: &FirstStep) -> Vec<String> {
    let mut bodies: Vec<String> = step
        .of(Purpose::Target)
        .filter(|request| request.body["temperature"] == 0.7)
        .map(|request| request.body.to_string())
        .collect();
    bodies.sort();
    bodies
}
