mod list_properties;
mod sentences;

use super::*;
use tdg_definition::json::{self, parse};
use tdg_definition::{Definition, Policy};

/// Returns rows of two numbers, a category, a text and a date.
fn rows() -> Vectors {
    let definition = Definition::parse(
        r#"{"features": [
            {"feature_name": "a", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": -10, "max": 10}},
            {"feature_name": "b", "type": "FLOAT",
             "distribution": {"type": "uniform", "min": 0, "max": 100}},
            {"feature_name": "coupon", "type": "STRING",
             "distribution": {"type": "categorical", "categories": [
                {"value": "HALF", "probability": 0.5}, {"value": "NONE", "probability": 0.5}]}},
            {"feature_name": "name", "type": "STRING",
             "distribution": {"type": "pattern", "regex": "[a-z]{3,9}"}},
            {"feature_name": "c", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": -10, "max": 10}}
        ]}"#,
    );
    Vectors::generate(&definition.unwrap(), 0, 500)
}

/// Returns the changes of consecutive cases with these expected and actual outputs.
fn found(vectors: &Vectors, outputs: &[(Value, Value)]) -> Vec<FieldChange> {
    let differing: Vec<DifferingCase> = outputs
        .iter()
        .enumerate()
        .map(|(case, (expected, actual))| {
            DifferingCase::compared(&Policy::exact(), case, expected.clone(), actual.clone())
        })
        .filter(|differing| !differing.comparison.is_same())
        .collect();
    let differing: Vec<&DifferingCase> = differing.iter().collect();
    changes(vectors, None, &differing, |_| true)
}

