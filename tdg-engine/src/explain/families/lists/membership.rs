//! Which features a list contains, and what two lists have in common.

use std::rc::Rc;

use super::super::super::attribute::Family;

/// With more columns their pairs would be too many.
const MANY: usize = 24;

pub(in super::super::super) fn attributes(family: &mut Family<'_, '_>) {
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
            let index = move |row: usize| {
                let (value, values) = (column.key(row)?, values[row].as_ref()?);
                Some(values.iter().position(|it| *it == Some(value)))
            };
            let of = index.clone();
            family.flag(
                ("{0} containing {1}", "{0} not containing {1}"),
                &here,
                move |row| of(row).map(|index| index.is_some()),
            );
            family.count("index of {1} in {0}", &here, move |row| {
                index(row)?.map(|index| index as i128)
            });
        }
        for other in lists[index + 1..]
            .iter()
            .filter(|it| it.own()[0].kind == kind)
        {
            of_two(
                family,
                [list.list, other.list],
                [Rc::clone(&keys), other.keys(0)],
            );
        }
    }
}

/// The values of each row's elements.
type Keys<'t> = Rc<[Option<Vec<Option<super::super::super::attribute::AttributeValue<'t>>>>]>;

fn of_two<'t>(family: &mut Family<'t, '_>, here: [usize; 2], [left, right]: [Keys<'t>; 2]) {
    let both = move |row: usize| Some((left[row].clone()?, right[row].clone()?));
    let equal = both.clone();
    family.flag(("{0} = {1}", "{0} != {1}"), &here, move |row| {
        equal(row).map(|(left, right)| left == right)
    });
    let disjoint = both.clone();
    family.flag(
        (
            "{0} and {1} without common elements",
            "{0} and {1} with common elements",
        ),
        &here,
        move |row| disjoint(row).map(|(left, right)| !left.iter().any(|it| right.contains(it))),
    );
    for (is, is_not, turned) in [
        ("all of {0} in {1}", "not all of {0} in {1}", false),
        ("all of {1} in {0}", "not all of {1} in {0}", true),
    ] {
        let both = both.clone();
        family.flag((is, is_not), &here, move |row| {
            let (left, right) = both(row)?;
            let (part, whole) = if turned { (right, left) } else { (left, right) };
            Some(part.iter().all(|it| whole.contains(it)))
        });
    }
}
