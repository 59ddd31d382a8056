//! Differences and sums of two features, and the days and years between two dates.

use std::cmp::Ordering;

use tdg_definition::calendar::date_of;

use super::super::attribute::{Family, Notation};
use super::super::table::ColumnKind;
use super::super::value::{difference, sum};
use super::comparable::pairs;
use super::relations::{self, NumberOrder};

/// With more features of a kind, there would be too many pairs.
const MANY: usize = 12;
/// With more features, there would be too many triples.
const FEW: usize = 6;

/// The tested orders of a sum and a third number.
const WITH_THIRD: [NumberOrder; 2] = [
    ("{0} + {1} <= {2}", "{0} + {1} > {2}", Ordering::is_le),
    ("{0} + {1} < {2}", "{0} + {1} >= {2}", Ordering::is_lt),
];

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    let numbers = table.positions(false, &[ColumnKind::Integer, ColumnKind::Float]);
    if numbers.len() <= MANY {
        let pairs = pairs(table, &numbers, &numbers);
        for &(first, second) in &pairs {
            of_numbers(family, first, second);
        }
        if numbers.len() <= FEW {
            with_third(family, &numbers, &pairs);
        }
    }
    for kind in [ColumnKind::Date, ColumnKind::DateTime] {
        let times = table.positions(false, &[kind]);
        if times.len() <= MANY {
            for (index, &first) in times.iter().enumerate() {
                for &second in &times[index + 1..] {
                    of_times(family, first, second);
                }
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
            relations::orders(family, &WITH_THIRD, &here, compared);
        }
    }
}

fn of_times(family: &mut Family<'_, '_>, first: usize, second: usize) {
    const DAY: i128 = 86_400;
    let table = family.table;
    let (left, right) = (&table.columns[first], &table.columns[second]);
    let is_date = left.kind == ColumnKind::Date;
    let here = [first, second];
    let both = |row: usize| Some((left.integer(row)?, right.integer(row)?));
    let subject = match is_date {
        true => "days from {0} to {1}",
        false => "seconds from {0} to {1}",
    };
    family.count(subject, &here, move |row| {
        both(row).map(|(left, right)| right - left)
    });
    let day = move |time: i128| match is_date {
        true => time as i64,
        false => time.div_euclid(DAY) as i64,
    };
    if !is_date {
        family.count("days from {0} to {1}", &here, move |row| {
            both(row).map(|(left, right)| i128::from(day(right) - day(left)))
        });
    }
    family.count("whole years from {0} to {1}", &here, move |row| {
        both(row).map(|(left, right)| whole_years(day(left), day(right)))
    });
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
