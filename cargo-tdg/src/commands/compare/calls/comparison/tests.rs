//! Tests of the results of small functions.

use tdg_definition::Definition;

use super::*;
use crate::confine::ProcessEnd;

#[test]
fn a_row_that_was_nearly_done_is_no_change() {
    let definition = r#"{"features": [{"feature_name": "n", "type": "BOOLEAN", "distribution": {"type": "any"}}]}"#;
    let vectors = Vectors::generate(&Definition::parse(definition).unwrap(), 0, 2);
    let returned = CallOutcome::Returned(vec![(String::new(), "1".to_owned())]);
    let late = CallOutcome::Ended(ProcessEnd::OutOfTime.to_string());
    let both = [returned.clone(), returned.clone()];
    let compared = |again: CallOutcome| {
        let before = Runs::new(both.to_vec(), Some(both.to_vec()));
        let after = [returned.clone(), late.clone()].to_vec();
        let after = Runs::new(after, Some(vec![returned.clone(), again]));
        ComparedFunction::new("f", &vectors, &[], &[before, after])
    };
    assert!(compared(returned.clone()).is_same());
    assert!(compared(late.clone()).is_changed());
}

#[test]
fn the_how_to_says_how_close_floats_are_the_same() {
    let how_to = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/how-to/compare.md");
    let text = std::fs::read_to_string(how_to).unwrap();
    let stated = format!("Floats within {LAST_BITS} units in the last place are equal");
    assert!(text.contains(&stated), "{stated}");
}

#[test]
fn the_last_digits_depend_on_the_type_of_the_output() {
    let definition = r#"{"features": [{"feature_name": "n", "type": "BOOLEAN", "distribution": {"type": "any"}}]}"#;
    let vectors = Vectors::generate(&Definition::parse(definition).unwrap(), 0, 2);
    // In the driver's format.
    fn shown(outputs: [impl std::fmt::Debug; 2]) -> Runs {
        let text = |it| format!("Ok(({it:?}, 1))\0Ok(({it:.17?}, 1))");
        let parts = |it| {
            vec![
                (String::new(), text(it)),
                ("seen".to_owned(), "2".to_owned()),
            ]
        };
        let outcomes: Vec<_> = outputs.map(|it| CallOutcome::Returned(parts(it))).into();
        Runs::new(outcomes.clone(), Some(outcomes))
    }
    let next = |float: f32| f32::from_bits(float.to_bits() + 1);
    let singles = [0.1_f32, 0.7];
    let verdict =
        |before, after| ComparedFunction::new("f", &vectors, &[], &[before, after]).verdict;
    let rounded = verdict(shown(singles), shown(singles.map(next)));
    assert!(matches!(rounded, CallVerdict::Rounding(2)));
    // The same texts, with another type.
    let doubles = |singles: [f32; 2]| singles.map(|it| it.to_string().parse::<f64>().unwrap());
    let changed = verdict(shown(doubles(singles)), shown(doubles(singles.map(next))));
    let CallVerdict::Changed(changed) = changed else {
        panic!("{changed:?}");
    };
    assert!(
        !changed.example.before.contains('\0'),
        "{}",
        changed.example.before
    );
}

#[test]
fn experiments_need_outcomes_that_are_the_same_in_each_run() {
    let returned = |text: &str| CallOutcome::Returned(vec![(String::new(), text.to_owned())]);
    let panicked = || CallOutcome::Panicked("none".to_owned());
    let runs = |first: [CallOutcome; 2], second: [CallOutcome; 2]| {
        Runs::new(first.to_vec(), Some(second.to_vec()))
    };
    let now = [returned("2"), panicked()];
    let then = [returned("1"), panicked()];
    let stable = |second: [CallOutcome; 2]| {
        let before = runs(then.clone(), then.clone());
        StableOutcomes::new(&[before, runs(now.clone(), second)])
    };
    assert!(stable(now.clone()).is_some_and(|it| it.are_outputs));
    assert!(stable([returned("3"), panicked()]).is_none());
    // The panic changed.
    let sides = [panicked(), CallOutcome::Panicked("one".to_owned())];
    let sides = sides.map(|it| runs([it.clone(), it.clone()], [it.clone(), it]));
    assert!(StableOutcomes::new(&sides).is_some_and(|it| !it.are_outputs));
}

