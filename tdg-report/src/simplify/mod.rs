//! The simplest row that fails like a given one.
//!
//! Each value, and each part of it, is moved towards its simplest form while the row still fails,
//! in passes over all features, until no move succeeds. A move leads to a simpler value (`key`)
//! that the feature can have, so a row never leaves its definition and the search ends. The search
//! is deterministic.

mod grid;
mod key;
mod place;
mod text;

use std::ops::Range;

use tdg_definition::distribution::{Parts, Support};
use tdg_definition::json::{Number, Object, Value};
use tdg_definition::{Definition, Feature, FeatureType, following, is_ordered, key_of, name_of};

use grid::Grid;
use key::key;
use place::ValuePlace;

/// The maximum number of calls of the function.
pub const CALLS: usize = 500;

/// The simplest row found.
#[derive(Clone, Debug, PartialEq)]
pub struct Simplified {
    /// Its values, one for each feature.
    pub row: Vec<Value>,
    /// The number of calls of the function.
    pub calls: usize,
}

/// Searches for the simplest row that still fails, starting from a failing row with a value for
/// each feature.
///
/// Calls `fails` at most [`CALLS`] times.
///
/// ```
/// use tdg_definition::Definition;
/// use tdg_report::simplify::simplify;
///
/// let definition = Definition::parse(r#"{"features": [
///     {"feature_name": "amount", "type": "FLOAT",
///      "distribution": {"type": "uniform", "min": 0, "max": 5000}},
///     {"feature_name": "coupon", "type": "STRING",
///      "distribution": {"type": "categorical", "categories": [
///          {"value": "NONE", "probability": 0.7}, {"value": "HALF", "probability": 0.3}]}}
/// ]}"#)?;
/// let row = vec![4711.081_5.into(), "HALF".into()];
/// let simplest = simplify(&definition, row, &mut |row| row[0].as_f64() > Some(1000.0));
/// assert_eq!(simplest.row, [1001.0.into(), "NONE".into()]);
/// # Ok::<(), tdg_definition::Faults>(())
/// ```
pub fn simplify(
    definition: &Definition,
    row: Vec<Value>,
    fails: &mut dyn FnMut(&[Value]) -> bool,
) -> Simplified {
    let search = Search {
        features: definition.features(),
        definition: Some(definition),
        row,
        fails,
        calls: 0,
    };
    search.run()
}

struct Search<'a> {
    features: &'a [Feature],
    /// The constraints between values.
    definition: Option<&'a Definition>,
    /// The simplest row so far.
    row: Vec<Value>,
    fails: &'a mut dyn FnMut(&[Value]) -> bool,
    calls: usize,
}

impl<'a> Search<'a> {
    fn run(mut self) -> Simplified {
        loop {
            let before = self.row.clone();
            for place in ValuePlace::of_row(self.features).take(before.len()) {
                self.simplify(&place);
            }
            if self.row == before || self.calls == CALLS {
                break;
            }
        }
        Simplified {
            row: self.row,
            calls: self.calls,
        }
    }

    fn value(&self, place: &ValuePlace<'a>) -> Value {
        place.value(&self.row).into_owned()
    }

    /// Moves to this value if it is simpler and the row still fails. True if the row has it now.
    fn attempt(&mut self, place: &ValuePlace<'a>, value: Value) -> bool {
        let present = self.value(place);
        // Compares text, because 0.0 equals -0.0.
        if present.to_string() == value.to_string() {
            return true;
        }
        let is_simpler = key(place.feature, &value) < key(place.feature, &present);
        is_simpler && self.move_to(place, value)
    }

    /// Moves to this value, which is simpler, if the row still fails. Returns true if it has moved.
    fn move_to(&mut self, place: &ValuePlace<'a>, value: Value) -> bool {
        // The value alone is checked first, since the value around it may be large.
        if self.calls == CALLS || !place.feature.admits(&value) {
            return false;
        }
        let position = place.position;
        let moved = place.with(&self.row, value);
        if !self.features[position].admits(&moved) {
            return false;
        }
        let before = self.row.clone();
        self.row[position] = moved;
        let mut fails = self.is_consistent() || self.follow(place, &before);
        if fails {
            self.calls += 1;
            fails = (self.fails)(&self.row);
        }
        if !fails {
            self.row = before;
        }
        fails
    }

