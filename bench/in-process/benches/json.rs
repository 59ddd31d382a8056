//! Measures 10,000 rows of ten features: drawing, writing as JSON, and reading back into columns.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use tdg_bench::{TEN, parse};
use tdg_engine::Vectors;

const ROWS: usize = 10_000;

fn json(criterion: &mut Criterion) {
    let definition = parse(TEN);
    let text = Vectors::generate(&definition, 0, ROWS).to_json();
    let mut group = criterion.benchmark_group("json");
    group.bench_function("generate", |bencher| {
        bencher.iter(|| Vectors::generate(black_box(&definition), 0, ROWS));
    });
    group.bench_function("write", |bencher| {
        bencher.iter(|| Vectors::generate(black_box(&definition), 0, ROWS).to_json());
    });
    group.bench_function("read", |bencher| {
        bencher.iter(|| Vectors::from_json(&definition, black_box(&text)));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(50)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .without_plots();
    targets = json
}
criterion_main!(benches);
