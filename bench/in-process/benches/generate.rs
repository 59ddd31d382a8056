//! Measures drawing a value, compared with rand_distr.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand::distr::{Distribution, Uniform, weighted::WeightedIndex};
use rand_pcg::Pcg64;
use tdg_bench::one;
use tdg_engine::Vectors;

const VALUES: usize = 1_000_000;

fn generate(criterion: &mut Criterion) {
    let gaussian = r#"{"type": "gaussian", "mu": 10, "sigma": 2}"#;
    let oracle = rand_distr::Normal::new(10.0, 2.0).expect("valid");
    pair(criterion, "gaussian", one("FLOAT", gaussian), oracle);

    let uniform = r#"{"type": "uniform", "min": 1, "max": 1000}"#;
    let oracle = Uniform::new_inclusive(1_i64, 1000).expect("valid");
    pair(criterion, "integer", one("INTEGER", uniform), oracle);

    let categorical = r#"{"type": "categorical", "categories": [
        {"value": "HALF", "probability": 0.5}, {"value": "TENTH", "probability": 0.3},
        {"value": "NONE", "probability": 0.2}]}"#;
    let oracle = WeightedIndex::new([0.5, 0.3, 0.2]).expect("valid");
    pair(criterion, "category", one("STRING", categorical), oracle);
}

fn pair<T>(
    criterion: &mut Criterion,
    name: &str,
    ours: tdg_definition::Definition,
    oracle: impl Distribution<T>,
) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(VALUES as u64));
    let tdg = if cfg!(feature = "simd") {
        "tdg, simd"
    } else {
        "tdg"
    };
    group.bench_function(tdg, |bencher| {
        bencher.iter(|| Vectors::generate(black_box(&ours), 0, VALUES));
    });
    group.bench_function("rand_distr", |bencher| {
        let mut random = Pcg64::seed_from_u64(0);
        bencher.iter(|| {
            (&oracle)
                .sample_iter(&mut random)
                .take(VALUES)
                .collect::<Vec<T>>()
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .without_plots();
    targets = generate
}
criterion_main!(benches);
