//! The answer: the span that lies nearest to the question's words.
//!
//! Always holds: the answer is worded as in the passage; nothing but passage and question decides it.

use std::collections::BTreeMap;

use super::passage::{Document, Sentence, Word};
use super::question::{Kind, Question, stem};
use super::spans::{self, Shape, Span};

/// What the reader found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// What kind of thing it is.
    pub(crate) kind: Kind,
    /// The answer as it should be given.
    pub(crate) core: String,
    /// The form of address before a person's name.
    pub(crate) honorific: Option<String>,
    /// The sentence that it stands in.
    pub(crate) sentence: String,
    /// The noun that the question uses for what it seeks.
    pub(crate) category: Option<String>,
    /// The word after a number.
    pub(crate) unit: Option<String>,
    /// A person named in the passage, other than the answer.
    pub(crate) person: Option<String>,
    /// The first number of the passage.
    pub(crate) number: Option<String>,
    /// Whether another span came close.
    pub(crate) doubtful: bool,
}

/// The candidates of one wording, added up.
struct Candidate<'a> {
    score: f64,
    best: f64,
    span: Span,
    sentence: &'a Sentence,
}

/// Finds the best answer; none if there is nothing to read.
pub(crate) fn find(question: &Question, documents: &[Document]) -> Option<Found> {
    let weights = stem_weights(question, documents);
    let mut candidates: BTreeMap<String, Candidate<'_>> = BTreeMap::new();
    for document in documents {
        collect(question, document, &weights, &mut candidates);
    }
    let mut ranked: Vec<(&String, &Candidate<'_>)> = candidates.iter().collect();
    ranked.sort_by(|a, b| b.1.score.total_cmp(&a.1.score).then_with(|| a.0.cmp(b.0)));
    let (_, best) = ranked.first()?;
    let second = ranked.get(1).map_or(0.0, |(_, candidate)| candidate.score);
    let others = || ranked.iter().map(|(_, candidate)| &candidate.span);
    let person = others().find(|span| is_person(span) && !span.text.contains(&best.span.text));
    let number = others().find(|span| span.shape == Shape::Number);
    Some(Found {
        kind: settled_kind(question.kind, &best.span),
        core: best.span.text.clone(),
        honorific: best.span.honorific.clone(),
        sentence: best.sentence.text.clone(),
        category: question.category.clone(),
        unit: unit(question, best),
        person: person.map(|span| span.text.clone()),
        number: number.map(|span| span.text.clone()),
        doubtful: second > best.score * 0.75,
    })
}

fn is_person(span: &Span) -> bool {
    span.shape == Shape::Proper && span.length >= 2 && !span.text.contains(" of ")
}

/// What the answer is, where the question left it open.
fn settled_kind(asked: Kind, span: &Span) -> Kind {
    match span.shape {
        Shape::Number => Kind::Number,
        Shape::Date => Kind::Date,
        Shape::List => Kind::List,
        Shape::Quoted => Kind::Title,
        Shape::Proper if span.honorific.is_some() => Kind::Person,
        Shape::Proper | Shape::Common => asked,
    }
}

fn unit(question: &Question, best: &Candidate<'_>) -> Option<String> {
    let after = best.sentence.words.get(best.span.start + best.span.length)?;
    let asked = question.words.contains(&after.lower);
    (best.span.shape == Shape::Number
        && (asked || !super::question::FUNCTION_WORDS.contains(&after.lower.as_str())))
    .then(|| after.text.clone())
}

/// How telling each of the question's stems is: rarer in the passage is more.
fn stem_weights(question: &Question, documents: &[Document]) -> BTreeMap<String, f64> {
    let sentences: Vec<&Sentence> = documents.iter().flat_map(|document| &document.sentences).collect();
    let total = sentences.len() as f64;
    let weight = |wanted: &String| {
        let holding =
            sentences.iter().filter(|s| s.words.iter().any(|word| stem(&word.lower) == *wanted)).count();
        (wanted.clone(), ((total + 1.0) / (holding as f64 + 0.5)).ln().max(0.1))
    };
    question.stems.iter().map(weight).collect()
}

/// A document's words with the weight that each carries for the question.
struct Marked<'a> {
    words: Vec<(usize, Option<&'a str>, f64)>,
    starts: Vec<usize>,
}

/// Adds the candidates of a document.
fn collect<'a>(
    question: &Question,
    document: &'a Document,
    weights: &BTreeMap<String, f64>,
    candidates: &mut BTreeMap<String, Candidate<'a>>,
) {
    let marked = mark(document, weights);
    for (index, sentence) in document.sentences.iter().enumerate() {
        let start = marked.starts.get(index).copied().unwrap_or(0);
        for span in spans::spans(sentence) {
            let fit = shape_fit(question, &span, &sentence.words);
            let near = nearness(&marked, start + span.start, span.length, index);
            let score = fit * near * fresh_share(question, &span);
            if score <= 0.0 {
                continue;
            }
            let entry = candidates.entry(span.text.to_lowercase()).or_insert_with(|| Candidate {
                score: 0.0,
                best: 0.0,
                span: span.clone(),
                sentence,
            });
            // Repetition is evidence, but a passage's best place counts most.
            entry.score += score * if entry.score > 0.0 { 0.5 } else { 1.0 };
            if score > entry.best {
                (entry.best, entry.sentence) = (score, sentence);
                let honorific = span.honorific.clone().or_else(|| entry.span.honorific.clone());
                entry.span = Span { honorific, ..span };
            } else if entry.span.honorific.is_none() {
                entry.span.honorific = span.honorific;
            }
        }
    }
}

