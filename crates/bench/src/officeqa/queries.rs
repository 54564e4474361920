//! The search queries of a reply, as the released harness reads them in its mode with a web search, which is not
//! offered here. Kept to compare recorded runs with.
//!
//! Always holds: no query stands twice.

use serde_json::Value;
use textualrl_model::settings::Scoring;

use crate::python::text::{lines, strip};

const OPEN: &str = "<search_queries>";
const CLOSE: &str = "</search_queries>";

/// The queries: a list in JSON, or lines with or without bullets. As published, a query alone is cut at its commas.
pub(super) fn of_reply(reply: &str, scoring: Scoring) -> Vec<String> {
    let lower = reply.to_ascii_lowercase();
    let inside = lower.find(OPEN).map(|at| at + OPEN.len()).and_then(|start| {
        let length = lower.get(start..)?.find(CLOSE)?;
        reply.get(start..start + length)
    });
    let written = written(inside.map(strip).unwrap_or_default());
    let split = match written.as_slice() {
        [one] if scoring == Scoring::Reference => one.split(',').map(str::to_owned).collect(),
        _ => written,
    };
    let mut queries: Vec<String> = Vec::new();
    for query in split.iter().map(|query| strip(query)).filter(|query| !query.is_empty()) {
        if !queries.iter().any(|known| known == query) {
            queries.push(query.to_owned());
        }
    }
    queries
}

/// The queries as they are written.
fn written(inside: &str) -> Vec<String> {
    if let Ok(Value::Array(items)) = serde_json::from_str::<Value>(inside) {
        return items.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    }
    let bare = |line: &str| strip(line).trim_start_matches(['-', '*', '•']).to_owned();
    lines(inside).into_iter().map(bare).filter(|line| !strip(line).is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Scoring::{Corrected, Reference};

    #[test]
    fn queries_come_as_lists_and_lines() {
        for (inside, reference, corrected) in [
            (
                "[\"debt 1951\", \"debt 1951\", \"coin\"]",
                vec!["debt 1951", "coin"],
                vec!["debt 1951", "coin"],
            ),
            ("* debt\n\n- coin\n", vec!["debt", "coin"], vec!["debt", "coin"]),
            ("debt, net", vec!["debt", "net"], vec!["debt, net"]),
            ("", vec![], vec![]),
        ] {
            let reply = format!("I will look.\n<Search_Queries>{inside}</search_queries>");
            assert_eq!(of_reply(&reply, Reference), reference, "{inside}");
            assert_eq!(of_reply(&reply, Corrected), corrected, "{inside}");
        }
        assert!(of_reply("no queries", Reference).is_empty());
    }
}
