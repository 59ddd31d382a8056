//! Five hundred savings plans.

#[tdg::ensemble_test(size = 500)]
fn balance(
    #[define(uniform(100..=20_000), null_probability = 0.3)] opening: Option<u32>,
    #[define(uniform(25..=500))] monthly: u32,
    #[define(uniform(1..=30))] years: u32,
    #[define(categorical(0.0 = 0.1, 0.5 = 0.2, 1.25 = 0.3, 2.5 = 0.3, 4.0 = 0.1))] percent: f64,
    #[define(uniform(1..=28))] day: u32,
) -> f64 {
    quickstart::balance(opening, monthly, years, percent, day)
}
