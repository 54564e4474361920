//! Where a model role is served, and what its requests carry.
//!
//! Always holds: a key is named by its environment variable and stands nowhere here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

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
