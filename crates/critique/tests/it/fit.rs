//! Splitting and shortening.

use proptest::prelude::*;
use textualrl_critique::batch::AnalysisGroup;
use textualrl_critique::display::{Display, Piece};
use textualrl_critique::fit::split;
use textualrl_critique::route::route;
use textualrl_model::{FeedbackLevel, Route};

use crate::build::{group, groups, scored, trajectory};

fn analysis_group(tasks: usize, max_edits: u32) -> AnalysisGroup {
    let blocks = route(&groups("t", tasks, "--"), FeedbackLevel::None).blocks;
    AnalysisGroup { route: Some(Route::AllFailure), blocks, max_edits }
}

#[test]
fn groups_split_into_halves_of_at_least_two() {
    for (tasks, max_edits, expected) in [
        (1, 4, None),
        (2, 4, None),
        (3, 4, None),
        (4, 4, Some(((2, 2), (2, 2)))),
        (5, 3, Some(((2, 1), (3, 2)))),
        (9, 1, Some(((4, 1), (5, 1)))),
    ] {
        let halves = split(&analysis_group(tasks, max_edits)).map(|(first, second)| {
            ((first.blocks.len(), first.max_edits), (second.blocks.len(), second.max_edits))
        });
        assert_eq!(halves, expected, "{tasks} {max_edits}");
    }
}

#[test]
fn long_texts_keep_head_and_tail() {
    let mut long = group("t", "+");
    let said = format!("HEAD {} TAIL", "x".repeat(1000));
    long.trajectories[0] = trajectory("t", 1, &said, scored(true));
    let display = Display::new(&route(&[long], FeedbackLevel::None).blocks, Some(300), false);
    let pieces = &display.blocks[0].trajectories[0].turns[0].pieces;
    let [Piece::Text(head), Piece::Mark(mark), Piece::Text(tail)] = pieces.as_slice() else {
        panic!("{pieces:?}")
    };
    assert!(head.starts_with("HEAD x") && tail.ends_with("x TAIL"));
    assert_eq!(head.chars().count() + tail.chars().count(), 300);
    assert_eq!(display.cut, said.chars().count() - 300);
    assert!(mark.contains(&display.cut.to_string()));
}

proptest! {
    #[test]
    fn a_split_loses_nothing(tasks in 4_usize..20, max_edits in 1_u32..9) {
        let whole = analysis_group(tasks, max_edits);
        let (first, second) = split(&whole).unwrap();
        let joined: Vec<_> = first.blocks.iter().chain(&second.blocks).cloned().collect();
        prop_assert_eq!(joined, whole.blocks);
        prop_assert!(first.max_edits >= 1 && second.max_edits >= 1);
        prop_assert!(first.max_edits + second.max_edits == max_edits.max(2));
    }
}
