//! The reports, by example.

use tdg_definition::json::{Value, parse};

use super::*;
use tdg_definition::Definition;
use tdg_definition::{Policy, Tolerance};
use tdg_engine::Takes;
use tdg_engine::compare::{DifferingCase, changed_distributions};
use tdg_engine::generate::{RenamedFeature, Renames, Vectors};
use tdg_engine::snapshot::{KeptCase, KeptChange, KeptComparison};

const SNAPSHOT: &str = "tests/snapshots/pricing__total.snap";

fn report(failure: Failure) -> FailureReport {
    FailureReport {
        made: None,
        dependencies: Vec::new(),
        test: "pricing::total".to_owned(),
        command: "cargo test total".to_owned(),
        failure,
    }
}

fn pending() -> PendingPlace {
    PendingPlace::InFile(format!("{SNAPSHOT}.new"))
}

fn on_ci() -> PendingPlace {
    PendingPlace::Nowhere {
        because: "CI is set".to_owned(),
    }
}

fn strings(strings: &[&str]) -> Vec<String> {
    strings.iter().map(ToString::to_string).collect()
}

/// Returns the findings of a search.
fn searched(sentences: &[&str]) -> Option<Vec<String>> {
    Some(strings(sentences))
}

fn order_features() -> Vec<String> {
    strings(&["amount", "quantity", "coupon"])
}

fn order_inputs(case: usize) -> Vec<String> {
    let amount = 10.0 + (case * 37 % 1000) as f64 / 8.0;
    let coupon = ["null", "\"HALF\"", "\"TENTH\""][case % 3];
    vec![
        Value::from(amount).to_string(),
        (case % 20).to_string(),
        coupon.to_owned(),
    ]
}

fn unstable(differing: &[DifferingCase]) -> Unstable {
    Unstable::new(&Policy::exact(), 500, differing)
}

fn differs(case: usize, expected: &str, actual: &str) -> DifferingCase {
    let parse = |text| parse(text).unwrap();
    DifferingCase::compared(&Policy::exact(), case, parse(expected), parse(actual))
}

fn order_changes(size: usize, differing: &[DifferingCase]) -> Changed {
    Changed {
        findings: searched(&[]),
        ..Changed::new(
            size,
            differing,
            order_features(),
            order_inputs,
            ComparedWith::Benchmark(pending()),
        )
    }
}

fn changed(size: usize, differing: &[DifferingCase]) -> FailureReport {
    report(Failure::Changed(order_changes(size, differing)))
}

/// Returns the report, after checking the properties of every report.
fn text(report: &FailureReport) -> String {
    let text = report.to_string();
    assert!(
        text.lines().count() <= 40,
        "{} lines:\n{text}",
        text.lines().count()
    );
    for line in text.lines() {
        assert!(
            tdg_engine::text::width(line) <= 120,
            "{} columns: {line}",
            tdg_engine::text::width(line)
        );
        assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
        assert_eq!(line, line.trim_end());
    }
    for columns in [60, 80] {
        assert_fits(&report.without_hints(Extent::of_terminal(columns)), columns);
    }
    let line = line(report);
    assert_eq!(line.lines().count(), 1, "{line:?}");
    format!("{text}\n{line}")
}

/// Only a single word may be wider than the terminal, because it can be copied.
fn assert_fits(text: &str, columns: usize) {
    for line in text
        .lines()
        .filter(|line| tdg_engine::text::width(line) > columns)
    {
        let is_word = !line.trim_start().contains(' ');
        assert!(is_word, "{} columns: {line}", tdg_engine::text::width(line));
    }
}

fn few_prices() -> Vec<DifferingCase> {
    let prices = [
        (3, "120.5", "116.885"),
        (12, "88.0", "85.36"),
        (60, "704.99", "683.84"),
        (412, "0.0", "12.25"),
        (499, "15.000000000000002", "15.0"),
    ];
    prices
        .map(|(case, expected, actual)| differs(case, expected, actual))
        .into()
}

#[test]
fn some_numbers_changed() {
    insta::assert_snapshot!(text(&changed(500, &few_prices())));
}

#[test]
fn dependencies_that_changed_are_named() {
    let of = |names: &[&str]| {
        let dependencies = names.iter().map(|name| format!("{name} 0.10.0 → 0.11.1"));
        let report = FailureReport {
            dependencies: dependencies.collect(),
            ..changed(500, &few_prices())
        };
        let text = text(&report);
        let section = text.split("\n\n").find(|it| it.contains("Cargo.lock"));
        section.unwrap().trim().to_owned()
    };
    insta::assert_snapshot!(of(&["strsim"]), @"Cargo.lock has changed since the outputs were recorded: strsim 0.10.0 → 0.11.1");
    insta::assert_snapshot!(of(&["a", "b", "c", "d", "e"]), @"
    Cargo.lock has changed since the outputs were recorded: a 0.10.0 → 0.11.1, b 0.10.0 → 0.11.1, c 0.10.0 → 0.11.1, d
      0.10.0 → 0.11.1, and 1 more package
    ");
}

#[test]
fn a_build_that_searches_for_nothing_names_the_command_that_does() {
    let hint = |compared_with| {
        let changed = Changed {
            findings: None,
            compared_with,
            ..order_changes(500, &few_prices())
        };
        let text = text(&report(Failure::Changed(changed)));
        let hint = text.lines().find(|line| line.starts_with("  explain:"));
        hint.map(str::to_owned)
    };
    let own = hint(ComparedWith::Benchmark(pending()));
    insta::assert_snapshot!(own.unwrap(), @"  explain:  cargo tdg show pricing::total --changed");
    assert_eq!(hint(ComparedWith::Benchmark(on_ci())), None);
    assert_eq!(hint(ComparedWith::Function("old::total".to_owned())), None);
}

#[test]
fn one_case_changed() {
    insta::assert_snapshot!(text(&changed(500, &[differs(412, "704.99", "683.84")])));
}

/// Draws 500 rows of orders.
fn orders() -> Vectors {
    let definition = Definition::parse(
        r#"{"features": [
            {"feature_name": "amount", "type": "FLOAT",
             "distribution": {"type": "lognormal", "mu": 3, "sigma": 0.5}},
            {"feature_name": "quantity", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": 1, "max": 20}},
            {"feature_name": "coupon", "type": "STRING", "null_probability": 0.3,
             "distribution": {"type": "categorical", "categories": [
                {"value": "HALF", "probability": 0.2}, {"value": "TENTH", "probability": 0.8}]}}
        ]}"#,
    );
    Vectors::generate(&definition.unwrap(), 0, 500)
}

