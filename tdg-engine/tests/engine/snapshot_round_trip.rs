//! Both tdg and insta read back rendered snapshots with arbitrary contents.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use tdg_definition::Policy;
use tdg_definition::json::{Value, parse, write_value};
use tdg_engine::Ensemble;
use tdg_engine::output::Outputs;
use tdg_engine::snapshot::{BenchmarkFile, Snapshot, render, render_outputs, save};

type Case = (Vec<Value>, Value);

fn ensemble(name: &str, size: usize) -> Ensemble {
    Ensemble {
        name: name.to_owned(),
        size,
        seed: u64::MAX,
        sampler_version: 1,
        digest: "52fdfc072182654f163f5f0f9a621d72".to_owned(),
        definition: r#"{"features":[{"feature_name":"<<<<<<<\n---"}]}"#.to_owned(),
        rows: None,
    }
}

fn rendered(name: &str, description: &str, cases: &[Case]) -> String {
    render(
        name,
        description,
        &ensemble(name, cases.len()),
        |case, text| write_value(text, &Value::Array(cases[case].0.clone())),
        |case, text| write_value(text, &cases[case].1),
    )
}

fn outputs_of(cases: &[Case]) -> Outputs {
    let mut outputs = Outputs::new();
    for (_, output) in cases {
        outputs.push(output);
    }
    outputs
}

/// Compares a file with these outputs in two ways, by its whole text and while reading. An error
/// has its line.
fn both_ways(path: &Path, outputs: &Outputs) -> [Result<bool, Option<usize>>; 2] {
    let policy = Policy::exact();
    let whole = Snapshot::read(path).and_then(|it| it.unwrap().differing(outputs, &policy));
    let definition = ensemble("f", 0).definition;
    let streamed = BenchmarkFile::read(path, &definition)
        .and_then(|it| it.unwrap().differing(outputs, &policy));
    [whole, streamed].map(|it| match it {
        Ok(differing) => Ok(differing.is_identical),
        Err(error) => Err(error.line()),
    })
}

fn read_back(snapshot: &Snapshot) -> Vec<Case> {
    (0..snapshot.len())
        .map(|case| {
            let row = parse(&snapshot.row_text(case).unwrap()).unwrap();
            let row = row.as_array().unwrap().to_vec();
            (row, snapshot.output(case).unwrap())
        })
        .collect()
}

/// Returns exact texts, since equal values may differ in notation (the sign of zero, or 1 and 1.0).
fn exactly(cases: &[Case]) -> Vec<String> {
    cases
        .iter()
        .map(|(row, output)| format!("{row:?} {output:?}"))
        .collect()
}

fn hard_strings() -> Vec<&'static str> {
    vec![
        "",
        "---",
        "\n---\n",
        "\"'`\\",
        "line\nline\r\nline\rline",
        "\u{2028}\u{2029}\u{85}\u{feff}\u{7f}\u{0}\u{1b}[0m",
        "𝄞 東京 größe",
        "<<<<<<< HEAD\n=======\n>>>>>>> main",
        "# no comment",
        "key: value",
        "- item",
        "null",
        " spaces at both ends ",
        "%TAG ! tag:example.com",
        "{{}}[],&*!|>@`",
    ]
}

fn hard_values() -> Vec<Value> {
    let numbers = [
        0.1 + 0.2,
        -0.0,
        5e-324,
        f64::MAX,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    let mut values = vec![
        Value::Null,
        Value::Bool(true),
        Value::from(u64::MAX),
        Value::from(i64::MIN),
        Value::Array(vec![]),
        Value::Object([("a".to_owned(), Value::Array(vec![Value::Null]))].into()),
    ];
    values.extend(numbers.map(Value::from));
    values.extend(hard_strings().into_iter().map(Value::from));
    values
}

#[test]
fn hard_values_are_read_back_exactly() {
    let cases: Vec<Case> = hard_values()
        .into_iter()
        .map(|value| (vec![value.clone(), value.clone()], value))
        .collect();
    let snapshot = Snapshot::parse(rendered("pricing::total", "hard values", &cases)).unwrap();
    assert_eq!(
        snapshot.ensemble(),
        &ensemble("pricing::total", cases.len())
    );
    assert_eq!(exactly(&read_back(&snapshot)), exactly(&cases));
    for (case, (_, output)) in cases.iter().enumerate() {
        assert!(snapshot.output_is(case, &output.to_string()));
    }
}

#[test]
fn outputs_are_compared_across_the_borders_of_what_is_read_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a__f.snap");
    for longest in [10, 100, 70_000, 200_000] {
        let text = |case: usize| Value::from("ö".repeat(case * 7919 % longest));
        let cases: Vec<Case> = (0..40)
            .map(|case| (vec![text(case)], text(case + 1)))
            .collect();
        let outputs = outputs_of(&cases);
        for text in [
            rendered("f", "", &cases),
            rendered("f", "", &cases).replace('\n', "\r\n"),
            rendered("f", "", &cases).replace("]\n", "]\n\n \n"),
            rendered("f", "", &cases).trim_end().to_owned(),
        ] {
            fs::write(&path, text).unwrap();
            assert_eq!(both_ways(&path, &outputs), [Ok(true), Ok(true)]);
        }
        for (case, change) in [(0, "\"x\""), (39, "7")] {
            let mut changed = cases.clone();
            changed[case].1 = parse(change).unwrap();
            assert_eq!(
                both_ways(&path, &outputs_of(&changed)),
                [Ok(false), Ok(false)]
            );
        }
    }
}

