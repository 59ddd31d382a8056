//! Fits tables drawn by tdg itself, and degenerate tables.

use proptest::prelude::*;
use tdg_definition::Definition;
use tdg_definition::json::{self, Value};
use tdg_definition::table::{NullMarks, Table};
use tdg_engine::Vectors;

use crate::{FitOptions, FittedDefinition, fit};

/// Returns the definition and the fit of a table, or the error.
fn fitted(csv: &str) -> Result<(Value, FittedDefinition), String> {
    let table = Table::parse(csv, b',', usize::MAX).map_err(|error| error.to_string())?;
    let found = fit(&table, &FitOptions::default());
    let found = found.map_err(|error| error.to_string())?;
    Definition::parse(&found.definition).expect("a valid definition");
    Ok((json::parse(&found.definition).expect("JSON"), found))
}

/// Returns the features of the definition for a table.
fn features(csv: &str) -> Vec<Value> {
    let (definition, _) = fitted(csv).unwrap();
    definition
        .get("features")
        .unwrap()
        .as_array()
        .unwrap()
        .to_vec()
}

/// Returns a table of rows drawn from a definition. A null becomes an empty field.
fn drawn(definition: &str, rows: usize) -> String {
    let vectors = Vectors::generate(&Definition::parse(definition).unwrap(), 0, rows);
    let mut text = vectors.names().collect::<Vec<_>>().join(",") + "\n";
    for row in 0..rows {
        let cells = (0..vectors.width()).map(|position| {
            let mut cell = String::new();
            vectors.write_cell(row, position, &mut cell);
            if cell == "null" { String::new() } else { cell }
        });
        text.push_str(&cells.collect::<Vec<_>>().join(","));
        text.push('\n');
    }
    text
}

