//! The table of phrases.
//!
//! Always holds: whatever the filter blocks is a row here; adding a phrase is adding a row.

use std::sync::LazyLock;

use super::family::Family;
use super::phrase::Phrase;
use super::words::{Break, Word};

/// When a phrase counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// Always.
    Always,
    /// Unless the sentence says where in the task's own material it stands: a table, a clue, a receipt.
    NotInMaterial,
    /// If the sentence compares or looks something up.
    Compared,
    /// If nothing follows that the phrase could belong to: "match the gold", but not "match the gold price".
    Last,
    /// Unless it is about a form: `answer key-value pairs`.
    NotForm,
    /// If the sentence compares or looks something up, and it is not about a form: `expected output format`.
    ComparedNotForm,
}

/// A row of the table.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) family: Family,
    pub(super) phrase: Phrase,
    when: When,
}

/// Lists of words that phrases name.
const CLASSES: &[(&str, &str)] = &[
    (
        "<answer",
        "answer|label|solution|output|response|target|span|annotation|completion|text|string|result|patch",
    ),
    ("<actor", "evaluator|grader|scorer|autograder|rater"),
    (
        "<said",
        "feedback|result|score|decision|verdict|comment|judgment|judgement|rating|response|signal|opinion|\
preference|expectation|note|report|assessment|grade|hint|reply|critique|evaluation|criterion|mark|reward|output",
    ),
    (
        "<does",
        "say|want|expect|accept|prefer|reward|like|mark|return|report|flag|reject|confirm|approve|score|agree|\
check|require|look|give|award|penalize|penalise|complain",
    ),
    ("<data", "validation|evaluation|eval|dev|training|holdout|benchmark|leaderboard"),
    (
        "<measured",
        "answer|feedback|label|result|score|metric|accuracy|loss|reward|set|split|example|task|data|question|\
item|performance|signal|outcome|solution|annotation|annotation",
    ),
    ("<the", "the|a|an|our|any|your|its|this|that|these|those|each|every|some"),
    ("<met", "with|against|to|match|matche|matching|matched|equal|equals|consult|consulting|as|from"),
];

