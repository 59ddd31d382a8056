//! Errors in a readable form: a few digits, a sign, a unit.

/// Formats a number with at most four significant digits, or all digits of a whole number.
///
/// ```
/// # use tdg_engine::text::amount;
/// assert_eq!(amount(-1.23456), "−1.235");
/// assert_eq!(amount(12345.0), "12345");
/// ```
#[must_use]
pub fn amount(amount: f64) -> String {
    if amount < 0.0 {
        format!("−{}", size(-amount))
    } else {
        size(amount.abs())
    }
}

fn size(amount: f64) -> String {
    if amount.fract() == 0.0 && amount < 1e15 {
        return format!("{amount:.0}");
    }
    match exponent(amount) {
        exponent @ -4..15 => {
            let decimals = usize::try_from(3 - exponent).unwrap_or_default();
            trim_zeros(&format!("{amount:.decimals$}"))
        }
        _ => {
            let text = format!("{amount:.2e}");
            match text.split_once('e') {
                Some((digits, exponent)) => format!("{}e{exponent}", trim_zeros(digits)),
                None => text,
            }
        }
    }
}

/// Formats a share in percent with two significant digits or one decimal, like `0.25 %`.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let size = percent.abs();
    if size >= 1e6 || (size < 1e-5 && size > 0.0) {
        format!("{percent:.1e} %")
    } else if size >= 100.0 {
        format!("{percent:.0} %")
    } else if size >= 1.0 || size == 0.0 {
        format!("{percent:.1} %")
    } else {
        let decimals = usize::try_from(1 - exponent(percent)).unwrap_or_default();
        format!("{percent:.decimals$} %")
    }
}

/// Formats a number with its sign, even if it is positive.
pub fn signed(number: f64, text: impl Fn(f64) -> String) -> String {
    let sign = if number < 0.0 { '−' } else { '+' };
    format!("{sign}{}", text(number.abs()))
}

/// Returns the decimal exponent after rounding to four digits.
fn exponent(number: f64) -> i32 {
    let text = format!("{number:.3e}");
    let exponent = text
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok());
    exponent.unwrap_or_default()
}

fn trim_zeros(decimals: &str) -> String {
    if decimals.contains('.') {
        decimals
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned()
    } else {
        decimals.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_four_significant_digits() {
        let cases = [
            (704.99 - 683.84, "21.15"),
            (8.02, "8.02"),
            (0.1 + 0.2 - 0.3, "5.55e-17"),
            (12_345.678, "12346"),
            (0.000_123_46, "0.0001235"),
            (0.000_012_345, "1.23e-5"),
            (0.99999, "1"),
            (3.0, "3"),
            (123_456_789.0, "123456789"),
            (1.5e300, "1.5e300"),
            (0.0, "0"),
            (-0.0, "0"),
            (-0.5, "−0.5"),
        ];
        for (number, expected) in cases {
            assert_eq!(amount(number), expected);
        }
    }

    #[test]
    fn percentages_are_short_at_every_size() {
        let cases = [
            (0.03, "3.0 %"),
            (0.333_333, "33.3 %"),
            (1.4, "140 %"),
            (0.0025, "0.25 %"),
            (0.000_031, "0.0031 %"),
            (0.000_001_24, "0.00012 %"),
            (1e-9, "1.0e-7 %"),
            (5e7, "5.0e9 %"),
        ];
        for (share, expected) in cases {
            assert_eq!(percent(share), expected);
        }
    }

    #[test]
    fn signs_are_always_there() {
        assert_eq!(signed(-21.15, amount), "−21.15");
        assert_eq!(signed(0.5, percent), "+50.0 %");
    }
}
