//! Whole steps with a scripted optimizer.

use serde_json::{Value, json};
use textualrl_llm::{CallPurpose, ChatError};
use textualrl_model::settings::{ReviewEvidence, ReviewSettings};
use textualrl_model::{EvidencePool, ReviewDecision, StepId, UsageTotal};
use textualrl_review::{MergeStatus, RankingStatus, ReviewError, ReviewOutput, ReviewStatus, report};

use crate::build::{Step, card, faithful, pool, proposals, settings, transport};
use crate::scripted::{Scripted, list, user};

fn purposes(model: &Scripted) -> Vec<&'static str> {
    let purpose = |text: &str| {
        [("<bundles>", "merge"), ("<candidate_edits>", "review"), ("<edits_to_rank>", "rank")]
            .into_iter()
            .find(|(tag, _)| text.contains(tag))
            .map_or("?", |(_, purpose)| purpose)
    };
    model.requests().iter().map(|request| purpose(&user(request))).collect()
}

/// Like the faithful optimizer, but `script` may answer first.
fn except(
    script: impl Fn(&textualrl_llm::ChatRequest, CallPurpose) -> Option<Result<String, ChatError>>
    + Send
    + Sync
    + 'static,
) -> Scripted {
    let faithful = faithful();
    Scripted::new(move |request, identity| {
        script(request, identity.purpose).unwrap_or_else(|| faithful.answer(request, identity))
    })
}

#[tokio::test]
async fn branches_are_merged_then_reviewed_then_ranked() {
    let mut step = Step::new(proposals(9, 2, 2), pool(&[1, 11, 21]));
    step.edit_budget = 4;
    let model = faithful();
    let output = step.run(&model).await;
    let merges: Vec<&str> = output.merges.iter().map(|merge| merge.merge.as_str()).collect();
    assert_eq!(
        merges,
        ["corrective-1.1", "corrective-1.2", "corrective-2.1", "preservation-1.1", "final-1.1"]
    );
    assert_eq!(output.unreviewed.len(), 13);
    assert_eq!(output.unreviewed[12].id.as_str(), "m-13");
    assert_eq!(output.unreviewed[12].from[0].as_str(), "x-g022-1");
    assert_eq!(output.status, ReviewStatus::Reviewed);
    assert_eq!(output.ranking.status, RankingStatus::Ranked);
    assert_eq!(output.ranked()[0].id.as_str(), "m-13");
    assert_eq!(output.decisions()["retain"], 13);
    assert_eq!(output.usage.calls, 7);
    let again = step.run(&faithful()).await;
    assert_eq!(serde_json::to_string(&again).unwrap(), serde_json::to_string(&output).unwrap());
    let mut read: ReviewOutput = serde_json::from_str(&serde_json::to_string(&output).unwrap()).unwrap();
    assert_eq!(read.usage, UsageTotal::default());
    read.usage = output.usage;
    assert_eq!(read, output);
}

#[tokio::test]
async fn a_lone_bundle_needs_no_merge() {
    let cases = [
        (proposals(1, 0, 0), vec!["review"]),
        (proposals(0, 0, 1), vec!["review"]),
        (proposals(1, 0, 1), vec!["merge", "review"]),
        (proposals(0, 2, 0), vec!["merge", "review"]),
        (proposals(0, 0, 0), vec![]),
    ];
    for (proposals, expected) in cases {
        let model = faithful();
        let output = Step::new(proposals.clone(), pool(&[1])).run(&model).await;
        assert_eq!(purposes(&model), expected);
        assert_eq!(output.unreviewed.len(), proposals.len());
    }
}

#[tokio::test]
async fn without_cards_or_review_the_merged_edits_go_on() {
    let off = ReviewSettings { enabled: false, ..settings() };
    for (pool, settings, expected) in [
        (EvidencePool::default(), settings(), ReviewStatus::NoCards),
        (pool(&[1]), off, ReviewStatus::Disabled),
    ] {
        let model = faithful();
        let output = Step { settings, ..Step::new(proposals(1, 0, 1), pool) }.run(&model).await;
        assert_eq!(output.status, expected);
        assert_eq!(output.reviewed, output.unreviewed);
        assert!(!output.review_failed());
        assert_eq!(purposes(&model), ["merge"]);
        assert_eq!(output.decisions()["not_reviewed"], 2);
    }
}

