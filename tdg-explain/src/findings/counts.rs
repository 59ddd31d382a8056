//! Properties of the counts in sentences, for outputs of all kinds.

use proptest::prelude::*;
use tdg_definition::json::{Value, parse};
use tdg_definition::{Definition, Policy};
use tdg_engine::Vectors;
use tdg_engine::compare::DifferingCase;

use super::findings_of_changes;

const COLUMNS: &str = r#"{"features": [
    {"feature_name": "amount", "type": "FLOAT",
     "distribution": {"type": "uniform", "min": 10, "max": 100}},
    {"feature_name": "quantity", "type": "INTEGER",
     "distribution": {"type": "uniform", "min": 1, "max": 20}},
    {"feature_name": "coupon", "type": "STRING", "null_probability": 0.1,
     "distribution": {"type": "categorical", "categories": [
        {"value": "HALF", "probability": 0.3}, {"value": "NONE", "probability": 0.7}]}}
]}"#;

/// Outputs around a number; a row has the second form if it is a multiple of the step.
const OUTPUTS: [(&str, &str, usize); 7] = [
    ("0", "0", 1),
    (r#"{"Ok": {"total": 0, "id": 7}}"#, r#"{"Err": "no"}"#, 5),
    ("0", "null", 3),
    ("[0, 1, 2]", "[]", 4),
    (
        r#"{"$name": "()", "0": 0, "1": true}"#,
        r#"{"$name": "()", "0": 0, "1": false}"#,
        2,
    ),
    (r#"{"$name": "Some", "0": 0}"#, r#"{"$name": "None"}"#, 4),
    (r#"{"Paid": {"amount": 0}}"#, r#""Open""#, 6),
];

/// The effect of a bug.
#[derive(Clone, Copy, Debug)]
enum Effect {
    Add,
    Double,
    Refuse,
    Panic,
}

fn effect() -> impl Strategy<Value = Effect> {
    prop::sample::select(vec![
        Effect::Add,
        Effect::Double,
        Effect::Refuse,
        Effect::Panic,
    ])
}

fn output(form: &str, number: usize) -> Value {
    parse(
        &form
            .replace('0', "N")
            .replace("\"N\"", "\"0\"")
            .replace('N', &number.to_string()),
    )
    .unwrap()
}

/// Returns true if the row meets a rule, `None` for unsupported words.
fn meets(row: &[Value], rule: &str) -> Option<bool> {
    let mut holds = true;
    for condition in rule.split(" and ") {
        let words: Vec<&str> = condition.split(' ').collect();
        let value = |name: &str| {
            let place = ["amount", "quantity", "coupon"]
                .iter()
                .position(|it| *it == name);
            place.map(|it| row[it].clone())
        };
        let compared = |left: &Value, operator: &str, right: &Value| match operator {
            "=" => Some(left == right),
            "!=" => Some(left != right),
            "<" => Some(left < right),
            "<=" => Some(left <= right),
            ">" => Some(left > right),
            ">=" => Some(left >= right),
            _ => None,
        };
        holds &= match words.as_slice() {
            [name, operator, constant] => {
                compared(&value(name)?, operator, &parse(constant).ok()?)?
            }
            [least, first, name, second, most] => {
                let (least, most) = (parse(least).ok()?, parse(most).ok()?);
                compared(&least, first, &value(name)?)? && compared(&value(name)?, second, &most)?
            }
            _ => return None,
        };
    }
    Some(holds)
}

/// The counts of `(17 of 20 such cases changed, 3 of the other 90; 10 with another outcome not
/// counted)`: with the rule, and without it.
#[derive(Debug)]
struct Counts<'s> {
    rule: &'s str,
    with: [usize; 2],
    without: [usize; 2],
    left_out: usize,
}

impl<'s> Counts<'s> {
    fn of(sentence: &'s str) -> Option<Self> {
        let (said, counts) = sentence.rsplit_once("   (")?;
        let number = |text: &str| text.split(' ').next()?.parse().ok();
        let pair = |text: &str, between: &str| {
            let (left, right) = text.split_once(between)?;
            Some([number(left)?, number(right)?])
        };
        let (with, without) = counts.split_once(", ")?;
        let left_out = without
            .split_once("; ")
            .filter(|it| it.1.contains("not counted"));
        Some(Self {
            rule: said.rsplit_once(" have ").map(|it| it.1)?,
            with: pair(with, " of ")?,
            without: pair(without, " of the other ")
                .or_else(|| pair(&without.replace([')', ';'], " "), " of the other "))?,
            left_out: left_out.and_then(|it| number(it.1)).unwrap_or(0),
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn counts_add_up_and_are_those_of_the_rule(
        seed: u64, size in 20..300_usize, kind in 0..OUTPUTS.len(),
        limits in (1..20_i64, 1..20_i64), effects in (effect(), effect()), is_half: bool,
    ) {
        let vectors = Vectors::generate(&Definition::parse(COLUMNS).unwrap(), seed, size);
        let rows = parse(&vectors.to_json()).unwrap();
        let rows: Vec<&[Value]> = rows.as_array().unwrap().iter().map(|it| it.as_array().unwrap()).collect();
        let (usual, other, step) = OUTPUTS[kind];
        let both = |case: usize| {
            let form = if case.is_multiple_of(step) { other } else { usual };
            let number = case * case * 31 % 1009 + 10;
            let quantity = rows[case][1].as_i64().unwrap();
            let is_second = quantity < limits.1 && is_half && rows[case][2].as_str() == Some("HALF");
            let actual = match (quantity > limits.0, is_second) {
                (true, _) => effects.0,
                (_, true) => effects.1,
                _ => return [output(form, number), output(form, number)],
            };
            let actual = match actual {
                Effect::Add => output(form, number + 1),
                Effect::Double => output(form, 2 * number),
                Effect::Refuse => parse(r#"{"Err": "refused"}"#).unwrap(),
                Effect::Panic => parse(r#"{"$panic": "overflow"}"#).unwrap(),
            };
            [output(form, number), actual]
        };
        let expected: Vec<Value> = (0..size).map(|case| both(case)[0].clone()).collect();
        let compared = (0..size).map(|case| {
            let [expected, actual] = both(case);
            DifferingCase::compared(&Policy::exact(), case, expected, actual)
        });
        let differing: Vec<DifferingCase> = compared.filter(|it| !it.comparison.is_same()).collect();
        let found = findings_of_changes(&vectors, &[], Some(&expected), &[], &differing);
        for sentence in found.sentences.iter().filter(|it| !it.contains("the other ") || it.contains("   (")) {
            let Some(counts) = Counts::of(sentence) else {
                continue;
            };
            // It is about the changed cases alone.
            if sentence.contains("otherwise") {
                continue;
            }
            let [inside, with] = counts.with;
            let [others, without] = counts.without;
            prop_assert!(inside <= with && others <= without, "{}", sentence);
            prop_assert_eq!(with + without + counts.left_out, size, "{}", sentence);
            if counts.left_out == 0 {
                let meeting: Option<Vec<bool>> = rows.iter().map(|row| meets(row, counts.rule)).collect();
                if let Some(meeting) = meeting {
                    let count = meeting.iter().filter(|it| **it).count();
                    prop_assert_eq!(count, with, "{}", sentence);
                }
            }
        }
    }
}
