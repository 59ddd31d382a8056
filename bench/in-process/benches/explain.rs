//! Measures how well planted rules are found, how often random rows yield a rule, and the time.
//!
//!     explain found               shares of planted rules, and random masks that are explained
//!     explain few                 causes with only six failing rows
//!     explain false               only the random masks
//!     explain families            counts of rules over all families, with and without noise
//!     explain time DIRECTORY      milliseconds; writes the large table there, for peers
//!
//! Prints one JSON object of figures.

#[path = "../../../tdg-explain/tests/explain/mixed_table.rs"]
mod mixed;
#[path = "../../../tdg-explain/tests/explain/planted_rules.rs"]
mod planted_rules;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use mixed::{RULES, expected, holds, mixed};
use planted_rules::{KINDS, at_random, failing, table};
use tdg_bench::judged::{Tally, Verdict, claim};
use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_explain::{Vocabulary, ExplainedRows, Explanation};

const SEEDS: u64 = 60;
const MASKS: u64 = 1_000;
const SIZES: [(usize, usize); 2] = [(500, 8), (2_000, 20)];
/// The number of tables per rule over all families. As many rows judge as are explained.
const TABLES: u64 = 10;
const SEEN: usize = 500;
const LARGE: (usize, usize) = (10_000, 100);
const TIMES: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let figures = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["families"] => return println!("{}", families()),
        ["found"] => found(),
        ["few"] => few(),
        ["false"] => vec![("false".to_owned(), false_reports())],
        ["time", directory] => time(Path::new(directory)),
        _ => {
            eprintln!("explain found | explain families | explain time DIRECTORY");
            return;
        }
    };
    let figures: Vec<String> = figures
        .iter()
        .map(|(name, figure)| format!("{name:?}: {figure}"))
        .collect();
    println!("{{{}}}", figures.join(", "));
}

fn rules(vectors: &Vectors, failing: &[bool]) -> Explanation {
    rules_in(Vocabulary::Full, vectors, failing)
}

fn rules_in(vocabulary: Vocabulary, vectors: &Vectors, failing: &[bool]) -> Explanation {
    let failing: Vec<Option<bool>> = failing.iter().copied().map(Some).collect();
    tdg_explain::rules(&ExplainedRows {
        vectors,
        expected: None,
        failing: &failing,
        vocabulary,
        constants: &[],
    })
}

fn found() -> Vec<(String, f64)> {
    let mut figures = Vec::new();
    for (size, width) in SIZES {
        for with_noise in [false, true] {
            let noise = if with_noise { ", with noise" } else { "" };
            figures.push((
                format!("{size} × {width}{noise}"),
                share_found(size, width, with_noise),
            ));
        }
    }
    figures.push(("false".to_owned(), false_reports()));
    figures
}

fn time(directory: &Path) -> Vec<(String, f64)> {
    let (size, width) = LARGE;
    let large = table(1, size, width);
    write(directory, &large);
    let mut figures = vec![
        ("large".to_owned(), milliseconds(Vocabulary::Full, &large)),
        ("everyday".to_owned(), milliseconds(Vocabulary::Everyday, &large)),
    ];
    for (size, width) in SIZES {
        let small = table(1, size, width);
        figures.push((format!("{size} × {width}"), milliseconds(Vocabulary::Full, &small)));
    }
    figures
}

/// Returns the share of tables where exactly one rule is found, with the planted features.
fn share_found(size: usize, width: usize, with_noise: bool) -> f64 {
    let mut found = 0;
    for seed in 1..=SEEDS {
        let vectors = table(seed, size, width);
        for kind in &KINDS {
            let failing = failing(kind, &vectors, with_noise.then_some(seed));
            let explanation = rules(&vectors, &failing);
            let features: Vec<BTreeSet<&str>> = explanation
                .rules
                .iter()
                .map(|rule| rule.features().collect())
                .collect();
            if features == [kind.features.iter().copied().collect()] {
                found += 1;
            } else {
                let rules: Vec<String> =
                    explanation.rules.iter().map(ToString::to_string).collect();
                eprintln!(
                    "{size} × {width}, seed {seed}, noise {with_noise}: {}, {} cases: {rules:?}",
                    kind.name, explanation.failing
                );
            }
        }
    }
    f64::from(found) / (SEEDS as f64 * KINDS.len() as f64)
}

