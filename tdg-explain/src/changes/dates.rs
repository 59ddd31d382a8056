//! Shifted dates, times and ISO weeks in texts.

use tdg_definition::calendar;

use super::pairs::{Pairs, PatternCandidate, most_frequent};
use super::{ChangePattern, Unit};

const UNITS: [(i64, Unit); 5] = [
    (7 * DAY, Unit::Week),
    (DAY, Unit::Day),
    (3600, Unit::Hour),
    (60, Unit::Minute),
    (1, Unit::Second),
];
const DAY: i64 = 86_400;

/// A text with a date, a time or a week.
#[derive(PartialEq)]
struct DatedText<'t> {
    seconds: i64,
    /// True if the text has a day rather than only a week.
    has_day: bool,
    /// The rest of the text, such as a fraction or a time zone.
    rest: &'t str,
}

/// Finds patterns such as `one day later`.
pub(super) fn moved<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let both = |left: usize, right: usize| {
        let (expected, actual) = pairs.texts(left, right)?;
        let (expected, actual) = (DatedText::parse(expected)?, DatedText::parse(actual)?);
        let are_alike = (expected.has_day, expected.rest) == (actual.has_day, actual.rest);
        are_alike.then_some((expected, actual))
    };
    let own = pairs.sample.iter().filter_map(|index| both(*index, *index));
    let own: Vec<(DatedText<'_>, DatedText<'_>)> = own.collect();
    if 2 * own.len() < pairs.sample.len() {
        return Vec::new();
    }
    let mut candidates = Vec::new();
    let months = own.iter().filter_map(|(left, right)| left.months_to(right));
    if let Some(months) = most_frequent(months.collect()).filter(|it| *it != 0) {
        let pattern = match months % 12 {
            0 => ChangePattern::Later(months / 12, Unit::Year),
            _ => ChangePattern::Later(months, Unit::Month),
        };
        candidates.push(PatternCandidate {
            fitted: 1,
            ..PatternCandidate::from_values(pattern, both, move |left, right| {
                left.months_to(&right) == Some(months)
            })
        });
    }
    let seconds = own.iter().map(|(left, right)| right.seconds - left.seconds);
    if let Some(seconds) = most_frequent(seconds.collect()).filter(|it| *it != 0) {
        let unit = UNITS.iter().find(|(unit, _)| seconds % unit == 0);
        candidates.extend(unit.map(|(length, unit)| {
            let pattern = ChangePattern::Later(seconds / length, *unit);
            PatternCandidate {
                fitted: 1,
                ..PatternCandidate::from_values(pattern, both, move |left, right| {
                    right.seconds - left.seconds == seconds
                })
            }
        }));
    }
    candidates
}

impl<'t> DatedText<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        if let Some((year, week)) = text.split_once("-W") {
            return Self::of_week(year, week);
        }
        let days = calendar::parse_date(text.get(..10)?).ok()?;
        let (seconds, rest) = time(text.get(10..)?);
        Some(Self {
            seconds: days * DAY + seconds,
            has_day: true,
            rest,
        })
    }

    /// Parses `2020-W05` or `2020-W05-1`.
    fn of_week(year: &str, week: &'t str) -> Option<Self> {
        let fourth = calendar::parse_date(&format!("{year}-01-04")).ok()?;
        // January 4 is always in the first week; the epoch was a Thursday.
        let monday = fourth - (fourth + 3).rem_euclid(7);
        let (number, day) = match week.split_once('-') {
            Some((number, day)) => (number, Some(day.parse::<i64>().ok()?)),
            None => (week, None),
        };
        let number: i64 = number
            .parse()
            .ok()
            .filter(|number| (1..=53).contains(number))?;
        let days = monday + 7 * (number - 1) + day.unwrap_or(1) - 1;
        Some(Self {
            seconds: days * DAY,
            has_day: day.is_some(),
            rest: "",
        })
    }

    /// Returns the months to the same day of another month, or to its last day.
    fn months_to(&self, other: &Self) -> Option<i64> {
        let date = |moment: &Self| calendar::date_of(moment.seconds.div_euclid(DAY));
        let (year, month, day) = date(self);
        let (other_year, other_month, other_day) = date(other);
        let is_last = || {
            let (_, _, next) = calendar::date_of(other.seconds.div_euclid(DAY) + 1);
            next == 1
        };
        let is_same_day = day == other_day || other_day < day && is_last();
        let is_same_time = self.seconds.rem_euclid(DAY) == other.seconds.rem_euclid(DAY);
        let months = 12 * (other_year - year) + other_month - month;
        (self.has_day && is_same_day && is_same_time).then_some(months)
    }
}

/// Returns the seconds of `T22:14` or ` 22:14:28`, and the rest of the text.
fn time(text: &str) -> (i64, &str) {
    let Some(clock) = text.strip_prefix(['T', ' ']) else {
        return (0, text);
    };
    let (mut seconds, mut rest) = (0, clock);
    for (unit, index) in [(3600, 0), (60, 1), (1, 2)] {
        let digits = match index {
            0 => Some(rest),
            _ => rest.strip_prefix(':'),
        };
        let number = digits.and_then(|digits| digits.get(..2)?.parse::<i64>().ok());
        let (Some(digits), Some(number)) = (digits, number) else {
            return if index > 1 {
                (seconds, rest)
            } else {
                (0, text)
            };
        };
        seconds += unit * number;
        rest = &digits[2..];
    }
    (seconds, rest)
}
