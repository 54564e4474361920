//! The engine knows no word of any game: with all symbols of a domain renamed, it plays alike.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use textualrl_bench::alfworld::{Game, Play};

use super::{HARBOUR, TRANSCRIPT};

/// Stands before every symbol of the renamed game.
const MARK: &str = "zq";

/// The words that PDDL itself fixes.
const FIXED: [&str; 15] = [
    "define",
    "domain",
    "problem",
    "and",
    "or",
    "not",
    "when",
    "forall",
    "exists",
    "imply",
    "increase",
    "object",
    "number",
    "total-cost",
    "minimize",
];

/// Calls `each` with every piece of the text: words made of `fits`, and what is between them.
fn pieces<'a>(text: &'a str, fits: impl Fn(char) -> bool, mut each: impl FnMut(&'a str, bool)) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = fits(first);
        let end = rest.find(|c| fits(c) != word).unwrap_or(rest.len());
        each(&rest[..end], word);
        rest = &rest[end..];
    }
}

fn is_symbol(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | ':')
}

fn uncommented(pddl: &str) -> String {
    pddl.lines().map(|line| line.split(';').next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// All symbols of a PDDL text that are not PDDL's own.
fn symbols(pddl: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    pieces(pddl, is_symbol, |piece, word| {
        let lower = piece.to_lowercase();
        let named = lower.starts_with(|c: char| c.is_alphabetic());
        if word && named && !FIXED.contains(&lower.as_str()) {
            found.insert(lower);
        }
    });
    found
}

fn renamed(text: &str, fits: impl Fn(char) -> bool, symbols: &BTreeSet<String>) -> String {
    let mut result = String::new();
    pieces(text, fits, |piece, word| {
        let lower = piece.to_lowercase();
        let (negation, symbol) = match piece.strip_prefix("not_") {
            Some(symbol) => ("not_", symbol),
            None => ("", piece),
        };
        if word && (symbols.contains(&lower) || symbols.contains(&symbol.to_lowercase())) {
            result.push_str(negation);
            result.push_str(MARK);
            result.push_str(symbol);
        } else {
            result.push_str(piece);
        }
    });
    result
}

/// The harbour with every predicate, type, action, variable and object renamed.
fn renamed_harbour() -> String {
    let mut file: Value = serde_json::from_str(HARBOUR).unwrap();
    let part = |file: &Value, key: &str| file[key].as_str().unwrap().to_owned();
    let domain = uncommented(&part(&file, "pddl_domain"));
    let problem = uncommented(&part(&file, "pddl_problem"));
    let mut all = symbols(&domain);
    all.extend(symbols(&problem));
    assert!(all.len() > 50 && all.contains("stowed") && all.contains("k") && all.contains("butt_bar_11"));
    file["pddl_domain"] = renamed(&domain, is_symbol, &all).into();
    file["pddl_problem"] = renamed(&problem, is_symbol, &all).into();
    let in_grammar = |c: char| c.is_alphanumeric() || c == '_';
    file["grammar"] = renamed(&part(&file, "grammar"), in_grammar, &all).into();
    file.to_string()
}

fn restored(text: &str) -> String {
    text.replace(MARK, "")
}

#[test]
fn a_renamed_game_plays_alike() {
    let text = renamed_harbour();
    assert!(text.contains("zqstowed ?zqc ?zqv") && text.contains("zqmoored(zqv:zqvessel, zqp:zqpier)"));
    let game = Arc::new(Game::load(&text).unwrap());
    let transcript: Value = serde_json::from_str(TRANSCRIPT).unwrap();
    let mut steps = 0;
    for episode in transcript["episodes"].as_array().unwrap() {
        let mut play = Play::start(game.clone()).unwrap();
        assert_eq!(restored(play.observation()), episode["initial_obs"].as_str().unwrap());
        for step in episode["steps"].as_array().unwrap() {
            let command = step["action"].as_str().unwrap();
            let listed = play.admissible().unwrap();
            let spoken = listed.into_iter().find(|words| restored(words) == command.trim());
            let observed = play.step(&spoken.unwrap_or_else(|| command.to_owned())).unwrap();
            assert_eq!(restored(observed), step["obs"].as_str().unwrap(), "{command}");
            let mut listed: Vec<String> =
                play.admissible().unwrap().iter().map(|words| restored(words)).collect();
            listed.sort();
            let expected: Vec<String> = serde_json::from_value(step["admissible"].clone()).unwrap();
            assert_eq!(listed, expected, "{command}");
            assert_eq!(play.is_won(), step["won"].as_bool().unwrap());
            steps += 1;
        }
    }
    assert!(steps > 150);
}
