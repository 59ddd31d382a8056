//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use passwords::{analyzer, scorer};

#[derive(serde::Serialize)]
struct Analysis {
    length: usize,
    digits: usize,
    lower: usize,
    upper: usize,
    symbols: usize,
    others: usize,
    consecutive: usize,
    repeated: usize,
    progressive: usize,
}

#[tdg::ensemble_test(size = 500)]
fn analysis(
    #[define(pattern(regex = "([a-z]{2,6}|abcd|xyz|aaa|[A-Z]{1,4}[a-z]{1,3})([0-9]{1,4}|123|987|11|2468)?([A-Z]{1,2})?([!#.~ ]|é)?"))]
    password: &str,
) -> Analysis {
    let found = analyzer::analyze(password);
    Analysis {
        length: found.length(),
        digits: found.numbers_count(),
        lower: found.lowercase_letters_count(),
        upper: found.uppercase_letters_count(),
        symbols: found.symbols_count(),
        others: found.other_characters_count(),
        consecutive: found.consecutive_count(),
        repeated: found.non_consecutive_count(),
        progressive: found.progressive_count(),
    }
}

/// A password of some words and a number.
#[tdg::ensemble_test(size = 600)]
fn strength(
    #[define([categorical("cat", "Dog", "horse", "TREE", "müsli", "sky", "Zebra", "ox"); 1..=3])] words: Vec<String>,
    #[define(categorical("" = 0.5, " " = 0.2, "-" = 0.3))] between: &str,
    #[define(uniform(0..=9_999), null_probability = 0.4)] number: Option<u32>,
    #[define(bernoulli(0.3))] exclamation: bool,
) -> f64 {
    let mut password = words.join(between);
    if let Some(number) = number {
        password.push_str(&number.to_string());
    }
    if exclamation {
        password.push('!');
    }
    (scorer::score(&analyzer::analyze(password)) * 100.0).round() / 100.0
}
