//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use baggins::discount::Mode as DiscountMode;
use baggins::tax::{Mode, Stage, TaxComputer, Taxer};
use baggins::{Calculator, DetailCalculator};
use bigdecimal::{BigDecimal, ToPrimitive};

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Discount {
    #[define(probability = 0.4)]
    Percent(#[define(uniform(1..=25))] u32),
    #[define(probability = 0.3)]
    PerUnit(#[define(uniform(0.05..0.9), decimals = 2)] f64),
    #[define(probability = 0.3)]
    PerLine(#[define(uniform(1..=12))] u32),
}

#[derive(serde::Serialize)]
struct Line {
    net: f64,
    tax: f64,
    brute: f64,
    discount: f64,
    unit_value: f64,
    brute_without_discount: f64,
}

fn decimal(it: impl std::fmt::Display) -> BigDecimal {
    it.to_string().parse().unwrap()
}

/// With four decimals.
fn number(it: &BigDecimal) -> f64 {
    it.round(4).to_f64().unwrap()
}

fn member(line: &serde_json::Value, part: &str, name: &str) -> f64 {
    number(&line[part][name].as_str().unwrap().parse().unwrap())
}

/// A line of an invoice: a deposit is taxed, and the levy is charged on taxes as well.
#[tdg::ensemble_test(size = 600)]
fn line(
    #[define(uniform(0.5..30.0), decimals = 2)] price: f64,
    #[define(uniform(1..=12))] quantity: u32,
    #[define(null_probability = 0.3)] discount: Option<Discount>,
    #[define(uniform(2..=15), null_probability = 0.5)] max_discount: Option<u32>,
    #[define(categorical(0 = 0.2, 7 = 0.3, 19 = 0.5))] vat: u32,
    #[define(categorical(0.08, 0.15, 0.25), null_probability = 0.7)] deposit: Option<f64>,
    #[define(categorical(0.0 = 0.7, 1.5 = 0.3))] levy: f64,
) -> Result<Line, String> {
    let mut it = DetailCalculator::new();
    let refused = match discount {
        None => None,
        Some(Discount::Percent(percent)) => it.add_discount(decimal(percent), DiscountMode::Percentual),
        Some(Discount::PerUnit(amount)) => it.add_discount(decimal(amount), DiscountMode::AmountUnit),
        Some(Discount::PerLine(amount)) => it.add_discount(decimal(amount), DiscountMode::AmountLine),
    };
    assert!(refused.is_none());
    assert!(it.add_tax(decimal(vat), Stage::OverTaxable, Mode::Percentual).is_none());
    assert!(it.add_tax(decimal(levy), Stage::OverTax, Mode::Percentual).is_none());
    if let Some(deposit) = deposit {
        assert!(it.add_tax(decimal(deposit), Stage::OverTaxable, Mode::AmountUnit).is_none());
    }
    let found = it
        .compute(decimal(price), decimal(quantity), max_discount.map(decimal))
        .map_err(|it| it.to_string())?;
    let found = serde_json::to_value(&found).unwrap();
    Ok(Line {
        net: member(&found, "with_discount_values", "net"),
        tax: member(&found, "with_discount_values", "tax"),
        brute: member(&found, "with_discount_values", "brute"),
        discount: member(&found, "with_discount_values", "discount_value"),
        unit_value: member(&found, "with_discount_values", "unit_value"),
        brute_without_discount: member(&found, "without_discount_values", "brute"),
    })
}

#[tdg::ensemble_test(size = 400)]
fn before_tax(
    #[define(uniform(1.0..500.0), decimals = 2)] total: f64,
    #[define(uniform(-1..=12))] quantity: i32,
    #[define(categorical(0 = 0.2, 7 = 0.3, 19 = 0.5))] vat: u32,
    #[define(categorical(0.0 = 0.6, 1.5 = 0.2, 3.0 = 0.2))] surcharge: f64,
    #[define(uniform(0.5..3.0), decimals = 2, null_probability = 0.5)] fee: Option<f64>,
) -> Result<f64, String> {
    let mut taxes = TaxComputer::new();
    assert!(taxes.add_tax(decimal(vat), Stage::OverTaxable, Mode::Percentual).is_none());
    assert!(taxes.add_tax(decimal(surcharge), Stage::OverTaxIgnorable, Mode::Percentual).is_none());
    if let Some(fee) = fee {
        assert!(taxes.add_tax(decimal(fee), Stage::OverTaxIgnorable, Mode::AmountLine).is_none());
    }
    taxes.un_tax(decimal(total), decimal(quantity)).map(|it| number(&it)).map_err(|it| it.to_string())
}
