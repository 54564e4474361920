//! What no single key shows: ranges, and keys that must fit each other.
//!
//! Always holds: every problem is found, not only the first one.

use textualrl_model::settings::{EndpointSettings, OwnTaskSettings, Provider, SeedPolicy, Temperature};

use super::RunConfig;
use super::error::Problem;

/// The scorers of own tasks.
const SCORERS: [&str; 10] =
    ["exact", "normalized", "contains", "choice", "numeric", "f1", "anls", "regex", "json_equal", "command"];

/// The largest seed that TOML can hold.
const LARGEST_SEED: u64 = i64::MAX as u64;

/// Collects problems.
#[derive(Default)]
struct Checks(Vec<Problem>);

impl Checks {
    fn require(&mut self, holds: bool, key: &str, message: impl Into<String>) {
        if !holds {
            self.0.push(Problem::new(key, message));
        }
    }

    fn at_least(&mut self, value: impl Into<u64>, least: u64, key: &str, what: &str) {
        let value = value.into();
        self.require(value >= least, key, format!("is {value}; {what}, so set it to {least} or more"));
    }

    fn share(&mut self, value: f64, key: &str) {
        self.require((0.0..=1.0).contains(&value), key, format!("is {value}; set it to 0 to 1"));
    }

    fn positive(&mut self, value: f64, key: &str) {
        self.require(
            value > 0.0 && value.is_finite(),
            key,
            format!("is {value}; set it to a number of seconds above 0"),
        );
    }

    fn temperature(&mut self, value: f64, key: &str) {
        self.require(
            value >= 0.0 && value.is_finite(),
            key,
            format!("is {value}; set it to 0 or more, such as 0.7"),
        );
    }
}

/// Everything that is wrong with `config`.
pub(crate) fn problems(config: &RunConfig) -> Vec<Problem> {
    let mut checks = Checks::default();
    check_method(config, &mut checks);
    check_patch(config, &mut checks);
    check_endpoint("target", &config.target, &mut checks);
    check_endpoint("optimizer", &config.optimizer, &mut checks);
    check_seeds(config, &mut checks);
    check_data(config, &mut checks);
    check_benchmarks(config, &mut checks);
    checks.0
}

fn check_method(config: &RunConfig, checks: &mut Checks) {
    checks.at_least(config.run.epochs, 1, "run.epochs", "a run needs at least one pass over the tasks");
    checks.at_least(config.run.batch_size, 1, "run.batch_size", "a step needs at least one task");
    checks.at_least(config.rollout.k, 1, "rollout.k", "a task needs at least one trajectory");
    checks.temperature(config.rollout.temperature, "rollout.temperature");
    checks.temperature(config.evaluation.temperature, "evaluation.temperature");
    let shared = "a homogeneous critic compares at least two tasks";
    checks.at_least(config.critique.group_size, 2, "critique.group_size", shared);
    checks.at_least(config.critique.max_edits, 1, "critique.max_edits", "a critic needs room for an edit");
    checks.at_least(config.review.merge_size, 2, "review.merge_size", "merging takes at least two bundles");
    checks.share(config.limits.not_scored, "limits.not_scored");
}

fn check_benchmarks(config: &RunConfig, checks: &mut Checks) {
    let data = &config.data;
    let key = |name: &str| format!("data.{name}");
    let asked = "the agent must be asked at least once";
    checks.at_least(data.spreadsheet.turns, 1, &key("spreadsheet.turns"), asked);
    checks.at_least(data.officeqa.turns, 1, &key("officeqa.turns"), asked);
    checks.positive(data.spreadsheet.budget_seconds, &key("spreadsheet.budget_seconds"));
    checks.positive(data.spreadsheet.run_seconds, &key("spreadsheet.run_seconds"));
    let python = "Python does not start with less";
    checks.at_least(data.spreadsheet.memory_mb, 64, &key("spreadsheet.memory_mb"), python);
    checks.at_least(data.spreadsheet.processes, 1, &key("spreadsheet.processes"), python);
    let written = "a program must be able to write the workbook";
    checks.at_least(data.spreadsheet.disk_mb, 1, &key("spreadsheet.disk_mb"), written);
    let named = !data.spreadsheet.python.trim().is_empty();
    checks.require(named, &key("spreadsheet.python"), "is empty; name an interpreter, such as python3");
}

fn check_patch(config: &RunConfig, checks: &mut Checks) {
    let patch = &config.patch;
    checks.at_least(patch.min_edits, 1, "patch.min_edits", "a patch needs room for an edit");
    checks.require(
        patch.min_edits <= patch.max_edits,
        "patch.min_edits",
        format!(
            "is {}, above patch.max_edits = {}; lower it or raise that",
            patch.min_edits, patch.max_edits
        ),
    );
    checks.share(patch.combination_similarity, "patch.combination_similarity");
    checks.share(patch.family_similarity, "patch.family_similarity");
    let blank = patch.protected.iter().flatten().any(|marker| marker.trim().is_empty());
    checks.require(
        !blank,
        "patch.protected",
        "holds a blank marker; give both markers of each pair some text",
    );
    let blank = patch.must_contain.iter().any(|text| text.trim().is_empty());
    checks.require(
        !blank,
        "patch.must_contain",
        "holds a blank text, which every candidate contains; remove it",
    );
}

