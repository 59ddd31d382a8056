//! Numbers that hold integers and floats exactly and compare by value.

use std::cmp::Ordering;
use std::fmt;

use super::writer::write_number;

/// A JSON number: any `i128`, `u128` or `f64`, held exactly.
///
/// Numbers compare by value, independent of their source: `1` equals `1.0`, `-0.0` equals `0.0`,
/// and 2⁵³ + 1 isn't equal to the float 2⁵³, although it would round to it. The single NaN equals
/// itself and sorts after all other numbers.
///
/// ```
/// use tdg_definition::json::Number;
///
/// assert_eq!(Number::from(1), Number::from(1.0));
/// assert!(Number::from(9_007_199_254_740_993_u64) > Number::from(9_007_199_254_740_992.0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Number(Repr);

#[derive(Clone, Copy, Debug)]
pub(super) enum Repr {
    Integer(Wide<i128>),
    /// Above `i128::MAX`
    Large(Wide<u128>),
    Float(f64, FloatOrigin),
}

/// The source of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FloatOrigin {
    Any,
    /// An `f32`
    Single,
    /// Text of another number, which was rounded to a whole float
    Rounded,
}

/// An integer aligned like the other numbers, which makes JSON values a third smaller.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed(8))]
pub(super) struct Wide<T>(pub(super) T);

const TWO_POW_127: f64 = (1_u128 << 127) as f64;
const TWO_POW_128: f64 = 2.0 * TWO_POW_127;

impl Number {
    pub(super) fn repr(self) -> Repr {
        self.0
    }

    /// Creates a whole float that was read from the text of another number.
    pub(super) fn rounded_integer(float: f64) -> Self {
        Self(Repr::Float(float, FloatOrigin::Rounded))
    }

    /// Returns true if the number is written as a float, like `1.0` but not `1`.
    pub fn is_float(self) -> bool {
        matches!(self.0, Repr::Float(..))
    }

    /// Returns true if the number is an integer only because its text was rounded to a float.
    ///
    /// ```
    /// use tdg_definition::json::parse;
    ///
    /// let is_rounded = |text| parse(text).unwrap().as_number().unwrap().is_rounded_integer();
    /// assert!(is_rounded("9007199254740993.0"));
    /// assert!(!is_rounded("9007199254740992.0") && !is_rounded("1e18") && !is_rounded("0.1"));
    /// ```
    pub fn is_rounded_integer(self) -> bool {
        matches!(self.0, Repr::Float(_, FloatOrigin::Rounded))
    }

    /// Returns the `f32` that the number was made from, if any.
    ///
    /// ```
    /// use tdg_definition::json::{Number, parse};
    ///
    /// assert_eq!(Number::from(0.1_f32).as_f32(), Some(0.1));
    /// // The text of a number doesn't include its type.
    /// assert_eq!(parse("0.1").unwrap().as_number().unwrap().as_f32(), None);
    /// ```
    pub fn as_f32(self) -> Option<f32> {
        match self.0 {
            Repr::Float(float, FloatOrigin::Single) => Some(float as f32),
            _ => None,
        }
    }

    /// Converts the number to an `f32` if its text can come from one.
    #[must_use]
    pub fn of_f32(self) -> Self {
        let single = Self::from(self.as_f64() as f32);
        match self.is_float() && single == self {
            true => single,
            false => self,
        }
    }

    /// Returns the nearest float.
    pub fn as_f64(self) -> f64 {
        match self.0 {
            Repr::Integer(Wide(integer)) => integer as f64,
            Repr::Large(Wide(integer)) => integer as f64,
            Repr::Float(float, _) => float,
        }
    }

    /// Returns the number as an `i64` if it's an integer: `2.0` is 2, `2.5` isn't an integer.
    pub fn as_i64(self) -> Option<i64> {
        self.as_i128()?.try_into().ok()
    }

    /// Returns the number as a `u64` if it's an integer: `2.0` is 2, `2.5` isn't an integer.
    pub fn as_u64(self) -> Option<u64> {
        self.as_i128()?.try_into().ok()
    }

    /// Returns the number as an `i128` if it's an integer: `2.0` is 2, `2.5` isn't an integer.
    pub fn as_i128(self) -> Option<i128> {
        match self.0 {
            Repr::Integer(Wide(integer)) => Some(integer),
            Repr::Large(_) => None,
            Repr::Float(float, _) => {
                let integer = float as i128;
                (self == Self::from(integer)).then_some(integer)
            }
        }
    }

    /// Returns the number as a `u128` if it's an integer: `2.0` is 2, `2.5` isn't an integer.
    pub fn as_u128(self) -> Option<u128> {
        match self.0 {
            Repr::Integer(Wide(integer)) => integer.try_into().ok(),
            Repr::Large(Wide(integer)) => Some(integer),
            Repr::Float(float, _) => {
                let integer = float as u128;
                (self == Self::from(integer)).then_some(integer)
            }
        }
    }
}

fn compare_floats(left: f64, right: f64) -> Ordering {
    // Only NaN is unordered among floats; it comes last.
    left.partial_cmp(&right)
        .unwrap_or_else(|| left.is_nan().cmp(&right.is_nan()))
}

fn compare_integer_with_float(integer: i128, float: f64) -> Ordering {
    if float.is_nan() || float >= TWO_POW_127 {
        return Ordering::Less;
    }
    if float < -TWO_POW_127 {
        return Ordering::Greater;
    }
    // Exact, because the whole part of a float is also a float.
    let whole = float as i128;
    integer
        .cmp(&whole)
        .then_with(|| compare_floats(whole as f64, float))
}

