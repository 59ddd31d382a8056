//! Notations for well-known types of std and other crates.

const DATE: &str = "type = DATE, any, parse";
const TIME: &str = "type = DATETIME, any, parse";
const SECONDS: &str = "uniform(-1_000_000..=1_000_000)";
const CLOCK: &str = "(uniform(0..24), uniform(0..60), uniform(0..60))";
const BIG: &str = r#"pattern(regex = "[1-9][0-9]{0,40}"), parse"#;
const ADDRESS: &str = r#"pattern(regex = "10\\.[0-9]\\.[0-9]\\.[0-9]")"#;

/// Returns the items of `#[define(…)]` for a type's path.
pub(super) fn drawn(path: &str) -> Option<String> {
    let text = |items: &str| Some(items.to_owned());
    // Local times have no `Z`.
    let local = || {
        Some(format!(
            "type = DATETIME, any, via = |text: &str| text.trim_end_matches('Z').parse::<{path}>()"
        ))
    };
    let made = |drawn: &str, function: &str| Some(format!("{drawn}, via = {path}::{function}"));
    match path {
        "std::time::Duration" => made("uniform(0..=86_400)", "from_secs"),
        "std::path::PathBuf" => text("any"),
        "std::net::IpAddr" | "std::net::Ipv4Addr" => text(ADDRESS),
        "chrono::NaiveDate" | "jiff::civil::Date" => text(DATE),
        "chrono::DateTime" | "jiff::Timestamp" => text(TIME),
        "chrono::NaiveDateTime" | "jiff::civil::DateTime" => local(),
        "chrono::NaiveTime" => made(CLOCK, "from_hms_opt"),
        "chrono::TimeDelta" | "chrono::Duration" | "time::Duration" => made(SECONDS, "seconds"),
        "chrono::Weekday" => text("uniform(0..7), via = |n: u8| chrono::Weekday::try_from(n)"),
        "chrono::Month" => text("uniform(1..=12), via = |n: u8| chrono::Month::try_from(n)"),
        "jiff::civil::Time" => text(
            "(uniform(0..24), uniform(0..60)), via = |h: i8, m: i8| jiff::civil::Time::new(h, m, 0, 0)",
        ),
        "jiff::SignedDuration" => made(SECONDS, "from_secs"),
        "jiff::Span" => {
            text("uniform(-1000..=1000), via = |days: i64| jiff::Span::new().try_days(days)")
        }
        // For versions 0.2 and 1.
        "jiff::Zoned" | "jiff::ZonedDateTime" => Some(format!(
            "type = DATETIME, any, via = |text: &str| text.parse()\
             .map(|it| {path}::new(it, jiff::tz::TimeZone::UTC))"
        )),
        "time::Date" => made("uniform(-1_000_000..=1_000_000)", "from_julian_day"),
        "time::Time" => made(CLOCK, "from_hms"),
        "time::OffsetDateTime" => made(
            "uniform(-2_000_000_000..=2_000_000_000)",
            "from_unix_timestamp",
        ),
        "time::UtcOffset" => made("uniform(-86_399..=86_399)", "from_whole_seconds"),
        "uuid::Uuid" => text("uuid, parse"),
        "url::Url" => text(r#"pattern(regex = "https://[a-z]{1,8}\\.example/[a-z]{0,8}"), parse"#),
        "rust_decimal::Decimal" => made("(any(-1_000_000..=1_000_000), uniform(0..=6))", "new"),
        "semver::Version" => {
            text(r#"pattern(regex = "[0-9]\\.[0-9]\\.[0-9]{1,2}(-rc\\.[0-9])?"), parse"#)
        }
        "semver::VersionReq" => {
            text(r#"pattern(regex = "(\\^|~|=|>=)?[0-9]{1,2}(\\.[0-9])?"), parse"#)
        }
        "num_bigint::BigUint" | "num_bigint::BigInt" => text(BIG),
        "num_rational::Ratio" | "num_rational::Rational64" => {
            made("(uniform(-99..=99), uniform(1..=99))", "new")
        }
        "num_complex::Complex" | "num_complex::Complex64" => {
            made("(uniform(-9.0..9.0), uniform(-9.0..9.0))", "new")
        }
        _ => None,
    }
}
