//! Stages as processes, and the projections after each.
//!
//! Always holds: a stage's process is this same program; what it prints on stderr is seen as it comes, and its failure
//! is the loop's failure, with the same exit code.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use camino::Utf8PathBuf;
use textualrl_artifact::{Projection, Slot, StageRecord};
use textualrl_model::{ExitCode, Split, Stage};
use textualrl_pipeline::{Records, Runner, adopted_contexts, best_context, history};

use crate::arguments::{StageArguments, command_of};
use crate::failure::Failure;
use crate::interrupt::Interrupts;
use crate::opened::Opened;
use crate::stage::{unread, unwritten};

/// Runs each slot in a process of its own.
pub(super) struct Processes<'a> {
    opened: &'a Opened,
    program: PathBuf,
    prompts: Option<Utf8PathBuf>,
    verbose: u8,
    interrupts: Interrupts,
}

impl<'a> Processes<'a> {
    /// Stages of this run.
    pub(super) fn new(
        opened: &'a Opened,
        prompts: Option<Utf8PathBuf>,
        verbose: u8,
    ) -> Result<Self, Failure> {
        let program = std::env::current_exe().map_err(|error| Failure::of(ExitCode::Internal, &error))?;
        Ok(Self { opened, program, prompts, verbose, interrupts: Interrupts::watch()? })
    }

    /// The run's failure at a slot, with the command that goes on.
    fn stopped(&self, slot: Slot, code: ExitCode, why: &str) -> Failure {
        Failure::new(code, format!("the run was {why} {slot}"))
            .hint(format!("go on with: textualrl run --resume {}", self.opened.run.path()))
    }

    fn arguments(&self, slot: Slot) -> Vec<String> {
        let run = self.opened.run.path().to_owned();
        let of_loop = |step| StageArguments::of_loop(&run, step, self.prompts.as_ref());
        let split = |split: Split| ["--split".to_owned(), split.to_string()];
        let (command, mut arguments) = match slot {
            Slot::Baseline | Slot::Evaluation { .. } => ("rollout", of_loop(None)),
            Slot::Step { step, stage } => (command_of(stage), of_loop(Some(step))),
        };
        match slot {
            Slot::Baseline => arguments.push("--baseline".to_owned()),
            Slot::Step { stage: Stage::Validation, .. } => arguments.extend(split(Split::Validation)),
            Slot::Evaluation { arm, split: of } => {
                arguments.extend(["--arm".to_owned(), arm.name().to_owned()]);
                arguments.extend(split(of));
            }
            Slot::Step { .. } => {}
        }
        arguments.insert(0, command.to_owned());
        arguments.extend((0..self.verbose).map(|_| "--verbose".to_owned()));
        arguments
    }
}

impl Runner for Processes<'_> {
    type Error = Failure;

    fn run(&mut self, slot: Slot, _generation: u32) -> Result<StageRecord, Failure> {
        if self.interrupts.seen() {
            return Err(self.stopped(slot, ExitCode::Interrupted, "interrupted before"));
        }
        let internal = |error: std::io::Error| Failure::of(ExitCode::Internal, &error);
        let mut child = Command::new(&self.program)
            .args(self.arguments(slot))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(internal)?;
        // The stage ends when this end of the pipe does, so that it never outlives a loop that was killed.
        let alive = child.stdin.take();
        let status = child.wait().map_err(internal)?;
        drop(alive);
        if !status.success() {
            // No code: a signal ended the process, be it of a person or of a system short of memory.
            let code = match status.code() {
                Some(number) => ExitCode::from_process(number).unwrap_or(ExitCode::Internal),
                None => ExitCode::Interrupted,
            };
            let why = if status.code().is_none() { format!("{status} at") } else { "stopped at".to_owned() };
            return Err(self.stopped(slot, code, &why));
        }
        let record = self.opened.run.record(slot).map_err(unread)?;
        record.ok_or_else(|| {
            Failure::new(ExitCode::Internal, format!("{slot} left no record; please report this"))
        })
    }

    fn after(&mut self, _slot: Slot, records: &Records) -> Result<(), Failure> {
        project(self.opened, records)
    }
}

/// Writes what can be told from the records: history, adopted contexts, best context.
pub(super) fn project(opened: &Opened, records: &Records) -> Result<(), Failure> {
    let run = &opened.run;
    let mut lines = String::new();
    for line in history(records) {
        let text = serde_json::to_string(&line).map_err(|error| Failure::of(ExitCode::Internal, &error))?;
        lines.push_str(&text);
        lines.push('\n');
    }
    run.write_projection(&Projection::History, lines.as_bytes()).map_err(unwritten)?;
    for adopted in adopted_contexts(records) {
        let projection = Projection::Context { number: adopted.number, context: adopted.context.clone() };
        if !run.projection(&projection).exists() {
            let context = opened.context(records, &adopted.context)?;
            run.write_projection(&projection, context.text().as_bytes()).map_err(unwritten)?;
        }
    }
    if let Some(best) = best_context(records) {
        let context = opened.context(records, &best.context)?;
        run.write_projection(&Projection::BestContext, context.text().as_bytes()).map_err(unwritten)?;
    }
    Ok(())
}