/// Returns the distribution fitted to 10,000 rows of a feature.
fn recovered(feature_type: &str, distribution: &str) -> Value {
    let feature = format!(r#"{{"type": "{feature_type}", "distribution": {distribution}}}"#);
    let definition = format!(
        r#"{{"features": [{feature}, {{"type": "STRING", "distribution": {{"type": "uuid"}}}}]}}"#
    );
    features(&drawn(&definition, 10_000))[0]
        .get("distribution")
        .unwrap()
        .clone()
}

/// Asserts that a distribution is recovered, with parameters within a relative tolerance.
fn recovers(feature_type: &str, distribution: &str, tolerance: f64) {
    let found = recovered(feature_type, distribution);
    for (key, expected) in json::parse(distribution).unwrap().as_object().unwrap() {
        let value = found
            .get(key)
            .unwrap_or_else(|| panic!("{distribution} is {found}"));
        match (value.as_f64(), expected.as_f64()) {
            (Some(value), Some(expected)) => {
                let distance = (value - expected).abs();
                assert!(
                    distance <= tolerance * expected.abs().max(0.5),
                    "{distribution} is {found}"
                );
            }
            _ => assert_eq!(value, expected, "{distribution} is {found}"),
        }
    }
}

#[test]
fn distributions_of_floats_are_recovered() {
    for distribution in [
        r#"{"type": "gaussian", "mu": 10, "sigma": 2}"#,
        r#"{"type": "uniform", "min": -1, "max": 3}"#,
        r#"{"type": "lognormal", "mu": 3, "sigma": 0.5}"#,
        r#"{"type": "exponential", "scale": 4}"#,
        r#"{"type": "gamma", "shape": 3, "scale": 20}"#,
        r#"{"type": "beta", "alpha": 2, "beta": 5}"#,
        r#"{"type": "weibull", "shape": 3.5, "scale": 1000}"#,
        r#"{"type": "pareto", "min": 1, "shape": 1.2}"#,
        r#"{"type": "triangular", "min": 0, "mode": 2, "max": 10}"#,
        r#"{"type": "laplace", "mu": 5, "sigma": 2}"#,
        r#"{"type": "logistic", "mu": 5, "sigma": 2}"#,
        r#"{"type": "cauchy", "mu": 5, "sigma": 2}"#,
    ] {
        recovers("FLOAT", distribution, 0.06);
    }
    recovers(
        "FLOAT",
        r#"{"type": "student_t", "nu": 4, "mu": 100, "sigma": 15}"#,
        0.15,
    );
}

#[test]
fn distributions_of_integers_are_recovered() {
    for distribution in [
        r#"{"type": "uniform", "min": 1, "max": 20}"#,
        r#"{"type": "bernoulli", "p": 0.3}"#,
        r#"{"type": "poisson", "rate": 3.5}"#,
        r#"{"type": "geometric", "p": 0.1}"#,
        r#"{"type": "zipf", "n": 100, "s": 1.1}"#,
        r#"{"type": "sequence", "start": 7, "step": 3}"#,
        r#"{"type": "constant", "value": 7}"#,
    ] {
        recovers("INTEGER", distribution, 0.05);
    }
    recovers("INTEGER", r#"{"type": "binomial", "n": 20, "p": 0.6}"#, 0.1);
    recovers(
        "INTEGER",
        r#"{"type": "negative_binomial", "n": 3, "p": 0.2}"#,
        0.1,
    );
}

#[test]
fn two_peaks_are_a_mixture_and_so_are_many_zeros() {
    let peaks = r#"{"type": "mixture", "components": [{"weight": 0.7, "mu": -5, "sigma": 1}, {"weight": 0.3, "mu": 5, "sigma": 1}]}"#;
    let found = recovered("FLOAT", peaks);
    assert_eq!(
        found.get("components").unwrap().as_array().unwrap().len(),
        2,
        "{found}"
    );
    let zeros = r#"{"type": "mixture", "components": [{"weight": 0.4, "distribution": {"type": "constant", "value": 0}},
        {"weight": 0.6, "distribution": {"type": "gamma", "shape": 3, "scale": 20}}]}"#;
    let found = recovered("FLOAT", zeros);
    assert!(found.to_string().contains(r#""type":"gamma""#), "{found}");
}

#[test]
fn other_types_are_recovered_with_their_nulls() {
    let definition = r#"{"features": [
        {"feature_name": "day", "type": "DATE", "distribution": {"type": "uniform", "min": "2020-01-01", "max": "2020-12-31"}},
        {"feature_name": "moment", "type": "DATETIME", "distribution": {"type": "uniform", "min": "2020-01-01T00:00:00Z", "max": "2020-01-01T00:10:00Z"}},
        {"feature_name": "flag", "type": "BOOLEAN", "null_probability": 0.25, "distribution": {"type": "bernoulli", "p": 0.5}},
        {"feature_name": "coupon", "type": "STRING", "null_probability": 0.5, "distribution": {"type": "categorical", "categories": [
            {"value": "HALF", "probability": 0.25}, {"value": "TENTH", "probability": 0.75}]}},
        {"feature_name": "code", "type": "STRING", "distribution": {"type": "pattern", "regex": "[A-Z]{2}-[0-9]{4}"}},
        {"feature_name": "id", "type": "STRING", "distribution": {"type": "uuid"}},
        {"feature_name": "price", "type": "FLOAT", "decimals": 2, "distribution": {"type": "gaussian", "mu": 200, "sigma": 5}},
        {"feature_name": "ticket", "type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 100000, "max": 999999}}
    ]}"#;
    let (found, _) = fitted(&drawn(definition, 10_000)).unwrap();
    insta::assert_snapshot!(found.get("features").unwrap().as_array().unwrap().iter().map(|it| format!("{it}\n")).collect::<String>(), @r#"
    {"distribution":{"max":"2020-12-31","min":"2020-01-01","type":"uniform"},"feature_name":"day","type":"DATE"}
    {"distribution":{"max":"2020-01-01T00:10:00Z","min":"2020-01-01T00:00:00Z","type":"uniform"},"feature_name":"moment","type":"DATETIME"}
    {"distribution":{"p":0.49719,"type":"bernoulli"},"feature_name":"flag","null_probability":0.2528,"type":"BOOLEAN"}
    {"distribution":{"categories":[{"probability":0.746349,"value":"TENTH"},{"probability":0.253651,"value":"HALF"}],"type":"categorical"},"feature_name":"coupon","null_probability":0.5001,"type":"STRING"}
    {"distribution":{"regex":"[A-Z]{2}-[0-9]{4}","type":"pattern"},"feature_name":"code","type":"STRING"}
    {"distribution":{"type":"uuid"},"feature_name":"id","type":"STRING"}
    {"decimals":2,"distribution":{"mu":200.00099,"sigma":5.05489,"type":"gaussian"},"feature_name":"price","type":"FLOAT"}
    {"distribution":{"max":999960,"min":100108,"type":"uniform"},"feature_name":"ticket","type":"INTEGER","unique":true}
    "#);
}

#[test]
fn correlations_are_recovered_even_between_counts() {
    let definition = r#"{"features": [
        {"feature_name": "a", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 0, "sigma": 1}},
        {"feature_name": "b", "type": "FLOAT", "distribution": {"type": "lognormal", "mu": 0, "sigma": 1}},
        {"feature_name": "c", "type": "INTEGER", "null_probability": 0.1, "distribution": {"type": "poisson", "rate": 1}},
        {"feature_name": "d", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 0, "sigma": 1}}
    ], "correlations": [
        {"features": ["a", "b"], "correlation": 0.8}, {"features": ["b", "c"], "correlation": -0.5},
        {"features": ["a", "c"], "correlation": -0.4}
    ]}"#;
    let (found, fit) = fitted(&drawn(definition, 10_000)).unwrap();
    let expected = json::parse(definition).unwrap();
    let correlation = |of: &Value, one: &str, other: &str| {
        let pairs = of.get("correlations").unwrap().as_array().unwrap();
        let names = Value::from(vec![Value::from(one), Value::from(other)]);
        let pair = pairs
            .iter()
            .find(|pair| pair.get("features") == Some(&names));
        pair.and_then(|pair| pair.get("correlation")?.as_f64())
    };
    for (one, other) in [("a", "b"), ("b", "c"), ("a", "c")] {
        let [found, expected] = [&found, &expected].map(|it| correlation(it, one, other).unwrap());
        assert!((found - expected).abs() < 0.03, "{one} {other}: {found}");
    }
    assert_eq!(correlation(&found, "a", "d"), None);
    assert_eq!(fit.correlations.len(), 3);
}