#[tokio::test]
async fn a_failed_merge_is_a_visible_concatenation() {
    let failures: [fn() -> Result<String, ChatError>; 3] = [
        || Ok("Here is what I think.".to_owned()),
        || Ok(json!({"edits": []}).to_string()),
        || Err(transport()),
    ];
    for failure in failures {
        let model = except(move |_, purpose| (purpose == CallPurpose::Merge).then(failure));
        let output = Step::new(proposals(2, 0, 1), pool(&[1])).run(&model).await;
        let ids: Vec<&str> = output.unreviewed.iter().map(|edit| edit.from[0].as_str()).collect();
        assert_eq!(ids, ["x-g001-1", "x-g002-1", "x-g021-1"]);
        assert_eq!(output.merges.len(), 2);
        for merge in &output.merges {
            assert!(matches!(&merge.status, MergeStatus::Concatenated { because } if !because.is_empty()));
        }
        assert!(report(StepId::new(1, 2), &output, &pool(&[1])).contains("not merged, only put together"));
        assert_eq!(output.status, ReviewStatus::Reviewed);
    }
}

#[tokio::test]
async fn a_failed_review_lets_the_unreviewed_edits_go_on() {
    let model = except(|_, purpose| (purpose == CallPurpose::Review).then(|| Ok("no".to_owned())));
    let output = Step::new(proposals(2, 0, 0), pool(&[1])).run(&model).await;
    assert!(output.review_failed());
    assert_eq!(output.reviewed, output.unreviewed);
    assert_eq!(output.calls[0].replies.first_text(), "no");
    assert_eq!(output.calls[0].replies.calls(), 2);
    let text = report(StepId::new(1, 2), &output, &pool(&[1]));
    assert!(text.contains("**The review failed; the unreviewed edits went on.**"), "{text}");
}

#[tokio::test]
async fn a_failed_ranking_keeps_merge_order() {
    let model =
        except(|_, purpose| (purpose == CallPurpose::Rank).then(|| Ok("{\"ranking\": []}".to_owned())));
    let step = Step { edit_budget: 1, ..Step::new(proposals(2, 0, 0), pool(&[1])) };
    let output = step.run(&model).await;
    assert!(matches!(output.ranking.status, RankingStatus::Failed { .. }));
    assert_eq!(output.ranked().iter().map(|edit| edit.id.as_str()).collect::<Vec<_>>(), ["m-1", "m-2"]);
}

#[tokio::test]
async fn if_every_call_fails_the_endpoint_is_named() {
    let dead = Scripted::new(|_, _| Err(transport()));
    let step = Step::new(proposals(2, 0, 0), pool(&[1]));
    let error = step.try_run(&dead).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "all 2 calls of merge, review and ranking failed, the first with: http://optimizer.example cannot be used: \
         refused"
    );
    let journal = except(|_, purpose| {
        (purpose == CallPurpose::Review).then(|| Err(ChatError::Journal { message: "disk full".to_owned() }))
    });
    assert!(matches!(step.try_run(&journal).await.unwrap_err(), ReviewError::Journal(_)));
}

#[tokio::test]
async fn intra_group_reviews_share_no_other_cards() {
    // The first two edits are merged to one, the third stays alone, the fourth comes from a group without cards.
    let model = except(|request, purpose| {
        let merged = |content: &str, from: Value| json!({"op": "append", "content": content, "from": from});
        (purpose == CallPurpose::Merge).then(|| {
            assert_eq!(list(request, "bundles").len(), 4);
            let edits = [
                merged("both", json!(["x-g001-1", "x-g002-1"])),
                merged("third", json!(["x-g003-1"])),
                merged("fourth", json!(["x-g004-1"])),
            ];
            Ok(json!({"reasoning": "", "edits": edits}).to_string())
        })
    });
    let settings = ReviewSettings { evidence: ReviewEvidence::IntraGroup, ..settings() };
    let step = Step { settings, ..Step::new(proposals(4, 0, 0), pool(&[1, 2, 3, 9])) };
    let output = step.run(&model).await;
    let cards: Vec<Vec<&str>> =
        output.calls.iter().map(|call| call.cards.iter().map(|card| card.as_str()).collect()).collect();
    assert_eq!(cards, [vec!["c-g001-1", "c-g002-1"], vec!["c-g003-1"]]);
    for request in model.requests().iter().filter(|request| user(request).contains("<candidate_edits>")) {
        assert!(!user(request).contains("c-g009-1"));
    }
    assert_eq!(output.status, ReviewStatus::PartlyReviewed { not_reviewed: 1 });
    assert_eq!(output.records[2].decision, ReviewDecision::NotReviewed);
    assert_eq!(output.records[2].reason, "the groups it came from have no card");
}

