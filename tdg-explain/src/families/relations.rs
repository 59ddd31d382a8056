//! Comparisons of two features: `a < b`, `a = b`, a text's length and a number, two texts.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::rc::Rc;

use super::super::attribute::Family;
use super::super::table::{ColumnKind, ORDERED};
use super::comparable::{contents, has_lengths, have_similar_lengths, pairs};

/// With more features, there would be too many pairs.
const MANY: usize = 24;

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    let ordered = table.positions(false, &ORDERED);
    if ordered.len() <= MANY {
        for (first, second) in pairs(family, &ordered, &ordered) {
            numbers(family, first, second);
        }
    }
    let texts = table.positions(false, &[ColumnKind::Text]);
    if texts.len() <= MANY {
        for (index, &first) in texts.iter().enumerate() {
            for &second in &texts[index + 1..] {
                of_texts(family, first, second);
            }
        }
        let is_sized = |it: &usize| has_lengths(table, *it);
        let sized: Vec<usize> = texts.iter().copied().filter(is_sized).collect();
        two_lengths(family, &sized);
    }
    let lists = table.positions(false, &[ColumnKind::List]);
    let sized = texts.into_iter().chain(lists.iter().copied());
    let sized: Vec<usize> = sized.filter(|it| has_lengths(table, *it)).collect();
    let integers = table.positions(false, &[ColumnKind::Integer]);
    if sized.len() * integers.len() <= MANY {
        for sized in sized {
            for &integer in &integers {
                lengths(family, sized, integer);
            }
        }
    }
    if lists.len() <= MANY {
        two_lengths(family, &lists);
    }
}

/// The tested orders of two numbers. Of those that hold in the same rows, the first is said.
pub(super) type NumberOrder = (&'static str, &'static str, fn(Ordering) -> bool);

const ORDERS: [NumberOrder; 3] = [
    ("{0} = {1}", "{0} != {1}", Ordering::is_eq),
    ("{0} < {1}", "{0} >= {1}", Ordering::is_lt),
    ("{0} <= {1}", "{0} > {1}", Ordering::is_le),
];

/// Compares two numbers: below, equal, or above.
pub(super) fn numbers(family: &mut Family<'_, '_>, first: usize, second: usize) {
    let table = family.table;
    let (left, right) = (&table.columns[first], &table.columns[second]);
    let compared = move |row: usize| Some(left.number(row)?.cmp(&right.number(row)?));
    orders(family, &ORDERS, &[first, second], compared);
}

/// Adds a flag for each of these orders. Of many elements of lists, few are searched, so a row is
/// compared when the first flag is asked about it.
pub(super) fn orders<'t>(
    family: &mut Family<'t, '_>,
    orders: &[NumberOrder],
    here: &[usize],
    compared: impl Fn(usize) -> Option<Ordering> + 't,
) {
    let known: Vec<OnceCell<Option<Ordering>>> = vec![OnceCell::new(); family.table.size];
    let compared: Rc<dyn Fn(usize) -> Option<Ordering> + 't> =
        Rc::new(move |row: usize| *known[row].get_or_init(|| compared(row)));
    for &(is, is_not, holds) in orders {
        let compared = Rc::clone(&compared);
        family.flag((is, is_not), here, move |row| compared(row).map(holds));
    }
}

/// Compares two texts: equality and containment.
pub(super) fn of_texts(family: &mut Family<'_, '_>, first: usize, second: usize) {
    let table = family.table;
    let (left, right) = (&table.columns[first], &table.columns[second]);
    let here = [first, second];
    let texts = |row: usize| Some((left.text(row)?, right.text(row)?));
    // If only one text is in both, it is the value of each.
    let equal = (0..table.size).filter_map(texts);
    let mut equal = equal.filter(|(left, right)| left == right);
    let first_equal = equal.next();
    if equal.any(|it| Some(it) != first_equal) {
        family.flag(("{0} = {1}", "{0} != {1}"), &here, move |row| {
            texts(row).map(|(left, right)| left == right)
        });
    }
    if contents(table, first).is_none() || contents(table, second).is_none() {
        return;
    }
    for (is, is_not, turned) in [
        ("{0} containing {1}", "{0} not containing {1}", false),
        ("{1} containing {0}", "{1} not containing {0}", true),
    ] {
        family.flag((is, is_not), &here, move |row| {
            let (left, right) = texts(row)?;
            let (whole, part) = if turned { (right, left) } else { (left, right) };
            Some(whole.contains(part))
        });
    }
    let words = ("{0} starting with {1}", "{0} not starting with {1}");
    family.flag(words, &here, move |row| {
        texts(row).map(|(left, right)| left.starts_with(right))
    });
}

/// Compares the lengths of two texts or lists, if they are similar.
fn two_lengths(family: &mut Family<'_, '_>, columns: &[usize]) {
    let table = family.table;
    for (index, &first) in columns.iter().enumerate() {
        for &second in &columns[index + 1..] {
            if have_similar_lengths(table, first, second) {
                let [left, right] = [first, second].map(|it| &table.columns[it]);
                let compared = move |row: usize| Some(left.length(row)?.cmp(&right.length(row)?));
                orders(family, &OF_LENGTHS, &[first, second], compared);
            }
        }
    }
}

fn lengths(family: &mut Family<'_, '_>, sized: usize, integer: usize) {
    let table = family.table;
    let (column, integers) = (&table.columns[sized], &table.columns[integer]);
    let length = move |row: usize| column.length(row);
    // A number that no length reaches isn't a length.
    let rows = 0..table.size.min(1000);
    let longest = rows.clone().filter_map(length).max();
    let in_range = |row: &usize| {
        integers
            .integer(*row)
            .is_some_and(|number| (0..=longest.unwrap_or(0)).contains(&number))
    };
    let share = rows.clone().filter(in_range).count();
    if share * 10 < rows.len() {
        return;
    }
    let compared = move |row: usize| Some(length(row)?.cmp(&integers.integer(row)?));
    orders(family, &LENGTHS, &[sized, integer], compared);
}

/// The tested orders of a length and a number.
const LENGTHS: [NumberOrder; 3] = [
    (
        "length of {0} < {1}",
        "length of {0} >= {1}",
        Ordering::is_lt,
    ),
    (
        "length of {0} <= {1}",
        "length of {0} > {1}",
        Ordering::is_le,
    ),
    (
        "length of {0} = {1}",
        "length of {0} != {1}",
        Ordering::is_eq,
    ),
];

/// The tested orders of two lengths.
const OF_LENGTHS: [NumberOrder; 3] = [
    (
        "length of {0} < length of {1}",
        "length of {0} >= length of {1}",
        Ordering::is_lt,
    ),
    (
        "length of {0} <= length of {1}",
        "length of {0} > length of {1}",
        Ordering::is_le,
    ),
    (
        "length of {0} = length of {1}",
        "length of {0} != length of {1}",
        Ordering::is_eq,
    ),
];
