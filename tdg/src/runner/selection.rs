//! `TDG_CASES`: which cases to run.

use super::invalid;
use crate::report::Invalid;

/// Reads `3,40..60` (60 excluded) for an ensemble of that size; sorted, each case once.
pub(super) fn parse_cases(text: &str, size: usize) -> Result<Vec<usize>, Invalid> {
    let mut cases = Vec::new();
    for part in text.split(',').map(str::trim) {
        let range = match part.split_once("..") {
            Some((start, end)) => number(start).zip(number(end)),
            None => number(part).map(|case| (case, case + 1)),
        };
        let Some((start, end)) = range.filter(|(start, end)| start < end) else {
            return Err(invalid(
                format!("TDG_CASES is {text:?}, where {part:?} is no case and no range of cases"),
                "write it like TDG_CASES=3,40..60 (60 excluded)",
            ));
        };
        if end > size {
            return Err(invalid(
                format!("TDG_CASES is {text:?}, but the cases are 0 to {}", size - 1),
                "run the one test whose case it is: TDG_CASES=… cargo test <its name>",
            ));
        }
        cases.extend(start..end);
    }
    cases.sort_unstable();
    cases.dedup();
    Ok(cases)
}

fn number(text: &str) -> Option<usize> {
    // Far beyond the largest size, far below an overflow.
    text.trim().parse().ok().filter(|&number| number < 1 << 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_and_ranges_are_sorted_and_taken_once() {
        assert_eq!(parse_cases("7, 3..6,4", 10).unwrap(), [3, 4, 5, 7]);
        assert_eq!(parse_cases("9", 10).unwrap(), [9]);
    }

    #[test]
    fn what_is_no_case_says_how_to_write_one() {
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
            let error = parse_cases(text, 10).unwrap_err();
            assert!(error.fix.contains("3,40..60"), "{text}: {error:?}");
        }
        let error = parse_cases("8..11", 10).unwrap_err();
        assert_eq!(
            error.reason,
            r#"TDG_CASES is "8..11", but the cases are 0 to 9"#
        );
    }
}
