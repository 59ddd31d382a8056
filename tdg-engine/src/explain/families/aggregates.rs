//! Three and more comparable features: the largest, the smallest, the middle one, whether they
//! are sorted or tied.

use tdg_definition::json::Number;

use super::super::attribute::{Family, Notation};
use super::super::table::{Column, Kind};
use super::comparable::{difference, pairs, sum};

/// More features are not one group.
const MANY: usize = 12;

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    for kinds in [
        &[Kind::Integer, Kind::Float][..],
        &[Kind::Date],
        &[Kind::DateTime],
    ] {
        let features = table.positions(false, kinds);
        let pairs = pairs(table, &features, &features);
        // The features that are comparable with the first that is comparable with two.
        let group = |first: usize| -> Vec<usize> {
            let is_like = |other: &usize| {
                *other == first
                    || pairs.contains(&(first, *other))
                    || pairs.contains(&(*other, first))
            };
            features.iter().copied().filter(is_like).collect()
        };
        let groups = features.iter().map(|first| group(*first));
        if let Some(group) = groups.max_by_key(|group| group.len())
            && (3..=MANY).contains(&group.len())
        {
            of_group(family, &group, kinds[0]);
        }
    }
}

fn of_group(family: &mut Family<'_, '_>, group: &[usize], kind: Kind) {
    let before = family.attributes.len();
    let table = family.table;
    let columns: Vec<&Column<'_>> = group
        .iter()
        .map(|position| &table.columns[*position])
        .collect();
    let numbers = move |row: usize| -> Option<Vec<Number>> {
        columns.iter().map(|column| column.number(row)).collect()
    };
    let sorted = {
        let numbers = numbers.clone();
        move |row: usize| {
            let mut numbers = numbers(row)?;
            numbers.sort();
            Some(numbers)
        }
    };
    /// What is asked of all numbers in order of size, or of the features.
    type Asked = fn(&[Number]) -> bool;
    let of_sorted: [(&str, &str, Asked); 4] = [
        ("two of {all} equal", "{all} all different", |sorted| {
            sorted.windows(2).any(|pair| pair[0] == pair[1])
        }),
        ("{all} all equal", "{all} not all equal", |sorted| {
            sorted.first() == sorted.last()
        }),
        (
            "the largest of {all} twice",
            "the largest of {all} once",
            |sorted| sorted[sorted.len() - 1] == sorted[sorted.len() - 2],
        ),
        (
            "the smallest of {all} twice",
            "the smallest of {all} once",
            |sorted| sorted[0] == sorted[1],
        ),
    ];
    for (is, is_not, holds) in of_sorted {
        let sorted = sorted.clone();
        family.flag((is, is_not), group, move |row| Some(holds(&sorted(row)?)));
    }
    let of_order: [(&str, &str, Asked); 4] = [
        ("{all} ascending", "{all} not ascending", |numbers| {
            numbers.is_sorted()
        }),
        (
            "{all} strictly ascending",
            "{all} not strictly ascending",
            |numbers| numbers.windows(2).all(|pair| pair[0] < pair[1]),
        ),
        ("{all} descending", "{all} not descending", |numbers| {
            numbers.windows(2).all(|pair| pair[0] >= pair[1])
        }),
        (
            "{all} strictly descending",
            "{all} not strictly descending",
            |numbers| numbers.windows(2).all(|pair| pair[0] > pair[1]),
        ),
    ];
    for (is, is_not, holds) in of_order {
        let numbers = numbers.clone();
        family.flag((is, is_not), group, move |row| Some(holds(&numbers(row)?)));
    }
    /// What is asked of one of the numbers, and all in order of size.
    type Place = fn(Number, &[Number]) -> bool;
    let of_one: [(&str, &str, Place); 6] = [
        (
            "{0} the largest of {rest}",
            "{0} not the largest of {rest}",
            |number, sorted| Some(&number) == sorted.last(),
        ),
        (
            "{0} the smallest of {rest}",
            "{0} not the smallest of {rest}",
            |number, sorted| number == sorted[0],
        ),
        (
            "{0} above {rest}",
            "{0} not above {rest}",
            |number, sorted| number > sorted[sorted.len() - 2],
        ),
        (
            "{0} below {rest}",
            "{0} not below {rest}",
            |number, sorted| number < sorted[1],
        ),
        (
            "{0} strictly between {rest}",
            "{0} not strictly between {rest}",
            |number, sorted| sorted[0] < number && Some(&number) < sorted.last(),
        ),
        (
            "{0} the median of {rest}",
            "{0} not the median of {rest}",
            |number, sorted| sorted.len() % 2 == 1 && number == sorted[sorted.len() / 2],
        ),
    ];
    for (index, &position) in group.iter().enumerate() {
        let mut here = vec![position];
        here.extend(group.iter().filter(|other| **other != position));
        for (is, is_not, holds) in of_one {
            let (numbers, sorted) = (numbers.clone(), sorted.clone());
            family.flag((is, is_not), &here, move |row| {
                Some(holds(numbers(row)?[index], &sorted(row)?))
            });
        }
    }
    let notation = match kind {
        Kind::Date => Notation::Date,
        Kind::DateTime => Notation::DateTime,
        _ => Notation::Number,
    };
    let (largest, smallest, middle, all) = (
        sorted.clone(),
        sorted.clone(),
        sorted.clone(),
        numbers.clone(),
    );
    family.number("the largest of {all}", notation, group, move |row| {
        largest(row)?.last().copied()
    });
    family.number("the smallest of {all}", notation, group, move |row| {
        smallest(row)?.first().copied()
    });
    if group.len() % 2 == 1 {
        family.number("the median of {all}", notation, group, move |row| {
            let sorted = middle(row)?;
            Some(sorted[sorted.len() / 2])
        });
    }
    if notation == Notation::Number {
        family.number("the sum of {all}", notation, group, move |row| {
            Some(all(row)?.into_iter().fold(Number::from(0), sum))
        });
    }
    family.number("the range of {all}", Notation::Number, group, move |row| {
        let sorted = sorted(row)?;
        Some(difference(*sorted.last()?, sorted[0]))
    });
    // Many features are seldom looked at together.
    for attribute in &mut family.attributes[before..] {
        attribute.rarer(group.len() as f64 - 3.0);
    }
}
