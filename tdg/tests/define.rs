//! Uses of `#[derive(Define)]`, which mean the same as the JSON.

#![allow(clippy::unwrap_used)] // Covers helpers, whose failure fails the test.
#![warn(
    unused,
    unused_qualifications,
    unused_results,
    single_use_lifetimes,
    unused_lifetimes
)]

use std::borrow::Cow;

use serde::Deserialize;
use std::collections::BTreeSet;

use tdg::__private::{DefinedPart, PartMembers, defined, part};
use tdg::{Define, Definition, Row, Vectors, ensemble_test};

#[derive(Define, Deserialize)]
struct Order {
    #[define(gaussian(mu = 10.0, sigma = 2.0))]
    amount: f64,
    #[define(uniform(min = 1, max = 20))]
    quantity: u8,
    #[define(null_probability = 0.3)]
    coupon: Option<Coupon>,
    #[serde(rename = "placed at")]
    #[define(type = DATETIME, uniform(min = "2020-01-01T00:00:00Z", max = "2020-12-31T00:00:00Z"))]
    placed: String,
}

#[derive(Define, Deserialize, Debug, PartialEq, Clone, Copy)]
#[serde(rename_all = "UPPERCASE")]
enum Coupon {
    #[define(probability = 0.2)]
    Half,
    #[serde(rename = "10%")]
    #[define(probability = 0.8)]
    Tenth,
}

const ORDER: &str = r#"{
    "definition_name": "Order",
    "features": [
        {"feature_name": "amount", "type": "FLOAT",
         "distribution": {"type": "gaussian", "mu": 10, "sigma": 2}},
        {"feature_name": "quantity", "type": "INTEGER",
         "distribution": {"type": "uniform", "min": 1, "max": 20}},
        {"feature_name": "coupon", "type": "STRING", "null_probability": 0.3,
         "distribution": {"type": "categorical", "categories": [
            {"value": "HALF", "probability": 0.2}, {"value": "10%", "probability": 0.8}]}},
        {"feature_name": "placed at", "type": "DATETIME",
         "distribution": {"type": "uniform",
            "min": "2020-01-01T00:00:00Z", "max": "2020-12-31T00:00:00Z"}}
    ]
}"#;

fn digest(definition: &Definition) -> String {
    Vectors::generate(definition, 7, 100).digest()
}

/// Asserts that the derived definition equals the JSON, byte for byte.
#[track_caller]
fn assert_means<T: Define>(json: &str) {
    let derived = T::definition();
    let stated = Definition::parse(json).unwrap();
    assert_eq!(derived.canonical(), stated.canonical());
    let read_again = Definition::parse(&derived.canonical()).unwrap();
    assert_eq!(read_again, derived);
    assert_eq!(digest(&derived), digest(&stated));
    assert_eq!(digest(&derived), digest(&read_again));
    let names = T::FEATURES.unwrap().iter().copied();
    assert!(names.eq(derived.features().iter().map(|feature| feature.name())));
}

#[test]
fn a_struct_and_an_enum_mean_what_the_json_means() {
    assert_means::<Order>(ORDER);
}

#[test]
fn relations_are_written_by_the_names_of_fields() {
    #[derive(Define, Deserialize)]
    #[allow(dead_code)]
    #[serde(rename_all = "camelCase")]
    #[define(
        correlation(height, body_weight, 0.7),
        correlation("age in years", height, -0.2),
        order(first_visit, last_visit)
    )]
    struct Patient {
        #[define(gaussian(mu = 170.0, sigma = 9.0))]
        height: f64,
        #[define(gaussian(mu = 75.0, sigma = 15.0))]
        body_weight: f64,
        #[serde(rename = "age in years")]
        #[define(poisson(rate = 40.0))]
        age: u8,
        #[define(type = DATE, uniform(min = "2020-01-01", max = "2020-12-31"))]
        first_visit: String,
        #[define(type = DATE, uniform(min = "2020-01-01", max = "2020-12-31"))]
        last_visit: String,
    }
    assert_means::<Patient>(
        r#"{
            "definition_name": "Patient",
            "features": [
                {"feature_name": "height", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 170, "sigma": 9}},
                {"feature_name": "bodyWeight", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 75, "sigma": 15}},
                {"feature_name": "age in years", "type": "INTEGER", "distribution": {"type": "poisson", "rate": 40}},
                {"feature_name": "firstVisit", "type": "DATE",
                 "distribution": {"type": "uniform", "min": "2020-01-01", "max": "2020-12-31"}},
                {"feature_name": "lastVisit", "type": "DATE",
                 "distribution": {"type": "uniform", "min": "2020-01-01", "max": "2020-12-31"}}
            ],
            "correlations": [
                {"features": ["height", "bodyWeight"], "correlation": 0.7},
                {"features": ["age in years", "height"], "correlation": -0.2}
            ],
            "order": [["firstVisit", "lastVisit"]]
        }"#,
    );
}

#[test]
fn stratified_sampling_is_a_member_of_the_struct() {
    #[derive(Define)]
    #[allow(dead_code)]
    #[define(sampling = "stratified")]
    struct Part {
        #[define(gaussian(mu = 20.0, sigma = 2.0))]
        length: f64,
    }
    assert_means::<Part>(
        r#"{
            "definition_name": "Part",
            "sampling": "stratified",
            "features": [{"feature_name": "length", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 20, "sigma": 2}}]
        }"#,
    );
}

