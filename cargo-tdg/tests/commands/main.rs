//! Tests that run `cargo tdg` on real crates in temporary folders.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod check;
mod ci;
mod compare;
mod completions;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "aarch64", target_arch = "x86_64")
))]
mod confine;
mod constants;
mod control_characters;
mod decisions;
mod differences;
mod documentation;
mod earlier_versions;
mod explain;
mod explore;
mod files_of_others;
mod fit;
mod generate;
mod history;
mod init;
mod names;
mod packages;
mod prune;
mod rename;
mod report;
mod rows;
mod show;
mod sync;
mod terminal;
mod test;
mod why;

use std::path::Path;

use tdg_tests::{Checkout, Finished, Program, Project, Run};

/// Returns `cargo tdg` with arguments in a project, as cargo starts it.
fn tdg(project: &Project, arguments: &[&str]) -> Run {
    tdg_in(project.folder(), arguments)
}

/// Returns `cargo tdg` with arguments in any folder.
fn tdg_in(folder: &Path, arguments: &[&str]) -> Run {
    Run::new(env!("CARGO_BIN_EXE_cargo-tdg"), folder)
        .arguments(&["tdg"])
        .arguments(arguments)
}

/// The snapshot file of the test `total`.
const TOTAL: &str = "tests/snapshots/pricing__total.snap";
/// Its pending change.
const TOTAL_NEW: &str = "tests/snapshots/pricing__total.snap.new";

/// Returns a shop with a pending change of `total`: prices with `HALF` rise by 3 %.
fn changed_shop() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.pricing("total").env("FACTOR", "1.03").fails();
    shop
}

/// Returns a shop that keeps benchmarks only in the store, with the same change.
fn changed_shop_without_files() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.write("tdg.toml", "snapshots = false\n");
    shop.pricing("total").passes();
    shop.pricing("total").env("FACTOR", "1.03").fails();
    shop
}

/// Removes the folder and the times from the output.
fn anonymous(project: &Project, text: &str) -> String {
    let folder = project.folder().canonicalize().unwrap();
    let text = text.replace(&folder.display().to_string(), "<shop>");
    let text = text.replace(&project.folder().display().to_string(), "<shop>");
    let is_of = |word: &str, length, separator| {
        let is_digit = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        word.len() == length
            && word.split(separator).count() == 3
            && word.split(separator).all(is_digit)
    };
    let is_time = |word: &str| is_of(word, 8, ':');
    let is_date = |word: &str| is_of(word, 10, '-');
    let lines = text.lines().map(|line| {
        let words = line.split(' ').map(|word| match word {
            word if is_time(word) => "hh:mm:ss",
            word if is_date(word) => "yyyy-mm-dd",
            word => word,
        });
        words.collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the output and the exit code.
fn ended(project: &Project, run: &Finished) -> String {
    let code = run.code.unwrap();
    anonymous(project, &format!("{}{}({code})", run.stdout, run.stderr))
}
