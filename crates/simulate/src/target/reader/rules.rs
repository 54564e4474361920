//! The senses of instructions: which words, affirmed or denied, switch a habit off or on.
//!
//! Always holds: a rule speaks of words of one sentence; all its needs must be met there.

use super::habit::Habit;
use crate::target::sentence::{Effect, Need};

/// A sense.
pub(crate) struct Rule {
    /// The habit.
    pub(crate) habit: Habit,
    /// What happens to it.
    pub(crate) effect: Effect,
    /// When: all of these.
    pub(crate) needs: &'static [Need],
}

const TAGS: &[&str] = &["<answer>", "<answer", "tag", "tags", "tagged", "element", "markup", "answer>"];
const ONLY: &[&str] =
    &["only", "just", "alone", "nothing", "bare", "solely", "itself", "purely", "exclusively"];
const GROUNDS: &[&str] = &[
    "expla*",
    "because",
    "justif*",
    "comment*",
    "elaborat*",
    "reason",
    "reasons",
    "reasoning",
    "parenthes*",
    "bracket*",
    "aside*",
    "rationale",
    "remark*",
    "extra",
    "additional",
    "grounds",
];
const SENTENCES: &[&str] = &["sentence", "sentences", "clause", "clauses", "line of"];
const BRIEF: &[&str] = &[
    "short",
    "shortest",
    "brief*",
    "concise*",
    "minimal",
    "phrase",
    "span",
    "few words",
    "terse*",
    "compact*",
    "succinct*",
];
const VERDICTS: &[&str] = &["true", "false", "yes", "verdict*", "judg*", "verif*", "confirm*"];
const ADDRESSES: &[&str] = &[
    "honorific*",
    "rank",
    "ranks",
    "form of",
    "forms of",
    "dr",
    "mr",
    "mrs",
    "captain",
    "professor",
    "courtesy",
    "salutation*",
    "prefix*",
    "style of",
];
const PEOPLE: &[&str] = &["person*", "people", "name", "names", "surname*", "who"];
const NUMBERS: &[&str] =
    &["number*", "figure*", "digit*", "numeral*", "amount*", "quantit*", "count", "counts", "how many"];
const DATES: &[&str] = &["date", "dates", "day", "month", "months", "calendar"];
const MAKERS: &[&str] = &[
    "author*",
    "writer*",
    "creator*",
    "artist*",
    "maker*",
    "byline*",
    "credit*",
    "composer*",
    "painter*",
    "by whom",
    "who made",
    "who wrote",
];
const WORKS: &[&str] = &["title", "titles", "work", "works", "book*", "song*"];
const SEVERAL: &[&str] = &[
    "several",
    "list",
    "lists",
    "multiple",
    "more than",
    "many things",
    "every item",
    "all items",
    "each item",
    "items",
    "plural",
];
const ALL: &[&str] = &["all", "every", "each", "complete*", "full", "whole", "entire", "none", "comma*"];
const NOUNS: &[&str] = &[
    "noun*",
    "category",
    "categories",
    "class",
    "kind of",
    "type of",
    "generic",
    "common noun",
    "label*",
    "descriptor*",
    "question's",
    "clue's",
];
const AS_THERE: &[&str] = &[
    "exact*",
    "precise*",
    "verbatim",
    "as written",
    "as it",
    "as they",
    "same",
    "copy",
    "copied",
    "unchanged",
    "literal*",
    "as the",
    "as in",
    "digit for",
    "original",
    "character for",
];
const REWRITE: &[&str] = &[
    "reformat*",
    "convert*",
    "rewrit*",
    "respell*",
    "chang*",
    "slash*",
    "numeric*",
    "reorder*",
    "translat*",
    "normali*",
    "another",
    "alter*",
    "different",
    "abbreviat*",
];

const fn forbids(habit: Habit, needs: &'static [Need]) -> Rule {
    Rule { habit, effect: Effect::Forbids, needs }
}

const fn asks(habit: Habit, needs: &'static [Need]) -> Rule {
    Rule { habit, effect: Effect::AsksFor, needs }
}

use Need::{Absent, Affirmed, Any, Denied};

const INSIDE: &[&str] = &[
    "inside",
    "within",
    "between",
    "put",
    "place*",
    "wrap*",
    "enclos*",
    "surround*",
    "in",
    "end*",
    "finish*",
    "use",
    "close*",
    "write",
    "always",
    "mark",
    "forget",
    "omit",
    "missing",
    "leave",
    "skip",
    "without",
];

