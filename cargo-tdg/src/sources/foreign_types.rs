//! Well-known types and traits of other crates.

use tdg_definition::json::{self, Value};

/// A type of std or of another crate, with the values that it is made from.
pub(crate) struct ForeignType {
    /// Its path, without private modules and preludes.
    pub(crate) path: &'static str,
    pub(crate) drawn: &'static [DrawnPart],
    pub(crate) made: MadeBy,
}

/// A drawn value.
#[derive(Debug, PartialEq)]
pub(crate) enum DrawnPart {
    Any,
    Date,
    Time,
    Uuid,
    /// Texts that match a regular expression.
    Text(&'static str),
    /// A range of numbers.
    Uniform(&'static str),
    AnyOf(&'static str),
}

/// How a type is made from drawn values.
pub(crate) enum MadeBy {
    /// By serde.
    Reading,
    Parsing,
    /// By an associated function.
    Function(&'static str),
    /// By an associated function that may fail.
    Fallible(&'static str),
    /// By a closure that may fail.
    Closure(&'static str),
    /// By its name alone, since it has one value.
    Name,
}

use DrawnPart::{Any, AnyOf, Date, Text, Time, Uniform, Uuid};
use MadeBy::{Closure, Fallible, Function, Name, Parsing, Reading};

const SECONDS: &[DrawnPart] = &[Uniform("-1_000_000..=1_000_000")];
const CLOCK: &[DrawnPart] = &[Uniform("0..24"), Uniform("0..60"), Uniform("0..60")];
const BIG: &[DrawnPart] = &[Text("[1-9][0-9]{0,40}")];
const ADDRESS: &[DrawnPart] = &[Text(r"10\.[0-9]\.[0-9]\.[0-9]")];
const RATIO: &[DrawnPart] = &[Uniform("-99..=99"), Uniform("1..=99")];
const COMPLEX: &[DrawnPart] = &[Uniform("-9.0..9.0"), Uniform("-9.0..9.0")];

#[rustfmt::skip]
const TYPES: [(&str, &[DrawnPart], MadeBy); 39] = [
    ("std::time::Duration", &[Uniform("0..=86_400")], Function("from_secs")),
    ("std::path::PathBuf", &[Any], Reading),
    ("std::net::IpAddr", ADDRESS, Reading),
    ("std::net::Ipv4Addr", ADDRESS, Reading),
    ("chrono::NaiveDate", &[Date], Parsing),
    ("jiff::civil::Date", &[Date], Parsing),
    ("chrono::DateTime", &[Time], Parsing),
    ("jiff::Timestamp", &[Time], Parsing),
    // Local times have no `Z`.
    ("chrono::NaiveDateTime", &[Time], Closure("|text: &str| text.trim_end_matches('Z').parse::<chrono::NaiveDateTime>()")),
    ("jiff::civil::DateTime", &[Time], Closure("|text: &str| text.trim_end_matches('Z').parse::<jiff::civil::DateTime>()")),
    ("chrono::NaiveTime", CLOCK, Fallible("from_hms_opt")),
    ("chrono::TimeDelta", SECONDS, Function("seconds")),
    ("chrono::Duration", SECONDS, Function("seconds")),
    ("chrono::Weekday", &[Uniform("0..7")], Closure("|n: u8| chrono::Weekday::try_from(n)")),
    ("chrono::Month", &[Uniform("1..=12")], Closure("|n: u8| chrono::Month::try_from(n)")),
    ("chrono::Utc", &[], Name),
    ("jiff::civil::Time", &[Uniform("0..24"), Uniform("0..60")], Closure("|h: i8, m: i8| jiff::civil::Time::new(h, m, 0, 0)")),
    ("jiff::civil::Weekday", &[Uniform("1..=7")], Fallible("from_monday_one_offset")),
    ("jiff::SignedDuration", SECONDS, Function("from_secs")),
    ("jiff::Span", &[Uniform("-1000..=1000")], Closure("|days: i64| jiff::Span::new().try_days(days)")),
    // For versions 0.2 and 1.
    ("jiff::Zoned", &[Time], Closure("|text: &str| text.parse().map(|it| jiff::Zoned::new(it, jiff::tz::TimeZone::UTC))")),
    ("jiff::ZonedDateTime", &[Time], Closure("|text: &str| text.parse().map(|it| jiff::ZonedDateTime::new(it, jiff::tz::TimeZone::UTC))")),
    ("time::Duration", SECONDS, Function("seconds")),
    ("time::Date", SECONDS, Fallible("from_julian_day")),
    ("time::Time", CLOCK, Fallible("from_hms")),
    ("time::OffsetDateTime", &[Uniform("-2_000_000_000..=2_000_000_000")], Fallible("from_unix_timestamp")),
    ("time::UtcOffset", &[Uniform("-86_399..=86_399")], Fallible("from_whole_seconds")),
    ("uuid::Uuid", &[Uuid], Parsing),
    ("url::Url", &[Text(r"https://[a-z]{1,8}\.example/[a-z]{0,8}")], Parsing),
    ("rust_decimal::Decimal", &[AnyOf("-1_000_000..=1_000_000"), Uniform("0..=6")], Function("new")),
    ("semver::Version", &[Text(r"[0-9]\.[0-9]\.[0-9]{1,2}(-rc\.[0-9])?")], Parsing),
    ("semver::VersionReq", &[Text(r"(\^|~|=|>=)?[0-9]{1,2}(\.[0-9])?")], Parsing),
    ("num_bigint::BigUint", BIG, Parsing),
    ("num_bigint::BigInt", BIG, Parsing),
    ("num_rational::Ratio", RATIO, Function("new")),
    ("num_rational::Rational64", RATIO, Function("new")),
    ("num_complex::Complex", COMPLEX, Function("new")),
    ("num_complex::Complex64", COMPLEX, Function("new")),
    ("rand::rngs::StdRng", &[AnyOf("0..=1_000_000")], Closure("|seed: u64| Some(<rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(seed))")),
];

/// Traits of other crates, each with the type that usually implements it.
const IMPLEMENTERS: [(&str, &str); 6] = [
    ("chrono::TimeZone", "chrono::Utc"),
    ("chrono::Datelike", "chrono::NaiveDate"),
    ("chrono::Timelike", "chrono::NaiveTime"),
    ("petgraph::graph::IndexType", "u32"),
    ("rand::Rng", "rand::rngs::StdRng"),
    ("rand::RngCore", "rand::rngs::StdRng"),
];

/// Returns true if both paths have the same crate and end with the same name: the modules in
/// between are private or a prelude.
fn is_same(path: &str, names: &[String]) -> bool {
    let (root, last) = (path.split("::").next(), path.rsplit("::").next());
    root == names.first().map(String::as_str) && last == names.last().map(String::as_str)
}

/// Returns the type that usually implements a trait.
pub(crate) fn implementer(names: &[String]) -> Option<&'static str> {
    let found = IMPLEMENTERS.iter().find(|(path, _)| is_same(path, names))?;
    Some(found.1)
}

impl ForeignType {
    /// Returns the type that a path names.
    pub(crate) fn find(names: &[String]) -> Option<Self> {
        let (path, drawn, made) = TYPES.into_iter().find(|(path, ..)| is_same(path, names))?;
        Some(Self { path, drawn, made })
    }

    /// Returns the items of `#[define(…)]`, if a value is drawn.
    pub(crate) fn notation(&self) -> Option<String> {
        let parts: Vec<String> = self.drawn.iter().map(DrawnPart::notation).collect();
        let drawn = match &parts[..] {
            [] => return None,
            [part] => part.clone(),
            parts => format!("({})", parts.join(", ")),
        };
        let path = self.path;
        Some(match self.made {
            Reading => drawn,
            Parsing => format!("{drawn}, parse"),
            Function(name) | Fallible(name) => format!("{drawn}, via = {path}::{name}"),
            Closure(code) => format!("{drawn}, via = {code}"),
            Name => return None,
        })
    }
}

impl DrawnPart {
    pub(crate) fn notation(&self) -> String {
        match self {
            Any => "any".to_owned(),
            Date => "type = DATE, any".to_owned(),
            Time => "type = DATETIME, any".to_owned(),
            Uuid => "uuid".to_owned(),
            Text(regex) => format!("pattern(regex = {regex:?})"),
            Uniform(range) => format!("uniform({range})"),
            AnyOf(range) => format!("any({range})"),
        }
    }

    /// Returns true if the value is a text.
    pub(crate) fn is_text(&self) -> bool {
        !matches!(self, Uniform(_) | AnyOf(_))
    }

    /// Returns the type and the distribution of the definition: all values, or ordinary ones.
    pub(crate) fn described(&self, is_any: bool) -> (&'static str, Value) {
        let of_type = |name: &str| Value::object([("type", Value::from(name))]);
        let between = |min: &str, max: &str| {
            Value::object([
                ("type", Value::from("uniform")),
                ("min", min.into()),
                ("max", max.into()),
            ])
        };
        match self {
            Date if !is_any => ("DATE", between("2019-01-01", "2030-12-31")),
            Time if !is_any => (
                "DATETIME",
                between("2019-01-01T00:00:00Z", "2030-12-31T23:59:59Z"),
            ),
            Any => ("STRING", of_type("any")),
            Date => ("DATE", of_type("any")),
            Time => ("DATETIME", of_type("any")),
            Uuid => ("STRING", of_type("uuid")),
            Text(regex) => {
                let members = [("type", Value::from("pattern")), ("regex", (*regex).into())];
                ("STRING", Value::object(members))
            }
            Uniform(range) => within("uniform", range),
            AnyOf(range) => within("any", range),
        }
    }
}

/// Returns the type and the distribution of the numbers of a range.
fn within(name: &str, range: &str) -> (&'static str, Value) {
    let range = range.replace('_', "");
    let (min, max) = range.split_once("..").unwrap_or_default();
    let number = |text: &str| json::parse(text).unwrap_or_default();
    let is_float = min.contains('.');
    let max = match max.strip_prefix('=') {
        None if !is_float => number(max).as_i64().map(|it| (it - 1).into()),
        inclusive => Some(number(inclusive.unwrap_or(max))),
    };
    let distribution = Value::object([
        ("type", name.into()),
        ("min", number(min)),
        ("max", max.unwrap_or_default()),
    ]);
    (if is_float { "FLOAT" } else { "INTEGER" }, distribution)
}

#[cfg(test)]
mod tests {
    use tdg_definition::Definition;

    use super::*;

    fn find(path: &str) -> Option<ForeignType> {
        let names: Vec<String> = path.split("::").map(str::to_owned).collect();
        ForeignType::find(&names)
    }

    #[test]
    fn the_table_is_that_of_the_docs() {
        let page = include_str!("../../../docs/reference/types.md");
        let (_, table) = page.split_once("## Types of other crates").unwrap();
        let (table, _) = table.split_once("\n## ").unwrap();
        let rows = table
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.strip_suffix("` |"));
        let rows: Vec<_> = rows.filter_map(|row| row.split_once("` | `")).collect();
        assert!(rows.len() >= 30);
        for (path, written) in rows {
            let written = written.replace("\\|", "|");
            assert_eq!(
                find(path).and_then(|it| it.notation()),
                Some(written),
                "{path}"
            );
        }
    }

    #[test]
    fn a_type_is_known_by_the_path_through_a_prelude_or_an_inner_module() {
        for path in ["chrono::prelude::NaiveDate", "chrono::naive::NaiveDate"] {
            assert_eq!(find(path).unwrap().path, "chrono::NaiveDate");
        }
        assert!(find("jiff::civil::NaiveDate").is_none() && find("NaiveDate").is_none());
        let names = ["chrono", "offset", "TimeZone"].map(str::to_owned);
        assert_eq!(implementer(&names), Some("chrono::Utc"));
    }

    #[test]
    fn the_parts_of_all_types_can_be_drawn() {
        for part in TYPES.iter().flat_map(|(_, parts, _)| *parts) {
            for is_any in [false, true] {
                let (kind, distribution) = part.described(is_any);
                let definition = format!(
                    r#"{{"features":[{{"feature_name":"x","type":"{kind}","distribution":{distribution}}}]}}"#
                );
                Definition::parse(&definition).unwrap_or_else(|it| panic!("{part:?}: {it}"));
            }
        }
        let (_, hours) = CLOCK[0].described(true);
        assert_eq!(hours.get("max").and_then(Value::as_i64), Some(23));
    }
}
