//! Whether a phrase is forbidden or said to be absent, rather than asked for.
//!
//! Always holds: two negations make a demand again ("never finish before checking …"); a negation reaches no further
//! than its clause.

use super::words::{Break, Word};

/// Words that deny or forbid what follows.
const NEGATIONS: &[&str] = &["not", "never", "no", "without", "neither", "unlike", "lack", "lacking", "none"];

/// Verbs that forbid what follows, by their stems.
const FORBIDDING: &[&str] = &[
    "avoid",
    "refrain",
    "ignor",
    "disregard",
    "exclud",
    "forbid",
    "prohibit",
    "prevent",
    "discourag",
    "regardless",
    "irrespective",
    "independent",
];

/// Words that turn a negation before them into a demand, by their stems.
const TURNING: &[&str] = &["hesitat", "forget", "fail", "neglect", "omit", "refus", "skip"];
const TURNING_WORDS: &[&str] = &["before", "until", "unless", "except", "stop", "miss", "other"];

/// Verbs with which a new instruction starts after a comma.
const INSTRUCTIONS: &[&str] = &[
    "use", "consult", "check", "compare", "match", "verify", "copy", "return", "choose", "select", "revise",
    "read", "look", "follow", "take", "open", "give", "answer", "prefer", "rely", "align", "adjust", "ask",
    "reuse", "submit", "write", "keep", "search", "call", "fetch", "get", "find", "try", "see", "make",
    "ensure", "pick", "apply", "trust",
];

const CONDITIONS: &[&str] =
    &["if", "when", "whenever", "where", "whether", "while", "because", "since", "although"];

/// Verbs of having and seeing: denying them says that something is absent, even in a condition.
const AVAILABILITY: &[&str] = &[
    "see",
    "seen",
    "access",
    "know",
    "known",
    "have",
    "available",
    "visible",
    "given",
    "provided",
    "shown",
    "accessible",
    "there",
    "exist",
    "present",
    "use",
    "used",
    "consulted",
    "exposed",
    "revealed",
    "relied",
    "read",
    "accessed",
    "referenced",
    "assumed",
    "needed",
    "required",
    "included",
    "disclosed",
    "supplied",
    "permitted",
    "allowed",
    "copied",
    "mentioned",
    "cited",
    "considered",
    "rely",
    "be",
    "get",
    "part",
    "receive",
    "observe",
    "observable",
    "observed",
    "influence",
    "affect",
    "need",
    "obtainable",
    "trusted",
];

const ABSENT: &[&str] = &[
    "unavailable",
    "forbidden",
    "prohibited",
    "off",
    "banned",
    "inaccessible",
    "invisible",
    "unknown",
    "absent",
    "missing",
    "withheld",
    "ignored",
    "avoided",
    "excluded",
    "hidden",
    "disallowed",
    "unobservable",
    "irrelevant",
];

const MODALS: &[&str] = &["must", "should", "shall", "ought"];

/// Whether the phrase at `start..end` is forbidden or absent where it stands.
pub(super) fn excuses(words: &[Word], start: usize, end: usize) -> bool {
    is_denied_before(words, start) || is_denied_after(words, end)
}

fn is_denied_before(words: &[Word], start: usize) -> bool {
    let clause = words.get(clause_start(words, start)..start).unwrap_or_default();
    let (mut negations, mut turned) = (0_usize, 0_usize);
    for (index, word) in clause.iter().enumerate() {
        let next = clause.get(index + 1).map_or("", |next| next.text.as_str());
        let text = word.text.as_str();
        let negates = match text {
            "not" | "no" if matches!(next, "only" | "just" | "later" | "merely" | "simply") => false,
            "not" => !is_statement(clause, index),
            "rather" | "other" => text == "rather" && next == "than",
            "instead" => next == "of",
            "nor" => negations == 0,
            _ => NEGATIONS.contains(&text) || FORBIDDING.iter().any(|stem| text.starts_with(stem)),
        };
        let turns = negations > turned
            && (TURNING.iter().any(|stem| text.starts_with(stem)) || TURNING_WORDS.contains(&text))
            && (text != "other" || next == "than");
        negations += usize::from(negates);
        turned += usize::from(turns);
    }
    (negations + turned) % 2 == 1
}

