//! The clerk: answers questions from documents that it looks into with tools.
//!
//! Always holds: it searches, opens and answers, in that order, and needs a handful of turns at most; what it answers is
//! a figure that it was shown, spoilt by one habit at most, which stays the same through an episode.

mod habit;
mod page;
mod question;
mod steps;

use serde_json::{Value, json};
use textualrl_llm::ChatRequest;
use textualrl_model::{Role, ToolCall, Turn};

use self::habit::Habit;
use self::page::Figure;
use self::question::Question;
use self::steps::Step;
use super::moment::Moment;
use super::prompt;

/// Searches before the document is read from its beginning.
const SEARCHES: usize = 3;
/// Lines that are read, and how many of them stand before what was found.
const LINES: usize = 40;
const BEFORE: usize = 12;

/// Whether the prompt offers documents to search and to read.
pub(super) fn recognises(request: &ChatRequest) -> bool {
    let offers = |name: &str| request.tools.iter().any(|tool| tool.name == name);
    offers("grep") && offers("read")
}

/// What comes next.
enum Next {
    Call(&'static str, Value),
    Answer(Option<Figure>),
}

/// Takes the next step, or words the answer.
pub(super) fn act(request: &ChatRequest) -> Turn {
    let Some(question) = Question::read(request) else {
        return Turn::text(Role::Assistant, "I was asked nothing.");
    };
    let opening: Vec<String> = request.turns.iter().take(2).map(Turn::joined_text).collect();
    let moment = Moment::of(request, &[&question.asked], &opening);
    let habit = habit::showing(&prompt::read(&request.turns).context, &moment);
    let steps = steps::read(&request.turns);
    match next(&question, &steps, habit) {
        Next::Call(name, arguments) => calling(name, &arguments, steps.len()),
        Next::Answer(figure) => Turn::text(Role::Assistant, spoken(figure, habit, &moment)),
    }
}

fn next(question: &Question, steps: &[Step], habit: Option<Habit>) -> Next {
    if let Some(read) = steps.iter().rfind(|step| step.name == "read") {
        return Next::Answer(page::figure(&read.result, question));
    }
    let listed = steps.iter().rfind(|step| step.name == "glob").map(|step| step.result.as_str());
    let document = match (question.document(listed), listed) {
        (Some(document), _) => document,
        (None, None) => return Next::Call("glob", json!({"pattern": "*"})),
        (None, Some(_)) => return Next::Answer(None),
    };
    let searches: Vec<&Step> = steps.iter().filter(|step| step.name == "grep").collect();
    if let Some(found) = searches.last().filter(|search| search.found()) {
        if habit == Some(Habit::Hasty) {
            return Next::Answer(page::first_figure(&found.result, question));
        }
        let line = page::best_line(&found.result, question);
        let start = line.saturating_sub(BEFORE).max(1);
        return Next::Call("read", json!({"path": document, "start": start, "limit": LINES}));
    }
    match question.patterns().get(searches.len()).filter(|_| searches.len() < SEARCHES) {
        Some(pattern) => Next::Call("grep", json!({"pattern": pattern, "path": document})),
        None => Next::Call("read", json!({"path": document})),
    }
}

fn calling(name: &str, arguments: &Value, before: usize) -> Turn {
    let call = ToolCall {
        id: format!("call_{}", before + 1),
        name: name.to_owned(),
        arguments: arguments.to_string(),
    };
    Turn { content: Vec::new(), tool_calls: vec![call], ..Turn::text(Role::Assistant, "") }
}

fn spoken(figure: Option<Figure>, habit: Option<Habit>, moment: &Moment) -> String {
    let Some(Figure { digits, scale, place }) = figure else {
        return "None of the pages has such a figure.\n\n<answer>not stated</answer>".to_owned();
    };
    let scale = scale.filter(|_| habit != Some(Habit::Bare)).map(|scale| format!(" {scale}"));
    let answer = format!("{digits}{}", scale.unwrap_or_default());
    let grounds = match moment.choice(3, "grounds") {
        0 => format!("It stands beside \"{place}\"."),
        1 => format!("The entry \"{place}\" has it."),
        _ => format!("I take it from the entry \"{place}\"."),
    };
    match habit {
        Some(Habit::Untagged) => format!("{grounds}\n\nSo the figure is {answer}."),
        Some(Habit::Hasty | Habit::Bare) | None => format!("{grounds}\n\n<answer>{answer}</answer>"),
    }
}

#[cfg(test)]
mod tests {
    use textualrl_llm::ToolDefinition;
    use textualrl_model::Part;

