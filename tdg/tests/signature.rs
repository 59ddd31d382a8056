//! Definitions in the signature. Every function compiles without a warning, and passes.

#![allow(clippy::unwrap_used)] // Covers helpers, whose failure fails the test.
#![warn(clippy::pedantic)]
#![warn(
    unused,
    unused_qualifications,
    unused_results,
    single_use_lifetimes,
    unused_lifetimes
)]

use std::borrow::Cow;

use serde::Deserialize;
use tdg::{Define, Definition, ensemble_test};

#[derive(Define, Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
enum Coupon {
    #[define(probability = 0.2)]
    Half,
    #[define(probability = 0.8)]
    Tenth,
}

#[ensemble_test(size = 20)]
fn total(
    #[define(lognormal(mu = 3.0, sigma = 0.5), decimals = 2)] amount: f64,
    #[define(uniform(1..=20))] quantity: u32,
    #[define(categorical("HALF" = 0.2, "TENTH" = 0.8), null_probability = 0.3)] coupon: Option<
        &str,
    >,
) -> f64 {
    let gross = amount * f64::from(quantity);
    if coupon == Some("HALF") {
        gross / 2.0
    } else {
        gross
    }
}

#[test]
fn a_signature_means_what_a_file_means() {
    let benchmark = include_str!("snapshots/signature__total.snap");
    let definition = Definition::parse(
        r#"{
            "definition_name": "total",
            "features": [
                {"feature_name": "amount", "type": "FLOAT", "decimals": 2,
                 "distribution": {"type": "lognormal", "mu": 3, "sigma": 0.5}},
                {"feature_name": "quantity", "type": "INTEGER",
                 "distribution": {"type": "uniform", "min": 1, "max": 20}},
                {"feature_name": "coupon", "type": "STRING", "null_probability": 0.3,
                 "distribution": {"type": "categorical", "categories": [
                    {"value": "HALF", "probability": 0.2}, {"value": "TENTH", "probability": 0.8}]}}
            ]
        }"#,
    );
    assert!(benchmark.contains(&definition.unwrap().canonical()));
}

#[ensemble_test(define(order(start, end), definition_name = "stays"), size = 300)]
fn relations_are_written_by_the_names_of_parameters(
    #[define(type = DATE, uniform("2020-01-01"..="2020-12-31"))] start: &str,
    #[define(type = DATE, uniform("2020-01-01"..="2021-12-31"))] end: String,
) {
    assert!(*start <= *end);
}

#[ensemble_test(define(coverage(strength = 2, features = [is_member, size])), size = 9)]
fn coverage_is_a_member_of_the_signature(
    #[define(bernoulli(p = 0.01), null_probability = 0.1)] is_member: Option<bool>,
    #[define(categorical("S", "M", "L"))] size: char,
) -> (Option<bool>, char) {
    (is_member, size)
}

#[ensemble_test]
fn every_type_of_a_parameter(
    coupon: Option<Coupon>,
    #[define(null_probability = 0.3)] second: Option<Coupon>,
    #[define(pattern(regex = "[a-z]{3}"))] label: Cow<'_, str>,
    #[define(gaussian(mu = 1.0, sigma = 2.0, 0.0..))] factor: f32,
    #[define(triangular(0.0..=10.0, mode = 2.0))] mut waiting: f64,
    #[define(uniform(-128..128))] small: i8,
    #[define(sequence, unique)] number: u128,
    #[define(uniform(1..20), edge_cases(probability = 0.2))] edge: u8,
    #[feature("unit price")]
    #[define(mixture(uniform(0.0..1.0) = 0.5, constant(value = 5.0) = 0.5))]
    _: f64,
    #[define(uuid)] r#type: String,
) {
    waiting += f64::from(factor);
    assert!(coupon.is_some() && second != Some(Coupon::Half) || second.is_some());
    assert!(label.len() == 3 && waiting >= 0.0 && number < 100 && r#type.len() == 36);
    assert!((1..20).contains(&edge) && i64::from(small) < 128);
}

#[ensemble_test]
fn a_single_parameter(#[define(uniform(1..=6))] eyes: u8) {
    assert!((1..=6).contains(&eyes));
}

#[ensemble_test]
fn an_enum_alone(#[define] coupon: Coupon) {
    assert!(coupon == Coupon::Half || coupon == Coupon::Tenth);
}

#[ensemble_test(define(sampling = "stratified"), size = 6)]
#[allow(clippy::needless_lifetimes)]
fn a_lifetime<'a>(#[define(categorical("a", "b", "c"))] label: &'a str) -> &'a str {
    label
}

#[cfg(feature = "tokio")]
#[ensemble_test]
async fn asynchronous(#[define(uniform(1..=6))] eyes: u8) {
    tokio::task::yield_now().await;
    assert!((1..=6).contains(&eyes));
}

#[ensemble_test(size = 5)]
fn beside_a_fixture(
    #[fixture(vec![1.0, 2.0, 3.0])] rates: &[f64],
    #[define(uniform(0..3))] level: usize,
) -> f64 {
    rates[level]
}