#[test]
fn coverage_is_written_by_the_names_of_fields() {
    #[derive(Define)]
    #[allow(dead_code)]
    #[define(coverage(strength = 2, bins = 3, features = [coupon, "in stock", amount]))]
    struct Order {
        #[define(null_probability = 0.3)]
        coupon: Option<Coupon>,
        #[serde(rename = "in stock")]
        #[define(bernoulli(p = 0.9))]
        stocked: bool,
        #[define(gaussian(mu = 20.0, sigma = 2.0))]
        amount: f64,
        #[define(uuid)]
        id: String,
    }
    assert_means::<Order>(
        r#"{
            "definition_name": "Order",
            "coverage": {"strength": 2, "bins": 3, "features": ["coupon", "in stock", "amount"]},
            "features": [
                {"feature_name": "coupon", "type": "STRING", "null_probability": 0.3,
                 "distribution": {"type": "categorical", "categories": [
                    {"value": "HALF", "probability": 0.2}, {"value": "10%", "probability": 0.8}]}},
                {"feature_name": "in stock", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.9}},
                {"feature_name": "amount", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 20, "sigma": 2}},
                {"feature_name": "id", "type": "STRING", "distribution": {"type": "uuid"}}
            ]
        }"#,
    );
}

#[test]
fn every_distribution_of_the_catalogue_can_be_written() {
    #[derive(Define)]
    #[allow(dead_code)]
    #[define(definition_name = "all")]
    struct All<'a> {
        #[define(gaussian(mu = -1, sigma = 2.5e-1))]
        gaussian: f32,
        #[define(normal(mean = 0, sd = 1))]
        by_aliases: f64,
        #[define(lognormal(mu = 3.0, sigma = 0.5))]
        lognormal: f64,
        #[define(exponential(rate = 0.1))]
        exponential: f64,
        #[define(exponential(scale = 10))]
        by_scale: f64,
        #[define(uniform(min = 0.5, max = 1_000.0))]
        uniform: f64,
        #[define(uniform(min = -9_223_372_036_854_775_808, max = 0x7fff_ffff_ffff_ffff))]
        integers: i64,
        #[define(uniform(min = 0, max = 18_446_744_073_709_551_615))]
        unsigned: u64,
        #[define(type = date, uniform(min = "2020-01-01", max = "2020-12-31"))]
        date: &'a str,
        #[define(categorical("a" = 0.25, "null" = 0.75))]
        strings: String,
        #[define(categorical(1 = 0.5, -2 = 0.5))]
        numbers: i32,
        #[define(categorical(true = 0.9, false = 0.1))]
        booleans: Option<bool>,
        #[define(categorical('x', 'y', 'z', 'w'))]
        evenly: char,
        #[define(categorical(categories = [(value = "a", probability = 1.0)]))]
        as_in_json: Cow<'a, str>,
        #[define(mixture(gaussian(mu = 0.0, sigma = 1.0) = 0.7, exponential(rate = 2.0) = 0.3))]
        mixture: f64,
        #[define(mixture(components = [
            (weight = 1, mu = 0, sigma = 1),
            (weight = 2, gaussian(mu = 1, sigma = 1)),
            (weight = 3, distribution = uniform(min = 0, max = 1)),
        ]))]
        mixture_as_in_json: f64,
        #[define(bernoulli(p = 0.5))]
        bernoulli: bool,
        #[define(poisson(rate = 3))]
        poisson: u32,
        #[define(constant(value = "\u{0} 💾"))]
        #[define(null_probability = 1)]
        constant: Option<Box<str>>,
        #[define(gaussian(mu = 0, sigma = 1, min = -1))]
        truncated: f64,
        #[define(gamma(shape = 2, rate = 0.05))]
        gamma: f64,
        #[define(beta(alpha = 2, beta = 5))]
        beta: f64,
        #[define(weibull(shape = 1.5, scale = 1000))]
        weibull: f64,
        #[define(pareto(min = 1, shape = 1.2))]
        pareto: f64,
        #[define(triangular(min = 0, mode = 2, max = 10))]
        triangular: f64,
        #[define(student_t(nu = 4))]
        student_t: f64,
        #[define(cauchy(mu = 0, sigma = 1))]
        cauchy: f64,
        #[define(laplace(mu = 0, sigma = 2))]
        laplace: f64,
        #[define(logistic(mu = 0, sigma = 2))]
        logistic: f64,
        #[define(binomial(n = 20, p = 0.3))]
        binomial: u8,
        #[define(negative_binomial(n = 3, p = 0.2))]
        negative_binomial: u32,
        #[define(geometric(p = 0.1))]
        geometric: u32,
        #[define(zipf(n = 1_000, s = 1.1))]
        zipf: u32,
        #[define(sequence(start = 1, step = 2))]
        sequence: u32,
        #[define(pattern(regex = r"[A-Z]{4}-\d{2}"))]
        pattern: String,
        #[define(uuid())]
        uuid: String,
        #[define(any)]
        any: i64,
        #[define([uniform(0..=9); 0..=3])]
        list: Vec<u8>,
        object: Point,
        #[define((bernoulli(p = 0.5), uniform(0..=9)))]
        tuple: (bool, u8),
        variant: Shape,
        #[define(length_of(list))]
        length_of: usize,
        #[define(index(of = length_of, beyond = 0.1))]
        index: Option<usize>,
        #[define(one_of(list))]
        one_of: Option<u8>,
        nested: Condition,
        #[define(sum(list, off = 0.1))]
        sum: i64,
        #[define([share(sum, shape = 2); 1..=3])]
        parts: Vec<i64>,
    }
    #[derive(Define)]
    #[allow(dead_code)]
    enum Shape {
        Dot,
        Circle(#[define(uniform(0.5..2.0))] f64),
    }
    #[derive(Define)]
    #[allow(dead_code)]
    struct Point {
        #[define(bernoulli(p = 0.5))]
        x: bool,
    }
    assert_means::<All<'_>>(
        r#"{"definition_name": "all", "features": [
        {"feature_name": "gaussian", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": -1, "sigma": 0.25}},
        {"feature_name": "by_aliases", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 0, "sigma": 1}},
        {"feature_name": "lognormal", "type": "FLOAT", "distribution": {"type": "lognormal", "mu": 3, "sigma": 0.5}},
        {"feature_name": "exponential", "type": "FLOAT", "distribution": {"type": "exponential", "rate": 0.1}},
        {"feature_name": "by_scale", "type": "FLOAT", "distribution": {"type": "exponential", "scale": 10}},
        {"feature_name": "uniform", "type": "FLOAT", "distribution": {"type": "uniform", "min": 0.5, "max": 1000}},
        {"feature_name": "integers", "type": "INTEGER",
         "distribution": {"type": "uniform", "min": -9223372036854775808, "max": 9223372036854775807}},
        {"feature_name": "unsigned", "type": "INTEGER",
         "distribution": {"type": "uniform", "min": 0, "max": 18446744073709551615}},
        {"feature_name": "date", "type": "DATE", "distribution": {"type": "uniform", "min": "2020-01-01", "max": "2020-12-31"}},
        {"feature_name": "strings", "type": "STRING", "distribution": {"type": "categorical", "categories": [
            {"value": "a", "probability": 0.25}, {"value": "null", "probability": 0.75}]}},
        {"feature_name": "numbers", "type": "INTEGER", "distribution": {"type": "categorical", "categories": [
            {"value": 1, "probability": 0.5}, {"value": -2, "probability": 0.5}]}},
        {"feature_name": "booleans", "type": "BOOLEAN", "distribution": {"type": "categorical", "categories": [
            {"value": true, "probability": 0.9}, {"value": false, "probability": 0.1}]}},
        {"feature_name": "evenly", "type": "STRING", "distribution": {"type": "categorical", "categories": [
            {"value": "x", "probability": 0.25}, {"value": "y", "probability": 0.25},
            {"value": "z", "probability": 0.25}, {"value": "w", "probability": 0.25}]}},
        {"feature_name": "as_in_json", "type": "STRING", "distribution": {"type": "categorical", "categories": [
            {"value": "a", "probability": 1}]}},
        {"feature_name": "mixture", "type": "FLOAT", "distribution": {"type": "mixture", "components": [
            {"weight": 0.7, "distribution": {"type": "gaussian", "mu": 0, "sigma": 1}},
            {"weight": 0.3, "distribution": {"type": "exponential", "rate": 2}}]}},
        {"feature_name": "mixture_as_in_json", "type": "FLOAT", "distribution": {"type": "mixture", "components": [
            {"weight": 1, "mu": 0, "sigma": 1},
            {"weight": 2, "distribution": {"type": "gaussian", "mu": 1, "sigma": 1}},
            {"weight": 3, "distribution": {"type": "uniform", "min": 0, "max": 1}}]}},
        {"feature_name": "bernoulli", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.5}},
        {"feature_name": "poisson", "type": "INTEGER", "distribution": {"type": "poisson", "rate": 3}},
        {"feature_name": "constant", "type": "STRING", "null_probability": 1,
         "distribution": {"type": "constant", "value": "\u0000 💾"}},
        {"feature_name": "truncated", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 0, "sigma": 1, "min": -1}},
        {"feature_name": "gamma", "type": "FLOAT", "distribution": {"type": "gamma", "shape": 2, "rate": 0.05}},
        {"feature_name": "beta", "type": "FLOAT", "distribution": {"type": "beta", "alpha": 2, "beta": 5}},
        {"feature_name": "weibull", "type": "FLOAT", "distribution": {"type": "weibull", "shape": 1.5, "scale": 1000}},
        {"feature_name": "pareto", "type": "FLOAT", "distribution": {"type": "pareto", "min": 1, "shape": 1.2}},
        {"feature_name": "triangular", "type": "FLOAT", "distribution": {"type": "triangular", "min": 0, "mode": 2, "max": 10}},
        {"feature_name": "student_t", "type": "FLOAT", "distribution": {"type": "student_t", "nu": 4}},
        {"feature_name": "cauchy", "type": "FLOAT", "distribution": {"type": "cauchy", "mu": 0, "sigma": 1}},
        {"feature_name": "laplace", "type": "FLOAT", "distribution": {"type": "laplace", "mu": 0, "sigma": 2}},
        {"feature_name": "logistic", "type": "FLOAT", "distribution": {"type": "logistic", "mu": 0, "sigma": 2}},
        {"feature_name": "binomial", "type": "INTEGER", "distribution": {"type": "binomial", "n": 20, "p": 0.3}},
        {"feature_name": "negative_binomial", "type": "INTEGER", "distribution": {"type": "negative_binomial", "n": 3, "p": 0.2}},
        {"feature_name": "geometric", "type": "INTEGER", "distribution": {"type": "geometric", "p": 0.1}},
        {"feature_name": "zipf", "type": "INTEGER", "distribution": {"type": "zipf", "n": 1000, "s": 1.1}},
        {"feature_name": "sequence", "type": "INTEGER", "distribution": {"type": "sequence", "start": 1, "step": 2}},
        {"feature_name": "pattern", "type": "STRING", "distribution": {"type": "pattern", "regex": "[A-Z]{4}-\\d{2}"}},
        {"feature_name": "uuid", "type": "STRING", "distribution": {"type": "uuid"}},
        {"feature_name": "any", "type": "INTEGER", "distribution": {"type": "any"}},
        {"feature_name": "list", "type": "LIST", "distribution": {"type": "list", "length": {"min": 0, "max": 3},
         "element": {"type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}}}},
        {"feature_name": "object", "type": "OBJECT", "distribution": {"type": "object", "features": [
            {"feature_name": "x", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.5}}]}},
        {"feature_name": "tuple", "type": "OBJECT", "distribution": {"type": "object", "form": "array", "features": [
            {"type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.5}},
            {"type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}}]}},
        {"feature_name": "variant", "type": "VARIANT", "distribution": {"type": "variant", "variants": [
            {"variant": "Dot"},
            {"variant": "Circle", "type": "FLOAT", "distribution": {"type": "uniform", "min": 0.5, "max": 2}}]}},
        {"feature_name": "length_of", "type": "INTEGER", "distribution": {"type": "length_of", "of": "list"}},
        {"feature_name": "index", "type": "INTEGER", "distribution": {"type": "index", "of": "length_of", "beyond": 0.1}},
        {"feature_name": "one_of", "type": "INTEGER", "distribution": {"type": "one_of", "of": "list"}},
        {"feature_name": "nested", "shape": "Condition"},
        {"feature_name": "sum", "type": "INTEGER", "distribution": {"type": "sum", "of": "list", "off": 0.1}},
        {"feature_name": "parts", "type": "LIST", "distribution": {"type": "list", "length": {"min": 1, "max": 3}, "element":
            {"type": "INTEGER", "distribution": {"type": "share", "of": "sum", "shape": 2}}}}
        ], "shapes": {"Condition": {"depth": 2, "type": "VARIANT", "distribution": {"type": "variant", "variants": [
            {"variant": "True", "probability": 0.7}, {"variant": "Not", "probability": 0.3, "shape": "Condition"}]}}}}"#,
    );
    let definition = All::definition().canonical();
    for (name, _) in tdg_definition::distribution::names() {
        assert!(
            definition.contains(&format!("\"type\":\"{name}\"")),
            "state {name} here too"
        );
    }
}

#[test]
fn any_has_the_range_of_the_type_unless_it_is_stated() {
    #[derive(Define, Deserialize)]
    #[allow(dead_code)]
    struct Anything<'a> {
        #[define(any)]
        byte: u8,
        #[define(any)]
        signed: i16,
        #[define(any)]
        unsigned: u64,
        #[define(any)]
        size: usize,
        #[define(any(-9223372036854775808..=9223372036854775807))]
        wide: i128,
        #[define(any(1..=20))]
        quantity: Option<u32>,
        #[define(any(low = 5), null_probability = 0.5)]
        at_least: Option<Box<u8>>,
        #[define(any)]
        single: f32,
        #[define(any(max = 0.0), edge_cases(probability = 0))]
        double: f64,
        #[define(any)]
        letter: char,
        #[define(any(max_length = 3))]
        text: Cow<'a, str>,
        #[define(any)]
        flag: bool,
        #[define(type = DATE, any)]
        day: Option<String>,
        #[define(any)]
        coupon: Option<Coupon>,
        #[define(mixture(any() = 0.1, poisson(rate = 3) = 0.9))]
        mixed: u16,
    }
    assert_means::<Anything<'_>>(
        r#"{"definition_name": "Anything", "features": [
        {"feature_name": "byte", "type": "INTEGER", "distribution": {"type": "any", "min": 0, "max": 255}},
        {"feature_name": "signed", "type": "INTEGER", "distribution": {"type": "any", "min": -32768, "max": 32767}},
        {"feature_name": "unsigned", "type": "INTEGER",
         "distribution": {"type": "any", "min": 0, "max": 18446744073709551615}},
        {"feature_name": "size", "type": "INTEGER",
         "distribution": {"type": "any", "min": 0, "max": 18446744073709551615}},
        {"feature_name": "wide", "type": "INTEGER", "distribution": {"type": "any"}},
        {"feature_name": "quantity", "type": "INTEGER", "null_probability": 0.1,
         "distribution": {"type": "any", "min": 1, "max": 20}},
        {"feature_name": "at_least", "type": "INTEGER", "null_probability": 0.5,
         "distribution": {"type": "any", "min": 5, "max": 255}},
        {"feature_name": "single", "type": "FLOAT",
         "distribution": {"type": "any", "min": -3.4028234663852886e38, "max": 3.4028234663852886e38}},
        {"feature_name": "double", "type": "FLOAT", "edge_cases": {"probability": 0},
         "distribution": {"type": "any", "max": 0}},
        {"feature_name": "letter", "type": "STRING",
         "distribution": {"type": "any", "min_length": 1, "max_length": 1}},
        {"feature_name": "text", "type": "STRING", "distribution": {"type": "any", "max_length": 3}},
        {"feature_name": "flag", "type": "BOOLEAN", "distribution": {"type": "any"}},
        {"feature_name": "day", "type": "DATE", "null_probability": 0.1, "distribution": {"type": "any"}},
        {"feature_name": "coupon", "type": "STRING", "null_probability": 0.1,
         "distribution": {"type": "categorical", "categories": [
            {"value": "HALF", "probability": 0.2}, {"value": "10%", "probability": 0.8}]}},
        {"feature_name": "mixed", "type": "INTEGER", "distribution": {"type": "mixture", "components": [
            {"weight": 0.1, "distribution": {"type": "any", "min": 0, "max": 65535}},
            {"weight": 0.9, "distribution": {"type": "poisson", "rate": 3}}]}}
        ]}"#,
    );
    let rows = Vectors::generate(&Anything::definition(), 0, 1_000);
    assert_eq!(rows.bind::<Anything<'_>>().unwrap().len(), 1_000);
}

