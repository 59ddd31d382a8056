//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use std::time::{Duration, SystemTime};

#[tdg::ensemble_test(size = 1000)]
fn parsed(
    #[define(pattern(regex = "([0-9]{1,3}(\\.[0-9])? ?(ns|us|ms|s|sec|m|min|h|hours|d|days|w|M|months|y|years|x|) ?){1,2}"))]
    text: &str,
) -> Result<(u64, u32), String> {
    let parsed = humantime::parse_duration(text).map_err(|it| it.to_string())?;
    Ok((parsed.as_secs(), parsed.subsec_nanos()))
}

#[tdg::ensemble_test(size = 500)]
fn shown(
    #[define(uniform(0..=100_000_000))] seconds: u64,
    #[define(categorical(0, 1, 1_000, 5_000_000, 7_001_000, 999_999_999))] nanoseconds: u32,
) -> String {
    humantime::format_duration(Duration::new(seconds, nanoseconds)).to_string()
}

#[tdg::ensemble_test(size = 1000)]
fn time(
    #[define(pattern(regex = "(19[67]|20[0-9])[0-9]-(0[0-9]|1[0-3])-[0-3][0-9][T ][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\\.[0-9]{1,3})?Z?"))]
    text: &str,
) -> Result<u64, String> {
    let time = humantime::parse_rfc3339_weak(text).map_err(|it| it.to_string())?;
    Ok(time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |it| it.as_secs()))
}

#[tdg::ensemble_test(size = 500)]
fn timestamp(
    #[define(uniform(0..=8_000_000_000))] seconds: u64,
    #[define(categorical(0, 1_000_000, 5_000, 999_999_999))] nanoseconds: u32,
) -> String {
    humantime::format_rfc3339(SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds)).to_string()
}
