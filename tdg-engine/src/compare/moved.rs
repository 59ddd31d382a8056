//! A field that has another place now.

use tdg_definition::json::{Pointer, Value};
use tdg_definition::policy::ANY;

/// A field that has another place now: another name, or the whole output is within an object, or
/// no longer within one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Its place in the benchmark, with `*` for any element; the root if it was the output.
    pub from: Pointer,
    /// Its current place.
    pub to: Pointer,
}

impl Moved {
    /// The output with the field at its current place; `None` if it has no such field.
    pub fn apply(&self, output: &Value) -> Option<Value> {
        if self.from.is_root() {
            let key = self.to.segments().next_back()?;
            return Some(Value::object([(key, output.clone())]));
        }
        let from = self.from.segments().next_back()?;
        let Some(to) = self.to.segments().next_back() else {
            let members = output.as_object().filter(|members| members.len() == 1)?;
            return members.get(from).cloned();
        };
        let path: Vec<&str> = self.from.segments().collect();
        let mut output = output.clone();
        let count = rename(&mut output, &path[..path.len() - 1], from, to);
        (count > 0).then_some(output)
    }

    /// The way back.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            from: self.to.clone(),
            to: self.from.clone(),
        }
    }

    /// The expected output with the field at the place at which the actual one has it.
    pub(super) fn of_case(&self, expected: &Value, actual: &Value) -> Option<Value> {
        let moved = self.apply(expected)?;
        let is_there = match self.to.is_root() {
            true => self.apply(actual).is_none(),
            false => self.reversed().apply(actual).is_some() && self.apply(actual).is_none(),
        };
        let is_wrapped = self.from.is_root() && actual.get(self.to.segments().next()?).is_some();
        (is_there || is_wrapped).then_some(moved)
    }
}

pub(super) fn is_place_of(moves: &[Moved], pointer: &Pointer) -> bool {
    let field = with_any_element(pointer);
    moves.iter().any(|it| it.from == field || it.to == field)
}

/// Renames a member of all objects that the path leads to; how many there were.
fn rename(value: &mut Value, path: &[&str], from: &str, to: &str) -> usize {
    let Some((first, rest)) = path.split_first() else {
        let Value::Object(members) = value else {
            return 0;
        };
        if members.contains_key(to) {
            return 0;
        }
        let Some(member) = members.remove(from) else {
            return 0;
        };
        members.insert(to, member);
        return 1;
    };
    let below = |value: &mut Value| rename(value, rest, from, to);
    match value {
        Value::Array(elements) if *first == ANY => elements.iter_mut().map(below).sum(),
        Value::Object(members) if *first == ANY => members.values_mut().map(below).sum(),
        Value::Object(members) => members.get_mut(first).map_or(0, below),
        _ => 0,
    }
}

/// The pointer with `*` for elements of arrays, so that they count as one field.
pub fn with_any_element(pointer: &Pointer) -> Pointer {
    let is_index =
        |segment: &str| !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    let segments = pointer.segments();
    segments
        .map(|segment| if is_index(segment) { ANY } else { segment })
        .collect()
}
