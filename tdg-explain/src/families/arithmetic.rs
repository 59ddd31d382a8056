//! Properties of single numbers: size, parity, multiples, digits, decimals.

use tdg_definition::json::Value;
use tdg_definition::math::ln;
use tdg_definition::sort;

use super::super::attribute::{Family, Notation};
use super::super::table::{ColumnKind, ExplanationColumn};
use super::properties::Properties;

/// With more features, this would take too long.
const MANY: usize = 100;

const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// Multiples of these are tested, and of a factor that the numbers of a side have in common.
const FACTORS: [i128; 7] = [3, 4, 5, 7, 10, 100, 1000];
/// Multiples of a larger factor are a less likely cause.
const USUAL: i128 = 10;

/// Usual divisors, whose remainders are tested if the code has the number.
const DIVISORS: [i128; 16] = [
    7, 10, 12, 16, 24, 30, 32, 60, 64, 97, 100, 256, 360, 1000, 3_600, 86_400,
];

const EXACT_AS_F32: (&str, &str) = ("{0} exact as f32", "{0} not exact as f32");

/// Durations in seconds are rounded to minutes, hours and days.
const UNITS: [(i128, &str, &str); 3] = [
    (60, "{0} modulo 60 >= 30", "{0} modulo 60 < 30"),
    (3_600, "{0} modulo 3600 >= 1800", "{0} modulo 3600 < 1800"),
    (
        86_400,
        "{0} modulo 86400 >= 43200",
        "{0} modulo 86400 < 43200",
    ),
];

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    let numbers = table.positions(false, &[ColumnKind::Integer, ColumnKind::Float]);
    if numbers.len() <= MANY {
        for position in numbers {
            of_column(family, position);
        }
    }
}

/// Adds the properties of a column of numbers.
pub(super) fn of_column(family: &mut Family<'_, '_>, position: usize) {
    match family.table.columns[position].kind {
        ColumnKind::Integer => of_integers(family, position),
        ColumnKind::Float => of_floats(family, position),
        _ => {}
    }
}

fn of_integers(family: &mut Family<'_, '_>, position: usize) {
    let table = family.table;
    let integers = (0..table.size).filter_map(|row| table.columns[position].integer(row));
    let ends = integers.fold((i128::MAX, i128::MIN), |(smallest, largest), it| {
        (smallest.min(it), largest.max(it))
    });
    // In a narrower range, multiples are as special as any other value.
    let has_room = |factor: i128| 2 * factor <= ends.1.saturating_sub(ends.0);
    let mut integers = Properties::new(family, position, ExplanationColumn::integer);
    integers.number("|{0}|", |integer| Some(integer.abs()));
    integers.flag(("{0} even", "{0} odd"), |integer| integer % 2 == 0);
    multiples(family, position, has_room);
    remainders(family, position, has_room);
    let mut integers = Properties::new(family, position, ExplanationColumn::integer);
    // Shorter durations are seldom shown in units.
    let units = UNITS.into_iter().filter(|it| has_room(it.0.max(3_600)));
    for (unit, is, is_not) in units {
        let mut rare = integers.rare();
        rare.flag((is, is_not), move |integer| {
            2 * integer.rem_euclid(unit) >= unit
        });
    }
    let constants = family.table.constants;
    if has_room(10) && (constants.is_empty() || is_constant(constants, 10)) {
        of_digits(family, position);
    }
    let mut integers = Properties::new(family, position, ExplanationColumn::integer);
    let mut rare = integers.rare();
    rare.flag(EXACT_AS_F32, |integer| integer as f32 as i128 == integer);
}

/// Adds a flag for the multiples of each factor that has some.
fn multiples(family: &mut Family<'_, '_>, position: usize, has_room: impl Fn(i128) -> bool) {
    let column = &family.table.columns[position];
    let rows = || (0..family.table.size).filter_map(|row| Some((row, column.integer(row)?)));
    let common = |side: bool| {
        let inside = rows().filter(|(row, _)| family.failing[*row] == Some(side));
        inside.fold(0, |factor, (_, integer)| common_factor(factor, integer))
    };
    let mut factors = FACTORS.to_vec();
    factors.extend([true, false].map(common).into_iter().filter(|it| *it > 2));
    let mut factors = sort::distinct(factors);
    factors.retain(|factor| has_room(*factor) && rows().any(|(_, it)| it != 0 && it % factor == 0));
    for factor in factors {
        let is_multiple = move |row| Some(column.integer(row)? % factor == 0);
        let words = ("{0} a multiple of {k}", "{0} not a multiple of {k}");
        let attribute = family.flag(words, &[position], is_multiple);
        attribute.words.factor = factor;
        match FACTORS.contains(&factor) {
            true if factor > USUAL => attribute.rarer(1.0),
            true => {}
            // A factor that is learned could be any.
            false => attribute.rarer(ln(factor as f64)),
        }
    }
}

