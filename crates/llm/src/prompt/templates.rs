//! The optimizer's prompt templates: Markdown files of `prompts/`, compiled in, overridable by a folder.
//!
//! Always holds: a missing variable is an error that names template and variable; inserted text is never expanded
//! again; the fingerprint of what is really used is known.

use std::collections::BTreeMap;
use std::path::Path;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use serde::Serialize;
use textualrl_model::Fingerprint;

/// A prompt template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Template {
    /// What a context may rely on and say; part of all others.
    ContextRules,
    /// The form of edits; part of the critics' and the merges'.
    EditFormat,
    /// The critic of one mixed task.
    Mixed,
    /// The critic of all-success tasks.
    AllSuccess,
    /// The critic of all-failure tasks.
    AllFailure,
    /// The critic under the ablation without routing.
    Unified,
    /// What all critics are told about evidence cards.
    EvidenceCards,
    /// A merge within a branch.
    Merge,
    /// The merge of the two branches.
    FinalMerge,
    /// The review of merged edits against the cards.
    EvidenceReview,
    /// The ranking.
    Rank,
}

impl Template {
    /// All templates.
    pub const ALL: [Self; 11] = [
        Self::ContextRules,
        Self::EditFormat,
        Self::Mixed,
        Self::AllSuccess,
        Self::AllFailure,
        Self::Unified,
        Self::EvidenceCards,
        Self::Merge,
        Self::FinalMerge,
        Self::EvidenceReview,
        Self::Rank,
    ];

    /// The template's file below the folder of prompts, with `/` between its parts.
    pub fn name(self) -> &'static str {
        match self {
            Self::ContextRules => "context_rules.md",
            Self::EditFormat => "edit_format.md",
            Self::Mixed => "critique/mixed.md",
            Self::AllSuccess => "critique/all_success.md",
            Self::AllFailure => "critique/all_failure.md",
            Self::Unified => "critique/unified.md",
            Self::EvidenceCards => "critique/evidence_cards.md",
            Self::Merge => "review/merge.md",
            Self::FinalMerge => "review/final_merge.md",
            Self::EvidenceReview => "review/evidence_review.md",
            Self::Rank => "review/rank.md",
        }
    }

    /// The compiled-in text.
    fn embedded(self) -> &'static str {
        match self {
            Self::ContextRules => include_str!("../../../../prompts/context_rules.md"),
            Self::EditFormat => include_str!("../../../../prompts/edit_format.md"),
            Self::Mixed => include_str!("../../../../prompts/critique/mixed.md"),
            Self::AllSuccess => include_str!("../../../../prompts/critique/all_success.md"),
            Self::AllFailure => include_str!("../../../../prompts/critique/all_failure.md"),
            Self::Unified => include_str!("../../../../prompts/critique/unified.md"),
            Self::EvidenceCards => include_str!("../../../../prompts/critique/evidence_cards.md"),
            Self::Merge => include_str!("../../../../prompts/review/merge.md"),
            Self::FinalMerge => include_str!("../../../../prompts/review/final_merge.md"),
            Self::EvidenceReview => include_str!("../../../../prompts/review/evidence_review.md"),
            Self::Rank => include_str!("../../../../prompts/review/rank.md"),
        }
    }
}

/// Why templates cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// The folder of prompts cannot be read.
    #[error("prompt template {path} cannot be read: {message}")]
    Unreadable {
        /// The file or folder.
        path: String,
        /// What went wrong.
        message: String,
    },
    /// The folder holds none of the templates, so it is not what was meant.
    #[error("{path} holds no prompt template; name a file as one of {}", known_names())]
    NothingFound {
        /// The folder.
        path: String,
    },
    /// There is no template of this name.
    #[error("there is no prompt template {name:?}; there are {}", known_names())]
    UnknownName {
        /// The name.
        name: String,
    },
    /// The text is no template.
    #[error("prompt template {template} is malformed: {message}")]
    Malformed {
        /// The template.
        template: String,
        /// The line and what is wrong.
        message: String,
    },
    /// The template uses a variable that its prompt does not have.
    #[error("prompt template {template} uses {{{{ {variable} }}}}, which this prompt does not have")]
    MissingVariable {
        /// The template.
        template: &'static str,
        /// The variable.
        variable: String,
    },
}

fn known_names() -> String {
    Template::ALL.map(Template::name).join(", ")
}

/// The templates of a run.
#[derive(Debug, Clone)]
pub struct Templates {
    environment: Environment<'static>,
    fingerprints: BTreeMap<String, Fingerprint>,
}