fn compare_large_with_float(integer: u128, float: f64) -> Ordering {
    if float.is_nan() || float >= TWO_POW_128 {
        return Ordering::Less;
    }
    // A float of this size is whole; a negative one becomes 0, which is below every large integer.
    integer.cmp(&(float as u128))
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.0, other.0) {
            (Repr::Integer(Wide(left)), Repr::Integer(Wide(right))) => left.cmp(&right),
            (Repr::Large(Wide(left)), Repr::Large(Wide(right))) => left.cmp(&right),
            (Repr::Float(left, _), Repr::Float(right, _)) => compare_floats(left, right),
            (Repr::Integer(_), Repr::Large(_)) => Ordering::Less,
            (Repr::Large(_), Repr::Integer(_)) => Ordering::Greater,
            (Repr::Integer(Wide(left)), Repr::Float(right, _)) => {
                compare_integer_with_float(left, right)
            }
            (Repr::Float(left, _), Repr::Integer(Wide(right))) => {
                compare_integer_with_float(right, left).reverse()
            }
            (Repr::Large(Wide(left)), Repr::Float(right, _)) => {
                compare_large_with_float(left, right)
            }
            (Repr::Float(left, _), Repr::Large(Wide(right))) => {
                compare_large_with_float(right, left).reverse()
            }
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number {}

impl From<f64> for Number {
    fn from(float: f64) -> Self {
        Self(Repr::Float(float, FloatOrigin::Any))
    }
}

/// Uses the shortest text of the `f32`: `0.1_f32` is `0.1`, not `0.10000000149011612`.
impl From<f32> for Number {
    fn from(float: f32) -> Self {
        let exact = f64::from(float);
        if !float.is_finite() {
            return exact.into();
        }
        let mut buffer = zmij::Buffer::new();
        let shortest = buffer.format_finite(float).parse().unwrap_or(exact);
        Self(Repr::Float(shortest, FloatOrigin::Single))
    }
}

impl From<u128> for Number {
    fn from(integer: u128) -> Self {
        match i128::try_from(integer) {
            Ok(integer) => Self(Repr::Integer(Wide(integer))),
            Err(_) => Self(Repr::Large(Wide(integer))),
        }
    }
}

macro_rules! integers {
    ($($integer:ty),+) => {$(
        impl From<$integer> for Number {
            fn from(integer: $integer) -> Self {
                Self(Repr::Integer(Wide(integer.into())))
            }
        }
    )+};
}

integers!(i32, i64, u64, i128);

/// Writes the number as in JSON text.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        write_number(&mut text, *self);
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_equal_by_value() {
        assert_eq!(Number::from(1), Number::from(1.0));
        assert_eq!(Number::from(0.0), Number::from(-0.0));
        assert_eq!(Number::from(f64::NAN), Number::from(-f64::NAN));
        assert_eq!(Number::from(1_u128 << 127), Number::from(TWO_POW_127));
        assert_eq!(Number::from(i128::MIN), Number::from(-TWO_POW_127));
        assert_ne!(
            Number::from((1_i64 << 53) + 1),
            Number::from((1_i64 << 53) as f64)
        );
        assert_ne!(Number::from(i128::MAX), Number::from(TWO_POW_127));
        assert_ne!(Number::from(u128::MAX), Number::from(TWO_POW_128));
        assert_ne!(Number::from(0), Number::from(f64::NAN));
        assert_ne!(Number::from(0), Number::from(5e-324));
    }

    #[test]
    fn all_numbers_have_one_order() {
        let ascending = [
            Number::from(f64::NEG_INFINITY),
            Number::from(-2.0 * TWO_POW_127),
            Number::from(i128::MIN),
            Number::from(i128::MIN + 1),
            Number::from(-1.5),
            Number::from(-1),
            Number::from(-0.5),
            Number::from(0),
            Number::from(5e-324),
            Number::from(1),
            Number::from(1.5),
            Number::from(9_007_199_254_740_992.0),
            Number::from(9_007_199_254_740_993_u64),
            Number::from(i128::MAX),
            Number::from(TWO_POW_127),
            Number::from((1_u128 << 127) + 1),
            Number::from(u128::MAX),
            Number::from(TWO_POW_128),
            Number::from(f64::INFINITY),
            Number::from(f64::NAN),
        ];
        for (i, left) in ascending.iter().enumerate() {
            for (j, right) in ascending.iter().enumerate() {
                assert_eq!(left.cmp(right), i.cmp(&j), "{left} and {right}");
            }
        }
    }

    #[test]
    fn an_f32_is_what_its_shortest_text_says() {
        for (float, text) in [
            (0.1_f32, "0.1"),
            (-0.0, "-0.0"),
            (16_777_216.0, "16777216.0"),
            (f32::MAX, "3.4028235e38"),
            (1e-45, "1e-45"),
            (f32::NAN, r#"{"$float":"NaN"}"#),
            (f32::NEG_INFINITY, r#"{"$float":"-Infinity"}"#),
        ] {
            assert_eq!(Number::from(float).to_string(), text);
        }
    }

    #[test]
    fn a_whole_float_is_an_integer_and_another_is_not() {
        assert_eq!(Number::from(2.0).as_i64(), Some(2));
        assert_eq!(Number::from(-0.0).as_u64(), Some(0));
        assert_eq!(Number::from(2.5).as_i64(), None);
        assert_eq!(Number::from(f64::NAN).as_i128(), None);
        assert_eq!(Number::from(f64::INFINITY).as_u128(), None);
        assert_eq!(Number::from(TWO_POW_127).as_i128(), None);
        assert_eq!(Number::from(TWO_POW_127).as_u128(), Some(1 << 127));
        assert_eq!(Number::from(u64::MAX).as_u64(), Some(u64::MAX));
        assert_eq!(Number::from(u64::MAX).as_i64(), None);
        assert_eq!(Number::from(-1).as_u128(), None);
    }
}
