//! Canonical text: compact, keys sorted, one notation for each value.

use std::fmt::Write;

use super::number::{Repr, Wide};
use super::scan::plain_length;
use super::{FLOAT_KEY, Number, Value};

/// Appends a value without white space, with sorted keys, numbers as written by [`write_number`],
/// and strings as written by [`write_str`].
///
/// ```
/// use tdg_definition::json::{Value, write_value};
///
/// let mut text = String::from("[");
/// write_value(&mut text, &Value::from(vec![Value::from(1.0), Value::Null]));
/// assert_eq!(text, "[[1.0,null]");
/// ```
pub fn write_value(text: &mut String, value: &Value) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => write_number(text, *number),
        Value::String(string) => write_str(text, string),
        Value::Array(elements) => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_value(text, element);
            }
            text.push(']');
        }
        Value::Object(entries) => {
            text.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_str(text, key);
                text.push(':');
                write_value(text, value);
            }
            text.push('}');
        }
    }
}

/// Appends a number: integers as plain digits, floats as written by [`write_f64`].
pub fn write_number(text: &mut String, number: Number) {
    match number.repr() {
        Repr::Integer(Wide(integer)) => match i64::try_from(integer) {
            Ok(integer) => write_i64(text, integer),
            Err(_) => text.push_str(itoa::Buffer::new().format(integer)),
        },
        Repr::Large(Wide(integer)) => text.push_str(itoa::Buffer::new().format(integer)),
        Repr::Float(float, _) => write_f64(text, float),
    }
}

/// Appends an integer.
pub fn write_i64(text: &mut String, integer: i64) {
    text.push_str(itoa::Buffer::new().format(integer));
}

/// Appends an integer.
pub fn write_u64(text: &mut String, integer: u64) {
    text.push_str(itoa::Buffer::new().format(integer));
}

/// Appends a float with the fewest digits that read back as the same float.
///
/// Floats from 10⁻⁵ to below 10¹⁶ are decimals with at least one digit on both sides of the point
/// (`1.0`, `0.00001`). Others have an exponent (`1e16`, `-2.5e-7`) without `+` or leading zeros,
/// and a point only before digits. A float therefore never looks like an integer. Zero is `0.0` or
/// `-0.0`. NaN and the infinities are `{"$float":"NaN"}`, `{"$float":"Infinity"}` and
/// `{"$float":"-Infinity"}`.
///
/// ```
/// use tdg_definition::json::write_f64;
///
/// let mut text = String::new();
/// write_f64(&mut text, 1e16);
/// assert_eq!(text, "1e16");
/// ```
pub fn write_f64(text: &mut String, float: f64) {
    if !float.is_finite() {
        let name = non_finite_name(float);
        text.push_str("{\"");
        text.push_str(FLOAT_KEY);
        text.push_str("\":\"");
        text.push_str(name);
        text.push_str("\"}");
        return;
    }
    // The standard library is optimized in dev builds too.
    if cfg!(debug_assertions) && has_one_shortest(float) {
        write_by_std(text, float);
    } else {
        write_shortest(text, float);
    }
}

fn write_shortest(text: &mut String, float: f64) {
    let mut buffer = zmij::Buffer::new();
    let shortest = buffer.format_finite(float);
    let magnitude = float.abs();
    let in_decimals = magnitude == 0.0 || (1e-5..1e16).contains(&magnitude);
    if in_decimals && is_decimal(shortest.as_bytes()) {
        text.push_str(shortest);
    } else {
        write_digits(text, shortest, in_decimals);
    }
}

/// Returns true if a float needs no exponent and has the same shortest text in every library.
///
/// Libraries may differ if two shortest texts are equally near. Such a float has one digit more
/// than those texts, so at most 18. A float with more than 25 binary places has at least 19.
fn has_one_shortest(float: f64) -> bool {
    const MANTISSA_BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = float.to_bits();
    let exponent = (bits >> MANTISSA_BITS) as i32 & 0x7ff;
    let mantissa = bits & ((1 << MANTISSA_BITS) - 1) | 1 << MANTISSA_BITS;
    // The float is the mantissa times two to the power of the exponent minus 1075.
    let places = 1075 - exponent - mantissa.trailing_zeros() as i32;
    places > 25 && (1e-5..1e15).contains(&float.abs())
}

