//! Critiques: what sets failures apart from successes, and a card for every displayed trajectory.
//!
//! Always holds: a sign leads to an edit only through the outcomes that it comes with; a blank trajectory gives
//! neither edit nor card; what the context teaches already is not proposed again.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::Chance;
use super::lesson::{self, Way};
use super::notice::{self, Kind, Sign};
use super::read::{Critic, Shown, TaskBlock};

/// How often a lesson asks for too much.
const SWEEPING: f64 = 0.3;
/// How often a lesson about good trajectories is proposed.
const KEEPING: f64 = 0.6;
/// The most characters of a quote.
const LONGEST_QUOTE: usize = 400;

/// The critic's reply.
pub(crate) fn reply(critic: &Critic, chance: &Chance) -> Value {
    let cards: Vec<Value> = critic.blocks.iter().flat_map(cards).collect();
    let tally = Tally::of(&critic.blocks);
    let mut findings = match critic.route.as_str() {
        // Within one task, outcomes that the signs do not explain throughout are taken for chance.
        "mixed" if !tally.explains_outcomes() => Vec::new(),
        "mixed" => tally.contrast(1),
        "all-success" => tally.shared(true),
        "all-failure" => tally.shared(false),
        _ => tally.contrast(2),
    };
    findings.retain(|finding| !is_covered(finding, &critic.context));
    findings.truncate(critic.budget);
    let mut edits: Vec<Value> = findings.iter().map(|finding| edit(finding, critic, chance)).collect();
    if edits.is_empty() && critic.route == "all-success" {
        edits.extend(keeping(critic, &tally, chance));
    }
    let reasoning = reasoning(&findings);
    json!({
        "patch": {"reasoning": reasoning, "edits": edits},
        "cross_group_cards": cards,
        "failure_summary": failures(&tally),
    })
}

/// A sign to act upon.
struct Finding {
    sign: Sign,
    way: Way,
    tasks: Vec<String>,
    strength: f64,
}

/// How often each sign comes with which outcome.
#[derive(Default)]
struct Tally {
    failures: f64,
    successes: f64,
    failing: BTreeMap<Sign, f64>,
    succeeding: BTreeMap<Sign, f64>,
    failed_tasks: BTreeMap<Sign, BTreeSet<String>>,
    succeeded_tasks: BTreeMap<Sign, BTreeSet<String>>,
    spoken_tasks: BTreeSet<String>,
    /// Which pairs occur of success and being without signs.
    seen: BTreeSet<(bool, bool)>,
}

impl Tally {
    fn of(blocks: &[TaskBlock]) -> Self {
        let mut tally = Self::default();
        for block in blocks {
            for shown in block.trajectories.iter().filter(|shown| !shown.is_silent()) {
                tally.spoken_tasks.insert(block.task.clone());
                tally.add(block, shown);
            }
        }
        tally
    }

    fn add(&mut self, block: &TaskBlock, shown: &Shown) {
        let (total, counts, tasks) = if shown.success {
            (&mut self.successes, &mut self.succeeding, &mut self.succeeded_tasks)
        } else {
            (&mut self.failures, &mut self.failing, &mut self.failed_tasks)
        };
        *total += shown.multiplicity;
        let signs = notice::signs(&block.input, shown);
        self.seen.insert((shown.success, signs.is_empty()));
        for sign in signs {
            *counts.entry(sign).or_insert(0.0) += shown.multiplicity;
            tasks.entry(sign).or_default().insert(block.task.clone());
        }
    }

    /// Whether all trajectories of one outcome show signs and all of the other show none.
    fn explains_outcomes(&self) -> bool {
        let occurs = |success, plain| self.seen.contains(&(success, plain));
        let signs_fail = !occurs(false, true) && !occurs(true, false);
        let signs_succeed = !occurs(false, false) && !occurs(true, true);
        signs_fail || signs_succeed
    }

    /// Signs that come with one outcome only, in `least` tasks, where both outcomes are displayed; the strongest
    /// contrast first.
    fn contrast(&self, least: usize) -> Vec<Finding> {
        if self.failures == 0.0 || self.successes == 0.0 {
            return if self.successes == 0.0 { self.shared(false) } else { Vec::new() };
        }
        let share = |counts: &BTreeMap<Sign, f64>, sign: Sign, total: f64| {
            counts.get(&sign).copied().unwrap_or(0.0) / total
        };
        let finding = |sign: Sign| {
            let failing = share(&self.failing, sign, self.failures);
            let succeeding = share(&self.succeeding, sign, self.successes);
            let (way, tasks) = if failing > succeeding {
                (Way::Shun, self.failed_tasks.get(&sign))
            } else {
                (Way::Seek, self.succeeded_tasks.get(&sign))
            };
            let tasks: Vec<String> = tasks.into_iter().flatten().cloned().collect();
            Finding { sign, way, tasks, strength: (failing - succeeding).abs() }
        };
        let clear = |finding: &Finding| finding.strength > 0.3 && finding.tasks.len() >= least;
        let mut findings: Vec<Finding> = Sign::ALL.into_iter().map(finding).filter(clear).collect();
        findings.sort_by(|a, b| b.strength.total_cmp(&a.strength));
        findings
    }

