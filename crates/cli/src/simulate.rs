//! `textualrl simulate`: the simulated models over HTTP, for trying the client and for tests.
//!
//! Always holds: it listens on loopback only, and says that it simulates.

use std::time::Duration;

use textualrl_model::ExitCode;
use textualrl_simulate::{FaultPlan, FaultShare, ServerOptions, SimulationServer};

use crate::arguments::SimulateArguments;
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::output;
use crate::stage::block_on;

/// Serves until interrupted.
pub(crate) fn simulate(arguments: &SimulateArguments) -> Result<(), Failure> {
    let shares = arguments.fault.iter().map(|text| text.parse::<FaultShare>()).collect::<Result<Vec<_>, _>>();
    let shares = shares.map_err(|error| Failure::of(ExitCode::Usage, &error))?;
    let slow_by = Duration::from_millis(arguments.slow_ms);
    let faults = FaultPlan::new(shares, arguments.retry_after, slow_by)
        .map_err(|error| Failure::of(ExitCode::Usage, &error))?;
    let options = ServerOptions {
        port: arguments.port,
        latency: Duration::from_millis(arguments.latency_ms),
        fixed_reply: arguments.fixed_reply.clone(),
        request_log: arguments.log.clone().map(Into::into),
        faults,
    };
    block_on(async {
        let server =
            SimulationServer::bind(options).await.map_err(|error| Failure::of(ExitCode::Usage, &error))?;
        output::data(&format!("http://{}/v1\n", server.address()))?;
        output::say(
            "simulated models: their answers come from rules, not from a language model; Ctrl-C ends",
        );
        server.run(interrupted()).await;
        Ok(())
    })?
}
