//! Limits on the coupling of the product's source, as numbers that may only fall.
#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arrows;
mod circles;
mod copies;
mod english;
mod layers;
mod names;
mod paths;
mod source;

/// Fails with a list of the offenders if they exceed the ceiling. A ceiling is the count of the day
/// it was lowered, so lower it after removing some. `cargo test -p tdg-structure -- --nocapture`
/// lists the present ones.
fn hold(ceiling: usize, what: &str, offenders: &[String]) {
    let count = offenders.len();
    let list = format!(
        "{count} {what}, at most {ceiling}:\n{}",
        offenders.join("\n")
    );
    assert!(count <= ceiling, "{list}");
    println!("{list}");
}
