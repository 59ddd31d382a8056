//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use quoted_printable::{InputMode, Options, ParseMode};

#[tdg::ensemble_test(size = 500)]
fn encode(
    #[define(pattern(regex = "([a-zA-Z]{1,9}| |=|\\t|é|\\r\\n|\\n|\\.){0,12}"))] text: &str,
    #[define(uniform(8..=76))] limit: usize,
    #[define(bernoulli(0.3))] binary: bool,
) -> String {
    let mode = if binary { InputMode::Binary } else { InputMode::Text };
    quoted_printable::encode_with_options(text, Options::default().line_length_limit(limit).input_mode(mode))
}

#[tdg::ensemble_test(size = 500)]
fn decode(
    #[define(pattern(regex = "([a-z]{1,6}| |=[0-9A-F]{2}|=[0-9a-g]|=\\r\\n|=\\n|\\r\\n|\\n|é){0,6}"))] text: &str,
    #[define(bernoulli(0.5))] strict: bool,
) -> Result<Vec<u8>, String> {
    let mode = if strict { ParseMode::Strict } else { ParseMode::Robust };
    quoted_printable::decode(text, mode).map_err(|it| it.to_string())
}
