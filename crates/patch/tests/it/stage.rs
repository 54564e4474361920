//! The whole decision of the patch stage, and families.

use textualrl_model::settings::PatchSettings;
use textualrl_model::{Context, Edit, EditId, SkipReason};
use textualrl_patch::{
    ComposeInput, ComposeOutcome, Composition, PastCandidate, RankedEdit, StageFate, compose, families,
};

pub(crate) fn settings() -> PatchSettings {
    PatchSettings {
        max_edits: 4,
        min_edits: 2,
        combination_similarity: 0.88,
        family_similarity: 0.72,
        family_rejections: 3,
        protected: vec![["<!-- protected -->".to_owned(), "<!-- /protected -->".to_owned()]],
        must_contain: Vec::new(),
        max_bytes: 0,
    }
}

const BASE: &str = "# Rules\n\n- Be brief.\n- Cite sources.\n";

fn ranked(edits: &[Edit]) -> Vec<RankedEdit> {
    edits
        .iter()
        .enumerate()
        .map(|(index, edit)| RankedEdit {
            id: EditId::new(format!("m-{}", index + 1)).unwrap(),
            edit: edit.clone(),
        })
        .collect()
}

fn composed(edits: &[Edit], budget: u32, rejected: &[Vec<Edit>], blocked: &[Vec<Edit>]) -> Composition {
    let base = Context::new(BASE);
    let identifiers = ["sqa-0417".to_owned(), "r1".to_owned()];
    compose(&ComposeInput {
        base: &base,
        ranked: &ranked(edits),
        budget,
        rejected,
        blocked_families: blocked,
        identifiers: &identifiers,
        settings: &settings(),
    })
}

/// One letter a fate, in ranked order.
fn letters(composition: &Composition) -> String {
    composition
        .fates
        .iter()
        .map(|fate| match fate.fate {
            StageFate::Taken { .. } => 't',
            StageFate::OverBudget => 'o',
            StageFate::Unobservable { .. } => 'u',
            StageFate::NamesIdentifier { .. } => 'i',
            StageFate::BlockedFamily { .. } => 'b',
            StageFate::Refused { .. } => 'r',
            StageFate::NoChange { .. } => 'n',
            StageFate::GaveWay { .. } => 'g',
        })
        .collect()
}

fn rules(texts: &[&str]) -> Vec<Edit> {
    texts.iter().map(|text| Edit::append(*text)).collect()
}

#[test]
fn a_dropped_or_refused_edit_makes_room_for_the_next() {
    let edits = [
        Edit::append("- Match the gold answer."),
        Edit::append("- As in sqa-0417, keep the casing."),
        Edit::replace("- Be kind.", "- Be fair."),
        Edit::append("- Be brief."),
        Edit::append("- Keep units."),
        Edit::insert_after("- Be brief.", "- Use one line."),
        Edit::append("- Sort the rows."),
    ];
    let composition = composed(&edits, 2, &[], &[]);
    assert_eq!(letters(&composition), "uirntto");
    assert_eq!(composition.patch.edits, edits[4..6]);
    let ComposeOutcome::Candidate { context, diff, inverse } = composition.outcome else {
        panic!("no candidate")
    };
    assert_eq!(context.text(), "# Rules\n\n- Be brief.\n- Use one line.\n- Cite sources.\n- Keep units.\n");
    assert!(diff.contains("+- Keep units."));
    assert_eq!(inverse.undo(&context).unwrap(), Context::new(BASE));
}

#[test]
fn the_last_edit_of_a_rejected_combination_gives_way() {
    let edits = rules(&["Keep units.", "Sort rows.", "Name the year."]);
    let cases: &[(u32, &[&[usize]], &str)] = &[
        (2, &[], "tto"),
        (2, &[&[0, 1]], "tgt"),
        (2, &[&[1, 0]], "tgt"),
        (2, &[&[0, 1], &[0, 2]], "tgg"),
        (2, &[&[0, 1], &[0, 2], &[0]], "gtt"),
        (1, &[&[0]], "gto"),
        (1, &[&[0], &[1], &[2]], "ggg"),
        (2, &[&[0]], "tto"),
    ];
    for (budget, rejected, expected) in cases {
        let rejected: Vec<Vec<Edit>> = rejected
            .iter()
            .map(|combination| combination.iter().map(|&index| edits[index].clone()).collect())
            .collect();
        assert_eq!(letters(&composed(&edits, *budget, &rejected, &[])), *expected, "{budget} {rejected:?}");
    }
}

#[test]
fn blocked_families_are_dropped_in_any_wording() {
    let edits = rules(&["Do not round the results.", "Sort rows."]);
    let blocked = [rules(&["Never round results."])];
    assert_eq!(letters(&composed(&edits, 1, &[], &blocked)), "bt");
}

#[test]
fn a_step_without_candidate_says_why() {
    let cases = [
        (vec![], SkipReason::NoProposals),
        (rules(&["- Be brief."]), SkipReason::CandidateEqualsBase),
        (rules(&["Use the answer key."]), SkipReason::NoEditsLeft),
        (vec![Edit::delete("nowhere"), Edit::append("- Be brief.")], SkipReason::NoEditsLeft),
    ];
    for (edits, expected) in cases {
        let composition = composed(&edits, 4, &[], &[]);
        assert_eq!(composition.outcome, ComposeOutcome::Skipped { reason: expected }, "{edits:?}");
        assert!(composition.patch.edits.is_empty());
    }
}

#[test]
fn compositions_are_written_and_read_as_json() {
    let composition = composed(&rules(&["Keep units.", "Use the answer key."]), 1, &[], &[]);
    let text = serde_json::to_string(&composition).unwrap();
    assert_eq!(serde_json::from_str::<Composition>(&text).unwrap(), composition);
}

#[test]
fn families_count_distinct_candidates() {
    let past = |texts: &[&str], accepted| PastCandidate { edits: rules(texts), accepted };
    type Counts = (u32, u32, bool);
    let cases: &[(&[PastCandidate], &[Counts])] = &[
        (&[], &[]),
        // The same candidate three times is one candidate.
        (
            &[past(&["Be brief."], false), past(&["Be brief."], false), past(&["Be brief."], false)],
            &[(1, 0, false)],
        ),
        // Two wordings in one candidate are one strike.
        (&[past(&["Never round results.", "Do not round the results."], false)], &[(1, 0, false)]),
        // A decisive word makes another family.
        (&[past(&["Always round."], false), past(&["Never round."], false)], &[(1, 0, false), (1, 0, false)]),
    ];
    for (history, expected) in cases {
        let found: Vec<_> = families(history, &settings())
            .into_iter()
            .map(|family| (family.rejected, family.accepted, family.blocked))
            .collect();
        assert_eq!(found, *expected, "{history:?}");
    }
    let never = PatchSettings { family_rejections: 0, ..settings() };
    let history = [past(&["a b"], false), past(&["a b", "c d"], false), past(&["a b", "e f"], false)];
    assert!(families(&history, &settings())[0].blocked);
    assert!(!families(&history, &never)[0].blocked);
}
