//! The simulated target on the quickstart tasks.

use textualrl_llm::ChatModel;
use textualrl_simulate::SimulatedTarget;

use crate::quickstart::{INITIAL, Task, assert_labelled, is_right, reply, request, samples, score, tasks};

/// Five wordings of each good instruction.
const GOOD: [(&str, [&str; 5]); 11] = [
    (
        "tags",
        [
            "Always put the final answer inside <answer> tags.",
            "Never omit the <answer> element around what you answer.",
            "Wrap the answer in the required tags every time.",
            "Do not forget the answer tags at the end.",
            "The last line must hold the answer enclosed in <answer></answer>.",
        ],
    ),
    (
        "no explanation",
        [
            "Do not add an explanation to the answer.",
            "Inside the tags give the answer only.",
            "Never justify the answer within the tags.",
            "Leave out any commentary or parenthetical remarks from the answer.",
            "The answer itself must come without reasons or additional text.",
        ],
    ),
    (
        "no sentence",
        [
            "Do not answer with a whole sentence.",
            "Give the shortest span that answers the question.",
            "Answer with a brief phrase.",
            "Return a concise phrase rather than a sentence of the passage.",
            "Keep answers short.",
        ],
    ),
    (
        "no verdict",
        [
            "A clue is not to be judged true or false; name what it describes.",
            "Never reply True or False to a statement.",
            "If the question is a statement, identify the thing that it refers to.",
            "Treat declarative clues as asking for the entity they describe.",
            "Don't answer yes or no to a clue.",
        ],
    ),
    (
        "no address",
        [
            "Drop titles such as Dr. or Captain from people's names.",
            "Give names without honorifics.",
            "When a person is asked for, write the bare name.",
            "Do not include ranks or forms of address.",
            "Honorifics should be omitted.",
        ],
    ),
    (
        "exact numbers",
        [
            "Do not round numbers.",
            "Copy figures exactly as they are in the passage.",
            "Never approximate a quantity.",
            "Give precise numbers.",
            "Numbers must be the same digits as in the text.",
        ],
    ),
    (
        "no unit",
        [
            "For how many, give the number alone.",
            "Give the figure without the unit.",
            "If a count is asked for, do not repeat the noun after the number.",
            "Leave out the thing counted after a number.",
            "When the question asks how many, answer with just the digits by itself.",
        ],
    ),
    (
        "dates as written",
        [
            "Write dates exactly as in the passage.",
            "Do not convert dates to another format.",
            "Keep the original spelling of a date.",
            "Never reformat a date with slashes.",
            "Copy the day, month and year verbatim.",
        ],
    ),
    (
        "no maker",
        [
            "Give the title of a work without its author.",
            "For a book, answer with the title alone.",
            "Do not mention who wrote a work.",
            "Leave out the author's name after a title.",
            "Never credit the artist.",
        ],
    ),
    (
        "whole lists",
        [
            "If several things are asked for, give all of them.",
            "Name every item when a list is wanted.",
            "List each of multiple items, separated by commas.",
            "When more than one thing is asked for, give the complete list.",
            "Answers with several parts need all parts, comma-separated.",
        ],
    ),
    (
        "no noun",
        [
            "Do not repeat the category noun of the question.",
            "Give the name without the generic noun.",
            "Never append the question's own word to the answer.",
            "Avoid echoing the word that the question uses for the thing.",
            "Leave off the class noun.",
        ],
    ),
];

const BAD: [&str; 6] = [
    "Answer with a single word.",
    "Always answer with a number.",
    "Answer in a full sentence.",
    "For people give the surname only.",
    "Write approximate, rounded numbers.",
    "Decide whether the clue is true or false and say so in the answer.",
];

fn with(instructions: &[&str]) -> String {
    let lines: Vec<String> = instructions.iter().map(|text| format!("- {text}")).collect();
    format!("{INITIAL}\n{}\n", lines.join("\n"))
}

fn all_good() -> String {
    let first: Vec<&str> = GOOD.iter().map(|(_, wordings)| wordings[0]).collect();
    with(&first)
}

