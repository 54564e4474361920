//! The passage as documents, sentences and words.
//!
//! Always holds: every word knows its sentence's text as it stood in the passage.

/// A document: an article of the passage.
pub(crate) struct Document {
    /// Its sentences in order; a title is a sentence of its own.
    pub(crate) sentences: Vec<Sentence>,
}

/// A sentence.
pub(crate) struct Sentence {
    /// Its text, trimmed, white space collapsed.
    pub(crate) text: String,
    /// Its words.
    pub(crate) words: Vec<Word>,
}

/// A word.
pub(crate) struct Word {
    /// The word without the punctuation around it.
    pub(crate) text: String,
    /// In lower case.
    pub(crate) lower: String,
    /// Whether punctuation follows, so that no name goes on over it.
    pub(crate) ends: bool,
    /// Whether a comma follows.
    pub(crate) comma: bool,
    /// Whether a quotation mark, a bracket or the like stands before it.
    pub(crate) opens: bool,
}

/// Words after which a full stop ends no sentence.
const ABBREVIATIONS: [&str; 14] =
    ["dr", "mr", "mrs", "ms", "prof", "st", "capt", "col", "gen", "rev", "hon", "jr", "lt", "sgt"];

/// Splits a passage at its document marks, then into sentences.
pub(crate) fn read(passage: &str) -> Vec<Document> {
    let documents = passage.split("[DOC]").filter(|text| !text.trim().is_empty());
    documents
        .map(|text| {
            let marked = text.replace("[TLE]", " ").replace("[PAR]", "\u{1}").replace("...", "\u{1}");
            let sentences = marked.split('\u{1}').flat_map(sentences_of).collect();
            Document { sentences }
        })
        .collect()
}

fn sentences_of(text: &str) -> Vec<Sentence> {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let mut sentences = Vec::new();
    let mut current: Vec<&str> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        current.push(token);
        let starts_next = tokens.get(at + 1).is_none_or(|next| {
            next.trim_start_matches(['"', '“', '\'', '('])
                .starts_with(|c: char| c.is_uppercase() || c.is_numeric())
        });
        if ends_sentence(token) && starts_next {
            sentences.push(sentence(&current));
            current.clear();
        }
    }
    if !current.is_empty() {
        sentences.push(sentence(&current));
    }
    sentences
}

fn ends_sentence(token: &str) -> bool {
    let bare = token.trim_end_matches(['"', '”', '\'', ')', '’']);
    if bare.ends_with(['!', '?']) {
        return true;
    }
    let Some(word) = bare.strip_suffix('.') else { return false };
    let word = word.trim_start_matches(['"', '“', '(']);
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    !initial && !word.contains('.') && !ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}

fn sentence(tokens: &[&str]) -> Sentence {
    Sentence { text: tokens.join(" "), words: tokens.iter().filter_map(|token| word(token)).collect() }
}

/// A token as a word; nothing if it is punctuation only.
pub(crate) fn word(token: &str) -> Option<Word> {
    let inner = |c: char| c.is_alphanumeric() || c == '$' || c == '%';
    let text = token.trim_matches(|c: char| !inner(c));
    if text.is_empty() {
        return None;
    }
    let (before, after) = token.split_once(text)?;
    let abbreviated = after.starts_with('.') && after.len() == 1 && !ends_sentence(token);
    let text = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
    let possessive = after.is_empty() && token.len() > before.len() + text.len();
    Some(Word {
        text: text.to_owned(),
        lower: text.to_lowercase(),
        ends: possessive || (!after.is_empty() && !abbreviated),
        comma: after.contains(','),
        opens: !before.is_empty(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_they_should() {
        let documents = read("Dr. Ada Lind came in 1902. She had 1,847 lamps! \"Go,\" said J. Moss.");
        let texts: Vec<&str> = documents[0].sentences.iter().map(|s| s.text.as_str()).collect();
        assert_eq!(texts, ["Dr. Ada Lind came in 1902.", "She had 1,847 lamps!", "\"Go,\" said J. Moss."]);
        assert_eq!(documents[0].sentences[1].words[2].text, "1,847");
    }

    #[test]
    fn marked_documents_are_split() {
        let documents = read("[DOC] [TLE] One [PAR] First. [DOC] [TLE] Two [PAR] Second ... third.");
        assert_eq!(documents.len(), 2);
        assert_eq!(documents[1].sentences.len(), 3);
    }
}
