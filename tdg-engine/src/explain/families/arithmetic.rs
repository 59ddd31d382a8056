//! Properties of single numbers: size, parity, multiples, digits, decimals.

use super::super::attribute::{Family, Notation};
use super::super::table::ColumnKind;

/// With more features this would take too long.
const MANY: usize = 100;

const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

const MULTIPLES: [(i128, &str, &str); 7] = [
    (3, "{0} a multiple of 3", "{0} not a multiple of 3"),
    (4, "{0} a multiple of 4", "{0} not a multiple of 4"),
    (5, "{0} a multiple of 5", "{0} not a multiple of 5"),
    (7, "{0} a multiple of 7", "{0} not a multiple of 7"),
    (10, "{0} a multiple of 10", "{0} not a multiple of 10"),
    (100, "{0} a multiple of 100", "{0} not a multiple of 100"),
    (1000, "{0} a multiple of 1000", "{0} not a multiple of 1000"),
];

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    let numbers = family
        .table
        .positions(false, &[ColumnKind::Integer, ColumnKind::Float]);
    if numbers.len() <= MANY {
        for position in numbers {
            of_column(family, position);
        }
    }
}

/// The properties of a column of numbers.
pub(super) fn of_column(family: &mut Family<'_, '_>, position: usize) {
    match family.table.columns[position].kind {
        ColumnKind::Integer => of_integers(family, position),
        ColumnKind::Float => of_floats(family, position),
        _ => {}
    }
}

fn of_integers(family: &mut Family<'_, '_>, position: usize) {
    let column = &family.table.columns[position];
    let here = [position];
    let integer = |row: usize| column.integer(row);
    family.count("|{0}|", &here, move |row| integer(row).map(i128::abs));
    family.flag(("{0} even", "{0} odd"), &here, move |row| {
        Some(integer(row)? % 2 == 0)
    });
    for (factor, is, is_not) in MULTIPLES {
        let attribute = family.flag((is, is_not), &here, move |row| {
            Some(integer(row)? % factor == 0)
        });
        if factor > 10 {
            attribute.rarer(1.0);
        }
    }
    let text = move |row: usize| integer(row).map(|integer| integer.unsigned_abs().to_string());
    let digit = |byte: u8| i128::from(byte - b'0');
    family.code("last digit of {0}", &here, move |row| {
        Some(digit(*text(row)?.as_bytes().last()?))
    });
    family.code("first digit of {0}", &here, move |row| {
        Some(digit(text(row)?.as_bytes()[0]))
    });
    family
        .count("first two digits of {0}", &here, move |row| {
            text(row)?.get(..2)?.parse().ok()
        })
        .rarer(1.0);
    family.count("digits of {0}", &here, move |row| {
        Some(text(row)?.len() as i128)
    });
    let digits_of = |text: &str| -> Vec<&'static str> {
        let mut digits: Vec<&'static str> = text
            .bytes()
            .map(|byte| DIGITS[usize::from(byte - b'0')])
            .collect();
        digits.sort_unstable();
        digits.dedup();
        digits
    };
    family.texts(("{0} with digit", "{0} without digit"), &here, move |row| {
        digits_of(&text(row).unwrap_or_default())
    });
    family
        .texts(
            (
                "{0} after its first digit with digit",
                "{0} after its first digit without digit",
            ),
            &here,
            move |row| digits_of(text(row).unwrap_or_default().get(1..).unwrap_or_default()),
        )
        .rarer(1.0);
    family
        .texts(
            (
                "{0} between its first and last digit with digit",
                "{0} between its first and last digit without digit",
            ),
            &here,
            move |row| {
                let text = text(row).unwrap_or_default();
                digits_of(text.get(1..text.len().max(2) - 1).unwrap_or_default())
            },
        )
        .rarer(1.0);
    let zeros = |text: &str| text.len() - text.trim_end_matches('0').len();
    family
        .count("zeros at the end of {0}", &here, move |row| {
            let text = text(row)?;
            (text != "0").then(|| zeros(&text) as i128)
        })
        .rarer(1.0);
    family
        .flag(
            ("|{0}| a power of 10", "|{0}| not a power of 10"),
            &here,
            move |row| {
                let text = text(row)?;
                Some(text.starts_with('1') && zeros(&text) + 1 == text.len())
            },
        )
        .rarer(1.0);
    family
        .flag(
            (
                "{0} with one digit that is not 0",
                "{0} without just one digit that is not 0",
            ),
            &here,
            move |row| Some(text(row)?.bytes().filter(|digit| *digit != b'0').count() == 1),
        )
        .rarer(1.0);
    family
        .flag(
            (
                "{0} with a digit twice in a row",
                "{0} without a digit twice in a row",
            ),
            &here,
            move |row| {
                Some(
                    text(row)?
                        .as_bytes()
                        .windows(2)
                        .any(|pair| pair[0] == pair[1]),
                )
            },
        )
        .rarer(1.0);
    family
        .flag(
            ("{0} exact as f32", "{0} not exact as f32"),
            &here,
            move |row| {
                let integer = integer(row)?;
                Some(integer as f32 as i128 == integer)
            },
        )
        .rarer(1.0);
}

fn of_floats(family: &mut Family<'_, '_>, position: usize) {
    let column = &family.table.columns[position];
    let here = [position];
    let float = |row: usize| column.float(row);
    family.number("|{0}|", Notation::Number, &here, move |row| {
        float(row).map(|float| float.abs().into())
    });
    family.flag(("{0} whole", "{0} not whole"), &here, move |row| {
        Some(float(row)?.fract() == 0.0)
    });
    family.number("fraction of {0}", Notation::Number, &here, move |row| {
        let fraction: f64 = format!("0.{}", decimals(float(row)?)?).parse().ok()?;
        Some(fraction.into())
    });
    family.count("decimals of {0}", &here, move |row| {
        let decimals = decimals(float(row)?)?;
        Some(if decimals == "0" {
            0
        } else {
            decimals.len() as i128
        })
    });
    family
        .flag(
            ("{0} exact as f32", "{0} not exact as f32"),
            &here,
            move |row| {
                let float = float(row)?;
                Some(f64::from(float as f32) == float)
            },
        )
        .rarer(1.0);
}

/// The digits after the point.
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