#[test]
fn modifiers_are_written_by_their_names() {
    #[derive(Define)]
    #[allow(dead_code)]
    struct Ticket {
        #[define(unique, uniform(min = 1, max = 100_000))]
        number: u32,
        #[define(
            decimals = 2,
            edge_cases(probability = 0.1),
            gaussian(mu = 20, sigma = 5)
        )]
        price: f64,
        #[define(poisson(rate = 3), edge_cases(probability = 0.1, values = [-1, 15]))]
        days: i32,
        #[define(any, edge_cases(probability = 0.1, values = ["X-RAY", ""], usual = 0))]
        code: String,
    }
    assert_means::<Ticket>(
        r#"{"definition_name": "Ticket", "features": [
        {"feature_name": "number", "type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 1, "max": 100000}},
        {"feature_name": "price", "type": "FLOAT", "decimals": 2, "edge_cases": {"probability": 0.1},
         "distribution": {"type": "gaussian", "mu": 20, "sigma": 5}},
        {"feature_name": "days", "type": "INTEGER", "distribution": {"type": "poisson", "rate": 3},
         "edge_cases": {"probability": 0.1, "values": [-1, 15]}},
        {"feature_name": "code", "type": "STRING", "distribution": {"type": "any"},
         "edge_cases": {"probability": 0.1, "values": ["X-RAY", ""], "usual": 0}}
        ]}"#,
    );
}

