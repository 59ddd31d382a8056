//! Three or more comparable features: their largest, smallest and median, and whether they are
//! sorted or tied.

use std::rc::Rc;

use tdg_definition::json::Number;
use tdg_definition::sort;

use super::super::attribute::{Family, Notation};
use super::super::table::{ColumnKind, ExplanationColumn, ExplanationTable, ORDERED};
use super::super::value::{difference, sum};
use super::comparable::alike;

/// The maximum size of a group of features.
const MANY: usize = 12;

/// The numbers of a row.
struct NumberRow {
    numbers: Vec<Number>,
    sorted: Vec<Number>,
}

impl NumberRow {
    /// Reads the numbers of a row; `None` if one is missing.
    fn new(columns: &[&ExplanationColumn<'_>], row: usize) -> Option<Self> {
        let numbers: Option<Vec<Number>> =
            columns.iter().map(|column| column.number(row)).collect();
        let numbers = numbers?;
        let mut sorted = numbers.clone();
        sorted.sort();
        Some(Self { numbers, sorted })
    }

    fn all(table: &ExplanationTable<'_>, group: &[usize]) -> Rc<[Option<Self>]> {
        let columns = group.iter().map(|position| &table.columns[*position]);
        let columns: Vec<&ExplanationColumn<'_>> = columns.collect();
        (0..table.size)
            .map(|row| Self::new(&columns, row))
            .collect()
    }

    fn smallest(&self) -> Number {
        self.sorted[0]
    }

    fn largest(&self) -> Number {
        self.sorted[self.sorted.len() - 1]
    }

    fn range(&self) -> Number {
        difference(self.largest(), self.smallest())
    }

    fn sum(&self) -> Number {
        self.numbers.iter().copied().fold(Number::from(0), sum)
    }

    fn median(&self) -> Number {
        self.sorted[self.sorted.len() / 2]
    }
}

/// A property of a row.
type RowQuestion = fn(&NumberRow) -> bool;
/// A property of one of its numbers.
type OfOne = fn(Number, &NumberRow) -> bool;
/// A measure of a row.
type Measured = fn(&NumberRow) -> Number;

const OF_ALL: [(&str, &str, RowQuestion); 3] = [
    ("two of {all} equal", "{all} all different", |row| {
        row.sorted.windows(2).any(|pair| pair[0] == pair[1])
    }),
    ("{all} all equal", "{all} not all equal", |row| {
        row.smallest() == row.largest()
    }),
    ("{all} ascending", "{all} not ascending", |row| {
        row.numbers.is_sorted()
    }),
];

const OF_ONE: [(&str, &str, OfOne); 6] = [
    (
        "{0} the largest of {all}",
        "{0} not the largest of {all}",
        |number, row| number == row.largest(),
    ),
    (
        "{0} the smallest of {all}",
        "{0} not the smallest of {all}",
        |number, row| number == row.smallest(),
    ),
    ("{0} above {rest}", "{0} not above {rest}", |number, row| {
        number > row.sorted[row.sorted.len() - 2]
    }),
    ("{0} below {rest}", "{0} not below {rest}", |number, row| {
        number < row.sorted[1]
    }),
    (
        "{0} strictly between {rest}",
        "{0} not strictly between {rest}",
        |number, row| row.smallest() < number && number < row.largest(),
    ),
    (
        "{0} the median of {all}",
        "{0} not the median of {all}",
        |number, row| row.sorted.len() % 2 == 1 && number == row.median(),
    ),
];

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    for kind in ORDERED {
        let mut features = table.positions(false, &[kind]);
        // Without one of them, a row has no such property, and that would decide.
        let is_optional =
            |column: usize| (0..table.size).any(|row| table.columns[column].is_null(row));
        features.retain(|column| !is_optional(*column));
        if features.len() > 4 * MANY {
            continue;
        }
        let pairs = alike(table, &features);
        let are_alike = |one, other| pairs.contains(&(one, other)) || pairs.contains(&(other, one));
        // The features that are all like each other, the first one among them.
        let group = |first: usize| -> Vec<usize> {
            let mut group = vec![first];
            for &feature in features.iter().filter(|it| **it != first) {
                if group.iter().all(|other| are_alike(*other, feature)) {
                    group.push(feature);
                }
            }
            sort::by(&mut group, Ord::cmp);
            group
        };
        let groups = features.iter().map(|first| group(*first));
        if let Some(group) = groups.max_by_key(Vec::len)
            && (3..=MANY).contains(&group.len())
        {
            of_group(family, &group, kind);
        }
    }
}

fn of_group(family: &mut Family<'_, '_>, group: &[usize], kind: ColumnKind) {
    let before = family.attributes.len();
    let table = family.table;
    // All properties need them, so they are computed once.
    let rows = NumberRow::all(table, group);
    for (is, is_not, holds) in OF_ALL {
        let rows = Rc::clone(&rows);
        family.flag((is, is_not), group, move |row| {
            rows[row].as_ref().map(holds)
        });
    }
    for (index, &position) in group.iter().enumerate() {
        let mut here = vec![position];
        here.extend(group.iter().filter(|other| **other != position));
        for (is, is_not, holds) in OF_ONE {
            let rows = Rc::clone(&rows);
            family.flag((is, is_not), &here, move |row| {
                let row = rows[row].as_ref()?;
                Some(holds(row.numbers[index], row))
            });
        }
    }
    let (number, notation) = (Notation::Number, Notation::of(kind));
    let is_odd = group.len() % 2 == 1;
    let measured: [(bool, &str, Notation, Measured); 5] = [
        (true, "the largest of {all}", notation, NumberRow::largest),
        (true, "the smallest of {all}", notation, NumberRow::smallest),
        (true, "the range of {all}", number, NumberRow::range),
        (is_odd, "the median of {all}", notation, NumberRow::median),
        (
            notation == number,
            "the sum of {all}",
            number,
            NumberRow::sum,
        ),
    ];
    for (_, subject, notation, measure) in measured.into_iter().filter(|(has_it, ..)| *has_it) {
        let rows = Rc::clone(&rows);
        family.number(subject, notation, group, move |row| {
            rows[row].as_ref().map(measure)
        });
    }
    // Properties of many features are less likely.
    for attribute in &mut family.attributes[before..] {
        attribute.rarer(group.len() as f64 - 3.0);
    }
}
