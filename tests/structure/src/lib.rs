//! What keeps the product's source from growing together, stated in numbers that may only fall.
#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arrows;
mod circles;
mod copies;
mod layers;
mod names;
mod paths;
mod source;

/// Fails with the list of offenders if there are more of them than the ceiling allows. A ceiling is
/// the number of the day on which it was lowered: whoever removes some of them lowers it again.
/// `cargo test -p tdg-structure -- --nocapture` lists those that are there.
fn hold(ceiling: usize, what: &str, offenders: &[String]) {
    let count = offenders.len();
    let list = format!(
        "{count} {what}, at most {ceiling}:\n{}",
        offenders.join("\n")
    );
    assert!(count <= ceiling, "{list}");
    println!("{list}");
}