/// Whether the negation at `index` only states or supposes that something differs: "if it does not match …".
fn is_statement(clause: &[Word], index: usize) -> bool {
    let verb = clause.get(index + 1..).unwrap_or_default();
    let absent = verb.iter().take(3).any(|word| AVAILABILITY.contains(&word.text.as_str()));
    let before = clause.get(..index).unwrap_or_default();
    let supposes = before.iter().any(|word| CONDITIONS.contains(&word.text.as_str()));
    let compares = verb.iter().take(2).any(|word| {
        ["match", "agree", "equal", "fit", "align", "correspond", "satisf", "conform"]
            .iter()
            .any(|stem| word.text.starts_with(stem))
    });
    let third_person =
        before.last().is_some_and(|word| matches!(word.text.as_str(), "does" | "did" | "is" | "was"));
    (supposes && !absent) || (third_person && compares)
}

/// The first word of the clause that the word at `start` stands in.
fn clause_start(words: &[Word], start: usize) -> usize {
    let sentence = sentence_start(words, start);
    let parenthesis = has_leading_negation(words, sentence);
    let mut first = sentence;
    for index in sentence..start {
        let Some(word) = words.get(index) else { break };
        let next = words.get(index + 1);
        let follows = |text: &str| next.is_some_and(|next| next.text == text);
        let opens = match word.text.as_str() {
            "but" | "always" | "then" => true,
            "instead" => !follows("of"),
            "rather" => !follows("than"),
            modal if MODALS.contains(&modal) => index > first && !follows("not") && !follows("never"),
            _ => false,
        };
        let after_comma = word.before == Break::Comma && index > first && !parenthesis;
        let ends_condition =
            after_comma && words.get(first).is_some_and(|word| CONDITIONS.contains(&word.text.as_str()));
        let instructs =
            after_comma && INSTRUCTIONS.contains(&word.text.as_str()) && !has_or(words, index, start);
        if opens || ends_condition || instructs {
            first = index;
        }
    }
    first
}

/// The start of the sentence; a colon ends one unless it opens the list that a prohibition is about.
fn sentence_start(words: &[Word], start: usize) -> usize {
    let mut index = start;
    while index > 0 {
        let Some(word) = words.get(index) else { break };
        let opens_list = |last: usize| {
            words.get(last).is_some_and(|word| {
                matches!(
                    word.text.as_str(),
                    "use"
                        | "using"
                        | "consult"
                        | "on"
                        | "to"
                        | "following"
                        | "these"
                        | "of"
                        | "access"
                        | "mention"
                )
            })
        };
        match word.before {
            Break::Hard => break,
            Break::Colon if !opens_list(index - 1) => break,
            _ => index -= 1,
        }
    }
    index
}

/// Whether a negation stands alone before a comma: "Never, under any circumstances, …".
fn has_leading_negation(words: &[Word], first: usize) -> bool {
    let negates = words.get(first).is_some_and(|word| matches!(word.text.as_str(), "never" | "not"));
    negates && words.get(first + 1).is_some_and(|next| next.before == Break::Comma)
}

fn has_or(words: &[Word], from: usize, to: usize) -> bool {
    words.get(from..to).unwrap_or_default().iter().any(|word| matches!(word.text.as_str(), "or" | "nor"))
}

/// Whether the phrase is said to be absent or forbidden: "… is not available", "… must be ignored".
fn is_denied_after(words: &[Word], end: usize) -> bool {
    let rest = words.get(end..).unwrap_or_default();
    let clause: Vec<&str> = rest
        .iter()
        .take(10)
        .take_while(|word| word.before < Break::Comma)
        .map(|word| word.text.as_str())
        .collect();
    let verb = clause.iter().position(|word| {
        matches!(
            *word,
            "is" | "are"
                | "was"
                | "were"
                | "will"
                | "would"
                | "can"
                | "could"
                | "must"
                | "should"
                | "may"
                | "do"
                | "does"
                | "stay"
                | "remain"
                | "remains"
        )
    });
    let Some(verb) = verb else { return false };
    let said: Vec<&str> = clause.iter().skip(verb + 1).take(5).copied().collect();
    let denied = said.iter().take(2).any(|word| matches!(*word, "not" | "never" | "no"));
    if denied {
        said.iter().any(|word| AVAILABILITY.contains(word))
    } else {
        said.iter().take(3).any(|word| ABSENT.contains(word))
    }
}