    fn is_consistent(&self) -> bool {
        self.definition.is_none_or(|it| is_ordered(it, &self.row))
    }

    /// Adapts the other values to the one that moved. Returns true if the row then fits its
    /// definition and the value at this place is simpler than before.
    fn follow(&mut self, place: &ValuePlace<'a>, before: &[Value]) -> bool {
        let Some(definition) = self.definition else {
            return false;
        };
        self.row = following(definition, before, &self.row);
        let key = |row: &[Value]| key(place.feature, &place.value(row));
        let mut values = self.features.iter().zip(&self.row).zip(before);
        self.is_consistent()
            && key(&self.row) < key(before)
            && values.all(|((feature, value), before)| value == before || feature.admits(value))
    }

    fn simplify(&mut self, place: &ValuePlace<'a>) {
        if self.calls == CALLS || self.attempt(place, Value::Null) {
            return;
        }
        for value in listed(&place.feature.support()) {
            if self.attempt(place, value) {
                return;
            }
        }
        match place.feature.feature_type() {
            FeatureType::Boolean => {}
            FeatureType::String | FeatureType::Bytes => self.simplify_text(place),
            FeatureType::List => {
                self.drop_elements(place);
                self.simplify_keys(place);
            }
            FeatureType::Object | FeatureType::Variant => {}
            _ => self.simplify_amount(place),
        }
        for part in place.parts(&self.row) {
            self.simplify(&part);
        }
    }

    /// Moves a number or a date towards the simplest one, on coarse grids first.
    fn simplify_amount(&mut self, place: &ValuePlace<'a>) {
        let target = key::target(place.feature);
        if self.attempt(place, target.clone()) {
            return;
        }
        if let Some(positive) = grid::negated(&self.value(place)) {
            self.attempt(place, positive);
        }
        self.drop_leading_digits(place);
        for grid in Grid::all(place.feature) {
            self.move_along(place, &grid, &target);
        }
    }

    /// Keeps the fewest last digits of an integer that still fail, which bisection would skip.
    fn drop_leading_digits(&mut self, place: &ValuePlace<'a>) {
        let number = self.value(place).as_number();
        let Some(integer) = number.filter(|it| !it.is_float()).and_then(Number::as_i128) else {
            return;
        };
        let scales = std::iter::successors(Some(10_i128), |scale| scale.checked_mul(10));
        for scale in scales.take_while(|scale| *scale <= integer.abs()) {
            if self.attempt(place, Value::from(integer % scale)) {
                return;
            }
        }
    }

    /// Moves onto the grid, then along it by bisection.
    fn move_along(&mut self, place: &ValuePlace<'a>, grid: &Grid, target: &Value) {
        let (Some(value), Some(target)) = (grid.around(&self.value(place)), grid.around(target))
        else {
            return;
        };
        let is_above = value.0 >= target.0;
        let (near, far) = if is_above { value } else { (value.1, value.0) };
        let mut attempt = |index| {
            let value = grid.value(index);
            value.is_some_and(|value| self.attempt(place, value))
        };
        let failing = [near, far].into_iter().find(|index| attempt(*index));
        let Some(mut failing) = failing else {
            return;
        };
        let mut passing = if is_above { target.1 } else { target.0 };
        if (failing - passing).signum() != if is_above { 1 } else { -1 } || attempt(passing) {
            return;
        }
        while (failing - passing).abs() > 1 {
            let middle = passing + (failing - passing) / 2;
            if attempt(middle) {
                failing = middle;
            } else {
                passing = middle;
            }
        }
    }

    /// Removes as many elements of a list or a map as possible: halves, quarters, single ones.
    fn drop_elements(&mut self, place: &ValuePlace<'a>) {
        let mut width = length(&self.value(place));
        while width > 0 {
            let mut start = 0;
            loop {
                let whole = self.value(place);
                if start >= length(&whole) {
                    break;
                }
                if !self.attempt(place, without(whole, start..start + width)) {
                    start += width;
                }
                if self.calls == CALLS {
                    return;
                }
            }
            width /= 2;
        }
    }

