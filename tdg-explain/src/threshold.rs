//! The roundest constant that separates two neighbouring values.

use std::cmp::Reverse;

use tdg_definition::calendar::date_of;
use tdg_definition::json::{Number, Value};

use super::attribute::Notation;

/// A constant between two neighbouring values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    pub(super) limit: Number,
    /// True if the lower value may equal the limit: `<=` and `>` rather than `<` and `>=`.
    pub(super) is_upper_open: bool,
}

impl Cut {
    /// Finds the roundest number in the closed interval from `below` to `above`, which differ. If
    /// some of the `constants`, which are in order, are in it, finds the roundest of these.
    pub(super) fn between(
        notation: Notation,
        below: Number,
        above: Number,
        constants: &[Value],
    ) -> Self {
        let of_time = |limit: i128| Self {
            limit: limit.into(),
            is_upper_open: false,
        };
        match (notation, below.as_i128(), above.as_i128()) {
            (Notation::Date, Some(below), Some(above)) => of_time(between_days(below, above)),
            (Notation::DateTime, Some(below), Some(above)) => {
                of_time(between_seconds(below, above))
            }
            _ => {
                let first = constants.partition_point(|constant| *constant < below.into());
                let numbers = constants[first..].iter().map_while(Value::as_number);
                let inside = numbers.take_while(|it| *it <= above);
                if let Some(limit) = inside.min_by_key(|it| roundness(*it)) {
                    return Self {
                        limit,
                        is_upper_open: limit < above,
                    };
                }
                let inside = between_numbers(below, above);
                let is_upper_open = roundness(inside) <= roundness(above);
                Self {
                    limit: if is_upper_open { inside } else { above },
                    is_upper_open,
                }
            }
        }
    }
}

/// Returns a key that is smaller for rounder numbers: fewer significant digits, more zeros.
fn roundness(number: Number) -> (usize, Reverse<usize>) {
    let Some(integer) = number.as_i128() else {
        return (digits(number), Reverse(0));
    };
    let text = integer.unsigned_abs().to_string();
    let significant = text.trim_end_matches('0').len();
    (significant, Reverse(text.len() - significant))
}

/// Returns the number of significant digits, which is 0 for 0.
pub(super) fn digits(number: Number) -> usize {
    let text = number.to_string();
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    digits.trim_end_matches('0').len()
}

/// Returns the number of digits of a constant, at most 3; for a time, its precision.
pub(super) fn class(notation: Notation, limit: Number) -> usize {
    let integer = limit.as_i128().unwrap_or_default();
    match notation {
        Notation::Date => class_of_day(integer),
        Notation::DateTime if integer % DAY == 0 => class_of_day(integer / DAY),
        Notation::DateTime => 3,
        _ => digits(limit).min(3),
    }
}

fn class_of_day(days: i128) -> usize {
    match date_of(days as i64) {
        (_, 1, 1) => 1,
        (_, _, 1) => 2,
        _ => 3,
    }
}

/// Returns a float `t` with `below <= t < above` and the fewest digits, nearest to the middle.
pub(super) fn between_floats(below: f64, above: f64) -> f64 {
    let separates = |t: f64| below <= t && t < above;
    if separates(0.0) {
        return 0.0;
    }
    // Halved first, since the sum of two large numbers could overflow.
    let middle = below / 2.0 + above / 2.0;
    for digits in 0..17 {
        // If the middle rounds up too far, `below` may still round to a number in between.
        for number in [middle, below] {
            if let Ok(rounded) = format!("{number:.digits$e}").parse()
                && separates(rounded)
            {
                return rounded;
            }
        }
    }
    below
}

/// Returns an integer `t` with `below <= t < above` and the most trailing zeros, nearest to the
/// middle.
pub(super) fn between_integers(below: i128, above: i128) -> i128 {
    // The largest separating integer is `above - 1`.
    let middle = below + (above - 1 - below) / 2;
    for zeros in (0..20).rev() {
        let step = 10_i128.pow(zeros);
        let down = middle.div_euclid(step) * step;
        let nearest = if 2 * (middle - down) <= step {
            down
        } else {
            down + step
        };
        if below <= nearest && nearest < above {
            return nearest;
        }
    }
    below
}

/// Returns a threshold between numbers; an integer between integers.
pub(super) fn between_numbers(below: Number, above: Number) -> Number {
    match (below.as_i128(), above.as_i128()) {
        (Some(low), Some(high)) if !below.is_float() => between_integers(low, high).into(),
        _ => between_floats(below.as_f64(), above.as_f64()).into(),
    }
}

const DAY: i128 = 86_400;