    use super::*;

    const LEDGER: &str =
        "2. Debt (in thousands of crowns)\n| Item | 1950 | 1951 |\n| --- | --- | --- |\n| Net debt | 9 | 4 |";

    fn request(context: &str, task: &str) -> ChatRequest {
        let system = format!("Role.\n\n## Context\n{context}\n\n## Answer format\nTags.");
        let tool = |name: &str| ToolDefinition {
            name: name.to_owned(),
            description: String::new(),
            parameters: json!({}),
        };
        ChatRequest {
            turns: vec![Turn::text(Role::System, system), Turn::text(Role::User, task)],
            temperature: Some(0.0),
            seed: None,
            schema: None,
            tools: ["glob", "read", "grep"].map(tool).into(),
        }
    }

    fn result(call: &ToolCall) -> Turn {
        let text = match call.name.as_str() {
            "glob" => "other.txt\nledger.txt",
            "grep" if call.arguments.contains("net debt") => "4: | Net debt | 9 | 4 |",
            "grep" => "[no matches]",
            _ => LEDGER,
        };
        let content = vec![Part::Text { text: text.to_owned() }];
        Turn { content, tool_call_id: Some(call.id.clone()), ..Turn::text(Role::Tool, "") }
    }

    /// Plays an episode; the tools that were called, and the last reply.
    fn play(context: &str, task: &str) -> (Vec<String>, String) {
        let mut request = request(context, task);
        assert!(recognises(&request));
        let mut called = Vec::new();
        for _ in 0..9 {
            let turn = act(&request);
            let calls = turn.tool_calls.clone();
            request.turns.push(turn);
            if calls.is_empty() {
                break;
            }
            called.extend(calls.iter().map(|call| call.name.clone()));
            request.turns.extend(calls.iter().map(result));
        }
        (called, request.turns.last().map(Turn::joined_text).unwrap_or_default())
    }

    const CURED: &str = "- Open the document around a hit before you answer.\n- Write the unit, such as thousand, \
                         behind a figure.\n- Put the answer between <answer> tags.";

    #[test]
    fn a_cured_clerk_searches_opens_and_answers() {
        let task =
            |asked: &str, listed: &str| format!("## Question\n{asked}\n\n## Candidate Files\n{listed}\n");
        for (asked, listed, calls, answer) in [
            (
                "What was the net debt in 1951?",
                "- ledger.txt",
                vec!["grep", "read"],
                "<answer>4 thousand</answer>",
            ),
            (
                "What was the net debt in 1950?",
                "- none resolved",
                vec!["glob", "grep", "read"],
                "9 thousand<",
            ),
            (
                "Which debt was net in 1951?",
                "- ledger.txt",
                vec!["grep", "grep", "read"],
                "<answer>4 thousand<",
            ),
            ("How old is gold?", "- ledger.txt", vec!["grep", "grep", "read"], "<answer>not stated</answer>"),
        ] {
            let (called, reply) = play(CURED, &task(asked, listed));
            assert_eq!(called, calls, "{asked}");
            assert!(reply.contains(answer), "{asked}: {reply}");
        }
    }

    #[test]
    fn every_habit_shows_without_context_and_none_that_is_forbidden() {
        let (mut hasty, mut bare, mut untagged) = (0, 0, 0);
        for number in 0..60 {
            let task = format!(
                "## Question\nWhat was the net debt of place {number} in 1951?\n\n## Candidate Files\n- l.txt\n"
            );
            let (called, reply) = play("# Notes", &task);
            hasty += usize::from(!called.contains(&"read".to_owned()));
            bare += usize::from(reply.ends_with("<answer>4</answer>"));
            untagged += usize::from(!reply.contains("<answer>"));
            assert!(play(CURED, &task).1.ends_with("<answer>4 thousand</answer>"));
        }
        assert!(hasty > 3 && bare > 3 && untagged > 3, "{hasty} {bare} {untagged}");
    }
}
