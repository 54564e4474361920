//! What a reply tells the environment to do.
//!
//! Always holds: the action is the last complete `<action>` tag outside thinking; a reply without one executes
//! [`FALLBACK`], as the released harness does, and is known as such.

use crate::python::text::strip;

/// What is executed if a reply has no action. Fixed by the released protocol.
pub const FALLBACK: &str = "look";

const ACTION: (&str, &str) = ("<action>", "</action>");
const THINK: (&str, &str) = ("<think>", "</think>");

/// What a reply tells the environment to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The action as it was written, trimmed; the fallback if there was none.
    pub action: String,
    /// Whether the reply had an action tag.
    pub tagged: bool,
}

impl Reading {
    /// Reads a reply.
    pub fn of(reply: &str) -> Self {
        let spoken = without_thinking(reply);
        match last_between(&spoken, ACTION) {
            Some(action) => Self { action: strip(action).to_owned(), tagged: true },
            None => Self { action: FALLBACK.to_owned(), tagged: false },
        }
    }

    /// The command that the environment is given.
    pub fn command(&self) -> String {
        self.action.to_lowercase()
    }
}

/// The reply without complete blocks of thinking, and without what stands before a block's end that has no beginning.
fn without_thinking(reply: &str) -> String {
    let mut spoken = String::new();
    let mut rest = reply;
    while let Some((before, after)) = rest.split_once(THINK.0) {
        let Some((_, after)) = after.split_once(THINK.1) else { break };
        spoken.push_str(before);
        rest = after;
    }
    spoken.push_str(rest);
    match spoken.rsplit_once(THINK.1) {
        Some((_, after)) => after.to_owned(),
        None => spoken,
    }
}

fn last_between<'a>(text: &'a str, (open, close): (&str, &str)) -> Option<&'a str> {
    let (before, _) = text.rsplit_once(close)?;
    Some(before.rsplit_once(open)?.1)
}

fn first_between<'a>(text: &'a str, (open, close): (&str, &str)) -> Option<&'a str> {
    Some(text.split_once(open)?.1.split_once(close)?.0)
}

/// How the released harness reads a reply, its quirks included. Kept to compare recorded runs with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Released {
    /// The reply, or what stands in its place if it has no action.
    pub reply: String,
    /// The first complete action, trimmed.
    pub action: String,
    /// The first complete thought, trimmed.
    pub thought: Option<String>,
    /// What the environment is given, and the flag that the harness computes and ignores.
    pub projected: Projected,
}

/// What the released harness makes of a text with an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projected {
    /// The lower-case command.
    pub command: String,
    /// Whether the text has both tags, thinking and no CJK ideographs.
    pub valid: bool,
}

impl Released {
    /// Reads a reply as the released harness does.
    pub fn of(reply: &str) -> Self {
        let trimmed = strip(reply);
        let stand_in = |why: &str| format!("<think>{why}</think><action>{FALLBACK}</action>");
        let reply = match first_between(trimmed, ACTION) {
            Some(_) => trimmed.to_owned(),
            None if trimmed.is_empty() => stand_in("empty model response"),
            None => stand_in("missing action tag"),
        };
        let trimmed = |tags| first_between(&reply, tags).map(|text| strip(text).to_owned());
        let (action, thought) = (trimmed(ACTION).unwrap_or_default(), trimmed(THINK));
        Self { projected: Projected::of(&reply), action, thought, reply }
    }
}

impl Projected {
    /// Projects a text: what stands between the first opening and the first closing tag, wherever they are, or the
    /// last 30 characters if one lacks.
    pub fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        let ideographs = text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        let (Some(open), Some(close)) = (lower.find(ACTION.0), lower.find(ACTION.1)) else {
            let skipped = lower.chars().count().saturating_sub(30);
            return Self { command: lower.chars().skip(skipped).collect(), valid: false };
        };
        let between = lower.get(open + ACTION.0.len()..close).unwrap_or_default();
        let thinks = text.contains(THINK.0) && text.contains(THINK.1);
        Self { command: strip(between).to_owned(), valid: thinks && !ideographs }
    }
}

/// The last `length` pairs of observation and action, as the published prompt shows them.
pub fn history(pairs: &[(String, String)], length: usize) -> String {
    let skipped = pairs.len().saturating_sub(length);
    let shown = pairs.iter().enumerate().skip(skipped).map(|(index, (observation, action))| {
        let number = index + 1;
        format!("[Observation {number}: '{observation}', Action {number}: '{action}']")
    });
    shown.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_complete_tag_outside_thinking_counts() {
        for (reply, expected) in [
            ("<think>a</think><action> Go North </action>", Some("go north")),
            ("<think>maybe <action>look</action></think><action>go north</action>", Some("go north")),
            ("<action>a</action> then <action>b</action>", Some("b")),
            ("<action>a</action> then <action>b", Some("a")),
            ("</action><action>a</action>", Some("a")),
            ("maybe <action>a</action></think><action>b</action>", Some("b")),
            ("<think>unclosed <action>a</action>", Some("a")),
            ("<action></action>", Some("")),
            ("<think><action>a</action></think>", None),
            ("a</action>", None),
            ("<ACTION>a</ACTION>", None),
            ("> go north", None),
            ("", None),
        ] {
            let reading = Reading::of(reply);
            assert_eq!(reading.tagged, expected.is_some(), "{reply}");
            assert_eq!(reading.command(), expected.unwrap_or(FALLBACK), "{reply}");
        }
    }

    #[test]
    fn the_released_reading_has_its_quirks() {
        for (reply, action, command, valid) in [
            ("<action>a</action><action>b</action>", "a", "a", false),
            ("</action><think>t</think><action>Wait</action>", "Wait", "", true),
            ("", "look", "look", true),
            ("north", "look", "look", true),
            ("<think>走</think><action>a</action>", "a", "a", false),
        ] {
            let released = Released::of(reply);
            assert_eq!(
                (released.action.as_str(), released.projected.command.as_str(), released.projected.valid),
                (action, command, valid),
                "{reply}"
            );
        }
        let text = "x".repeat(40);
        assert_eq!(Projected::of(&text), Projected { command: "x".repeat(30), valid: false });
    }

    #[test]
    fn history_shows_the_last_pairs() {
        let pairs: Vec<_> = (1..=3).map(|n| (format!("o{n}"), format!("a{n}"))).collect();
        assert_eq!(
            history(&pairs, 2),
            "[Observation 2: 'o2', Action 2: 'a2']\n[Observation 3: 'o3', Action 3: 'a3']"
        );
        assert_eq!(history(&[], 2), "");
    }
}
