//! The settings of each stage, complete: no field stands for "the default".
//!
//! Always holds: the defaults live in one commented file of `pipeline`, not here; an unknown key is an error.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::visible::FeedbackLevel;

/// Where a model role is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// The built-in simulated model: no network, no key, and labelled as simulated in everything it produces.
    Simulated,
    /// An OpenAI-compatible HTTP endpoint.
    Http,
}

/// The request form of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApiStyle {
    /// `POST …/chat/completions`.
    ChatCompletions,
    /// `POST …/responses`.
    Responses,
}

/// The name under which an endpoint takes the output cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputCapField {
    /// `max_tokens`.
    MaxTokens,
    /// `max_completion_tokens`.
    MaxCompletionTokens,
    /// `max_output_tokens`.
    MaxOutputTokens,
    /// The cap is not sent.
    None,
}

/// How structured replies are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaSupport {
    /// A JSON schema is sent with the request.
    JsonSchema,
    /// The prompt alone asks for JSON.
    PromptOnly,
}

/// One model role's endpoint (`[target]`, `[optimizer]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndpointSettings {
    /// Where the model is served.
    pub provider: Provider,
    /// With or without `/v1`, trailing slash or the full path; unused by a simulated model.
    pub base_url: String,
    /// The model's name as the endpoint knows it.
    pub model: String,
    /// The request form.
    pub api: ApiStyle,
    /// The environment variable that holds the key; empty sends none.
    pub key_env: String,
    /// The temperature that is sent.
    pub temperature: Temperature,
    /// Which requests carry a seed.
    pub seed: SeedPolicy,
    /// The name of the output cap.
    pub output_cap_field: OutputCapField,
    /// The output cap in tokens; at least 1.
    pub output_cap: u32,
    /// `reasoning.effort`, `reasoning_effort`; empty sends none.
    pub reasoning_effort: String,
    /// `chat_template_kwargs.enable_thinking`.
    pub thinking: Thinking,
    /// Whether a JSON schema may be sent.
    pub schema: SchemaSupport,
    /// Further body fields.
    pub extra_body: BTreeMap<String, Value>,
    /// Further headers. Never a key: those come from `key_env` alone.
    pub extra_headers: BTreeMap<String, String>,
    /// Seconds that one attempt may take; above 0.
    pub timeout_seconds: f64,
    /// Seconds that a call may take with all its retries; at least `timeout_seconds`.
    pub deadline_seconds: f64,
    /// Attempts in all; at least 1.
    pub attempts: u32,
    /// Calls in flight at once, shared by roles on one URL; at least 1.
    pub concurrency: u32,
    /// Requests a minute; 0 is unlimited.
    pub requests_per_minute: u32,
    /// Tokens a minute; 0 is unlimited.
    pub tokens_per_minute: u32,
    /// Tokens that fit into one prompt, by which prompts are split and shortened.
    pub window_tokens: u32,
    /// Whether a system proxy may be used; never for loopback addresses.
    pub system_proxy: bool,
}

/// The thinking switch of `chat_template_kwargs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Thinking {
    /// Nothing is sent.
    Unset,
    /// Thinking is asked for.
    On,
    /// Thinking is switched off.
    Off,
}

/// The temperature that an endpoint's requests carry. Written as `stage`, `none` or a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TemperatureForm", into = "TemperatureForm")]
pub enum Temperature {
    /// What the stage asks for: `rollout.temperature` or `evaluation.temperature`.
    Stage,
    /// None is sent; reasoning models refuse it.
    None,
    /// This one; 0 to 2.
    Fixed(f64),
}

/// How a temperature is written.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "a temperature is `stage`, `none` or a number")]
enum TemperatureForm {
    Word(String),
    Number(f64),
}

impl TryFrom<TemperatureForm> for Temperature {
    type Error = String;
    fn try_from(form: TemperatureForm) -> Result<Self, String> {
        match form {
            TemperatureForm::Number(number) if (0.0..=2.0).contains(&number) => Ok(Self::Fixed(number)),
            TemperatureForm::Number(number) => Err(format!("a temperature is from 0 to 2, not {number}")),
            TemperatureForm::Word(word) if word == "stage" => Ok(Self::Stage),
            TemperatureForm::Word(word) if word == "none" => Ok(Self::None),
            TemperatureForm::Word(word) => {
                Err(format!("a temperature is `stage`, `none` or a number, not {word:?}"))
            }
        }
    }
}

impl From<Temperature> for TemperatureForm {
    fn from(temperature: Temperature) -> Self {
        match temperature {
            Temperature::Stage => Self::Word("stage".to_owned()),
            Temperature::None => Self::Word("none".to_owned()),
            Temperature::Fixed(number) => Self::Number(number),
        }
    }
}

impl Temperature {
    /// What is sent where a stage asks for `asked`.
    pub fn sent(self, asked: Option<f64>) -> Option<f64> {
        match self {
            Self::Stage => asked,
            Self::None => None,
            Self::Fixed(number) => Some(number),
        }
    }
}

/// Whether requests carry a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeedPolicy {
    /// No seed is sent in training; validation and test send `evaluation.seed`.
    None,
    /// No seed is ever sent; some endpoints refuse it.
    Never,
    /// One derived from run seed, epoch, step, task and rollout. A single seed for all siblings cannot be written.
    PerRollout,
}

/// How rollouts are collected (`[rollout]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RolloutSettings {
    /// K, trajectories per training task; at least 1.
    pub k: u32,
    /// The temperature of training rollouts, also for `k = 1`.
    pub temperature: f64,
}