fn mark<'a>(document: &'a Document, weights: &'a BTreeMap<String, f64>) -> Marked<'a> {
    let mut marked = Marked { words: Vec::new(), starts: Vec::new() };
    for (index, sentence) in document.sentences.iter().enumerate() {
        marked.starts.push(marked.words.len());
        for word in &sentence.words {
            let found = weights.get_key_value(&stem(&word.lower));
            let (name, weight) = found.map_or((None, 0.0), |(name, weight)| (Some(name.as_str()), *weight));
            marked.words.push((index, name, weight));
        }
    }
    marked
}

/// The weight of the question's words around a span, less with distance and across sentences.
fn nearness(marked: &Marked<'_>, start: usize, length: usize, sentence: usize) -> f64 {
    let mut nearest: BTreeMap<&str, f64> = BTreeMap::new();
    let from = start.saturating_sub(40);
    for (at, (other, name, weight)) in marked.words.iter().enumerate().skip(from).take(length + 80) {
        let Some(name) = name else { continue };
        if (start..start + length).contains(&at) {
            continue;
        }
        let distance = if at < start { start - at } else { at + 1 - start - length } as f64;
        let crossed = other.abs_diff(sentence).min(4) as f64;
        let value = weight / (1.0 + distance / 14.0 + crossed * 0.9);
        let best = nearest.entry(name).or_insert(0.0);
        *best = best.max(value);
    }
    nearest.values().sum()
}

/// The share of the span's words that the question does not say already.
fn fresh_share(question: &Question, span: &Span) -> f64 {
    let words: Vec<String> = span.text.split([' ', ',']).filter(|w| !w.is_empty()).map(stem).collect();
    let said = words.iter().filter(|word| question.stems.contains(word)).count();
    let share = 1.0 - said as f64 / words.len().max(1) as f64;
    if said > 0 { share * share * 0.5 } else { 1.0 }
}

/// How well a span's shape fits what is asked.
fn shape_fit(question: &Question, span: &Span, words: &[Word]) -> f64 {
    let beside_category = || {
        let before = span.start.saturating_sub(3)..span.start;
        let after = span.start + span.length..span.start + span.length + 2;
        let category = question.category.as_deref().map(stem);
        before.chain(after).filter_map(|at| words.get(at)).any(|word| category == Some(stem(&word.lower)))
    };
    match (question.kind, span.shape) {
        (Kind::Number, Shape::Number) => {
            let unit = words.get(span.start + span.length);
            if unit.is_some_and(|unit| question.words.contains(&unit.lower)) { 4.0 } else { 2.0 }
        }
        (Kind::Date, Shape::Date) => 2.0 + 0.3 * span.length as f64,
        (Kind::Title, Shape::Quoted) | (Kind::List, Shape::List) => 3.0,
        (Kind::Person, Shape::Proper) if is_person(span) => 2.0,
        (Kind::Person | Kind::Title, Shape::Proper) => 1.0,
        (Kind::Thing, Shape::Proper) => {
            if beside_category() {
                2.2
            } else {
                1.0
            }
        }
        (Kind::Thing, Shape::Common) => {
            if beside_category() {
                0.6
            } else {
                0.35
            }
        }
        (Kind::Thing, Shape::Quoted) => 0.5,
        (_, Shape::List) => 0.0,
        _ => 0.1,
    }
}
