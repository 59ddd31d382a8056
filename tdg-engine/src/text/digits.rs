//! Floats with as many digits as a reader needs.

/// The significant digits of a float, unless more are needed.
const DIGITS: usize = 8;
/// The digits that distinguish any two floats.
const ALL_DIGITS: usize = 17;

/// Rounds a float to eight significant digits, or returns it in full if that isn't longer.
pub fn rounded(float: f64) -> String {
    significant(float, DIGITS)
}

/// Formats two floats with enough digits to show a difference.
pub fn rounded_apart(left: f64, right: f64) -> (String, String) {
    let pair = |digits| (significant(left, digits), significant(right, digits));
    let read = |text: &str| text.parse::<f64>().ok();
    let apart = (DIGITS..ALL_DIGITS)
        .map(pair)
        .find(|(left, right)| read(left) != read(right));
    apart.unwrap_or_else(|| pair(ALL_DIGITS))
}

/// Formats a float with at most this many significant digits, without an exponent where readable.
fn significant(float: f64, digits: usize) -> String {
    let full = tdg_definition::json::Number::from(float).to_string();
    let scientific = format!("{float:.*e}", digits - 1);
    let exponent = scientific
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    let rounded = match exponent {
        Some(exponent @ -4..15) => {
            let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
            format!("{float:.decimals$}")
        }
        _ => scientific,
    };
    // A whole number keeps its digits: 1234567 rather than 1.23457e6.
    if rounded.len() < full.len() && float.is_finite() {
        rounded
    } else {
        full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_is_shown_with_eight_digits() {
        assert_eq!(rounded(30.59666844801548), "30.596668");
        assert_eq!(rounded(101_863.874_512_3), "101863.87");
        assert_eq!(rounded(0.000123456789123), "0.00012345679");
        assert_eq!(rounded(123_456_789.125), "123456789");
        assert_eq!(rounded(1.5), "1.5");
        assert_eq!(rounded(-0.0), "-0.0");
        assert_eq!(rounded(1.234567890123e-7), "1.2345679e-7");
        assert_eq!(rounded(1e300), "1e300");
    }

    #[test]
    fn two_floats_are_shown_so_that_they_differ() {
        let shown = |left, right| {
            let (left, right) = rounded_apart(left, right);
            format!("{left} {right}")
        };
        assert_eq!(
            shown(305.96668448015475, 152.98334224007738),
            "305.96668 152.98334"
        );
        assert_eq!(shown(10.000000123, 10.000000126), "10.00000012 10.00000013");
        assert_eq!(shown(0.1, 0.1_f64.next_up()), "0.1 0.10000000000000002");
        assert_eq!(shown(6.000000000000003, 6.0), "6.000000000000003 6.0");
        assert_eq!(shown(1e300, 2e300), "1e300 2e300");
    }
}
