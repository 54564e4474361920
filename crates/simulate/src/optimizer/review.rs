//! Reviews: each merged edit against all cards of the step.
//!
//! Always holds: operation and target stay; a changed text cites the cards that changed it; what no card bears upon
//! is said to have insufficient evidence.

use serde_json::{Map, Value, json};

use super::Chance;
use super::lesson::{self, Way};
use super::notice::{self, Sign};
use super::read::{self, Review};

/// How often a sweeping edit is seen to be one.
const WATCHFUL: f64 = 0.75;
/// The most cards cited for one relation.
const MOST_CITED: usize = 3;

/// What a review decides.
struct Verdict {
    decision: &'static str,
    reason: String,
    content: String,
    evidence: Vec<Value>,
}

type Card = Map<String, Value>;

/// The review's reply.
pub(crate) fn reply(review: &Review, chance: &Chance) -> Value {
    let unexplained = unexplained(&review.cards);
    let edits: Vec<Value> = review
        .edits
        .iter()
        .map(|edit| {
            let verdict = match &unexplained {
                Some(cards) if lesson::read(read::text(edit, "content")).is_some() => distrusting(cards),
                _ => judge(edit, &review.cards, chance),
            };
            let mut reviewed = edit.clone();
            if edit.contains_key("content") {
                reviewed.insert("content".to_owned(), json!(verdict.content));
            }
            let record = json!({
                "decision": verdict.decision, "reason": verdict.reason, "evidence": verdict.evidence,
            });
            reviewed.insert("cross_group_review".to_owned(), record);
            Value::Object(reviewed)
        })
        .collect();
    json!({ "edits": edits })
}

/// The successes that speak against all lessons alike; none if signs come with failures as they should: then the
/// share of successes among the cards that show a sign is less than half of that among the others.
fn unexplained(cards: &[Card]) -> Option<Vec<&Card>> {
    let shows = |card: &&Card| Sign::ALL.iter().any(|sign| shows(card, *sign));
    let succeeds = |card: &&Card| read::text(card, "outcome") == "success";
    let (marked, plain): (Vec<&Card>, Vec<&Card>) = cards.iter().partition(shows);
    let share =
        |cards: &[&Card]| cards.iter().copied().filter(succeeds).count() as f64 / cards.len().max(1) as f64;
    let alike = marked.len() >= 3 && plain.len() >= 3 && share(&marked) >= share(&plain) / 2.0;
    let successes: Vec<&Card> = marked.into_iter().filter(succeeds).collect();
    (alike && !successes.is_empty()).then_some(successes)
}

fn distrusting(successes: &[&Card]) -> Verdict {
    Verdict {
        decision: "revise",
        reason: "Outcomes do not follow behaviour in this step, so that only a check can be asked for."
            .to_owned(),
        content: undecided(),
        evidence: cite(successes, "contradicts", "behaviour like that of failures succeeded here"),
    }
}

fn shows(card: &Card, sign: Sign) -> bool {
    lesson::about(sign).is_some_and(|lesson| read::text(card, "behavior").contains(lesson.seen))
}

fn judge(edit: &Map<String, Value>, cards: &[Card], chance: &Chance) -> Verdict {
    let content = read::text(edit, "content");
    match lesson::read(content) {
        Some((sign, Way::Shun)) => shunning(sign, content, cards),
        Some((sign, Way::Sweeping)) => sweeping(sign, content, cards, chance),
        Some((sign, Way::Seek)) => seeking(sign, content, cards),
        None => unknown(content, cards),
    }
}

/// The cards of an outcome that show a sign, or do not.
fn showing(cards: &[Card], sign: Sign, success: bool) -> Vec<&Card> {
    let outcome = if success { "success" } else { "failure" };
    let fits = |card: &&Card| read::text(card, "outcome") == outcome && shows(card, sign);
    cards.iter().filter(fits).collect()
}

fn cite(cards: &[&Card], relation: &str, reason: &str) -> Vec<Value> {
    let cited = cards.iter().take(MOST_CITED).map(|card| {
        json!({
            "task_id": read::text(card, "task_id"), "rollout_id": read::text(card, "rollout_id"),
            "relation": relation, "reason": reason,
        })
    });
    cited.collect()
}

