//! Episodes: what the target is shown, what its replies do, how they are scored.

use std::sync::Arc;

use textualrl_bench::alfworld::Game;
use textualrl_bench::alfworld::episode::{AlfWorldEpisode, STEP_LIMIT};
use textualrl_bench::{Episode, Progress};
use textualrl_model::{Context, NotScoredCause, Outcome, Reward, Role, Turn};

use super::{changed, harbour};

fn episode() -> AlfWorldEpisode {
    AlfWorldEpisode::start(harbour()).unwrap()
}

fn reply(text: &str) -> Turn {
    Turn::text(Role::Assistant, text)
}

fn acting(command: &str) -> Turn {
    reply(&format!("<think>next</think><action>{command}</action>"))
}

fn scored(episode: &mut AlfWorldEpisode) -> (Reward, String) {
    match episode.score() {
        Outcome::Scored { reward, feedback, .. } => {
            assert_eq!(feedback.expected, None);
            (reward, feedback.safe.unwrap())
        }
        Outcome::NotScored { cause } => panic!("{cause}"),
    }
}

#[test]
fn the_context_stands_in_the_system_turn_alone() {
    let mut episode = episode();
    let blank = episode.opening(&Context::new(" \n"));
    assert!(!blank[0].joined_text().contains("## Context"));
    let opening = episode.opening(&Context::new("Seal before stowing.\n"));
    assert_eq!(opening[0].role, Role::System);
    assert!(opening[0].joined_text().contains("## Context\nSeal before stowing.\n"));
    let task = opening[1].joined_text();
    assert!(
        !task.contains("Seal before")
            && task.contains("Stow every fragile crate")
            && task.contains("'open swan 2'")
    );
    assert_eq!(episode.window().unwrap(), opening);
}

#[test]
fn a_request_shows_the_window_and_the_trajectory_the_observations() {
    let mut episode = episode();
    let opening = episode.opening(&Context::new(""));
    for command in ["open swan 2", "inspect swan 2", "Check Hands"] {
        let Progress::Continue(turns) = episode.act(&acting(command)) else { panic!("goes on") };
        assert_eq!((turns.len(), turns[0].role), (1, Role::User));
        assert!(!turns[0].joined_text().contains("Commands that apply"));
    }
    let shown = episode.window().unwrap();
    assert_eq!(shown[0], opening[0]);
    let text = shown[1].joined_text();
    for part in [
        "Stow every fragile crate",
        "Steps taken so far: 3",
        "Action 2: 'inspect swan 2'",
        "Action 3: 'Check Hands'",
        "Step 4. You observe:\nYour hands are empty.",
        "'shut swan 2'",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("Action 1") && !text.contains("~ The Harbour ~"));
}

#[test]
fn a_reply_without_action_is_a_step_and_is_known_as_such() {
    let mut episode = episode();
    for (text, known) in
        [("open swan 2", true), ("<think><action>open swan 2</action></think>", true), ("", true)]
    {
        let Progress::Continue(turns) = episode.act(&reply(text)) else { panic!("goes on") };
        assert_eq!(turns[0].joined_text().contains("no action tag; `look` was executed"), known);
    }
    let Progress::Continue(_) = episode.act(&acting("open swan 2")) else { panic!("goes on") };
    assert!(episode.window().unwrap()[1].joined_text().contains("Action 3: 'look'"));
    assert_eq!(
        scored(&mut episode),
        (
            Reward::Failure,
            "the play ended after 4 steps with the task not done; 3 replies without action tag, for which `look` \
             was executed; 3 commands that did not apply"
                .to_owned()
        )
    );
}

#[test]
fn a_play_ends_when_it_is_won() {
    let mut episode = episode();
    let walkthrough = harbour().walkthrough().to_vec();
    let (last, before) = walkthrough.split_last().unwrap();
    for command in before {
        assert_ne!(episode.act(&acting(command)), Progress::Finished);
    }
    assert_eq!(episode.act(&acting(last)), Progress::Finished);
    assert_eq!(scored(&mut episode), (Reward::Success, "the task was done after 11 steps".to_owned()));
}

#[test]
fn a_play_ends_at_the_step_limit() {
    let mut episode = episode();
    for step in 1..=STEP_LIMIT {
        let progress = episode.act(&acting("check hands"));
        assert_eq!(progress == Progress::Finished, step == 50, "{step}");
    }
    assert_eq!(scored(&mut episode), (Reward::Failure, "the step limit of 50 was reached".to_owned()));
}

#[test]
fn a_game_that_breaks_is_no_failure_of_the_target() {
    let text = changed("feedback :: \"#hands#\"", "feedback :: \"#feet#\"");
    let mut episode = AlfWorldEpisode::start(Arc::new(Game::load(&text).unwrap())).unwrap();
    assert_eq!(episode.act(&acting("check hands")), Progress::Finished);
    let Outcome::NotScored { cause: NotScoredCause::Environment { message } } = episode.score() else {
        panic!("not scored")
    };
    assert!(message.contains("#feet#") || message.contains("`feet`"), "{message}");
}