#[test]
fn findings_come_before_the_cases() {
    let vectors = orders();
    let inputs = |case: usize| -> Vec<String> {
        let mut row = String::new();
        vectors.write_row(case, &mut row);
        let cells = row.trim_matches(['[', ']']).split(',');
        cells.map(str::to_owned).collect()
    };
    let mut differing = Vec::new();
    for case in 0..vectors.size() {
        let (amount, quantity): (f64, f64) = match &*inputs(case) {
            [amount, quantity, coupon] if coupon == "\"HALF\"" => {
                (amount.parse().unwrap(), quantity.parse().unwrap())
            }
            _ => continue,
        };
        if quantity > 10.0 {
            let (expected, actual) = (amount * quantity, amount * quantity * 0.97);
            differing.push(DifferingCase::compared(
                &Policy::exact(),
                case,
                expected.into(),
                actual.into(),
            ));
        }
    }
    let benchmark = ComparedWith::Benchmark(pending());
    let changed = Changed::new(500, &differing, order_features(), inputs, benchmark);
    insta::assert_snapshot!(text(&report(Failure::Changed(Changed {
        findings: searched(&[
            "all 39 have coupon = \"HALF\" and quantity > 10   (39 of 39 such cases changed, 0 of \
             the other 461)",
            "actual = 0.97 × expected in all 39",
        ]),
        ..changed
    }))));
}

#[test]
fn ten_thousand_cases_changed() {
    let differing: Vec<_> = (0..10_000)
        .map(|case| {
            let expected = 100.0 + case as f64 / 3.0;
            let actual = expected * (1.0 - (case % 97) as f64 / 1000.0) - 0.125;
            DifferingCase::compared(&Policy::exact(), case, expected.into(), actual.into())
        })
        .collect();
    insta::assert_snapshot!(text(&changed(10_000, &differing)));
}

#[test]
fn all_differences_are_in_the_last_bits() {
    insta::assert_snapshot!(text(&changed(500, &last_bits())));
}