#[test]
fn scores_rise_with_good_instructions_and_fall_with_bad_ones() {
    let initial = score(INITIAL, "validation");
    assert!((0.3..=0.5).contains(&initial), "{initial}");
    assert!(score(&all_good(), "validation") >= 0.8 && score(&all_good(), "test") >= 0.8);
    for (name, wordings) in GOOD {
        assert!(score(&with(&wordings[..1]), "validation") > initial, "{name} does not help");
    }
    for bad in BAD {
        assert!(
            score(&format!("{}- {bad}\n", all_good()), "validation") < score(&all_good(), "validation"),
            "{bad}"
        );
    }
}

#[test]
fn every_rewording_of_a_good_instruction_works_as_well() {
    let mut failures = Vec::new();
    for (name, wordings) in GOOD {
        let right = |wording: &str| -> Vec<String> {
            let context = with(&[wording]);
            let all = ["train", "validation", "test"].into_iter().flat_map(tasks);
            all.filter(|task| is_right(task, &reply(&context, &task.input, 0.0, 42)))
                .map(|task| task.id)
                .collect()
        };
        let first = right(wordings[0]);
        for wording in &wordings[1..] {
            let these = right(wording);
            let missing = first.iter().filter(|id| !these.contains(id)).count();
            if missing > 0 {
                failures.push(format!("{name}: {wording} (misses {missing})"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn groups_are_truly_mixed_and_of_every_route() {
    let tasks = tasks("train");
    let groups: Vec<usize> = tasks
        .iter()
        .map(|task| samples(INITIAL, task, 4, 1).iter().filter(|(_, right)| *right).count())
        .collect();
    let count = |wanted: fn(&usize) -> bool| groups.iter().filter(|right| wanted(right)).count();
    let (failures, successes) = (count(|right| *right == 0), count(|right| *right == 4));
    let mixed = groups.len() - failures - successes;
    assert!(mixed * 10 >= groups.len() * 3 && failures >= 2 && successes >= 2, "{groups:?}");
}

#[test]
fn answers_depend_on_messages_temperature_and_seed_alone() {
    let model = SimulatedTarget::new();
    assert_labelled(model.describe());
    let task = &tasks("train")[0];
    let ask = |seed| model.answer(&request(INITIAL, &task.input, 0.7, seed));
    assert_eq!(ask(7), ask(7));
    assert!((0..20).any(|seed| ask(seed) != ask(7)));
    let cold = |seed| model.answer(&request(INITIAL, &task.input, 0.0, seed));
    assert_eq!(cold(1), cold(2));
    assert!(cold(1).usage.input > Some(50) && cold(1).usage.output > Some(5));
}

#[test]
#[ignore = "for tuning: shows what the reader does on the quickstart tasks"]
fn show_replies() {
    for split in ["train", "validation", "test"] {
        for task in tasks(split) {
            let good = reply(&all_good(), &task.input, 0.0, 42);
            let plain = reply(INITIAL, &task.input, 0.0, 42);
            let mark = if is_right(&task, &good) { "ok " } else { "BAD" };
            println!(
                "{mark} {} {} {:?} good={:?} plain={:?}",
                task.id,
                task.kind,
                task.golds,
                good.lines().last().unwrap(),
                plain.lines().last().unwrap()
            );
        }
    }
}

#[test]
#[ignore = "for tuning: scores an items file in SearchQA's form, named by TEXTUALRL_ITEMS"]
fn show_searchqa() {
    let path = std::env::var("TEXTUALRL_ITEMS").unwrap();
    let items: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for context in [String::new(), all_good()] {
        let (mut right, mut total) = (0, 0);
        for item in items.as_array().unwrap().iter().take(120) {
            let text = |field: &str| item[field].as_str().unwrap().to_owned();
            let golds =
                item["answers"].as_array().unwrap().iter().map(|a| a.as_str().unwrap().to_owned()).collect();
            let input = format!("## Context\n{}\n\n## Question\n{}", text("context"), text("question"));
            let task = Task { id: text("id"), kind: String::new(), input, golds };
            let said = reply(&context, &task.input, 0.0, 42);
            total += 1;
            right += usize::from(is_right(&task, &said));
            println!(
                "{} | {} | {:?} | {}",
                is_right(&task, &said),
                text("question"),
                task.golds,
                crate::quickstart::extract(&said)
            );
        }
        println!("{right} of {total}");
    }
}
