//! A feature that can be null, taken as a type that can't. The first run finds this, even if no
//! null is drawn.

#![allow(clippy::unwrap_used)] // Covers helpers, whose failure fails the test.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Deserialize;
use tdg::{Definition, EnsembleTest};

/// A definition whose rows are not null with this seed, but may be with another.
fn parcels() -> Definition {
    let text = r#"{"features": [
        {"feature_name": "weight", "type": "FLOAT", "null_probability": 1e-9,
         "distribution": {"type": "uniform", "min": 1, "max": 2}},
        {"feature_name": "label", "type": "STRING", "distribution": {"type": "uuid"}}
    ]}"#;
    Definition::parse(text).unwrap()
}

/// Returns the reason why a run is invalid that reads rows as this type, or `None` if it passes.
fn refused<I: serde::de::DeserializeOwned>() -> Option<String> {
    let test = EnsembleTest::new("nulls").definition(parcels()).size(3);
    let run = catch_unwind(AssertUnwindSafe(|| test.run(|_: I| ())));
    let report = *run.err()?.downcast::<String>().unwrap();
    let reason = report.lines().nth(2).unwrap_or_default();
    Some(reason.trim().to_owned())
}

const REASON: &str = "feature `weight` (FLOAT) has nulls, so take an Option";

#[derive(Deserialize)]
struct Strict {
    #[allow(dead_code)]
    weight: f64,
}

#[test]
fn a_type_that_can_not_be_null_is_found_without_a_null() {
    #[derive(Deserialize)]
    struct Flat {
        #[allow(dead_code)]
        label: String,
        #[allow(dead_code)]
        #[serde(flatten)]
        rest: Strict,
    }
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Tuple(f64, String);
    assert_eq!(refused::<Strict>().as_deref(), Some(REASON));
    assert_eq!(refused::<Flat>().as_deref(), Some(REASON));
    assert_eq!(refused::<Tuple>().as_deref(), Some(REASON));
    assert_eq!(refused::<(f64, String)>().as_deref(), Some(REASON));
    assert_eq!(refused::<Option<Strict>>().as_deref(), Some(REASON));
}

#[test]
fn a_type_that_can_be_null_is_fine() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Lenient {
        weight: Option<f64>,
        label: String,
    }
    #[derive(Deserialize)]
    struct Other {
        #[allow(dead_code)]
        label: String,
    }
    /// A weight that reads null as 0.
    #[derive(Deserialize)]
    struct Default {
        #[allow(dead_code)]
        #[serde(deserialize_with = "or_default")]
        weight: f64,
    }
    fn or_default<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or_default())
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum Either {
        Weighed { weight: f64 },
        NotWeighed { weight: () },
    }
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Weight(Option<f64>);
    assert_eq!(refused::<Lenient>(), None);
    assert_eq!(refused::<(Weight, String)>(), None);
    assert_eq!(refused::<Other>(), None);
    assert_eq!(refused::<Default>(), None);
    assert_eq!(refused::<Either>(), None);
    assert_eq!(refused::<serde_json::Value>(), None);
    assert_eq!(refused::<BTreeMap<String, serde_json::Value>>(), None);
    assert_eq!(refused::<(Option<f64>, String)>(), None);
}

#[test]
fn a_function_that_takes_a_row_apart_may_know_which_rows_are_not_null() {
    EnsembleTest::new("nulls_known")
        .definition(parcels())
        .size(3)
        .run_rows(|row| {
            let weight: f64 = row.get("weight").unwrap_or_default();
            assert!(weight > 0.0);
            Ok(tdg::Outcome::nothing())
        });
}
