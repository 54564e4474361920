//! What the optimizer would teach about a sign, in its own words.
//!
//! Always holds: every text that it writes is recognised again by `read`, also inside a longer line.

mod choices;
mod documents;
mod household;
mod programs;
mod reader;

use super::notice::{Kind, Sign};

/// Which way a lesson points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    /// Away from the sign.
    Shun,
    /// Away from the sign, and from much else.
    Sweeping,
    /// Towards the sign.
    Seek,
}

/// A lesson.
pub(crate) struct Lesson {
    /// The sign.
    pub(crate) sign: Sign,
    /// What the agent did, in words for a card; unique to the sign.
    pub(crate) seen: &'static str,
    /// Two wordings that lead away from it.
    shun: [&'static str; 2],
    /// A wording that asks for too much.
    sweeping: &'static str,
    /// A wording that leads towards it.
    seek: &'static str,
    /// Words of which a line that teaches this has one from each.
    taught: [&'static [&'static str]; 2],
}

/// All lessons.
fn lessons() -> impl Iterator<Item = &'static Lesson> {
    [reader::LESSONS, choices::LESSONS, household::LESSONS, programs::LESSONS, documents::LESSONS]
        .into_iter()
        .flatten()
}

/// The lesson about a sign.
pub(crate) fn about(sign: Sign) -> Option<&'static Lesson> {
    lessons().find(|lesson| lesson.sign == sign)
}

/// What good trajectories of a kind of task have in common, taught where nothing is amiss.
pub(crate) fn keeping(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Choices => choices::KEEPING,
        Kind::Household => household::KEEPING,
        Kind::Programs => programs::KEEPING,
        Kind::Documents => documents::KEEPING,
        Kind::Passage => reader::KEEPING,
    }
}

/// Whether a text teaches what good trajectories have in common.
pub(crate) fn keeps(text: &str) -> bool {
    [reader::KEEPING, choices::KEEPING, household::KEEPING, programs::KEEPING, documents::KEEPING]
        .into_iter()
        .flatten()
        .any(|keeping| text.contains(keeping))
}

impl Lesson {
    /// A wording.
    pub(crate) fn wording(&self, way: Way, variant: usize) -> &'static str {
        match way {
            Way::Shun => {
                if variant == 0 {
                    self.shun[0]
                } else {
                    self.shun[1]
                }
            }
            Way::Sweeping => self.sweeping,
            Way::Seek => self.seek,
        }
    }

    /// Whether a line of the context teaches this already.
    pub(crate) fn is_taught_by(&self, context: &str) -> bool {
        context
            .to_lowercase()
            .lines()
            .any(|line| self.taught.iter().all(|words| words.iter().any(|word| line.contains(word))))
    }
}

/// Which lesson a text teaches; none if it is none of ours.
pub(crate) fn read(text: &str) -> Option<(Sign, Way)> {
    let folded = |text: &str| text.trim_start_matches(['-', ' ']).trim().to_lowercase();
    let text = folded(text);
    let ways = [Way::Shun, Way::Sweeping, Way::Seek];
    let texts = lessons().flat_map(|lesson| {
        ways.into_iter()
            .flat_map(move |way| [0, 1].map(|variant| (lesson.sign, way, lesson.wording(way, variant))))
    });
    let held = texts.filter(|(_, _, wording)| text.contains(&folded(wording)));
    held.max_by_key(|(_, _, wording)| wording.len()).map(|(sign, way, _)| (sign, way))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_recognised_and_cover_themselves() {
        for lesson in lessons() {
            for variant in [0, 1] {
                let text = lesson.wording(Way::Shun, variant);
                assert!(lesson.is_taught_by(text), "{text}");
                assert_eq!(
                    read(&format!("When it is short, {}", &text[2..])),
                    Some((lesson.sign, Way::Shun))
                );
            }
            assert!(!lesson.is_taught_by(lesson.seek), "{}", lesson.seek);
            assert!(!lesson.is_taught_by("Read the whole passage before you answer."));
        }
    }
}
