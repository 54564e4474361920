//! What of a merge's reply can be used.
//!
//! Always holds: every edit taken names inputs of its call that it came from, has its operation's fields, and a
//! target that the context holds exactly once.

use serde_json::{Map, Value};
use textualrl_llm::Checked;
use textualrl_model::{Context, Edit, EditId, EditProposal, MergeId};
use textualrl_patch::{ApplyOptions, locate};

use crate::bundle::{Bundle, merged_from};
use crate::output::MergedEdit;

/// The usable part of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeAnswer {
    /// The optimizer's reasoning; empty if it gave none.
    pub reasoning: String,
    /// The edits, with all that they inherit.
    pub edits: Vec<EditProposal>,
    /// For each edit, the inputs that it came from.
    pub provenance: Vec<MergedEdit>,
}

/// Checks a reply against the bundles of its call. A reply without a usable edit would throw away every proposal, so
/// it counts as no answer.
///
/// # Errors
/// The problems, if nothing can be used.
pub fn check_merge(
    reply: &Value,
    merge: &MergeId,
    bundles: &[Bundle],
    context: &Context,
) -> Result<Checked<MergeAnswer>, Vec<String>> {
    let Some(written) = reply.get("edits").and_then(Value::as_array) else {
        return Err(vec!["edits: must be a list".to_owned()]);
    };
    let reasoning = reply.get("reasoning").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut answer = MergeAnswer { reasoning, edits: Vec::new(), provenance: Vec::new() };
    let mut problems = Vec::new();
    for (index, value) in written.iter().enumerate() {
        let mut note = |problem: String| problems.push(format!("edits[{index}]: {problem}"));
        match check_edit(value, bundles, context, &mut note) {
            Ok((edit, sources)) => answer.take(merge, edit, &sources),
            Err(problem) => note(problem),
        }
    }
    if answer.edits.is_empty() {
        problems
            .push("edits: none is usable; merge the proposals instead of leaving all of them out".to_owned());
        return Err(problems);
    }
    Ok(Checked::partial(answer, problems))
}

impl MergeAnswer {
    fn take(&mut self, merge: &MergeId, edit: Edit, sources: &[&EditProposal]) {
        let id = EditId::interim(merge, self.edits.len() + 1);
        let from = sources.iter().map(|source| source.id.clone()).collect();
        self.edits.push(merged_from(id.clone(), edit, sources, &self.reasoning));
        self.provenance.push(MergedEdit { id, from });
    }
}

fn check_edit<'a>(
    value: &Value,
    bundles: &'a [Bundle],
    context: &Context,
    note: &mut impl FnMut(String),
) -> Result<(Edit, Vec<&'a EditProposal>), String> {
    let Value::Object(object) = value else { return Err("must be an object".to_owned()) };
    let mut object = object.clone();
    let sources = take_sources(&mut object, bundles, note)?;
    // What was shown beside an input is often copied; here it is derived, and no part of the edit.
    for derived in ["id", "support", "routes"] {
        object.remove(derived);
    }
    let edit = read_edit(object, context)?;
    Ok((edit, sources))
}

/// The inputs named in `from`. Names of no input are noted; an edit with none but those is from nowhere.
fn take_sources<'a>(
    object: &mut Map<String, Value>,
    bundles: &'a [Bundle],
    note: &mut impl FnMut(String),
) -> Result<Vec<&'a EditProposal>, String> {
    let named = match object.remove("from") {
        Some(Value::Array(named)) => named,
        Some(Value::String(id)) => vec![Value::String(id)],
        _ => {
            return Err("field `from`: must list the ids of the edits that this one was made from".to_owned());
        }
    };
    let mut sources: Vec<&EditProposal> = Vec::new();
    for name in &named {
        let inputs = bundles.iter().flat_map(|bundle| &bundle.edits);
        let input =
            name.as_str().and_then(|name| inputs.clone().find(|input| input.id.as_str() == name.trim()));
        match input {
            Some(input) if sources.iter().any(|source| source.id == input.id) => {}
            Some(input) => sources.push(input),
            None => note(format!("field `from`: {name} is no edit of the bundles")),
        }
    }
    if sources.is_empty() {
        return Err("field `from`: names no edit of the bundles, so the edit is from nowhere".to_owned());
    }
    Ok(sources)
}

/// Reads an edit and finds its target.
pub(crate) fn read_edit(object: Map<String, Value>, context: &Context) -> Result<Edit, String> {
    let edit = Edit::try_from(object).map_err(|error| error.to_string())?;
    match locate(context, &edit, &ApplyOptions::default()) {
        Ok(_) => Ok(edit),
        Err(refusal) => Err(format!("field `target`: {refusal}")),
    }
}
