//! The shortest text that separates two neighbouring values.

use tdg_definition::calendar;
use tdg_definition::json::Number;

/// A float `t` with `below <= t < above` and the fewest digits; of those the nearest to the
/// middle.
pub(super) fn between_floats(below: f64, above: f64) -> f64 {
    let separates = |t: f64| below <= t && t < above;
    if separates(0.0) {
        return 0.0;
    }
    // Halved first: the sum of two large numbers could overflow.
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

/// An integer `t` with `below <= t < above` and the most trailing zeros; of those the nearest to
/// the middle.
pub(super) fn between_integers(below: i128, above: i128) -> i128 {
    // The largest integer that separates is `above - 1`.
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

/// A threshold between numbers; between integers an integer.
pub(super) fn between_numbers(below: Number, above: Number) -> Number {
    match (below.as_i128(), above.as_i128()) {
        (Some(low), Some(high)) if !below.is_float() => between_integers(low, high).into(),
        _ => between_floats(below.as_f64(), above.as_f64()).into(),
    }
}

/// The day `t` with `below < t <= above`: the first of a year, or of a month, or else `above`.
pub(super) fn between_days(below: i64, above: i64) -> String {
    let (below, above) = (date(below), date(above));
    // As text: the longest prefix of `above` whose first day is still after `below`.
    for (kept, rest) in [(4, "-01-01"), (7, "-01")] {
        let first = format!("{}{rest}", &above[..kept]);
        if first > below {
            return first;
        }
    }
    above
}

/// The same for seconds: midnight, or a full hour, or a minute, or else `above`.
pub(super) fn between_seconds(below: i64, above: i64) -> String {
    const DAY: i64 = 86_400;
    if above.div_euclid(DAY) * DAY > below {
        return between_days(below.div_euclid(DAY), above.div_euclid(DAY));
    }
    let unit = [3600, 60, 1]
        .into_iter()
        .find(|unit| above.div_euclid(*unit) * unit > below);
    let unit = unit.unwrap_or(1);
    let mut text = String::new();
    calendar::write_datetime(&mut text, above.div_euclid(unit) * unit);
    text
}

fn date(days: i64) -> String {
    let mut text = String::new();
    calendar::write_date(&mut text, days);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let day = |text| calendar::parse_date(text).unwrap();
        between_days(day(below), day(above))
    }

    fn seconds(below: &str, above: &str) -> String {
        let second = |text| calendar::parse_datetime(text).unwrap();
        between_seconds(second(below), second(above))
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
            "2024-01-01"
        );
        assert_eq!(
            seconds("2024-02-03T23:59:59Z", "2024-02-04T00:00:00Z"),
            "2024-02-04"
        );
        assert_eq!(
            seconds("2024-02-03T00:00:00Z", "2024-02-04T09:00:00Z"),
            "2024-02-04"
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
