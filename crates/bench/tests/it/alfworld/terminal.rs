//! A person at the terminal.

use textualrl_bench::alfworld::terminal::play;

use super::harbour;

fn typed(lines: &[&str]) -> (bool, String) {
    let mut output = Vec::new();
    let won = play(harbour(), lines.join("\n").as_bytes(), &mut output).unwrap();
    (won, String::from_utf8(output).unwrap())
}

#[test]
fn a_person_can_play_to_the_end() {
    let walkthrough = harbour().walkthrough().to_vec();
    let lines: Vec<&str> = walkthrough.iter().map(String::as_str).chain(["look around"]).collect();
    let (won, shown) = typed(&lines);
    assert!(won && shown.starts_with("~ The Harbour ~") && shown.ends_with("The task is done.\n"), "{shown}");
}

#[test]
fn lines_with_a_colon_are_for_the_terminal() {
    let (won, shown) = typed(&[":commands", "", ":other", "fly", ":quit", "look around"]);
    assert!(!won);
    for part in ["blow the horn\ncheck hands\n", "`:quit` to stop", "Nothing happens.\n"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(shown.matches("You stand on").count(), 1);
}