#[test]
fn variants_without_probabilities_are_equally_likely() {
    #[derive(Define)]
    #[allow(dead_code)]
    enum Size {
        Small = 3,
        Large = 1,
    }
    #[derive(Define)]
    #[allow(dead_code)]
    struct Parcel {
        size: Size,
    }
    let categories = r#"[{"probability":0.5,"value":"Small"},{"probability":0.5,"value":"Large"}]"#;
    assert!(Parcel::definition().canonical().contains(categories));
}

#[test]
fn skipped_fields_and_variants_are_left_out() {
    #[derive(Define, Deserialize)]
    struct Parcel {
        size: Size,
        #[serde(skip)]
        seen: Vec<String>,
    }
    #[derive(Define, Deserialize)]
    enum Size {
        Small,
        #[serde(skip)]
        #[allow(dead_code)]
        Unknown,
    }
    let vectors = Vectors::generate(&Parcel::definition(), 0, 10);
    assert_eq!(vectors.bind::<(Size,)>().unwrap().len(), 10);
    for parcel in vectors.bind::<Parcel>().unwrap() {
        assert!(matches!(parcel.size, Size::Small) && parcel.seen.is_empty());
    }
}

/// Names are the same for serde and for the derive, under every spelling.
#[test]
fn names_come_from_serde() {
    macro_rules! spelled {
        ($($module:ident $case:literal $field:literal $variant:literal,)*) => {$(
            mod $module {
                use super::*;

                #[derive(Define, Deserialize)]
                #[serde(rename_all = $case)]
                pub(super) struct Spelled {
                    #[define(constant(value = 1))]
                    pub(super) two_words: i64,
                    #[define(constant(value = 2))]
                    pub(super) r#type: i64,
                    #[define(constant(value = 3))]
                    #[serde(rename(serialize = "other", deserialize = "Its Own"))]
                    pub(super) renamed: i64,
                    #[define(constant(value = 4))]
                    pub(super) x_1_y: i64,
                    pub(super) word: Word,
                }

                #[derive(Define, Deserialize)]
                #[serde(rename_all(deserialize = $case))]
                pub(super) enum Word { TwoWords }
            }
            let definition = $module::Spelled::definition();
            assert_eq!(definition.features()[0].name(), $field);
            assert!(definition.canonical().contains(concat!("\"", $variant, "\"")));
            let vectors = Vectors::generate(&definition, 0, 1);
            let row: $module::Spelled = vectors.row(0).to().unwrap();
            assert_eq!((row.two_words, row.r#type, row.renamed, row.x_1_y), (1, 2, 3, 4));
            assert!(matches!(row.word, $module::Word::TwoWords));
        )*};
    }
    spelled! {
        lower "lowercase" "two_words" "twowords",
        upper "UPPERCASE" "TWO_WORDS" "TWOWORDS",
        pascal "PascalCase" "TwoWords" "TwoWords",
        camel "camelCase" "twoWords" "twoWords",
        snake "snake_case" "two_words" "two_words",
        screaming_snake "SCREAMING_SNAKE_CASE" "TWO_WORDS" "TWO_WORDS",
        kebab "kebab-case" "two-words" "two-words",
        screaming_kebab "SCREAMING-KEBAB-CASE" "TWO-WORDS" "TWO-WORDS",
    }
}

#[test]
fn a_value_and_a_type_may_come_from_a_macro() {
    macro_rules! defined {
        ($name:ident, $kind:ty, $min:expr, $max:literal) => {
            #[derive(Define)]
            #[allow(dead_code)]
            struct $name {
                #[define(uniform(min = $min, max = $max))]
                value: $kind,
            }
        };
    }
    defined!(Range, f64, -1.0, 2.0);
    assert_means::<Range>(
        r#"{"definition_name": "Range", "features": [{"feature_name": "value", "type": "FLOAT",
            "distribution": {"type": "uniform", "min": -1, "max": 2}}]}"#,
    );
}

