//! Sentences about N outputs are true for exactly N outputs. They are parsed and recomputed by code
//! that is independent of the search.

use super::super::*;
use tdg_definition::json::{Number, parse};
use tdg_definition::policy::leads_to;
use tdg_definition::{Definition, Policy};

use proptest::prelude::*;

/// The error of float arithmetic, relative to numbers and to a change.
const FLOAT: (f64, f64) = (1e-12, 1e-3);

/// An expected and an actual output.
pub(super) type Output = (Value, Value);

/// Outputs where a share, in tenths, changes differently from the rest.
#[derive(Clone, Debug)]
struct Outputs {
    expected: Vec<Value>,
    /// The output, with a value in place of `0`.
    around: &'static str,
    functions: [Function; 2],
    share: usize,
}

/// The effect of a bug.
#[derive(Clone, Debug)]
enum Function {
    Add(Vec<i64>),
    Scale(f64, Option<u32>),
    Shift(f64, Option<u32>),
    Bits(u64),
    Absolute,
    Round(u32),
    Cut(u32),
    Constant,
    Error,
    Success,
    Replace(&'static str, &'static str),
    Append(&'static str),
    Lower,
    Truncate(usize),
}

impl Function {
    fn apply(&self, case: usize, value: &Value) -> Value {
        let rounded = |number: f64, decimals: &Option<u32>| match decimals {
            Some(decimals) => {
                let unit = power_of_ten(*decimals as i32);
                (number * unit).round() / unit
            }
            None => number,
        };
        let float = value.as_f64();
        let integer = value
            .as_number()
            .and_then(|it| it.as_i128())
            .map(|it| it as i64);
        match (self, float, value.as_str()) {
            (Self::Add(all), Some(x), _) => {
                let error = all[case * 7 % all.len()];
                integer.map_or((x + error as f64).into(), |it| (it + error).into())
            }
            (Self::Scale(factor, decimals), Some(x), _) => rounded(x * factor, decimals).into(),
            (Self::Shift(offset, decimals), Some(x), _) => rounded(x + offset, decimals).into(),
            (Self::Bits(most), Some(x), _) => {
                f64::from_bits(x.to_bits() + 1 + case as u64 % most).into()
            }
            (Self::Absolute, Some(x), _) => x.abs().into(),
            (Self::Round(decimals), Some(x), _) => rounded(x, &Some(*decimals)).into(),
            (Self::Cut(decimals), Some(x), _) => {
                let unit = power_of_ten(*decimals as i32);
                ((x * unit).trunc() / unit).into()
            }
            (Self::Constant, ..) => Value::Null,
            (Self::Error, ..) => Value::object([("Err", Value::from("lost"))]),
            (Self::Success, ..) => Value::object([("Ok", value.clone())]),
            (Self::Replace(from, to), _, Some(text)) => text.replacen(from, to, 1).into(),
            (Self::Append(end), _, Some(text)) => format!("{text}{end}").into(),
            (Self::Lower, _, Some(text)) => text.to_lowercase().into(),
            (Self::Truncate(length), _, Some(text)) => {
                text.chars().take(*length).collect::<String>().into()
            }
            _ => value.clone(),
        }
    }
}

fn function() -> impl Strategy<Value = Function> {
    let decimals = prop_oneof![Just(None), (0..4_u32).prop_map(Some)];
    prop_oneof![
        prop::collection::vec(-12..13_i64, 1..4).prop_map(Function::Add),
        (
            -30..30_i32,
            prop::sample::select(vec![7.0, 8.0, 10.2]),
            decimals.clone()
        )
            .prop_map(|(it, of, at)| Function::Scale(f64::from(it) / of, at)),
        (-999..999_i32, decimals).prop_map(|(it, at)| Function::Shift(f64::from(it) / 100.0, at)),
        (1..12_u64).prop_map(Function::Bits),
        Just(Function::Absolute),
        (0..4_u32).prop_map(Function::Round),
        (0..3_u32).prop_map(Function::Cut),
        Just(Function::Constant),
        Just(Function::Error),
        Just(Function::Success),
        Just(Function::Replace("only on", "or on")),
        Just(Function::Replace("MB", "MiB")),
        Just(Function::Replace("e", "3")),
        Just(Function::Append(" kg")),
        Just(Function::Lower),
        (1..9_usize).prop_map(Function::Truncate),
    ]
}

fn output() -> impl Strategy<Value = Vec<Value>> {
    let words = prop::sample::select(vec!["MB", "KB", "only on", "Monday", "the", "Fe"]);
    let text = prop::collection::vec(words, 1..6).prop_map(|it| Value::from(it.join(" ")));
    let error = "[a-c]{1,2}".prop_map(|it| Value::object([("Err", Value::from(it))]));
    let size = 3..300_usize;
    prop_oneof![
        prop::collection::vec((-20..1000_i64).prop_map(Value::from), size.clone()),
        prop::collection::vec(any::<i64>().prop_map(|it| (it / 32).into()), size.clone()),
        prop::collection::vec(
            (-9999..99_999_i32).prop_map(|it| (f64::from(it) / 100.0).into()),
            size.clone()
        ),
        prop::collection::vec((-1e3..1e13_f64).prop_map(Value::from), size.clone()),
        prop::collection::vec(text, size.clone()),
        prop::collection::vec(error, size),
    ]
}

/// A value alone, and as a field of a record, a variant, a tuple, and of outputs by `Debug`.
const AROUND: [&str; 7] = [
    "0",
    r#"{"total": 0, "state": "new"}"#,
    r#"{"Paid": {"by": "card", "amount": 0}}"#,
    r#"{"0": 0, "1": true}"#,
    r#"{"$name": "Paid", "amount": 0, "by": {"$name": "Card"}}"#,
    r#"{"$name": "Range", "0": 0, "1": 99}"#,
    r#"{"$name": "Some", "0": 0}"#,
];

fn outputs() -> impl Strategy<Value = Outputs> {
    let around = prop::sample::select(AROUND.to_vec());
    let all = (output(), around, [function(), function()], 0..6_usize);
    all.prop_map(|(expected, around, functions, share)| Outputs {
        expected,
        around,
        functions,
        share,
    })
}

/// Returns an output around a value.
fn wrapped(around: &Value, value: &Value) -> Value {
    match around {
        Value::Number(it) if *it == Number::from(0) => value.clone(),
        Value::Object(members) => {
            let members = members.iter();
            Value::object(members.map(|(name, it)| (name.as_str(), wrapped(it, value))))
        }
        other => other.clone(),
    }
}

/// Returns the changes of these outputs, with the cases that differ.
fn told(outputs: &Outputs) -> (Vec<FieldChange>, Vec<DifferingCase>) {
    let definition = Definition::parse(
        r#"{"features": [{"type": "FLOAT", "distribution": {"type": "uniform", "min": 0, "max": 1}}]}"#,
    );
    let vectors = Vectors::generate(&definition.unwrap(), 0, 300);
    let around = parse(outputs.around).unwrap();
    let all = outputs.expected.iter().enumerate();
    let differing: Vec<DifferingCase> = all
        .map(|(case, expected)| {
            let function = &outputs.functions[usize::from(case * 13 % 10 < outputs.share)];
            let actual = function.apply(case, expected);
            let [expected, actual] = [expected, &actual].map(|it| wrapped(&around, it));
            DifferingCase::compared(&Policy::exact(), case, expected, actual)
        })
        .filter(|it| !it.comparison.is_same())
        .collect();
    let borrowed: Vec<&DifferingCase> = differing.iter().collect();
    let found = changes(&vectors, None, &borrowed, |_| true);
    (found, differing)
}

fn are_in_last_bits((expected, actual): &Output) -> bool {
    let Some((left, right)) = expected.as_number().zip(actual.as_number()) else {
        return false;
    };
    let position = |it: f64| match it.to_bits() as i64 {
        bits if bits < 0 => i64::MIN - bits,
        bits => bits,
    };
    let distance = position(left.as_f64()).abs_diff(position(right.as_f64()));
    let is_float = |it: Number| it.as_i128().is_none_or(|it| it as f64 as i128 == it);
    let are_floats = is_float(left) && is_float(right);
    (left.is_float() || right.is_float()) && are_floats && distance <= 8
}

/// The precision for comparing numbers.
#[derive(Clone, Copy)]
pub(super) struct Nearness {
    /// The maximum number of decimals of expected and of actual numbers.
    pub(super) decimals: (i32, i32),
    /// The tolerance as a multiple of the error of floats.
    pub(super) slack: f64,
}

/// Returns true if the sentence is true for an output.
pub(super) fn is_true(sentence: &str, (expected, actual): &Output, nearness: Nearness) -> bool {
    let json = |text: &str| parse(text).unwrap();
    if let Some(value) = sentence.strip_prefix("became Err(") {
        let value = value.strip_suffix(')').unwrap();
        return actual.get("Err") == Some(&json(value)) && expected.get("Ok").is_some();
    }
    if let Some(value) = sentence.strip_prefix("became Ok(") {
        let value = value.strip_suffix(')').unwrap();
        return actual.get("Ok") == Some(&json(value)) && expected.get("Err").is_some();
    }
    match sentence {
        "an Err became an Ok" => return expected.get("Err").and(actual.get("Ok")).is_some(),
        "an Ok became an Err" => return expected.get("Ok").and(actual.get("Err")).is_some(),
        "actual is null" => return *actual == Value::Null,
        _ => {}
    }
    if let Some((expected, actual)) = expected.as_str().zip(actual.as_str()) {
        return is_true_of_texts(sentence, expected, actual);
    }
    if let Some((from, to)) = sentence.split_once(" became ") {
        return (expected, actual) == (&json(from), &json(to));
    }
    match expected.as_f64().zip(actual.as_f64()) {
        Some(_) => is_true_of_numbers(sentence, expected, actual, nearness),
        None => {
            sentence
                .strip_prefix("actual = ")
                .and_then(|it| parse(it).ok())
                == Some(actual.clone())
        }
    }
}

fn is_true_of_texts(sentence: &str, expected: &str, actual: &str) -> bool {
    let text = |json: &str| parse(json).unwrap().as_str().unwrap().to_owned();
    if let Some((from, to)) = sentence.split_once(" became ") {
        return expected.replace(&text(from), &text(to)) == actual;
    }
    let Some(edit) = sentence.strip_prefix("actual = expected") else {
        return match sentence {
            "actual is empty" => actual.is_empty(),
            "actual is the beginning of expected" => expected.starts_with(actual),
            "actual is the end of expected" => expected.ends_with(actual),
            "actual is a part of expected" => expected.contains(actual),
            "actual contains expected" => actual.contains(expected),
            "only upper and lower case differ" => expected.to_lowercase() == actual.to_lowercase(),
            "actual lacks characters of expected" => {
                let mut rest = expected.chars();
                actual.chars().all(|it| rest.any(|other| other == it))
            }
            other => other == format!("actual = {}", Value::from(actual)),
        };
    };
    let edit = edit.trim_start_matches([',', ' ']);
    let count = |text: &str| {
        let number = text.split(' ').next().unwrap().parse().unwrap_or(1);
        expected.chars().count().saturating_sub(number)
    };
    let kept = |count: usize| expected.chars().take(count).collect::<String>();
    if let Some((to, from)) = edit
        .strip_prefix("with ")
        .and_then(|it| it.split_once(" instead of "))
    {
        return expected.replace(&text(from), &text(to)) == actual;
    }
    if let Some(length) = edit.strip_prefix("truncated to ") {
        return kept(length.split(' ').next().unwrap().parse().unwrap()) == actual;
    }
    if let Some(last) = edit
        .strip_prefix("without its last ")
        .filter(|it| it.contains("char"))
    {
        return kept(count(last)) == actual;
    }
    if let Some(end) = edit.strip_prefix("without the suffix ") {
        return expected.strip_suffix(&*text(end)) == Some(actual);
    }
    if let Some(end) = edit
        .strip_suffix(" appended")
        .and_then(|it| it.strip_prefix("with "))
    {
        return format!("{expected}{}", text(end)) == actual;
    }
    match edit {
        "in lower case" => expected.to_lowercase() == actual,
        "without its last word" => expected.rsplit_once(' ').map_or("", |it| it.0) == actual,
        _ => {
            let missing = edit
                .strip_prefix("without ")
                .unwrap_or_else(|| panic!("{sentence}"));
            expected.replace(&text(missing), "") == actual
        }
    }
}

fn is_true_of_numbers(
    sentence: &str,
    expected: &Value,
    actual: &Value,
    Nearness {
        decimals: most,
        slack,
    }: Nearness,
) -> bool {
    let (x, y) = (expected.as_f64().unwrap(), actual.as_f64().unwrap());
    let read = |text: &str| {
        let text = text.replace('−', "-").replace("- ", "-");
        match text.split_once('/') {
            Some((left, right)) => Some(left.parse::<f64>().ok()? / right.parse::<f64>().ok()?),
            None => text.parse::<f64>().ok(),
        }
    };
    let integer = |value: &Value| value.as_number().and_then(Number::as_i128);
    if let Some((x, y)) = integer(expected).zip(integer(actual))
        && let Some(given) = integer_of(sentence, x)
    {
        return x != y && y == given;
    }
    match sentence {
        "actual > expected" => return y > x,
        "actual < expected" => return y < x,
        _ => {}
    }
    if let Some(band) = sentence
        .strip_suffix(" × expected")
        .filter(|it| it.contains(" to "))
    {
        let (low, high) = band
            .strip_prefix("actual is ")
            .unwrap()
            .split_once(" to ")
            .unwrap();
        return (read(low).unwrap()..=read(high).unwrap()).contains(&(y / x));
    }
    let (formula, is_about) = match sentence.strip_prefix("actual is about ") {
        Some(formula) => (formula, true),
        None => (
            sentence
                .strip_prefix("actual = ")
                .unwrap_or_else(|| panic!("{sentence}")),
            false,
        ),
    };
    if let Some((mode, places)) = formula
        .strip_prefix("expected, ")
        .and_then(|it| it.split_once(" to "))
    {
        let decimals = places.split(' ').next().unwrap().parse().unwrap_or(0);
        let unit = 1.0 / power_of_ten(decimals);
        let (error, slack) = (y - x, x.abs() * f64::EPSILON);
        let is_right = match mode {
            "rounded" => error.abs() <= unit / 2.0 + slack,
            "cut" => error * x <= 0.0 && error.abs() < unit + slack,
            "rounded down" => error <= 0.0 && -error < unit + slack,
            "rounded up" => error >= 0.0 && error < unit + slack,
            _ => panic!("{sentence}"),
        };
        return is_right && decimals_of(actual) <= decimals;
    }
    let given = match formula {
        "−expected" => -x,
        "|expected|" => x.abs(),
        "−|expected|" => -x.abs(),
        "1 / expected" => 1.0 / x,
        _ if formula.starts_with("expected / ") => {
            x / read(formula.trim_start_matches("expected / ")).unwrap()
        }
        "expected²" => x * x,
        _ => match (
            formula.split_once("expected"),
            formula.strip_suffix(" − expected"),
        ) {
            (_, Some(sum)) => read(sum).unwrap() - x,
            (Some((factor, rest)), _) => {
                let factor = factor
                    .strip_suffix(" × ")
                    .map_or(1.0, |it| read(it).unwrap());
                let summand = rest.trim().trim_start_matches("+ ");
                factor * x
                    + if summand.is_empty() {
                        0.0
                    } else {
                        read(summand).unwrap()
                    }
            }
            _ => return parse(formula).is_ok_and(|it| it == *actual),
        },
    };
    let off = (given - y).abs();
    if is_about {
        // Both numbers are rounded: by half a unit of each, times the factor.
        let ratio = (given / x).abs().max(1.0);
        let units = power_of_ten(-most.0) + power_of_ten(-most.1);
        return off < (y - x).abs() && off <= units * ratio;
    }
    // Integers are exact; other numbers may be rounded to their decimals.
    let half = match most.1 {
        decimals @ 1..=8 => 0.5 / power_of_ten(decimals),
        _ => 0.0,
    };
    let change = (y - x).abs();
    off < change && off <= half + slack * ((given.abs() + y.abs()) * FLOAT.0).min(change * FLOAT.1)
}

/// Applies a formula that needs no floats to an integer.
fn integer_of(sentence: &str, x: i128) -> Option<i128> {
    match sentence.strip_prefix("actual = ")? {
        "−expected" => Some(-x),
        "|expected|" => Some(x.abs()),
        formula => {
            let offset = formula.strip_prefix("expected ")?.replace("− ", "-");
            Some(x + offset.replace("+ ", "").parse::<i128>().ok()?)
        }
    }
}

/// Returns the maximum number of decimals.
fn most_decimals<'a>(values: impl Iterator<Item = &'a Value>) -> i32 {
    let numbers = values.filter(|it| it.as_f64().is_some_and(f64::is_finite));
    numbers.map(decimals_of).max().unwrap_or_default()
}

fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap()
}

fn decimals_of(value: &Value) -> i32 {
    let text = value.to_string();
    let decimals = text.split_once('.').map_or("", |it| it.1);
    if decimals == "0" {
        0
    } else {
        decimals.len() as i32
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn claims_about_outputs_hold_for_the_stated_number(outputs in outputs()) {
        let (found, differing) = told(&outputs);
        for change in found {
            let (sentence, holds, cases) = (change.pattern.to_string(), change.holds, change.cases);
            let differences = differing.iter().flat_map(|it| &it.comparison.differences);
            // `/*` is any place of a tuple; a sentence about all of it is one about a list.
            let is_of_field = |it: &&FieldDifference| {
                it.pointer.depth() == change.field.depth() && leads_to(&change.field, &it.pointer)
            };
            if differences.clone().all(|it| it.pointer.depth() > change.field.depth()) {
                continue;
            }
            let of_field: Vec<Output> = differences
                .filter(is_of_field)
                .map(|it| (it.expected.clone().unwrap(), it.actual.clone().unwrap()))
                .collect();
            if sentence.contains(" ULP") {
                let count = of_field.iter().filter(|it| are_in_last_bits(it)).count();
                prop_assert_eq!(count, holds, "{}", sentence);
                continue;
            }
            // A few that are that close by chance belong to the others.
            let close = of_field.iter().filter(|it| are_in_last_bits(it)).count();
            let are_apart = 10 * close > of_field.len() - close;
            let others = of_field.iter().filter(|it| !are_apart || !are_in_last_bits(it));
            prop_assert_eq!(others.clone().count(), cases, "{}", sentence);
            let decimals = (
                most_decimals(others.clone().map(|(expected, _)| expected)),
                most_decimals(others.clone().map(|(_, actual)| actual)),
            );
            let said = |decimals, slack| {
                let nearness = Nearness { decimals, slack };
                others.clone().filter(|it| is_true(&sentence, it, nearness)).count()
            };
            // The sentence doesn't say how close "about" is.
            let is_open = sentence.contains(" about ");
            let so_many = (if is_open { 0 } else { said((0, 0), 0.1) })..=said(decimals, 10.0);
            prop_assert!(so_many.contains(&holds), "{sentence} in {holds}, not {so_many:?}");
        }
    }
}
