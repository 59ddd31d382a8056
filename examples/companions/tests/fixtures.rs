//! Ensemble tests that need some setup: with fixtures of tdg, a static, and fixtures of rstest.

#![allow(clippy::unwrap_used)] // In helpers too: what fails there fails the test.

use std::sync::LazyLock;

use companions::Tariff;
use rstest::{fixture, rstest};
use serde::Deserialize;
use tdg::EnsembleTest;

#[tdg::ensemble_test(definition = "definitions/parcels.json", size = 300)]
fn receipt(
    #[fixture(Tariff::to("CH").ok_or("no prices")?)] tariff: &Tariff,
    #[fixture(each_row, String::new())] receipt: &mut String,
    grams: u32,
    insured: bool,
) -> String {
    tariff.print(grams, insured, receipt);
    receipt.clone()
}

static GERMANY: LazyLock<Tariff> = LazyLock::new(|| Tariff::to("DE").unwrap());

#[tdg::ensemble_test(definition = "definitions/parcels.json", size = 300)]
fn insured(grams: u32) -> u32 {
    GERMANY.price(grams, true)
}

#[derive(Deserialize)]
struct Parcel {
    grams: u32,
    insured: bool,
}

#[fixture]
fn tariff(#[default("DE")] country: &str) -> Tariff {
    Tariff::to(country).unwrap()
}

#[tdg::ensemble_test(definition = "definitions/parcels.json", size = 300)]
fn uninsured(#[fixture(tariff("DE"))] tariff: &Tariff, grams: u32) -> u32 {
    tariff.price(grams, false)
}

#[rstest]
#[case::germany("DE")]
#[case::switzerland("CH")]
fn price(#[case] country: &str, #[with(country)] tariff: Tariff) {
    EnsembleTest::new(format!("price_{country}"))
        .definition("definitions/parcels.json")
        .size(300)
        .run(|parcel: Parcel| tariff.price(parcel.grams, parcel.insured));
}