/// Judges the rules over all families. Rules that aren't found exactly go to standard error.
fn families() -> Value {
    let figures = [false, true].map(|is_noisy| {
        let mut tally = Tally::default();
        for rule in &RULES {
            let mut verdicts = Vec::new();
            for seed in 1..=TABLES {
                let vectors = mixed(seed, 2 * SEEN);
                let truth = holds(rule, &vectors);
                let failing = match is_noisy {
                    true => with_noise(&truth, seed),
                    false => truth.clone(),
                };
                let claim = claim(&vectors, Some(&expected(&vectors)), &failing, SEEN);
                let verdict = tally.add(&claim, &truth, SEEN);
                if verdict != Verdict::Exact {
                    let rules = claim.explanation.rules.iter().map(ToString::to_string);
                    verdicts.push(format!(
                        "{seed} {verdict:?} {:?}",
                        rules.collect::<Vec<_>>()
                    ));
                }
            }
            let exact = TABLES as usize - verdicts.len();
            eprintln!(
                "noise {is_noisy}, {}: {exact} exact; {}",
                rule.0,
                verdicts.join("; ")
            );
        }
        tally.to_value()
    });
    let [plain, noisy] = figures;
    Value::object([("plain", plain), ("noisy", noisy)])
}

/// Tries causes that hold for 12 to 100 rows, with only six failing ones. Counts the causes, the
/// rules, the shared properties of the six, and how often these are nearly the cause.
fn few() -> Vec<(String, f64)> {
    const FAILING: usize = 6;
    let mut counts = [0_u32; 4];
    for rule in &RULES {
        for seed in 1..=TABLES {
            let vectors = mixed(seed, SEEN);
            let truth = holds(rule, &vectors);
            let rows: Vec<usize> = (0..SEEN).filter(|row| truth[*row]).collect();
            if !(2 * FAILING..=SEEN / 5).contains(&rows.len()) {
                continue;
            }
            let step = rows.len() / FAILING;
            let mut failing = vec![false; SEEN];
            for row in rows.iter().step_by(step).take(FAILING) {
                failing[*row] = true;
            }
            let explanation =
                claim(&vectors, Some(&expected(&vectors)), &failing, SEEN).explanation;
            counts[0] += 1;
            counts[1] += u32::from(!explanation.rules.is_empty());
            if let Some(shared) = &explanation.shared {
                let covered = shared.covered();
                let right = covered.iter().filter(|row| truth[**row]).count();
                let is_near = 20 * right >= 8 * (covered.len() + rows.len());
                counts[2] += 1;
                counts[3] += u32::from(is_near);
                eprintln!("{}, seed {seed}, near {is_near}: {shared}", rule.0);
            }
        }
    }
    let names = ["causes", "rules", "shared", "of these near"];
    let figures = names.into_iter().zip(counts);
    figures
        .map(|(name, count)| (name.to_owned(), f64::from(count)))
        .collect()
}

/// Flips every twentieth of the explained rows.
fn with_noise(failing: &[bool], seed: u64) -> Vec<bool> {
    let flipped = at_random(seed, failing.len(), 0.05);
    let rows = failing.iter().zip(flipped).enumerate();
    rows.map(|(row, (failing, is_flipped))| *failing != (is_flipped && row < SEEN))
        .collect()
}

/// Counts the tables in which a rule is found although rows fail at random. Half of the tables have
/// features of all types and expected outputs.
fn false_reports() -> f64 {
    let shares = [0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.9, 0.97];
    let reported = (0..MASKS).filter(|seed| {
        let share = shares[*seed as usize / 2 % shares.len()];
        let failing = at_random(5000 + seed, SEEN, share);
        let explanation = if seed % 2 == 0 {
            rules(&table(1000 + seed, SEEN, 8), &failing)
        } else {
            let vectors = mixed(1000 + seed, SEEN);
            claim(&vectors, Some(&expected(&vectors)), &failing, SEEN).explanation
        };
        let found = explanation.rules.iter().chain(&explanation.shared);
        let found: Vec<String> = found.map(ToString::to_string).collect();
        if !found.is_empty() {
            eprintln!("mask {seed}, {share} failing: {found:?}");
        }
        !found.is_empty()
    });
    reported.count() as f64
}

/// Returns the median time over the noisy kinds, using the best of several runs for each.
fn milliseconds(vocabulary: Vocabulary, vectors: &Vectors) -> f64 {
    let mut times: Vec<f64> = KINDS
        .iter()
        .map(|kind| {
            let failing = failing(kind, vectors, Some(1));
            let mut best = f64::INFINITY;
            for _ in 0..TIMES {
                let begin = Instant::now();
                std::hint::black_box(rules_in(vocabulary, vectors, &failing));
                best = best.min(begin.elapsed().as_secs_f64() * 1e3);
            }
            best
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Writes the rows as JSON, and a line of zeros and ones for each kind.
fn write(directory: &Path, vectors: &Vectors) {
    std::fs::write(directory.join("table.json"), vectors.to_json()).expect("a writable directory");
    let lines: Vec<String> = KINDS
        .iter()
        .map(|kind| {
            failing(kind, vectors, Some(1))
                .into_iter()
                .map(|failing| if failing { '1' } else { '0' })
                .collect()
        })
        .collect();
    std::fs::write(directory.join("failing.txt"), lines.join("\n")).expect("a writable directory");
}