#[tokio::test]
async fn a_review_beyond_the_window_splits_edits_and_then_shortens_cards() {
    let mut long = EvidencePool::default();
    for group in 1..=12 {
        let mut card = card(group, textualrl_model::Reward::Success);
        card.quote = format!("HEAD {} TAIL", "x".repeat(780));
        long.cards.push(card);
    }
    let step = Step { window_tokens: 5_000, ..Step::new(proposals(2, 0, 0), long.clone()) };
    let model = faithful();
    let output = step.run(&model).await;
    assert_eq!(output.status, ReviewStatus::Reviewed);
    assert_eq!(output.calls.len(), 2);
    for call in &output.calls {
        assert_eq!((call.edits.len(), call.cards.len()), (1, 12));
        assert!(call.cut_characters > 0);
    }
    let shown = list(&model.requests()[1], "evidence_cards")[0]["quote"].as_str().unwrap().to_owned();
    assert!(
        shown.starts_with("HEAD x") && shown.ends_with("x TAIL") && shown.contains("characters cut here")
    );
    let tiny = Step { window_tokens: 1_500, ..Step::new(proposals(1, 0, 0), long) };
    let output = tiny.run(&faithful()).await;
    assert!(output.review_failed());
    assert!(output.records[0].reason.contains("does not fit the window"));
}

#[tokio::test]
async fn a_merge_beyond_the_window_is_made_in_parts() {
    let too_long = || ChatError::ContextTooLong {
        endpoint: "http://optimizer.example".to_owned(),
        message: "413".to_owned(),
    };
    let model = except(move |request, purpose| {
        (purpose == CallPurpose::Merge && list(request, "bundles").len() > 2).then(|| Err(too_long()))
    });
    let output = Step::new(proposals(5, 0, 0), pool(&[1])).run(&model).await;
    let merges: Vec<&str> = output.merges.iter().map(|merge| merge.merge.as_str()).collect();
    assert_eq!(merges, ["corrective-1.1a", "corrective-1.1bb", "corrective-1.1b", "corrective-1.1"]);
    assert_eq!(output.unreviewed.len(), 5);
    let never = except(move |_, purpose| (purpose == CallPurpose::Merge).then(|| Err(too_long())));
    let output = Step::new(proposals(5, 0, 0), pool(&[1])).run(&never).await;
    assert_eq!(output.unreviewed.len(), 5);
    assert!(output.merges.iter().all(|merge| merge.status != MergeStatus::Merged));
}

#[tokio::test]
async fn the_report_shows_decisions_citations_and_both_texts() {
    let model = except(|request, purpose| {
        (purpose == CallPurpose::Review).then(|| {
            let review = |id: &str, decision: &str, content: &str| {
                let citation = json!({"task_id": "t-g002", "rollout_id": "r1", "relation": "limits",
                                      "reason": "It answered in two words and was right."});
                json!({"id": id, "op": "append", "content": content, "cross_group_review":
                       {"decision": decision, "reason": "Too wide.", "evidence": [citation]}})
            };
            assert_eq!(list(request, "candidate_edits").len(), 3);
            let edits = [
                review("m-1", "narrow", "If a name is asked for:\nInstruction 1."),
                review("m-2", "retain", "Instruction 2, changed."),
                review("m-3", "insufficient_evidence", "Instruction 21."),
            ];
            Ok(json!({"edits": edits}).to_string())
        })
    });
    let mut step = Step::new(proposals(2, 0, 1), pool(&[1, 2]));
    step.edit_budget = 2;
    let output = step.run(&model).await;
    insta::assert_snapshot!(report(StepId::new(1, 2), &output, &step.pool));
}
