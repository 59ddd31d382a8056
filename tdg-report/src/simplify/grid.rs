//! Grids of numbers and dates, coarse and fine.

use tdg_definition::json::{Number, Value, write_f64};
use tdg_definition::{Feature, FeatureType, calendar};

/// Numbered values, in ascending order.
pub(super) enum Grid {
    /// Floats: ±1, ±10, ±100, …
    Decades,
    /// Floats with this many decimals.
    Decimals(u32),
    Integers,
    /// The starts of years, months, days, …
    Calendar {
        level: Level,
        is_date: bool,
    },
}

/// The unit of time that starts at a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
}

impl Level {
    const ALL: [Self; 6] = [
        Self::Year,
        Self::Month,
        Self::Day,
        Self::Hour,
        Self::Minute,
        Self::Second,
    ];

    /// Returns the coarsest level with a unit that starts at this time.
    pub(super) fn from_seconds(seconds: i64) -> Self {
        let is_on = |level: &Self| level.seconds(level.number(seconds)) == Some(seconds);
        Self::ALL.into_iter().find(is_on).unwrap_or(Self::Second)
    }

    /// Returns the number of the year, month, … that contains this time.
    fn number(self, seconds: i64) -> i64 {
        let (year, month, _) = calendar::date_of(seconds.div_euclid(DAY));
        match self {
            Self::Year => year,
            Self::Month => 12 * year + month - 1,
            Self::Day => seconds.div_euclid(DAY),
            Self::Hour => seconds.div_euclid(3600),
            Self::Minute => seconds.div_euclid(60),
            Self::Second => seconds,
        }
    }

    /// Returns the start of the year, month, … with this number.
    fn seconds(self, number: i64) -> Option<i64> {
        let first_day = |year: i64, month: i64| {
            let days = calendar::parse_date(&format!("{year:04}-{month:02}-01")).ok()?;
            Some(days * DAY)
        };
        match self {
            Self::Year => first_day(number, 1),
            Self::Month => first_day(number.div_euclid(12), number.rem_euclid(12) + 1),
            Self::Day => number.checked_mul(DAY),
            Self::Hour => number.checked_mul(3600),
            Self::Minute => number.checked_mul(60),
            Self::Second => Some(number),
        }
    }
}

const DAY: i64 = 86_400;

/// Larger floats are only on the grid of decades.
const LARGEST: f64 = 1e30;

/// The most decimals of a grid; a float has about 16 digits.
const MOST_DECIMALS: u32 = 17;

impl Grid {
    /// Returns the grids of a feature's values, from coarse to fine.
    pub(super) fn all(feature: &Feature) -> Vec<Self> {
        let is_date = feature.feature_type() == FeatureType::Date;
        match feature.feature_type() {
            FeatureType::Float => {
                let most = feature.decimals().map_or(MOST_DECIMALS, u32::from);
                let decimals = (0..=most.min(MOST_DECIMALS)).map(Self::Decimals);
                [Self::Decades].into_iter().chain(decimals).collect()
            }
            FeatureType::Integer => vec![Self::Integers],
            FeatureType::Date | FeatureType::DateTime => Level::ALL
                .into_iter()
                .filter(|level| !is_date || *level <= Level::Day)
                .map(|level| Self::Calendar { level, is_date })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the numbers of the grid values on either side of this value, or its own number twice
    /// if it is on the grid.
    pub(super) fn around(&self, value: &Value) -> Option<(i128, i128)> {
        let lower = match self {
            Self::Decades => {
                let value = value.as_f64()?;
                // In scientific notation, the magnitude of a number is its exponent.
                let text = format!("{:e}", value.abs().max(1.0));
                let (_, magnitude) = text.split_once('e')?;
                let magnitude: i128 = magnitude.parse().ok()?;
                if value < 1.0 {
                    -magnitude - 2
                } else {
                    magnitude
                }
            }
            Self::Decimals(decimals) => {
                let scale: f64 = format!("1e{decimals}").parse().ok()?;
                let scaled = value.as_f64()? * scale;
                if scaled.abs() > LARGEST {
                    return None;
                }
                scaled.floor() as i128
            }
            Self::Integers => value.as_number()?.as_i128()?,
            Self::Calendar { level, .. } => level.number(seconds(value)?).into(),
        };
        // Rounding may be off by one.
        let numbers = [lower - 1, lower, lower + 1];
        let on_grid = numbers
            .into_iter()
            .find(|it| self.value(*it).as_ref() == Some(value));
        Some(on_grid.map_or((lower, lower + 1), |number| (number, number)))
    }

    /// Returns the value with this number.
    pub(super) fn value(&self, number: i128) -> Option<Value> {
        let float = |text: String| {
            let value: f64 = text.parse().ok()?;
            value.is_finite().then(|| Value::from(value))
        };
        match self {
            Self::Decades if number < 0 => float(format!("-1e{}", -1 - number)),
            Self::Decades => float(format!("1e{number}")),
            Self::Decimals(decimals) => float(format!("{number}e-{decimals}")),
            Self::Integers => Some(Value::from(number)),
            Self::Calendar { level, is_date } => {
                let seconds = level.seconds(number.try_into().ok()?)?;
                let mut text = String::new();
                if *is_date {
                    calendar::write_date(&mut text, seconds.div_euclid(DAY));
                } else {
                    calendar::write_datetime(&mut text, seconds);
                }
                Some(Value::from(text))
            }
        }
    }
}

/// Returns the seconds since 1970 of a date or a time.
pub(super) fn seconds(value: &Value) -> Option<i64> {
    let text = value.as_str()?;
    match calendar::parse_date(text) {
        Ok(days) => Some(days * DAY),
        Err(_) => calendar::parse_datetime(text).ok(),
    }
}

/// Returns the absolute value of a negative number.
pub(super) fn negated(value: &Value) -> Option<Value> {
    let number: Number = value.as_number()?;
    match number.as_i128() {
        Some(integer) if !number.is_float() => (integer < 0).then(|| Value::from(-integer)),
        _ => {
            let float = number.as_f64();
            float.is_sign_negative().then(|| Value::from(-float))
        }
    }
}

/// Returns the number of decimals in a float's text.
pub(super) fn decimals(value: f64) -> u32 {
    let mut text = String::new();
    write_f64(&mut text, value);
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let exponent: i64 = exponent.parse().unwrap_or_default();
    let fraction = digits.split_once('.').map_or("", |(_, fraction)| fraction);
    let fraction = fraction.trim_end_matches('0').len() as i64;
    (fraction - exponent).max(0) as u32
}
