//! Differences, sums, ratios and products of features, and the time between two dates.

use std::cmp::Ordering;

use tdg_definition::calendar::date_of;

use super::super::attribute::{Family, Notation};
use super::super::table::ColumnKind;
use super::super::value::{difference, product, rounded, sum};
use super::comparable::pairs;
use super::dates::day;
use super::relations::{self, NumberOrder};

/// With more features of a kind, there would be too many pairs.
const MANY: usize = 12;
/// With more features, there would be too many triples.
const FEW: usize = 6;

/// The tested orders of a sum and a third number.
const OF_SUM: [NumberOrder; 2] = [
    ("{0} + {1} <= {2}", "{0} + {1} > {2}", Ordering::is_le),
    ("{0} + {1} < {2}", "{0} + {1} >= {2}", Ordering::is_lt),
];
/// The tested orders of a product and a third number.
const OF_PRODUCT: [NumberOrder; 2] = [
    ("{0} × {1} <= {2}", "{0} × {1} > {2}", Ordering::is_le),
    ("{0} × {1} < {2}", "{0} × {1} >= {2}", Ordering::is_lt),
];
/// The tested orders of two dates without their years.
const IN_YEAR: [NumberOrder; 2] = [
    (
        "{0} earlier in the year than {1}",
        "{0} not earlier in the year than {1}",
        Ordering::is_lt,
    ),
    (
        "{0} later in the year than {1}",
        "{0} not later in the year than {1}",
        Ordering::is_gt,
    ),
];

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    let numbers = table.positions(false, &[ColumnKind::Integer, ColumnKind::Float]);
    if numbers.len() <= MANY {
        let pairs = pairs(family, &numbers, &numbers);
        for &(first, second) in &pairs {
            of_numbers(family, first, second);
        }
        if numbers.len() <= FEW {
            with_third(family, &numbers, &pairs);
            of_scale(family, &numbers);
        }
    }
    let times = table.positions(false, &[ColumnKind::Date, ColumnKind::DateTime]);
    if times.len() <= MANY {
        for (index, &first) in times.iter().enumerate() {
            for &second in &times[index + 1..] {
                of_times(family, first, second);
            }
        }
    }
}

fn of_numbers(family: &mut Family<'_, '_>, first: usize, second: usize) {
    let table = family.table;
    let (left, right) = (&table.columns[first], &table.columns[second]);
    let here = [first, second];
    let both = |row: usize| Some((left.number(row)?, right.number(row)?));
    family.number("{0} − {1}", Notation::Number, &here, move |row| {
        both(row).map(|(left, right)| difference(left, right))
    });
    family.number("{0} + {1}", Notation::Number, &here, move |row| {
        both(row).map(|(left, right)| sum(left, right))
    });
    family.number("|{0} − {1}|", Notation::Number, &here, move |row| {
        let (left, right) = both(row)?;
        Some(difference(left.max(right), left.min(right)))
    });
}

/// Compares the sum of two comparable numbers with a third.
fn with_third(family: &mut Family<'_, '_>, numbers: &[usize], pairs: &[(usize, usize)]) {
    let table = family.table;
    let are_alike = |one, other| pairs.contains(&(one, other)) || pairs.contains(&(other, one));
    for &(first, second) in pairs {
        let is_third = |it: &&usize| are_alike(first, **it) && are_alike(second, **it);
        for &third in numbers.iter().filter(is_third) {
            let here = [first, second, third];
            let [left, right, other] = here.map(|position| &table.columns[position]);
            let compared = move |row: usize| {
                let sum = sum(left.number(row)?, right.number(row)?);
                Some(sum.cmp(&other.number(row)?))
            };
            relations::orders(family, &OF_SUM, &here, compared);
        }
    }
}

/// Adds the ratios and products of two numbers, and compares the products with a third.
fn of_scale(family: &mut Family<'_, '_>, numbers: &[usize]) {
    let table = family.table;
    let before = family.attributes.len();
    let number = |position: usize, row: usize| table.columns[position].number(row);
    for (index, &first) in numbers.iter().enumerate() {
        for &second in &numbers[index + 1..] {
            let larger = |row: &usize| number(first, *row) > number(second, *row);
            let is_usual = 2 * (0..table.size).filter(larger).count() >= table.size;
            let here = match is_usual {
                true => [first, second],
                false => [second, first],
            };
            family.number("{0} / {1}", Notation::Number, &here, move |row| {
                let [left, right] = here.map(|it| number(it, row));
                let (left, right) = (left?.as_f64(), right?.as_f64());
                // A ratio of 0 says no more than its numerator.
                let ratio = (right >= 0.0 && left != 0.0).then_some(left / right);
                ratio.filter(|it| !it.is_nan()).map(rounded)
            });
            let product =
                move |row: usize| Some(product(number(first, row)?, number(second, row)?));
            family.number("{0} × {1}", Notation::Number, &[first, second], product);
            for &third in numbers.iter().filter(|it| ![first, second].contains(it)) {
                let here = [first, second, third];
                let compared = move |row| Some(product(row)?.cmp(&number(third, row)?));
                relations::orders(family, &OF_PRODUCT, &here, compared);
            }
        }
    }
    for attribute in &mut family.attributes[before..] {
        attribute.rarer(1.0);
    }
}

fn of_times(family: &mut Family<'_, '_>, first: usize, second: usize) {
    let table = family.table;
    let (left, right) = (&table.columns[first], &table.columns[second]);
    let here = [first, second];
    if [left.kind, right.kind] == [ColumnKind::DateTime; 2] {
        family.count("seconds from {0} to {1}", &here, move |row| {
            Some(right.integer(row)? - left.integer(row)?)
        });
    }
    let days = move |row: usize| Some((day(left, row)?, day(right, row)?));
    family.count("days from {0} to {1}", &here, move |row| {
        days(row).map(|(left, right)| i128::from(right - left))
    });
    family.count("days between {0} and {1}", &here, move |row| {
        days(row).map(|(left, right)| i128::from((right - left).abs()))
    });
    family.count("whole years from {0} to {1}", &here, move |row| {
        days(row).map(|(left, right)| whole_years(left, right))
    });
    let in_year = |days: i64| {
        let (_, month, day) = date_of(days);
        (month, day)
    };
    let compared = move |row| days(row).map(|(left, right)| in_year(left).cmp(&in_year(right)));
    relations::orders(family, &IN_YEAR, &here, compared);
}

/// Returns the number of birthdays between two days; negative if the first is the later one.
fn whole_years(from: i64, to: i64) -> i128 {
    if to < from {
        return -whole_years(to, from);
    }
    let (first, last) = (date_of(from), date_of(to));
    let is_before = (last.1, last.2) < (first.1, first.2);
    i128::from(last.0 - first.0 - i64::from(is_before))
}
