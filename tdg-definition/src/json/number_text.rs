//! The grammar of numbers, and their exact values.

use super::Number;

/// The text of a number, scanned.
pub(super) struct NumberText<'a> {
    pub(super) text: &'a str,
    /// The ends of the digits before and after the point.
    whole_end: usize,
    fraction_end: usize,
}

/// Reads an integer of at most 18 digits without a point or exponent, which nearly all are, and
/// returns it with its end. [`NumberText`] reads all other numbers and reports errors.
#[inline]
pub(super) fn plain_integer(bytes: &[u8], start: usize) -> Option<(i64, usize)> {
    let mut at = start;
    let negative = at < bytes.len() && bytes[at] == b'-';
    if negative {
        at += 1;
    }
    let first = at;
    let mut magnitude = 0_i64;
    while at < bytes.len() && bytes[at] >= b'0' && bytes[at] <= b'9' {
        if at - first == 18 {
            return None;
        }
        magnitude = magnitude * 10 + (bytes[at] - b'0') as i64;
        at += 1;
    }
    let digits = at - first;
    if digits == 0 || digits > 1 && bytes[first] == b'0' {
        return None;
    }
    if at < bytes.len() && matches!(bytes[at], b'.' | b'e' | b'E') {
        return None;
    }
    Some((if negative { -magnitude } else { magnitude }, at))
}

impl<'a> NumberText<'a> {
    /// Scans the number at the offset. For a malformed number, returns the offset and the
    /// expectation.
    #[inline]
    pub(super) fn scan(source: &'a str, start: usize) -> Result<Self, (usize, &'static str)> {
        let bytes = source.as_bytes();
        let is_negative = start < bytes.len() && bytes[start] == b'-';
        let whole = start + usize::from(is_negative);
        let whole_end = digits_end(bytes, whole);
        if whole_end == whole {
            return Err((whole, "a digit"));
        }
        if whole_end > whole + 1 && bytes[whole] == b'0' {
            return Err((whole, "a number without leading zeros"));
        }
        let mut fraction_end = whole_end;
        if whole_end < bytes.len() && bytes[whole_end] == b'.' {
            fraction_end = digits_end(bytes, whole_end + 1);
            if fraction_end == whole_end + 1 {
                return Err((fraction_end, "a digit after the point"));
            }
        }
        let mut end = fraction_end;
        if end < bytes.len() && (bytes[end] == b'e' || bytes[end] == b'E') {
            end = exponent_end(bytes, end + 1)?;
        }
        Ok(Self {
            text: &source[start..end],
            whole_end: whole_end - start,
            fraction_end: fraction_end - start,
        })
    }

    fn is_integer(&self) -> bool {
        self.whole_end == self.text.len()
    }

    /// Returns the nearest float, or an infinity if the number is too large.
    #[inline]
    pub(super) fn to_f64(&self) -> f64 {
        // The scanned grammar is a subset of what `str::parse` accepts.
        self.text.parse().unwrap_or(f64::NAN)
    }

    /// Returns the integer if the text is an `i64`.
    pub(super) fn to_i64(&self) -> Option<i64> {
        self.text.parse().ok()
    }

    /// Returns the exact number: an integer if written as one, otherwise the nearest float. `-0` is
    /// a float, because an integer can't keep its sign.
    pub(super) fn to_number(&self) -> Result<Number, &'static str> {
        if self.is_integer() && self.text != "-0" {
            return match self.to_i64() {
                Some(integer) => Ok(integer.into()),
                None => self.to_large_integer(),
            };
        }
        let float = self.to_f64();
        if float.is_infinite() {
            return Err(TOO_LARGE_FLOAT);
        }
        let magnitude = float.abs();
        let whole = magnitude as u64;
        if whole as f64 == magnitude && !self.is_exactly(whole) {
            return Ok(Number::rounded_integer(float));
        }
        Ok(float.into())
    }

    /// Returns true if the text, except for its sign, equals this integer.
    fn is_exactly(&self, integer: u64) -> bool {
        if self.fraction_end < self.text.len() {
            return self.has_same_digits(integer);
        }
        let mut at = self.whole_end + 1;
        while at < self.fraction_end && self.text.as_bytes()[at] == b'0' {
            at += 1;
        }
        let whole = self.text[..self.whole_end].parse::<i128>();
        at >= self.fraction_end && whole.is_ok_and(|it| it.unsigned_abs() == u128::from(integer))
    }

    #[cold]
    fn has_same_digits(&self, integer: u64) -> bool {
        let (mantissa, exponent) = self.text.split_at(self.fraction_end);
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let (significant, zeros) = without_zeros(digits.trim_start_matches('0'));
        let integer = integer.to_string();
        let (wanted, wanted_zeros) = without_zeros(integer.trim_start_matches('0'));
        if significant.is_empty() || wanted.is_empty() {
            return significant == wanted;
        }
        // No text is long enough to compensate for an exponent outside `i64`.
        let exponent: Option<i64> = exponent.get(1..).and_then(|it| it.parse().ok());
        let fraction = (self.fraction_end - self.whole_end).saturating_sub(1);
        let shift = wanted_zeros as i64 - zeros as i64 + fraction as i64;
        significant == wanted && exponent == Some(shift)
    }

    #[cold]
    fn to_large_integer(&self) -> Result<Number, &'static str> {
        if let Ok(integer) = self.text.parse::<i128>() {
            return Ok(integer.into());
        }
        match self.text.parse::<u128>() {
            Ok(integer) => Ok(integer.into()),
            Err(_) => Err("an integer of at most 128 bits (a float may be larger: write 1e40)"),
        }
    }
}

/// The offset after the digits at `at`.
#[inline]
fn digits_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] >= b'0' && bytes[at] <= b'9' {
        at += 1;
    }
    at
}

/// The offset after the exponent at `at`.
fn exponent_end(bytes: &[u8], at: usize) -> Result<usize, (usize, &'static str)> {
    let has_sign = at < bytes.len() && (bytes[at] == b'+' || bytes[at] == b'-');
    let start = at + usize::from(has_sign);
    match digits_end(bytes, start) {
        end if end == start => Err((start, "a digit of the exponent")),
        end => Ok(end),
    }
}

/// Decimal digits without trailing zeros, and the number of those zeros.
fn without_zeros(digits: &str) -> (&str, usize) {
    let significant = digits.trim_end_matches('0');
    (significant, digits.len() - significant.len())
}

pub(super) const TOO_LARGE_FLOAT: &str = "a number within the range of a 64-bit float";
