//! The grammar's file form: blocks of rules in JSON, and actions with a template and a feedback text.
//!
//! Always holds: of two rules or actions with one name the later counts; names of actions are lower-case, as in the
//! domain.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::scan::{GrammarError, Scan, is_word};

/// One way to write a rule: `rhs` if `condition` holds.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Production {
    pub(crate) rhs: String,
    #[serde(default)]
    pub(crate) condition: String,
}

/// The texts of an action.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActionText {
    /// The command.
    pub(crate) template: String,
    /// What is observed afterwards.
    pub(crate) feedback: String,
}

/// Rules by name, each with its productions in order of preference.
pub(crate) type Rules = BTreeMap<String, Vec<Production>>;

/// A whole grammar.
#[derive(Debug, Clone, Default)]
pub(crate) struct Document {
    pub(crate) rules: Rules,
    pub(crate) actions: BTreeMap<String, ActionText>,
}

impl Document {
    /// Reads a grammar.
    pub(crate) fn read(text: &str) -> Result<Self, GrammarError> {
        let mut reader = Reader { text, scan: Scan::new(text) };
        let mut document = Self::default();
        loop {
            reader.skip();
            if reader.scan.rest.is_empty() {
                return Ok(document);
            }
            match reader.word()? {
                "grammar" => {
                    let block = reader.block()?;
                    document.rules.extend(reader.rules(block)?);
                }
                "action" => reader.action(&mut document)?,
                other => return Err(reader.fault(format!("expected `action` or `grammar`, found `{other}`"))),
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    scan: Scan<'a>,
}

impl<'a> Reader<'a> {
    fn fault(&self, message: impl Into<String>) -> GrammarError {
        let done = self.text.len() - self.scan.rest.len();
        let line = self.text.bytes().take(done).filter(|&byte| byte == b'\n').count() + 1;
        GrammarError::new(format!("line {line}"), message)
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        self.scan.take(char::is_whitespace);
        while self.scan.rest.starts_with('#') {
            self.scan.take(|c| c != '\n');
            self.scan.take(char::is_whitespace);
        }
    }

    fn word(&mut self) -> Result<&'a str, GrammarError> {
        self.skip();
        let word = self.scan.take_some(|c| is_word(c) || matches!(c, '/' | '-'));
        word.ok_or_else(|| self.fault("expected a name"))
    }

    fn expect(&mut self, token: &str) -> Result<(), GrammarError> {
        self.skip();
        if self.scan.eat(token) { Ok(()) } else { Err(self.fault(format!("expected `{token}`"))) }
    }

    /// `:: "text" ;`
    fn string(&mut self) -> Result<&'a str, GrammarError> {
        self.quoted("\"")
    }

    /// `:: """text""" ;`
    fn block(&mut self) -> Result<&'a str, GrammarError> {
        self.quoted("\"\"\"")
    }

    fn quoted(&mut self, quote: &str) -> Result<&'a str, GrammarError> {
        self.expect("::")?;
        self.expect(quote)?;
        let text = self.scan.take_until(quote).ok_or_else(|| self.fault(format!("{quote} is not closed")))?;
        self.expect(";")?;
        Ok(text)
    }

    fn rules(&self, block: &str) -> Result<Rules, GrammarError> {
        serde_json::from_str(block).map_err(|error| {
            self.fault(format!("the block of rules that ends here is no JSON of rules: {error}"))
        })
    }

    fn action(&mut self, document: &mut Document) -> Result<(), GrammarError> {
        let name = self.word()?.to_lowercase();
        self.expect("{")?;
        let mut action = ActionText::default();
        loop {
            self.skip();
            if self.scan.eat("}") {
                break;
            }
            match self.word()? {
                "template" => self.string()?.clone_into(&mut action.template),
                "feedback" => self.string()?.clone_into(&mut action.feedback),
                "grammar" => {
                    let block = self.block()?;
                    let lines = block.lines().filter(|line| !line.trim_start().starts_with('#'));
                    document.rules.extend(self.rules(&lines.collect::<Vec<_>>().join("\n"))?);
                }
                "pddl" => {
                    self.block()?;
                }
                other => return Err(self.fault(format!("`{other}` is not a part of an action"))),
            }
        }
        document.actions.insert(name, action);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_actions_are_read() {
        let text = r##"
            # a comment
            grammar :: """{"intro": [{"rhs": "Hello"}], "twice": [{"rhs": "a"}]}""";
            action Water-Bed {
                template :: "water {b}";
                feedback :: "#wet#";
                grammar :: """
                    # another comment
                    {"wet": [{"condition": "wet(b:bed)", "rhs": "It is wet."}, {"rhs": "Dry."}],
                     "twice": [{"rhs": "b"}]}
                """;
            }"##;
        let document = Document::read(text).unwrap();
        assert_eq!(document.actions["water-bed"].template, "water {b}");
        assert_eq!(document.rules["wet"].len(), 2);
        assert_eq!(document.rules["twice"][0].rhs, "b");
    }

    #[test]
    fn faults_name_their_line() {
        let cases = [
            ("\naction", "line 2", "a name"),
            ("rule x", "line 1", "`rule`"),
            ("grammar :: \"\"\"{}", "line 1", "not closed"),
            ("grammar :: \"\"\"[]\"\"\";", "line 1", "no JSON"),
            ("action a {\n colour :: \"x\"; }", "line 2", "`colour`"),
            ("action a { template \"x\"; }", "line 1", "`::`"),
        ];
        for (text, place, part) in cases {
            let error = Document::read(text).unwrap_err();
            assert!(error.place == place && error.message.contains(part), "{text}: {error}");
        }
    }
}
