//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use parse_size::{ByteSuffix, Config};

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Suffix {
    #[define(probability = 0.12)]
    Deny,
    #[define(probability = 0.7)]
    Allow,
    #[define(probability = 0.18)]
    Require,
}

/// The quota that an administrator types into a form, in bytes.
#[tdg::ensemble_test(size = 500)]
fn quota(
    #[define(uniform(0..=4_000))] amount: u32,
    #[define(pattern(regex = "[0-9]{1,3}"), null_probability = 0.5)] decimals: Option<&str>,
    #[define(categorical("" = 0.15, "B" = 0.14, "k" = 0.1, "kB" = 0.12, "KiB" = 0.15, "KIB" = 0.02, "MB" = 0.12, "MiB" = 0.1, "G" = 0.1))]
    unit: &str,
    #[define(categorical("" = 0.5, " " = 0.35, "_" = 0.15))] gap: &str,
    #[define(bernoulli(0.4))] binary: bool,
    #[define(bernoulli(0.3))] blocks: bool,
    suffix: Suffix,
) -> Result<u64, String> {
    let config = if binary { Config::new().with_binary() } else { Config::new().with_decimal() };
    let config = config.with_default_factor(if blocks { 512 } else { 1 }).with_byte_suffix(match suffix {
        Suffix::Deny => ByteSuffix::Deny,
        Suffix::Allow => ByteSuffix::Allow,
        Suffix::Require => ByteSuffix::Require,
    });
    let fraction = decimals.map(|it| format!(".{it}")).unwrap_or_default();
    config.parse_size(format!("{amount}{fraction}{gap}{unit}")).map_err(|it| it.to_string())
}
