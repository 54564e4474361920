//! The optimizer's prompts, read back from their tagged blocks.
//!
//! Always holds: a tag counts only if it stands at the start of its line; data that looks like one has been moved.

use serde_json::{Map, Value};

/// What is asked for.
pub(crate) enum Ask {
    /// A critique.
    Critic(Critic),
    /// A merge.
    Merge(Merge),
    /// A review.
    Review(Review),
    /// A ranking.
    Rank(Rank),
    /// None of these.
    Unknown,
}

/// What a critic is shown.
pub(crate) struct Critic {
    /// The context C.
    pub(crate) context: String,
    /// The most edits.
    pub(crate) budget: usize,
    /// The route as written.
    pub(crate) route: String,
    /// What earlier steps left.
    pub(crate) history: String,
    /// The task blocks.
    pub(crate) blocks: Vec<TaskBlock>,
}

/// A task block.
pub(crate) struct TaskBlock {
    pub(crate) task: String,
    pub(crate) input: String,
    pub(crate) trajectories: Vec<Shown>,
}

/// A displayed trajectory.
pub(crate) struct Shown {
    pub(crate) rollout: String,
    pub(crate) success: bool,
    pub(crate) multiplicity: f64,
    /// The agent's turns, in order.
    pub(crate) replies: Vec<String>,
}

impl Shown {
    /// Whether the agent says nothing at all.
    pub(crate) fn is_silent(&self) -> bool {
        self.replies.iter().all(String::is_empty)
    }

    /// The agent's last turn; empty if it has none.
    pub(crate) fn last_reply(&self) -> &str {
        self.replies.last().map(String::as_str).unwrap_or_default()
    }
}

/// What a merge is shown.
pub(crate) struct Merge {
    /// The edits of all bundles, in order.
    pub(crate) edits: Vec<Map<String, Value>>,
}

/// What a review is shown.
pub(crate) struct Review {
    pub(crate) edits: Vec<Map<String, Value>>,
    pub(crate) cards: Vec<Map<String, Value>>,
}

/// What a ranking is shown.
pub(crate) struct Rank {
    pub(crate) edits: Vec<Map<String, Value>>,
}

/// Reads a user turn.
pub(crate) fn ask(text: &str) -> Ask {
    let objects = |tag: &str| block(text, tag).map(|block| objects(&block));
    if let Some(bundles) = objects("bundles") {
        let edits = bundles.iter().flat_map(|bundle| list(bundle.get("edits"))).collect();
        return Ask::Merge(Merge { edits });
    }
    if let Some(edits) = objects("candidate_edits") {
        return Ask::Review(Review { edits, cards: objects("evidence_cards").unwrap_or_default() });
    }
    if let Some(edits) = objects("edits_to_rank") {
        return Ask::Rank(Rank { edits });
    }
    let blocks: Vec<TaskBlock> = elements(text, "task_block").iter().map(task_block).collect();
    if blocks.is_empty() {
        return Ask::Unknown;
    }
    let history = block(text, "history").unwrap_or_default();
    let budget = block(text, "edit_budget").and_then(|budget| budget.trim().parse().ok()).unwrap_or(1);
    let route = block(text, "route").unwrap_or_default().trim().to_owned();
    Ask::Critic(Critic {
        context: block(text, "context").unwrap_or_default(),
        budget,
        route,
        history,
        blocks,
    })
}

/// The text of a field; empty if it is none.
pub(crate) fn text<'a>(object: &'a Map<String, Value>, field: &str) -> &'a str {
    object.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn objects(json: &str) -> Vec<Map<String, Value>> {
    let value = serde_json::from_str(json).ok();
    list(value.as_ref())
}

fn list(value: Option<&Value>) -> Vec<Map<String, Value>> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.as_object().cloned()).collect()
}

/// An element: its opening tag and what is inside.
struct Element {
    tag: String,
    inside: String,
}

impl Element {
    fn attribute(&self, name: &str) -> String {
        let value = self.tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
        let value = value.map_or("", |(value, _)| value);
        value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    }
}

/// The elements of a name whose tags start lines.
fn elements(text: &str, name: &str) -> Vec<Element> {
    let (opening, closing) = (format!("<{name}"), format!("</{name}>"));
    let mut found = Vec::new();
    let mut current: Option<Element> = None;
    for line in text.lines() {
        match current.take() {
            None => {
                let rest = line.strip_prefix(&opening).filter(|rest| rest.starts_with([' ', '>']));
                let Some(rest) = rest else { continue };
                if let Some((_, inside)) = rest.split_once('>')
                    && let Some(inside) = inside.strip_suffix(&closing)
                {
                    found.push(Element { tag: line.to_owned(), inside: inside.to_owned() });
                } else {
                    current = Some(Element { tag: line.to_owned(), inside: String::new() });
                }
            }
            Some(element) if line == closing => found.push(element),
            Some(mut element) => {
                element.inside.push_str(line);
                element.inside.push('\n');
                current = Some(element);
            }
        }
    }
    found
}

fn block(text: &str, name: &str) -> Option<String> {
    elements(text, name).into_iter().next().map(|element| element.inside)
}

fn task_block(element: &Element) -> TaskBlock {
    let trajectories = elements(&element.inside, "trajectory");
    TaskBlock {
        task: element.attribute("id"),
        input: block(&element.inside, "task_input").unwrap_or_default(),
        trajectories: trajectories.iter().map(shown).collect(),
    }
}

fn shown(element: &Element) -> Shown {
    let turns = elements(&element.inside, "turn");
    let replies = turns.iter().filter(|turn| turn.attribute("role") == "assistant");
    Shown {
        rollout: element.attribute("id"),
        success: element.attribute("outcome") == "success",
        multiplicity: element.attribute("multiplicity").parse().unwrap_or(1.0),
        replies: replies.map(|turn| turn.inside.trim().to_owned()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn critics_prompts_are_read_back() {
        let prompt = "<context>\nBe exact.\n <route>x</route>\n</context>\n<edit_budget>4</edit_budget>\n\
            <route>all-failure</route>\n<task_block id=\"a&quot;b\">\n<task_input>\nQ?\n</task_input>\n\
            <trajectory id=\"r1\" outcome=\"failure\" multiplicity=\"2\">\n<turn role=\"assistant\">\nOne.\n\
             </turn>\n</turn>\n</trajectory>\n</task_block>\n";
        let Ask::Critic(critic) = ask(prompt) else { panic!("no critic") };
        assert_eq!((critic.budget, critic.route.as_str()), (4, "all-failure"));
        let block = &critic.blocks[0];
        assert_eq!((block.task.as_str(), block.input.as_str()), ("a\"b", "Q?\n"));
        let shown = &block.trajectories[0];
        assert!(
            !shown.success && shown.last_reply() == "One.\n</turn>" || shown.last_reply().starts_with("One.")
        );
        assert!(matches!(ask("no blocks"), Ask::Unknown));
    }
}
