//! Bundles: the proposals of one analysis group, and what merges make of them.
//!
//! Always holds: every edit of a bundle carries the critics' proposals that it came from, and their groups, routes and
//! supporting tasks.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use textualrl_model::{Edit, EditId, EditProposal, GroupId, Route};

/// A branch of the merge (Appendix A).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Branch {
    /// Mixed and all-failure proposals, and all of them under the ablation without routing.
    Corrective,
    /// All-success proposals.
    Preservation,
    /// Both branches together.
    Final,
}

impl Branch {
    /// The branch's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Corrective => "corrective",
            Self::Preservation => "preservation",
            Self::Final => "final",
        }
    }

    /// The branch of a critic's proposal.
    pub fn of(proposal: &EditProposal) -> Self {
        if proposal.routes == [Route::AllSuccess] { Self::Preservation } else { Self::Corrective }
    }
}

/// Edits that are merged as one: those of a critic call, or those of an earlier merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// The analysis group's id for critics, the merge's for merges.
    pub id: String,
    /// The critic's or the merge's reasoning.
    pub reasoning: String,
    /// The edits; never empty.
    pub edits: Vec<EditProposal>,
}

impl Bundle {
    /// The routes of its edits, joined; `unified` if there are none.
    pub fn route(&self) -> String {
        let routes: BTreeSet<Route> = self.edits.iter().flat_map(|edit| &edit.routes).copied().collect();
        let names: Vec<&str> = routes.into_iter().map(Route::name).collect();
        if names.is_empty() { "unified".to_owned() } else { names.join("+") }
    }
}

/// The bundles of one branch: the proposals of each analysis group, in order.
pub fn bundles(proposals: &[EditProposal], branch: Branch) -> Vec<Bundle> {
    let mut bundles: Vec<Bundle> = Vec::new();
    for proposal in proposals.iter().filter(|proposal| Branch::of(proposal) == branch) {
        let groups: Vec<&str> = proposal.groups.iter().map(GroupId::as_str).collect();
        let id = groups.join("+");
        match bundles.last_mut() {
            Some(bundle) if bundle.id == id => bundle.edits.push(proposal.clone()),
            _ => {
                let reasoning = proposal.reasoning.clone();
                bundles.push(Bundle { id, reasoning, edits: vec![proposal.clone()] });
            }
        }
    }
    bundles
}

/// An edit that a merge made from `sources`: its groups, routes, support and proposals are the unions of theirs.
pub fn merged_from(id: EditId, edit: Edit, sources: &[&EditProposal], reasoning: &str) -> EditProposal {
    fn union<T: Ord + Clone>(lists: impl Iterator<Item = impl IntoIterator<Item = T>>) -> Vec<T> {
        lists.flatten().collect::<BTreeSet<T>>().into_iter().collect()
    }
    EditProposal {
        id,
        edit,
        groups: union(sources.iter().map(|source| source.groups.clone())),
        routes: union(sources.iter().map(|source| source.routes.clone())),
        support: union(sources.iter().map(|source| source.support.clone())),
        from: union(sources.iter().map(|source| source.from.clone())),
        reasoning: reasoning.to_owned(),
    }
}