/// Family, phrase, and when it counts.
const ROWS: &[(Family, &str, When)] = &[
    (Family::GoldAnswer, "gold|golden <answer", When::Always),
    (Family::GoldAnswer, "gold|golden reference|truth|value|sql|program|field|entity", When::Compared),
    (Family::GoldAnswer, "oracle answer|label|output|solution|response|feedback", When::Always),
    (Family::GoldAnswer, "answer|label|solution|gold json|jsonl|csv|tsv|txt|yaml", When::Always),
    (Family::GoldStandard, "<met <the? gold|golden standard", When::Always),
    (Family::GoldStandard, "match|meet|reach|follow|check|compare|reproduce <the? gold|golden", When::Last),
    (Family::GroundTruth, "ground truth", When::Always),
    (
        Family::ReferenceAnswer,
        "reference answer|solution|output|response|completion|translation",
        When::Always,
    ),
    (Family::ReferenceAnswer, "reference label|target|value", When::NotInMaterial),
    (Family::AnswerKey, "answer|solution key|sheet", When::NotForm),
    (Family::AnswerKey, "mark|marking scheme|key", When::Always),
    (Family::ExpectedAnswer, "target answer|response|solution", When::ComparedNotForm),
    (
        Family::ExpectedAnswer,
        "expected|desired answer|output|response|label|solution|result",
        When::ComparedNotForm,
    ),
    (
        Family::ExpectedAnswer,
        "<met <the? known? correct|right|true|actual|ideal|perfect|intended answer|response|label|solution|one|result",
        When::Always,
    ),
    (Family::ExpectedAnswer, "true label|answer", When::Compared),
    (Family::ExpectedAnswer, "official|model|teacher|sample solution|answer|label", When::Compared),
    (
        Family::Annotation,
        "annotated|labeled|labelled answer|label|solution|span|response|output",
        When::Always,
    ),
    (Family::Annotation, "human annotated? label|annotation", When::Always),
    (Family::Annotation, "annotator", When::NotInMaterial),
    (Family::EvaluatorFeedback, "<actor <said", When::Always),
    (Family::EvaluatorFeedback, "judge <said", When::NotInMaterial),
    (Family::EvaluatorFeedback, "<said from|of|by <the? <actor", When::Always),
    (
        Family::EvaluatorFeedback,
        "<said given|returned|assigned|provided|reported by <the? <actor|judge",
        When::NotInMaterial,
    ),
    (Family::EvaluatorFeedback, "<said from|by <the? judge", When::NotInMaterial),
    (Family::EvaluatorExpectation, "<actor would|will|may|might|can|could|should? <does", When::Always),
    (Family::EvaluatorExpectation, "judge would|will|may|might|can|could|should? <does", When::NotInMaterial),
    (
        Family::EvaluatorExpectation,
        "ask|please|satisfy|convince|fool|impress|pass|query|consult|trust|to|for|by|like|as <the? <actor",
        When::Always,
    ),
    (
        Family::EvaluatorExpectation,
        "expected|required|preferred|accepted|wanted|liked|demanded|rewarded|desired by <the? judge|evaluation|metric|benchmark|rubric",
        When::NotInMaterial,
    ),
    (Family::EvaluatorExpectation, "grader|evaluator|autograder", When::NotInMaterial),
    (Family::EvaluatorExpectation, "judge|grading|scoring|reward model", When::NotInMaterial),
    (Family::EvaluatorExpectation, "llm judge", When::NotInMaterial),
    (Family::EvaluatorExpectation, "judge llm", When::NotInMaterial),
    (
        Family::EvaluationSignal,
        "correct|right answer from|in <the? dataset|benchmark|database|file",
        When::NotInMaterial,
    ),
    (Family::EvaluationSignal, "<data set? <measured", When::NotInMaterial),
    (
        Family::EvaluationSignal,
        "test answer|label|feedback|metric|accuracy|loss|reward|set|split|performance",
        When::NotInMaterial,
    ),
    (Family::EvaluationSignal, "test result|score", When::NotInMaterial),
    (Family::Metric, "exact match metric|score|rate|accuracy", When::NotInMaterial),
    (Family::Metric, "f1|em|anls|bleu|rouge score|metric", When::NotInMaterial),
    (
        Family::Metric,
        "grading|scoring|marking rubric|script|guideline|criterion|function|code|scheme|program|metric|system",
        When::NotInMaterial,
    ),
    (Family::Metric, "evaluation script|criterion|rubric|harness|code|function", When::NotInMaterial),
    (
        Family::Metric,
        "maximize|maximise|optimize|optimise|improve|raise|boost <the? exact match",
        When::NotInMaterial,
    ),
    (
        Family::Reward,
        "if|when|whenever|until <the? score|reward|accuracy is|stay|become|drop|fall low|lower|zero|high|higher|bad|poor|positive|negative|below|above|0|1",
        When::NotInMaterial,
    ),
    (Family::Reward, "reward signal|score|function|model|value", When::NotInMaterial),
    (
        Family::Reward,
        "maximize|maximise|maximizing|maximising|optimize|optimise|increase|improve|raise|boost|chase <the? high|higher|highest|expected|total|final? reward",
        When::NotInMaterial,
    ),
    (Family::Reward, "high|higher|highest|low|lower|lowest|zero|expected|best reward", When::NotInMaterial),
    (
        Family::HiddenEvaluation,
        "secret|private unit? test|answer|solution|rubric|evaluation|grader",
        When::Always,
    ),
    (
        Family::HiddenEvaluation,
        "hidden|withheld|unseen unit? test|answer|label|evaluation|evaluator|solution|rubric|grader|metric|criterion|score|reference|target|checker",
        When::Always,
    ),
    (
        Family::HiddenEvaluation,
        "held out unit? test|answer|label|evaluation|solution|set|split|data|example|task|question|score",
        When::Always,
    ),
    (
        Family::Marking,
        "was|were|is|are|be|been|got|get|being marked|graded|scored|judged as? correct|incorrect|wrong|right|zero|failed",
        When::NotInMaterial,
    ),
    (
        Family::OtherRuns,
        "winning|successful|failed|failing|sibling|earlier|previous|other|training|these|those|same|best rollout",
        When::Always,
    ),
    (Family::OtherRuns, "rollout answer|result|reward|output|score|record|log|outcome", When::Always),
    (
        Family::OtherRuns,
        "winning|successful|failed|failing|sibling|earlier|previous|other|training|best trajectory",
        When::NotInMaterial,
    ),
    (Family::OtherRuns, "evidence card", When::Always),
];

