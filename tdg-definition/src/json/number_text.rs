//! The grammar of numbers, and their exact values.

use super::Number;
use super::decimal::{EXACT_DIGITS, eight_digits, nearest_float};

/// The text of a number, scanned.
pub(super) struct NumberText<'a> {
    pub(super) text: &'a str,
    negative: bool,
    /// All digits as one integer; meaningless where there are more than [`EXACT_DIGITS`].
    magnitude: u64,
    digits: usize,
    fraction_digits: usize,
    has_fraction: bool,
    has_exponent: bool,
}

/// The integer that begins here and the offset after it, if it has at most 18 digits and no point
/// or exponent, as nearly all have. [`NumberText`] reads all others and reports errors.
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
    /// Reads the number at the offset. If it is malformed, returns the offset and what was
    /// expected.
    #[inline]
    pub(super) fn scan(source: &'a str, start: usize) -> Result<Self, (usize, &'static str)> {
        let bytes = source.as_bytes();
        let mut at = start;
        let negative = at < bytes.len() && bytes[at] == b'-';
        if negative {
            at += 1;
        }

        let mut magnitude = 0_u64;
        let mut digits = 0;
        let whole_start = at;
        while at < bytes.len() && bytes[at] >= b'0' && bytes[at] <= b'9' {
            if digits < EXACT_DIGITS {
                magnitude = magnitude * 10 + (bytes[at] - b'0') as u64;
            }
            digits += 1;
            at += 1;
        }
        if digits == 0 {
            return Err((at, "a digit"));
        }
        if digits > 1 && bytes[whole_start] == b'0' {
            return Err((whole_start, "a number without leading zeros"));
        }

        let has_fraction = at < bytes.len() && bytes[at] == b'.';
        let mut fraction_digits = 0;
        if has_fraction {
            at += 1;
            let fraction_start = at;
            while digits + 8 <= EXACT_DIGITS
                && let Some(eight) = bytes[at..].first_chunk::<8>()
                && let Some(value) = eight_digits(*eight)
            {
                magnitude = magnitude * 100_000_000 + value;
                digits += 8;
                at += 8;
            }
            while at < bytes.len() && bytes[at] >= b'0' && bytes[at] <= b'9' {
                if digits < EXACT_DIGITS {
                    magnitude = magnitude * 10 + (bytes[at] - b'0') as u64;
                }
                digits += 1;
                at += 1;
            }
            fraction_digits = at - fraction_start;
            if fraction_digits == 0 {
                return Err((at, "a digit after the point"));
            }
        }

        let has_exponent = at < bytes.len() && (bytes[at] == b'e' || bytes[at] == b'E');
        if has_exponent {
            at = exponent_end(bytes, at + 1)?;
        }

        Ok(Self {
            text: &source[start..at],
            negative,
            magnitude,
            digits,
            fraction_digits,
            has_fraction,
            has_exponent,
        })
    }

    fn is_integer(&self) -> bool {
        !self.has_fraction && !self.has_exponent
    }

    /// The nearest float; infinite where the number is too large for one.
    #[inline]
    pub(super) fn to_f64(&self) -> f64 {
        if !self.has_exponent && self.digits <= EXACT_DIGITS {
            let float = nearest_float(self.magnitude, self.fraction_digits);
            return if self.negative { -float } else { float };
        }
        // The grammar above is a part of what `str::parse` takes.
        self.text.parse().unwrap_or(f64::NAN)
    }

    /// The integer, where the text is that of an `i64`.
    pub(super) fn to_i64(&self) -> Option<i64> {
        if !self.is_integer() || self.digits > EXACT_DIGITS {
            return None;
        }
        if self.negative {
            0_i64.checked_sub_unsigned(self.magnitude)
        } else {
            self.magnitude.try_into().ok()
        }
    }

    /// The exact number: an integer if the text is one, else the nearest float. `-0` is a float,
    /// because an integer cannot keep its sign.
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

    /// Whether the text, apart from its sign, is that of this integer.
    fn is_exactly(&self, integer: u64) -> bool {
        if !self.has_exponent && self.digits <= EXACT_DIGITS {
            let scaled = integer.checked_mul(10_u64.pow(self.fraction_digits as u32));
            return scaled == Some(self.magnitude);
        }
        self.has_same_digits(integer)
    }

    #[cold]
    fn has_same_digits(&self, integer: u64) -> bool {
        let (mantissa, exponent) = self.text.split_once(['e', 'E']).unwrap_or((self.text, "0"));
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let digits = digits.trim_start_matches('0');
        let (significant, zeros) = without_zeros(digits);
        let integer = integer.to_string();
        let (wanted, wanted_zeros) = without_zeros(integer.trim_start_matches('0'));
        if significant.is_empty() || wanted.is_empty() {
            return significant == wanted;
        }
        // No text is so long that it makes up for an exponent beyond `i64`.
        let exponent: Option<i64> = exponent.parse().ok();
        let shift = wanted_zeros as i64 - zeros as i64 + self.fraction_digits as i64;
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

/// The offset after the exponent that begins here.
fn exponent_end(bytes: &[u8], mut at: usize) -> Result<usize, (usize, &'static str)> {
    if at < bytes.len() && (bytes[at] == b'+' || bytes[at] == b'-') {
        at += 1;
    }
    let start = at;
    while at < bytes.len() && bytes[at] >= b'0' && bytes[at] <= b'9' {
        at += 1;
    }
    match at > start {
        true => Ok(at),
        false => Err((at, "a digit of the exponent")),
    }
}

/// Decimal digits without the zeros that they end in, and the number of those.
fn without_zeros(digits: &str) -> (&str, usize) {
    let significant = digits.trim_end_matches('0');
    (significant, digits.len() - significant.len())
}

pub(super) const TOO_LARGE_FLOAT: &str = "a number within the range of a 64-bit float";