impl Templates {
    /// The compiled-in templates, with the texts of `overrides` (by name) in the place of theirs.
    ///
    /// # Errors
    /// If a name is unknown or a text is no template.
    pub fn new(overrides: &BTreeMap<String, String>) -> Result<Self, TemplateError> {
        let known = |name: &str| Template::ALL.iter().any(|template| template.name() == name);
        if let Some(name) = overrides.keys().find(|name| !known(name)) {
            return Err(TemplateError::UnknownName { name: name.clone() });
        }
        let mut environment = Environment::empty();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        let mut fingerprints = BTreeMap::new();
        for template in Template::ALL {
            let name = template.name();
            let text = overrides.get(name).map_or(template.embedded(), String::as_str);
            let malformed = |error: minijinja::Error| TemplateError::Malformed {
                template: name.to_owned(),
                message: error.to_string(),
            };
            environment.add_template_owned(name, text.to_owned()).map_err(malformed)?;
            fingerprints.insert(name.to_owned(), Fingerprint::of(text.as_bytes()));
        }
        Ok(Self { environment, fingerprints })
    }

    /// The compiled-in templates, with those files of `folder` in the place of theirs that have a template's name.
    ///
    /// # Errors
    /// If the folder holds no template, or a file cannot be read or is no template.
    pub fn from_folder(folder: &Path) -> Result<Self, TemplateError> {
        let mut overrides = BTreeMap::new();
        for template in Template::ALL {
            let path = folder.join(template.name());
            match fs_err::read_to_string(&path) {
                Ok(text) => {
                    overrides.insert(template.name().to_owned(), text);
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => {
                    let (path, message) = (path.display().to_string(), error.to_string());
                    return Err(TemplateError::Unreadable { path, message });
                }
            }
        }
        if overrides.is_empty() {
            return Err(TemplateError::NothingFound { path: folder.display().to_string() });
        }
        Self::new(&overrides)
    }

    /// Renders a template with the fields of `values`.
    ///
    /// # Errors
    /// If the template uses a variable that `values` has not, or cannot be rendered.
    pub fn render<S: Serialize>(&self, template: Template, values: &S) -> Result<String, TemplateError> {
        let name = template.name();
        let malformed = |error: minijinja::Error| TemplateError::Malformed {
            template: name.to_owned(),
            message: error.to_string(),
        };
        let compiled = self.environment.get_template(name).map_err(malformed)?;
        let values = Value::from(Serde(values));
        let mut variables: Vec<String> = compiled.undeclared_variables(false).into_iter().collect();
        variables.sort();
        for variable in variables {
            if values.get_attr(&variable).map_or(true, |value| value.is_undefined()) {
                return Err(TemplateError::MissingVariable { template: name, variable });
            }
        }
        compiled.render(values).map_err(malformed)
    }

    /// The fingerprint of each template's text, by name.
    pub fn fingerprints(&self) -> &BTreeMap<String, Fingerprint> {
        &self.fingerprints
    }

    /// The fingerprint of all templates together.
    pub fn fingerprint(&self) -> Fingerprint {
        let parts = self.fingerprints.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()]);
        Fingerprint::of_parts(parts.map(str::as_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(template: Template, text: &str) -> Result<Templates, TemplateError> {
        Templates::new(&BTreeMap::from([(template.name().to_owned(), text.to_owned())]))
    }

    #[test]
    fn inserted_text_is_never_expanded() {
        let hostile = "{{input}} {skill} {% raw %} {# note #} <side_info> $TASK &amp; <b>";
        let templates = with(Template::Rank, "a {{ text }} z").unwrap();
        let rendered = templates.render(Template::Rank, &BTreeMap::from([("text", hostile)])).unwrap();
        assert_eq!(rendered, format!("a {hostile} z"));
    }

    #[test]
    fn a_missing_variable_is_named() {
        let templates = with(Template::Mixed, "{{ max_edits }} {{ nowhere }}").unwrap();
        let error = templates.render(Template::Mixed, &BTreeMap::from([("max_edits", 1)])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "prompt template critique/mixed.md uses {{ nowhere }}, which this prompt does not have"
        );
    }

    #[test]
    fn wrong_overrides_are_refused() {
        assert!(matches!(with(Template::Rank, "{{ open"), Err(TemplateError::Malformed { .. })));
        let unknown = BTreeMap::from([("critique/mixd.md".to_owned(), String::new())]);
        assert!(Templates::new(&unknown).unwrap_err().to_string().contains("critique/mixed.md"));
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Templates::from_folder(folder.path()), Err(TemplateError::NothingFound { .. })));
    }

    #[test]
    fn a_folder_overrides_by_name_and_changes_the_fingerprint() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("review")).unwrap();
        std::fs::write(folder.path().join("review/rank.md"), "rank").unwrap();
        let (embedded, overridden) =
            (Templates::new(&BTreeMap::new()).unwrap(), Templates::from_folder(folder.path()).unwrap());
        assert_eq!(overridden.render(Template::Rank, &()).unwrap(), "rank");
        assert_ne!(embedded.fingerprint(), overridden.fingerprint());
        let differing = embedded
            .fingerprints()
            .iter()
            .filter(|(name, fingerprint)| overridden.fingerprints().get(*name) != Some(fingerprint));
        assert_eq!(differing.count(), 1);
    }
}