    /// Signs of at least two tasks, where all displayed outcomes are alike; the most frequent first.
    fn shared(&self, success: bool) -> Vec<Finding> {
        let (way, tasks) =
            if success { (Way::Seek, &self.succeeded_tasks) } else { (Way::Shun, &self.failed_tasks) };
        let mut findings: Vec<Finding> = tasks
            .iter()
            .filter(|(_, tasks)| tasks.len() >= 2)
            .map(|(sign, tasks)| Finding {
                sign: *sign,
                way,
                tasks: tasks.iter().cloned().collect(),
                strength: tasks.len() as f64,
            })
            .collect();
        findings.sort_by(|a, b| b.strength.total_cmp(&a.strength));
        findings
    }
}

fn is_covered(finding: &Finding, context: &str) -> bool {
    match finding.way {
        Way::Seek => {
            let wording = lesson::about(finding.sign).map(|lesson| lesson.wording(Way::Seek, 0));
            wording.is_some_and(|wording| context.contains(wording))
        }
        Way::Shun | Way::Sweeping => {
            lesson::about(finding.sign).is_some_and(|lesson| lesson.is_taught_by(context))
        }
    }
}

/// The edit that acts upon a finding.
fn edit(finding: &Finding, critic: &Critic, chance: &Chance) -> Value {
    let purpose = format!("{:?}", finding.sign);
    let Some(lesson) = lesson::about(finding.sign) else { return Value::Null };
    let too_much = lesson.wording(Way::Sweeping, 0);
    let sweeping = finding.way == Way::Shun
        && chance.unit(&purpose) < SWEEPING
        && !critic.history.contains(too_much.trim_start_matches(['-', ' ']));
    let way = if sweeping { Way::Sweeping } else { finding.way };
    let content = lesson.wording(way, chance.choice(2, &purpose));
    let opposed = critic.context.lines().find(|line| {
        lesson::read(line).is_some_and(|(sign, other)| sign == finding.sign && other != Way::Shun)
    });
    if let Some(line) = opposed.filter(|line| way == Way::Shun && occurs_once(&critic.context, line)) {
        return json!({"op": "replace", "target": line, "content": content, "support": finding.tasks});
    }
    placed(content, &finding.tasks, critic, chance.unit(&format!("place {purpose}")))
}

/// The content at the end, or after the last line that occurs once.
fn placed(content: &str, tasks: &[String], critic: &Critic, draw: f64) -> Value {
    let last = critic.context.lines().rfind(|line| !line.trim().is_empty());
    match last.filter(|line| draw < 0.35 && occurs_once(&critic.context, line)) {
        Some(line) => json!({"op": "insert_after", "target": line, "content": content, "support": tasks}),
        None => json!({"op": "append", "target": "", "content": content, "support": tasks}),
    }
}

fn occurs_once(context: &str, line: &str) -> bool {
    context.matches(line).count() == 1
}

/// What good trajectories share, where it is not taught yet.
fn keeping(critic: &Critic, tally: &Tally, chance: &Chance) -> Option<Value> {
    let kind = critic.blocks.first().map(|block| Kind::of(&block.input))?;
    let lessons = lesson::keeping(kind);
    let content = lessons.get(chance.choice(lessons.len(), "keeping"))?;
    let tasks: Vec<String> = tally.spoken_tasks.iter().cloned().collect();
    let known =
        critic.context.contains(*content) || critic.history.contains(content.trim_start_matches(['-', ' ']));
    let proposes = tasks.len() >= 2 && !known && chance.unit("keeps") < KEEPING;
    proposes.then(|| placed(content, &tasks, critic, chance.unit("place kept")))
}

/// One card for each trajectory that says something.
fn cards(block: &TaskBlock) -> Vec<Value> {
    let spoken = block.trajectories.iter().filter(|shown| !shown.is_silent());
    spoken
        .map(|shown| {
            let signs = notice::signs(&block.input, shown);
            let seen: Vec<&str> =
                signs.iter().filter_map(|s| lesson::about(*s)).map(|lesson| lesson.seen).collect();
            let behavior = match seen.as_slice() {
                [] => notice::unremarkable(&block.input, shown),
                seen => seen.join("; "),
            };
            let quote: String = notice::final_line(shown.last_reply()).chars().take(LONGEST_QUOTE).collect();
            let outcome = if shown.success { "success" } else { "failure" };
            json!({
                "task_id": block.task,
                "rollout_id": shown.rollout,
                "quote": quote,
                "condition": format!("the task asks for {}", notice::subject(&block.input)),
                "behavior": behavior,
                "observed_effect": format!("the trajectory is a {outcome}"),
            })
        })
        .collect()
}

fn reasoning(findings: &[Finding]) -> String {
    let said = findings.iter().filter_map(|finding| {
        let seen = lesson::about(finding.sign)?.seen;
        let end = if finding.way == Way::Seek { "successes" } else { "failures" };
        Some(format!("The agent {seen}, and that sets {end} apart (in {} tasks).", finding.tasks.len()))
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() { "Nothing displayed sets the outcomes apart.".to_owned() } else { said.join(" ") }
}

fn failures(tally: &Tally) -> Vec<Value> {
    let counted = tally.failed_tasks.iter().filter_map(|(sign, tasks)| {
        let seen = lesson::about(*sign)?.seen;
        Some(json!({"failure_type": seen, "count": tasks.len(), "description": format!("The agent {seen}.")}))
    });
    counted.collect()
}
