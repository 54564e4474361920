//! Ranking of more edits than the budget allows (Section 3.3).
//!
//! Always holds: the order holds every edit once; a ranking that fails leaves the merge order and says why.

use serde_json::Value;
use textualrl_llm::prompt::{Template, TemplateError};
use textualrl_llm::{AskRecord, CallPurpose, Checked, ask};
use textualrl_model::{EditId, EditProposal};

use crate::caller::{Caller, endpoint_failure, request};
use crate::output::{Ranking, RankingStatus};
use crate::wire::{rank_schema, rank_turn};

/// An order of all edits, and what of the reply was not taken or was missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankAnswer {
    /// All edits.
    pub order: Vec<EditId>,
    /// Unknown and repeated ids, and edits that the reply did not mention.
    pub notes: Vec<String>,
}

/// Reads an order. Unknown and repeated ids are passed over; what is missing follows in merge order.
///
/// # Errors
/// The problem, if the reply names no edit at all.
pub fn check_ranking(reply: &Value, edits: &[EditProposal]) -> Result<Checked<RankAnswer>, Vec<String>> {
    let Some(written) = reply.get("ranking").and_then(Value::as_array) else {
        return Err(vec!["ranking: must be a list of the edits' ids".to_owned()]);
    };
    let (mut order, mut notes) = (Vec::<EditId>::new(), Vec::new());
    for (index, value) in written.iter().enumerate() {
        let named = value.as_str().map(str::trim);
        match edits.iter().map(|edit| &edit.id).find(|id| named == Some(id.as_str())) {
            Some(id) if order.contains(id) => {
                notes.push(format!("ranking[{index}]: {id} stands there already"))
            }
            Some(id) => order.push(id.clone()),
            None => notes.push(format!("ranking[{index}]: {value} is no edit")),
        }
    }
    if order.is_empty() {
        return Err(vec!["ranking: names none of the edits".to_owned()]);
    }
    for id in edits.iter().map(|edit| &edit.id) {
        if !order.contains(id) {
            notes.push(format!("{id} is missing and follows in merge order"));
            order.push(id.clone());
        }
    }
    Ok(Checked::whole(RankAnswer { order, notes }))
}

impl Caller<'_> {
    /// The order of the edits: merge order if all fit the budget, else as the optimizer ranks them.
    pub(crate) async fn rank(&self, edits: &[EditProposal]) -> Result<Ranking, TemplateError> {
        let edit_budget = self.input.edit_budget;
        let mut ranking = Ranking {
            edit_budget,
            order: edits.iter().map(|edit| edit.id.clone()).collect(),
            status: RankingStatus::WithinBudget,
            notes: Vec::new(),
            replies: AskRecord::default(),
            endpoint: None,
        };
        if edits.len() <= edit_budget as usize {
            return Ok(ranking);
        }
        let system = self.system_turn(Template::Rank, None)?;
        let user = rank_turn(self.input.context, edit_budget, edits);
        let request = request(&system, &user, rank_schema());
        let identity = self.identity(CallPurpose::Rank, 1);
        match ask(self.model, &request, &identity, |reply| check_ranking(&reply, edits)).await {
            Ok(asked) => {
                ranking.status = RankingStatus::Ranked;
                ranking.order = asked.value.order;
                ranking.notes = asked.value.notes;
                ranking.replies = asked.record;
            }
            Err(error) => {
                ranking.status = RankingStatus::Failed { because: error.to_string() };
                ranking.endpoint = endpoint_failure(&error);
                ranking.replies = error.record().clone();
            }
        }
        Ok(ranking)
    }
}
