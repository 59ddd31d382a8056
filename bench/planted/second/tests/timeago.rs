//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use std::time::Duration;
use timeago::languages::{boxup, english::English, french::French, german::German, russian::Russian};
use timeago::{Formatter, TimeUnit};

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Language {
    English,
    French,
    German,
    Russian,
}

/// The age of a comment; without a time of day, its date only is known.
#[tdg::ensemble_test(size = 500)]
fn elapsed(
    language: Language,
    #[define(categorical(1 = 0.5, 2 = 0.3, 3 = 0.2))] items: usize,
    #[define(
        mixture(uniform(0..=10) = 0.4, uniform(11..=60) = 0.3, uniform(61..=900) = 0.3),
        edge_cases(probability = 0.12, values = [7, 30, 365])
    )]
    days: u64,
    #[define(uniform(0..=86_399), null_probability = 0.5)] seconds: Option<u64>,
    #[define(categorical("seconds" = 0.5, "hours" = 0.3, "days" = 0.2))] least: &str,
    #[define(categorical(7, 30, 365), null_probability = 0.4)] max_days: Option<u64>,
    #[define(bernoulli(0.5))] zero: bool,
) -> String {
    let mut formatter = Formatter::with_language(match language {
        Language::English => boxup(English),
        Language::French => boxup(French),
        Language::German => boxup(German),
        Language::Russian => boxup(Russian),
    });
    formatter.num_items(items).min_unit(match least {
        "days" => TimeUnit::Days,
        "hours" => TimeUnit::Hours,
        _ => TimeUnit::Seconds,
    });
    if zero {
        formatter.too_low("0");
    }
    if let Some(days) = max_days {
        formatter.max_duration(Duration::from_secs(days * 86_400));
    }
    formatter.convert(Duration::from_secs(days * 86_400 + seconds.unwrap_or(0)))
}
