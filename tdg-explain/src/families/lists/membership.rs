//! Features contained in a list, and common elements of two lists.

use std::rc::Rc;

#[cfg(feature = "full")]
use super::super::dates::day;
#[cfg(feature = "full")]
use crate::Vocabulary;
use crate::attribute::Family;
#[cfg(feature = "full")]
use crate::table::ColumnKind;
use crate::table::{ComparedElement, PooledElements};

/// With more columns, there would be too many pairs.
const MANY: usize = 24;

pub(crate) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    let lists: Vec<_> = table
        .lists
        .iter()
        .filter(|list| list.are_scalars())
        .collect();
    for (index, list) in lists.iter().enumerate() {
        let kind = list.own()[0].kind;
        let features = table.positions(false, &[kind]);
        if !kind.is_comparable() || features.len() > MANY {
            continue;
        }
        let keys = list.keys(0);
        for feature in features {
            let (here, column) = ([list.list, feature], &table.columns[feature]);
            let values = Rc::clone(&keys);
            let words = ("{0} containing {1}", "{0} not containing {1}");
            family.flag(words, &here, move |row| {
                let (value, values) = (column.key(row)?, values[row].as_ref()?);
                Some(values.contains(&Some(value)))
            });
        }
        #[cfg(feature = "full")]
        if family.vocabulary == Vocabulary::Full {
            with_days(family, list);
        }
        let others = lists[index + 1..].iter();
        for other in others.filter(|it| it.own()[0].kind == kind) {
            of_two(family, [list, other]);
        }
    }
}

/// Compares the days of a list of times with dates, and the other way round.
#[cfg(feature = "full")]
fn with_days<'t>(family: &mut Family<'t, '_>, list: &'t PooledElements<'t>) {
    let times = &list.own()[0];
    let (kind, words) = match times.kind {
        ColumnKind::DateTime => (
            ColumnKind::Date,
            ("{0} with a time on {1}", "{0} without a time on {1}"),
        ),
        ColumnKind::Date => (
            ColumnKind::DateTime,
            (
                "{0} containing the day of {1}",
                "{0} not containing the day of {1}",
            ),
        ),
        _ => return,
    };
    let features = family.table.positions(false, &[kind]);
    for feature in features.into_iter().take(MANY) {
        let column = &family.table.columns[feature];
        family.flag(words, &[list.list, feature], move |row| {
            let (wanted, mut range) = (day(column, row)?, list.ranges[row].clone()?);
            Some(range.any(|element| day(times, element) == Some(wanted)))
        });
    }
}

/// Relations of two lists, with the words for each and for its negation.
const OF_TWO: [OfTwo; 4] = [
    ("{0} = {1}", "{0} != {1}", |left, right| left == right),
    (
        "{0} and {1} without common elements",
        "{0} and {1} with common elements",
        |left, right| !left.iter().any(|it| right.contains(it)),
    ),
    (
        "all of {0} in {1}",
        "not all of {0} in {1}",
        |left, right| left.iter().all(|it| right.contains(it)),
    ),
    (
        "all of {1} in {0}",
        "not all of {1} in {0}",
        |left, right| right.iter().all(|it| left.contains(it)),
    ),
];
type OfTwo = (
    &'static str,
    &'static str,
    fn(&[ComparedElement<'_>], &[ComparedElement<'_>]) -> bool,
);

fn of_two<'t>(family: &mut Family<'t, '_>, lists: [&PooledElements<'t>; 2]) {
    let [left, right] = lists.map(|list| list.keys(0));
    for (is, is_not, holds) in OF_TWO {
        let (left, right) = (Rc::clone(&left), Rc::clone(&right));
        let here = lists.map(|list| list.list);
        family.flag((is, is_not), &here, move |row| {
            Some(holds(left[row].as_ref()?, right[row].as_ref()?))
        });
    }
}
