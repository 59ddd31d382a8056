#[path = "../harness.rs"]
mod harness;

use serde::Deserialize;
use serde_json::{Value, json};

use harness::number;

fn main() {
    harness::run(&[
        ("polynomial", |row| polynomial(harness::read(row))),
        ("search", |row| search(harness::read(row))),
    ]);
}

#[derive(Deserialize)]
struct Polynomial {
    degree: u8,
    a4: f64,
    a3: f64,
    a2: f64,
    a1: f64,
    a0: f64,
}

/// Returns the real roots, rounded to 6 decimals.
fn polynomial(row: Polynomial) -> Value {
    let Polynomial {
        a4, a3, a2, a1, a0, ..
    } = row;
    let roots = match row.degree {
        1 => roots::find_roots_linear(a1, a0),
        2 => roots::find_roots_quadratic(a2, a1, a0),
        3 => roots::find_roots_cubic(a3, a2, a1, a0),
        _ => roots::find_roots_quartic(a4, a3, a2, a1, a0),
    };
    roots
        .as_ref()
        .iter()
        .map(|root| number((root * 1e6).round() / 1e6))
        .collect()
}

#[derive(Deserialize)]
struct Search {
    method: String,
    low: f64,
    high: f64,
    target: f64,
    slope: f64,
}

/// Solves x³ + slope × x = target.
fn search(row: Search) -> Value {
    let mut precision = roots::SimpleConvergency {
        eps: 1e-9_f64,
        max_iter: 40,
    };
    let f = |x: f64| x * x * x + row.slope * x - row.target;
    let found = match row.method.as_str() {
        "brent" => roots::find_root_brent(row.low, row.high, f, &mut precision),
        "falsi" => roots::find_root_regula_falsi(row.low, row.high, f, &mut precision),
        "inverse" => roots::find_root_inverse_quadratic(row.low, row.high, f, &mut precision),
        "newton" => {
            roots::find_root_newton_raphson(row.low, f, |x| 3.0 * x * x + row.slope, &mut precision)
        }
        _ => roots::find_root_secant(row.low, row.high, f, &mut precision),
    };
    harness::result(
        found,
        |root| number((root * 1e6).round() / 1e6),
        |error| json!(error.to_string()),
    )
}
