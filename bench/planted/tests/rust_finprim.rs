//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use rust_finprim::RoundingMode;
use rust_finprim::amort_dep_tax::{AmortizationPeriod, DepreciationPeriod};

#[tdg::ensemble_test(size = 500)]
fn tax(
    #[define(uniform(0..=400_000))] income: u32,
    #[define(categorical(0 = 0.1, 14_600 = 0.5, 21_900 = 0.2, 29_200 = 0.2))] deductions: u32,
) -> Option<f64> {
    let table = [
        (11_600.0, 0.10),
        (47_150.0, 0.12),
        (100_525.0, 0.22),
        (191_950.0, 0.24),
        (243_725.0, 0.32),
        (609_350.0, 0.35),
        (f64::MAX, 0.37),
    ];
    rust_finprim::amort_dep_tax::progressive_tax(f64::from(income), f64::from(deductions), &table)
}

#[tdg::ensemble_test(size = 300)]
fn schedule(
    #[define(uniform(1_000..=50_000))] principal: u32,
    #[define(categorical(0.0, 0.0025, 0.004, 0.01))] rate: f64,
    #[define(uniform(1..=8))] months: u32,
    #[define(bernoulli(0.7))] rounded: bool,
) -> Vec<AmortizationPeriod<f64>> {
    let principal = f64::from(principal);
    let payment = rust_finprim::tvm::pmt(rate, f64::from(months), principal, None, None);
    let round = rounded.then_some((2, RoundingMode::HalfToEven, 1e-5));
    rust_finprim::amort_dep_tax::amort_schedule(rate, months, principal, payment, round)
}

#[tdg::ensemble_test(size = 300)]
fn declining(
    #[define(uniform(1_000..=20_000))] cost: u32,
    #[define(uniform(0..=1_000))] salvage: u32,
    #[define(uniform(2..=8))] life: u32,
    #[define(categorical(1.0, 1.5, 2.0), null_probability = 0.4)] factor: Option<f64>,
) -> Vec<DepreciationPeriod<f64>> {
    rust_finprim::amort_dep_tax::db(f64::from(cost), f64::from(salvage), life, factor, None)
}

#[tdg::ensemble_test(size = 500, tolerance(rel = 1e-9))]
fn payment(
    #[define(categorical(0.0 = 0.1, 0.002 = 0.3, 0.005 = 0.3, 0.01 = 0.3))] rate: f64,
    #[define(uniform(1..=360))] months: u32,
    #[define(uniform(1_000..=500_000))] loan: u32,
    #[define(uniform(1_000..=50_000), null_probability = 0.6)] balloon: Option<u32>,
    #[define(bernoulli(0.5), null_probability = 0.3)] due: Option<bool>,
) -> f64 {
    rust_finprim::tvm::pmt(rate, f64::from(months), f64::from(loan), balloon.map(f64::from), due)
}