#[test]
fn a_definition_can_be_implemented_by_hand() {
    struct Dice;

    impl Define for Dice {
        fn definition() -> Definition {
            Definition::parse(
                r#"{"features": [{"feature_name": "eyes", "type": "INTEGER",
                    "distribution": {"type": "uniform", "min": 1, "max": 6}}]}"#,
            )
            .unwrap()
        }
    }

    tdg::EnsembleTest::new("dice by hand")
        .definition(Dice::definition())
        .size(4)
        .run(|eyes: u8| eyes);
}

mod tests_of_rows {
    use super::*;

    #[ensemble_test(definition = Order, size = 8)]
    fn a_struct(order: Order) -> (f64, usize) {
        let factor = match order.coupon {
            Some(Coupon::Half) => 0.5,
            Some(Coupon::Tenth) => 0.9,
            None => 1.0,
        };
        let price = order.amount * f64::from(order.quantity) * factor;
        (price, order.placed.len())
    }

    #[ensemble_test(definition = Order, size = 8)]
    fn features_by_name(quantity: i64, amount: f64, coupon: Option<Coupon>) -> f64 {
        let price = amount * quantity as f64;
        if coupon.is_some() { price / 2.0 } else { price }
    }

    #[ensemble_test(definition = Order, size = 8)]
    fn one_feature_by_name(amount: f64) -> f64 {
        amount
    }

