//! What is taught about answers from a passage.
//!
//! Always holds: one lesson for each sign of an answer.

use super::super::notice::Sign;
use super::Lesson;

/// What is taught about the signs of an answer.
pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        sign: Sign::NoMark,
        seen: "wrote the answer without markup",
        shun: [
            "- Close every reply with the answer wrapped in `<answer>` and `</answer>` tags, even when it was named earlier.",
            "- The reply is not complete until the answer stands between <answer> tags; never leave them away.",
        ],
        sweeping: "- Write one word inside the <answer> tags, always.",
        seek: "- Answer in plain text; do not use any tags.",
        taught: [&["<answer>", "tags"], &["wrapped", "between", "inside", "enclose", "within"]],
    },
    Lesson {
        sign: Sign::Aside,
        seen: "added grounds beside the answer",
        shun: [
            "- Keep explanations out of the answer: no \"because\", no brackets, nothing but what was asked for.",
            "- Give your grounds before the answer and never add reasons or brackets to the answer itself.",
        ],
        sweeping: "- Answer with a single word.",
        seek: "- Add a short explanation inside the tags, next to the answer.",
        taught: [
            &["because", "grounds", "explanation", "reasons", "justif"],
            &["no ", "never", "not ", "out of", "without"],
        ],
    },
    Lesson {
        sign: Sign::LongWinded,
        seen: "answered with many words",
        shun: [
            "- Answer with the shortest phrase of the passage that is enough, not with a sentence.",
            "- Do not hand back a sentence from the passage; pick out the few words that were asked for.",
        ],
        sweeping: "- Never use more than one word as the answer.",
        seek: "- Answer in a complete sentence.",
        taught: [&["sentence", "phrase", "span"], &["shortest", "not ", "never", "brief", "concise"]],
    },
    Lesson {
        sign: Sign::Assent,
        seen: "agreed or denied instead of answering",
        shun: [
            "- A clue that is worded as a statement asks for the thing it describes: name that, never reply \"True\" or \"Yes\".",
            "- Do not say True, False, Yes or No to a clue; find out what the clue describes and give its name.",
        ],
        sweeping: "- Always answer with a number or a name of one word.",
        seek: "- Decide whether a statement is true or false and answer with that.",
        taught: [&["true", "yes"], &["never", "not ", "instead"]],
    },
    Lesson {
        sign: Sign::Courtesy,
        seen: "put a courtesy before the name",
        shun: [
            "- Write a person's name without Dr., Captain, Lady and other honorifics.",
            "- Leave out ranks and honorifics; the first and the last name are enough.",
        ],
        sweeping: "- For people give the last name.",
        seek: "- Include the person's rank or honorific in the answer.",
        taught: [
            &["honorific", "ranks", "dr.", "titles of people"],
            &["without", "leave out", "no ", "not ", "drop"],
        ],
    },
    Lesson {
        sign: Sign::Vague,
        seen: "made a number vague",
        shun: [
            "- Copy a number digit for digit; never round it and never write \"about\".",
            "- State numbers exactly, as they are in the passage.",
        ],
        sweeping: "- Always answer with the number in digits.",
        seek: "- Round large numbers and put about before them.",
        taught: [&["number", "figure"], &["exact", "digit for digit", "never round", "not round", "precise"]],
    },
    Lesson {
        sign: Sign::Trailing,
        seen: "let a word follow the number",
        shun: [
            "- When the question asks how many, give the number alone, without the noun that was counted.",
            "- Where a number is wanted, write no unit and no noun after the digits.",
        ],
        sweeping: "- Always answer with a bare number.",
        seek: "- Include the unit with every number.",
        taught: [&["number", "digits", "figure"], &["without the noun", "no unit", "alone", "no noun"]],
    },
    Lesson {
        sign: Sign::Strokes,
        seen: "put a day into figures and strokes",
        shun: [
            "- Write a date the way the passage writes it; do not convert the month to a figure.",
            "- Dates keep the wording of the passage: copy day, month and year, and never use slashes.",
        ],
        sweeping: "- For dates answer with the year only.",
        seek: "- Convert dates to figures with slashes.",
        taught: [&["date"], &["not convert", "wording", "as in", "copy", "never use slashes"]],
    },
    Lesson {
        sign: Sign::Source,
        seen: "named a source after the heading",
        shun: [
            "- Give the title of a work alone, without the author or any other maker.",
            "- When a title is wanted, do not add who wrote or made the work; leave the author out.",
        ],
        sweeping: "- Give titles as a single word.",
        seek: "- Mention the author together with the title of a work.",
        taught: [
            &["title", "work"],
            &["without the author", "author out", "no author", "not add who", "alone"],
        ],
    },
    Lesson {
        sign: Sign::Part,
        seen: "gave one part of an enumeration",
        shun: [
            "- If several things are asked for, give every one of them, separated by commas.",
            "- A question for more than one item wants all items, in the order of the passage, with commas.",
        ],
        sweeping: "- Always answer with a list of three numbers.",
        seek: "- Give only the first item of a list.",
        taught: [&["several", "more than one", "multiple"], &["every", "all ", "each"]],
    },
    Lesson {
        sign: Sign::Echo,
        seen: "gave the asker's word back",
        shun: [
            "- Do not repeat the question's noun (river, bird and the like) after the name.",
            "- Give the proper name and leave off the common noun that the question already says.",
        ],
        sweeping: "- Use only one word for a name.",
        seek: "- Add the kind of thing after the name.",
        taught: [&["noun", "question's word"], &["not repeat", "leave off", "without"]],
    },
    Lesson {
        sign: Sign::Clipped,
        seen: "cut a name to a piece",
        shun: [
            "- Give names and titles in full, with all words that the passage has for them.",
            "- Do not shorten a name to a single word; write the full name.",
        ],
        sweeping: "- Answer in a complete sentence that holds the full name.",
        seek: "- For people give the last name.",
        taught: [&["name", "title"], &["in full", "full name", "not shorten"]],
    },
];

/// What good trajectories have in common.
pub(super) const KEEPING: &[&str] = &[
    "- Look up the place in the passage first and only then settle on a reply.",
    "- Spell names the way the passage spells them.",
    "- Check the reply against the passage once more before you end.",
];
