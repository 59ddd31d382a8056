//! A field that has moved to another place.

use tdg_definition::json::{Object, Pointer, Value};
use tdg_definition::policy::ANY;

/// A field that has moved: it has another name, or is one level further in or out. Or the whole
/// output was wrapped in an object or unwrapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Its place in the benchmark, with `*` for any element; the root if it was the output.
    pub from: Pointer,
    /// Its current place.
    pub to: Pointer,
}

impl Moved {
    /// Returns the output with the field at its current place, or `None` without such a field.
    pub fn apply(&self, output: &Value) -> Option<Value> {
        if self.from.is_root() {
            let key = self.to.segments().next_back()?;
            return Some(Value::object([(key, output.clone())]));
        }
        let from = self.from.segments().next_back()?;
        if self.to.is_root() {
            let members = output.as_object().filter(|members| members.len() == 1)?;
            return members.get(from).cloned();
        }
        let (from, to): (Vec<&str>, Vec<&str>) =
            (self.from.segments().collect(), self.to.segments().collect());
        let around = from
            .iter()
            .zip(&to)
            .take_while(|(one, other)| one == other)
            .count();
        let around = around.min(from.len() - 1).min(to.len() - 1);
        let mut output = output.clone();
        let count = relocate(&mut output, &from[..around], &from[around..], &to[around..]);
        (count > 0).then_some(output)
    }

    /// Returns the opposite move.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            from: self.to.clone(),
            to: self.from.clone(),
        }
    }

    /// Returns the expected output with the field at its place in the actual one.
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

/// Moves a field in all objects that the path leads to, unless its new place is taken. Returns the
/// number of moved fields.
fn relocate(value: &mut Value, path: &[&str], from: &[&str], to: &[&str]) -> usize {
    let Some((first, rest)) = path.split_first() else {
        let Value::Object(members) = value else {
            return 0;
        };
        let taken = has_room(members, to).then(|| take(members, from)).flatten();
        let count = usize::from(taken.is_some());
        taken.into_iter().for_each(|taken| put(members, to, taken));
        return count;
    };
    let below = |value: &mut Value| relocate(value, rest, from, to);
    match value {
        Value::Array(elements) if *first == ANY => elements.iter_mut().map(below).sum(),
        Value::Object(members) if *first == ANY => members.values_mut().map(below).sum(),
        Value::Object(members) => members.get_mut(first).map_or(0, below),
        _ => 0,
    }
}

/// Returns true if a field can be inserted there.
fn has_room(members: &Object, path: &[&str]) -> bool {
    match (path, path.first().and_then(|first| members.get(first))) {
        ([_, rest @ ..], Some(Value::Object(inner))) if !rest.is_empty() => has_room(inner, rest),
        ([], _) | (_, Some(_)) => false,
        (_, None) => true,
    }
}

/// Removes a field, and the object around it if that becomes empty.
fn take(members: &mut Object, path: &[&str]) -> Option<Value> {
    match path {
        [] => None,
        [name] => members.remove(name),
        [first, rest @ ..] => {
            let Some(Value::Object(inner)) = members.get_mut(first) else {
                return None;
            };
            let taken = take(inner, rest)?;
            if inner.is_empty() {
                members.remove(first);
            }
            Some(taken)
        }
    }
}

fn put(members: &mut Object, path: &[&str], value: Value) {
    match path {
        [] => {}
        [name] => {
            members.insert(*name, value);
        }
        [first, rest @ ..] => {
            let inner = members.get_or_insert_with(*first, || Object::new().into());
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// Replaces array indices with `*`, so that all elements count as one field.
pub fn with_any_element(pointer: &Pointer) -> Pointer {
    let is_index =
        |segment: &str| !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    let segments = pointer.segments();
    segments
        .map(|segment| if is_index(segment) { ANY } else { segment })
        .collect()
}
