//! Times of day, for which the definition language has no type.

/// A column of times such as `22:14` or `22:14:28`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimesOfDay {
    have_seconds: bool,
}

impl TimesOfDay {
    /// Detects the format of a column's texts, in which `None` is null.
    pub(crate) fn parse(texts: &[Option<&str>]) -> Option<Self> {
        let have_seconds = texts.iter().flatten().next()?.len() > 5;
        let is_below = |(part, limit): (&str, u32)| {
            part.len() == 2 && part.parse::<u32>().is_ok_and(|number| number < limit)
        };
        let parts = 2 + usize::from(have_seconds);
        let is_time = |text: &&str| {
            text.split(':').count() == parts && text.split(':').zip([24, 60, 60]).all(is_below)
        };
        let are_times = texts.iter().flatten().all(is_time);
        are_times.then_some(Self { have_seconds })
    }

    /// Returns the pattern that draws such times.
    pub(crate) fn regex(self) -> &'static str {
        match self.have_seconds {
            true => "(0[0-9]|1[0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]",
            false => "(0[0-9]|1[0-9]|2[0-3]):[0-5][0-9]",
        }
    }

    /// Returns a note about the column, if it is drawn by the pattern.
    pub(crate) fn note(self, column: &str, distribution: &str) -> Option<String> {
        (distribution == "pattern").then(|| {
            format!(
                "column {column:?} has times of day, for which there is no type; a pattern draws \
                 them, evenings more often than other hours"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_have_hours_and_minutes_of_two_digits() {
        let of = |texts: &[&'static str]| {
            let texts: Vec<_> = texts.iter().map(|text| Some(*text)).collect();
            TimesOfDay::parse(&texts).map(|times| times.have_seconds)
        };
        assert_eq!(of(&["22:14", "00:59"]), Some(false));
        assert_eq!(of(&["22:14:28", "00:59:59"]), Some(true));
        for texts in [
            &["24:00"][..],
            &["22:60"],
            &["2:14"],
            &["22:14", "22:14:28"],
            &[],
        ] {
            assert_eq!(of(texts), None, "{texts:?}");
        }
    }
}