/// The rules that switch off.
const FORBIDDING: [Rule; 26] = [
    forbids(Habit::Untagged, &[Affirmed(TAGS), Any(INSIDE), Absent(&["nothing", "only", "just"])]),
    forbids(
        Habit::Untagged,
        &[Affirmed(TAGS), Any(&["put", "wrap*", "enclos*", "place*", "always", "must"])],
    ),
    forbids(
        Habit::Untagged,
        &[
            Any(TAGS),
            Any(&[
                "never omit",
                "not omit",
                "never forget",
                "not forget",
                "never leave",
                "never skip",
                "not leave",
                "never without",
                "without them",
                "not skip",
            ]),
        ],
    ),
    forbids(Habit::Explained, &[Denied(GROUNDS), Absent(&["before"])]),
    forbids(
        Habit::Explained,
        &[Affirmed(TAGS), Any(ONLY), Any(&["answer*", "span", "name", "inside", "within", "between", "in"])],
    ),
    forbids(Habit::Explained, &[Any(GROUNDS), Affirmed(&["before", "outside", "ahead"]), Any(TAGS)]),
    forbids(Habit::Sentence, &[Denied(SENTENCES)]),
    forbids(
        Habit::Sentence,
        &[Affirmed(BRIEF), Any(&["answer*", "give", "phrase", "span", "reply", "respond", "keep"])],
    ),
    forbids(Habit::Verdict, &[Denied(VERDICTS)]),
    forbids(
        Habit::Verdict,
        &[
            Any(&["clue*", "statement*", "declarative", "not a question"]),
            Affirmed(&[
                "name", "identif*", "describ*", "refer*", "entity", "stands", "meant", "points", "missing",
                "who or",
            ]),
        ],
    ),
    forbids(Habit::Addressed, &[Denied(ADDRESSES)]),
    forbids(Habit::Addressed, &[Denied(&["title", "titles"]), Any(PEOPLE)]),
    forbids(
        Habit::Addressed,
        &[
            Any(&["person*", "people"]),
            Affirmed(&["bare name", "plain name", "name alone", "name only", "name itself"]),
        ],
    ),
    forbids(Habit::Rounded, &[Denied(&["round*", "approximat*", "estimat*", "about", "roughly"])]),
    forbids(Habit::Rounded, &[Any(NUMBERS), Affirmed(AS_THERE), Absent(DATES)]),
    forbids(
        Habit::Counted,
        &[
            Any(NUMBERS),
            Denied(&[
                "unit",
                "units",
                "noun*",
                "measure*",
                "thing counted",
                "counted",
                "what is",
                "object*",
                "word",
            ]),
        ],
    ),
    forbids(
        Habit::Counted,
        &[
            Any(NUMBERS),
            Any(&["alone", "bare", "by itself", "only the", "just the", "on its"]),
            Absent(&["always", "whatever"]),
        ],
    ),
    forbids(Habit::Respelled, &[Any(DATES), Denied(REWRITE)]),
    forbids(Habit::Respelled, &[Any(DATES), Affirmed(AS_THERE)]),
    forbids(Habit::Credited, &[Denied(MAKERS)]),
    forbids(
        Habit::Credited,
        &[
            Any(WORKS),
            Any(&[
                "title alone",
                "title only",
                "titles alone",
                "only the",
                "just the",
                "by itself",
                "nothing but",
                "bare title",
                "title itself",
            ]),
        ],
    ),
    forbids(Habit::FirstOnly, &[Any(SEVERAL), Affirmed(ALL)]),
    forbids(
        Habit::OneWord,
        &[Affirmed(&["full name*", "in full", "all words", "every word", "whole name*", "full title*"])],
    ),
    forbids(Habit::OneWord, &[Denied(&["one word", "single word", "shorten*", "truncat*", "cut"])]),
    forbids(Habit::Classed, &[Denied(NOUNS)]),
    forbids(
        Habit::Classed,
        &[Denied(&["repeat*", "echo*", "restat*"]), Any(&["question*", "clue*", "word", "words"])],
    ),
];

/// The rules that bring about.
const ASKING: [Rule; 14] = [
    asks(
        Habit::Untagged,
        &[
            Denied(TAGS),
            Absent(&[
                "never", "forget", "omit", "skip", "without", "only", "nothing", "in", "inside", "within",
                "into", "between",
            ]),
        ],
    ),
    asks(
        Habit::Explained,
        &[
            Affirmed(GROUNDS),
            Any(TAGS),
            Any(&["inside", "within", "add*", "along*"]),
            Absent(&["before", "outside"]),
        ],
    ),
    asks(
        Habit::Sentence,
        &[Affirmed(&["full sentence*", "complete sentence*", "whole sentence*", "entire sentence*"])],
    ),
    asks(
        Habit::Verdict,
        &[
            Affirmed(&["true or", "true false", "yes or"]),
            Any(&["answer*", "say", "reply", "judg*", "decide"]),
        ],
    ),
    asks(Habit::Addressed, &[Affirmed(ADDRESSES), Any(&["keep", "includ*", "add*", "with", "full"])]),
    asks(Habit::Rounded, &[Affirmed(&["round*", "approximat*", "roughly"])]),
    asks(
        Habit::Counted,
        &[
            Affirmed(&["unit", "units", "counted"]),
            Any(NUMBERS),
            Any(&["keep", "includ*", "add*", "state", "with", "together"]),
        ],
    ),
    asks(Habit::Respelled, &[Any(DATES), Affirmed(REWRITE)]),
    asks(
        Habit::Credited,
        &[Affirmed(MAKERS), Any(WORKS), Any(&["keep", "includ*", "add*", "with", "mention*", "together"])],
    ),
    asks(
        Habit::FirstOnly,
        &[Affirmed(&["the first", "first item", "one item", "just one", "single item", "most important"])],
    ),
    asks(
        Habit::OneWord,
        &[Affirmed(&[
            "one word",
            "single word",
            "surname only",
            "surname alone",
            "last name",
            "one-word",
            "family name",
        ])],
    ),
    asks(
        Habit::NumberOnly,
        &[
            Affirmed(&["always"]),
            Affirmed(&["number", "digits", "numeral", "figures"]),
            Absent(&["when", "if", "exact*", "as"]),
        ],
    ),
    asks(
        Habit::YearOnly,
        &[
            Affirmed(&["year only", "year alone", "only the year", "just the year", "the year"]),
            Absent(&["author*", "title"]),
        ],
    ),
    asks(
        Habit::GivenUp,
        &[
            Affirmed(&["unknown", "not stated", "cannot tell", "not sure", "unsure", "uncertain"]),
            Any(&["answer*", "say", "write", "reply"]),
        ],
    ),
];

/// All rules.
pub(crate) fn rules() -> impl Iterator<Item = &'static Rule> {
    FORBIDDING.iter().chain(ASKING.iter())
}