    /// Simplifies each key of a map, as the value of a separate row.
    fn simplify_keys(&mut self, place: &ValuePlace<'a>) {
        let Parts::Entries(entry) = place.feature.parts() else {
            return;
        };
        let Parts::Members([keys, _]) = entry.parts() else {
            return;
        };
        let names = self.value(place);
        let names = names.as_object().into_iter().flat_map(Object::keys);
        for name in names {
            let Some(key) = key_of(keys.feature_type(), name) else {
                continue;
            };
            let (calls, mut present) = (self.calls, name.clone());
            let mut fails = |row: &[Value]| {
                let renamed = renamed(&self.value(place), &present, &row[0]);
                renamed.is_some_and(|(map, name)| {
                    let fails = self.move_to(place, map);
                    if fails {
                        present = name;
                    }
                    fails
                })
            };
            let search = Search {
                features: std::slice::from_ref(keys),
                definition: None,
                row: vec![key],
                fails: &mut fails,
                calls,
            };
            search.run();
        }
    }

    /// Shortens a string, then makes its characters plainer.
    fn simplify_text(&mut self, place: &ValuePlace<'a>) {
        match place.feature.support() {
            Support::Drawn => return,
            Support::Strings { simplest, .. } => {
                self.attempt(place, simplest.into());
            }
            _ => {
                self.attempt(place, "".into());
            }
        }
        self.shorten(place);
        let characters = self.characters(place).into_iter();
        let all_plain = characters.map(text::plain).collect();
        self.attempt_text(place, all_plain);
        let mut at = 0;
        while let Some(&character) = self.characters(place).get(at) {
            for plainer in text::plainer(character) {
                let mut characters = self.characters(place);
                characters[at] = plainer;
                if self.attempt_text(place, characters) {
                    break;
                }
            }
            if self.calls == CALLS {
                return;
            }
            at += 1;
        }
    }

    /// Removes halves, quarters, … and single characters.
    fn shorten(&mut self, place: &ValuePlace<'a>) {
        let mut length = self.characters(place).len() / 2;
        while length > 0 {
            let mut start = 0;
            while start + length <= self.characters(place).len() && self.calls < CALLS {
                let mut left = self.characters(place);
                left.drain(start..start + length);
                if !self.attempt_text(place, left) {
                    start += length;
                }
            }
            length /= 2;
        }
        // A single character has no half.
        if let [_] = self.characters(place)[..] {
            self.attempt(place, "".into());
        }
    }

    fn characters(&self, place: &ValuePlace<'a>) -> Vec<char> {
        text::characters(place.feature, &self.value(place))
    }

    fn attempt_text(&mut self, place: &ValuePlace<'a>, characters: Vec<char>) -> bool {
        let value = text::of_characters(place.feature, characters);
        self.attempt(place, value)
    }
}

/// Returns the number of elements of a list or a map.
fn length(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.len(),
        Value::Object(entries) => entries.len(),
        _ => 0,
    }
}

/// Returns a list or a map without the elements in this range.
fn without(value: Value, range: Range<usize>) -> Value {
    match value {
        Value::Array(mut elements) => {
            elements.drain(range.start..range.end.min(elements.len()));
            Value::Array(elements)
        }
        Value::Object(entries) => {
            let entries = entries.into_iter().enumerate();
            let left = entries.filter(|(at, _)| !range.contains(at));
            Value::object(left.map(|(_, entry)| entry))
        }
        other => other,
    }
}

/// Replaces a key of a map and returns its new name too, or `None` if the map has that key already.
fn renamed(map: &Value, name: &str, key: &Value) -> Option<(Value, String)> {
    let mut entries = map.as_object()?.clone();
    let new = name_of(key);
    if new != name && entries.contains_key(&new) {
        return None;
    }
    let value = entries.remove(name)?;
    entries.insert(new.clone(), value);
    Some((Value::Object(entries), new))
}

/// Returns the listed values, in order.
fn listed(support: &Support<'_>) -> Vec<Value> {
    match support {
        Support::Values(values) => values.clone(),
        Support::Any(parts) => parts.iter().flat_map(listed).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