#[test]
fn insta_reads_header_and_contents_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a__f.snap");
    let values = hard_values();
    for string in hard_strings() {
        let text = rendered(
            string,
            string,
            &[(values.clone(), Value::Array(values.clone()))],
        );
        save(&path, &text).unwrap();

        let read = insta::Snapshot::from_file(&path).unwrap();
        assert_eq!(read.metadata().expression(), Some(string));
        assert_eq!(
            read.metadata().description(),
            Some(string).filter(|text| !text.is_empty())
        );
        assert_eq!(read.metadata().source(), None);

        let (_, body) = text.split_once("\n---\n").unwrap();
        assert_eq!(read.as_text().unwrap().to_string() + "\n", body);
    }
}

#[test]
fn tdg_reads_what_insta_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a__f.snap");
    let values = hard_values();
    let cases = [(values.clone(), Value::Array(values))];
    for string in hard_strings() {
        save(&path, &rendered(string, string, &cases)).unwrap();
        insta::Snapshot::from_file(&path)
            .unwrap()
            .save(&path)
            .unwrap();
        let snapshot = Snapshot::read(&path).unwrap().unwrap();
        assert_eq!(snapshot.ensemble().name, string);
        assert_eq!(exactly(&read_back(&snapshot)), exactly(&cases));
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map(any::<String>(), inner, 0..4).prop_map(Value::from),
        ]
    })
}

fn any_row() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(any_value(), 0..4)
}

fn any_cases() -> impl Strategy<Value = Vec<Case>> {
    prop::collection::vec((any_row(), any_value()), 0..6)
}

/// Texts around brackets, commas and quotes, where the start of an output is hardest to find.
fn bracketed_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        "[\\[\\],\"1{}:\\\\]{0,6}".prop_map(Value::String),
        Just(Value::from(1)),
        Just(Value::Array(vec![])),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop::collection::vec(inner, 0..3).prop_map(Value::Array)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_cases_are_read_back_exactly(name: String, description: String, cases in any_cases()) {
        let snapshot = Snapshot::parse(rendered(&name, &description, &cases)).unwrap();
        prop_assert_eq!(&snapshot.ensemble().name, &name);
        prop_assert_eq!(exactly(&read_back(&snapshot)), exactly(&cases));
    }

    #[test]
    fn no_end_of_a_line_but_the_output_is_taken_for_the_output(
        row in prop::collection::vec(bracketed_value(), 0..4),
        output in bracketed_value(),
    ) {
        let text = rendered("f", "", &[(row, output.clone())]);
        let line = text.lines().last().unwrap();
        let snapshot = Snapshot::parse(text.clone()).unwrap();
        for (start, _) in line.char_indices() {
            let end = &line[start..line.len() - 1];
            if tdg_definition::json::parse(end).is_ok() {
                prop_assert_eq!(snapshot.output_is(0, end), end == output.to_string(), "{}", end);
            }
        }
    }

    #[test]
    fn a_damaged_file_is_an_error_or_has_as_many_cases_as_it_says(
        cases in any_cases(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..4),
    ) {
        let mut bytes = rendered("f", "", &cases).into_bytes();
        for (index, byte, kind) in damages {
            let index = index.index(bytes.len());
            match kind {
                0 => bytes[index] = byte,
                1 => bytes.insert(index, byte),
                _ => { bytes.remove(index); }
            }
        }
        if let Ok(text) = String::from_utf8(bytes)
            && let Ok(snapshot) = Snapshot::parse(text)
        {
            for case in 0..snapshot.len() {
                let _ = (snapshot.row_text(case), snapshot.output(case));
                snapshot.output_is(case, "1");
            }
            prop_assert_eq!(snapshot.len(), snapshot.ensemble().size);
        }
    }

    #[test]
    fn outputs_are_compared_with_a_damaged_file_as_with_its_text(
        cases in any_cases(),
        has_inputs: bool,
        damages in prop::collection::vec((any::<prop::sample::Index>(), 0..14_usize, 0..4), 0..3),
    ) {
        let mut bytes = match has_inputs {
            true => rendered("f", "", &cases),
            false => {
                let write_output = |case: usize, text: &mut String| write_value(text, &cases[case].1);
                render_outputs("f", "", &ensemble("f", cases.len()), write_output)
            }
        }.into_bytes();
        for (index, byte, kind) in damages {
            let (index, byte) = (index.index(bytes.len().max(1)), b"\n\n\n\r \t[]{\"<-0\xff"[byte]);
            match kind {
                0 if index < bytes.len() => bytes[index] = byte,
                1 if index < bytes.len() => { bytes.remove(index); }
                2 => bytes.truncate(index),
                _ => bytes.insert(index, byte),
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a__f.snap");
        fs::write(&path, bytes).unwrap();
        let [whole, streamed] = both_ways(&path, &outputs_of(&cases));
        prop_assert_eq!(whole, streamed);
    }

    #[test]
    fn outputs_without_inputs_are_read_back_in_no_more_than_their_size(cases in any_cases()) {
        let write_output = |case: usize, text: &mut String| write_value(text, &cases[case].1);
        let text = render_outputs("f", "", &ensemble("f", cases.len()), write_output);
        let outputs = outputs_of(&cases);
        let header: usize = text.lines().take(5).map(|line| line.len() + 1).sum();
        prop_assert!(text.len() - header <= outputs.as_json().len());
        let snapshot = Snapshot::parse(text).unwrap();
        prop_assert_eq!(snapshot.outputs().unwrap(), outputs);
    }

    #[test]
    fn a_file_cut_anywhere_is_an_error(cases in any_cases(), index: prop::sample::Index) {
        let text = rendered("f", "", &cases);
        let mut end = index.index(text.len() - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        prop_assert!(Snapshot::parse(text[..end].to_owned()).is_err());
    }
}
