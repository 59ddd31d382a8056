//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use srtparse::{Item, Time};

#[derive(tdg::Define, serde::Deserialize)]
struct Cue {
    #[define(uniform(0..=5_999_999))]
    start: u64,
    #[define(uniform(400..=7_000))]
    length: u64,
    #[define([categorical("Hello?", "Where are you?", "- Yes.", "- No.", "<i>A door closes.</i>", "1984"); 1..=3])]
    lines: Vec<String>,
}

fn stamp_of(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    format!("{:02}:{:02}:{:02},{:03}", seconds / 3_600, seconds / 60 % 60, seconds % 60, milliseconds % 1_000)
}

#[tdg::ensemble_test(size = 400, output = "debug")]
fn subtitles(
    #[define(length(1..=4))] cues: &[Cue],
    #[define(bernoulli(0.01))] byte_order_mark: bool,
    #[define(bernoulli(0.3))] windows: bool,
    #[define(bernoulli(0.3))] final_blank: bool,
) -> Result<Vec<Item>, String> {
    let end = if windows { "\r\n" } else { "\n" };
    let blocks: Vec<String> = cues
        .iter()
        .enumerate()
        .map(|(index, it)| {
            let times = format!("{} --> {}", stamp_of(it.start), stamp_of(it.start + it.length));
            format!("{}{end}{times}{end}{}{end}", index + 1, it.lines.join(end))
        })
        .collect();
    let mark = if byte_order_mark { "\u{feff}" } else { "" };
    let text = format!("{mark}{}{}", blocks.join(end), if final_blank { end } else { "" });
    srtparse::from_str(&text).map_err(|it| it.to_string())
}

#[tdg::ensemble_test(size = 500)]
fn stamp(
    #[define(uniform(0..=12))] hours: u32,
    #[define(uniform(0..=59))] minutes: u32,
    #[define(uniform(0..=59))] seconds: u32,
    #[define(uniform(0..=999), null_probability = 0.04)] milliseconds: Option<u32>,
    #[define(categorical("," = 0.96, "." = 0.04))] separator: &str,
) -> Result<String, String> {
    let rest = milliseconds.map(|it| format!("{separator}{it:03}")).unwrap_or_default();
    let text = format!("{hours:02}:{minutes:02}:{seconds:02}{rest}");
    text.parse::<Time>().map(|it| it.to_string()).map_err(|it| it.to_string())
}
