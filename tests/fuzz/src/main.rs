//! Hands texts that are nearly right to everything that reads what clients send, for so many seconds each:
//!
//!     cargo run --release -p tdg-fuzz -- 60 [target]
//!
//! Nothing may panic or take long, and what is accepted must be read again as the same. A text that breaks
//! this is printed, with the seed that makes it again.

#![forbid(unsafe_code)]

mod mutate;
mod targets;

use std::{
    env,
    panic::catch_unwind,
    process::ExitCode,
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};

use self::targets::{TARGETS, Target};

/// What no text of some kilobytes may take, on a machine that is busy.
const SLOW: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let Some(seconds) = arguments.next().and_then(|seconds| seconds.parse().ok()) else {
        eprintln!("usage: tdg-fuzz <seconds for each target> [target] [seed]");
        return ExitCode::FAILURE;
    };
    let chosen = arguments.next();
    let seed = arguments.next().and_then(|seed| seed.parse().ok());
    for target in TARGETS
        .iter()
        .filter(|target| chosen.as_ref().is_none_or(|name| name == target.name))
    {
        let seed = seed.unwrap_or_else(|| rand::rng().random());
        if let Err(text) = fuzz(target, seed, Duration::from_secs(seconds)) {
            eprintln!("{} with seed {seed} breaks on\n{text}", target.name);
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The text that breaks the target, if one does.
fn fuzz(target: &Target, seed: u64, time: Duration) -> Result<(), String> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut corpus: Vec<String> = target
        .corpus
        .iter()
        .map(|text| (*text).to_owned())
        .collect();
    let (mut texts, mut accepted) = (0_u64, 0_u64);
    let begun = Instant::now();
    while begun.elapsed() < time {
        let text = mutate::mutate(&corpus, &mut random);
        let one = Instant::now();
        let taken = catch_unwind(|| (target.read)(&text)).map_err(|_| text.clone())?;
        if one.elapsed() > SLOW {
            return Err(text);
        }
        texts += 1;
        if taken {
            accepted += 1;
            // What is right leads to more that is nearly right.
            if corpus.len() < 500 && random.random_ratio(1, 20) {
                corpus.push(text);
            }
        }
    }
    println!(
        "{}: {texts} texts, {accepted} of them accepted, seed {seed}",
        target.name
    );
    Ok(())
}
