//! Layers, messages, and the generated reference.

use textualrl_model::settings::{Provider, SeedPolicy};
use textualrl_pipeline::config::{
    PRESETS, Sources, UserFile, differing_keys, harmless, reference_markdown, settings_fingerprint,
};
use textualrl_pipeline::{ConfigError, RunConfig};

fn sources(preset: &str, set: &[&str]) -> Sources {
    Sources {
        preset: Some(preset.to_owned()),
        set: set.iter().map(|text| (*text).to_owned()).collect(),
        ..Sources::default()
    }
}

fn with_file(text: &str) -> Sources {
    Sources {
        file: Some(UserFile { path: "my/run.toml".into(), text: text.to_owned() }),
        ..Sources::default()
    }
}

fn message(sources: &Sources) -> String {
    RunConfig::resolve(sources).unwrap_err().to_string()
}

fn quickstart() -> RunConfig {
    RunConfig::resolve(&sources("quickstart", &[])).unwrap()
}

const ENDPOINTS: [&str; 5] = [
    "data.dir=d",
    "target.base_url=http://127.0.0.1:1",
    "target.model=t",
    "optimizer.base_url=http://127.0.0.1:1",
    "optimizer.model=o",
];

#[test]
fn presets_resolve_and_read_back_from_run_toml() {
    for (name, set) in
        PRESETS.map(|(name, _)| (name, if name == "quickstart" { &[] } else { &ENDPOINTS[..] }))
    {
        let config = RunConfig::resolve(&sources(name, set)).unwrap();
        assert_eq!(RunConfig::from_run_toml(&config.to_toml().unwrap()).unwrap(), config, "{name}");
    }
}

#[test]
fn quickstart_is_simulated_and_samples_siblings_apart() {
    let config = quickstart();
    assert_eq!((config.target.provider, config.target.seed), (Provider::Simulated, SeedPolicy::PerRollout));
    assert_eq!((config.rollout.k, config.run.epochs, config.run.batch_size), (4, 2, 8));
}

#[test]
fn later_layers_win() {
    let file = "extends = \"quickstart\"\n[run]\nseed = 1\nepochs = 3\n[data]\ndir = \"tasks\"\n";
    let mut given = with_file(file);
    given.set = vec!["run.seed=2".into(), "run.seed=3".into(), "target.model=5".into()];
    let config = RunConfig::resolve(&given).unwrap();
    assert_eq!((config.run.seed, config.run.epochs, config.run.batch_size), (3, 3, 8));
    assert_eq!((config.data.dir.as_str(), config.target.model.as_str()), ("my/tasks", "5"));
    given.data = Some("elsewhere".to_owned());
    assert_eq!(RunConfig::resolve(&given).unwrap().data.dir, "elsewhere");
}

#[test]
fn keys_laid_on_a_run_leave_its_paths_alone() {
    let made = RunConfig::resolve(&sources("quickstart", &["data.dir=tasks", "data.context=c.md"])).unwrap();
    let set = vec!["limits.not_scored=0.5".to_owned()];
    let file = Some(UserFile::of_run(made.to_toml().unwrap()));
    let changed = RunConfig::resolve(&Sources { file, set, ..Sources::default() }).unwrap();
    assert_eq!(differing_keys(&made, &changed), ["limits.not_scored"]);
}

#[test]
fn assignments_take_text_numbers_lists_and_free_fields() {
    let set = [
        "data.context=a=b",
        "patch.must_contain=[\"x\", \"y\"]",
        "target.extra_body.top_k=20",
        "target.extra_headers.X-Team=blue",
        "limits.not_scored=1",
        "data.own.template=\"{{ input }}\\n\"",
    ];
    let config = RunConfig::resolve(&sources("quickstart", &set)).unwrap();
    assert_eq!(config.data.context, "a=b");
    assert_eq!(config.patch.must_contain, ["x", "y"]);
    assert_eq!(config.target.extra_body["top_k"], 20);
    assert_eq!(config.target.extra_headers["X-Team"], "blue");
    assert_eq!((config.limits.not_scored, config.data.own.template.as_str()), (1.0, "{{ input }}\n"));
}