#[test]
fn calls_that_returned_are_distinguished_from_panics() {
    let definition = r#"{"features": [{"feature_name": "n", "type": "BOOLEAN", "distribution": {"type": "any"}}]}"#;
    let vectors = Vectors::generate(&Definition::parse(definition).unwrap(), 0, 3);
    let returned = |text: &str| CallOutcome::Returned(vec![(String::new(), text.to_owned())]);
    let panicked = || CallOutcome::Panicked("none".to_owned());
    let first_finding = |before: [CallOutcome; 3]| {
        let after = before
            .clone()
            .map(|it| if it == panicked() { it } else { returned("2") });
        let [before, after] = [before, after].map(|it| Runs::new(it.to_vec(), Some(it.to_vec())));
        ComparedFunction::new("f", &vectors, &[], &[before, after])
            .findings()
            .first()
            .cloned()
    };
    let one = || returned("1");
    assert_eq!(
        first_finding([one(), panicked(), one()]).unwrap(),
        "all 2 that returned before changed"
    );
    assert!(first_finding([one(), one(), one()]).is_none_or(|it| !it.contains("returned")));
}

/// Returns the result of a function with these outputs, `None` for a row without arguments.
fn compared(rows: &[[Option<&str>; 2]]) -> ComparedFunction {
    let definition = r#"{"features": [{"feature_name": "n", "type": "INTEGER", "distribution": {"type": "any"}}]}"#;
    let vectors = Vectors::generate(&Definition::parse(definition).unwrap(), 0, rows.len());
    let sides = [0, 1].map(|side| {
        let outcomes = rows.iter().map(|row| match row[side] {
            Some("panic") => CallOutcome::Panicked("none".to_owned()),
            Some(text) => CallOutcome::Returned(vec![(String::new(), text.to_owned())]),
            None => CallOutcome::NotInput,
        });
        let outcomes: Vec<CallOutcome> = outcomes.collect();
        Runs::new(outcomes.clone(), Some(outcomes))
    });
    ComparedFunction::new("f", &vectors, &[], &sides)
}

#[test]
fn few_inputs_are_no_reason_to_call_a_function_the_same() {
    let inputs = |count: usize| {
        let rows = (0..1000).map(|row| [(row < count).then_some("1"); 2]);
        let rows: Vec<_> = rows.collect();
        compared(&rows)
    };
    assert!(inputs(11).has_few_inputs() && inputs(11).inputs() == 11);
    assert!(!inputs(50).has_few_inputs() && !inputs(1000).has_few_inputs());
    // A function without arguments has one row.
    assert!(!compared(&[[Some("1"); 2]]).has_few_inputs());
}

#[test]
fn rounding_next_to_a_change_is_neither_counted_nor_shown() {
    let noise = [Some("0.1"), Some("0.10000000000000002")];
    let rows = [[noise; 30].to_vec(), vec![[Some("1.5"), Some("2.5")]; 3]].concat();
    let CallVerdict::Changed(changed) = compared(&rows).verdict else {
        panic!("not changed");
    };
    assert_eq!((changed.differing, changed.rounding), (3, 30));
    assert_eq!(changed.example.after, "2.5");
    let all = changed.findings.join("\n");
    assert!(!all.contains("ULP") && !all.contains("tolerance"), "{all}");
}

#[test]
fn rows_that_no_count_includes_are_named() {
    let rows = [
        [[Some("panic"); 2]; 36].to_vec(),
        [[Some("1"); 2]; 98].to_vec(),
        [[Some("1"), Some("2")]; 66].to_vec(),
    ];
    let found = compared(&rows.concat());
    let last = found.findings().last().unwrap();
    assert_eq!(last, "not counted: 36 cases that failed before as well");
}