/// Appends a float that has a fraction and needs no exponent.
fn write_by_std(text: &mut String, float: f64) {
    // Writing to a `String` can't fail.
    let _ = write!(text, "{float}");
}

fn non_finite_name(float: f64) -> &'static str {
    if float.is_nan() {
        "NaN"
    } else if float > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    }
}

/// Returns the float with this name, as written by [`write_f64`].
pub(super) fn non_finite(name: &str) -> Option<f64> {
    match name {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// Returns true if the text is a decimal with a point, as most are, and can be used as is.
fn is_decimal(shortest: &[u8]) -> bool {
    let mut point = 0;
    while point < shortest.len() && matches!(shortest[point], b'-' | b'0'..=b'9') {
        point += 1;
    }
    // An exponent is at most `e-308` long.
    let mut end = shortest.len().saturating_sub(5);
    while end < shortest.len() {
        if shortest[end] == b'e' {
            return false;
        }
        end += 1;
    }
    point < shortest.len() && shortest[point] == b'.'
}

/// Rewrites the shortest digits in our notation. The notation of the crate that computes them has
/// changed between releases, but committed text must not change.
#[cold]
fn write_digits(text: &mut String, shortest: &str, in_decimals: bool) {
    let (sign, unsigned) = match shortest.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", shortest),
    };
    let (mantissa, exponent) = unsigned.split_once('e').unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // `str::parse` accepts plus signs and leading zeros.
    let exponent: i32 = exponent.parse().unwrap_or_default();

    let all = [whole, fraction].concat();
    let significant = all.trim_start_matches('0');
    let leading_zeros = all.len() - significant.len();
    let digits = significant.trim_end_matches('0');
    // The value is 0.digits × 10^point.
    let point = whole.len() as i32 - leading_zeros as i32 + exponent;

    text.push_str(sign);
    if digits.is_empty() {
        text.push_str("0.0");
    } else if in_decimals {
        write_decimals(text, digits, point);
    } else {
        let (first, rest) = digits.split_at(1);
        text.push_str(first);
        if !rest.is_empty() {
            text.push('.');
            text.push_str(rest);
        }
        text.push('e');
        write_i64(text, i64::from(point - 1));
    }
}

fn write_decimals(text: &mut String, digits: &str, point: i32) {
    let count = digits.len() as i32;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    if point <= 0 {
        text.push_str("0.");
        text.push_str(&zeros(-point));
        text.push_str(digits);
    } else if point >= count {
        text.push_str(digits);
        text.push_str(&zeros(point - count));
        text.push_str(".0");
    } else {
        let (whole, fraction) = digits.split_at(point as usize);
        text.push_str(whole);
        text.push('.');
        text.push_str(fraction);
    }
}

/// Appends a string in quotes. Escapes are used for `"`, `\` and control characters (`\n`, `\t`,
/// `\r`, `\b`, `\f`, otherwise `\u001f`); everything else stays as it is.
///
/// ```
/// let mut text = String::new();
/// tdg_definition::json::write_str(&mut text, "12 \"€\"\n");
/// assert_eq!(text, r#""12 \"€\"\n""#);
/// ```
pub fn write_str(text: &mut String, string: &str) {
    text.push('"');
    let mut rest = string;
    loop {
        let (plain, special) = rest.split_at(plain_length(rest.as_bytes()));
        text.push_str(plain);
        let Some(&byte) = special.as_bytes().first() else {
            break;
        };
        write_escape(text, byte);
        rest = &special[1..];
    }
    text.push('"');
}

fn write_escape(text: &mut String, byte: u8) {
    match byte {
        b'"' => text.push_str("\\\""),
        b'\\' => text.push_str("\\\\"),
        b'\n' => text.push_str("\\n"),
        b'\t' => text.push_str("\\t"),
        b'\r' => text.push_str("\\r"),
        0x08 => text.push_str("\\b"),
        0x0c => text.push_str("\\f"),
        _ => {
            const HEX: &[u8; 16] = b"0123456789abcdef";
            text.push_str("\\u00");
            text.push(char::from(HEX[usize::from(byte >> 4)]));
            text.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn float_text(float: f64) -> String {
        let mut text = String::new();
        write_f64(&mut text, float);
        text
    }

    #[test]
    fn floats_have_one_notation() {
        let golden = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-1.5, "-1.5"),
            (0.1, "0.1"),
            (100.0, "100.0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (0.001, "0.001"),
            (0.00001, "0.00001"),
            (0.000012345, "0.000012345"),
            (0.0000099, "9.9e-6"),
            (1e-6, "1e-6"),
            (-2.5e-7, "-2.5e-7"),
            (1234567890123456.0, "1234567890123456.0"),
            (9999999999999998.0, "9999999999999998.0"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e16"),
            (1.2345678901234568e16, "1.2345678901234568e16"),
            (9007199254740993.0, "9007199254740992.0"),
            (1e21, "1e21"),
            (1e100, "1e100"),
            (1.5e300, "1.5e300"),
            (f64::MAX, "1.7976931348623157e308"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
            (5e-324, "5e-324"),
            (f64::NAN, r#"{"$float":"NaN"}"#),
            (f64::INFINITY, r#"{"$float":"Infinity"}"#),
            (f64::NEG_INFINITY, r#"{"$float":"-Infinity"}"#),
        ];
        for (float, expected) in golden {
            assert_eq!(float_text(float), expected);
        }
    }

    fn power_of_two(exponent: i32) -> f64 {
        f64::from_bits(((1023 + exponent) as u64) << 52)
    }

    #[test]
    fn a_float_with_few_binary_places_may_have_two_shortest_texts() {
        assert!(!has_one_shortest(power_of_two(-25) + 1.0));
        assert!(has_one_shortest(power_of_two(-26) + 1.0));
        for float in [1.5, 1e14, 1e-6, 0.0, 1e15 + 0.125] {
            assert!(!has_one_shortest(float), "{float}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Odd numbers of any length over a power of two, from 2^-16 on.
        #[test]
        fn the_text_does_not_depend_on_the_library(
            (odd, places) in (11..=53_u32).prop_flat_map(|length| {
                let odd = any::<u64>().prop_map(move |odd| odd >> (64 - length) | 1 << (length - 1) | 1);
                (odd, 26..=length.cast_signed() + 15)
            }),
            negative: bool,
        ) {
            let magnitude = odd as f64 * power_of_two(-places);
            let float = if negative { -magnitude } else { magnitude };
            prop_assert!(has_one_shortest(float));
            let [mut ours, mut theirs] = [String::new(), String::new()];
            write_shortest(&mut ours, float);
            write_by_std(&mut theirs, float);
            prop_assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn the_notation_does_not_depend_on_the_one_that_the_digits_come_in() {
        let in_ours = |shortest: &str, in_decimals| {
            let mut text = String::new();
            write_digits(&mut text, shortest, in_decimals);
            text
        };
        for shortest in [
            "1e16",
            "1e+16",
            "1.0e16",
            "1.0E16".to_lowercase().as_str(),
            "10000000000000000",
            "10000000000000000.0",
        ] {
            assert_eq!(in_ours(shortest, false), "1e16");
        }
        for shortest in ["-2.5e-7", "-2.5e-07", "-0.00000025", "-25e-8"] {
            assert_eq!(in_ours(shortest, false), "-2.5e-7");
        }
        for shortest in ["0.00001", "1e-5", "1e-05", "1.0e-5"] {
            assert_eq!(in_ours(shortest, true), "0.00001");
        }
        for shortest in ["120", "120.0", "1.2e2", "1.2e+02"] {
            assert_eq!(in_ours(shortest, true), "120.0");
        }
        for shortest in ["12.5", "1.25e1"] {
            assert_eq!(in_ours(shortest, true), "12.5");
        }
        for shortest in ["-0", "-0.0", "-0e0"] {
            assert_eq!(in_ours(shortest, true), "-0.0");
        }
    }

    #[test]
    fn integers_are_exact() {
        assert_eq!(Number::from(u128::MAX).to_string(), u128::MAX.to_string());
        assert_eq!(Number::from(i128::MIN).to_string(), i128::MIN.to_string());
        assert_eq!(Number::from(u64::MAX).to_string(), u64::MAX.to_string());
        assert_eq!(Number::from(-7).to_string(), "-7");
    }

    #[test]
    fn strings_are_escaped_only_where_they_must_be() {
        let mut text = String::new();
        write_str(
            &mut text,
            "a\"b\\c/\n\t\r\u{8}\u{c}\0\u{1f}\u{7f}é\u{2028}🦀",
        );
        assert_eq!(
            text,
            "\"a\\\"b\\\\c/\\n\\t\\r\\b\\f\\u0000\\u001f\u{7f}é\u{2028}🦀\""
        );
    }
}
