//! What a scorer says about an answer beside its reward.
//!
//! Always holds: safe feedback tells facts about the reply alone, so that no gold can be in it.

use textualrl_model::{Feedback, Outcome, Reward};

use crate::answer::{Answer, Place};

/// The outcome of an answer, with both kinds of feedback.
pub fn outcome(reward: Reward, answer: &Answer, golds: &[String]) -> Outcome {
    let safe = about(answer);
    let expected = (!reward.is_success() && !golds.is_empty()).then(|| {
        let golds: Vec<String> = golds.iter().map(|gold| format!("{gold:?}")).collect();
        format!("{safe}; expected {}", golds.join(" or "))
    });
    let found = (answer.place != Place::Nowhere).then(|| answer.text.clone());
    Outcome::Scored { reward, answer: found, feedback: Feedback { safe: Some(safe), expected } }
}

/// Facts about the answer.
fn about(answer: &Answer) -> String {
    let words = answer.text.split_whitespace().count();
    let length = match words {
        0 => "the answer is empty".to_owned(),
        1 => "the answer has 1 word".to_owned(),
        _ => format!("the answer has {words} words"),
    };
    match answer.place {
        Place::Tag => length,
        Place::LastLine => format!("no answer tag was found, so the last line counts; {length}"),
        Place::Nowhere => "the reply is empty".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::extract;

    #[test]
    fn safe_feedback_is_about_the_reply_alone() {
        for (reply, safe) in [
            ("<answer>two words</answer>", "the answer has 2 words"),
            ("<answer></answer>", "the answer is empty"),
            ("Oslo", "no answer tag was found, so the last line counts; the answer has 1 word"),
            ("", "the reply is empty"),
        ] {
            let answer = extract(reply);
            let Outcome::Scored { feedback, .. } = outcome(Reward::Failure, &answer, &["GOLD".to_owned()])
            else {
                panic!("scored")
            };
            assert_eq!(feedback.safe.as_deref(), Some(safe));
            assert!(feedback.expected.is_some_and(|text| text.contains("GOLD")));
        }
    }
}
