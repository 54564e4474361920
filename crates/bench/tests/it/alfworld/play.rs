//! Playing: commands, observations, the end.

use std::sync::Arc;

use proptest::prelude::*;
use textualrl_bench::alfworld::{Game, NOTHING, Play};

use super::{changed, harbour, played};

#[test]
fn the_walkthrough_wins() {
    let game = harbour();
    let walkthrough: Vec<&str> = game.walkthrough().iter().map(String::as_str).collect();
    let (last, before) = walkthrough.split_last().unwrap();
    let mut play = played(game.clone(), before);
    assert!(!play.is_won());
    play.step(last).unwrap();
    assert!(play.is_won());
}

#[test]
fn what_does_not_apply_changes_nothing() {
    let mut play = played(harbour(), &["open swan 2"]);
    let commands = play.admissible().unwrap();
    for command in
        ["", "open swan 2", "OPEN swan 2", "open  swan 1", "walk to north 1", "open swan", "\u{0}", "é"]
    {
        assert_eq!(play.step(command).unwrap(), NOTHING, "{command:?}");
        assert_eq!(play.admissible().unwrap(), commands, "{command:?}");
    }
    assert_ne!(play.step("\u{1c} shut swan 2 \n").unwrap(), NOTHING);
}

#[test]
fn words_of_commands_may_change_in_play() {
    let text = changed(
        "template :: \"check hands\"",
        "template :: \"check [{c.name | carries(k:keeper, c:crate)}]\"",
    );
    let mut play = Play::start(Arc::new(Game::load(&text).unwrap())).unwrap();
    let check =
        |play: &Play| play.admissible().unwrap().into_iter().filter(|c| c.starts_with("check")).collect();
    let before: Vec<String> = check(&play);
    assert_eq!(before, ["check nothing"]);
    assert_eq!(play.step("check nothing").unwrap(), "Your hands are empty.");
    play.step("lift crate 1 from swan 1").unwrap();
    let after: Vec<String> = check(&play);
    assert_eq!(after, ["check crate 1"]);
    assert_eq!(play.step("check nothing").unwrap(), NOTHING);
    assert_eq!(play.step("check crate 1").unwrap(), "You hold a crate 1.");
    assert!(play.admissible().unwrap().is_sorted());
}

#[test]
fn plays_of_one_game_do_not_touch_each_other() {
    let game = harbour();
    let mut first = played(game.clone(), &[]);
    let second = played(game, &[]);
    let before = second.admissible().unwrap();
    first.step("walk to quay 1").unwrap();
    assert_eq!(second.admissible().unwrap(), before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_a_command(texts in prop::collection::vec(any::<String>(), 1..20)) {
        let mut play = Play::start(harbour()).unwrap();
        for text in texts {
            let applies = play.admissible().unwrap().contains(&text.trim().to_owned());
            let observed = play.step(&text).unwrap();
            prop_assert_eq!(observed == NOTHING, !applies);
        }
    }

    #[test]
    fn every_command_listed_applies(choices in prop::collection::vec(any::<prop::sample::Index>(), 1..60)) {
        let mut play = Play::start(harbour()).unwrap();
        for choice in choices {
            let commands = play.admissible().unwrap();
            prop_assert!(commands.is_sorted_by(|a, b| a < b));
            let command: &String = choice.get(&commands);
            prop_assert_ne!(play.step(command).unwrap(), NOTHING);
        }
    }
}
