//! The tools that the agent is given: `glob`, `read` and `grep`.
//!
//! Always holds: whatever a model writes as arguments is answered with a text; only a document that cannot be read ends
//! an episode.

use serde_json::{Map, Value, json};
use textualrl_model::ToolCall;

use super::documents::{Reachable, Unavailable};
use super::search::{self, LIMITS, SearchError};
use crate::benchmark::Tool;

/// What a call gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answered {
    /// What the agent is told.
    pub(super) text: String,
    /// Whether a document was looked into.
    pub(super) opened: bool,
}

/// What the tools offer. Only where the agent may open all documents can `grep` search all of them at once.
pub(super) fn offered(everywhere: bool) -> Vec<Tool> {
    let text = |description: &str| json!({"type": "string", "description": description});
    let whole = |description: &str| json!({"type": "integer", "minimum": 1, "description": description});
    let tool = |name: &str, description: &str, properties: Value, required: &[&str]| Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters: json!({"type": "object", "properties": properties, "required": required}),
    };
    let path = text("The document, as glob or the task names it.");
    let anywhere = text("The document, as glob names it; left out, all are searched.");
    let (searched, required): (Value, &[&str]) =
        if everywhere { (anywhere, &["pattern"]) } else { (path.clone(), &["pattern", "path"]) };
    vec![
        tool(
            "glob",
            &format!("Lists documents by pattern, such as *1951*.txt; {} at most.", LIMITS.names),
            json!({"pattern": text("A pattern for a path or a file name.")}),
            &["pattern"],
        ),
        tool(
            "read",
            &format!("Reads lines of a document, {} characters at most.", LIMITS.read),
            json!({
                "path": path,
                "start": whole("The first line, from 1; 1 if left out."),
                "limit": whole(&format!("How many lines; {} if left out.", LIMITS.lines)),
            }),
            &["path"],
        ),
        tool(
            "grep",
            &format!(
                "Finds the lines that hold a text, in any case, with their numbers; {} at most.",
                LIMITS.matches
            ),
            json!({"pattern": text("The text, taken literally."), "path": searched}),
            required,
        ),
    ]
}

/// Carries out a call.
///
/// # Errors
/// If a document that may be opened cannot be read.
pub(super) fn call(
    call: &ToolCall,
    documents: &Reachable,
    everywhere: bool,
) -> Result<Answered, SearchError> {
    let carried_out = match call.name.as_str() {
        "glob" => Arguments::of(call).and_then(|arguments| glob(&arguments, documents)),
        "read" => Arguments::of(call).and_then(|arguments| read(&arguments, documents)),
        "grep" => Arguments::of(call).and_then(|arguments| grep(&arguments, documents, everywhere)),
        name => return Ok(Answered { text: format!("[tool error: unknown tool {name}]"), opened: false }),
    };
    match carried_out {
        Ok(answered) => Ok(answered),
        Err(Refusal::Said(why)) => {
            Ok(Answered { text: format!("[{} error: {why}]", call.name), opened: false })
        }
        Err(Refusal::Failed(error)) => Err(error),
    }
}

/// Why a call gave nothing.
enum Refusal {
    /// What the model did wrong.
    Said(String),
    /// What it cannot help.
    Failed(SearchError),
}

impl From<SearchError> for Refusal {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Pattern(why) => Self::Said(why),
            SearchError::Document { .. } => Self::Failed(error),
        }
    }
}

impl From<Unavailable> for Refusal {
    fn from(why: Unavailable) -> Self {
        Self::Said(why.to_string())
    }
}

fn glob(arguments: &Arguments, documents: &Reachable) -> Result<Answered, Refusal> {
    Ok(Answered { text: search::glob(&arguments.pattern()?, documents)?, opened: false })
}

fn read(arguments: &Arguments, documents: &Reachable) -> Result<Answered, Refusal> {
    let document = documents.find(&arguments.text("path")?.unwrap_or_default())?;
    let (start, lines) = (arguments.whole("start", 1)?, arguments.whole("limit", LIMITS.lines)?);
    Ok(Answered { text: search::read(document, start, lines)?, opened: true })
}

fn grep(arguments: &Arguments, documents: &Reachable, everywhere: bool) -> Result<Answered, Refusal> {
    let pattern = arguments.pattern()?;
    let path = arguments.text("path")?.unwrap_or_default();
    let text = if everywhere && path.trim().is_empty() {
        search::grep(&pattern, documents.iter(), true)?
    } else {
        search::grep(&pattern, [documents.find(&path)?], false)?
    };
    Ok(Answered { text, opened: true })
}

/// The arguments as the model wrote them.
struct Arguments(Map<String, Value>);

