//! Measures drawing related and unique values: 10,000 rows of ten features, and of one.

use std::collections::HashSet;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use tdg_bench::parse;
use tdg_definition::Definition;
use tdg_engine::Vectors;

const ROWS: usize = 10_000;
const FEATURES: usize = 10;
/// 10 % more values than rows.
const VALUES: u64 = 11_000;

fn relations(criterion: &mut Criterion) {
    let uniform = r#"{"type": "uniform", "min": 0, "max": 1}"#;
    let gaussian = r#"{"type": "gaussian", "mu": 10, "sigma": 2}"#;
    let stratified = definition(uniform, r#""sampling": "stratified""#);
    let gamma = r#"{"type": "gamma", "shape": 2, "scale": 20}"#;
    let correlations = format!(r#""correlations": [{}]"#, correlations());
    let correlated = definition(gaussian, &correlations);
    let inverted = definition(gamma, &correlations);
    let unique = parse(&format!(
        r#"{{"features": [{{"type": "INTEGER", "unique": true,
             "distribution": {{"type": "uniform", "min": 1, "max": {VALUES}}}}}]}}"#
    ));
    for (name, definition) in [
        ("stratified", stratified),
        ("correlated", correlated),
        ("correlated gamma", inverted),
        ("unique", unique),
    ] {
        criterion
            .benchmark_group(name)
            .bench_function("tdg", |bencher| {
                bencher.iter(|| Vectors::generate(black_box(&definition), 0, ROWS));
            });
    }
    criterion
        .benchmark_group("unique")
        .bench_function("HashSet", |bencher| {
            let mut random = Pcg64::seed_from_u64(0);
            bencher.iter(|| {
                let mut seen = HashSet::with_capacity(ROWS);
                let mut values = Vec::with_capacity(ROWS);
                while values.len() < ROWS {
                    let value = random.random_range(1..=VALUES);
                    if seen.insert(value) {
                        values.push(value);
                    }
                }
                values
            });
        });
}

fn definition(distribution: &str, members: &str) -> Definition {
    let features: Vec<String> = (0..FEATURES)
        .map(|number| {
            format!(
                r#"{{"feature_name": "{number}", "type": "FLOAT", "distribution": {distribution}}}"#
            )
        })
        .collect();
    parse(&format!(
        r#"{{"features": [{}], {members}}}"#,
        features.join(",")
    ))
}

/// Returns correlations of 0.5 for each pair.
fn correlations() -> String {
    let mut pairs = Vec::new();
    for one in 0..FEATURES {
        for other in 0..one {
            pairs.push(format!(
                r#"{{"features": ["{other}", "{one}"], "correlation": 0.5}}"#
            ));
        }
    }
    pairs.join(",")
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .without_plots();
    targets = relations
}
criterion_main!(benches);
