//! The work of drawing is known in advance, and limited.

use crate::arbitrary;
use std::cell::Cell;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use proptest::prelude::*;
use tdg_definition::limits::WORK;
use tdg_definition::{Definition, interruptible, json};

/// The most work between two checkpoints of a column, and the least that each represents.
const CHECKPOINT: u64 = 400;

/// A definition with `count` features of this type and distribution, and other members.
fn of(count: usize, feature_type: &str, distribution: &str, members: &str) -> String {
    let feature = |number| {
        format!(
            r#"{{"feature_name": "f{number}", "type": "{feature_type}", "distribution": {distribution}}}"#
        )
    };
    let features: Vec<String> = (1..=count).map(feature).collect();
    format!(r#"{{"features": [{}]{members}}}"#, features.join(","))
}

fn checkpoints(definition: &Definition, size: usize) -> u64 {
    let passed = Rc::new(Cell::new(0));
    let counter = passed.clone();
    let hook = move || counter.set(counter.get() + 1);
    interruptible(hook, || {
        let size = size as u64;
        definition.columns(7, size, 0..size)
    });
    passed.get()
}

proptest! {
    #[test]
    fn no_definition_passes_more_checkpoints_than_its_work_allows(text in arbitrary::definition(), size in 1..2000usize) {
        let definition = Definition::parse_recorded(&text).unwrap();
        let (passed, work) = (checkpoints(&definition, size), definition.work(size));
        prop_assert!(passed * CHECKPOINT <= work, "{} checkpoints, work {}", passed, work);
    }
}

#[test]
fn tables_pass_no_more_checkpoints_than_their_work_allows() {
    for distribution in [
        r#"{"type": "zipf", "n": 1000000, "s": 0.5}"#,
        r#"{"type": "poisson", "rate": 1e-9}"#,
        r#"{"type": "poisson", "rate": 1}"#,
        r#"{"type": "poisson", "rate": 1e7}"#,
        r#"{"type": "binomial", "n": 9007199254740991, "p": 1e-9}"#,
        r#"{"type": "negative_binomial", "n": 1e-6, "p": 1e-4}"#,
        r#"{"type": "negative_binomial", "n": 1e8, "p": 0.5}"#,
    ] {
        let definition = Definition::parse(&of(1, "INTEGER", distribution, "")).unwrap();
        let (passed, work) = (checkpoints(&definition, 1), definition.work(1));
        assert!(
            passed * CHECKPOINT <= work,
            "{distribution}: {passed}, {work}"
        );
    }
}

#[test]
fn panels_pass_no_more_checkpoints_than_their_work_allows() {
    let shapes = ["1e-300", "1e-9", "0.1", "1", "1e4", "1e8"];
    let betas = shapes.iter().flat_map(|alpha| {
        let beta = move |beta| format!(r#"{{"type": "beta", "alpha": {alpha}, "beta": {beta}}}"#);
        shapes.iter().map(beta)
    });
    let gammas = shapes
        .iter()
        .map(|shape| format!(r#"{{"type": "gamma", "shape": {shape}, "scale": 1}}"#));
    for distribution in betas.chain(gammas) {
        let text = of(1, "FLOAT", &distribution, r#", "sampling": "stratified""#);
        let definition = Definition::parse(&text).unwrap();
        let (passed, work) = (checkpoints(&definition, 1), definition.work(1));
        assert!(passed * 1_000 <= work, "{distribution}: {passed}, {work}");
    }
}

#[test]
fn more_tables_than_can_be_drawn_in_time_are_refused() {
    let zipf = r#"{"type": "zipf", "n": 1000000, "s": 1.1}"#;
    let text = of(1000, "INTEGER", zipf, "");
    let error = Definition::parse(&text).unwrap_err().to_string();
    assert_eq!(
        error,
        "/features: drawing 1 rows would take about 80.1 s, which is more than 2 s; `f1` (zipf) takes the most: use \
         a simpler distribution or smaller parameters for it, fewer such features, or fewer rows"
    );
    let component = format!(r#"{{"weight": 1, "distribution": {zipf}}}"#);
    let components = vec![component; 100].join(",");
    let mixture = format!(r#"{{"type": "mixture", "components": [{components}]}}"#);
    assert!(Definition::parse(&of(1, "INTEGER", &mixture, "")).is_err());
    assert!(Definition::parse(&of(10, "INTEGER", zipf, "")).is_ok());
}

#[test]
fn what_was_accepted_before_is_read_and_not_drawn() {
    let zipf = r#"{"type": "zipf", "n": 1000000, "s": 1.1}"#;
    let recorded = Definition::parse_recorded(&of(100, "INTEGER", zipf, "")).unwrap();
    assert!(recorded.work(1) > WORK);
    assert!(recorded.check_size(1).is_err());
}

#[test]
fn rows_count_as_well() {
    let gamma = r#"{"type": "gamma", "shape": 2, "scale": 1}"#;
    let text = of(1000, "FLOAT", gamma, r#", "sampling": "stratified""#);
    let definition = Definition::parse(&text).unwrap();
    assert!(definition.check_size(100).is_ok());
    assert!(definition.check_size(1000).is_err());
}

#[test]
fn long_strings_count_as_well() {
    let pattern = r#"{"type": "pattern", "regex": "[A-Z]{60000}"}"#;
    let definition = Definition::parse(&of(10, "STRING", pattern, "")).unwrap();
    assert!(definition.check_size(10).is_ok());
    assert!(definition.check_size(10_000).is_err());
}

#[test]
#[ignore = "measures, for the figures in the code"]
fn measure() {
    let largest = 1_000;
    let cases: &[(&str, &str, &str, usize)] = &[
        (
            "FLOAT",
            r#"{"type": "gaussian", "mu": 0, "sigma": 1}"#,
            "",
            largest,
        ),
        (
            "FLOAT",
            r#"{"type": "lognormal", "mu": 0, "sigma": 1}"#,
            "",
            largest,
        ),
        ("FLOAT", r#"{"type": "student_t", "nu": 3}"#, "", largest),
        (
            "FLOAT",
            r#"{"type": "gamma", "shape": 0.5, "scale": 1}"#,
            "",
            largest,
        ),
        (
            "FLOAT",
            r#"{"type": "beta", "alpha": 0.5, "beta": 0.5}"#,
            "",
            largest,
        ),
        (
            "FLOAT",
            r#"{"type": "gaussian", "mu": 0, "sigma": 1}"#,
            r#", "sampling": "stratified""#,
            largest,
        ),
        (
            "FLOAT",
            r#"{"type": "gamma", "shape": 0.5, "scale": 1}"#,
            r#", "sampling": "stratified""#,
            100,
        ),
        (
            "FLOAT",
            r#"{"type": "beta", "alpha": 0.1, "beta": 1e8}"#,
            r#", "sampling": "stratified""#,
            100,
        ),
        (
            "FLOAT",
            r#"{"type": "student_t", "nu": 1e9}"#,
            r#", "sampling": "stratified""#,
            100,
        ),
        ("FLOAT", r#"{"type": "any"}"#, "", 100),
        ("INTEGER", r#"{"type": "any"}"#, "", 100),
        ("STRING", r#"{"type": "any"}"#, "", 100),
        ("STRING", r#"{"type": "any", "min_length": 1000}"#, "", 10),
        (
            "STRING",
            r#"{"type": "pattern", "regex": "[A-Z]{1000}"}"#,
            "",
            10,
        ),
        (
            "STRING",
            r#"{"type": "pattern", "regex": "((a?){100}){100}"}"#,
            "",
            1,
        ),
        ("STRING", r#"{"type": "uuid"}"#, "", 100),
        (
            "INTEGER",
            r#"{"type": "zipf", "n": 1000000, "s": 1.1}"#,
            "",
            10,
        ),
        (
            "INTEGER",
            r#"{"type": "zipf", "n": 1000000, "s": 0}"#,
            "",
            10,
        ),
        ("INTEGER", r#"{"type": "poisson", "rate": 1e7}"#, "", 10),
        (
            "INTEGER",
            r#"{"type": "negative_binomial", "n": 1e8, "p": 0.5}"#,
            "",
            10,
        ),
        ("INTEGER", r#"{"type": "geometric", "p": 0.1}"#, "", 100),
        (
            "FLOAT",
            r#"{"type": "uniform", "min": 0, "max": 1}"#,
            r#", "coverage": {"strength": 2, "bins": 8}"#,
            100,
        ),
        (
            "FLOAT",
            r#"{"type": "uniform", "min": 0, "max": 1}"#,
            r#", "coverage": {"strength": 3, "bins": 4}"#,
            30,
        ),
    ];
    for &(feature_type, distribution, members, count) in cases {
        let text = of(count, feature_type, distribution, members);
        let definition = Definition::parse_recorded(&text).unwrap();
        let time = |rows: u64| {
            let began = Instant::now();
            drop(definition.columns(7, rows, 0..rows));
            began.elapsed().as_nanos() as u64
        };
        let array = time(1);
        let (one, many) = (time(1), time(1001));
        println!(
            "{feature_type} {distribution}{members}: first {} us, a column {} ns, each value {} ns; estimated {:.0} % of it",
            array / 1000,
            one / count as u64,
            many.saturating_sub(one) / 1000 / count as u64,
            definition.work(1001) as f64 / many as f64 * 100.0,
        );
    }
}

/// All JSON definitions in docs and examples, each with its size from the snapshot file, otherwise
/// the most rows that a server draws.
fn shown() -> Vec<(String, Definition, usize)> {
    const MOST_ROWS: usize = 10_000;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut shown, mut folders) = (Vec::new(), vec![root.join("docs"), root.join("examples")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            let texts: Vec<&str> = match path.extension().and_then(OsStr::to_str) {
                Some("json") => vec![&text],
                Some("snap") => vec![text.trim_end().lines().last().unwrap_or_default()],
                Some("md") => text.split("```").skip(1).step_by(2).collect(),
                _ => continue,
            };
            let place = path.strip_prefix(&root).unwrap().display().to_string();
            for text in texts {
                let Some(start) = text.find('{') else {
                    continue;
                };
                let text = text[start..].trim_end();
                let (mut definition, mut size) = (Definition::parse(text).ok(), MOST_ROWS);
                if definition.is_none()
                    && let Ok(whole) = json::parse(text)
                    && let Some(within) = whole.get("definition")
                {
                    definition = Definition::from_recorded(within).ok();
                    let recorded = whole.get("size").map(|size| size.to_string());
                    size = recorded.map_or(MOST_ROWS, |size| size.parse().unwrap());
                }
                if let Some(definition) = definition {
                    shown.push((place.clone(), definition, size));
                }
            }
        }
    }
    shown.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    shown
}

#[test]
fn every_definition_that_docs_and_examples_show_may_be_drawn() {
    let shown = shown();
    let refused: Vec<_> = shown
        .iter()
        .filter(|(_, definition, size)| definition.work(*size) > WORK)
        .map(|(place, ..)| place)
        .collect();
    assert!(refused.is_empty(), "{refused:?}");
    assert!(shown.len() >= 40, "{}", shown.len());
    let of_limit = |(_, definition, size): &&(String, Definition, usize)| {
        definition.work(*size) as f64 / WORK as f64 * 100.0
    };
    let largest = shown
        .iter()
        .max_by(|one, other| of_limit(one).total_cmp(&of_limit(other)))
        .unwrap();
    let (place, _, size) = largest;
    insta::assert_snapshot!(
        format!("{:.0} % for {size} rows in {place}", of_limit(&largest)),
        @"11 % for 10000 rows in docs/reference/definitions.md"
    );
}
