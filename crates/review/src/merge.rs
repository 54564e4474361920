//! Hierarchical merging of bundles (Section 3.3, Appendix A and B.2).
//!
//! Always holds: results stand in the order of the bundles, however the calls return; a merge that fails passes the
//! edits of its bundles on one after the other, and its record says why.

use futures_util::{StreamExt, stream};
use textualrl_llm::prompt::{Template, TemplateError};
use textualrl_llm::{AskError, AskRecord, Asked, BoxFuture, CallPurpose, ask};
use textualrl_model::{EditId, EditProposal, MergeId};

use crate::bundle::{Branch, Bundle};
use crate::caller::{Caller, endpoint_failure, is_too_long, request, request_tokens};
use crate::merge_reply::{MergeAnswer, check_merge};
use crate::output::{MergeRecord, MergeStatus, MergedEdit};
use crate::plan::merge_levels;
use crate::wire::{merge_schema, merge_turn};

/// What is left of some bundles, and the calls that were made.
pub(crate) struct Merged {
    pub(crate) bundle: Option<Bundle>,
    pub(crate) records: Vec<MergeRecord>,
}

/// One node of the merge tree.
struct Node {
    id: MergeId,
    branch: Branch,
    sequence: usize,
    bundles: Vec<Bundle>,
}

impl Caller<'_> {
    /// Merges the bundles of a branch, level by level, to one.
    pub(crate) async fn merge_branch(
        &self,
        branch: Branch,
        bundles: Vec<Bundle>,
    ) -> Result<Merged, TemplateError> {
        let size = match branch {
            Branch::Final => bundles.len(),
            _ => self.input.settings.merge_size as usize,
        };
        let (mut bundles, mut records) = (bundles, Vec::new());
        for (level, takes) in (1..).zip(merge_levels(bundles.len(), size)) {
            let mut rest = bundles.into_iter();
            let mut nodes = Vec::new();
            for (number, takes) in (1..).zip(takes) {
                let id = MergeId::numbered(branch.name(), level, number);
                let bundles = rest.by_ref().take(takes).collect();
                nodes.push(self.merge(Node { id, branch, sequence: number, bundles }));
            }
            let merged: Vec<_> = stream::iter(nodes).buffered(self.input.concurrency.max(1)).collect().await;
            bundles = Vec::new();
            for merged in merged {
                let merged = merged?;
                bundles.extend(merged.bundle);
                records.extend(merged.records);
            }
        }
        Ok(Merged { bundle: bundles.pop(), records })
    }

    /// Merges the bundles of a node in one call, or in smaller ones if the prompt does not fit.
    fn merge(&self, mut node: Node) -> BoxFuture<'_, Result<Merged, TemplateError>> {
        Box::pin(async move {
            if node.bundles.len() < 2 {
                return Ok(Merged { bundle: node.bundles.pop(), records: Vec::new() });
            }
            match self.ask_merge(&node).await? {
                Some(asked) => Ok(node.finish(asked)),
                None if node.bundles.len() == 2 => {
                    Ok(node
                        .concatenate("the prompt does not fit the window".to_owned(), AskRecord::default()))
                }
                None => self.merge_in_parts(node).await,
            }
        })
    }

    /// One call. Nothing if its prompt does not fit, by estimate or as the endpoint says.
    async fn ask_merge(
        &self,
        node: &Node,
    ) -> Result<Option<Result<Asked<MergeAnswer>, AskError>>, TemplateError> {
        let template = if node.branch == Branch::Final { Template::FinalMerge } else { Template::Merge };
        let system = self.system_turn(template, Some(node.branch))?;
        let user = merge_turn(self.input.context, node.branch, &node.bundles);
        if request_tokens(&system, &user) > self.input.window_tokens as usize {
            return Ok(None);
        }
        let request = request(&system, &user, merge_schema());
        let identity = self.identity(CallPurpose::Merge, node.sequence);
        let check = |reply| check_merge(&reply, &node.id, &node.bundles, self.input.context);
        match ask(self.model, &request, &identity, check).await {
            Err(error) if is_too_long(&error) => Ok(None),
            asked => Ok(Some(asked)),
        }
    }

    /// Merges each half, then the two results.
    async fn merge_in_parts(&self, node: Node) -> Result<Merged, TemplateError> {
        let Node { id, branch, sequence, mut bundles } = node;
        let second = bundles.split_off(bundles.len() / 2);
        let (first_id, second_id) = id.halves();
        let (mut halves, mut records) = (Vec::new(), Vec::new());
        for (id, bundles) in [(first_id, bundles), (second_id, second)] {
            let merged = self.merge(Node { id, branch, sequence, bundles }).await?;
            halves.extend(merged.bundle);
            records.extend(merged.records);
        }
        let merged = self.merge(Node { id, branch, sequence, bundles: halves }).await?;
        records.extend(merged.records);
        Ok(Merged { bundle: merged.bundle, records })
    }
}

impl Node {
    /// The merged bundle, or the concatenation if the call failed.
    fn finish(self, asked: Result<Asked<MergeAnswer>, AskError>) -> Merged {
        let asked = match asked {
            Ok(asked) => asked,
            Err(error) => {
                let mut merged = self.concatenate(error.to_string(), error.record().clone());
                for record in &mut merged.records {
                    record.endpoint = endpoint_failure(&error);
                }
                return merged;
            }
        };
        let mut record = self.record(MergeStatus::Merged, asked.record);
        record.problems = asked.problems;
        record.reasoning.clone_from(&asked.value.reasoning);
        record.outputs = asked.value.provenance;
        let used = |id| record.outputs.iter().any(|output| output.from.contains(id));
        record.left_out = record.inputs.iter().filter(|id| !used(id)).cloned().collect();
        let MergeAnswer { reasoning, edits, .. } = asked.value;
        let bundle = Bundle { id: self.id.to_string(), reasoning, edits };
        Merged { bundle: Some(bundle), records: vec![record] }
    }

    /// The edits of all bundles in order, under the ids that they have.
    fn concatenate(self, because: String, replies: AskRecord) -> Merged {
        let mut record = self.record(MergeStatus::Concatenated { because }, replies);
        let itself = |id: &EditId| MergedEdit { id: id.clone(), from: vec![id.clone()] };
        record.outputs = record.inputs.iter().map(itself).collect();
        let reasoning: Vec<String> = self.bundles.iter().map(|bundle| bundle.reasoning.clone()).collect();
        let edits: Vec<EditProposal> = self.bundles.into_iter().flat_map(|bundle| bundle.edits).collect();
        let bundle = Bundle { id: self.id.to_string(), reasoning: reasoning.join("\n"), edits };
        Merged { bundle: Some(bundle), records: vec![record] }
    }

    fn record(&self, status: MergeStatus, replies: AskRecord) -> MergeRecord {
        let inputs = self.bundles.iter().flat_map(|bundle| &bundle.edits);
        MergeRecord {
            merge: self.id.clone(),
            branch: self.branch,
            bundles: self.bundles.iter().map(|bundle| bundle.id.clone()).collect(),
            inputs: inputs.map(|edit| edit.id.clone()).collect(),
            outputs: Vec::new(),
            left_out: Vec::new(),
            status,
            reasoning: String::new(),
            problems: Vec::new(),
            replies,
            endpoint: None,
        }
    }
}
