//! Measures the time that a price takes, over the rows of a definition.

#![allow(clippy::unwrap_used)] // In helpers too: a failure there fails the benchmark.

use std::hint::black_box;

use companions::Tariff;
use criterion::{Criterion, criterion_group, criterion_main};
use serde::Deserialize;
use tdg::{Definition, Vectors};

#[derive(Deserialize)]
struct Parcel {
    grams: u32,
    insured: bool,
}

fn price(criterion: &mut Criterion) {
    let definition = Definition::parse(include_str!("../definitions/parcels.json")).unwrap();
    let parcels: Vec<Parcel> = Vectors::generate(&definition, 0, 1000).bind().unwrap();
    let tariff = Tariff::to("CH").unwrap();
    criterion.bench_function("price of 1,000 parcels", |bencher| {
        bencher.iter(|| {
            for parcel in &parcels {
                black_box(tariff.price(parcel.grams, parcel.insured));
            }
        });
    });
}

criterion_group!(benches, price);
criterion_main!(benches);
