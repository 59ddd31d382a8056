//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use http_range_header::{parse_range_header, parse_range_header_with_max_ranges};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

#[derive(tdg::Define, serde::Deserialize)]
enum Part {
    #[define(probability = 0.6)]
    Closed {
        #[define(uniform(0..=30))]
        from: u64,
        #[define(uniform(10..=80))]
        to: u64,
    },
    #[define(probability = 0.15)]
    Open {
        #[define(uniform(0..=60))]
        from: u64,
    },
    #[define(probability = 0.15)]
    Last {
        #[define(uniform(0..=20))]
        count: u64,
    },
    #[define(probability = 0.1)]
    Nothing,
}

#[derive(serde::Serialize)]
enum Answer {
    Empty,
    Part { from: u64, to: u64 },
    Parts(Vec<RangeInclusive<u64>>),
    Refused(String),
}

/// The answer of a file server to a request for several parts of a file.
#[tdg::ensemble_test(size = 500)]
fn answer(
    #[define(length(1..=4))] parts: &[Part],
    #[define(uniform(0..=90))] size: u64,
    #[define(uniform(2..=6))] limit: usize,
    #[define(bernoulli(0.5))] blanks: bool,
) -> Answer {
    let texts: Vec<String> = parts
        .iter()
        .map(|part| match part {
            Part::Closed { from, to } => format!("{from}-{to}"),
            Part::Open { from } => format!("{from}-"),
            Part::Last { count } => format!("-{count}"),
            Part::Nothing => String::new(),
        })
        .collect();
    let header = format!("bytes={}", texts.join(if blanks { ", " } else { "," }));
    let limit = NonZeroUsize::new(limit).unwrap();
    match parse_range_header_with_max_ranges(&header, limit).and_then(|it| it.validate(size)) {
        Ok(ranges) => match &ranges[..] {
            [] => Answer::Empty,
            [one] => Answer::Part { from: *one.start(), to: *one.end() },
            _ => Answer::Parts(ranges),
        },
        Err(error) => Answer::Refused(error.to_string()),
    }
}

#[tdg::ensemble_test(size = 500)]
fn single(
    #[define(categorical("bytes" = 0.75, "Bytes" = 0.12, "BYTES" = 0.04, "items" = 0.09))] unit: &str,
    #[define(
        uniform(0..=1_200),
        edge_cases(probability = 0.2, values = [0, 100, 512, 1_000]),
        null_probability = 0.25
    )]
    from: Option<u64>,
    #[define(uniform(0..=1_500), null_probability = 0.4)] to: Option<u64>,
    #[define(categorical(0 = 0.1, 100 = 0.3, 512 = 0.3, 1_000 = 0.3))] size: u64,
    #[define(categorical("" = 0.8, " " = 0.2))] gap: &str,
) -> Result<Vec<RangeInclusive<u64>>, String> {
    let text = |it: Option<u64>| it.map(|it| it.to_string()).unwrap_or_default();
    parse_range_header(&format!("{unit}={gap}{}-{}", text(from), text(to)))
        .and_then(|it| it.validate(size))
        .map_err(|it| it.to_string())
}
