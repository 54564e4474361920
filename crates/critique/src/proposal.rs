//! Checks of the edits that a critic proposes, one by one.
//!
//! Always holds: an edit that is taken has its operation's fields, a target that the context holds exactly once, and
//! the support that its route demands; what is wrong with the others is named, so that the critic can be asked again.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use textualrl_model::{Context, Edit, Route, TaskId};
use textualrl_patch::{ApplyOptions, locate};

use crate::batch::AnalysisGroup;
use crate::card::names_task;

/// An edit that passed the checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportedEdit {
    /// The edit.
    pub edit: Edit,
    /// The distinct tasks of the call that support it, sorted.
    pub support: Vec<TaskId>,
}

/// Checks the edits of a call. At most as many as the call allows are taken, the first ones.
pub fn check_edits(
    written: &[Value],
    group: &AnalysisGroup,
    context: &Context,
) -> (Vec<SupportedEdit>, Vec<String>) {
    let (mut taken, mut problems) = (Vec::new(), Vec::new());
    let allowed = group.max_edits as usize;
    if written.len() > allowed {
        problems.push(format!("patch.edits: there are {}, at most {allowed} are allowed", written.len()));
    }
    for (index, value) in written.iter().enumerate() {
        match check_edit(value, group, context) {
            Ok(edit) if taken.len() < allowed => taken.push(edit),
            Ok(_) => {}
            Err(problem) => problems.push(format!("patch.edits[{index}]: {problem}")),
        }
    }
    (taken, problems)
}

fn check_edit(value: &Value, group: &AnalysisGroup, context: &Context) -> Result<SupportedEdit, String> {
    let Value::Object(object) = value else { return Err("must be an object".to_owned()) };
    let mut object = object.clone();
    let named = take_support(&mut object)?;
    let edit = Edit::try_from(object).map_err(|error| error.to_string())?;
    check_target(&edit, context)?;
    Ok(SupportedEdit { edit, support: check_support(&named, group)? })
}

/// Takes `support`, so that it does not stay with the edit as an unknown field.
fn take_support(object: &mut Map<String, Value>) -> Result<Vec<String>, String> {
    let wrong = || "field `support`: must be a list of task ids".to_owned();
    match object.remove("support") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::String(task)) => Ok(vec![task]),
        Some(Value::Array(tasks)) => {
            tasks.into_iter().map(|task| task.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
        }
        Some(_) => Err(wrong()),
    }
}

fn check_target(edit: &Edit, context: &Context) -> Result<(), String> {
    match locate(context, edit, &ApplyOptions::default()) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(format!("field `target`: {refusal}")),
    }
}

/// A mixed task supports its own edit. Homogeneous routes need two tasks of the call, the unified prompt one.
fn check_support(named: &[String], group: &AnalysisGroup) -> Result<Vec<TaskId>, String> {
    if group.route == Some(Route::Mixed) {
        return Ok(group.blocks.iter().map(|block| block.task.clone()).collect());
    }
    let tasks = group.blocks.iter().map(|block| &block.task);
    let is_named = |task: &TaskId| named.iter().any(|name| names_task(name.trim(), task.as_str()));
    let support: BTreeSet<TaskId> = tasks.filter(|task| is_named(task)).cloned().collect();
    let needed = if group.route.is_some() { 2 } else { 1 };
    if support.len() < needed {
        let found = support.len();
        return Err(format!(
            "field `support`: names {found} tasks of this call; name the ids of at least {needed} different ones, \
             or leave the edit out"
        ));
    }
    Ok(support.into_iter().collect())
}
