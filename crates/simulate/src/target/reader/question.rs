//! What a question asks for.
//!
//! Always holds: only the question's own words decide; nothing about a task is known beforehand.

use super::passage::{self, Word};

/// What kind of thing answers a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A person's name.
    Person,
    /// A number.
    Number,
    /// A date or year.
    Date,
    /// The title of a work.
    Title,
    /// Several things.
    List,
    /// Anything else.
    Thing,
}

/// A question or clue.
pub(crate) struct Question {
    /// What it asks for.
    pub(crate) kind: Kind,
    /// Whether it is a statement rather than a question.
    pub(crate) declarative: bool,
    /// The stems of its content words.
    pub(crate) stems: Vec<String>,
    /// The noun that says what is sought ("which river": river).
    pub(crate) category: Option<String>,
    /// All its words, in lower case.
    pub(crate) words: Vec<String>,
}

/// Words that say nothing about the subject.
pub(crate) const FUNCTION_WORDS: [&str; 98] = [
    "a", "about", "after", "all", "also", "an", "and", "are", "as", "at", "be", "been", "before", "but",
    "by", "called", "can", "day", "did", "do", "does", "during", "each", "first", "for", "from", "give",
    "had", "has", "have", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it",
    "its", "known", "like", "list", "many", "may", "more", "most", "much", "name", "named", "new", "no",
    "not", "of", "on", "one", "only", "or", "other", "our", "over", "she", "so", "some", "such", "than",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "two", "under",
    "up", "was", "we", "were", "what", "when", "where", "which", "while", "who", "whom", "whose", "why",
    "will", "with", "you",
];

const WORKS: [&str; 18] = [
    "book",
    "novel",
    "song",
    "film",
    "movie",
    "poem",
    "play",
    "painting",
    "opera",
    "ballad",
    "album",
    "title",
    "miniseries",
    "musical",
    "story",
    "show",
    "hit",
    "pamphlet",
];
const PEOPLE: [&str; 32] = [
    "man",
    "woman",
    "author",
    "writer",
    "president",
    "king",
    "queen",
    "actor",
    "actress",
    "artist",
    "painter",
    "composer",
    "singer",
    "inventor",
    "explorer",
    "poet",
    "scientist",
    "general",
    "person",
    "novelist",
    "sculptor",
    "architect",
    "engineer",
    "keeper",
    "captain",
    "baker",
    "botanist",
    "detective",
    "daughter",
    "son",
    "leader",
    "surveyor",
];
const COUNTS: [&str; 7] = ["two", "three", "four", "five", "six", "2", "3"];

impl Question {
    /// Reads a question.
    pub(crate) fn read(text: &str) -> Self {
        let words: Vec<Word> = text.split_whitespace().filter_map(passage::word).collect();
        let lower: Vec<String> = words.iter().map(|word| word.lower.clone()).collect();
        let first = lower.first().map_or("", String::as_str);
        let asks = text.trim_end().ends_with('?') || matches!(first, "name" | "list" | "give");
        let category = category(&lower, asks);
        let kind = kind(&lower, asks, category.as_deref());
        let content = lower.iter().filter(|word| !FUNCTION_WORDS.contains(&word.as_str()));
        let mut stems: Vec<String> = content.map(|word| stem(word)).collect();
        stems.sort();
        stems.dedup();
        Self { kind, declarative: !asks, stems, category, words: lower }
    }
}

/// The noun after "which", "what", "this" or "these".
fn category(words: &[String], asks: bool) -> Option<String> {
    let leads: &[&str] = if asks { &["which", "what"] } else { &["this", "these"] };
    let at = words.iter().position(|word| leads.contains(&word.as_str()))?;
    let next: Vec<&str> = words.iter().skip(at + 1).take(4).map(String::as_str).collect();
    let known = next.iter().find(|word| WORKS.contains(word) || PEOPLE.contains(word));
    let noun = known.or_else(|| next.first()).filter(|word| !FUNCTION_WORDS.contains(word))?;
    Some((*noun).to_owned())
}

fn kind(words: &[String], asks: bool, category: Option<&str>) -> Kind {
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    let pair = |a: &str, b: &str| words.windows(2).any(|w| w.iter().map(String::as_str).eq([a, b]));
    let counted = words.windows(2).any(|pair| match pair {
        [lead, count] => {
            matches!(lead.as_str(), "which" | "what" | "the" | "these" | "name" | "list")
                && COUNTS.contains(&count.as_str())
        }
        _ => false,
    });
    let category_in = |nouns: &[&str]| category.is_some_and(|noun| nouns.contains(&noun));
    let measured = asks && has("how") && ["long", "tall", "deep", "high"].into_iter().any(has);
    let counts = pair("how", "many") || pair("how", "much") || pair("number", "of");
    let asks_who = asks && ["who", "whom", "whose"].into_iter().any(has);
    let tells_of_person = !asks && category.is_none() && ["he", "she", "his", "him"].into_iter().any(has);
    if asks && (counted || has("list") || pair("are", "the")) {
        Kind::List
    } else if counts || measured || category_in(&["number", "height", "length", "weight"]) {
        Kind::Number
    } else if (asks && has("when")) || category_in(&["date", "year", "day"]) || pair("what", "day") {
        Kind::Date
    } else if category_in(&WORKS) || has("title") || has("titled") {
        Kind::Title
    } else if asks_who || category_in(&PEOPLE) || tells_of_person {
        Kind::Person
    } else {
        Kind::Thing
    }
}

/// The word without the endings that verbs and plurals take.
pub(crate) fn stem(word: &str) -> String {
    let lower = word.to_lowercase();
    for ending in ["ings", "ing", "ied", "ies", "ed", "es", "s", "e", "y"] {
        if let Some(rest) = lower.strip_suffix(ending)
            && rest.chars().count() >= 3
        {
            return rest.to_owned();
        }
    }
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_say_what_they_ask_for() {
        let cases = [
            ("Who designed the bridge?", Kind::Person, false),
            ("How many lamps did the keeper order?", Kind::Number, false),
            ("When did the ferry sink?", Kind::Date, false),
            ("On what date was the mill sold?", Kind::Date, false),
            ("Which novel did she write in Varn?", Kind::Title, false),
            ("Which three colours are on the flag?", Kind::List, false),
            ("Which river runs past the mill?", Kind::Thing, false),
            ("This river runs past the mill", Kind::Thing, true),
            ("She built the first kite of tin", Kind::Person, true),
            ("This 1994 miniseries depicts a plague", Kind::Title, true),
        ];
        for (text, kind, declarative) in cases {
            let question = Question::read(text);
            assert_eq!((question.kind, question.declarative), (kind, declarative), "{text}");
        }
    }
}