    #[ensemble_test(definition = Order, size = 8)]
    fn a_feature_that_is_no_identifier(#[feature("placed at")] placed: &str) -> usize {
        placed.len()
    }

    #[ensemble_test(definition = Order, size = 8)]
    fn a_tuple(row: (f64, u64, Option<&str>, &str)) -> bool {
        row.2 == Some("HALF")
    }

    #[ensemble_test(definition = Order, size = 8)]
    fn the_row_itself(row: &Row<'_>) -> Option<u8> {
        row.get("quantity").ok()
    }

    #[ensemble_test(definition = Order, size = 8, batch)]
    fn in_batch(orders: &[Order]) -> Vec<f64> {
        orders.iter().map(|order| order.amount).collect()
    }

    #[derive(Define, Deserialize)]
    struct Person<'a> {
        #[define(categorical("ann", "bob"))]
        name: &'a str,
    }

    #[ensemble_test(definition = Person<'_>, size = 8)]
    fn a_struct_that_borrows(person: Person<'_>) -> usize {
        person.name.len()
    }

    #[ensemble_test(definition = Person<'_>, size = 8)]
    fn the_only_value(anybody: &str) -> usize {
        anybody.len()
    }
}

#[test]
#[should_panic(expected = "the definition in code is invalid:\n\
                           /features/0/distribution/categories: must not be empty")]