/// Words of place and kind that show that a phrase is about the task's own material.
const MATERIAL: &[&str] = &[
    "school",
    "teacher",
    "pupil",
    "class",
    "football",
    "league",
    "team",
    "player",
    "table",
    "column",
    "row",
    "cell",
    "chart",
    "figure",
    "graph",
    "drawing",
    "diagram",
    "image",
    "picture",
    "page",
    "sheet",
    "spreadsheet",
    "receipt",
    "invoice",
    "clue",
    "case",
    "court",
    "article",
    "paper",
    "paragraph",
    "passage",
    "report",
    "record",
    "patient",
    "student",
    "athlete",
    "exam",
    "lab",
    "statement",
    "survey",
    "listed",
    "printed",
    "quoted",
    "tell",
    "scoreboard",
    "lawsuit",
    "trial",
    "contest",
    "competition",
    "transcript",
    "workbook",
    "header",
    "legend",
    "axis",
    "screenshot",
    "email",
    "contract",
    "book",
    "story",
];

const COMPARISONS: &[&str] = &[
    "match",
    "compar",
    "check",
    "verif",
    "consult",
    "align",
    "agree",
    "equal",
    "reproduc",
    "copy",
    "copi",
    "conform",
    "look",
    "meet",
    "fit",
    "mimic",
    "imitat",
    "mirror",
    "approximat",
    "calibrat",
    "correspond",
    "ident",
    "differ",
    "same",
    "reach",
    "follow",
    "use",
    "using",
    "return",
    "against",
    "submit",
    "read",
    "retriev",
    "fetch",
];

/// Words that start something new behind a phrase.
const FOLLOWERS: &[&str] =
    &["and", "or", "when", "if", "before", "exactly", "as", "for", "in", "then", "to", "until"];

const FORMS: &[&str] = &[
    "value",
    "pair",
    "format",
    "type",
    "form",
    "unit",
    "length",
    "shape",
    "schema",
    "column",
    "cell",
    "style",
    "structure",
    "range",
    "kind",
    "size",
    "layout",
    "token",
    "count",
    "order",
    "language",
];

/// All rows, read once.
pub(super) fn rules() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        ROWS.iter()
            .map(|&(family, phrase, when)| Rule { family, phrase: Phrase::new(phrase, CLASSES), when })
            .collect()
    });
    &RULES
}

impl Rule {
    /// Whether the phrase at `start..end` counts where it stands.
    pub(super) fn applies(&self, words: &[Word], start: usize, end: usize) -> bool {
        let next = words.get(end).filter(|next| next.before < Break::Comma);
        let compared = || {
            let is_comparison = |word: &Word| COMPARISONS.iter().any(|stem| word.text.starts_with(stem));
            sentence(words, start, end).any(is_comparison)
        };
        let is_form = || next.is_some_and(|next| FORMS.contains(&next.singular.as_str()));
        match self.when {
            When::Always => true,
            When::NotInMaterial => {
                !others(words, start, end).any(|word| MATERIAL.contains(&word.singular.as_str()))
            }
            When::Compared => compared(),
            When::Last => next.is_none_or(|next| FOLLOWERS.contains(&next.text.as_str())),
            When::NotForm => !is_form(),
            When::ComparedNotForm => compared() && !is_form(),
        }
    }
}

/// The words of the sentence that holds the phrase.
fn sentence(words: &[Word], start: usize, end: usize) -> impl Iterator<Item = &Word> {
    let head = words.get(..=start).unwrap_or_default();
    let first = head.iter().rposition(|word| word.before == Break::Hard).unwrap_or(0);
    let tail = words.get(end..).unwrap_or_default();
    let last = end + tail.iter().position(|word| word.before == Break::Hard).unwrap_or(tail.len());
    words.get(first..last).unwrap_or_default().iter()
}

/// The words of the sentence without the phrase.
fn others(words: &[Word], start: usize, end: usize) -> impl Iterator<Item = &Word> {
    let phrase = words.get(start..end).unwrap_or_default();
    sentence(words, start, end).filter(move |word| !phrase.iter().any(|other| other.bytes == word.bytes))
}
