//! The simplest row that fails like a given one.
//!
//! Each feature is moved towards its simplest value while the row still fails, in passes over all
//! features, until no move succeeds. A move is to a value that the feature can have and that is
//! simpler (`key`), so a row never leaves its definition and the search ends. It makes the same
//! moves every time.

mod grid;
mod key;
mod text;

use tdg_definition::distribution::Support;
use tdg_definition::json::{Number, Value};
use tdg_definition::{Definition, Feature, FeatureType, is_ordered};

use grid::Grid;
use key::{SimplicityKey, key};

/// The most calls of the function.
pub const CALLS: usize = 500;

/// The simplest row found.
#[derive(Clone, Debug, PartialEq)]
pub struct Simplified {
    /// Its values, one for each feature.
    pub row: Vec<Value>,
    /// How often the function was called.
    pub calls: usize,
}

/// Looks for the simplest row that still fails, from a failing row with a value for each feature.
///
/// `fails` is called at most [`CALLS`] times.
///
/// ```
/// use tdg_definition::Definition;
/// use tdg_engine::simplify::simplify;
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
    let mut search = Search {
        definition,
        row,
        fails,
        calls: 0,
    };
    loop {
        let before = search.row.clone();
        for position in 0..search.row.len().min(definition.features().len()) {
            search.simplify(position);
        }
        if search.row == before || search.calls == CALLS {
            break;
        }
    }
    Simplified {
        row: search.row,
        calls: search.calls,
    }
}

struct Search<'a> {
    definition: &'a Definition,
    /// The simplest row so far.
    row: Vec<Value>,
    fails: &'a mut dyn FnMut(&[Value]) -> bool,
    calls: usize,
}

impl<'a> Search<'a> {
    fn feature(&self, position: usize) -> &'a Feature {
        &self.definition.features()[position]
    }

    /// Moves to this value if it is simpler and the row still fails. Whether the row has it now.
    fn attempt(&mut self, position: usize, value: Value) -> bool {
        // As text, because 0.0 equals -0.0.
        if self.row[position].to_string() == value.to_string() {
            return true;
        }
        let feature = self.feature(position);
        let is_simpler = self.key(position, &value) < self.key(position, &self.row[position]);
        if !is_simpler || self.calls == CALLS || !feature.admits(&value) {
            return false;
        }
        let before = std::mem::replace(&mut self.row[position], value);
        let mut fails = is_ordered(self.definition, &self.row);
        if fails {
            self.calls += 1;
            fails = (self.fails)(&self.row);
        }
        if !fails {
            self.row[position] = before;
        }
        fails
    }

    fn key(&self, position: usize, value: &Value) -> SimplicityKey {
        key(self.feature(position), value)
    }

    fn simplify(&mut self, position: usize) {
        if self.attempt(position, Value::Null) {
            return;
        }
        let feature = self.feature(position);
        for value in listed(&feature.support()) {
            if self.attempt(position, value) {
                return;
            }
        }
        match feature.feature_type() {
            FeatureType::Boolean => {}
            FeatureType::String | FeatureType::Bytes => self.simplify_text(position),
            FeatureType::List => self.drop_elements(position),
            FeatureType::Object | FeatureType::Variant => {}
            _ => self.simplify_amount(position),
        }
    }

    /// A number or a date: towards the simplest one, on coarse grids and then on finer ones.
    fn simplify_amount(&mut self, position: usize) {
        let feature = self.feature(position);
        let target = key::target(feature);
        if self.attempt(position, target.clone()) {
            return;
        }
        if let Some(positive) = grid::negated(&self.row[position]) {
            self.attempt(position, positive);
        }
        self.drop_leading_digits(position);
        for grid in Grid::all(feature) {
            self.move_along(position, &grid, &target);
        }
    }

    /// The last digits of an integer, the fewest that still fail: bisection passes over them.
    fn drop_leading_digits(&mut self, position: usize) {
        let number = self.row[position].as_number();
        let Some(integer) = number.filter(|it| !it.is_float()).and_then(Number::as_i128) else {
            return;
        };
        let scales = std::iter::successors(Some(10_i128), |scale| scale.checked_mul(10));
        for scale in scales.take_while(|scale| *scale <= integer.abs()) {
            if self.attempt(position, Value::from(integer % scale)) {
                return;
            }
        }
    }

    /// Moves onto the grid, and then along it by bisection.
    fn move_along(&mut self, position: usize, grid: &Grid, target: &Value) {
        let (Some(value), Some(target)) = (grid.around(&self.row[position]), grid.around(target))
        else {
            return;
        };
        let is_above = value.0 >= target.0;
        let (near, far) = if is_above { value } else { (value.1, value.0) };
        let mut attempt = |index| {
            let value = grid.value(index);
            value.is_some_and(|value| self.attempt(position, value))
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

    /// A list without as many of its elements as possible: halves, quarters, single ones.
    fn drop_elements(&mut self, position: usize) {
        let elements = |row: &[Value]| row[position].as_array().unwrap_or_default().to_vec();
        let mut width = elements(&self.row).len();
        while width > 0 {
            let mut start = 0;
            while start < elements(&self.row).len() {
                let mut left = elements(&self.row);
                left.drain(start..left.len().min(start + width));
                if !self.attempt(position, Value::Array(left)) {
                    start += width;
                }
                if self.calls == CALLS {
                    return;
                }
            }
            width /= 2;
        }
    }

    /// A string: shorter, then of plainer characters.
    fn simplify_text(&mut self, position: usize) {
        match self.feature(position).support() {
            Support::Drawn => return,
            Support::Strings { simplest, .. } => {
                self.attempt(position, simplest.into());
            }
            _ => {
                self.attempt(position, "".into());
            }
        }
        self.shorten(position);
        let characters = self.characters(position).into_iter();
        let all_plain = characters.map(text::plain).collect();
        self.attempt_text(position, all_plain);
        let mut at = 0;
        while let Some(&character) = self.characters(position).get(at) {
            for plainer in text::plainer(character) {
                let mut characters = self.characters(position);
                characters[at] = plainer;
                if self.attempt_text(position, characters) {
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
    fn shorten(&mut self, position: usize) {
        let mut length = self.characters(position).len() / 2;
        while length > 0 {
            let mut start = 0;
            while start + length <= self.characters(position).len() && self.calls < CALLS {
                let mut left = self.characters(position);
                left.drain(start..start + length);
                if !self.attempt_text(position, left) {
                    start += length;
                }
            }
            length /= 2;
        }
        // One that is left.
        if let [_] = self.characters(position)[..] {
            self.attempt(position, "".into());
        }
    }

    fn characters(&self, position: usize) -> Vec<char> {
        text::characters(self.feature(position), &self.row[position])
    }

    fn attempt_text(&mut self, position: usize, characters: Vec<char>) -> bool {
        let value = text::of_characters(self.feature(position), characters);
        self.attempt(position, value)
    }
}

/// The values that are listed, in their order.
fn listed(support: &Support<'_>) -> Vec<Value> {
    match support {
        Support::Values(values) => values.clone(),
        Support::Any(parts) => parts.iter().flat_map(listed).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
