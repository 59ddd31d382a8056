//! The rows of a definition in a loop and in proptest.

#![allow(clippy::unwrap_used)] // In helpers too: what fails there fails the test.

use companions::Tariff;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Deserialize;
use tdg::{Definition, Vectors};

#[derive(Clone, Debug, Deserialize)]
struct Parcel {
    grams: u32,
    insured: bool,
}

fn parcels() -> Vec<Parcel> {
    let definition = Definition::parse(include_str!("../definitions/parcels.json")).unwrap();
    Vectors::generate(&definition, 0, 1000).bind().unwrap()
}

#[test]
fn insurance_costs_the_same_for_every_parcel() {
    let tariff = Tariff::to("CH").unwrap();
    for Parcel { grams, .. } in parcels() {
        assert_eq!(tariff.price(grams, true) - tariff.price(grams, false), 250);
    }
}

#[tdg::ensemble_test(definition = "definitions/parcels.json", size = 1000)]
fn insurance_is_never_free(grams: u32) {
    let tariff = Tariff::to("CH").unwrap();
    assert!(tariff.price(grams, true) > tariff.price(grams, false));
}

proptest! {
    #[test]
    fn a_heavier_parcel_never_costs_less(parcel in select(parcels()), more in 0..5000u32) {
        let tariff = Tariff::to("DE").unwrap();
        let price = tariff.price(parcel.grams, parcel.insured);
        prop_assert!(tariff.price(parcel.grams + more, parcel.insured) >= price);
    }
}
