use tdg::ensemble_test;

#[ensemble_test(tolerance(rel = 1e-9))]
fn gamma_ui(#[define(uniform(0.01..20.0))] a: f64, #[define(uniform(0.01..40.0))] x: f64) -> f64 {
    statrs::function::gamma::gamma_ui(a, x)
}
