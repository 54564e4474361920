//! What a scorer says about an answer beside its reward.
//!
//! Always holds: safe feedback tells facts about the reply alone, so that no gold can be in it.

use textualrl_model::{Feedback, Outcome, Reward};

use crate::answer::{Answer, Place};

/// What a scorer has to say beside the usual.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Remarks {
    /// A fact about the answer alone, such as "it is no number".
    pub safe: Option<&'static str>,
    /// How near the answer came to the golds.
    pub expected: Option<String>,
}

/// The outcome of an answer, with both kinds of feedback.
pub fn outcome(reward: Reward, answer: &Answer, golds: &[String], remarks: Remarks) -> Outcome {
    let mut safe = about(answer);
    if let Some(remark) = remarks.safe {
        safe = format!("{safe}; {remark}");
    }
    let expected = (!reward.is_success() && !golds.is_empty()).then(|| {
        let golds: Vec<String> = golds.iter().map(|gold| format!("{gold:?}")).collect();
        let nearness = remarks.expected.map(|nearness| format!("; {nearness}")).unwrap_or_default();
        format!("{safe}; expected {}{nearness}", golds.join(" or "))
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
        Place::OpenTag => format!("the answer tag is not closed; {length}"),
        Place::LastLine => format!("no answer tag was found, so the last line counts; {length}"),
        Place::WholeReply => format!("no answer tag was found, so the whole reply counts; {length}"),
        Place::Nowhere => "the reply is empty".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use textualrl_model::settings::Scoring;

    use super::*;
    use crate::answer::extract;

    #[test]
    fn safe_feedback_is_about_the_reply_alone() {
        let remarks = Remarks { safe: Some("it is no number"), expected: Some("token F1 0.50".to_owned()) };
        for (reply, remarks, safe) in [
            ("<answer>two words</answer>", Remarks::default(), "the answer has 2 words"),
            ("<answer></answer>", Remarks::default(), "the answer is empty"),
            ("<answer>x", Remarks::default(), "the answer tag is not closed; the answer has 1 word"),
            ("<answer>x</answer>", remarks, "the answer has 1 word; it is no number"),
            (
                "Oslo",
                Remarks::default(),
                "no answer tag was found, so the last line counts; the answer has 1 word",
            ),
            ("", Remarks::default(), "the reply is empty"),
        ] {
            let near = remarks.expected.clone().unwrap_or_default();
            let answer = extract(reply, Scoring::Corrected);
            let scored = outcome(Reward::Failure, &answer, &["GOLD".to_owned()], remarks);
            let Outcome::Scored { feedback, .. } = scored else { panic!("scored") };
            assert_eq!(feedback.safe.as_deref(), Some(safe));
            assert!(feedback.expected.is_some_and(|text| text.contains("GOLD") && text.ends_with(&near)));
        }
    }

    #[test]
    fn a_right_answer_names_no_gold() {
        let answer = extract("<answer>GOLD</answer>", Scoring::Corrected);
        let scored = outcome(Reward::Success, &answer, &["GOLD".to_owned()], Remarks::default());
        let Outcome::Scored { feedback, .. } = scored else { panic!("scored") };
        assert_eq!(feedback.expected, None);
    }
}