/// Adds the remainders by divisors of the code.
fn remainders(family: &mut Family<'_, '_>, position: usize, has_room: impl Fn(i128) -> bool) {
    let column = &family.table.columns[position];
    let constants = family.table.constants;
    let divisors = DIVISORS.into_iter();
    let divisors = divisors.filter(|it| is_constant(constants, *it));
    for divisor in divisors.filter(|it| has_room(*it)) {
        let remainder = move |row| Some(column.integer(row)?.rem_euclid(divisor).into());
        let words = "{0} modulo {k}";
        let attribute = family.number(words, Notation::Number, &[position], remainder);
        attribute.words.factor = divisor;
        attribute.rarer(3.0);
    }
}

/// Returns true if the code has an integer.
fn is_constant(constants: &[Value], integer: i128) -> bool {
    constants.binary_search(&integer.into()).is_ok()
}

/// Returns the greatest common divisor.
fn common_factor(left: i128, right: i128) -> i128 {
    let (mut left, mut right) = (left.unsigned_abs(), right.unsigned_abs());
    while right != 0 {
        (left, right) = (right, left % right);
    }
    i128::try_from(left).unwrap_or_default()
}

/// Adds the properties of decimal digits, for code that may look at them.
fn of_digits(family: &mut Family<'_, '_>, position: usize) {
    let is_known = !family.table.constants.is_empty();
    let mut texts = Properties::new(family, position, |column, row| {
        Some(column.integer(row)?.unsigned_abs().to_string())
    });
    texts.code("last digit of {0}", |text| {
        digit(text.as_bytes()[text.len() - 1])
    });
    texts.code("first digit of {0}", |text| digit(text.as_bytes()[0]));
    texts.count("digits of {0}", |text| text.len());
    texts.texts(("{0} with digit", "{0} without digit"), |text| {
        distinct_digits(&text)
    });
    let mut rare = texts.rare();
    rare.number("zeros at the end of {0}", |text| {
        (text != "0").then(|| zeros(&text) as i64)
    });
    rare.flag(("|{0}| a power of 10", "|{0}| not a power of 10"), |text| {
        text.starts_with('1') && zeros(&text) + 1 == text.len()
    });
    rare.flag(
        (
            "{0} with a digit twice in a row",
            "{0} without a digit twice in a row",
        ),
        |text| text.as_bytes().windows(2).any(|pair| pair[0] == pair[1]),
    );
    // Code says more about itself than the positions of digits.
    if is_known {
        return;
    }
    rare.number("first two digits of {0}", |text| {
        text.get(..2)?.parse::<i64>().ok()
    });
    rare.texts(
        (
            "{0} after its first digit with digit",
            "{0} after its first digit without digit",
        ),
        |text| distinct_digits(&text[1..]),
    );
    rare.texts(
        (
            "{0} between its first and last digit with digit",
            "{0} between its first and last digit without digit",
        ),
        |text| distinct_digits(&text[1..text.len().max(2) - 1]),
    );
}

fn digit(byte: u8) -> i64 {
    i64::from(byte - b'0')
}

fn distinct_digits(text: &str) -> Vec<&'static str> {
    let digits = text.bytes().map(|byte| DIGITS[usize::from(byte - b'0')]);
    let mut digits: Vec<&str> = digits.collect();
    digits.sort_unstable();
    digits.dedup();
    digits
}

/// Returns the number of trailing zeros.
fn zeros(digits: &str) -> usize {
    digits.len() - digits.trim_end_matches('0').len()
}

fn of_floats(family: &mut Family<'_, '_>, position: usize) {
    let mut floats = Properties::new(family, position, ExplanationColumn::float);
    floats.number("|{0}|", |float| Some(float.abs()));
    floats.flag(("{0} whole", "{0} not whole"), |float| float.fract() == 0.0);
    floats.number("fraction of {0}", |float| {
        format!("0.{}", decimals(float)?).parse::<f64>().ok()
    });
    floats.number("decimals of {0}", |float| match &*decimals(float)? {
        "0" => Some(0),
        decimals => Some(decimals.len() as i64),
    });
    let mut rare = floats.rare();
    rare.flag(EXACT_AS_F32, |float| f64::from(float as f32) == float);
}

/// Returns the digits after the decimal point.
fn decimals(float: f64) -> Option<String> {
    // Unlike JSON's, this notation has no exponents.
    let text = format!("{}", float.abs());
    let (_, decimals) = text.split_once('.').unwrap_or(("", "0"));
    float.is_finite().then(|| decimals.to_owned())
}

#[cfg(test)]
mod tests {
    use super::decimals;

    #[test]
    fn decimals_of_small_and_large_floats_have_no_exponent() {
        let of = |float| decimals(float).unwrap_or_default();
        assert_eq!(of(2.5e-7), "00000025");
        assert_eq!(of(-1.25), "25");
        assert_eq!(of(2.5e300), "0");
        assert_eq!(decimals(f64::INFINITY), None);
    }
}
