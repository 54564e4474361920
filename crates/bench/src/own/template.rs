//! What the agent is asked: a template over the fields of a task.
//!
//! Always holds: a variable that the task lacks, or has as null, is an error that names it; what a field holds is never
//! expanded again.

use std::collections::BTreeMap;

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};

use crate::data::LoadError;
use crate::data::row::Row;

const NAME: &str = "task";

/// A checked template.
#[derive(Debug)]
pub(super) struct Template {
    environment: Environment<'static>,
    /// The variables that stand in it.
    variables: Vec<String>,
}

impl Template {
    /// Parses a template.
    pub(super) fn new(text: &str) -> Result<Self, LoadError> {
        let malformed =
            |error: minijinja::Error| LoadError::Setting { key: "template", problem: error.to_string() };
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.add_template_owned(NAME, text.to_owned()).map_err(malformed)?;
        let mut variables: Vec<String> = {
            let template = environment.get_template(NAME).map_err(malformed)?;
            template.undeclared_variables(false).into_iter().collect()
        };
        variables.sort();
        Ok(Self { environment, variables })
    }

    /// What the agent is asked about a row.
    pub(super) fn render(&self, row: &Row) -> Result<String, LoadError> {
        // A null is no text and must not be shown as one.
        let fields: BTreeMap<_, _> = row.fields.iter().filter(|(_, value)| !value.is_null()).collect();
        let template = self.environment.get_template(NAME);
        let rendered = template.and_then(|template| template.render(Value::from(Serde(&fields))));
        match rendered {
            Ok(question) if question.trim().is_empty() => {
                Err(LoadError::row(&row.place, "the question that data.own.template makes of it is blank"))
            }
            Ok(question) => Ok(question),
            Err(error) => {
                let lacking = |variable: &&String| !fields.contains_key(*variable);
                let lacks = match self.variables.iter().find(lacking) {
                    Some(variable) => format!("it lacks the field `{variable}`"),
                    None => error.to_string(),
                };
                let known: Vec<&str> = fields.keys().map(|field| field.as_str()).collect();
                let known = known.join(", ");
                let problem = format!(
                    "data.own.template cannot be filled: {lacks}; the task has {known}. Add the field or change the template"
                );
                Err(LoadError::row(&row.place, problem))
            }
        }
    }
}
