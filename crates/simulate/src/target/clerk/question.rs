//! What the clerk is asked, and where it may look.
//!
//! Always holds: a question has words to look for only if they say something; a year is no such word.

use textualrl_llm::ChatRequest;
use textualrl_model::{Role, Turn};

/// Words that say nothing about what is sought.
const EMPTY: &[&str] = &[
    "a", "an", "and", "are", "at", "by", "did", "do", "does", "for", "from", "give", "gives", "how", "in",
    "is", "it", "its", "many", "much", "of", "on", "pay", "spend", "table", "the", "their", "to", "was",
    "were", "what", "which", "with",
];

/// A question about documents.
pub(super) struct Question {
    /// As it was asked.
    pub(super) asked: String,
    /// The years in it.
    pub(super) years: Vec<String>,
    /// Runs of words that say something, in small letters; names of places are runs of their own.
    runs: Vec<Vec<String>>,
    candidates: Vec<String>,
}

impl Question {
    /// The question of a request; none if nothing is asked.
    pub(super) fn read(request: &ChatRequest) -> Option<Self> {
        let task = request.turns.iter().find(|turn| turn.role == Role::User).map(Turn::joined_text)?;
        Self::of(&task)
    }

    /// The question of a task.
    pub(super) fn of(task: &str) -> Option<Self> {
        let asked = section(task, "## Question")?;
        let listed = section(task, "## Candidate Files").unwrap_or_default();
        let named = listed.lines().filter_map(|line| line.strip_prefix("- "));
        let candidates = named.filter(|name| !name.contains(' ')).map(str::to_owned).collect();
        let mut years = Vec::new();
        let mut runs: Vec<Vec<String>> = vec![Vec::new()];
        for word in asked.split_whitespace() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            let is_year = bare.len() == 4 && bare.chars().all(|c| c.is_ascii_digit());
            let lower = bare.to_lowercase();
            if is_year {
                years.push(bare.to_owned());
            }
            let breaks = is_year || bare.is_empty() || EMPTY.contains(&lower.as_str());
            match runs.last_mut() {
                Some(run) if !breaks && !bare.starts_with(char::is_uppercase) => run.push(lower),
                _ if breaks => runs.push(Vec::new()),
                _ => runs.extend([vec![lower], Vec::new()]),
            }
        }
        runs.retain(|run| !run.is_empty());
        Some(Self { asked: asked.trim().to_owned(), years, runs, candidates })
    }

    /// All words that say something.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.runs.iter().flatten().map(String::as_str)
    }

    /// What to search for: the runs with the most words first, then the longest.
    pub(super) fn patterns(&self) -> Vec<String> {
        let mut runs: Vec<&Vec<String>> = self.runs.iter().collect();
        runs.sort_by_key(|run| std::cmp::Reverse((run.len(), run.iter().map(String::len).sum::<usize>())));
        runs.into_iter().map(|run| run.join(" ")).collect()
    }

    /// The document to look into: the first candidate, or of a listing the first that a word names.
    pub(super) fn document(&self, listed: Option<&str>) -> Option<String> {
        if let Some(first) = self.candidates.first() {
            return Some(first.clone());
        }
        let names: Vec<&str> = listed?.lines().filter(|line| !line.starts_with('[')).collect();
        let fits =
            |name: &&&str| self.words().any(|word| word.len() > 4 && name.to_lowercase().contains(word));
        names.iter().find(fits).or(names.first()).map(|name| (*name).to_owned())
    }
}

/// What stands below a heading.
fn section<'a>(task: &'a str, heading: &str) -> Option<&'a str> {
    let (_, below) = task.split_once(&format!("{heading}\n"))?;
    Some(below.split("\n## ").next().unwrap_or(below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_with_their_documents() {
        let task = "## Question\nHow much were the harbour dues of Ardmoor in 1951?\n\n## Candidate Files\n- a.txt\n- b.txt\n";
        let question = Question::of(task).unwrap();
        assert_eq!(question.years, ["1951"]);
        assert_eq!(question.patterns(), ["harbour dues", "ardmoor"]);
        assert_eq!(question.document(None).as_deref(), Some("a.txt"));
        let open = Question::of("## Question\nWhat was the rent of Dunlow?\n").unwrap();
        assert_eq!(open.document(None), None);
        assert_eq!(open.document(Some("ardmoor.txt\n1953/Dunlow.txt")).as_deref(), Some("1953/Dunlow.txt"));
        assert!(Question::of("no heading").is_none());
    }
}
