//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use fmt_dur::FormatOptions;
use std::time::Duration;

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Style {
    Mixed,
    Largest,
}

#[derive(serde::Serialize)]
struct Span {
    seconds: u64,
    nanoseconds: u32,
}

/// A duration of a configuration file.
#[tdg::ensemble_test(size = 600)]
fn read(
    #[define(uniform(0..=9), null_probability = 0.7)] days: Option<u32>,
    #[define(uniform(0..=30), null_probability = 0.5)] hours: Option<u32>,
    #[define(uniform(0..=90), null_probability = 0.4)] minutes: Option<u32>,
    #[define(pattern(regex = "[0-9]{1,2}(\\.[0-9]{1,3})?"), null_probability = 0.4)] seconds: Option<&str>,
    #[define(categorical("1h" = 0.25, "2.5m" = 0.25, "30s" = 0.25, "250ms" = 0.15, "7" = 0.1), null_probability = 0.75)]
    more: Option<&str>,
) -> Result<Span, String> {
    let mut text = String::new();
    for (number, unit) in [(days, "d"), (hours, "h"), (minutes, "m")] {
        if let Some(number) = number {
            text.push_str(&format!("{number}{unit}"));
        }
    }
    if let Some(seconds) = seconds {
        text.push_str(&format!("{seconds}s"));
    }
    text.push_str(more.unwrap_or_default());
    let found = fmt_dur::parse(&text).map_err(|it| it.to_string())?;
    Ok(Span { seconds: found.as_secs(), nanoseconds: found.subsec_nanos() })
}

#[tdg::ensemble_test(size = 500)]
fn shown(
    style: Style,
    #[define(
        mixture(categorical(0) = 0.2, uniform(1..=7_200) = 0.5, uniform(7_201..=400_000) = 0.3),
        edge_cases(probability = 0.03, values = [60, 3_600, 86_400])
    )]
    seconds: u64,
    #[define(mixture(categorical(0) = 0.5, categorical(500, 250, 20, 5) = 0.2, uniform(1..=999) = 0.3))] milliseconds: u64,
    #[define(uniform(0..=6), null_probability = 0.5)] digits: Option<u8>,
) -> String {
    let options = match style {
        Style::Mixed => FormatOptions::mixed(),
        Style::Largest => FormatOptions::largest_unit_decimal(),
    };
    let options = match digits {
        Some(digits) => options.with_max_frac_digits(digits),
        None => options,
    };
    fmt_dur::format_with(Duration::from_millis(seconds * 1_000 + milliseconds), &options)
}
