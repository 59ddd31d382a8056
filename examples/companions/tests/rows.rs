//! Uses the rows of a definition in a loop and in proptest.

#![allow(clippy::unwrap_used)] // In helpers too: what fails there fails the test.

use companions::Tariff;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{TestError, TestRunner};
use serde::Deserialize;
use tdg::{BindError, Define, Definition, Vectors};

#[derive(Clone, Debug, PartialEq, Define, Deserialize)]
struct Parcel {
    #[define(uniform(1..=31_500))]
    grams: u32,
    #[define(bernoulli(p = 0.2))]
    insured: bool,
}

#[test]
fn insurance_costs_the_same_for_every_parcel() -> Result<(), BindError> {
    let tariff = Tariff::to("CH").unwrap();
    for Parcel { grams, .. } in Parcel::rows(0, 1000)? {
        assert_eq!(tariff.price(grams, true) - tariff.price(grams, false), 250);
    }
    Ok(())
}

#[tdg::ensemble_test(definition = Parcel, size = 1000)]
fn insurance_is_never_free(parcel: Parcel) {
    let tariff = Tariff::to("CH").unwrap();
    assert!(tariff.price(parcel.grams, true) > tariff.price(parcel.grams, false));
}

#[test]
fn a_file_has_the_same_rows() {
    let definition = Definition::parse(include_str!("../definitions/parcels.json")).unwrap();
    let parcels: Vec<Parcel> = Vectors::generate(&definition, 0, 1000).bind().unwrap();
    assert_eq!(parcels, Parcel::rows(0, 1000).unwrap());
}

/// The light ones first: proptest shrinks towards the first.
fn parcels() -> impl Strategy<Value = Parcel> {
    let mut parcels = Parcel::rows(0, 1000).unwrap();
    parcels.sort_by_key(|parcel| (parcel.grams, parcel.insured));
    select(parcels)
}

proptest! {
    #[test]
    fn a_heavier_parcel_never_costs_less(parcel in parcels(), more in 0..5000u32) {
        let tariff = Tariff::to("DE").unwrap();
        let price = tariff.price(parcel.grams, parcel.insured);
        prop_assert!(tariff.price(parcel.grams + more, parcel.insured) >= price);
    }
}

#[test]
fn proptest_shrinks_to_the_simplest_row_that_fails() {
    let is_light = |parcel: Parcel| {
        prop_assert!(parcel.grams < 20_000);
        Ok(())
    };
    let failure = TestRunner::deterministic().run(&parcels(), is_light);
    let Err(TestError::Fail(_, found)) = failure else {
        panic!("{failure:?}")
    };
    let rows = Parcel::rows(0, 1000).unwrap();
    let heavy = rows.iter().filter(|parcel| parcel.grams >= 20_000);
    assert_eq!(Some(&found), heavy.min_by_key(|parcel| parcel.grams));
}
