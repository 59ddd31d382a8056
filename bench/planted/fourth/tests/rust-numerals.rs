//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use rust_numerals::number_to_cardinal;

#[tdg::ensemble_test(size = 500)]
fn words(
    #[define(mixture(
        uniform(-20..=120) = 0.2,
        uniform(0..=9_999) = 0.35,
        uniform(-2_000_000_000..=2_000_000_000) = 0.35,
        categorical(1_000, 5_000, -3_000, 12_000, 1_000_000, 2_500_000) = 0.1
    ))]
    number: i64,
) -> String {
    number_to_cardinal(number)
}

/// The amount of a cheque.
#[tdg::ensemble_test(size = 400)]
fn cheque(
    #[define(uniform(0..=999))] euros: i64,
    #[define(mixture(categorical(0) = 0.5, uniform(1..=99) = 0.5))] cents: i64,
) -> String {
    let euros = format!("{} euro{}", number_to_cardinal(euros), if euros == 1 { "" } else { "s" });
    match cents {
        0 => euros,
        1 => format!("{euros} and one cent"),
        _ => format!("{euros} and {} cents", number_to_cardinal(cents)),
    }
}
