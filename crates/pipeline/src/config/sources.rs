//! Where the keys of a configuration come from.
//!
//! Always holds: defaults, then the preset on top of the one that it extends, then file, then `--set` in their order,
//! then `--data`; relative paths in a file are relative to that file.

use camino::{Utf8Path, Utf8PathBuf};
use toml::{Table, Value};

use super::error::ConfigError;
use super::layer::{EXTENDS, Layer, value_at};

/// The defaults, commented.
pub(crate) const DEFAULTS: &str = include_str!("../../presets/defaults.toml");

/// The built-in presets by name.
pub const PRESETS: [(&str, &str); 8] = [
    ("alfworld", include_str!("../../presets/alfworld.toml")),
    ("docvqa", include_str!("../../presets/docvqa.toml")),
    ("livemath", include_str!("../../presets/livemath.toml")),
    ("officeqa", include_str!("../../presets/officeqa.toml")),
    ("paper", include_str!("../../presets/paper.toml")),
    ("quickstart", include_str!("../../presets/quickstart.toml")),
    ("searchqa", include_str!("../../presets/searchqa.toml")),
    ("spreadsheet", include_str!("../../presets/spreadsheet.toml")),
];

/// The text of a built-in preset.
pub fn preset_text(name: &str) -> Option<&'static str> {
    PRESETS.into_iter().find(|(known, _)| *known == name).map(|(_, text)| text)
}

/// A configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserFile {
    /// Where it lies, for messages and for the paths in it.
    pub path: Utf8PathBuf,
    /// What it says.
    pub text: String,
}

impl UserFile {
    /// Reads a configuration file.
    ///
    /// # Errors
    /// If there is no such file, or it is no UTF-8.
    pub fn read(path: &Utf8Path) -> Result<Self, ConfigError> {
        match std::fs::read_to_string(path) {
            Ok(text) => Ok(Self { path: path.to_owned(), text }),
            Err(error) => Err(ConfigError::File { path: path.to_owned(), message: error.to_string() }),
        }
    }

    /// The configuration that a run was made with (`run.toml`). Its paths are taken as they are.
    pub fn of_run(text: impl Into<String>) -> Self {
        Self { path: "run.toml".into(), text: text.into() }
    }
}

/// What a user gave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    /// `--preset`.
    pub preset: Option<String>,
    /// `--config`. It may name a preset itself: `extends = "searchqa"`.
    pub file: Option<UserFile>,
    /// `--set`, each `KEY=VALUE`.
    pub set: Vec<String>,
    /// `--data`.
    pub data: Option<String>,
}

impl Sources {
    /// The layers, lowest first, each with known keys only.
    pub(crate) fn layers(&self) -> Result<Vec<Layer>, ConfigError> {
        let defaults = Layer::built_in("built-in defaults", DEFAULTS)?;
        let schema = defaults.table.clone();
        let mut layers = vec![defaults];
        let (file, extends) = self.file_layer()?;
        let preset = match (&self.preset, extends, &self.file) {
            (Some(flag), Some(extends), Some(file)) if *flag != extends => {
                let path = file.path.clone();
                return Err(ConfigError::TwoPresets { flag: flag.clone(), file: extends, path });
            }
            (Some(flag), ..) => Some(("--preset", flag.clone())),
            (None, Some(extends), _) => Some((EXTENDS, extends)),
            (None, None, _) => None,
        };
        if let Some((place, name)) = preset {
            push_preset(place, &name, &mut layers)?;
        }
        layers.extend(file);
        for text in &self.set {
            layers.push(assignment(text, &schema)?);
        }
        if let Some(data) = &self.data {
            layers.push(Layer::of_key("--data".to_owned(), "data.dir", Value::String(data.clone())));
        }
        let misfits: Vec<_> = layers.iter().flat_map(|layer| layer.misfits(&schema)).collect();
        if misfits.is_empty() { Ok(layers) } else { Err(ConfigError::of(misfits, &layers)) }
    }

    /// The file's layer and the preset that it extends.
    fn file_layer(&self) -> Result<(Option<Layer>, Option<String>), ConfigError> {
        let Some(file) = &self.file else { return Ok((None, None)) };
        let mut layer = Layer::parse(file.path.as_str(), &file.text)?;
        let extends = layer.take_extends();
        if let Some(Value::Table(data)) = layer.table.get_mut("data") {
            let folder = file.path.parent().unwrap_or(Utf8Path::new(""));
            for key in ["dir", "context"] {
                relocate(data, key, folder);
            }
        }
        Ok((Some(layer), extends))
    }
}

/// Makes a relative path in a file relative to the working folder.
fn relocate(table: &mut Table, key: &str, folder: &Utf8Path) {
    if let Some(Value::String(path)) = table.get_mut(key)
        && !path.is_empty()
        && !path.starts_with("embedded:")
    {
        *path = folder.join(path.as_str()).into_string();
    }
}

/// Adds a preset, after the one that it extends.
fn push_preset(place: &str, name: &str, layers: &mut Vec<Layer>) -> Result<(), ConfigError> {
    let unknown = || ConfigError::UnknownPreset {
        place: place.to_owned(),
        name: name.to_owned(),
        known: PRESETS.map(|(name, _)| name).join(", "),
    };
    let called = format!("preset {name}");
    let mut layer = Layer::built_in(&called, preset_text(name).ok_or_else(unknown)?)?;
    if let Some(base) = layer.take_extends() {
        push_preset(&called, &base, layers)?;
    }
    layers.push(layer);
    Ok(())
}

/// `KEY=VALUE`. What the key's default is a text for is taken as text; anything else is read as TOML.
fn assignment(text: &str, schema: &Table) -> Result<Layer, ConfigError> {
    let no_assignment = || ConfigError::Assignment { text: text.to_owned() };
    let (key, value) = text.split_once('=').ok_or_else(no_assignment)?;
    let key = key.trim();
    if key.is_empty() || key.split('.').any(str::is_empty) {
        return Err(no_assignment());
    }
    let plain = || Value::String(value.to_owned());
    let parsed = toml::from_str::<Table>(&format!("value = {value}")).ok();
    let parsed = parsed.and_then(|mut table| table.remove("value"));
    let value = match (value_at(schema, key), parsed) {
        (Some(Value::String(_)), Some(Value::String(quoted))) => Value::String(quoted),
        (Some(Value::String(_)), _) | (_, None) => plain(),
        (_, Some(parsed)) => parsed,
    };
    Ok(Layer::of_key(format!("--set {key}"), key, value))
}