/// How validation and test are sampled (`[evaluation]`): K = 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationSettings {
    /// The temperature.
    pub temperature: f64,
    /// The seed sent with each request.
    pub seed: u64,
}

/// Whether critics get their tasks by outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Routing {
    /// Mixed alone, homogeneous routes in groups (Section 3.2).
    On,
    /// The ablation "w/o outcome routing": batches of trajectories and one unified prompt.
    Off,
}

/// Which cards reach the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardsKept {
    /// All valid cards.
    All,
    /// The ablation "remove cards without edits".
    OnlyWithEdits,
}

/// How critics are called (`[critique]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CritiqueSettings {
    /// Routing by outcome.
    pub routing: Routing,
    /// Task blocks a homogeneous call (trajectories without routing); at least 2.
    pub group_size: u32,
    /// Edits that a homogeneous critic is told it may propose; at least 1. Mixed critics are told 1.
    pub max_edits: u32,
    /// What of the scorer critics are shown.
    pub feedback: FeedbackLevel,
    /// Which cards are kept.
    pub cards: CardsKept,
}

/// Which cards a review sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewEvidence {
    /// All cards of the step.
    AllGroups,
    /// The ablation "intra-group cards only".
    IntraGroup,
}

/// How proposals are merged and reviewed (`[review]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewSettings {
    /// False is the ablation "w/o proposal review"; cards are still collected.
    pub enabled: bool,
    /// Which cards a review sees.
    pub evidence: ReviewEvidence,
    /// Bundles a merge call; at least 2.
    pub merge_size: u32,
}

/// How the patch is made (`[patch]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatchSettings {
    /// The edit budget at the start; at least `min_edits`.
    pub max_edits: u32,
    /// The edit budget at the end; at least 1.
    pub min_edits: u32,
    /// Combinations this similar to a rejected one are repetitions; 0 to 1.
    pub combination_similarity: f64,
    /// Edits this similar are one family; 0 to 1.
    pub family_similarity: f64,
    /// Distinct rejected candidates, none accepted, that block a family; 0 never blocks.
    pub family_rejections: u32,
    /// Marker pairs of protected regions.
    pub protected: Vec<[String; 2]>,
    /// Texts that a candidate must contain.
    pub must_contain: Vec<String>,
    /// The largest candidate in bytes; 0 is unlimited.
    pub max_bytes: u64,
}

/// How far back critics are told of earlier steps (`[history]`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HistoryScope {
    /// Cleared at each epoch, as in the paper.
    Epoch,
    /// The whole run.
    Run,
}

/// What is told of earlier steps (`[history]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistorySettings {
    /// How far back.
    pub scope: HistoryScope,
}

/// When to stop rather than to go on (`[limits]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    /// The share of unscored training rollouts above which the stage stops; 0 to 1.
    pub not_scored: f64,
    /// How often unscored rollouts are tried again at the end of a stage.
    pub not_scored_retries: u32,
}

/// Which of a benchmark's two metrics scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scoring {
    /// The published metric, quirks included, so that numbers compare.
    Reference,
    /// The metric with what is plainly wrong in it repaired.
    Corrected,
}

/// Where the tasks come from (`[data]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSettings {
    /// The benchmark's name in the registry, or `own` for own tasks.
    pub benchmark: String,
    /// The folder of the data. `embedded:quickstart` is the task set inside the binary.
    pub dir: String,
    /// The initial context's file; empty takes the benchmark's own.
    pub context: String,
    /// Which metric scores.
    pub scoring: Scoring,
    /// Tasks to keep of each split, in file order; 0 keeps all.
    pub limit: u32,
    /// Own tasks.
    pub own: OwnTaskSettings,
}

/// Own tasks (`[data.own]`): files are relative to `data.dir`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnTaskSettings {
    /// One file that is split by `ratio` and `seed`; empty if the splits have files of their own.
    pub tasks: String,
    /// The file of the train split, JSONL or CSV.
    pub train: String,
    /// The file of the validation split.
    pub validation: String,
    /// The file of the test split.
    pub test: String,
    /// Shares of train, validation and test when one file is split; above 0 each.
    pub ratio: [f64; 3],
    /// The seed of that split.
    pub seed: u64,
    /// What the agent is asked, as a template over the fields of a task (`{{ input }}` …).
    pub template: String,
    /// How an answer is scored.
    pub scorer: ScorerSettings,
}

/// How an own task's answer is scored (`[data.own.scorer]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScorerSettings {
    /// `exact`, `normalized`, `contains`, `choice`, `numeric`, `f1`, `anls`, `regex`, `json_equal` or `command`.
    pub name: String,
    /// For `numeric`, the largest absolute difference; for `f1` and `anls` unused.
    pub tolerance: f64,
    /// For `f1` and `anls`, the score from which an answer counts as right.
    pub threshold: f64,
    /// For `command`, the program and its arguments.
    pub command: Vec<String>,
    /// For `command`, seconds that it may take.
    pub timeout_seconds: f64,
    /// For `command`, whether its feedback is declared free of golds.
    pub safe_feedback: bool,
}

/// The run as a whole (`[run]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// The seed of shuffles and of derived seeds.
    pub seed: u64,
    /// Passes over the train split; at least 1.
    pub epochs: u32,
    /// Tasks a step; at least 1. The last step of an epoch may be short.
    pub batch_size: u32,
}
