//! The simulated target where programs are asked for: its habits, and the instructions that cure them.

use textualrl_llm::ChatRequest;
use textualrl_model::{Role, Turn};
use textualrl_simulate::SimulatedTarget;

fn request(context: &str, number: usize, seed: u64) -> ChatRequest {
    let system = format!(
        "You write programs.\n- `INPUT_PATH` is the workbook.\n- `OUTPUT_PATH` is what counts.\n\n## Context\n{context}\n"
    );
    let asked = format!(
        "# Instruction\nPut the total of the column Catch of quay {number} into B2 of the sheet Report.\n\nInstruction \
         type: Cell-Level\nExpected answer position: Report!B2\n\n# Input spreadsheet preview\n\
         ## Sheet: Quay  (dim=A1:C9, max_row=9, max_col=3)\nA1=Boat | B1=Port | C1=Catch\nA2=Knot | B2=Corvath | C2=7{number}\n\
         ... (7 more rows)\n\n## Sheet: Report  (dim=A1:A1, max_row=1, max_col=1)\nA1=What\n\n# Task\nWrite."
    );
    ChatRequest {
        turns: vec![Turn::text(Role::System, system), Turn::text(Role::User, asked)],
        temperature: Some(0.7),
        seed: Some(seed),
        schema: None,
        tools: Vec::new(),
    }
}

/// The replies to sixteen samples of twenty tasks: a context changes what is drawn at a temperature, but not how much.
fn replies(context: &str) -> Vec<String> {
    let samples = (0..20).flat_map(|number| (0..16).map(move |seed| (number, seed)));
    let answer = |(number, seed)| SimulatedTarget::new().answer(&request(context, number, seed));
    samples.map(answer).map(|reply| reply.turn.joined_text()).collect()
}

/// What a habit leaves in a program.
const HABITS: [(&str, &str); 4] = [
    ("formulas", "\"=SUM("),
    ("the shown rows", "range(2, 3)"),
    ("words", "f\"Result: "),
    ("the active sheet", ".active"),
];

fn count(replies: &[String], mark: &str) -> usize {
    replies.iter().filter(|reply| reply.contains(mark)).count()
}

#[test]
fn every_habit_shows_and_is_cured_by_an_instruction_in_any_words() {
    let without = replies("(No rules yet.)");
    for (habit, mark) in HABITS {
        assert!(count(&without, mark) > 2, "{habit}: {}", count(&without, mark));
    }
    let cures: [(usize, [&str; 3]); 4] = [
        (
            0,
            [
                "Formulas are never to be written; only results count.",
                "Calculate values inside the Python script and store those.",
                "Do not leave any formula in the output.",
            ],
        ),
        (
            1,
            [
                "Process all rows of the table.",
                "Iterate to max_row, since later rows count too.",
                "The preview is an excerpt: there are rows beyond it.",
            ],
        ),
        (2, ["Write plain numbers.", "Never mix a number with text.", "Values must come without labels."]),
        (
            3,
            [
                "Select each sheet by its name.",
                "Do not use the active sheet.",
                "Open the worksheet that is named in the position.",
            ],
        ),
    ];
    for (cured, wordings) in cures {
        for wording in wordings {
            let with = replies(wording);
            for (other, (habit, mark)) in HABITS.into_iter().enumerate() {
                let expected = if other == cured { 0 } else { count(&without, mark) };
                // No cure is one for another habit.
                let found = count(&with, mark);
                assert_eq!(found == 0, expected == 0, "{wording:?} and {habit}: {found} of {expected}");
            }
        }
    }
}

#[test]
fn a_misspelt_name_is_mended_once_python_tells_of_it_and_nothing_else_changes() {
    let slipped = (0..40).map(|seed| request("", 3, seed)).find_map(|request| {
        let reply = SimulatedTarget::new().answer(&request).turn;
        reply.joined_text().contains("RESULT_PATH").then_some((request, reply))
    });
    let (mut request, first) = slipped.expect("one of forty slips");
    request.turns.push(first.clone());
    request.turns.push(Turn::text(Role::User, "It printed:\nNameError: name 'RESULT_PATH' is not defined"));
    let second = SimulatedTarget::new().answer(&request).turn.joined_text();
    let program = |text: &str| text.split("```").nth(1).unwrap_or_default().to_owned();
    assert_eq!(program(&second), program(&first.joined_text()).replace("RESULT_PATH", "OUTPUT_PATH"));
}