#[test]
fn the_rows_between_unstable_ones_are_compared() {
    let definition = r#"{"features": [{"feature_name": "n", "type": "BOOLEAN", "distribution": {"type": "any"}}]}"#;
    let vectors = Vectors::generate(&Definition::parse(definition).unwrap(), 0, 100);
    let outputs = |changed: &[usize]| -> Vec<CallOutcome> {
        let text = |row| {
            if changed.contains(&row) {
                row + 7_000
            } else {
                row
            }
            .to_string()
        };
        let outcome = |row| CallOutcome::Returned(vec![(String::new(), text(row))]);
        (0..100).map(outcome).collect()
    };
    let verdict = |now: &[usize]| {
        let then = Runs::new(outputs(&[]), Some(outputs(&[0, 1, 2, 3, 4])));
        let now = Runs::new(outputs(now), Some(outputs(now)));
        ComparedFunction::new("f", &vectors, &[], &[then, now]).verdict
    };
    let CallVerdict::Unstable { rows, is_rest_same } = verdict(&[0, 1, 2, 3, 4]) else {
        panic!("not unstable");
    };
    assert!(rows == 5 && is_rest_same);
    let CallVerdict::Unstable { rows, is_rest_same } = verdict(&[0, 1, 2, 3, 4, 50]) else {
        panic!("not unstable");
    };
    assert!(rows == 6 && !is_rest_same);
}

#[test]
fn both_outcomes_show_where_they_part() {
    let long = |end: &str| format!("{:?}", "long ".repeat(40) + end + &" long".repeat(40));
    let (before, after) = (long("ends"), long("end"));
    let CallVerdict::Changed(changed) = compared(&[[Some(&before), Some(&after)]]).verdict else {
        panic!("not changed");
    };
    assert!(changed.example.before.contains("ends") && changed.example.after.contains("end "));
}

#[test]
fn a_call_that_ends_its_process_now_is_said_to() {
    let found = |shown: fn(u8) -> String| {
        let outcomes = |limit: u8| {
            let outcome = |n| match n > limit {
                true => CallOutcome::Ended("aborted".to_owned()),
                false => CallOutcome::Returned(vec![(String::new(), shown(n))]),
            };
            let outcomes: Vec<_> = (1..=40).map(outcome).collect();
            Runs::new(outcomes.clone(), Some(outcomes))
        };
        let compared = ComparedFunction::new("f", &numbers(), &[], &[outcomes(40), outcomes(30)]);
        let back = ComparedFunction::new("f", &numbers(), &[], &[outcomes(30), outcomes(40)]);
        [compared, back]
            .map(|it| it.findings().join("\n"))
            .join("\n\n")
    };
    insta::assert_snapshot!(found(|n| n.to_string()), @r#"
    perhaps: all 10 that did not return have n > 30   (10 of 10 such cases did not return, 0 of the other 30)
    ended with "aborted" in all 10

    perhaps: all 10 that returned again have n > 30   (10 of 10 such cases returned again, 0 of the other 30)
    actual = n in all 10
    "#);
    insta::assert_snapshot!(found(|n| format!("Ok({n})")), @"
    perhaps: all 10 that did not return have n > 30   (10 of 10 such cases did not return, 0 of the other 30)

    perhaps: all 10 that became an Ok have n > 30   (10 of 10 such cases became an Ok, 0 of the other 30)
    ");
    insta::assert_snapshot!(found(|n| format!("Size {{ n: {n} }}")), @"
    perhaps: all 10 that did not return have n > 30   (10 of 10 such cases did not return, 0 of the other 30)

    perhaps: all 10 that returned again have n > 30   (10 of 10 such cases returned again, 0 of the other 30)
    ");
}

/// The numbers from 1 to 40.
fn numbers() -> Vectors {
    let definition = r#"{"features": [{"feature_name": "n", "type": "INTEGER",
        "distribution": {"type": "sequence", "start": 1, "step": 1}}]}"#;
    Vectors::generate(&Definition::parse(definition).unwrap(), 0, 40)
}

#[test]
fn a_cut_output_has_no_fields() {
    let outcomes = |end: &str| {
        let text = |n: u8| match n {
            40 => format!("Size {{ n: 1, text: \"… 181425 bytes, digest 48a6903dde3e33{end}"),
            n => format!("Size {{ n: {n} }}"),
        };
        let outcome = |n| CallOutcome::Returned(vec![(String::new(), text(n))]);
        let outcomes: Vec<_> = (1..=40).map(outcome).collect();
        Runs::new(outcomes.clone(), Some(outcomes))
    };
    let whole = CallOutcome::Returned(vec![(String::new(), "Size { n: 40 }".to_owned())]);
    let mut after = outcomes("6f");
    for run in [&mut after.first, after.second.as_mut().unwrap()] {
        run[39] = whole.clone();
    }
    let compared = ComparedFunction::new("f", &numbers(), &[], &[outcomes("6f"), after]);
    assert!(compared.is_changed());
    assert_eq!(compared.findings(), [""; 0]);
}