/// An edit that leads away from a sign: failures that show it support the edit, successes limit it.
fn shunning(sign: Sign, content: &str, cards: &[Card]) -> Verdict {
    let (failing, succeeding) = (showing(cards, sign, false), showing(cards, sign, true));
    let mut evidence = cite(&failing, "supports", "the same behaviour failed here");
    if failing.is_empty() && succeeding.is_empty() {
        return insufficient(content);
    }
    if succeeding.is_empty() {
        let reason = format!("{} failures show what the edit forbids, and no success does.", failing.len());
        return Verdict { decision: "retain", reason, content: content.to_owned(), evidence };
    }
    let mut subjects: Vec<&str> = failing.iter().map(|card| subject(card)).collect();
    subjects.retain(|wanted| succeeding.iter().all(|card| subject(card) != *wanted));
    subjects.sort_unstable();
    subjects.dedup();
    if let [only] = subjects.as_slice() {
        evidence.extend(cite(&succeeding, "limits", "the behaviour did no harm here"));
        let reason = format!("The behaviour fails where the task asks for {only}, and succeeds elsewhere.");
        return Verdict { decision: "narrow", reason, content: narrowed(content, only), evidence };
    }
    evidence.extend(cite(&succeeding, "contradicts", "the behaviour succeeded under like conditions"));
    let reason = "Successes and failures show the behaviour alike, so that only a check can be asked for.";
    Verdict { decision: "revise", reason: reason.to_owned(), content: undecided(), evidence }
}

/// An edit that asks for too much: successes with answers of several words limit it.
fn sweeping(sign: Sign, content: &str, cards: &[Card], chance: &Chance) -> Verdict {
    let failing = showing(cards, sign, false);
    let longer: Vec<&Card> = cards
        .iter()
        .filter(|card| read::text(card, "outcome") == "success")
        .filter(|card| notice::given(read::text(card, "quote")).1.split_whitespace().count() > 1)
        .collect();
    let mut evidence = cite(&failing, "supports", "the same behaviour failed here");
    if failing.is_empty() && longer.is_empty() {
        return insufficient(content);
    }
    if longer.is_empty() || chance.unit(&format!("watchful {sign:?}")) >= WATCHFUL {
        let reason = "The failures call for it.".to_owned();
        return Verdict { decision: "retain", reason, content: content.to_owned(), evidence };
    }
    evidence.extend(cite(&longer, "limits", "an answer of several words succeeded here"));
    let variant = chance.choice(2, "variant");
    if chance.unit(&format!("careful {sign:?}")) < 0.5 && !failing.is_empty() {
        let careful = lesson::about(sign).map_or(content, |lesson| lesson.wording(Way::Shun, variant));
        let reason = "Successes contradict the sweeping form; what the failures call for is less.".to_owned();
        return Verdict { decision: "revise", reason, content: careful.to_owned(), evidence };
    }
    let reason =
        "Answers of several words succeed where names, titles, dates or lists are asked for.".to_owned();
    let bare = content.trim_start_matches(['-', ' ']);
    let content = format!(
        "- Unless the answer is a name of a person, a title, a date or one of several things: {bare}"
    );
    Verdict { decision: "narrow", reason, content, evidence }
}

/// An edit that leads towards a sign: failures that show it contradict the edit.
fn seeking(sign: Sign, content: &str, cards: &[Card]) -> Verdict {
    let (failing, succeeding) = (showing(cards, sign, false), showing(cards, sign, true));
    let mut evidence = cite(&succeeding, "supports", "the behaviour succeeded here");
    if failing.is_empty() && succeeding.is_empty() {
        return insufficient(content);
    }
    if failing.is_empty() {
        let reason = format!("{} successes show it, and no failure does.", succeeding.len());
        return Verdict { decision: "retain", reason, content: content.to_owned(), evidence };
    }
    evidence.extend(cite(&failing, "contradicts", "the behaviour failed here"));
    let reason = "Failures show the same behaviour, so that only a check can be asked for.".to_owned();
    Verdict { decision: "revise", reason, content: undecided(), evidence }
}

/// An edit about nothing that the cards name: successes support a habit worth keeping.
fn unknown(content: &str, cards: &[Card]) -> Verdict {
    let succeeding: Vec<&Card> =
        cards.iter().filter(|card| read::text(card, "outcome") == "success").collect();
    if !lesson::keeps(content) || succeeding.is_empty() {
        return insufficient(content);
    }
    let evidence = cite(&succeeding, "supports", "a success that fits the instruction");
    let reason = "The successes fit it.".to_owned();
    Verdict { decision: "retain", reason, content: content.to_owned(), evidence }
}

fn insufficient(content: &str) -> Verdict {
    let reason = "No card bears upon this edit.".to_owned();
    Verdict { decision: "insufficient_evidence", reason, content: content.to_owned(), evidence: Vec::new() }
}

/// What the card's task asks for, as its condition says.
fn subject(card: &Card) -> &str {
    let condition = read::text(card, "condition");
    condition.rsplit_once("asks for ").map_or(condition, |(_, subject)| subject)
}

fn narrowed(content: &str, subject: &str) -> String {
    let bare = content.trim_start_matches(['-', ' ']);
    format!("- When the task asks for {subject}: {bare}")
}

/// A text that asks for care and prefers nothing.
fn undecided() -> String {
    "- Weigh what the passage offers before you settle.".to_owned()
}
