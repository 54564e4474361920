//! `textualrl show`: trajectories for people, or as JSON lines.
//!
//! Always holds: a file is read block by block, so that showing one trajectory of a large file is quick.

use textualrl_artifact::TrajectoryReader;
use textualrl_model::{ExitCode, Outcome, RolloutIndex, TaskId, Trajectory};

use crate::arguments::ShowArguments;
use crate::failure::Failure;
use crate::output;
use crate::stage::unread;

/// Shows a trajectory file, or a part of it.
pub(crate) fn show(arguments: &ShowArguments) -> Result<(), Failure> {
    let mut reader =
        TrajectoryReader::open(&arguments.file).map_err(|error| Failure::of(error.exit_code(), &error))?;
    let task = arguments.task.as_deref().map(TaskId::new).transpose().map_err(usage)?;
    let rollout = arguments.rollout.as_deref().map(str::parse::<RolloutIndex>).transpose().map_err(usage)?;
    if let (Some(task), Some(rollout)) = (&task, rollout) {
        let found = reader.find(task, rollout).map_err(unread)?;
        let missing = || Failure::new(ExitCode::Usage, format!("{} has no {task}/{rollout}", arguments.file));
        return print(&found.ok_or_else(missing)?, arguments.json);
    }
    let mut shown = 0_u64;
    for trajectory in reader.iter() {
        let trajectory = trajectory.map_err(unread)?;
        if task.as_ref().is_none_or(|task| *task == trajectory.task) {
            print(&trajectory, arguments.json)?;
            shown += 1;
        }
    }
    match task {
        Some(task) if shown == 0 => {
            Err(Failure::new(ExitCode::Usage, format!("{} has no task {task}", arguments.file)))
        }
        _ => Ok(()),
    }
}

fn usage(error: textualrl_model::InvalidId) -> Failure {
    Failure::of(ExitCode::Usage, &error)
}

fn print(trajectory: &Trajectory, json: bool) -> Result<(), Failure> {
    if json {
        let line =
            serde_json::to_string(trajectory).map_err(|error| Failure::of(ExitCode::Internal, &error))?;
        return output::data(&(line + "\n"));
    }
    output::data(&text(trajectory))
}

fn text(trajectory: &Trajectory) -> String {
    let mut text = format!("# {}/{} ({})\n", trajectory.task, trajectory.rollout, trajectory.split);
    for turn in &trajectory.turns {
        text.push_str(&format!("\n[{}]\n{}\n", turn.role.name(), turn.joined_text().trim_end()));
        for call in &turn.tool_calls {
            text.push_str(&format!("-> {}({})\n", call.name, call.arguments));
        }
    }
    let outcome = match &trajectory.outcome {
        Outcome::Scored { reward, answer, feedback } => {
            let answer = answer.as_deref().unwrap_or("no answer");
            let feedback = feedback.safe.as_ref().map_or(String::new(), |safe| format!("; {safe}"));
            format!("reward {}: {answer}{feedback}", u8::from(*reward))
        }
        Outcome::NotScored { cause } => format!("not scored, {cause}"),
    };
    text.push_str(&format!("\n=> {outcome}\n\n"));
    text
}