/// Describes the changes of consecutive cases.
fn told(outputs: &[(Value, Value)]) -> String {
    let line = |change: &FieldChange| {
        let FieldChange {
            field,
            cases,
            holds,
            pattern,
            ..
        } = change;
        format!("{field}{pattern} in {holds} of {cases}")
    };
    let changes = found(&rows(), outputs);
    changes.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Describes these expected and actual outputs, given as JSON.
fn pattern(expected: &[&str], actual: &[&str]) -> String {
    let both = expected.iter().zip(actual);
    let both = both.map(|(expected, actual)| (parse(expected).unwrap(), parse(actual).unwrap()));
    told(&both.collect::<Vec<_>>())
}

/// Describes numbers, where a function of each gives the actual one.
fn of_numbers(actual: impl Fn(f64) -> f64) -> String {
    let expected = [120.5, -88.0, 704.99, 15.25, 3.1875, 0.007];
    told(&expected.map(|it| (it.into(), actual(it).into())))
}

/// Describes texts, where a function of each gives the actual one.
fn of_texts(actual: impl Fn(&str) -> String) -> String {
    let expected = [
        "The red Fox",
        "a lazy, lazy Dog",
        "Jumps over",
        "nothing much",
        "et al. (2)",
    ];
    told(&expected.map(|it| (it.into(), actual(it).into())))
}

/// Describes arrays of numbers, where a function of each gives the actual one.
fn of_lists(actual: impl Fn(&[i64]) -> Vec<i64>) -> String {
    let expected: [&[i64]; 5] = [
        &[3, -1, 4, 1],
        &[5, -9, 2],
        &[-6, 5, 3, 5, 8],
        &[9, 7, -9, 3],
        &[2, 3, 8, 4, 6, 2],
    ];
    let list = |list: &[i64]| -> Value {
        list.iter()
            .map(|it| Value::from(*it))
            .collect::<Vec<_>>()
            .into()
    };
    told(&expected.map(|it| (list(it), list(&actual(it)))))
}

/// Describes the numbers if a row gives the expected and the actual one.
fn of_rows(size: usize, of: impl Fn(&Vectors, usize) -> (Value, Value)) -> String {
    let vectors = rows();
    told(&(0..size).map(|row| of(&vectors, row)).collect::<Vec<_>>())
}

fn number(vectors: &Vectors, position: usize, row: usize) -> f64 {
    features::value(vectors, position, row).as_f64().unwrap()
}

#[test]
fn the_most_frequent_replacement_is_reported_for_elements_and_debug_texts() {
    let units = |case: usize| ["MB", "KB", "GB"][case * case % 7 % 3];
    let with_i = |unit: &str| unit.replace('B', "iB");
    let list = |case: usize, unit: &str| -> Value {
        let elements = (0..case % 5 + 1).map(|at| format!("{} {unit}", 7 * case + at).into());
        elements.collect::<Vec<_>>().into()
    };
    let lists = (0..60).map(|case| (list(case, units(case)), list(case, &with_i(units(case)))));
    insta::assert_snapshot!(told(&lists.collect::<Vec<_>>()), @r#"
    actual has as many elements, with other values in 60 of 60
    /*actual = expected with "KiB" instead of "KB" in 34 of 60
    "#);
    let by_debug = |case: usize, unit: &str| {
        Value::object([(
            "$text",
            format!("{case} {unit} of {}", case * 31 % 7).into(),
        )])
    };
    let texts = (0..60).map(|case| {
        let unit = units(case);
        (by_debug(case, unit), by_debug(case, &with_i(unit)))
    });
    insta::assert_snapshot!(told(&texts.collect::<Vec<_>>()), @r#"/$textactual = expected with "KiB" instead of "KB" in 34 of 60"#);
}

#[test]
fn numbers_by_a_constant() {
    insta::assert_snapshot!(of_numbers(|x| x * 0.97), @"actual = 0.97 × expected in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| x * 1e-3), @"actual = 0.001 × expected in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| -2.0 * x), @"actual = −2 × expected in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| x - 12.25), @"actual = expected − 12.25 in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| x + 0.1), @"actual = expected + 0.1 in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| 0.943 * x + 1.08), @"actual = 0.943 × expected + 1.08 in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| 100.0 - x), @"actual = 100 − expected in 6 of 6");
    insta::assert_snapshot!(pattern(&["0", "10", "250"], &["5", "15", "255"]), @"actual = expected + 5 in 3 of 3");
}

#[test]
fn constants_that_are_fractions() {
    insta::assert_snapshot!(of_numbers(|x| x / 1.5), @"actual = 2/3 × expected in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| x / 3600.0), @"actual = expected / 3600 in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| x / 1.02), @"actual = expected / 1.02 in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| x / -0.95), @"actual = expected / −0.95 in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| x - 1.0 / 3.0), @"actual = expected − 1/3 in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| x * 5.0 / 9.0 - 160.0 / 9.0), @"actual = 5/9 × expected − 160/9 in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| x * 0.123456789), @"actual = 0.123456789 × expected in 6 of 6");
}

#[test]
fn integers_that_floats_do_not_have() {
    let expected = [
        i128::from(u64::MAX),
        -(1 << 61) - 1,
        77,
        1 << 60,
        (1 << 100) + 3,
    ];
    let of =
        |actual: fn(i128) -> i128| told(&expected.map(|it| (Value::from(it), actual(it).into())));
    insta::assert_snapshot!(of(|x| x + 1), @"actual = expected + 1 in 5 of 5");
    insta::assert_snapshot!(of(|x| x - 1024), @"actual = expected − 1024 in 5 of 5");
    insta::assert_snapshot!(of(|x| -x), @"actual = −expected in 5 of 5");
    insta::assert_snapshot!(of(|x| x + (x & 15)), @"");
}

#[test]
fn functions_of_numbers() {
    insta::assert_snapshot!(of_numbers(|x| -x), @"actual = −expected in 6 of 6");
    insta::assert_snapshot!(of_numbers(|x| -x.abs()), @"actual = −expected in 5 of 5");
    insta::assert_snapshot!(of_numbers(f64::round), @"actual = expected, rounded to whole numbers in 5 of 5");
    insta::assert_snapshot!(of_numbers(f64::floor), @"actual = expected, cut to whole numbers in 5 of 5");
    insta::assert_snapshot!(of_numbers(|x| (x * 10.0).round() / 10.0), @"actual = expected, rounded to 1 decimal in 4 of 4");
    // An error of a hundredth isn't a rounding to hundredths.
    insta::assert_snapshot!(pattern(&["1.234", "2.345", "7.891"], &["1.23", "2.35", "7.88"]), @"");
}

#[test]
fn a_ratio_of_numbers_that_are_rounded_afterwards() {
    let expected = ["120.50", "88.00", "704.99", "15.25", "31.18"];
    let actual = ["116.89", "85.36", "683.84", "14.79", "30.24"];
    insta::assert_snapshot!(pattern(&expected, &actual), @"actual = 0.97 × expected in 5 of 5");
}

#[test]
fn rounding_is_not_taken_for_a_ratio() {
    let outputs = |pairs: &[(i64, i64)]| {
        told(
            &pairs
                .iter()
                .map(|(left, right)| ((*left).into(), (*right).into()))
                .collect::<Vec<_>>(),
        )
    };
    // 0.98611111111 would be within the rounding of each, if that were linear.
    insta::assert_snapshot!(outputs(&[(8, 7), (6, 5), (3, 4), (4, 5), (5, 6), (6, 7)]), @"");
    insta::assert_snapshot!(outputs(&[(36, 35), (3, 4), (35, 36)]), @"");
    insta::assert_snapshot!(outputs(&[(1, 2), (2, 3), (7, 9)]), @"");
    // Three of such small numbers may be off by the same by chance.
    insta::assert_snapshot!(outputs(&[(3, 4), (4, 5), (5, 6)]), @"");
    let numbers: Vec<_> = (0..12).map(|it| (3 * it, 3 * it + 1)).collect();
    insta::assert_snapshot!(outputs(&numbers), @"actual = expected + 1 in 12 of 12");
}

#[test]
fn most_numbers() {
    let outputs = |ratio: fn(usize) -> f64| {
        let outputs = (0..40).map(|case| {
            let expected = (case * case) as f64 / 7.0 + 12.5;
            (expected.into(), (expected * ratio(case)).into())
        });
        told(&outputs.collect::<Vec<_>>())
    };
    insta::assert_snapshot!(outputs(|case| if case % 10 == 0 { 1.7 } else { 1.111 }), @"
    actual > expected in 40 of 40
    actual = 1.111 × expected in 36 of 40
    ");
    insta::assert_snapshot!(outputs(|case| if case % 3 == 0 { 1.0 + case as f64 / 3.0 } else { -1.0 }), @"actual = −expected in 26 of 39");
    insta::assert_snapshot!(outputs(|case| 0.3 + (case * 31 % 37) as f64 / 80.0), @"actual < expected in 40 of 40");
}

#[test]
fn features_of_the_row() {
    insta::assert_snapshot!(of_rows(20, |it, row| {
        ((row as f64 / 7.0).into(), features::value(it, 1, row))
    }), @"actual = b in 20 of 20");
    insta::assert_snapshot!(of_rows(20, |it, row| {
        ("?".into(), features::value(it, 3, row))
    }), @"actual = name in 20 of 20");
    insta::assert_snapshot!(of_rows(60, |it, row| {
        ((row as f64 / 7.0).into(), features::value(it, if row % 3 == 0 { 0 } else { 4 }, row))
    }), @"actual = a or c in 60 of 60");
    insta::assert_snapshot!(of_rows(40, |it, row| {
        let larger = number(it, 0, row).max(number(it, 4, row));
        ((100 + row as i64).into(), larger.into())
    }), @"actual = largest of a and c in 40 of 40");
    insta::assert_snapshot!(of_rows(20, |it, row| {
        let expected = (row * row) as f64 / 3.0;
        (expected.into(), (expected + 21.8 * number(it, 1, row)).into())
    }), @"actual = expected + 21.8 × b in 20 of 20");
    insta::assert_snapshot!(of_rows(20, |it, row| {
        let expected = (row * row) as f64 / 3.0;
        (expected.into(), (expected - number(it, 1, row)).into())
    }), @"actual = expected − b in 20 of 20");
    insta::assert_snapshot!(of_rows(30, |it, row| {
        let expected = (row * row) as f64 / 3.0 + 1.0;
        let is_half = features::value(it, 2, row) == "HALF".into();
        (expected.into(), (expected * if is_half { 1.1 } else { 1.25 }).into())
    }), @r#"actual = 1.1 × expected where coupon = "HALF", 1.25 × expected where "NONE" in 30 of 30"#);
}

#[test]
fn one_value_everywhere() {
    let expected = ["1", "2", "3", "4", "9"];
    insta::assert_snapshot!(pattern(&expected, &["null"; 5]), @"actual is null in 5 of 5");
    insta::assert_snapshot!(pattern(&expected, &["0"; 5]), @"");
    insta::assert_snapshot!(pattern(&expected, &["\"\""; 5]), @"actual is empty in 5 of 5");
    insta::assert_snapshot!(pattern(&expected, &[r#"{"$float":"NaN"}"#; 5]), @"actual = NaN in 5 of 5");
    insta::assert_snapshot!(pattern(&["null"; 4], &["null"; 4]), @"");
}

#[test]
fn one_value_became_another() {
    let cases = |expected: &str, actual: &str, count: usize| {
        pattern(&vec![expected; count], &vec![actual; count])
    };
    insta::assert_snapshot!(cases("1.0", "1.1", 20), @"1.0 became 1.1 in 20 of 20");
    insta::assert_snapshot!(cases("true", "false", 20), @"true became false in 20 of 20");
    insta::assert_snapshot!(cases("null", "0", 5), @"null became 0 in 5 of 5");
    insta::assert_snapshot!(cases("5", r#"{"$panic":"five"}"#, 5), @r#"5 became a panic with "five" in 5 of 5"#);
    let [from, to] = [r#"{"Err":"far"}"#, r#"{"Ok":{"$name":"Parcel","grams":7}}"#];
    let [from, to] = [from, to].map(|it| parse(it).unwrap());
    let became = ChangePattern::Became { from, to }.to_string();
    insta::assert_snapshot!(became, @r#"Err("far") became Ok(Parcel { grams: 7 })"#);
    // For booleans, this may be chance.
    insta::assert_snapshot!(cases("true", "false", 6), @"");
    // One value was expected everywhere: many patterns would fit.
    insta::assert_snapshot!(pattern(&["null"; 4], &["1", "2", "3", "4"]), @"");
}

#[test]
fn errors() {
    let ok = [1, 2, 7, 9, 4].map(|it| format!(r#"{{"Ok":{it}}}"#));
    let ok = ok.each_ref().map(String::as_str);
    insta::assert_snapshot!(pattern(&ok, &[r#"{"Err":"TooManyClaims"}"#; 5]), @r#"became Err("TooManyClaims") in 5 of 5"#);
    let errors =
        ["us", "ms", "h", "d", "y"].map(|unit| format!(r#"{{"Err":"unknown time unit {unit}"}}"#));
    insta::assert_snapshot!(pattern(&ok, &errors.each_ref().map(String::as_str)), @r#"became Err("unknown time unit …") in 5 of 5"#);
    let parsed = |outcome: &str| format!(r#"{{"id":7,"parsed":{outcome}}}"#);
    let expected = ok.map(parsed);
    let actual = errors.each_ref().map(|it| parsed(it));
    insta::assert_snapshot!(pattern(
        &expected.each_ref().map(String::as_str),
        &actual.each_ref().map(String::as_str),
    ), @r#"/parsedbecame Err("unknown time unit …") in 5 of 5"#);
}

#[test]
fn dates_and_times() {
    let text = |texts: [&str; 4], actual: [&str; 4]| {
        told(&std::array::from_fn::<_, 4, _>(|it| {
            (texts[it].into(), actual[it].into())
        }))
    };
    let days = ["2020-02-28", "2021-12-31", "2019-07-15", "2024-01-01"];
    insta::assert_snapshot!(text(days, ["2020-02-29", "2022-01-01", "2019-07-16", "2024-01-02"]), @"one day later in 4 of 4");
    insta::assert_snapshot!(text(days, ["2020-02-14", "2021-12-17", "2019-07-01", "2023-12-18"]), @"2 weeks earlier in 4 of 4");
    insta::assert_snapshot!(text(days, ["2020-03-28", "2022-01-31", "2019-08-15", "2024-02-01"]), @"one month later in 4 of 4");
    insta::assert_snapshot!(text(days, ["2019-02-28", "2020-12-31", "2018-07-15", "2023-01-01"]), @"one year earlier in 4 of 4");
    insta::assert_snapshot!(text(
        ["2020-02-28T10:00:00Z", "2021-12-31T23:30:00Z", "2019-07-15T00:00:01Z", "2024-01-01T12:00:00Z"],
        ["2020-02-28T12:00:00Z", "2022-01-01T01:30:00Z", "2019-07-15T02:00:01Z", "2024-01-01T14:00:00Z"],
    ), @"2 hours later in 4 of 4");
    insta::assert_snapshot!(text(
        ["2020-W05", "2020-W53", "2019-W20", "2018-W52"],
        ["2020-W06", "2021-W01", "2019-W21", "2019-W01"],
    ), @"one week later in 4 of 4");
    insta::assert_snapshot!(text(days, ["2020-02-29", "2022-01-05", "2017-07-16", "2024-03-02"]), @"");
}

#[test]
fn texts() {
    insta::assert_snapshot!(of_texts(str::to_lowercase), @"actual = expected, in lower case in 3 of 3");
    insta::assert_snapshot!(of_texts(|it| it.chars().rev().collect()), @"actual = expected with its characters reversed in 5 of 5");
    insta::assert_snapshot!(of_texts(|it| it.chars().take(6).collect()), @"actual = expected, truncated to 6 characters in 5 of 5");
    insta::assert_snapshot!(of_texts(|it| it[..it.len() - 2].to_owned()), @"actual = expected without its last 2 characters in 5 of 5");
    insta::assert_snapshot!(of_texts(|it| it[1..].to_owned()), @"actual = expected without its first character in 5 of 5");
    insta::assert_snapshot!(of_texts(|it| format!("- {it}")), @r#"actual = expected with "- " prepended in 5 of 5"#);
    insta::assert_snapshot!(of_texts(|it| format!("{it}.")), @r#"actual = expected with "." appended in 5 of 5"#);
    insta::assert_snapshot!(of_texts(|it| it.replace(' ', "_")), @r#"actual = expected with "_" instead of " " in 5 of 5"#);
    insta::assert_snapshot!(of_texts(|it| it.replace(['e', 'u', 'a', 'h'], "")), @"actual lacks characters of expected in 5 of 5");
    insta::assert_snapshot!(of_texts(|it| it.replace(' ', "")), @"actual = expected without white space in 5 of 5");
    insta::assert_snapshot!(of_texts(|it| it.chars().map(|it| if it < 'f' { it.to_ascii_uppercase() } else { it }).collect()), @"only upper and lower case differ in 5 of 5");
    insta::assert_snapshot!(of_texts(|it| it[..it.len() / 2].to_owned()), @"actual is the beginning of expected in 5 of 5");
    insta::assert_snapshot!(of_texts(|it| it.bytes().map(|it| char::from(b'a' + it % 17)).collect()), @"");
}

#[test]
fn arrays() {
    insta::assert_snapshot!(of_lists(|it| it.iter().rev().copied().collect()), @"actual = expected, reversed in 5 of 5");
    insta::assert_snapshot!(of_lists(|it| { let mut it = it.to_vec(); it.sort_unstable(); it }), @"actual = expected, sorted in 5 of 5");
    insta::assert_snapshot!(of_lists(|it| it[1..].to_vec()), @"actual = expected without its first element in 5 of 5");
    insta::assert_snapshot!(of_lists(|it| [it, &[0]].concat()), @"actual = expected with 0 appended in 5 of 5");
    insta::assert_snapshot!(of_lists(|it| [it, &[0, 0, 0, 0, 0, 0, 0][it.len()..]].concat()), @"actual = expected, padded with 0 to 7 elements in 5 of 5");
    insta::assert_snapshot!(of_lists(|it| it.iter().map(|it| it.abs()).collect()), @"actual = expected without the signs of its elements in 4 of 4");
    insta::assert_snapshot!(of_lists(|it| it.iter().map(|it| it * 10).collect()), @"/*actual = 10 × expected in 5 of 5");
    insta::assert_snapshot!(of_lists(|it| [&it[..it.len() - 1], &[it[0] * 7 % 13]].concat()), @"only the last element differs in 5 of 5");
    insta::assert_snapshot!(of_lists(|it| it[..it.len() / 2].to_vec()), @"actual is the beginning of expected in 5 of 5");
    insta::assert_snapshot!(of_lists(|it| it.iter().map(|it| it * it % 11).collect()), @"actual has as many elements, with other values in 5 of 5");
}

#[test]
fn texts_that_are_lists() {
    insta::assert_snapshot!(pattern(
        &[r#""1,0,-7""#, r#""5,-2""#, r#""2,5,-4""#, r#""0,1,-2""#, r#""2,6,-8""#],
        &[r#""-1,0,-7""#, r#""-5,-2""#, r#""-2,-5,-4""#, r#""0,-1,-2""#, r#""-2,-6,-8""#],
    ), @"actual = expected with a minus before all elements in 5 of 5");
    insta::assert_snapshot!(pattern(
        &[r#""1,0,-7""#, r#""5,-2""#, r#""2,5,-4""#, r#""0,1,-2""#, r#""2,6,-8""#],
        &[r#""1,0""#, r#""5""#, r#""2,5""#, r#""0,1""#, r#""2,6""#],
    ), @"actual = expected without its last element in 5 of 5");
}

#[test]
fn numbers_without_a_pattern_and_few_numbers() {
    insta::assert_snapshot!(of_numbers(|x| x.abs().sqrt() + x * x), @"");
    insta::assert_snapshot!(pattern(&["1.5", "2.5"], &["3", "5"]), @"");
    insta::assert_snapshot!(pattern(&["1e300", "-1e300", "1"], &["-1e300", "1e300", "2"]), @"");
}

#[test]
fn each_field_has_its_own_pattern() {
    let object = |net: f64, tax: f64| {
        parse(&format!(
            r#"{{"lines":[{{"tax":{tax}}}],"net":{net},"seller":"x"}}"#
        ))
        .unwrap()
    };
    let net = [100.5, 80.25, 17.0];
    insta::assert_snapshot!(told(&net.map(|net| (object(net, net * 2.0), object(net + 1.0, net)))), @"
    /lines/*/taxactual = 0.5 × expected in 3 of 3
    /netactual = expected + 1 in 3 of 3
    ");
}

/// Generates numbers from 0 to below 1, by xorshift.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, end: usize) -> usize {
        (self.number() * end as f64) as usize
    }

    fn text(&mut self, characters: &str, least: usize, most: usize) -> String {
        let characters: Vec<char> = characters.chars().collect();
        let length = least + self.below(most + 1 - least);
        (0..length)
            .map(|_| characters[self.below(characters.len())])
            .collect()
    }

    fn value(&mut self, kind: &str) -> Value {
        match kind {
            "digits" => (self.below(10) as i64).into(),
            "signed" => (self.below(21) as i64 - 10).into(),
            "integers" => (self.below(100_000) as i64).into(),
            "prices" => ((self.number() * 1e5).round() / 100.0).into(),
            "floats" => (self.number() * 100.0 - 50.0).into(),
            "bools" => (self.below(2) == 0).into(),
            "optional" if self.below(3) == 0 => Value::Null,
            "optional" => (self.below(30) as i64).into(),
            "enums" => ["open", "closed", "gone", "new"][self.below(4)].into(),
            "words" => self.text("abcdefghij", 1, 8).into(),
            "letters" => self.text("ab", 0, 3).into(),
            "sentences" => self.text("abcdefgh  ", 10, 40).into(),
            "dates" => {
                let mut text = String::new();
                tdg_definition::calendar::write_date(&mut text, 18_000 + self.below(1000) as i64);
                text.into()
            }
            "results" if self.below(2) == 0 => parse(r#"{"Err":"not found"}"#).unwrap(),
            "results" => Value::object([("Ok", Value::from(self.below(50) as i64))]),
            "lists" => {
                let length = self.below(5);
                let mut number = |_| Value::from(self.below(5) as i64);
                (0..length).map(&mut number).collect::<Vec<_>>().into()
            }
            "triples" => {
                let mut number = |_| Value::from(self.below(100) as i64);
                (0..3).map(&mut number).collect::<Vec<_>>().into()
            }
            _ => self
                .text("0123", 1, 4)
                .chars()
                .map(String::from)
                .collect::<Vec<_>>()
                .join(",")
                .into(),
        }
    }
}

/// The kinds of random outputs.
const KINDS: [&str; 16] = [
    "digits",
    "signed",
    "integers",
    "prices",
    "floats",
    "bools",
    "optional",
    "enums",
    "words",
    "letters",
    "sentences",
    "dates",
    "results",
    "lists",
    "triples",
    "comma lists",
];

/// Returns the sets of random outputs with a pattern for each kind, out of `sets`.
fn spurious(sets: usize) -> Vec<(&'static str, Vec<String>)> {
    let vectors = rows();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut spurious = Vec::new();
    for kind in KINDS {
        let mut lines = Vec::new();
        for _ in 0..sets {
            let size = 3 + random.below(58);
            let start = random.below(400);
            let mut differing = Vec::new();
            for case in start..start + size {
                let (expected, actual) = (random.value(kind), random.value(kind));
                let policy = Policy::exact();
                let one = DifferingCase::compared(&policy, case, expected, actual);
                differing.extend((!one.comparison.is_same()).then_some(one));
            }
            let differing: Vec<&DifferingCase> = differing.iter().collect();
            let known: Vec<Value> = (0..500).map(|_| random.value(kind)).collect();
            let known = size.is_multiple_of(2).then_some(&*known);
            let found = changes(&vectors, known, &differing, |_| true);
            let line = |it: &FieldChange| format!("{} in {} of {}", it.pattern, it.holds, it.cases);
            lines.extend(found.iter().map(line));
        }
        spurious.push((kind, lines));
    }
    spurious
}

#[test]
fn random_outputs_have_no_pattern() {
    for (kind, lines) in spurious(60) {
        assert_eq!(lines, Vec::<String>::new(), "{kind}");
    }
}

/// `cargo test --release -p tdg-explain --lib many_random -- --ignored --nocapture`
#[test]
#[ignore = "takes a minute"]
fn many_random_outputs_seldom_have_a_pattern() {
    const SETS: usize = 1000;
    let found = spurious(SETS);
    for (kind, lines) in &found {
        println!("{kind}: {} of {SETS}: {lines:?}", lines.len());
    }
    for (kind, lines) in found {
        assert!(lines.len() * 500 <= SETS, "{kind}: {lines:?}");
    }
}

#[test]
fn integers_that_differ_by_several_numbers_have_no_offset() {
    let errors = |errors: [i64; 3]| {
        let outputs = (0..41_i64).map(|case| {
            let expected = case * case * 7 % 1000;
            (
                expected.into(),
                (expected + errors[(case % 3) as usize]).into(),
            )
        });
        told(&outputs.collect::<Vec<_>>())
    };
    insta::assert_snapshot!(errors([1, 2, 3]), @"actual > expected in 41 of 41");
    insta::assert_snapshot!(errors([9, 10, 11]), @"actual is about expected + 10 in 41 of 41");
    insta::assert_snapshot!(errors([12, 12, 12]), @"actual = expected + 12 in 41 of 41");
}

#[test]
fn differences_in_the_last_bits_are_separate() {
    let outputs = |size: usize, actual: fn(usize, f64) -> f64| {
        let outputs = (0..size).map(|case| {
            let expected = (case * case) as f64 / 7.0 + 12.5;
            (expected.into(), actual(case, expected).into())
        });
        told(&outputs.collect::<Vec<_>>())
    };
    let noisy = |case: usize, x: f64| f64::from_bits(x.to_bits() + 1 + (case % 6) as u64);
    insta::assert_snapshot!(outputs(9, noisy), @"differs by at most 6 ULP in 9 of 9");
    insta::assert_snapshot!(outputs(30, |case, x| match case % 3 {
        0 => f64::from_bits(x.to_bits() + 1 + (case % 6) as u64),
        _ => 1.25 * x,
    }), @"
    actual = 1.25 × expected in 20 of 20
    differs by at most 4 ULP in 10 of 10
    ");
}

#[test]
fn rounded_integers_are_about_a_ratio() {
    let outputs = |ratio: f64| {
        let outputs = (0..40_i64).map(|case| {
            let expected = 300 + case * case * 37 % 5000;
            let actual = (expected as f64 * ratio).round() as i64;
            (expected.into(), actual.into())
        });
        told(&outputs.collect::<Vec<_>>())
    };
    let halves = (0..100_i64).map(|case| {
        let sum = 12 + case * case * 37 % 3000;
        ((sum / 2).into(), (sum / 3).into())
    });
    insta::assert_snapshot!(told(&halves.collect::<Vec<_>>()), @"actual is about 0.667 × expected in 100 of 100");
    insta::assert_snapshot!(outputs(0.97), @"actual is about 0.97 × expected in 40 of 40");
    insta::assert_snapshot!(outputs(3.0), @"actual = 3 × expected in 40 of 40");
}

#[test]
fn approximate_factors_of_categories_are_short() {
    let vectors = rows();
    let coupons = json::parse(&vectors.to_json()).unwrap();
    let coupons = coupons.as_array().unwrap().iter();
    let is_half = coupons.map(|row| row.as_array().unwrap()[2].as_str() == Some("HALF"));
    let outputs = is_half.enumerate().take(200).map(|(case, is_half)| {
        let cents = 31_000 + (case * case * 37 % 5000) as i64;
        let factor = if is_half { 10001.0625 } else { 0.012345678 };
        // Divided among three.
        let share = |cents: f64| ((cents / 3.0) as i64).into();
        (share(cents as f64), share(cents as f64 * factor))
    });
    insta::assert_snapshot!(told(&outputs.collect::<Vec<_>>()), @r#"actual is about 10000 × expected where coupon = "HALF", 0.0123 × expected where "NONE" in 200 of 200"#);
}

#[test]
fn an_outcome_that_became_another() {
    let outputs = |expected: fn(i64) -> String, actual: fn(i64) -> String| {
        let both = (0..12).map(|case| {
            let read = |text: String| parse(&text).unwrap();
            (read(expected(case)), read(actual(case)))
        });
        told(&both.collect::<Vec<_>>())
    };
    let error = |case| format!(r#"{{"Err":"no {}"}}"#, case * case % 7);
    let ok = |case| format!(r#"{{"Ok":{}}}"#, case * case * 7 % 100);
    insta::assert_snapshot!(outputs(error, ok), @"an Err became an Ok in 12 of 12");
    insta::assert_snapshot!(outputs(error, |_| r#"{"Ok":null}"#.into()), @"became Ok(null) in 12 of 12");
    insta::assert_snapshot!(outputs(ok, |case| format!(r#"{{"Err":{case}}}"#)), @"an Ok became an Err in 12 of 12");
    insta::assert_snapshot!(outputs(|case| case.to_string(), |_| r#"{"$panic":"too far"}"#.into()), @r#"panicked with "too far" in 12 of 12"#);
}

#[test]
fn substitutions() {
    let units = ["KB", "MB", "GB", "TB"];
    let outputs = (0..60_usize).map(|case| {
        let number = case * case * 7 % 1000;
        let unit = units[if case % 2 == 0 { 1 } else { case % 4 }];
        let binary = unit.replace('B', "iB");
        (
            format!("{number} {unit} free").into(),
            format!("{number} {binary} free").into(),
        )
    });
    insta::assert_snapshot!(told(&outputs.collect::<Vec<_>>()), @r#"actual = expected with "MiB" instead of "MB" in 45 of 60"#);
    let few = (0..60_usize).map(|case| {
        let (number, unit) = (case * case * 7 % 1000, units[case % 4]);
        let binary = unit.replace('B', "iB");
        (
            format!("{number} {unit} free").into(),
            format!("{number} {binary} free").into(),
        )
    });
    insta::assert_snapshot!(told(&few.collect::<Vec<_>>()), @r#""TB" became "TiB" in 15 of 60"#);
    let days = ["Monday", "Friday", "Sunday"];
    let texts = (0..30_usize).map(|case| {
        let text = format!("at {}:00, only on {}", case * 7 % 24, days[case % 3]);
        (text.clone().into(), text.replace("only on", "or on").into())
    });
    insta::assert_snapshot!(told(&texts.collect::<Vec<_>>()), @r#"actual = expected with "or" instead of "only" in 30 of 30"#);
    let texts = (0..30_usize).map(|case| {
        let text = format!("at {}:00, only on {}", case * 7 % 24, days[case % 3]);
        (text.clone().into(), text.replace("only ", "").into())
    });
    insta::assert_snapshot!(told(&texts.collect::<Vec<_>>()), @r#"actual = expected with "on" instead of "only on" in 30 of 30"#);
}

#[test]
fn elements_of_tuples() {
    let tuple = |case: i64, net: i64, name: &str| {
        let text = format!("[{case},{net},\"{name}\",{}]", case * 31 % 17);
        parse(&text).unwrap()
    };
    let outputs = (0..40_i64).map(|case| {
        let net = case * case * 7 % 1000;
        (tuple(case, net, "x"), tuple(case, net + 5, "x"))
    });
    insta::assert_snapshot!(told(&outputs.collect::<Vec<_>>()), @"
    only element 1 (of 4) differs in 40 of 40
    /1actual = expected + 5 in 40 of 40
    ");
    let outputs = (0..40_i64).map(|case| {
        let net = case * case * 7 % 1000;
        let name = format!("name {case}");
        let other = if case % 2 == 0 {
            name.to_uppercase()
        } else {
            name.clone()
        };
        (tuple(case, net, &name), tuple(case, 2 * net + 1, &other))
    });
    insta::assert_snapshot!(told(&outputs.collect::<Vec<_>>()), @"
    /1actual = 2 × expected + 1 in 40 of 40
    /2actual = expected, in upper case in 20 of 20
    ");
}

#[test]
fn a_constant_is_never_a_cause() {
    let definition = Definition::parse(
        r#"{"features": [
            {"feature_name": "letter", "type": "STRING",
             "distribution": {"type": "pattern", "regex": "[a-z]{5}"}}
        ]}"#,
    );
    let vectors = Vectors::generate(&definition.unwrap(), 0, 40);
    let outputs = (0..40_i64).map(|case| {
        let expected = case * case * 7 % 1000;
        (expected.into(), (expected + 5).into())
    });
    let found = found(&vectors, &outputs.collect::<Vec<_>>());
    assert_eq!(found[0].pattern.to_string(), "actual = expected + 5");
    assert_eq!(found.len(), 1);
}

#[test]
fn long_integers_stay_whole() {
    let of = |offset: i128| {
        let outputs = (0..20_i128).map(|case| {
            let expected = case * case * 7 % 1000;
            (expected.into(), (expected + offset).into())
        });
        told(&outputs.collect::<Vec<_>>())
    };
    insta::assert_snapshot!(of(1_234_567), @"actual = expected + 1234567 in 20 of 20");
    insta::assert_snapshot!(of(-(1 << 32)), @"actual = expected − 4294967296 in 20 of 20");
    insta::assert_snapshot!(of((1 << 53) + 1), @"actual = expected + 9007199254740993 in 20 of 20");
    insta::assert_snapshot!(of(i128::from(u64::MAX)), @"actual = expected + 18446744073709551615 in 20 of 20");
    insta::assert_snapshot!(of_numbers(|x| x * 1_234_567.0), @"actual = 1234567 × expected in 6 of 6");
}

#[test]
fn decimals_that_are_cut_off() {
    let of = |decimals: u32, actual: fn(f64) -> f64| {
        let unit = 10_u64.pow(decimals) as f64;
        let outputs = (0..60_i64).map(|case| {
            let expected = (case * case * 7919 % 100_000 - 20_000) as f64 / (10.0 * unit);
            (expected.into(), (actual(expected * unit) / unit).into())
        });
        told(&outputs.collect::<Vec<_>>())
    };
    insta::assert_snapshot!(of(1, f64::trunc), @"actual = expected, cut to 1 decimal in 54 of 54");
    insta::assert_snapshot!(of(2, f64::trunc), @"actual = expected, cut to 2 decimals in 54 of 54");
    insta::assert_snapshot!(of(2, f64::floor), @"actual = expected, rounded down to 2 decimals in 54 of 54");
    insta::assert_snapshot!(of(2, f64::ceil), @"actual = expected, rounded up to 2 decimals in 55 of 55");
    insta::assert_snapshot!(of(2, f64::round), @"actual = expected, rounded to 2 decimals in 54 of 54");
    insta::assert_snapshot!(of(0, f64::trunc), @"actual = expected, cut to whole numbers in 54 of 54");
}

#[test]
fn texts_with_commas_are_lists_if_nothing_is_lost() {
    let of = |actual: fn(&str) -> String| {
        let texts = (0..20_i64).map(|case| {
            let text = format!("{}.5,{},3", case * case * 7 % 90, case * 31 % 17);
            (text.as_str().into(), actual(&text).into())
        });
        told(&texts.collect::<Vec<_>>())
    };
    insta::assert_snapshot!(of(|it| it.replace(',', ", ")), @"only white space differs in 20 of 20");
    insta::assert_snapshot!(of(|it| it.replace(',', " ,")), @"only white space differs in 20 of 20");
    insta::assert_snapshot!(of(|it| it.replace(',', ",\n")), @"only white space differs in 20 of 20");
    insta::assert_snapshot!(of(|it| it.replace(".5", ".50")), @r#"actual = expected with "50" instead of "5" in 16 of 20"#);
    insta::assert_snapshot!(of(|it| it.split(',').rev().collect::<Vec<_>>().join(",")), @"actual = expected with elements 0 and 2 swapped in 20 of 20");
}

#[test]
fn a_text_with_one_comma_is_no_list() {
    let of = |texts: fn(i64) -> [String; 2]| {
        let texts = (0..20).map(|case| texts(case * case * 31 % 97).map(|it| it.as_str().into()));
        told(&texts.map(|[left, right]| (left, right)).collect::<Vec<_>>())
    };
    insta::assert_snapshot!(of(|it| [format!("00:{it},{it}"), format!("00:{it},0{it}")]), @"");
    insta::assert_snapshot!(of(|it| [format!("{it},ab"), format!("{it} ,ab")]), @"only white space differs in 20 of 20");
    insta::assert_snapshot!(of(|it| [format!("a{it},b"), format!("b,a{it}")]), @"only the order of characters differs in 20 of 20");
}

#[test]
fn a_constant_in_a_part_makes_way_for_a_formula() {
    let expected = [
        0.1667, 0.1667, 0.1667, 0.5, 0.1667, 0.25, 0.3333, 0.1667, 0.1667, 0.4, 0.1667, 0.2, 0.6,
        0.7,
    ];
    let less = |it: f64| ((it - 0.0001) * 1e4).round() / 1e4;
    insta::assert_snapshot!(told(&expected.map(|it| (it.into(), less(it).into()))), @"actual = expected − 0.0001 in 14 of 14");
}

#[test]
fn a_category_is_a_cause_if_moving_it_changes_the_fit() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let signs: Vec<i64> = (0..200).map(|_| 1 - 2 * random.below(2) as i64).collect();
    let by_chance = of_rows(200, |_, row| {
        let expected = (row * row % 1009) as i64;
        (expected.into(), (expected + signs[row]).into())
    });
    insta::assert_snapshot!(by_chance, @"actual = expected + 1 in 106 of 200");
    let by_category = of_rows(200, |it, row| {
        let expected = (row * row % 1009) as i64;
        let is_half = features::value(it, 2, row) == "HALF".into();
        let offset = if row % 20 == 0 {
            77
        } else if is_half {
            3
        } else {
            -4
        };
        (expected.into(), (expected + offset).into())
    });
    insta::assert_snapshot!(by_category, @r#"actual = expected + 3 where coupon = "HALF", expected − 4 where "NONE" in 190 of 200"#);
}

#[test]
fn a_constant_of_a_category_needs_different_outputs() {
    // The output depends on the category alone, so any factors would fit.
    let by_itself = of_rows(200, |it, row| {
        let is_half = features::value(it, 2, row) == "HALF".into();
        let (expected, actual): (i64, i64) = if is_half { (52, 15) } else { (53, 29) };
        (expected.into(), actual.into())
    });
    assert!(!by_itself.contains(" where "), "{by_itself}");
    // A single row has another value.
    let code = |row: usize| if row == 40 { 2 } else { row * row % 7 % 2 };
    let rows = (0..41).map(|row| format!("[{:?}]", ["A", "B", "C"][code(row)]));
    let definition = Definition::parse(
        r#"{"features": [{"feature_name": "code", "type": "STRING",
            "distribution": {"type": "constant", "value": ""}}]}"#,
    );
    let rows = format!("[{}]", rows.collect::<Vec<_>>().join(","));
    let vectors = Vectors::from_json(&definition.unwrap(), &rows).unwrap();
    let factors = [1.1, 1.2, 0.0153653705827];
    let outputs: Vec<(Value, Value)> = (0..41)
        .map(|row| {
            let expected = (row * row) as f64 / 3.0 + 1.0;
            (expected.into(), (expected * factors[code(row)]).into())
        })
        .collect();
    let changes = found(&vectors, &outputs);
    insta::assert_snapshot!(changes[0].pattern.to_string(), @r#"actual = 1.1 × expected where code = "A", 1.2 × expected where "B""#);
    assert_eq!(changes[0].exceptions, [40]);
}

#[test]
fn characters_that_can_not_be_seen_have_names() {
    let with = |end: &str| of_texts(|it| format!("{it}{end}"));
    insta::assert_snapshot!(with("\u{a0}"), @"actual = expected with NO-BREAK SPACE U+00A0 appended in 5 of 5");
    insta::assert_snapshot!(with("\u{2009}"), @"actual = expected with THIN SPACE U+2009 appended in 5 of 5");
    insta::assert_snapshot!(with("\u{301}"), @"actual = expected with COMBINING ACUTE ACCENT U+0301 appended in 5 of 5");
    insta::assert_snapshot!(with("\u{323}"), @"actual = expected with U+0323 appended in 5 of 5");
    insta::assert_snapshot!(with("\u{a0}kg"), @r#"actual = expected with "\u00a0kg" appended in 5 of 5"#);
    insta::assert_snapshot!(of_texts(|it| it.replace(' ', "\u{a0}")), @r#"actual = expected with NO-BREAK SPACE U+00A0 instead of " " in 5 of 5"#);
    insta::assert_snapshot!(of_texts(|it| it.replace(' ', "\u{202f} ")), @"only white space differs in 5 of 5");
}

#[test]
fn another_type_is_no_equal_value() {
    insta::assert_snapshot!(of_rows(40, |it, row| {
        let value = features::value(it, 0, row);
        (value.clone(), value.to_string().into())
    }), @"became a text, was a number in 40 of 40");
    insta::assert_snapshot!(of_rows(40, |_, row| {
        (row.to_string().into(), vec![Value::from(row as i64)].into())
    }), @"became a list, was a text in 40 of 40");
}

#[test]
fn places_of_tuples_are_distinct() {
    let q = |case: i64| case * case * 7 % 1000;
    let of = |wrapped: fn(i64, i64) -> Value, actual: fn(i64) -> (i64, i64)| {
        let outputs = (0..40).map(|case| {
            let (left, right) = actual(q(case));
            (wrapped(q(case), 3 * q(case)), wrapped(left, right))
        });
        told(&outputs.collect::<Vec<_>>())
    };
    let kinds: [fn(i64, i64) -> Value; 3] = [
        |left, right| vec![Value::from(left), right.into()].into(),
        |left, right| {
            Value::object([
                ("$name", "P".into()),
                ("0", left.into()),
                ("1", right.into()),
            ])
        },
        |left, right| Value::object([("0", Value::from(left)), ("1", right.into())]),
    ];
    for wrapped in kinds {
        insta::allow_duplicates! {
            insta::assert_snapshot!(of(wrapped, |q| (q + 1, 3 * q + 7)), @"
            /0actual = expected + 1 in 40 of 40
            /1actual = expected + 7 in 40 of 40
            ");
            insta::assert_snapshot!(of(wrapped, |q| (3 * q, q)), @"actual = expected with elements 0 and 1 swapped in 39 of 39");
            insta::assert_snapshot!(of(wrapped, |q| (q, 3 * q + 7)), @"
            only element 1 (of 2) differs in 40 of 40
            /1actual = expected + 7 in 40 of 40
            ");
        }
    }
    let triple = |it: [i64; 3]| Value::from(it.map(Value::from).to_vec());
    let outputs = (1..40).map(|case| (triple([q(case), case, 7]), triple([7, case, q(case)])));
    insta::assert_snapshot!(told(&outputs.collect::<Vec<_>>()), @"actual = expected with elements 0 and 2 swapped in 38 of 38");
}
