//! The order of elements, and equal elements.

use std::rc::Rc;

use tdg_definition::sort;

use crate::attribute::{Family, Measure, Notation};
use crate::table::{ColumnKind, ComparedElement};

type OfList = (
    &'static str,
    &'static str,
    fn(&[ComparedElement<'_>]) -> bool,
);

/// Properties of the order of elements, with the words for each and for its negation.
const ORDER: [OfList; 8] = [
    ("rising", "not rising", |keys| keys.is_sorted()),
    ("strictly rising", "not strictly rising", |keys| {
        keys.is_sorted_by(|left, right| left < right)
    }),
    ("falling", "not falling", |keys| {
        keys.is_sorted_by(|left, right| left >= right)
    }),
    ("strictly falling", "not strictly falling", |keys| {
        keys.is_sorted_by(|left, right| left > right)
    }),
    (
        "with its largest first",
        "without its largest first",
        |keys| !keys.is_empty() && keys.first() == keys.iter().max(),
    ),
    (
        "with its largest last",
        "without its largest last",
        |keys| !keys.is_empty() && keys.last() == keys.iter().max(),
    ),
    (
        "with its smallest first",
        "without its smallest first",
        |keys| !keys.is_empty() && keys.first() == keys.iter().min(),
    ),
    (
        "with its smallest last",
        "without its smallest last",
        |keys| !keys.is_empty() && keys.last() == keys.iter().min(),
    ),
];

/// Properties of equal elements.
const EQUALITY: [OfList; 4] = [
    ("with equal elements", "without equal elements", has_equal),
    ("all equal", "not all equal", |keys| {
        keys.windows(2).all(|pair| pair[0] == pair[1])
    }),
    (
        "with equal neighbours",
        "without equal neighbours",
        |keys| keys.windows(2).any(|pair| pair[0] == pair[1]),
    ),
    ("the same backwards", "not the same backwards", |keys| {
        keys.iter().eq(keys.iter().rev())
    }),
];

pub(crate) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    for list in &table.lists {
        let column = &table.columns[list.list];
        let words = ("length of {0} even", "length of {0} odd");
        let is_even = |row: usize| Some(column.length(row)? % 2 == 0);
        family.flag(words, &[list.list], is_even).rarer(1.0);
        for (at, column) in list.own().iter().enumerate() {
            if !column.kind.is_comparable() {
                continue;
            }
            let (keys, path) = (list.keys(at), list.path(at));
            // Bytes are compared in their written form, which has a different order.
            let order = ORDER.iter().filter(|_| column.kind != ColumnKind::Bytes);
            let flags = order.map(|flag| (flag, true));
            let flags = flags.chain(EQUALITY.iter().map(|flag| (flag, false)));
            for (&(is, is_not, holds), is_order) in flags {
                let keys = Rc::clone(&keys);
                let flag = Measure::Flag(Box::new(move |row| {
                    let keys = keys[row].as_ref()?;
                    // A null is neither above nor below anything.
                    let is_known = !is_order || keys.iter().all(Option::is_some);
                    is_known.then(|| holds(keys))
                }));
                let (is, is_not) = (format!("{path} {is}"), format!("{path} {is_not}"));
                family.push(is, is_not, &[list.list], flag);
            }
            let subject = format!("number of different elements of {path}");
            let different = move |row: usize| Some((distinct(keys[row].as_ref()?) as i64).into());
            let number = Measure::Number(Notation::Number, Box::new(different));
            family.push(subject, "", &[list.list], number);
        }
    }
}

fn has_equal(keys: &[ComparedElement<'_>]) -> bool {
    distinct(keys) < keys.len()
}

fn distinct(keys: &[ComparedElement<'_>]) -> usize {
    sort::distinct(keys.to_vec()).len()
}
