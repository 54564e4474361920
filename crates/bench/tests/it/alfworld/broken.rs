//! Games that cannot be played say why; none makes the engine panic or run for ever.

use std::sync::Arc;

use proptest::prelude::*;
use textualrl_bench::alfworld::{Game, Play};

use super::{HARBOUR, changed};

#[test]
fn a_game_that_cannot_be_loaded_says_where() {
    let cases: [(&str, &str, &[&str]); 13] = [
        ("(seen ?x - object)\n )", "(seen ?x - object)\n", &["pddl_domain, line", "`(` without `)`"]),
        ("(:action Pockets", "(:derived Pockets", &["pddl_domain", "`:derived` is not supported"]),
        ("(and (carries ?k ?c))\n", "(and (carries ?k ?z))\n", &["variable `?z` is not bound"]),
        ("(at ?k ?p)\n", "(at ?k)\n", &["takes 2 arguments", "found 1"]),
        ("(tug Swan_bar_b)", "(raft Swan_bar_b)", &["predicate `raft`", "not declared"]),
        ("(tug Swan_bar_b)", "(tug Gull_bar_b)", &["line 20", "`tug` is stated of an object"]),
        ("Lamp_bar_1 - beacon", "Lamp_bar_1 - lantern", &["object `lamp_bar_1`", "type `lantern`"]),
        ("Spare - crate", "Anna - crate", &["object `anna`", "declared twice"]),
        ("(:goal (and", "(:aim (and", &["pddl_problem", ":aim"]),
        ("action Hatch {", "action Batch {", &["action `hatch`", "no texts"]),
        ("{v.name or v.id}", "{v.colour}", &["rule `article(v)`", "not an expression"]),
        ("\"laden(k:keeper)\"", "\"laden(k:keeper\"", &["rule `hands`", "is not a query"]),
        ("template :: \"shut {v}\"", "template :: \"shut {x}\"", &["`x` stands for nothing"]),
    ];
    for (from, to, parts) in cases {
        let message = Game::load(&changed(from, to)).unwrap_err().to_string();
        for part in parts {
            assert!(message.contains(part), "{from} -> {to}: {message}");
        }
    }
    for text in ["", "[]", "{}", "{\"pddl_domain\": 1}"] {
        assert!(Game::load(text).unwrap_err().to_string().contains("the game is no JSON"), "{text}");
    }
}

#[test]
fn a_text_that_cannot_be_written_ends_the_play_with_an_error() {
    for (from, to, part) in [
        ("\"rhs\": \"{v.indefinite}", "\"rhs\": \"#article(v)# {v.indefinite}", "nested deeper"),
        ("\"list_empty\"", "\"list_nothing\"", "no rule `list_empty`"),
        (
            "{\"rhs\": \"You stand on [{p.name | at(k:keeper, p:pier)}], where",
            "{\"condition\": \"at(k:keeper, v:vessel)\", \"rhs\": \"You stand on [{p.name | at(k:keeper, p:pier)}], where",
            "no production of rule `surroundings`",
        ),
    ] {
        let game = Arc::new(Game::load(&changed(from, to)).unwrap());
        let error = Play::start(game).and_then(|mut play| play.step("walk to south 1").map(str::to_owned));
        assert!(error.clone().unwrap_err().to_string().contains(part), "{error:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_damage_makes_the_engine_panic(
        from in any::<prop::sample::Index>(),
        length in 0_usize..40,
        put in "[ -~]{0,6}",
        commands in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let mut file: serde_json::Map<String, serde_json::Value> = serde_json::from_str(HARBOUR).unwrap();
        let keys = ["pddl_domain", "grammar", "pddl_problem"];
        let place = from.index(keys.iter().map(|key| file[*key].as_str().unwrap().len()).sum());
        let mut before = 0;
        for key in keys {
            let mut text = file[key].as_str().unwrap().to_owned();
            let size = text.len();
            if (before..before + size).contains(&place) {
                let start = place - before;
                text.replace_range(start..(start + length).min(size), &put);
                file[key] = text.into();
                break;
            }
            before += size;
        }
        let text = serde_json::Value::Object(file).to_string();
        if let Ok(mut play) = Game::load(&text).and_then(|game| Play::start(Arc::new(game))) {
            for command in commands {
                let Ok(listed) = play.admissible() else { break };
                if listed.is_empty() {
                    break;
                }
                let chosen: &String = command.get(&listed);
                if play.step(chosen).is_err() {
                    break;
                }
            }
        }
    }
}