/// Returns a day `t` with `below < t <= above`: the first of a year or a month, or `above`.
fn between_days(below: i128, above: i128) -> i128 {
    let (_, month, day) = date_of(above as i64);
    let of_month = above - i128::from(day - 1);
    // Goes back to January, month by month.
    let mut of_year = of_month;
    for _ in 1..month {
        of_year -= i128::from(date_of(of_year as i64 - 1).2);
    }
    [of_year, of_month]
        .into_iter()
        .find(|first| *first > below)
        .unwrap_or(above)
}

/// Returns a second `t` likewise: midnight, a full hour or minute, or else `above`.
fn between_seconds(below: i128, above: i128) -> i128 {
    if above.div_euclid(DAY) * DAY > below {
        return between_days(below.div_euclid(DAY), above.div_euclid(DAY)) * DAY;
    }
    let unit = [3600, 60, 1]
        .into_iter()
        .find(|unit| above.div_euclid(*unit) * unit > below);
    let unit = unit.unwrap_or(1);
    above.div_euclid(unit) * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::calendar;

    #[test]
    fn a_float_threshold_has_as_few_digits_as_separate() {
        let cases = [
            (24.93, 25.21, 25.0),
            (17.6, 18.3, 18.0),
            (0.1, 0.2, 0.1),
            (0.1, 0.19, 0.1),
            (1.24, 1.26, 1.25),
            (-3.2, 4.0, 0.0),
            (-0.5, -0.25, -0.4),
            (99.6, 100.2, 100.0),
            (1e300, 1.7e308, 9e307),
            (1.0, 1.0_f64.next_up(), 1.0),
            (5e-324, 1e-323, 5e-324),
        ];
        for (below, above, expected) in cases {
            let found = between_floats(below, above);
            assert_eq!(found, expected, "{below} {above}");
        }
    }

    #[test]
    fn a_constant_of_the_code_is_preferred() {
        let between = |below: i64, above: i64| {
            let constants = [7, 30_000, 32_000].map(Value::from);
            let cut = Cut::between(Notation::Number, below.into(), above.into(), &constants);
            (cut.limit.to_string(), cut.is_upper_open)
        };
        assert_eq!(between(28_750, 41_000), ("30000".to_owned(), true));
        assert_eq!(between(31_000, 32_000), ("32000".to_owned(), false));
        assert_eq!(between(7, 8), ("7".to_owned(), true));
        assert_eq!(between(8, 12), ("10".to_owned(), true));
    }

    #[test]
    fn an_integer_threshold_is_as_round_as_it_can_be() {
        let cases = [
            (10, 11, 10),
            (97, 112, 100),
            (12, 20, 15),
            (-3, 4, 0),
            (-7, -6, -7),
            (1999, 2051, 2000),
            (i128::from(i64::MIN), i128::from(u64::MAX), 0),
        ];
        for (below, above, expected) in cases {
            assert_eq!(between_integers(below, above), expected, "{below} {above}");
        }
    }

    fn days(below: &str, above: &str) -> String {
        let day = |text| i128::from(calendar::parse_date(text).unwrap());
        let mut text = String::new();
        calendar::write_date(&mut text, between_days(day(below), day(above)) as i64);
        text
    }

    fn seconds(below: &str, above: &str) -> String {
        let second = |text| i128::from(calendar::parse_datetime(text).unwrap());
        let mut text = String::new();
        calendar::write_datetime(
            &mut text,
            between_seconds(second(below), second(above)) as i64,
        );
        text
    }

    #[test]
    fn a_day_is_the_first_of_a_year_or_month_if_it_can_be() {
        assert_eq!(days("2023-11-30", "2024-02-03"), "2024-01-01");
        assert_eq!(days("2024-01-30", "2024-02-03"), "2024-02-01");
        assert_eq!(days("2024-02-01", "2024-02-03"), "2024-02-03");
        assert_eq!(days("2023-12-31", "2024-01-01"), "2024-01-01");
    }

    #[test]
    fn a_time_is_as_round_as_it_can_be() {
        assert_eq!(
            seconds("2023-11-30T10:00:00Z", "2024-02-03T00:00:01Z"),
            "2024-01-01T00:00:00Z"
        );
        assert_eq!(
            seconds("2024-02-03T23:59:59Z", "2024-02-04T00:00:00Z"),
            "2024-02-04T00:00:00Z"
        );
        assert_eq!(
            seconds("2024-02-03T00:00:00Z", "2024-02-04T09:00:00Z"),
            "2024-02-04T00:00:00Z"
        );
        assert_eq!(
            seconds("2024-02-03T07:12:31Z", "2024-02-03T09:45:00Z"),
            "2024-02-03T09:00:00Z"
        );
        assert_eq!(
            seconds("2024-02-03T09:12:31Z", "2024-02-03T09:45:20Z"),
            "2024-02-03T09:45:00Z"
        );
        assert_eq!(
            seconds("2024-02-03T09:45:31Z", "2024-02-03T09:45:40Z"),
            "2024-02-03T09:45:40Z"
        );
    }
}
