//! What the agent is asked: a template over the fields of a task.
//!
//! Always holds: a variable that the task lacks is an error; what a field holds is never expanded again.

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};

use crate::data::LoadError;
use crate::data::row::Row;

const NAME: &str = "task";

/// A checked template.
#[derive(Debug)]
pub(super) struct Template {
    environment: Environment<'static>,
}

impl Template {
    /// Parses a template.
    pub(super) fn new(text: &str) -> Result<Self, LoadError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment
            .add_template_owned(NAME, text.to_owned())
            .map_err(|error| LoadError::Setting { key: "template", problem: error.to_string() })?;
        Ok(Self { environment })
    }

    /// What the agent is asked about a row.
    pub(super) fn render(&self, row: &Row) -> Result<String, LoadError> {
        let fields: Vec<&str> = row.fields.keys().map(String::as_str).collect();
        let problem = |problem: String| {
            let problem = format!("data.own.template {problem}; the task has {}", fields.join(", "));
            LoadError::row(&row.place, problem)
        };
        let failed = |error: minijinja::Error| problem(format!("cannot be filled ({error})"));
        let template = self.environment.get_template(NAME).map_err(failed)?;
        let mut names: Vec<String> = template.undeclared_variables(false).into_iter().collect();
        names.sort();
        if let Some(name) = names.iter().find(|name| !row.fields.contains_key(name.as_str())) {
            return Err(problem(format!("uses `{name}`")));
        }
        template.render(Value::from(Serde(&row.fields))).map_err(failed)
    }
}