fn an_enum_by_hand_without_a_distribution_is_reported_at_run_time() {
    struct Broken;
    impl DefinedPart for Broken {
        fn members() -> PartMembers {
            let drawn = r#"{"type": "categorical", "categories": []}"#;
            part(
                defined::<Self>("Broken", None),
                (
                    &format!(r#"{{"type": "STRING", "distribution": {drawn}}}"#),
                    &[],
                ),
            )
        }
    }
    #[derive(Define)]
    #[allow(dead_code)]
    struct Row {
        broken: Broken,
    }
    let _ = Row::definition();
}

#[test]
fn a_type_that_contains_itself_is_reported_at_run_time() {
    #[derive(Define)]
    #[allow(dead_code)]
    struct Tree {
        #[define(length(0..=2))]
        branches: Vec<Branch>,
    }
    #[derive(Define)]
    #[allow(dead_code)]
    struct Branch {
        tree: Tree,
    }
    // The same error occurs again, and other types still work in this thread.
    for _ in 0..2 {
        let panic = std::panic::catch_unwind(Tree::definition).unwrap_err();
        let message = panic.downcast::<String>().unwrap();
        let said = "`Branch` contains itself, so it needs a budget: #[define(depth = 4, leaves = 64)] before `Branch`";
        assert!(message.contains(said), "{message}");
        let _ = Order::definition();
    }
}

type Cents = u64;
type Share = f32;
type Letter = char;
type Maybe<T> = Option<T>;
type Position = [f64; 2];
type Place = (f64, u8);
type Stock = std::collections::BTreeMap<u8, bool>;
type Section = Ward;

#[derive(Define, Deserialize)]
enum Ward {
    East,
    West,
}

/// Defines a struct with fields of these types.
macro_rules! aliased {
    ($name:ident, $cents:ty, $share:ty, $letter:ty, $maybe:ty, $position:ty, $place:ty, $stock:ty, $side:ty) => {
        #[derive(Define, Deserialize)]
        #[define(definition_name = "aliased")]
        #[allow(dead_code)]
        struct $name {
            #[define(any)]
            cents: $cents,
            #[define(any)]
            share: $share,
            #[define(any)]
            letter: $letter,
            #[define(any)]
            maybe: $maybe,
            #[define(uniform(0..=9))]
            some: $maybe,
            #[define(uniform(0..=9), null_probability = 0.3)]
            none: $maybe,
            #[define([any(-9.0..=9.0); 2])]
            position: $position,
            #[define([(uniform(0.0..9.0), uniform(0..=9)); 0..=3])]
            places: Vec<$place>,
            #[define((uniform(0.0..9.0), uniform(0..=9)))]
            place: $place,
            #[define({uniform(0..=9) => bernoulli(0.5); 0..=3})]
            stock: $stock,
            side: $side,
        }
    };
}

#[test]
fn an_alias_means_the_type() {
    aliased!(
        ByAlias,
        Cents,
        Share,
        Letter,
        Maybe<u8>,
        Position,
        Place,
        Stock,
        Section
    );
    aliased!(ByType, u64, f32, char, Option<u8>, [f64; 2], (f64, u8), std::collections::BTreeMap<u8, bool>, Ward);
    assert_eq!(
        digest(&ByAlias::definition()),
        digest(&ByType::definition())
    );
    assert_eq!(ByAlias::rows(0, 50).unwrap().len(), 50);
}

#[test]
fn an_alias_of_floats_is_not_drawn_as_integers() {
    #[derive(Define)]
    #[allow(dead_code)]
    struct Parcel {
        #[define(uniform(0..9))]
        share: Share,
    }
    let panic = std::panic::catch_unwind(Parcel::definition).unwrap_err();
    let message = panic.downcast::<String>().unwrap();
    let said = "the distribution draws INTEGER, but the type holds FLOAT";
    assert!(message.contains(said), "{message}");
}

#[test]
fn an_option_of_the_type_itself_ends_it() {
    #[derive(Define, Deserialize)]
    #[define(depth = 4, leaves = 64)]
    struct List {
        next: Option<Box<List>>,
    }
    #[derive(Define, Deserialize)]
    #[define(depth = 3)]
    struct Outer {
        inner: Option<Box<Inner>>,
    }
    #[derive(Define, Deserialize)]
    #[define(depth = 3)]
    struct Inner {
        outer: Option<Box<Outer>>,
    }
    fn length(list: &List) -> usize {
        1 + list.next.as_deref().map_or(0, length)
    }
    let lists = List::rows(0, 100).unwrap();
    for expected in 1..=4 {
        assert!(
            lists.iter().any(|list| length(list) == expected),
            "{expected}"
        );
    }
    let depth = |row: &Outer| {
        row.inner
            .as_ref()
            .map(|it| it.outer.as_ref().is_some_and(|it| it.inner.is_none()))
    };
    let depths: Vec<_> = Outer::rows(0, 100).unwrap().iter().map(depth).collect();
    assert!(depths.contains(&None) && depths.contains(&Some(true)));
}

#[test]
fn lists_and_structs_are_features() {
    #[derive(Define, serde::Deserialize)]
    struct Line {
        #[define(uniform(1..=20))]
        quantity: u32,
        size: Size,
    }
    #[derive(Define, serde::Deserialize, PartialEq, Debug)]
    enum Size {
        Small,
        Large,
    }
    #[derive(Define, serde::Deserialize)]
    struct Order {
        #[define([uniform(0..10), null_probability = 0.2; 1..4])]
        marks: Vec<Option<u8>>,
        #[define(any)]
        flags: [bool; 3],
        #[define(length(2))]
        lines: std::collections::VecDeque<Line>,
        first: Line,
        sizes: Vec<Size>,
    }
    let orders = Order::rows(7, 200).unwrap();
    let lengths: BTreeSet<usize> = orders.iter().map(|order| order.marks.len()).collect();
    assert_eq!(lengths, BTreeSet::from([1, 2, 3]));
    let marks = || orders.iter().flat_map(|order| &order.marks);
    assert!(marks().flatten().all(|mark| *mark < 10));
    assert!(marks().any(Option::is_none));
    assert!(orders.iter().any(|order| order.flags[0] != order.flags[1]));
    for order in &orders {
        assert_eq!(order.lines.len(), 2);
        let lines = order.lines.iter().chain([&order.first]);
        assert!(
            lines
                .into_iter()
                .all(|line| (1..=20).contains(&line.quantity))
        );
    }
    assert!(orders.iter().any(|order| order.first.size == Size::Large));
    assert!(
        orders
            .iter()
            .any(|order| order.sizes.contains(&Size::Small))
    );
}

/// User-defined names that shadow names in the expansion.
mod shadows {
    #![allow(dead_code, non_camel_case_types, unused_imports)]

    use ::tdg::ensemble_test;

    mod core {}
    mod std {}
    mod tdg {}
    mod serde {}

    struct Option;
    struct Definition;
    struct Define;
    struct DefinedPart;
    struct Vec;
    enum Shadow {
        Some,
        None,
    }
    use Shadow::{None, Some};

    #[derive(::tdg::Define, ::serde::Deserialize)]
    struct Shadowed {
        #[define(gaussian(mu = 0, sigma = 1))]
        value: f64,
        category: Category,
    }

    #[derive(::tdg::Define, ::serde::Deserialize)]
    enum Category {
        None,
        Some,
    }

    /// serde's derive would not compile here.
    mod primitives {
        struct str;
        struct f64;

        #[derive(::tdg::Define)]
        struct Shadowed<'a> {
            #[define(type = FLOAT, gaussian(mu = 0, sigma = 1))]
            value: &'a f64,
            category: Category,
        }

        #[derive(::tdg::Define)]
        enum Category {
            A,
        }
    }

    #[ensemble_test(definition = Shadowed, size = 8)]
    fn by_name(value: f64, category: Category) -> bool {
        value > 0.0 && matches!(category, Category::Some)
    }
}

/// A user's crate that re-exports tdg.
mod my {
    pub(crate) use ::tdg;
}