fn check_endpoint(role: &str, endpoint: &EndpointSettings, checks: &mut Checks) {
    let key = |name: &str| format!("{role}.{name}");
    if endpoint.provider == Provider::Http {
        let url = &endpoint.base_url;
        let form = url.starts_with("http://") || url.starts_with("https://");
        // The URL may hold a key, so it is not repeated.
        let remedy = format!(
            "does not begin with http://; give the endpoint with --set {role}.base_url=http://…, or use --set {role}.provider=simulated"
        );
        checks.require(form, &key("base_url"), remedy);
        let remedy = "is empty; give the name that the endpoint knows the model by";
        checks.require(!endpoint.model.trim().is_empty(), &key("model"), remedy);
    }
    checks.at_least(endpoint.output_cap, 1, &key("output_cap"), "a reply needs room");
    checks.positive(endpoint.timeout_seconds, &key("timeout_seconds"));
    checks.require(
        endpoint.deadline_seconds >= endpoint.timeout_seconds,
        &key("deadline_seconds"),
        format!(
            "is {}, below {role}.timeout_seconds = {}; raise it",
            endpoint.deadline_seconds, endpoint.timeout_seconds
        ),
    );
    checks.at_least(endpoint.attempts, 1, &key("attempts"), "a call needs an attempt");
    checks.at_least(endpoint.concurrency, 1, &key("concurrency"), "a call must be allowed in flight");
    checks.at_least(endpoint.window_tokens, 1000, &key("window_tokens"), "a prompt needs room");
    let secret = |name: &String| {
        let name = name.to_ascii_lowercase();
        ["authorization", "api-key", "apikey", "token"].iter().any(|word| name.contains(word))
    };
    for header in endpoint.extra_headers.keys().filter(|name| secret(name)) {
        let remedy = format!("holds {header:?}, which looks like a key; name its variable in {role}.key_env");
        checks.require(false, &key("extra_headers"), remedy);
    }
}

/// Siblings that share a seed would be one sample, so no way of fixing a seed for all of them is left open.
fn check_seeds(config: &RunConfig, checks: &mut Checks) {
    let simulated = config.target.provider == Provider::Simulated;
    checks.require(
        !simulated || config.target.seed == SeedPolicy::PerRollout,
        "target.seed",
        "must be \"per_rollout\" for a simulated target, which takes the seed as its sample index",
    );
    checks.require(
        config.optimizer.seed != SeedPolicy::PerRollout,
        "optimizer.seed",
        "must be \"none\": optimizer calls carry no seed",
    );
    checks.require(
        config.optimizer.temperature != Temperature::Stage,
        "optimizer.temperature",
        "must be \"none\" or a number: no other section sets it",
    );
    for (role, endpoint) in [("target", &config.target), ("optimizer", &config.optimizer)] {
        for field in ["seed", "temperature", "top_p", "model", "messages", "input", "stream", "n"] {
            let remedy = format!("holds {field:?}, which has a key of its own or is never sent; remove it");
            let key = format!("{role}.extra_body");
            checks.require(!endpoint.extra_body.contains_key(field), &key, remedy);
        }
    }
    for (key, seed) in [
        ("run.seed", config.run.seed),
        ("evaluation.seed", config.evaluation.seed),
        ("data.own.seed", config.data.own.seed),
    ] {
        checks.require(seed <= LARGEST_SEED, key, format!("is {seed}; set it to {LARGEST_SEED} or less"));
    }
}

fn check_data(config: &RunConfig, checks: &mut Checks) {
    let data = &config.data;
    checks.require(
        !data.benchmark.trim().is_empty(),
        "data.benchmark",
        "is empty; write own or a benchmark's name",
    );
    let remedy = "is empty; name the folder of the task data with --data DIR";
    checks.require(!data.dir.trim().is_empty(), "data.dir", remedy);
    if data.benchmark == "own" {
        check_own_tasks(&data.own, checks);
    }
}

fn check_own_tasks(own: &OwnTaskSettings, checks: &mut Checks) {
    if own.tasks.is_empty() {
        for (name, file) in [("train", &own.train), ("validation", &own.validation), ("test", &own.test)] {
            let remedy = "is empty; name a file, or name one for all splits in data.own.tasks";
            checks.require(!file.is_empty(), &format!("data.own.{name}"), remedy);
        }
    }
    let ratio = own.ratio.iter().all(|share| *share > 0.0 && share.is_finite());
    checks.require(ratio, "data.own.ratio", "must hold three numbers above 0, such as [0.4, 0.3, 0.3]");
    let remedy = "asks nothing of the task; use its fields, such as {{ input }}";
    checks.require(own.template.contains("{{"), "data.own.template", remedy);
    let scorer = &own.scorer;
    let known = SCORERS.contains(&scorer.name.as_str());
    let remedy = format!("is {:?}; write one of {}", scorer.name, SCORERS.join(", "));
    checks.require(known, "data.own.scorer.name", remedy);
    let tolerance = scorer.tolerance >= 0.0 && scorer.tolerance.is_finite();
    checks.require(tolerance, "data.own.scorer.tolerance", "must be 0 or more");
    let threshold = scorer.threshold > 0.0 && scorer.threshold <= 1.0;
    checks.require(threshold, "data.own.scorer.threshold", "must be above 0 and at most 1");
    checks.positive(scorer.timeout_seconds, "data.own.scorer.timeout_seconds");
    let command = scorer.name != "command" || !scorer.command.is_empty();
    checks.require(command, "data.own.scorer.command", "is empty; name the program and its arguments");
}