impl Arguments {
    fn of(call: &ToolCall) -> Result<Self, Refusal> {
        if call.arguments.trim().is_empty() {
            return Ok(Self(Map::new()));
        }
        match serde_json::from_str(&call.arguments) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err(Refusal::Said("the arguments are no JSON object".to_owned())),
            Err(error) => Err(Refusal::Said(format!("the arguments are no JSON: {error}"))),
        }
    }

    fn pattern(&self) -> Result<String, Refusal> {
        let pattern = self.text("pattern")?.filter(|pattern| !pattern.is_empty());
        pattern.ok_or_else(|| Refusal::Said("missing pattern".to_owned()))
    }

    /// A text; a number is one too.
    fn text(&self, name: &str) -> Result<Option<String>, Refusal> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(_) => Err(Refusal::Said(format!("{name} must be a text"))),
        }
    }

    /// A whole number from 1 on, as a number or a text; what is below counts as 1.
    fn whole(&self, name: &str, default: usize) -> Result<usize, Refusal> {
        let number = match self.0.get(name) {
            None | Some(Value::Null) => return Ok(default),
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(_) => None,
        };
        let whole = number.filter(|number: &f64| number.fract() == 0.0);
        let whole = whole.ok_or_else(|| Refusal::Said(format!("{name} must be a whole number from 1 on")))?;
        // Beyond what a number of lines can be, the largest is taken.
        Ok((whole.max(1.0)) as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::officeqa::documents::Documents;

    fn answer(name: &str, arguments: &str, everywhere: bool) -> String {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ledger.txt"), "first\nnet debt 12\nlast\n").unwrap();
        let documents = Reachable::all(Arc::new(Documents::list(folder.path()).unwrap()));
        let wanted = ToolCall { id: "1".to_owned(), name: name.to_owned(), arguments: arguments.to_owned() };
        call(&wanted, &documents, everywhere).unwrap().text
    }

    #[test]
    fn calls_are_carried_out() {
        for (name, arguments, expected) in [
            ("glob", r#"{"pattern": "*"}"#, "ledger.txt"),
            ("read", r#"{"path": "ledger.txt"}"#, "first\nnet debt 12\nlast"),
            ("read", r#"{"path": "ledger.txt", "start": 2, "limit": 1}"#, "net debt 12"),
            ("read", r#"{"path": "ledger.txt", "start": "3", "limit": 2.0}"#, "last"),
            ("read", r#"{"path": "ledger.txt", "start": -7, "limit": 1}"#, "first"),
            ("read", r#"{"path": "ledger.txt", "start": null, "limit": 1e300}"#, "first\nnet debt 12\nlast"),
            ("grep", r#"{"pattern": "DEBT", "path": "ledger.txt"}"#, "2: net debt 12"),
            ("grep", r#"{"pattern": 12, "path": "ledger.txt"}"#, "2: net debt 12"),
        ] {
            assert_eq!(answer(name, arguments, false), expected, "{arguments}");
        }
        assert_eq!(answer("grep", r#"{"pattern": "debt"}"#, true), "ledger.txt:2: net debt 12");
    }

    #[test]
    fn whatever_is_wrong_is_answered() {
        for (name, arguments, expected) in [
            ("open", "{}", "[tool error: unknown tool open]"),
            ("read", "{}", "[read error: missing path]"),
            ("read", "", "[read error: missing path]"),
            ("read", "[1]", "[read error: the arguments are no JSON object]"),
            ("read", r#"{"path": "../ledger.txt"}"#, "[read error: path not allowed]"),
            ("read", r#"{"path": "other.txt"}"#, "[read error: no such document]"),
            ("read", r#"{"path": ["ledger.txt"]}"#, "[read error: path must be a text]"),
            (
                "read",
                r#"{"path": "ledger.txt", "start": "two"}"#,
                "[read error: start must be a whole number from 1 on]",
            ),
            (
                "read",
                r#"{"path": "ledger.txt", "limit": 1.5}"#,
                "[read error: limit must be a whole number from 1 on]",
            ),
            ("grep", r#"{"pattern": "debt"}"#, "[grep error: missing path]"),
            ("grep", r#"{"pattern": "", "path": "ledger.txt"}"#, "[grep error: missing pattern]"),
            ("grep", r#"{"pattern": "gold", "path": "ledger.txt"}"#, "[no matches]"),
            ("glob", "{}", "[glob error: missing pattern]"),
        ] {
            assert_eq!(answer(name, arguments, false), expected, "{name} {arguments}");
        }
        assert!(answer("read", "{\"path\": ", false).starts_with("[read error: the arguments are no JSON:"));
        assert!(answer("glob", r#"{"pattern": "["}"#, false).starts_with("[glob error: "));
    }

    #[test]
    fn a_document_that_cannot_be_read_is_no_answer() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("gone.txt"), "x").unwrap();
        let documents = Reachable::all(Arc::new(Documents::list(folder.path()).unwrap()));
        std::fs::remove_file(folder.path().join("gone.txt")).unwrap();
        for (name, arguments) in
            [("read", r#"{"path": "gone.txt"}"#), ("grep", r#"{"path": "gone.txt", "pattern": "x"}"#)]
        {
            let wanted =
                ToolCall { id: "1".to_owned(), name: name.to_owned(), arguments: arguments.to_owned() };
            let error = call(&wanted, &documents, false).unwrap_err().to_string();
            assert!(error.starts_with("document gone.txt cannot be read"), "{error}");
        }
    }
}
