//! Five hundred savings plans, drawn from `definitions/savings.json`.

#[tdg::ensemble_test(definition = "definitions/savings.json", size = 500)]
fn balance(opening: Option<f64>, monthly: f64, day: u32, years: u32, percent: f64) -> f64 {
    quickstart::balance(opening, monthly, day, years, percent)
}
