//! Selections of cases.

use tdg_definition::sort;

use super::error::ConfigError;

/// Parses `3,40..60` (60 excluded) for an ensemble of `size` cases; sorted, without duplicates.
/// `name` is the source of the text in messages: `TDG_CASES`.
///
/// ```
/// let cases = tdg_engine::config::parse_cases("TDG_CASES", "40..43,3", 100)?;
/// assert_eq!(cases, [3, 40, 41, 42]);
/// # Ok::<(), tdg_engine::config::ConfigError>(())
/// ```
///
/// # Errors
/// If it is not a list of cases, or the ensemble has fewer.
pub fn parse_cases(name: &str, text: &str, size: usize) -> Result<Vec<usize>, ConfigError> {
    let mut ranges = Vec::new();
    for part in text.split(',').map(str::trim) {
        let range = match part.split_once("..") {
            Some((start, end)) => number(start).zip(number(end)),
            None => number(part).map(|case| (case, case + 1)),
        };
        let Some((start, end)) = range.filter(|(start, end)| start < end) else {
            return Err(ConfigError::new(format!(
                "{name} is {text:?}, where {part:?} is not a case or a range of cases; write it like \
                 {name}=3,40..60 (60 excluded)"
            )));
        };
        if end > size {
            return Err(ConfigError::new(format!(
                "{name} is {text:?}, but this test has the cases 0 to {}",
                size.saturating_sub(1)
            )));
        }
        ranges.push((start, end));
    }
    sort::by(&mut ranges, Ord::cmp);
    let mut cases = Vec::new();
    for (start, end) in ranges {
        let next = cases.last().map_or(0, |last| last + 1);
        cases.extend(start.max(next)..end);
    }
    Ok(cases)
}

fn number(text: &str) -> Option<usize> {
    // Far above the largest size, and far below an overflow.
    text.trim().parse().ok().filter(|&number| number < 1 << 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_and_ranges_are_sorted_and_deduplicated() {
        assert_eq!(
            parse_cases("TDG_CASES", "7, 3..6,4", 10).unwrap(),
            [3, 4, 5, 7]
        );
        assert_eq!(parse_cases("TDG_CASES", "9", 10).unwrap(), [9]);
    }

    #[test]
    fn an_invalid_case_is_refused_with_an_example() {
        for text in [
            "",
            "x",
            "3..",
            "5..5",
            "6..3",
            "-1",
            "99999999999999999999",
            "0..10,,",
        ] {
            let error = parse_cases("TDG_CASES", text, 10).unwrap_err();
            assert!(error.to_string().contains("3,40..60"), "{text}: {error}");
        }
        let error = parse_cases("--cases", "8..11", 10).unwrap_err();
        insta::assert_snapshot!(error, @r#"--cases is "8..11", but this test has the cases 0 to 9"#);
    }
}
