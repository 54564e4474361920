//! Builders of proposals, cards and whole inputs.

use serde_json::{Value, json};
use textualrl_llm::{CallPurpose, ChatError};
use textualrl_model::settings::{ReviewEvidence, ReviewSettings};
use textualrl_model::{
    CardId, Context, Edit, EditId, EditProposal, EvidenceCard, EvidencePool, GroupId, Reward, RolloutIndex,
    Route, StepId, TaskId,
};
use textualrl_review::{ReviewError, ReviewInput, ReviewOutput, review};

use crate::scripted::{Scripted, list};

pub(crate) const CONTEXT: &str = "# Rules\n- Rule one.\n- Rule two.\n- Rule two.\n";

pub(crate) fn task(name: &str) -> TaskId {
    TaskId::new(name).unwrap()
}

pub(crate) fn settings() -> ReviewSettings {
    ReviewSettings { enabled: true, evidence: ReviewEvidence::AllGroups, merge_size: 8 }
}

/// The only proposal of a group; its task is named after the group.
pub(crate) fn proposal(group: u32, route: Option<Route>, edit: Edit) -> EditProposal {
    let group = GroupId::numbered(group);
    let id = EditId::proposed(&group, 1);
    EditProposal {
        id: id.clone(),
        edit,
        routes: route.into_iter().collect(),
        support: vec![task(&format!("t-{group}"))],
        groups: vec![group],
        from: vec![id],
        reasoning: "seen".to_owned(),
    }
}

/// A proposal of each route's group with these numbers: mixed from 1, all-failure from 11, all-success from 21.
pub(crate) fn proposals(mixed: u32, failure: u32, success: u32) -> Vec<EditProposal> {
    let of = |first: u32, count: u32, route| {
        (first..first + count)
            .map(move |group| proposal(group, Some(route), Edit::append(format!("Instruction {group}."))))
    };
    of(1, mixed, Route::Mixed)
        .chain(of(11, failure, Route::AllFailure))
        .chain(of(21, success, Route::AllSuccess))
        .collect()
}

pub(crate) fn card(group: u32, outcome: Reward) -> EvidenceCard {
    let group = GroupId::numbered(group);
    EvidenceCard {
        id: CardId::of(&group, 1),
        task_id: task(&format!("t-{group}")),
        rollout_id: RolloutIndex::new(1),
        quote: format!("said in {group}"),
        condition: "a declarative clue".to_owned(),
        behavior: "named the entity".to_owned(),
        observed_effect: "unknown".to_owned(),
        route: Some(Route::Mixed),
        outcome,
        group,
    }
}

pub(crate) fn pool(groups: &[u32]) -> EvidencePool {
    EvidencePool { cards: groups.iter().map(|group| card(*group, Reward::of(group % 2 == 0))).collect() }
}

/// What a test varies of a step.
pub(crate) struct Step {
    pub(crate) proposals: Vec<EditProposal>,
    pub(crate) pool: EvidencePool,
    pub(crate) settings: ReviewSettings,
    pub(crate) edit_budget: u32,
    pub(crate) window_tokens: u32,
}

impl Step {
    pub(crate) fn new(proposals: Vec<EditProposal>, pool: EvidencePool) -> Self {
        Self { proposals, pool, settings: settings(), edit_budget: 100, window_tokens: 100_000 }
    }

    pub(crate) async fn try_run(&self, model: &Scripted) -> Result<ReviewOutput, ReviewError> {
        let context = Context::new(CONTEXT);
        let input = ReviewInput {
            context: &context,
            proposals: &self.proposals,
            pool: &self.pool,
            settings: &self.settings,
            edit_budget: self.edit_budget,
            window_tokens: self.window_tokens,
            step: StepId::new(1, 2),
            generation: 0,
            concurrency: 4,
        };
        let templates = textualrl_llm::prompt::Templates::new(&Default::default()).unwrap();
        review(&input, model, &templates).await
    }

    pub(crate) async fn run(&self, model: &Scripted) -> ReviewOutput {
        self.try_run(model).await.unwrap()
    }
}

pub(crate) fn transport() -> ChatError {
    ChatError::Transport { endpoint: "http://optimizer.example".to_owned(), message: "refused".to_owned() }
}

/// An optimizer that merges all edits into one list unchanged, retains every edit, and ranks backwards.
pub(crate) fn faithful() -> Scripted {
    Scripted::new(|request, identity| {
        let reply = match identity.purpose {
            CallPurpose::Merge => {
                let bundles = list(request, "bundles");
                let edits = bundles.iter().flat_map(|bundle| bundle["edits"].as_array().unwrap());
                let kept = |edit: &Value| json!({"op": edit["op"], "target": edit["target"], "content": edit["content"], "from": [edit["id"]]});
                json!({"reasoning": "kept", "edits": edits.map(kept).collect::<Vec<_>>()})
            }
            CallPurpose::Review => {
                let retained = |mut edit: Value| {
                    edit["cross_group_review"] =
                        json!({"decision": "retain", "reason": "fits", "evidence": []});
                    edit
                };
                let edits = list(request, "candidate_edits").into_iter().map(retained);
                json!({"edits": edits.collect::<Vec<_>>()})
            }
            _ => {
                let ids = list(request, "edits_to_rank").into_iter().rev().map(|edit| edit["id"].clone());
                json!({"ranking": ids.collect::<Vec<_>>()})
            }
        };
        Ok(reply.to_string())
    })
}
