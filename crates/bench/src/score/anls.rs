//! ANLS: the normalised edit similarity of document question answering.
//!
//! Always holds: a similarity below one half counts as 0; the best gold counts.

/// The largest similarity over the golds, 0 to 1; case and white space around do not count.
pub fn anls(answer: &str, golds: &[String]) -> f64 {
    let clean = |text: &str| text.trim().to_lowercase();
    let answer = clean(answer);
    let similarity = |gold: &String| {
        let similarity = strsim::normalized_levenshtein(&answer, &clean(gold));
        if similarity < 0.5 { 0.0 } else { similarity }
    };
    golds.iter().map(similarity).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_answers_count_in_part() {
        for (answer, gold, expected) in [
            ("Paris", "paris ", 1.0),
            ("Pariss", "Paris", 5.0 / 6.0),
            ("Rome", "Paris", 0.0),
            ("", "Paris", 0.0),
        ] {
            assert!((anls(answer, &[gold.to_owned()]) - expected).abs() < 1e-9, "{answer}");
        }
    }
}
