//! Words that mean the same in instructions, and words that hardly matter.
//!
//! Always holds: a group holds only words that can stand for each other in a rule for an agent; where that is doubtful
//! the word is not here.

/// Words that carry no rule.
const FILLER: &[&str] = &[
    "a", "an", "the", "of", "to", "in", "on", "at", "for", "by", "with", "within", "into", "as", "is", "are",
    "be", "it", "its", "they", "them", "their", "that", "this", "these", "those", "which", "who", "whose",
    "you", "your", "and", "or", "so", "then", "there", "please", "also", "such", "when", "if", "where",
    "how", "must", "should", "will", "can", "may", "do", "does", "did", "being", "was", "were", "other",
    "others", "always", "just", "simply", "together", "exactly", "any", "every", "each", "all", "while",
    "from", "about", "than", "over", "own",
];

/// Groups of words that count as one. The first of each stands for the group.
const SYNONYMS: &[&[&str]] = &[
    &["return", "give", "provide", "output", "respond", "reply", "present", "supply"],
    &["choose", "select", "pick"],
    &["check", "verify", "confirm", "validate", "double-check"],
    &["keep", "preserve", "retain", "maintain"],
    &["use", "employ", "utilize", "utilise"],
    &["remove", "drop", "omit", "delete", "strip", "discard", "leave-out"],
    &["find", "locate", "identify", "determine"],
    &["short", "brief", "concise", "terse"],
    &["whole", "entire", "complete", "full"],
    &["passage", "document", "text"],
    &["explain", "explanation", "justify", "justification"],
    &["write", "put"],
    &["original", "verbatim"],
    &["normalise", "normalize"],
    &["casing", "capitalisation", "capitalization"],
    &["number", "figure"],
    &["error", "mistake"],
    &["compute", "calculate"],
    &["examine", "inspect"],
    &["first", "1st"],
    &["second", "2nd"],
    &["single", "sole"],
    &["wording", "phrasing"],
    &["answer", "result"],
    &["print", "display"],
    &["quickly", "fast"],
    &["need", "require"],
    &["start", "begin"],
    &["finish", "end"],
    &["large", "big"],
    &["ask", "request"],
];

/// Words that deny.
const NEGATIONS: &[&str] =
    &["not", "never", "no", "without", "avoid", "refrain", "neither", "nor", "none", "cannot", "nothing"];

/// Words that say how much or how often a rule holds; "all" and "always" say no more than nothing does.
const LIMITS: &[&str] = &[
    "one",
    "some",
    "few",
    "several",
    "many",
    "most",
    "half",
    "sometimes",
    "often",
    "rarely",
    "seldom",
    "occasionally",
    "usually",
    "generally",
    "mostly",
    "partly",
];

pub(super) fn is_limit(word: &str) -> bool {
    LIMITS.contains(&word)
}

pub(super) fn is_filler(word: &str) -> bool {
    FILLER.contains(&word)
}

pub(super) fn is_negation(word: &str) -> bool {
    NEGATIONS.contains(&word)
}

/// The word that stands for `word`: the first of its group, or itself.
pub(super) fn representative(word: &str) -> &str {
    SYNONYMS
        .iter()
        .find(|group| group.contains(&word))
        .and_then(|group| group.first())
        .copied()
        .unwrap_or(word)
}

/// The word without inflection, roughly: "answering" and "answers" become "answer".
pub(super) fn stem(word: &str) -> String {
    if word.chars().count() <= 3 || word.chars().any(|character| !character.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let without = |ending: &str, least: usize| word.strip_suffix(ending).filter(|stem| stem.len() >= least);
    let stem = if let Some(stem) = without("ies", 2) {
        return format!("{stem}y");
    } else if let Some(stem) = without("sses", 2).map(|_| word.trim_end_matches("es")) {
        stem
    } else if let Some(stem) = ["ches", "shes", "xes"].iter().find_map(|ending| without(ending, 1)) {
        return word.get(..stem.len() + ending_kept(word)).unwrap_or(word).to_owned();
    } else if let Some(stem) = without("ing", 3).or_else(|| without("ed", 3)) {
        undoubled(stem)
    } else if let Some(stem) = without("s", 3).filter(|stem| !stem.ends_with(['s', 'u', 'i'])) {
        stem
    } else {
        word
    };
    stem.strip_suffix('e').filter(|stem| stem.len() >= 3).unwrap_or(stem).to_owned()
}

fn ending_kept(word: &str) -> usize {
    if word.ends_with("xes") { 1 } else { 2 }
}

/// "stopp" becomes "stop"; "pass" stays.
fn undoubled(stem: &str) -> &str {
    let mut letters = stem.bytes().rev();
    match (letters.next(), letters.next()) {
        (Some(a), Some(b)) if a == b && !matches!(a, b's' | b'l' | b'e') => {
            stem.get(..stem.len() - 1).unwrap_or(stem)
        }
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_of_one_verb_are_one() {
        for words in [
            &["answer", "answers", "answering", "answered"][..],
            &["round", "rounding", "rounds"],
            &["compute", "computes", "computing", "computed"],
            &["match", "matches", "matching"],
            &["entity", "entities"],
            &["stop", "stopped", "stopping"],
            &["describe", "described", "describes"],
            &["pass", "passes", "passing"],
        ] {
            for word in words {
                assert_eq!(stem(word), stem(words[0]), "{word}");
            }
        }
    }
}
