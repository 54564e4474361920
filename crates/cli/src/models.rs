//! The two model roles of a run, as its configuration names them.
//!
//! Always holds: a stage connects only the roles that it calls, so that no key is asked for in vain; what a role is
//! (its description) is known without its key.

use std::collections::BTreeMap;
use std::sync::Arc;

use textualrl_artifact::{ManifestEndpoint, RunDir};
use textualrl_llm::{
    ChatModel, EndpointDescription, EndpointError, EndpointPool, HttpModel, Journal, JournalCounts,
    Journaled, ModelRole, install_crypto_provider,
};
use textualrl_model::settings::{EndpointSettings, Provider};
use textualrl_model::{ExitCode, Fingerprint};
use textualrl_pipeline::RunConfig;
use textualrl_simulate::{SimulatedOptimizer, SimulatedTarget};

use crate::failure::Failure;

/// The name of a role in the configuration and in messages.
pub(crate) fn role_name(role: ModelRole) -> &'static str {
    match role {
        ModelRole::Target => "target",
        ModelRole::Optimizer => "optimizer",
    }
}

fn settings(config: &RunConfig, role: ModelRole) -> &EndpointSettings {
    match role {
        ModelRole::Target => &config.target,
        ModelRole::Optimizer => &config.optimizer,
    }
}

/// What the model of a role is.
pub(crate) fn describe(config: &RunConfig, role: ModelRole) -> Result<EndpointDescription, Failure> {
    let settings = settings(config, role);
    match settings.provider {
        Provider::Simulated => Ok(simulated(role).describe().clone()),
        Provider::Http => HttpModel::description(role_name(role), settings).map_err(unusable),
    }
}

/// The fingerprint of what the model of a role is, as a stage's input.
pub(crate) fn fingerprint(description: &EndpointDescription) -> Result<Fingerprint, Failure> {
    Fingerprint::of_json(description).map_err(|error| Failure::of(ExitCode::Internal, &error))
}

/// A description as the manifest keeps it.
pub(crate) fn manifest_endpoint(description: EndpointDescription) -> ManifestEndpoint {
    let EndpointDescription { model, endpoint, simulated, settings } = description;
    ManifestEndpoint { model, endpoint, simulated, settings }
}

/// A connected role whose completed calls go to a partition of the run's journal.
pub(crate) struct Connected {
    /// The model.
    pub(crate) model: Arc<dyn ChatModel>,
    journal: Arc<Journal>,
}

impl Connected {
    /// Connects a role.
    pub(crate) fn new(
        config: &RunConfig,
        role: ModelRole,
        run: &RunDir,
        partition: &str,
    ) -> Result<Self, Failure> {
        let folder = run.journal(partition).map_err(|error| Failure::of(error.exit_code(), &error))?;
        let journal = Journal::open(folder.as_std_path()).map_err(|error| {
            Failure::of(ExitCode::Storage, &error).hint("make room or mend the folder, then resume")
        })?;
        let journal = Arc::new(journal);
        let model: Arc<dyn ChatModel> =
            Arc::new(Journaled::new(connect(config, role)?, Arc::clone(&journal)));
        Ok(Self { model, journal })
    }

    /// What the journal did.
    pub(crate) fn counts(&self) -> JournalCounts {
        self.journal.counts()
    }
}

/// The model of a role, without a journal.
pub(crate) fn connect(config: &RunConfig, role: ModelRole) -> Result<Arc<dyn ChatModel>, Failure> {
    let settings = settings(config, role);
    if settings.provider == Provider::Simulated {
        return Ok(simulated(role));
    }
    install_crypto_provider();
    let http = [ModelRole::Target, ModelRole::Optimizer]
        .into_iter()
        .map(|role| (role_name(role), self::settings(config, role)))
        .filter(|(_, settings)| settings.provider == Provider::Http);
    let pool = EndpointPool::new(http).map_err(unusable)?;
    let model = HttpModel::new(role_name(role), settings, &pool).map_err(unusable)?;
    Ok(Arc::new(model))
}

fn simulated(role: ModelRole) -> Arc<dyn ChatModel> {
    match role {
        ModelRole::Target => Arc::new(SimulatedTarget::new()),
        ModelRole::Optimizer => Arc::new(SimulatedOptimizer::new()),
    }
}

fn unusable(error: EndpointError) -> Failure {
    let code = match error {
        EndpointError::MissingKey { .. } | EndpointError::InvalidKey { .. } => ExitCode::Provider,
        _ => ExitCode::Usage,
    };
    Failure::of(code, &error)
}

/// The roles whose answers are simulated or recorded, in words.
pub(crate) fn simulated_roles(endpoints: &BTreeMap<&str, bool>) -> Vec<String> {
    endpoints.iter().filter(|(_, simulated)| **simulated).map(|(role, _)| format!("the {role}")).collect()
}
