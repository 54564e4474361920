//! Configurations compared key by key, and the settings that decide a result.
//!
//! Always holds: a harmless key changes how fast or how patiently a run works, never what it computes.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value};
use textualrl_model::Fingerprint;

use super::RunConfig;

/// Keys of an endpoint that change no answer.
const HARMLESS_OF_ENDPOINT: [&str; 8] = [
    "attempts",
    "concurrency",
    "deadline_seconds",
    "key_env",
    "requests_per_minute",
    "system_proxy",
    "timeout_seconds",
    "tokens_per_minute",
];

/// Whether `key` may change when a run is resumed without making its results another run's.
pub fn harmless(key: &str) -> bool {
    match key.split_once('.') {
        Some(("limits", _)) => true,
        Some(("target" | "optimizer", rest)) => HARMLESS_OF_ENDPOINT.contains(&rest),
        _ => false,
    }
}

/// The keys in which two configurations differ, sorted.
pub fn differing_keys(a: &RunConfig, b: &RunConfig) -> Vec<String> {
    let mut keys = BTreeSet::new();
    differences(&as_value(a), &as_value(b), "", &mut keys);
    keys.into_iter().collect()
}

/// The fingerprint of the keys of a section that decide a result.
pub fn settings_fingerprint<T: Serialize>(section: &str, settings: &T) -> Fingerprint {
    let mut value = as_value(settings);
    if let Value::Object(object) = &mut value {
        object.retain(|key, _| !harmless(&format!("{section}.{key}")));
    }
    Fingerprint::of(format!("{section} {value}").as_bytes())
}

fn as_value<T: Serialize>(value: &T) -> Value {
    // Settings are plain structs with text keys, which always can be written.
    serde_json::to_value(value).unwrap_or_default()
}

fn differences(a: &Value, b: &Value, prefix: &str, keys: &mut BTreeSet<String>) {
    if a == b {
        return;
    }
    let empty = Map::new();
    match (a.as_object(), b.as_object()) {
        (None, None) => {
            keys.insert(prefix.to_owned());
        }
        (a, b) => {
            let (a, b) = (a.unwrap_or(&empty), b.unwrap_or(&empty));
            for key in a.keys().chain(b.keys()) {
                let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                differences(
                    a.get(key).unwrap_or(&Value::Null),
                    b.get(key).unwrap_or(&Value::Null),
                    &path,
                    keys,
                );
            }
        }
    }
}
