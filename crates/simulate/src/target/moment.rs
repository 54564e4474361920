//! The draws of one reply.
//!
//! Always holds: at temperature 0 the task's words alone decide every draw; above it the request's seed and what was
//! said decide how often a draw strays from the task's own.

use textualrl_llm::ChatRequest;

use crate::draw;

/// What the draws of one reply depend on.
pub(crate) struct Moment {
    /// The words of the task.
    task: String,
    /// What was said and the seed, at a temperature above 0.
    sample: Option<String>,
    /// The temperature, at most 1.
    temperature: f64,
}

impl Moment {
    /// The moment of a request. `task` is what the task says: labels and white space in it are the template's and decide
    /// nothing. `said` is what a sample depends on beside the seed: what stays the same within an episode if the draws
    /// are to stay the same in it.
    pub(crate) fn of(request: &ChatRequest, task: &[&str], said: &[String]) -> Self {
        let temperature = request.temperature.unwrap_or(1.0).clamp(0.0, 1.0);
        let sample = (temperature > 0.0)
            .then(|| format!("{}\u{0}{}\u{0}{temperature}", request.seed.unwrap_or(0), said.join("\u{0}")));
        let words: Vec<&str> = task.iter().flat_map(|text| text.split_whitespace()).collect();
        Self { task: words.join(" "), sample, temperature }
    }

    /// A draw in [0, 1) for a purpose: the task's own, or at a temperature often the sample's.
    pub(crate) fn unit(&self, purpose: &str) -> f64 {
        let own = draw::unit(&[purpose, &self.task]);
        let Some(sample) = &self.sample else { return own };
        let strays = draw::unit(&["stray", purpose, sample]) < self.temperature * 0.85;
        if strays { draw::unit(&[purpose, sample]) } else { own }
    }

    /// One of `count` choices; varied by the sample.
    pub(crate) fn choice(&self, count: usize, purpose: &str) -> usize {
        draw::choice(count, &[purpose, self.sample.as_deref().unwrap_or(&self.task)])
    }

    /// How prone the task is to any habit at all; some hardly, some almost surely.
    pub(crate) fn proneness(&self) -> f64 {
        let drawn = draw::unit(&["prone", &self.task]);
        if drawn < 0.27 {
            0.1
        } else if drawn < 0.78 {
            0.62
        } else {
            0.95
        }
    }
}