#[test]
fn messages_name_place_key_and_remedy() {
    let file = |text: &str| with_file(&format!("extends = \"quickstart\"\n{text}"));
    for (given, expected) in [
        (file("[rollout]\nkk = 3"), "my/run.toml:3: `rollout.kk` is no known key; did you mean `rollout.k`?"),
        (file("[critic]\n"), "my/run.toml:2: `critic` is no known key; did you mean `critique`?"),
        (
            file("batch_size = 4"),
            "my/run.toml:2: `batch_size` is no known key; did you mean `run.batch_size`?",
        ),
        (
            file("[run]\n\nseed = \"x\""),
            "my/run.toml:4: `run.seed` is a text in quotes, but must be a whole number",
        ),
        (file("run = 3"), "my/run.toml:2: `run` is a whole number, but must be a table"),
        (
            file("[rollout]\nk = 0"),
            "my/run.toml:3: `rollout.k` is 0; a task needs at least one trajectory, so set it to 1 or more",
        ),
        (file("xyz = 3\n"), "my/run.toml:2: `xyz` is no known key; docs/configuration.md lists them all"),
        (
            with_file("extend = \"quickstart\""),
            "my/run.toml:1: `extend` is no known key; did you mean `extends`?",
        ),
        (with_file("extends = 3"), "my/run.toml:1: `extends` must be the name of a preset in quotes"),
        (
            sources("quickstart", &["critique.group_size=1"]),
            "--set critique.group_size: `critique.group_size` is 1; a homogeneous critic compares at least two \
             tasks, so set it to 2 or more",
        ),
        (
            sources("quickstart", &["target.seed=none"]),
            "--set target.seed: `target.seed` must be \"per_rollout\" for a simulated target, which takes the \
             seed as its sample index",
        ),
        (
            sources("quickstart", &["patch.min_edits=5"]),
            "--set patch.min_edits: `patch.min_edits` is 5, above patch.max_edits = 4; lower it or raise that",
        ),
        (
            sources("quickstart", &["target.extra_body.seed=7"]),
            "--set target.extra_body.seed: `target.extra_body` holds \"seed\", which has a key of its own or is \
             never sent; remove it",
        ),
        (
            sources("quickstart", &["rollout.k"]),
            "--set rollout.k: write it as --set KEY=VALUE, such as --set rollout.k=8",
        ),
        (
            sources("quick", &[]),
            "--preset: there is no preset \"quick\"; the presets are alfworld, docvqa, livemath, officeqa, paper, \
             quickstart, searchqa, spreadsheet",
        ),
    ] {
        assert_eq!(message(&given), expected);
    }
}

#[test]
fn a_wrong_word_names_the_right_ones() {
    let text = message(&sources("quickstart", &["critique.feedback=full"]));
    for part in ["--set critique.feedback: `critique.feedback`", "full", "none", "safe", "expected"] {
        assert!(text.contains(part), "{text}");
    }
    let text = message(&sources("quickstart", &["rollout.k=-1"]));
    assert!(text.starts_with("--set rollout.k: `rollout.k` ") && text.contains("-1"), "{text}");
}

#[test]
fn a_syntax_error_shows_line_and_caret() {
    let text = message(&with_file("[run]\nseed = = 3\n"));
    assert!(text.starts_with("my/run.toml is no TOML:\n"), "{text}");
    assert!(text.contains("line 2") && text.contains('^'), "{text}");
}

#[test]
fn all_problems_are_told_at_once() {
    let error = RunConfig::resolve(&sources("searchqa", &[])).unwrap_err();
    let ConfigError::Problems(problems) = error else { panic!("{error}") };
    let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
    assert_eq!(
        keys,
        ["target.base_url", "target.model", "optimizer.base_url", "optimizer.model", "data.dir"]
    );
}

#[test]
fn two_different_presets_are_refused() {
    let mut given = with_file("extends = \"searchqa\"\n");
    given.preset = Some("quickstart".to_owned());
    assert!(message(&given).contains("name different presets"));
}

#[test]
fn a_missing_file_names_itself() {
    let error = UserFile::read("no/such.toml".into()).unwrap_err();
    assert!(error.to_string().starts_with("cannot read the configuration no/such.toml: "), "{error}");
}

#[test]
fn differing_keys_are_named_and_harmless_ones_known() {
    let changed = RunConfig::resolve(&sources(
        "quickstart",
        &["rollout.k=8", "target.concurrency=2", "target.extra_body.a=1", "data.own.ratio=[0.5,0.3,0.2]"],
    ));
    let keys = differing_keys(&quickstart(), &changed.unwrap());
    assert_eq!(keys, ["data.own.ratio", "rollout.k", "target.concurrency", "target.extra_body.a"]);
    let changing: Vec<&String> = keys.iter().filter(|key| !harmless(key)).collect();
    assert_eq!(changing, ["data.own.ratio", "rollout.k", "target.extra_body.a"]);
    assert!(harmless("limits.not_scored") && !harmless("rollout.concurrency"));
}

#[test]
fn harmless_keys_are_no_part_of_a_fingerprint() {
    let base = quickstart().target;
    let fingerprint = |change: fn(&mut textualrl_model::settings::EndpointSettings)| {
        let mut target = base.clone();
        change(&mut target);
        settings_fingerprint("target", &target)
    };
    let unchanged = fingerprint(|_| {});
    assert_eq!(unchanged, fingerprint(|target| target.concurrency = 3));
    assert_ne!(unchanged, fingerprint(|target| target.output_cap = 3));
    assert_ne!(unchanged, settings_fingerprint("optimizer", &base));
}

#[test]
fn the_reference_lists_every_key_with_its_meaning() {
    let page = reference_markdown();
    let all = RunConfig::resolve(&sources("searchqa", &ENDPOINTS)).unwrap().to_toml().unwrap();
    let keys = all.lines().filter_map(|line| line.split_once(" = ")).map(|(key, _)| key);
    for key in keys {
        assert!(page.contains(&format!("| `{key}` | `")), "{key} is not in the reference");
    }
    assert!(!page.lines().any(|line| line.ends_with("|  |")), "a key has no comment");
}

#[test]
fn the_reference_page_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        page == reference_markdown(),
        "docs/configuration.md is not current: run `cargo xtask tidy --fix`"
    );
}
