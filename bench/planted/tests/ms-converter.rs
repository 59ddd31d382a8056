//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use ms_converter::Error;

#[tdg::ensemble_test(size = 1000)]
fn milliseconds(
    #[define(pattern(regex = "[+-]?[0-9]{1,4}(\\.[0-9]{1,3})? ?(years|year|yrs|yr|y|weeks|week|w|days|day|d|hours|hrs|hr|h|minutes|min|m|seconds|sec|s|msecs|ms||month|dd)"))]
    text: &str,
) -> Result<i64, Error> {
    ms_converter::ms(text)
}

#[tdg::ensemble_test(size = 500)]
fn longest(#[define(any(-1_000_000_000..=1_000_000_000))] ms: i64) -> Result<String, Error> {
    ms_converter::get_max_possible_duration_long(ms)
}

#[tdg::ensemble_test(size = 500)]
fn in_unit(
    #[define(uniform(-5_000_000..=500_000_000))] ms: i64,
    #[define(categorical("ms", " ms", "s", " sec", "m", " minutes", "h", " hrs", "d", " days", "w", " weeks", "y", "q"))] unit: &str,
) -> Result<String, Error> {
    ms_converter::get_duration_by_postfix(ms, unit)
}
