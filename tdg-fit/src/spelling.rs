//! Dates and times as people write them, which the definition language writes otherwise, or has no
//! type for.

use tdg_definition::calendar;

/// How a column of texts writes dates or times.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Spelling {
    /// `25/12/2021`, `12/25/2021` or `25.12.2021`, as days since 1970; 0 for null.
    Dates { order: &'static str, days: Vec<i64> },
    /// The same, with no day after the 12th.
    DatesOfEitherOrder,
    /// `22:14` or `22:14:28`.
    Times { have_seconds: bool },
}

impl Spelling {
    /// Of a column, whose nulls are `None`.
    pub(crate) fn of(texts: &[Option<&str>]) -> Option<Self> {
        times(texts).or_else(|| {
            let day_first = days(texts, |[day, month, year]| [year, month, day]);
            let month_first = days(texts, |[month, day, year]| [year, month, day]);
            match (day_first, month_first) {
                (Some(days), None) => Some(Self::Dates {
                    order: "day, month, year",
                    days,
                }),
                (None, Some(days)) => Some(Self::Dates {
                    order: "month, day, year",
                    days,
                }),
                (Some(_), Some(_)) => Some(Self::DatesOfEitherOrder),
                (None, None) => None,
            }
        })
    }

    /// The pattern of times of day.
    pub(crate) fn regex(&self) -> Option<&'static str> {
        match self {
            Self::Times { have_seconds: true } => {
                Some("(0[0-9]|1[0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")
            }
            Self::Times { .. } => Some("(0[0-9]|1[0-9]|2[0-3]):[0-5][0-9]"),
            _ => None,
        }
    }

    /// What to know of the column before its feature is used.
    pub(crate) fn note(&self, column: &str, distribution: &str) -> Option<String> {
        let what = match self {
            Self::Dates { order, .. } => format!(
                "dates in the order {order}; its feature is a DATE, whose rows are written as 2021-03-08"
            ),
            Self::DatesOfEitherOrder => {
                "dates whose order of day and month no row tells, so its feature is a STRING; write \
                 them as 2021-03-08, for a DATE"
                    .to_owned()
            }
            Self::Times { .. } if distribution == "pattern" => {
                "times of day, for which there is no type; a pattern draws them, evenings more often \
                 than other hours"
                    .to_owned()
            }
            Self::Times { .. } => return None,
        };
        Some(format!("column {column:?} has {what}"))
    }
}

/// The dates, if every text is one in that order.
fn days(texts: &[Option<&str>], order: fn([&str; 3]) -> [&str; 3]) -> Option<Vec<i64>> {
    let day = |text: &str| {
        let separator = text.chars().find(|it| !it.is_ascii_digit())?;
        let is_one = ['/', '.', '-'].contains(&separator);
        let mut parts = text.split(separator).filter(|_| is_one);
        let parts = [parts.next()?, parts.next()?, parts.next()?];
        let [year, month, day] = order(parts);
        let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
        if text.split(separator).count() != 3 || !parts.iter().all(is_number) {
            return None;
        }
        calendar::parse_date(&format!("{year}-{month:0>2}-{day:0>2}")).ok()
    };
    first(texts)?;
    let days = texts.iter().map(|text| text.map_or(Some(0), day));
    days.collect()
}

fn times(texts: &[Option<&str>]) -> Option<Spelling> {
    let is_below = |part: &str, most: u32| {
        part.len() == 2 && part.parse::<u32>().is_ok_and(|number| number < most)
    };
    let have_seconds = first(texts)?.len() > 5;
    let is_time = |text: &&str| {
        let parts: Vec<&str> = text.split(':').collect();
        match parts.as_slice() {
            [hour, minute] => !have_seconds && is_below(hour, 24) && is_below(minute, 60),
            [hour, minute, second] => {
                have_seconds && is_below(hour, 24) && is_below(minute, 60) && is_below(second, 60)
            }
            _ => false,
        }
    };
    let are_times = texts.iter().flatten().all(is_time);
    are_times.then_some(Spelling::Times { have_seconds })
}

/// The first text, if there is one.
fn first<'a>(texts: &[Option<&'a str>]) -> Option<&'a str> {
    texts.iter().flatten().next().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Option<Spelling> {
        let texts: Vec<_> = texts.iter().map(|&text| Some(text)).collect();
        Spelling::of(&texts)
    }

    #[test]
    fn a_day_after_the_12th_tells_the_order_of_dates() {
        let days = |order, days| Some(Spelling::Dates { order, days });
        let day_first = days("day, month, year", vec![18_986, 18_694]);
        assert_eq!(of(&["25/12/2021", "8/3/2021"]), day_first);
        assert_eq!(of(&["25.12.2021", "08.03.2021"]), day_first);
        assert_eq!(
            of(&["12/25/2021", "03/08/2021"]),
            days("month, day, year", vec![18_986, 18_694])
        );
        assert_eq!(
            of(&["08/03/2021", "09/03/2021"]),
            Some(Spelling::DatesOfEitherOrder)
        );
        for texts in [
            &["25/12/2021", "12/25/2021"][..],
            &["30/02/2021"],
            &["25/12/21"],
            &["1.2.3.4"],
            &["1/2/2021", "x"],
            &["+1/2/2021"],
        ] {
            assert_eq!(of(texts), None, "{texts:?}");
        }
    }

    #[test]
    fn times_of_day_have_a_pattern() {
        let times = |have_seconds| Some(Spelling::Times { have_seconds });
        assert_eq!(of(&["22:14", "00:59"]), times(false));
        assert_eq!(of(&["22:14:28", "00:59:59"]), times(true));
        for texts in [
            &["24:00"][..],
            &["22:60"],
            &["2:14"],
            &["22:14", "22:14:28"],
        ] {
            assert_eq!(of(texts), None, "{texts:?}");
        }
        assert_eq!(Spelling::of(&[None]), None);
    }
}
