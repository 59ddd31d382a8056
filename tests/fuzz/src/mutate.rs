//! Texts that are nearly right.

use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};

/// What matters to readers of JSON and of definitions.
const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "null",
    "true",
    "0",
    "-0",
    "-1",
    "1e308",
    "1e-324",
    "1e400",
    "9223372036854775808",
    "18446744073709551616",
    "1000000000000000000",
    "0.1",
    "NaN",
    "\"\"",
    "[]",
    "{}",
    "\u{0}",
    "é",
    "🦀",
    "\u{202e}",
    "\"type\"",
    "\"FLOAT\"",
    "\"INTEGER\"",
    "\"STRING\"",
    "\"DATE\"",
    "\"gaussian\"",
    "\"uniform\"",
    "\"categorical\"",
    "\"binomial\"",
    "\"zipf\"",
    "\"pattern\"",
    "\"mixture\"",
    "\"features\"",
    "\"distribution\"",
    "\"probability\"",
    "\"regex\"",
    "(a|b)*",
    "{0,1000}",
    "[^a]",
    "\"min\":",
    "\"max\":",
    "\"size\":",
    "\"policy\":",
    "\"$float\"",
    "2024-02-30",
    "9999-12-31T23:59:60Z",
];

/// A text of the corpus with a few changes.
pub(crate) fn mutate(corpus: &[String], random: &mut StdRng) -> String {
    let pick = |random: &mut StdRng| corpus.choose(random).cloned().unwrap_or_default();
    let mut text: Vec<char> = pick(random).chars().collect();
    for _ in 0..random.random_range(0..4) {
        let at = random.random_range(0..=text.len());
        let to = (at + random.random_range(0..12)).min(text.len());
        match random.random_range(0..6) {
            0 => drop(text.drain(at..to)),
            1 => drop(text.splice(at..to, token(random).chars())),
            2 => drop(text.splice(at..at, token(random).chars())),
            // A part of itself again: deep and long texts.
            3 => {
                let part: Vec<char> = text[at..to].to_vec();
                let times = random.random_range(1..50);
                drop(text.splice(at..at, part.repeat(times)));
            }
            4 => {
                let other: Vec<char> = pick(random).chars().collect();
                let from = random.random_range(0..=other.len());
                let until = (from + random.random_range(0..60)).min(other.len());
                drop(text.splice(at..to, other[from..until].iter().copied()));
            }
            _ => {
                if let Some(char) = text.get_mut(at) {
                    *char = random.random_range(' '..='~');
                }
            }
        }
        text.truncate(20_000);
    }
    text.into_iter().collect()
}

fn token(random: &mut StdRng) -> &'static str {
    TOKENS.choose(random).copied().unwrap_or_default()
}