#[derive(Define, Deserialize)]
#[define(crate = crate::my::tdg)]
struct UnderAnotherPath {
    side: Side,
}

#[derive(Define, Deserialize, Clone, Copy)]
#[define(crate = crate::my::tdg)]
enum Side {
    Left,
    Right,
}

#[ensemble_test(definition = UnderAnotherPath, size = 8, crate = crate::my::tdg)]
fn under_another_path(row: UnderAnotherPath) -> u8 {
    match row.side {
        Side::Left => 0,
        Side::Right => 1,
    }
}

/// Defines a struct with that enum, whose rows must survive reading and writing by serde.
macro_rules! written_as_drawn {
    ($name:ident, $(#[$form:meta])* { $($variants:tt)* }) => {
        mod $name {
            #[derive(tdg::Define, serde::Deserialize, serde::Serialize)]
            $(#[$form])*
            enum Shape { $($variants)* }

            #[derive(tdg::Define, serde::Deserialize, serde::Serialize)]
            struct Holder {
                shape: Shape,
                #[define(length(0..=3))]
                shapes: Vec<Shape>,
                #[define(null_probability = 0.5)]
                boxed: Option<Box<Shape>>,
            }

            #[test]
            fn rows_are_written_as_they_are_drawn() {
                let vectors = tdg::Vectors::generate(&<Holder as tdg::Define>::definition(), 0, 100);
                for row in vectors.rows() {
                    let holder: Holder = row.to().unwrap();
                    let drawn: serde_json::Value = row.to().unwrap();
                    assert_eq!(serde_json::to_value(&holder).unwrap(), drawn);
                }
            }
        }
    };
}

written_as_drawn!(external, #[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")] {
    #[define(probability = 0.5)]
    RoundThing { #[define(uniform(0..9))] inner_radius: u8, #[serde(rename = "r")] #[define(any)] radius: Option<i64> },
    #[define(probability = 0.25)]
    Pair(#[define(any)] bool, #[define((any, any))] (u8, char)),
    #[serde(rename = "none")]
    #[define(probability = 0.125)]
    Nothing,
    #[define(probability = 0.125)]
    List(#[define([uniform(0..9); 0..=3])] Vec<u8>),
});
written_as_drawn!(adjacent, #[serde(tag = "kind", content = "value")] {
    Round { #[define(uniform(0..9))] radius: u8 },
    Text(#[define(any(max_length = 3))] String),
    Nothing,
});
written_as_drawn!(internal, #[serde(tag = "kind")] {
    Round { #[define(uniform(0..9))] radius: u8 },
    Nothing,
});
written_as_drawn!(untagged, #[serde(untagged)] {
    Round { #[define(uniform(0..9))] radius: u8 },
    Text(#[define(any(max_length = 3))] String),
    Pair(#[define(any)] bool, #[define(any)] bool),
    Count(#[define(any)] i64),
    Flag(#[define(any)] bool),
});

/// A type that contains itself through another type that also does.
#[derive(Define, Deserialize, serde::Serialize)]
#[define(depth = 3, leaves = 9)]
enum Statement {
    Skip,
    Print(#[define(any(max_length = 2))] String),
    If {
        condition: Condition,
        then: Box<Statement>,
        #[define(null_probability = 0.5)]
        otherwise: Option<Box<Statement>>,
    },
    Block(#[define(length(0..=3))] Vec<Statement>),
}

#[derive(Define, Deserialize, serde::Serialize)]
#[define(depth = 2)]
enum Condition {
    #[define(probability = 0.7)]
    True,
    #[define(probability = 0.3)]
    Not(Box<Condition>),
}

#[test]
fn a_type_that_contains_itself_is_a_shape() {
    #[derive(Define, Deserialize, serde::Serialize)]
    struct Program {
        main: Statement,
    }
    assert_means::<Program>(
        r#"{"definition_name": "Program", "features": [{"feature_name": "main", "shape": "Statement"}], "shapes": {
            "Condition": {"depth": 2, "type": "VARIANT", "distribution": {"type": "variant", "variants": [
                {"variant": "True", "probability": 0.7}, {"variant": "Not", "probability": 0.3, "shape": "Condition"}]}},
            "Statement": {"depth": 3, "leaves": 9, "type": "VARIANT", "distribution": {"type": "variant", "variants": [
                {"variant": "Skip"},
                {"variant": "Print", "type": "STRING", "distribution": {"type": "any", "max_length": 2}},
                {"variant": "If", "type": "OBJECT", "distribution": {"type": "object", "features": [
                    {"feature_name": "condition", "shape": "Condition"},
                    {"feature_name": "then", "shape": "Statement"},
                    {"feature_name": "otherwise", "shape": "Statement", "null_probability": 0.5}]}},
                {"variant": "Block", "type": "LIST", "distribution": {"type": "list", "length": {"min": 0, "max": 3},
                    "element": {"shape": "Statement"}}}]}}}}"#,
    );
    let vectors = Vectors::generate(&Program::definition(), 7, 200);
    #[derive(Deserialize)]
    struct AsJson {
        main: serde_json::Value,
    }
    let programs: Vec<Program> = vectors.bind().unwrap();
    let as_json: Vec<AsJson> = vectors.bind().unwrap();
    for (program, AsJson { main }) in programs.iter().zip(as_json) {
        assert_eq!(serde_json::to_value(&program.main).unwrap(), main);
    }
    let deep = programs.iter().map(|it| serde_json::to_string(it).unwrap());
    assert!(deep.map(|it| it.len()).max() > Some(200));
}
