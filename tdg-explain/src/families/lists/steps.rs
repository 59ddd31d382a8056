//! Which elements follow each other, and of which there are more: for lists of operations.

use std::rc::Rc;

use tdg_definition::sort;

use crate::attribute::{Family, Measure};
use crate::table::ColumnKind;
use crate::table::PooledElements;
use crate::value::AttributeValue;

/// Of more kinds of elements the pairs would be too many.
const KINDS: usize = 12;

pub(crate) fn attributes(family: &mut Family<'_, '_>) {
    for list in &family.table.lists {
        let named = list
            .own()
            .iter()
            .position(|column| matches!(column.kind, ColumnKind::Text | ColumnKind::Variant));
        if let Some(at) = named {
            of_names(family, list, at);
        }
    }
}

fn of_names<'t>(family: &mut Family<'t, '_>, list: &'t PooledElements<'t>, at: usize) {
    let (lists, column) = (list.keys(at), &list.own()[at]);
    let names = (0..list.table.size).filter_map(|element| column.text(element));
    let mut names: Vec<&'t str> = names.collect();
    sort::by(&mut names, Ord::cmp);
    names.dedup();
    if names.len() > KINDS {
        return;
    }
    let path = list.path(at);
    let pairs = names
        .iter()
        .flat_map(|left| names.iter().map(move |right| (*left, *right)));
    for (first, second) in pairs {
        let [one, other] = [first, second].map(|name| Some(AttributeValue::Text(name)));
        let of = Rc::clone(&lists);
        let follows = move |row: usize| {
            let pairs = of[row].as_ref()?.windows(2);
            Some(pairs.into_iter().any(|pair| *pair == [one, other]))
        };
        let follows = Measure::Flag(Box::new(follows));
        let is = format!("{path} with {second} directly after {first}");
        let is_not = format!("{path} without {second} directly after {first}");
        family.push(is, is_not, &[list.list], follows);
        if first == second {
            continue;
        }
        let of = Rc::clone(&lists);
        let is_more = move |row: usize| {
            let names = of[row].as_ref()?;
            let count = |name| names.iter().filter(|it| **it == name).count();
            Some(count(one) > count(other))
        };
        let is_more = Measure::Flag(Box::new(is_more));
        let is = format!("{path} with more {first} than {second}");
        let is_not = format!("{path} without more {first} than {second}");
        family.push(is, is_not, &[list.list], is_more);
    }
}
