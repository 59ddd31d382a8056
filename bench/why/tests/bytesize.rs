//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use bytesize::ByteSize;

#[tdg::ensemble_test(size = 500)]
fn shown(
    #[define(uniform(0..=3_000))] amount: u64,
    #[define(uniform(0..=4))] thousands: u32,
    #[define(bernoulli(0.5))] si: bool,
) -> String {
    bytesize::to_string(amount * 1_024_u64.pow(thousands), si)
}

#[tdg::ensemble_test(size = 500)]
fn parsed(
    #[define(pattern(regex = "[0-9]{1,4}(\\.[0-9]{1,2})? ?(|B|k|K|kB|KiB|ki|M|MB|MiB|G|gib|TB|TiB|Pb|PiB|x)"))]
    text: &str,
) -> Result<u64, String> {
    text.parse::<ByteSize>().map(|it| it.as_u64())
}

#[tdg::ensemble_test(size = 300)]
fn of_unit(
    #[define(uniform(0..=2_000))] amount: u64,
    #[define(categorical("kB", "KiB", "MB", "MiB", "GB", "GiB", "TB", "TiB", "PB", "PiB"))] unit: &str,
) -> u64 {
    match unit {
        "kB" => ByteSize::kb(amount),
        "KiB" => ByteSize::kib(amount),
        "MB" => ByteSize::mb(amount),
        "MiB" => ByteSize::mib(amount),
        "GB" => ByteSize::gb(amount),
        "GiB" => ByteSize::gib(amount),
        "TB" => ByteSize::tb(amount),
        "TiB" => ByteSize::tib(amount),
        "PB" => ByteSize::pb(amount),
        _ => ByteSize::pib(amount),
    }
    .as_u64()
}

#[tdg::ensemble_test(size = 300)]
fn sum(#[define(uniform(0..=5_000))] a: u64, #[define(uniform(0..=5_000))] b: u64) -> u64 {
    let mut sum = ByteSize(a) + ByteSize(b);
    sum += b;
    (sum * 2_u64).as_u64()
}
