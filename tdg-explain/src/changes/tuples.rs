//! Tuples that `Debug` wrote, and objects with the members `0` to `n`, as arrays.

use std::borrow::Cow;

use tdg_definition::json::{Pointer, Value};
use tdg_engine::compare::DifferingCase;

/// The key for the names that `Debug` writes.
const NAME: &str = "$name";

/// Replaces the tuples in which two outputs differ by arrays.
pub(super) fn with_arrays(case: &DifferingCase) -> Cow<'_, DifferingCase> {
    let mut changed = Cow::Borrowed(case);
    for difference in &case.comparison.differences {
        let mut around = difference.pointer.clone();
        let is_place = around.pop().is_some_and(|it| it.parse::<usize>().is_ok());
        let both = [&changed.expected, &changed.actual].map(|it| tuple(around.find_in(it)?));
        if let [Some((name, left)), Some((other, right))] = both
            && is_place
            && (name, left.len()) == (other, right.len())
        {
            let arrays = [left, right].map(|it| it.into_iter().cloned().collect());
            let changed = changed.to_mut();
            let outputs = [&mut changed.expected, &mut changed.actual];
            for (output, array) in outputs.into_iter().zip::<[Value; 2]>(arrays) {
                if let Some(place) = around.find_mut(output) {
                    *place = array;
                }
            }
        }
    }
    changed
}

/// Returns the name and the places of a tuple.
fn tuple(value: &Value) -> Option<(Option<&Value>, Vec<&Value>)> {
    let members = value.as_object()?;
    let name = members.get(NAME);
    let places = (0..).map_while(|place: usize| members.get(&place.to_string()));
    let places: Vec<&Value> = places.collect();
    let is_tuple = places.len() > 1 && places.len() + usize::from(name.is_some()) == members.len();
    is_tuple.then_some((name, places))
}

/// Returns a field's name: `*` for any element of an array, but each place of a tuple has its own.
pub(super) fn name(pointer: &Pointer, output: &Value) -> Pointer {
    let mut around = Some(output);
    let segments = pointer.segments().map(|segment| {
        let is_element = around.is_some_and(|it| it.as_array().is_some());
        around = around.and_then(|it| Pointer::root().child(segment).find_in(it));
        if is_element { "*" } else { segment }
    });
    segments.collect()
}