#[test]
fn another_math_library_is_guessed_only_where_the_outputs_came_out_on_another_platform() {
    let said = |came_out_on| {
        let findings = searched(&["all 40 have quantity > 15"]);
        let changed = Changed {
            came_out_on,
            findings,
            ..order_changes(500, &last_bits())
        };
        let text = text(&report(Failure::Changed(changed)));
        text.lines()
            .skip(2)
            .take_while(|line| !line.contains("case "))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let platform = |os: &str, arch: &str| (os.to_owned(), arch.to_owned());
    let other = platform("plan9", "vax");
    let own = platform(std::env::consts::OS, std::env::consts::ARCH);
    insta::assert_snapshot!(said(CameOutOn::among(&[])), @"
    all 40 have quantity > 15

    All differences are at most 3 ULP. If the benchmark was recorded on another platform, its math library may be the
    reason; this in the attribute allows them:
        tolerance(rel = 1e-15)
    ");
    insta::assert_snapshot!(said(CameOutOn::among(std::slice::from_ref(&other))), @"
    all 40 have quantity > 15

    All differences are at most 3 ULP: likely another platform's math library, since the expected outputs were computed
    on plan9 vax. To allow them, add to the attribute:
        tolerance(rel = 1e-15)
    ");
    insta::assert_snapshot!(said(CameOutOn::among(&[other, own])), @"
    all 40 have quantity > 15

    All differences are at most 3 ULP; the expected outputs were computed on this platform.
    ");
}

fn last_bits() -> Vec<DifferingCase> {
    (0..40)
        .map(|case| {
            let expected = 1.0 + case as f64 / 7.0;
            let actual = f64::from_bits(expected.to_bits() + 1 + case as u64 % 3);
            DifferingCase::compared(&Policy::exact(), case * 9, expected.into(), actual.into())
        })
        .collect()
}

#[test]
fn fields_of_structs_changed() {
    let case = |case: usize, factor: f64| {
        let order = |price: f64| {
            format!(
                r#"{{"id":"a1","lines":[{{"price":{price},"tax":{}}},{{"price":2.5,"tax":0.475}}],"total":{}}}"#,
                price * 0.19,
                price + 2.5
            )
        };
        differs(case, &order(100.0), &order(100.0 * factor))
    };
    let mut differing: Vec<_> = (0..30)
        .map(|index| case(index * 16, 0.97 - index as f64 / 100.0))
        .collect();
    differing.push(differs(
        481,
        r#"{"total": 1.5, "note": null}"#,
        r#"{"total": null}"#,
    ));
    insta::assert_snapshot!(text(&changed(500, &differing)));
}

#[test]
fn a_nested_output_changed_everywhere() {
    let embedding = |shift: f64| {
        let numbers: Vec<Value> = (0..300)
            .map(|index| Value::from(f64::from(index) / 64.0 + shift))
            .collect();
        Value::Object([("embedding".to_owned(), Value::from(numbers))].into())
    };
    let differing: Vec<_> = (0..9)
        .map(|case| {
            DifferingCase::compared(
                &Policy::exact(),
                case,
                embedding(1.0),
                embedding(1.0 + case as f64 / 8.0 + 0.25),
            )
        })
        .collect();
    insta::assert_snapshot!(text(&changed(9, &differing)));
}

#[test]
fn strings_that_look_alike_are_distinguished() {
    // A precomposed and a combining accent; a Latin and a Cyrillic letter.
    let differing = [
        differs(3, "\"caf\u{e9}\"", "\"cafe\u{301}\""),
        differs(7, "\"paypal\"", "\"p\u{430}ypal\""),
        differs(8, "\"a b\"", "\"a\\nb\""),
    ];
    insta::assert_snapshot!(text(&changed(10, &differing)));
}

#[test]
fn errors_that_differ_by_rounding_alone_are_one_error() {
    let differing = [
        differs(3, "966.23", "966.22"),
        differs(7, "8284.77", "8284.76"),
        differs(8, "5255.66", "5255.65"),
    ];
    let text = text(&changed(10, &differing));
    assert!(text.contains("largest error 0.01 (0.0010 %)\n"), "{text}");
}

#[test]
fn long_strings_changed_in_the_middle() {
    let long = |word: &str| {
        format!(
            "\"{} the quick brown {word} jumps over the lazy dog\"",
            "Lorem ipsum dolor sit amet. ".repeat(40)
        )
    };
    let differing = [
        differs(1, &long("fox"), &long("cat")),
        differs(2, r#""short""#, r#""shirt""#),
        differs(
            3,
            r#""日本語のとても長い文章がここに続きます""#,
            r#""日本語のとても長い文章がそこに続きます""#,
        ),
        differs(4, r#""a\u001b[31mred\u202e\n\"quoted\"""#, r#""a""#),
        differs(5, &long("fox"), "null"),
    ];
    insta::assert_snapshot!(text(&changed(500, &differing)));
}

#[test]
fn values_of_other_kinds_changed() {
    let infinity = r#"{"$float":"Infinity"}"#;
    let differing = [
        differs(1, "1.5", r#"{"$float":"NaN"}"#),
        differs(2, "1.5", r#""1.5""#),
        differs(3, "null", "3"),
        differs(4, "[1,2,3]", "[1,2]"),
        differs(5, r#"{"Ok":1.5}"#, r#"{"Err":"empty basket"}"#),
        differs(6, "true", "false"),
        differs(7, infinity, "1e300"),
        differs(8, "18446744073709551615", "18446744073709551614"),
        differs(9, r#"{"a":{"deep":[1,{"b":"and long"}]}}"#, r#"{"a":{}}"#),
        differs(10, "[[1.25,2.5,3.75],[4.5,5.5,6.5],[7.5,8.5,9.5]]", "7"),
    ];
    insta::assert_snapshot!(text(&changed(500, &differing)));
}

#[test]
fn many_features_and_wide_cells() {
    let features: Vec<String> = (1..=40).map(|index| format!("feature_{index}")).collect();
    let inputs = |case: usize| -> Vec<String> {
        let cell = |index: usize| match index % 3 {
            0 => format!("\"{}\"", "x".repeat(30 + case)),
            1 => (index as f64 * 0.1 + case as f64).to_string(),
            _ => "\"東京都千代田区永田町一丁目七番一号\"".to_owned(),
        };
        (0..40).map(cell).collect()
    };
    let benchmark = ComparedWith::Benchmark(pending());
    let changed = Changed {
        findings: searched(&[]),
        ..Changed::new(500, &few_prices(), features, inputs, benchmark)
    };
    insta::assert_snapshot!(text(&report(Failure::Changed(changed))));
}

#[test]
fn cases_changed_where_nothing_may_be_written() {
    let mut changed = order_changes(500, &few_prices());
    changed.compared_with = ComparedWith::Benchmark(on_ci());
    insta::assert_snapshot!(text(&report(Failure::Changed(changed))));
}

#[test]
fn the_page_always_comes_last() {
    let mut changed = order_changes(500, &few_prices());
    changed.page = Some("https://tdg.example.org/benchmark/7".to_owned());
    let alone = text(&report(Failure::Changed(changed.clone())));
    let inputs_changed = InputsChanged {
        changes: vec![change("size", "500", "1000")],
        form: DefinitionForm::Unknown,
        recorded: recorded_rows(500),
        size: 1000,
        failure: Some((WhichRows::Recorded, Box::new(Failure::Changed(changed)))),
        changed: None,
        pending: Some(pending()),
    };
    let beside = text(&report(Failure::InputsChanged(inputs_changed)));
    for report in [alone, beside] {
        // The line before the one for the whole run.
        let last = report.trim_end().lines().rev().nth(2).unwrap_or_default();
        let words: Vec<&str> = last.split_whitespace().collect();
        assert_eq!(
            words,
            ["page:", "https://tdg.example.org/benchmark/7"],
            "{report}"
        );
    }
}

#[test]
fn cases_changed_without_snapshot_files() {
    let mut changed = order_changes(500, &few_prices());
    changed.compared_with = ComparedWith::Benchmark(PendingPlace::InStore);
    insta::assert_snapshot!(text(&report(Failure::Changed(changed))));
}

fn panicked_case(case: usize, message: &str, line: u32) -> PanickedCase {
    PanickedCase {
        case,
        inputs: order_inputs(case),
        message: message.to_owned(),
        location: Some(format!("src/pricing.rs:{line}:9")),
    }
}

#[test]
fn some_cases_panicked() {
    let cases = vec![
        panicked_case(
            17,
            "index out of bounds: the len is 3 but the index is 7",
            31,
        ),
        panicked_case(20, "attempt to divide by zero", 14),
        panicked_case(40, "attempt to divide by zero", 14),
        PanickedCase {
            location: None,
            ..panicked_case(
                41,
                "assertion `left == right` failed\n  left: 3\n right: 4",
                0,
            )
        },
        panicked_case(60, "attempt to divide by zero", 14),
        panicked_case(80, "attempt to divide by zero", 14),
    ];
    let panicked = Panicked {
        size: 500,
        features: order_features(),
        findings: Vec::new(),
        cases,
        changed: None,
    };
    insta::assert_snapshot!(text(&report(Failure::Panicked(panicked))));
}

#[test]
fn changed_cases_are_explained_next_to_panics() {
    let mut panicked = Panicked {
        size: 500,
        features: order_features(),
        findings: strings(&[
            "all 2 have quantity > 19   (2 of 2 such cases panicked, 0 of the other 498)",
        ]),
        cases: [20, 40]
            .map(|case| panicked_case(case, "attempt to divide by zero", 14))
            .into(),
        changed: Some(Box::new(Changed {
            findings: searched(&[
                "all 5 have coupon = \"HALF\"   (5 of 5 such cases changed, 0 of the other 493)",
            ]),
            ..order_changes(498, &few_prices())
        })),
    };
    let failure = report(Failure::Panicked(panicked.clone()));
    insta::assert_snapshot!(line(&failure), @"tdg: panicked pricing::total, 2 of 500 cases, and 5 others changed, pending in tests/snapshots/pricing__total.snap.new");
    insta::assert_snapshot!(text(&failure));
    if let Some(changed) = &mut panicked.changed {
        changed.compared_with = ComparedWith::Function("old::total".to_owned());
    }
    let against = report(Failure::Panicked(panicked));
    assert!(line(&against).ends_with("5 others changed"));
    assert!(text(&against).contains("the output of old::total"));
}

#[test]
fn every_case_panicked_with_its_own_message() {
    let cases = (0..10_000)
        .map(|case| {
            panicked_case(
                case,
                &format!(
                    "case {case}: {}\u{1b}[31m",
                    "very long message ".repeat(100)
                ),
                7,
            )
        })
        .collect();
    let findings = strings(&["all cases panicked"; 20]);
    let panicked = Panicked {
        size: 10_000,
        features: order_features(),
        findings,
        cases,
        changed: None,
    };
    insta::assert_snapshot!(text(&report(Failure::Panicked(panicked))));
}

fn change(what: &str, benchmark: &str, now: &str) -> InputChange {
    InputChange {
        what: what.to_owned(),
        benchmark: benchmark.to_owned(),
        now: now.to_owned(),
    }
}

#[test]
fn the_size_changed_and_some_of_the_common_rows_too() {
    let changed = Failure::Changed(order_changes(500, &few_prices()));
    let inputs_changed = InputsChanged {
        changes: vec![change("size", "500", "1000")],
        form: DefinitionForm::Unknown,
        recorded: recorded_rows(500),
        size: 1000,
        failure: Some((WhichRows::Recorded, Box::new(changed))),
        changed: None,
        pending: Some(pending()),
    };
    insta::assert_snapshot!(text(&report(Failure::InputsChanged(inputs_changed))));
}

#[test]
fn the_size_changed_and_nothing_else() {
    let inputs_changed = InputsChanged {
        changes: vec![change("size", "500", "100")],
        form: DefinitionForm::Unknown,
        recorded: recorded_rows(500),
        size: 100,
        failure: None,
        changed: None,
        pending: Some(pending()),
    };
    insta::assert_snapshot!(text(&report(Failure::InputsChanged(inputs_changed))));
}

#[test]
fn the_definition_changed() {
    let benchmark = r#"{"name":"orders","features":[{"name":"amount","sigma":12},{"name":"quantity","type":"INTEGER"}]}"#;
    let now = r#"{"name":"orders","features":[{"name":"amount","sigma":14.5},{"name":"quantity","null_probability":0.1,"type":"FLOAT"}]}"#;
    let mut changes = InputChange::in_definition(&parse(benchmark).unwrap(), &parse(now).unwrap());
    changes.push(change("seed", "7", "8"));
    let inputs_changed = InputsChanged {
        changes,
        form: DefinitionForm::Unknown,
        recorded: RecordedRows {
            renames: Renames {
                added: vec!["age".to_owned(), "lines/unit price".to_owned()],
                ..Renames::default()
            },
            uncompared: vec![("`amount` has a different value now".to_owned(), 120)],
            ..recorded_rows(500)
        },
        size: 500,
        failure: None,
        changed: None,
        pending: Some(on_ci()),
    };
    insta::assert_snapshot!(text(&report(Failure::InputsChanged(inputs_changed))));
}

#[test]
fn no_recorded_row_can_be_run() {
    let reasons = [
        ("unknown feature `d`", 300),
        ("`a` has a different value now", 150),
    ];
    let reasons = reasons.into_iter().chain([("others", 49), ("more", 1)]);
    let inputs_changed = InputsChanged {
        changes: vec![change("seed", "7", "8")],
        form: DefinitionForm::Unknown,
        recorded: RecordedRows {
            uncompared: reasons
                .map(|(why, count)| (why.to_owned(), count))
                .collect(),
            ..recorded_rows(500)
        },
        size: 500,
        failure: None,
        changed: None,
        pending: Some(pending()),
    };
    insta::assert_snapshot!(text(&report(Failure::InputsChanged(inputs_changed))));
}

#[test]
fn new_rows_panic() {
    let panicked = Failure::Panicked(Panicked {
        size: 20,
        features: strings(&["amount"]),
        findings: Vec::new(),
        cases: vec![panicked_case(3, "out of stock", 0)],
        changed: None,
    });
    let inputs_changed = InputsChanged {
        changes: vec![change("seed", "7", "8")],
        form: DefinitionForm::Unknown,
        recorded: RecordedRows {
            changed: 7,
            ..recorded_rows(500)
        },
        size: 20,
        failure: Some((WhichRows::New, Box::new(panicked))),
        changed: None,
        pending: None,
    };
    let with_changes = InputsChanged {
        changed: Some(Box::new(order_changes(500, &few_prices()))),
        ..inputs_changed.clone()
    };
    insta::assert_snapshot!(text(&report(Failure::InputsChanged(inputs_changed))));
    insta::assert_snapshot!(text(&report(Failure::InputsChanged(with_changes))));
}

fn recorded_rows(size: usize) -> RecordedRows {
    RecordedRows {
        size,
        ..RecordedRows::default()
    }
}

#[test]
fn there_is_no_benchmark_and_none_may_be_recorded() {
    let missing = Missing {
        snapshot_file: Some(SNAPSHOT.to_owned()),
        stored: None,
        former: Vec::new(),
        pending: on_ci(),
    };
    insta::assert_snapshot!(text(&report(Failure::Missing(missing))));
}

#[test]
fn there_is_no_benchmark_and_a_new_one_is_pending() {
    let missing = Missing {
        snapshot_file: Some(SNAPSHOT.to_owned()),
        stored: None,
        former: Vec::new(),
        pending: pending(),
    };
    insta::assert_snapshot!(text(&report(Failure::Missing(missing))));
}

/// Returns the counts for 300 rows with this many compared and changed.
fn former_cases(compared: usize, changed: usize) -> FormerCases {
    FormerCases {
        size: 300,
        compared,
        changed,
    }
}

#[test]
fn a_test_without_a_benchmark_may_be_another_one_renamed() {
    let former = |name: &str, outputs| FormerTest {
        name: name.to_owned(),
        source: "tests/pricing.rs".to_owned(),
        snapshot_file: Some(format!(
            "tests/snapshots/pricing__{}.snap",
            name.replace(' ', "_")
        )),
        doubt: None,
        is_elsewhere: false,
        outputs,
    };
    let missing = |former: Vec<FormerTest>, pending| {
        let missing = Missing {
            snapshot_file: Some(SNAPSHOT.to_owned()),
            stored: None,
            former,
            pending,
        };
        text(&report(Failure::Missing(missing)))
    };
    let same_rows = |changed| FormerOutputs::OfSameRows(former_cases(300, changed));
    let its_rows = |compared, changed, features| FormerOutputs::OfItsRows {
        cases: former_cases(compared, changed),
        renames: Renames {
            features,
            ..Renames::default()
        },
    };
    let renamed = vec![RenamedFeature {
        old: "qty".to_owned(),
        new: "quantity".to_owned(),
        is_redrawn: false,
    }];
    let in_doubt = FormerTest {
        doubt: Some("another test binary may have it".to_owned()),
        ..former("sum", same_rows(22))
    };
    insta::assert_snapshot!(
        [
            missing(vec![former("sum", same_rows(0))], pending()),
            missing(vec![former("of an order", same_rows(22))], on_ci()),
            missing(vec![former("sum", its_rows(300, 22, renamed))], pending()),
            missing(vec![former("sum", its_rows(290, 0, Vec::new()))], pending()),
            missing(vec![former("sum", FormerOutputs::OfOtherRows)], pending()),
            missing(vec![in_doubt], pending()),
            missing(
                ["a", "b", "c", "d", "e"]
                    .map(|name| former(name, FormerOutputs::Unknown))
                    .to_vec(),
                PendingPlace::InStore
            ),
        ]
        .join("\n")
    );
}

#[test]
fn the_store_may_have_the_benchmark_of_a_file_that_is_gone() {
    let missing = |pending| {
        let missing = Missing {
            snapshot_file: Some(SNAPSHOT.to_owned()),
            stored: Some(FormerOutputs::OfSameRows(former_cases(300, 46))),
            former: Vec::new(),
            pending,
        };
        text(&report(Failure::Missing(missing)))
    };
    insta::assert_snapshot!([missing(pending()), missing(on_ci())].join("\n"));
}

#[test]
fn the_fullest_reports_stay_on_one_screen() {
    let findings = strings(
        &["a finding that takes more than one line "
            .repeat(9)
            .as_str(); 9],
    );

    let location = |case: usize| format!("/a/path/{}lib.rs:{}:9", "long/".repeat(30), case % 5);
    let cases = (0..500).map(|case| PanickedCase {
        location: Some(location(case)),
        ..panicked_case(case, &"words ".repeat(99 + case), 0)
    });
    let mut panicked = Panicked {
        size: 1000,
        features: (0..99).map(|index| format!("feature_{index}")).collect(),
        findings: Vec::new(),
        cases: cases.collect(),
        changed: None,
    };
    text(&report(Failure::Panicked(panicked.clone())));
    panicked.findings = findings.clone();
    text(&report(Failure::Panicked(panicked.clone())));

    let object = |shift: usize| {
        let value = Value::from(shift as f64);
        Value::Object(
            (0..50)
                .map(|index| (format!("field {index}"), value.clone()))
                .collect(),
        )
    };
    let differing: Vec<_> = (0..500)
        .map(|case| DifferingCase::compared(&Policy::exact(), case, object(case), object(case + 1)))
        .collect();
    let changed = Changed {
        findings: Some(findings),
        ..order_changes(500, &differing)
    };
    panicked.changed = Some(Box::new(changed.clone()));
    text(&report(Failure::Panicked(panicked.clone())));
    let mut inputs_changed = InputsChanged {
        changes: (0..30)
            .map(|_| change("definition /features/0", "12", "13"))
            .collect(),
        form: DefinitionForm::Unknown,
        recorded: RecordedRows {
            size: 600,
            changed: 500,
            uncompared: (0..10).map(|_| ("a reason ".repeat(50), 10)).collect(),
            renames: Renames {
                added: (0..99).map(|index| format!("feature_{index}")).collect(),
                ..Renames::default()
            },
        },
        size: 1000,
        failure: Some((WhichRows::Recorded, Box::new(Failure::Changed(changed)))),
        changed: None,
        pending: Some(pending()),
    };
    text(&report(Failure::InputsChanged(inputs_changed.clone())));
    inputs_changed.changed = panicked.changed.take();
    let on_new_rows = Box::new(Failure::Panicked(panicked.clone()));
    inputs_changed.failure = Some((WhichRows::New, on_new_rows));
    text(&report(Failure::InputsChanged(inputs_changed.clone())));
    panicked.changed = inputs_changed.changed.take();
    let panicked = Box::new(Failure::Panicked(panicked));
    inputs_changed.failure = Some((WhichRows::Recorded, panicked));
    text(&report(Failure::InputsChanged(inputs_changed)));
}

#[test]
fn outputs_differ_between_two_runs() {
    let run = |at: usize, tag: &str| {
        format!(r#"{{"generated_at":{at},"tags":["a","{tag}"],"total":3.5}}"#)
    };
    let mut differing: Vec<_> = (0..500)
        .map(|case| {
            differs(
                case,
                &run(1_700_000_000 + case, "b"),
                &run(1_700_000_001 + case, "b"),
            )
        })
        .collect();
    differing[3] = differs(3, &run(1_700_000_003, "x"), &run(1_700_000_004, "y"));
    insta::assert_snapshot!(text(&report(Failure::Unstable(unstable(&differing)))));
}

#[test]
fn the_whole_output_differs_between_two_runs() {
    let differing = [differs(7, r#""3f2a""#, r#""77b0""#)];
    insta::assert_snapshot!(text(&report(Failure::Unstable(unstable(&differing)))));
}

#[test]
fn the_run_could_not_be_judged() {
    let invalid = InvalidRun {
        reason: "case 12: quantity: expected an integer, found null".to_owned(),
        hint: Some("declare the parameter as quantity: Option<i64>, or remove null_probability from the feature".to_owned()),
    };
    insta::assert_snapshot!(text(&report(Failure::Invalid(invalid))));
}

#[test]
fn a_long_reason_is_truncated() {
    let invalid = InvalidRun {
        reason: "no spaces\u{7}".repeat(10_000),
        hint: Some("try\n".repeat(100)),
    };
    assert!(text(&report(Failure::Invalid(invalid))).contains('…'));
}

#[test]
fn many_fields_of_many_cases_stay_on_one_screen() {
    let object = |shift: i64| {
        let entries = (0..50).map(|index| {
            (
                format!("{}{index}", "long field name ".repeat(9)),
                Value::from(index + shift),
            )
        });
        Value::Object(entries.collect())
    };
    let differing: Vec<_> = (0..100)
        .map(|case| {
            DifferingCase::compared(&Policy::exact(), case, object(1), object(2 + case as i64))
        })
        .collect();
    let mut changed = order_changes(100, &differing);
    changed.findings = searched(
        &["a finding that takes more than one line "
            .repeat(9)
            .as_str(); 9],
    );
    insta::assert_snapshot!(text(&report(Failure::Changed(changed))));
}

fn panics() -> RowFailure {
    RowFailure::Panicked {
        message: "attempt to divide by zero".to_owned(),
        location: Some("src/lib.rs:14:9".to_owned()),
    }
}

fn failing_row(number: usize, failure: RowFailure) -> FailingRow {
    let inputs = [("amount", "0.0"), ("quantity", "901"), ("coupon", "null")];
    FailingRow {
        number,
        inputs: inputs
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        object: r#"{"amount":0.0,"quantity":901,"coupon":null}"#.to_owned(),
        failure,
    }
}

fn explored(calls: Option<usize>, failure: RowFailure) -> FailureReport {
    report(Failure::Explored(Explored {
        rows: ExploredRows::Drawn { seed: 1234, calls },
        size: 10_000,
        count: 2,
        findings: strings(&["Every row with quantity > 900 failed."]),
        shown: vec![failing_row(17, failure)],
        loosened: None,
        pending: None,
    }))
}

#[test]
fn an_explored_row_panics() {
    insta::assert_snapshot!(text(&explored(Some(34), panics())));
}

#[test]
fn an_explored_row_fails_only_among_others() {
    let error = RowFailure::Error("\"out of stock\"".to_owned());
    insta::assert_snapshot!(text(&explored(None, error)));
}

#[test]
fn an_explored_row_differs_from_another_function() {
    let case = differs(0, r#"{"net":1,"tax":0.2}"#, r#"{"net":2,"tax":0.2}"#);
    let differs = RowFailure::Differs {
        function: "old::total".to_owned(),
        differences: case.comparison.differences,
    };
    insta::assert_snapshot!(text(&explored(Some(5), differs)));
}

#[test]
fn kept_rows_fail() {
    let kept = |shown: Vec<FailingRow>| {
        report(Failure::Explored(Explored {
            rows: ExploredRows::Kept,
            size: 9,
            count: shown.len(),
            findings: Vec::new(),
            shown,
            loosened: None,
            pending: None,
        }))
    };
    insta::assert_snapshot!(text(&kept(vec![failing_row(2, panics())])));
    let many = (1..=6).map(|number| failing_row(number, panics()));
    insta::assert_snapshot!(text(&kept(many.collect())));
}

#[test]
fn outputs_of_kept_rows_are_not_the_recorded_ones() {
    let change = |number, differences| KeptChange {
        number,
        row: r#"{"amount":0.5,"quantity":9}"#.to_owned(),
        expected: None,
        actual: "64".to_owned(),
        differences,
    };
    let differences = || Some(differs(0, "63", "64").comparison.differences);
    let compared = |changes: &[KeptChange]| KeptComparison {
        changes: changes.to_vec(),
        is_loosened: false,
        lost: Vec::new(),
        accepted: Vec::new(),
    };
    let of_compared = |compared: &KeptComparison, place| {
        let takes = Takes::Named(strings(&["quantity"]));
        let loose = Policy::exact().tolerance(Tolerance::abs(1.0)).unwrap();
        let policies = [&Policy::exact(), &loose];
        let explored = Explored::of_kept(compared, policies, 9, &takes, Some(place));
        text(&report(Failure::Explored(explored)))
    };
    let of = |changes: &[KeptChange], place| of_compared(&compared(changes), place);
    insta::assert_snapshot!([
        of(&[change(1, differences())], pending()),
        of(&[change(1, None)], on_ci()),
        of(&[change(1, None), change(3, differences())], pending()),
    ].join("\n"), @"
    pricing::total: kept row 1 changed

      Kept row 1:
        quantity  9
      field   expected  actual
      output        63      64

      again:   cargo test total
      accept:  cargo tdg review    (or cargo insta review)

    tdg: changed pricing::total, kept row 1 changed, pending in tests/snapshots/pricing__total.snap.new
    pricing::total: kept row 1 has no recorded output

      Kept row 1:
        quantity  9
      has no recorded output

      again:   cargo test total
      accept:  cargo tdg review    (after cargo test total; this run writes nothing: CI is set)

    tdg: missing pricing::total, kept row 1 has no recorded output, nothing written (CI is set)
    pricing::total: 2 of 9 kept rows changed

      Kept row 1:
        quantity  9
      has no recorded output

      Kept row 3:
        quantity  9
      field   expected  actual
      output        63      64

      again:   cargo test total
      accept:  cargo tdg review    (or cargo insta review)

    tdg: changed pricing::total, 2 of 9 kept rows changed, pending in tests/snapshots/pricing__total.snap.new
    ");
    let loosened = KeptComparison {
        is_loosened: true,
        ..compared(&[change(1, differences())])
    };
    insta::assert_snapshot!(of_compared(&loosened, pending()), @r#"
    pricing::total: kept row 1 passes only under a policy other than the recorded one

      recorded:   {}
      the test's: {"tolerance":{"abs":1.0}}

      Kept row 1:
        quantity  9
      field   expected  actual
      output        63      64

      again:   cargo test total
      accept:  cargo tdg review    (or cargo insta review)

    tdg: changed pricing::total, kept row 1 passes only under a policy other than the recorded one, pending in tests/snapshots/pricing__total.snap.new
    "#);
    let lost = KeptCase {
        row: r#"{"amount":0.5,"qty":9}"#.to_owned(),
        output: "63".to_owned(),
    };
    let lost = KeptComparison {
        lost: vec![lost],
        ..compared(&[change(1, None)])
    };
    insta::assert_snapshot!(of_compared(&lost, pending()), @r#"
    pricing::total: kept row 1 has no recorded output

      the recorded row {"amount":0.5,"qty":9} is no longer kept

      Kept row 1:
        quantity  9
      has no recorded output

      again:   cargo test total
      accept:  cargo tdg review    (or cargo insta review)

    tdg: missing pricing::total, kept row 1 has no recorded output, pending in tests/snapshots/pricing__total.snap.new
    "#);
    let lost = KeptComparison {
        lost: [lost.lost.clone(), lost.lost].concat(),
        ..compared(&[])
    };
    insta::assert_snapshot!(of_compared(&lost, pending()), @r#"
    pricing::total: 2 recorded rows are no longer kept

      the recorded row {"amount":0.5,"qty":9} is no longer kept
      the recorded row {"amount":0.5,"qty":9} is no longer kept

      again:   cargo test total
      accept:  cargo tdg review    (or cargo insta review)

    tdg: changed pricing::total, 2 recorded rows are no longer kept, pending in tests/snapshots/pricing__total.snap.new
    "#);
}

#[test]
fn failures_are_alike_if_they_are_of_one_kind_and_panics_of_one_place() {
    let at = |message: &str, location: Option<&str>| RowFailure::Panicked {
        message: message.to_owned(),
        location: location.map(str::to_owned),
    };
    let error = RowFailure::Error("1".to_owned());
    assert!(at("a", Some("x.rs:1:1")).is_like(&at("b", Some("x.rs:1:1"))));
    assert!(!at("a", Some("x.rs:1:1")).is_like(&at("a", Some("x.rs:2:1"))));
    assert!(at("a", None).is_like(&at("a", None)));
    assert!(!at("a", None).is_like(&error));
    assert!(error.is_like(&RowFailure::Error("2".to_owned())));
}

#[test]
fn a_raw_string_holds_quotes_and_hashes() {
    assert_eq!(raw_string("a"), r##"r#"a"#"##);
    assert_eq!(raw_string(r##"{"a":"#"}"##), r###"r##"{"a":"#"}"##"###);
}

/// Returns the changes of draws shifted by `shift`, in fields with these names.
fn draws(fields: &[&str], shift: f64) -> Changed {
    let policy = fields.iter().fold(Policy::exact(), |policy, field| {
        policy.distribution(field, 1e-6).unwrap()
    });
    let output = |number: Value| match fields {
        [""] => number,
        _ => Value::object(fields.iter().map(|field| (&field[1..], number.clone()))),
    };
    let cases = (0..500).map(|case| {
        let draw = f64::from(case * 7 % 500) / 100.0;
        let now = match case % 20 {
            0 => Value::Null,
            1 => Value::from(f64::NAN),
            _ => Value::from(draw * draw + shift),
        };
        Ok::<_, ()>((output(Value::from(draw * draw)), output(now)))
    });
    Changed {
        distributions: changed_distributions(&policy, cases).unwrap(),
        ..order_changes(500, &[])
    }
}

#[test]
fn a_distribution_changed() {
    let changed = draws(&[""], 2.5);
    insta::assert_snapshot!(text(&report(Failure::Changed(changed))));
}

#[test]
fn distributions_and_cases_changed() {
    let differing: Vec<_> = (0..100).map(|case| differs(case, "1", "2")).collect();
    let changed = Changed {
        distributions: draws(&["/price", "/tax", "/\u{1b}[31m"], 2.5).distributions,
        findings: searched(&["a finding of some length"; 8]),
        ..order_changes(500, &differing)
    };
    insta::assert_snapshot!(text(&report(Failure::Changed(changed))));
}

/// Returns the report of outputs made from amount and quantity.
fn required(
    requirements: &[(&str, Option<f64>, Option<f64>)],
    output: impl Fn(f64, i64) -> Value,
) -> String {
    let vectors = orders();
    let outputs = (0..500).map(|case| {
        let cells = vectors.cells(case);
        output(cells[0].parse().unwrap(), cells[1].parse().unwrap())
    });
    let outputs: Vec<Value> = outputs.collect();
    let requirements = requirements.iter();
    let requirements = requirements.map(|(condition, least, most)| {
        tdg_definition::Requirement::new(condition, *least, *most).unwrap()
    });
    let requirements: Vec<_> = requirements.collect();
    let findings = |_: &Vectors, cases: &[usize]| vec![format!("all {} have …", cases.len())];
    match Unmet::check(&requirements, &vectors, &outputs, findings) {
        Some(unmet) => text(&report(Failure::Unmet(unmet))),
        None => "met".to_owned(),
    }
}

#[test]
fn too_few_rows_reach_what_the_test_is_for() {
    let refund = |amount: f64, quantity: i64| {
        let refund = if quantity > 18 && amount > 25.0 {
            amount
        } else {
            0.0
        };
        Value::object([
            ("refund", Value::from(refund)),
            ("id", Value::from(quantity)),
        ])
    };
    let few = required(&[("/refund > 0", Some(0.05), None)], refund);
    insta::assert_snapshot!(few);
    assert_eq!(
        required(&[("/refund > 0", Some(0.01), None)], refund),
        "met"
    );
    insta::assert_snapshot!(required(&[("/refnd > 0", Some(0.05), None)], refund), @"
    pricing::total: no output has a field /refnd; at least 5 % should have /refnd > 0

      did you mean /refund?

      fix:  name a field that the outputs have
            this run recorded nothing

    tdg: unmet pricing::total, no output has a field /refnd; at least 5 % should have /refnd > 0
    ");
    insta::assert_snapshot!(required(&[("/refund < 0", Some(0.05), None)], refund), @"
    pricing::total: none of the 500 cases has /refund < 0; at least 5 % should

      /refund is from 0 to 44.73

      fix:  let the definition draw more such rows, or lower at_least
            this run recorded nothing

    tdg: unmet pricing::total, none of the 500 cases has /refund < 0; at least 5 % should
    ");
    insta::assert_snapshot!(required(&[("/x > 0", None, Some(0.5)), ("/id", None, Some(0.5))], refund), @"
    pricing::total: no output has a field /x; at most 50 % should have /x > 0

      the outputs have /id, /refund

      500 of 500 cases (100 %) have /id; at most 50 % should

      fix:  name a field that the outputs have
            this run recorded nothing

    tdg: unmet pricing::total, no output has a field /x; at most 50 % should have /x > 0
    ");
}

#[test]
fn the_whole_output_can_be_required() {
    let class = |_: f64, quantity: i64| match quantity {
        1..=4 => Value::Null,
        5..=12 => Value::from("small"),
        _ => Value::from("large"),
    };
    assert_eq!(
        required(&[("== 'large'", Some(0.3), Some(0.6))], class),
        "met"
    );
    insta::assert_snapshot!(required(&[("== 'huge'", Some(0.05), None)], class), @r#"
    pricing::total: none of the 500 cases has an output == 'huge'; at least 5 % should

      the output is "large" in 40.4 %, "small" in 38.6 %, null in 21.0 %

      fix:  let the definition draw more such rows, or lower at_least
            this run recorded nothing

    tdg: unmet pricing::total, none of the 500 cases has an output == 'huge'; at least 5 % should
    "#);
    insta::assert_snapshot!(required(&[("== null", None, Some(0.1))], class), @"
    pricing::total: 105 of 500 cases (21.0 %) have an output == null; at most 10 % should

      all 105 have …

      fix:  let the definition draw fewer such rows, or raise at_most
            this run recorded nothing

    tdg: unmet pricing::total, 105 of 500 cases (21.0 %) have an output == null; at most 10 % should
    ");
}

#[test]
fn a_missing_field_is_fine_if_that_is_required() {
    let ok = |amount: f64, _| Value::object([("Ok", Value::from(amount))]);
    assert_eq!(required(&[("/Err", None, Some(0.1))], ok), "met");
    insta::assert_snapshot!(required(&[("/Err", Some(0.1), None)], ok), @"
    pricing::total: no output has a field /Err; at least 10 % should have /Err

      the outputs have /Ok

      fix:  name a field that the outputs have
            this run recorded nothing

    tdg: unmet pricing::total, no output has a field /Err; at least 10 % should have /Err
    ");
}

/// Returns a change of `zone` with outputs that are objects with a list.
fn wide_change() -> (Vectors, Vec<DifferingCase>) {
    let features = ["placed", "zone", "express"].map(|name| {
        format!(
            r#"{{"feature_name":"{name}","type":"STRING","distribution":{{"type":"categorical","categories":[{{"value":"a","probability":1}}]}}}}"#
        )
    });
    let definition = format!(r#"{{"features":[{}]}}"#, features.join(","));
    let definition = Definition::parse(&definition).unwrap();
    let row = |case: usize| {
        let zone = ["Europe/Berlin", "America/New_York"][case % 2];
        format!(r#"["2021-03-08T22:{:02}:28Z","{zone}","no"]"#, case % 60)
    };
    let rows: Vec<String> = (0..40).map(row).collect();
    let vectors = Vectors::from_rows(&definition, rows.iter().map(String::as_str)).unwrap();
    let output = |add: f64| {
        let list: Vec<String> = (0..14)
            .map(|it| (f64::from(it) + add).to_string())
            .collect();
        format!(
            r#"{{"label":"delivery of the day after tomorrow, {add}","list":[{}]}}"#,
            list.join(",")
        )
    };
    let differing = (0..40).filter(|case| case % 2 == 1);
    let differing = differing.map(|case| differs(case, &output(0.25), &output(0.75)));
    (vectors, differing.collect())
}

fn in_extent(extent: Extent) -> String {
    let (vectors, differing) = wide_change();
    let pending = ComparedWith::Benchmark(pending());
    let changed = Changed {
        findings: searched(&[
            "all 20 have zone = \"America/New_York\"   (20 of 20 such cases changed, 0 of the other 20)",
            "/label: \"delivery of the day after tomorrow, 0.25\" became \"delivery of the day after \
             tomorrow, 0.75\" in all 20",
            "/list/*: actual = expected + 0.5 in all 20",
        ]),
        ..Changed::from_cases(&vectors, &[], None, &differing, pending)
    };
    let changed = changed.to_extent(extent, &vectors, &differing);
    report(Failure::Changed(changed)).without_hints(extent)
}

#[test]
fn the_parts_of_a_change_have_the_numbers_by_which_they_are_accepted() {
    let parts = [
        "/net, 3 cases: year = 2001; actual = 2 × expected",
        "/tax, added in 5 cases",
    ];
    let part = |number: usize| format!("the {number} cases with quantity = {number}");
    let of = |parts, with| Changed {
        parts,
        compared_with: with,
        ..order_changes(500, &few_prices())
    };
    let benchmark = || ComparedWith::Benchmark(pending());
    let two = report(Failure::Changed(of(strings(&parts), benchmark())));
    insta::assert_snapshot!(text(&two), @r#"
    pricing::total: 5 of 500 cases changed

      case  amount  quantity  coupon            expected   actual      error
       412    40.5        12  "HALF"                 0.0    12.25     +12.25
        60    37.5         0  null                704.99   683.84     −21.15  −3.0 %
        12    65.5        12  null                  88.0    85.36      −2.64  −3.0 %
         3  23.875         3  null                 120.5  116.885     −3.615  −3.0 %
       499  67.875        19  "HALF"  15.000000000000002     15.0  −1.78e-15   1 ULP
      largest error 21.15 (3.0 %), median 3.615

      part 1: /net, 3 cases: year = 2001; actual = 2 × expected
      part 2: /tax, added in 5 cases

      cause:    cargo tdg why
      run one:  TDG_CASES=412 cargo test total
      accept:   cargo tdg review    (or cargo insta review)
      a part:   cargo tdg accept pricing::total --rule 1

    tdg: changed pricing::total, 5 of 500 cases, pending in tests/snapshots/pricing__total.snap.new
    "#);
    let many = report(Failure::Changed(of(
        (0..9).map(part).collect(),
        benchmark(),
    )));
    assert!(text(&many).contains("… and 5 more parts"));
    // Nothing can be accepted.
    let other = ComparedWith::Function("old::total".to_owned());
    let none = report(Failure::Changed(of(strings(&parts), other)));
    assert!(!text(&none).contains("part"));
}

#[test]
fn all_cases_have_folded_lists_and_fit_into_the_terminal() {
    let text = in_extent(Extent::of_terminal(80).with_all_cases());
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(80), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    insta::assert_snapshot!(lines[..12].join("\n"), @r#"
    pricing::total: 20 of 40 cases changed

      all 20 have zone = "America/New_York"   (20 of 20 such cases changed, 0 of the
      other 20)
      /label: "delivery of the day after tomorrow, 0.25" became "delivery of the day
      after tomorrow, 0.75" in all 20
      /list/*: actual = expected + 0.5 in all 20

      case  zone             field       expected      actual        error
         1  "Americ…w_York"  /label      …rrow, 0.25"  …rrow, 0.75"  at character 39
                                                  ^             ^
                             /list/0…13  14 elements                 +0.5
    "#);
    let cases = lines.iter().filter(|line| line.contains("elements"));
    assert_eq!(cases.count(), 20, "{text}");
}

#[test]
fn nothing_is_shortened_where_all_is_asked_for() {
    let text = in_extent(Extent::whole());
    assert_eq!(text.matches("/list/13 ").count(), 20, "{text}");
    assert!(text.contains("delivery of the day after tomorrow, 0.75"));
    assert!(!text.contains('…'), "{text}");
}

#[test]
fn a_file_has_the_columns_of_all_inputs() {
    let screen = in_extent(Extent::of_terminal(60));
    assert!(
        screen.contains("zone") && screen.contains("… and"),
        "{screen}"
    );
    assert!(!screen.contains("express"), "{screen}");
    let file = in_extent(Extent::FILE);
    assert!(
        file.contains("2021-03-08T22:01:28Z") && file.contains("express"),
        "{file}"
    );
}
