//! Ask, check, ask once more.

use std::sync::Arc;

use serde_json::Value;
use textualrl_llm::{
    AskError, Asked, CallIdentity, CallPurpose, ChatError, ChatModel, Checked, Finish, ModelRole, UsageMeter,
    ask,
};

use crate::scripted_model::{ScriptedModel, finished, identity, request, said};

/// Keeps the numbers of `numbers`; anything else in it is a problem.
fn numbers(value: Value) -> Result<Checked<Vec<i64>>, Vec<String>> {
    let Some(list) = value.get("numbers").and_then(Value::as_array) else {
        return Err(vec!["`numbers` is missing".to_owned()]);
    };
    let bad = list.iter().enumerate().filter(|(_, item)| !item.is_i64());
    let problems = bad.map(|(index, item)| format!("numbers[{index}] is {item}, no number")).collect();
    Ok(Checked::partial(list.iter().filter_map(Value::as_i64).collect(), problems))
}

async fn asked(model: &ScriptedModel) -> Result<Asked<Vec<i64>>, AskError> {
    ask(model, &request("give numbers"), &identity(), numbers).await
}

#[tokio::test]
async fn an_ask_can_be_spawned() {
    let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::new(vec![said(r#"{"numbers":[1]}"#)]));
    let task = tokio::spawn(async move { ask(&*model, &request("x"), &identity(), numbers).await });
    assert_eq!(task.await.unwrap().unwrap().value, [1]);
}

#[tokio::test]
async fn a_good_reply_is_asked_for_once() {
    let model = ScriptedModel::new(vec![said(r#"{"numbers":[1,2]}"#)]);
    let asked = asked(&model).await.unwrap();
    assert_eq!((asked.value, asked.chosen, asked.record.calls()), (vec![1, 2], 0, 1));
    assert_eq!(asked.record.usage().input, 5);
}

#[tokio::test]
async fn a_bad_reply_is_quoted_once_as_the_next_attempt() {
    let model = ScriptedModel::new(vec![said("sorry, no"), said(r#"{"numbers":[3]}"#)]);
    let asked = asked(&model).await.unwrap();
    assert_eq!((asked.value.as_slice(), asked.chosen), ([3].as_slice(), 1));
    assert_eq!(asked.record.first_text(), "sorry, no");
    let calls = model.asked.lock().unwrap().clone();
    assert_eq!(calls[1].1.attempt, 1);
    assert_eq!(calls[1].0.turns[1].joined_text(), "sorry, no");
    assert!(calls[1].0.turns[2].joined_text().contains("the reply holds no JSON object"));
    // A journaled conversation must give the same second request again.
    let again = ScriptedModel::new(vec![said("sorry, no"), said(r#"{"numbers":[3]}"#)]);
    self::asked(&again).await.unwrap();
    assert_eq!(calls, *again.asked.lock().unwrap());
}

#[tokio::test]
async fn the_good_part_survives_a_worse_second_reply() {
    let partial = || said(r#"{"numbers":[1,"x"]}"#);
    let too_long = || Err(ChatError::ContextTooLong { endpoint: "e".into(), message: "m".into() });
    let worse =
        [said("nonsense"), finished("{", Finish::Length), said(r#"{"numbers":["a","b"]}"#), too_long()];
    for second in worse {
        let model = ScriptedModel::new(vec![partial(), second.clone()]);
        let asked = asked(&model).await.unwrap();
        assert_eq!((asked.value, asked.chosen), (vec![1], 0), "{second:?}");
        assert_eq!(asked.problems, ["numbers[1] is \"x\", no number"]);
        assert_eq!(model.calls(), 2);
    }
    let model = ScriptedModel::new(vec![partial(), said(r#"{"numbers":[1,2]}"#)]);
    assert_eq!(asked(&model).await.unwrap().value, [1, 2]);
}

#[tokio::test]
async fn failures_are_typed_and_keep_the_replies() {
    let down = || Err(ChatError::Transport { endpoint: "e".into(), message: "m".into() });
    let cases = [
        ("cut off", vec![finished(r#"{"numbers":[1]}"#, Finish::Length)], 1),
        ("cut off in thought", vec![said("<think>hm")], 1),
        ("refused", vec![finished("I cannot help with that.", Finish::Refused)], 1),
        ("unusable", vec![said("a"), said("b")], 2),
        ("call", vec![down()], 0),
        ("call of the re-ask", vec![said(r#"{"numbers":["x"]}"#), down()], 1),
    ];
    for (name, answers, replies) in cases {
        let error = asked(&ScriptedModel::new(answers)).await.unwrap_err();
        assert_eq!(error.record().calls(), replies, "{name}");
        let kind = match error {
            AskError::CutOff { .. } => "cut off",
            AskError::Refused { .. } => "refused",
            AskError::Unusable { .. } => "unusable",
            AskError::Call { .. } => "call",
        };
        assert!(name.starts_with(kind), "{name}: {kind}");
    }
}

#[tokio::test]
async fn usage_is_summed_by_role_and_purpose() {
    let meter = UsageMeter::new(Arc::new(ScriptedModel::new(vec![said("a"), said("b"), said("c")])));
    let review = CallIdentity { purpose: CallPurpose::Review, ..identity() };
    for identity in [identity(), review.clone(), identity()] {
        meter.chat(&request("x"), &identity).await.unwrap();
    }
    let calls = |purpose| {
        meter.totals().get(&(ModelRole::Optimizer, purpose)).map(|total| (total.calls, total.input))
    };
    assert_eq!(calls(CallPurpose::Critique), Some((2, 10)));
    assert_eq!(calls(CallPurpose::Review), Some((1, 5)));
    assert_eq!(calls(CallPurpose::Merge), None);
}