#[test]
fn degenerate_tables_have_a_sensible_definition() {
    let types = |csv: &str| {
        let features = features(csv);
        let line = |it: &Value| format!("{it}\n");
        features.iter().map(line).collect::<String>()
    };
    insta::assert_snapshot!(types("a,b,c\n,NA,null\n,,NaN\n"), @r#"
    {"distribution":{"type":"constant","value":""},"feature_name":"a","null_probability":1,"type":"STRING"}
    {"distribution":{"type":"constant","value":""},"feature_name":"b","null_probability":1,"type":"STRING"}
    {"distribution":{"type":"constant","value":""},"feature_name":"c","null_probability":1,"type":"STRING"}
    "#);
    insta::assert_snapshot!(types("a\n7\n"), @r#"{"distribution":{"type":"constant","value":7},"feature_name":"a","type":"INTEGER"}"#);
    insta::assert_snapshot!(types("a\n1.5\n1e308\n-1e308\n"), @r#"{"distribution":{"categories":[{"probability":0.333334,"value":-1e308},{"probability":0.333333,"value":1.5},{"probability":0.333333,"value":1e308}],"type":"categorical"},"feature_name":"a","type":"FLOAT"}"#);
    // Integers that floats can't represent.
    insta::assert_snapshot!(types("a,b\n18446744073709551615,9007199254740993\n9223372036854775809,9007199254740995\n18446744073709551613,9007199254740998\n"), @r#"
    {"distribution":{"max":18446744073709551615,"min":9223372036854775809,"type":"uniform"},"feature_name":"a","type":"INTEGER"}
    {"distribution":{"max":9007199254740998,"min":9007199254740993,"type":"uniform"},"feature_name":"b","type":"INTEGER"}
    "#);
    insta::assert_snapshot!(types("a\n18446744073709551615\n18446744073709551614\n18446744073709551615\n18446744073709551615\n"), @r#"{"distribution":{"max":18446744073709551615,"min":18446744073709551614,"type":"uniform"},"feature_name":"a","type":"INTEGER"}"#);
    insta::assert_snapshot!(types("a\n9223372036854775807\n-9223372036854775808\n5\n"), @r#"{"distribution":{"max":9223372036854775807,"min":-9223372036854775808,"type":"uniform"},"feature_name":"a","type":"INTEGER"}"#);
}

#[test]
fn strings_that_are_all_different_are_a_pattern() {
    let mut csv = "code\n".to_owned();
    for number in 0..50_000 {
        csv.push_str(&format!("X{number:05}\n"));
    }
    let features = features(&csv);
    insta::assert_snapshot!(features[0], @r#"{"distribution":{"regex":"X[0-9]{5}","type":"pattern"},"feature_name":"code","type":"STRING"}"#);
}

#[test]
fn a_definition_is_formatted_for_editing() {
    let (_, found) = fitted(include_str!("iris.csv")).unwrap();
    insta::assert_snapshot!(found.definition, @r#"
    {
        "features": [
            {
                "feature_name": "sepal length (cm)",
                "type": "FLOAT",
                "decimals": 1,
                "distribution": {"type": "triangular", "min": 4.159799, "mode": 5.1, "max": 8.152625}
            },
            {
                "feature_name": "sepal width (cm)",
                "type": "FLOAT",
                "decimals": 1,
                "distribution": {"type": "gamma", "shape": 49.6519, "scale": 0.0615754}
            },
            {
                "feature_name": "petal length (cm)",
                "type": "FLOAT",
                "decimals": 1,
                "distribution": {"type": "uniform", "min": 1, "max": 6.9}
            },
            {
                "feature_name": "petal width (cm)",
                "type": "FLOAT",
                "decimals": 1,
                "distribution": {"type": "uniform", "min": 0.1, "max": 2.5}
            },
            {
                "feature_name": "target",
                "type": "STRING",
                "distribution": {
                    "type": "categorical",
                    "categories": [
                        {"value": "setosa", "probability": 0.333334},
                        {"value": "versicolor", "probability": 0.333333},
                        {"value": "virginica", "probability": 0.333333}
                    ]
                }
            }
        ],
        "correlations": [
            {"features": ["sepal length (cm)", "petal length (cm)"], "correlation": 0.878},
            {"features": ["sepal length (cm)", "petal width (cm)"], "correlation": 0.793},
            {"features": ["petal length (cm)", "petal width (cm)"], "correlation": 0.882}
        ]
    }
    "#);
}

proptest! {
    #[test]
    fn every_table_has_a_valid_definition_or_an_error(
        rows in prop::collection::vec(prop::collection::vec(
            "-?[0-9]{1,3}|-?[0-9]{0,20}\\.[0-9]{0,3}|[0-9]e-?[0-9]{1,3}|NA||true|20[0-9]{2}-0[1-9]-[0-3][0-9]|[a-c]|[ -~é]{0,6}", 3
        ), 1..30)
    ) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["a", "b", ""]).unwrap();
        for row in &rows {
            writer.write_record(row).unwrap();
        }
        let csv = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        match fitted(&csv) {
            Ok((definition, _)) => prop_assert_eq!(definition.get("features").unwrap().as_array().unwrap().len(), 3),
            Err(message) => prop_assert!(message.contains("no distribution can draw"), "{}", message),
        }
    }
}

/// Enough distinct numbers that they aren't categories.
const LARGE: [&str; 12] = [
    "10", "21", "32", "43", "54", "65", "76", "87", "98", "109", "120", "131",
];

/// Returns the type of a column with these cells, and the notes. A second column is empty.
fn of_cells(cells: &[&str]) -> (String, String) {
    let (definition, found) = fitted(&format!("x,y\n{},\n", cells.join(",\n"))).unwrap();
    let feature = definition.get("features").unwrap().as_array().unwrap()[0].clone();
    (
        feature.get("type").unwrap().to_string(),
        found.notes.join("\n"),
    )
}

#[test]
fn numbers_and_dates_of_other_notations_are_read_with_a_note() {
    let said = [
        &["\"3,270,568\"", "987", "\"12,001\""][..],
        &["\"$1,234.50\"", "$5.00", "-$7"],
        &["48.25%", "-3.10%", "NA"],
        &["\"1.234,50\"", "\"12,5\""],
        &["+5", "-3", "0"],
        &["\"$65,548\"", "\"$7,001\""],
        &["25/12/2021 10:30", "03/04/2021 9:05"],
        &["25.12.2021 10:30:05", "26.12.2021 10:30:05"],
        &["12/25/2021", "3/4/2021"],
        &["Jan 1 2000", "Feb 29 2000"],
        &["\"Sat, 25 Dec 2021 10:30:05 GMT\""],
    ]
    .map(|cells| {
        let (feature_type, notes) = of_cells(cells);
        format!("{feature_type}: {notes}\n")
    });
    insta::assert_snapshot!(said.concat(), @r#"
    "INTEGER": column "x": 2 of 3 values are numbers such as "3,270,568", read as 3270568
    "FLOAT": column "x": all 3 values are numbers such as "$1,234.50", read as 1234.50
    "FLOAT": column "x": all 2 values are numbers such as "48.25%", read as 48.25
    "FLOAT": column "x": all 2 values are numbers such as "1.234,50", read as 1234.50
    "INTEGER": column "x": 1 of 3 values are numbers such as "+5", read as 5
    "INTEGER": column "x": all 2 values are numbers such as "$65,548", read as 65548
    "DATETIME": column "x": all 2 values are times in the order day, month, year such as "25/12/2021 10:30", read as 2021-12-25T10:30:00Z
    "DATETIME": column "x": all 2 values are times in the order day, month, year such as "25.12.2021 10:30:05", read as 2021-12-25T10:30:05Z
    "DATE": column "x": all 2 values are dates in the order month, day, year such as "12/25/2021", read as 2021-12-25
    "DATE": column "x": all 2 values are dates with names of months such as "Jan 1 2000", read as 2000-01-01
    "DATETIME": column "x": all 1 values are times with names of months such as "Sat, 25 Dec 2021 10:30:05 GMT", read as 2021-12-25T10:30:05Z
    the table has one row, so every feature is a constant, and nothing can be compared; fit a table with more rows
    "#);
}

#[test]
fn what_is_not_safe_to_read_stays_a_text_with_a_note() {
    let said = [
        &["\"1,234\"", "\"5,678\""][..],
        &["03/04/2021", "05/06/2021"],
        &["12/25/98", "2/29/00"],
        &["1.5", "--", "2.5", "--", "--"],
        &[&LARGE[..], &["it's late", "it's late"]].concat(),
        &[&LARGE[..], &["Total"]].concat(),
        &["25/12/2021", "?", "26/12/2021", ".", "27/12/2021"],
        &[
            &[&LARGE[..]; 8].concat()[..],
            &["5a", "5b", "6", "5c", "7", "5d"],
        ]
        .concat(),
    ]
    .map(|cells| {
        let (feature_type, notes) = of_cells(cells);
        assert_eq!(feature_type, "\"STRING\"");
        notes + "\n"
    });
    insta::assert_snapshot!(said.concat(), @r#"
    column "x": "1,234" is 1234 or 1.234, and no value shows which, so its feature is a STRING; write the values in one of these ways
    column "x": "03/04/2021" is 2021-04-03 or 2021-03-04, and no value shows which, so its feature is a STRING; write the values in one of these ways
    column "x" has dates whose years have two digits, such as "12/25/98", so its feature is a STRING; write years with four
    column "x": 3 of 5 values are "--", and the others are numbers; if that means null, add --null=--
    column "x": 2 of 14 values are "it's late", and the others are numbers; if that means null, add --null='it'\''s late'
    column "x": 1 of 13 values keeps its feature a STRING, since the others are numbers; correct "Total"
    column "x": 2 of 5 values are "?" or ".", and the others are dates in the order day, month, year; if that means null, add --null='?' --null=.
    column "x": 4 of 102 values keep its feature a STRING, since the others are numbers; correct "5a", "5b", "5c", …
    "#);
}

#[test]
fn codes_and_texts_have_no_note() {
    for cells in [
        &["007", "123", "045"][..],
        &["$5", "5 €", "7"],
        &["A1", "B2", "3"],
        &["1.2.3", "1.10.4"],
        &["1", "2", "3+", "1", "2", "3+"],
        &["732 829 320", "732 829 321"],
        &["(1)", "(2)"],
        &["ab", "", "cd"],
        &["18446744073709551616", "1"],
    ] {
        assert_eq!(
            of_cells(cells),
            ("\"STRING\"".to_owned(), String::new()),
            "{cells:?}"
        );
    }
}

#[test]
fn json_says_what_is_a_text_and_what_is_null() {
    let lines = |cells: &[&str]| {
        let line = |cell: &&str| format!("{{\"x\":{cell}}}\n");
        let (definition, found) = fitted(&cells.iter().map(line).collect::<String>()).unwrap();
        (definition.to_string(), found.notes)
    };
    let (definition, notes) = lines(&[r#""NA""#, r#""""#, r#""DE""#, r#""NA""#]);
    assert!(!definition.contains("null_probability"), "{definition}");
    assert!(definition.contains(r#""value":"NA""#) && definition.contains(r#""value":"""#));
    assert!(notes.is_empty());
    let (definition, _) = lines(&[r#""1,234""#, r#""[1]""#, "null", "null"]);
    assert!(
        definition.contains(r#""null_probability":0.5,"type":"STRING""#),
        "{definition}"
    );
    let (definition, notes) = lines(&[r#""12/25/2021""#, r#""12/26/2021""#, r#"null"#]);
    assert!(definition.contains(r#""type":"DATE""#), "{definition}");
    assert_eq!(notes.len(), 1, "{notes:?}");
}

#[test]
fn what_means_null_can_be_chosen() {
    let table = Table::parse("x,y\n1,NA\n--,DE\n,FR\n", b',', 10).unwrap();
    let nulls = |marks: NullMarks| {
        let options = FitOptions {
            nulls: marks,
            ..FitOptions::default()
        };
        let definition = json::parse(&fit(&table, &options).unwrap().definition).unwrap();
        let features = definition.get("features").unwrap().as_array().unwrap();
        let share = |feature: &Value| match feature.get("null_probability") {
            Some(share) => format!("{} null {share}", feature.get("type").unwrap()),
            None => feature.get("type").unwrap().to_string(),
        };
        features.iter().map(share).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(
        nulls(NullMarks::usual()),
        r#""STRING" null 0.333333, "STRING" null 0.333333"#
    );
    assert_eq!(
        nulls(NullMarks::usual().with(["--"])),
        r#""INTEGER" null 0.666667, "STRING" null 0.333333"#
    );
    assert_eq!(nulls(NullMarks::default()), r#""STRING", "STRING""#);
    assert_eq!(
        nulls(NullMarks::default().with(["", "--"])),
        r#""INTEGER" null 0.666667, "STRING""#
    );
}

#[test]
fn json_lines_give_lists_objects_and_variants() {
    let line = |row: u64| {
        let lines: Vec<String> = (0..=row % 3)
            .map(|line| {
                format!(
                    r#"{{"sku":"A-{}","quantity":{}}}"#,
                    row * 7 % 90 + 10,
                    line + row % 5
                )
            })
            .collect();
        let payment = match row % 4 {
            0 => r#""Cash""#.to_owned(),
            _ => format!(r#"{{"Invoice":{{"days":{}}}}}"#, 7 * (row % 3 + 1)),
        };
        let note = if row.is_multiple_of(5) {
            ""
        } else {
            r#","note":"12""#
        };
        let lines = lines.join(",");
        format!(r#"{{"id":{row},"lines":[{lines}],"payment":{payment}{note}}}"#)
    };
    let text: Vec<String> = (0..600).map(line).collect();
    let (_, found) = fitted(&text.join("\n")).unwrap();
    insta::assert_snapshot!(found.definition);
    let names = found.features.iter().map(|it| it.name.as_str());
    assert_eq!(
        names.collect::<Vec<_>>(),
        [
            "id",
            "length of lines",
            "lines/*/quantity",
            "lines/*/sku",
            "payment/Invoice/days",
            "note"
        ]
    );
    let worst = found.features.iter().map(|it| it.score).fold(1.0, f64::min);
    assert!(worst > 0.9, "{:?}", found.features);
}

#[test]
fn a_place_with_a_long_name_is_matched_by_what_is_drawn() {
    let name = "n".repeat(252);
    let lines: Vec<String> = (0..200)
        .map(|row| format!(r#"{{"outer":{{"{name}":{},"b":1}}}}"#, row * row % 37))
        .collect();
    let (_, found) = fitted(&lines.join("\n")).unwrap();
    let [.., long] = found.features.as_slice() else {
        panic!("{found:?}")
    };
    assert!(long.name.ends_with(&name) && long.score < 1.0, "{long:?}");
}

#[test]
fn a_cell_of_csv_may_hold_json() {
    let rows: String = (0..50)
        .map(|row| format!("{row},\"[{}]\",\n", "1.5,".repeat(row % 4) + "2"))
        .collect();
    let found = features(&format!("n,xs,y\n{rows}"));
    assert_eq!(found[1].get("type").unwrap().as_str(), Some("LIST"));
    assert_eq!(found[2].get("feature_name").unwrap().as_str(), Some("y"));
    let text = features("n,xs\n1,[1]\n2,[half\n3,[3]\n");
    assert_eq!(text[1].get("type").unwrap().as_str(), Some("STRING"));
}

#[test]
fn what_json_lines_can_not_be_is_said() {
    let refusal = |text: &str| fitted(text).unwrap_err();
    insta::assert_snapshot!(refusal("{\"a\":1}\n[2]\n"), @r#"line 2, column 1: each row is an object: {"amount": 9.5, "coupon": null}"#);
    insta::assert_snapshot!(refusal("{\"a\":1}\n{\"a\":\n"), @"line 3, column 1: not JSON: expected a value, found the end of the text");
}

#[test]
fn json_that_no_feature_can_draw_stays_text() {
    let told = |lines: &[&str]| {
        let (definition, found) = fitted(&lines.join("\n")).unwrap();
        let feature = &definition.get("features").unwrap().as_array().unwrap()[0];
        assert_eq!(feature.get("type").unwrap().as_str(), Some("STRING"));
        found.notes.join("\n")
    };
    let mixed = [r#"{"a":{"b":1,"c":2}}"#, r#"{"a":{"b":[1],"c":2}}"#];
    insta::assert_snapshot!(told(&mixed), @r#"column "a" is read as texts, not as JSON: a/b mixes lists, objects and single values, and no feature can have all of these"#);
    insta::assert_snapshot!(told(&[r#"{"a":{}}"#, r#"{"a":{}}"#]), @r#"
    column "a" is read as texts, not as JSON: no feature can draw its values:
    /features/0/distribution/features: must not be empty
    "#);
    assert_eq!(told(&["x,y", "hello world,", "{\"a\":1},", "bye,"]), "");
}
