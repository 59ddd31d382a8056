//! Changes of how types are shown: of their fields, and of the kinds of values in these.

use std::collections::{BTreeMap, BTreeSet};

use tdg_definition::json::Value;

/// How often a type must be shown on each side.
const LEAST: usize = 3;
/// The member with the name of a type or a variant.
const NAME: &str = "$name";
/// The member with a text that isn't a value, for example because it was cut.
const TEXT: &str = "$text";
/// The recorder's mark before the digest of a text that is cut.
const CUT: &str = "…#";

/// The types whose values all look different on the other side.
#[derive(Default)]
pub(super) struct ShapeChanges {
    /// The fields that can't be compared, by type, each with the description of the change.
    fields: BTreeMap<(String, String), String>,
}

/// The shapes of the values of a side, by the name of the type.
#[derive(Default)]
struct ShownTypes {
    types: BTreeMap<String, TypeShape>,
}

#[derive(Default)]
struct TypeShape {
    count: usize,
    /// The sets of fields that occur, and the kinds of the values in each field.
    fields: BTreeSet<Vec<String>>,
    kinds: BTreeMap<String, BTreeSet<String>>,
}

impl ShapeChanges {
    /// Compares the values of both sides. A name that isn't in `structs` may be a variant.
    pub(super) fn new<'v>(
        sides: [impl Iterator<Item = &'v Value>; 2],
        structs: &BTreeSet<String>,
    ) -> Self {
        let [then, now] = sides.map(|values| {
            let mut shapes = ShownTypes::default();
            values.for_each(|it| shapes.add(it));
            shapes
        });
        let mut changes = Self::default();
        for (name, before) in &then.types {
            if let Some(after) = now.types.get(name)
                && before.count >= LEAST
                && after.count >= LEAST
            {
                changes.add_fields(name, before, after);
                changes.add_kinds(name, [before, after], structs);
            }
        }
        changes
    }

    fn add_fields(&mut self, name: &str, before: &TypeShape, after: &TypeShape) {
        let (Some(before), Some(after)) = (only(&before.fields), only(&after.fields)) else {
            return;
        };
        for (one, other, how) in [(before, after, "is gone"), (after, before, "is new")] {
            for field in one.iter().filter(|it| !other.contains(it)) {
                self.fields
                    .insert((name.to_owned(), field.clone()), how.to_owned());
            }
        }
    }

    fn add_kinds(&mut self, name: &str, types: [&TypeShape; 2], structs: &BTreeSet<String>) {
        for (field, before) in &types[0].kinds {
            let after = types[1].kinds.get(field).and_then(only);
            let (Some(before), Some(after)) = (only(before), after) else {
                continue;
            };
            // Variants of an enum may change.
            let is_type = |kind: &String| kind.starts_with("a ") || structs.contains(kind);
            if before != after && is_type(before) && is_type(after) {
                let how = format!("was {before}, is {after}");
                self.fields.insert((name.to_owned(), field.clone()), how);
            }
        }
    }

    /// Describes each change.
    pub(super) fn sentences(&self) -> Vec<String> {
        let sentence =
            |((name, field), how): (&(String, String), &String)| match field.parse::<u8>() {
                Ok(place) => format!("field {place} of `{name}` {how}"),
                Err(_) => format!("`{field}` of `{name}` {how}"),
            };
        self.fields.iter().map(sentence).collect()
    }

    /// Returns an argument without the fields that can't be compared.
    pub(super) fn argument(&self, value: &Value) -> Value {
        self.without(value, false)
    }

    /// Returns an outcome without the fields that can't be compared, and without unreadable texts
    /// about their types.
    pub(super) fn outcome(&self, value: &Value) -> Value {
        self.without(value, true)
    }

    fn without(&self, value: &Value, hides_texts: bool) -> Value {
        if let Some(list) = value.as_array() {
            return Value::Array(
                list.iter()
                    .map(|it| self.without(it, hides_texts))
                    .collect(),
            );
        }
        let Some(object) = value.as_object() else {
            return value.clone();
        };
        let name = name_of(value).unwrap_or_default();
        let is_kept = |field: &str| {
            let key = (name.to_owned(), field.to_owned());
            self.fields.is_empty() || !self.fields.contains_key(&key)
        };
        let members = object.iter().filter(|(field, _)| is_kept(field));
        Value::object(members.map(|(field, it)| match it.as_str() {
            Some(text) if hides_texts && field == TEXT && self.are_in(text) => {
                (field.clone(), Value::Null)
            }
            _ => (field.clone(), self.without(it, hides_texts)),
        }))
    }

    /// Returns true if a text is about these types, but was cut, so that it can't be read.
    pub(super) fn are_cut_in(&self, text: &str) -> bool {
        text.contains(CUT) && self.are_in(text)
    }

    fn are_in(&self, text: &str) -> bool {
        let is_separator = |it: char| !it.is_alphanumeric() && it != '_';
        let names = || self.fields.keys().map(|(name, _)| name);
        text.split(is_separator)
            .any(|word| names().any(|name| name == word))
    }
}

impl ShownTypes {
    fn add(&mut self, value: &Value) {
        for it in value.as_array().unwrap_or_default() {
            self.add(it);
        }
        let Some(object) = value.as_object() else {
            return;
        };
        let members = || object.iter().filter(|(field, _)| !field.starts_with('$'));
        for (_, it) in members() {
            self.add(it);
        }
        if let Some(name) = name_of(value).filter(|it| !it.is_empty()) {
            let shape = self.types.entry(name.to_owned()).or_default();
            shape.count += 1;
            shape
                .fields
                .insert(members().map(|(field, _)| field.to_string()).collect());
            for (field, it) in members() {
                let kinds = shape.kinds.entry(field.to_string()).or_default();
                kinds.extend(kind(it).map(|(_, kind)| kind));
            }
        }
    }
}

/// Returns the element of a set with one element.
fn only<T: Ord>(set: &BTreeSet<T>) -> Option<&T> {
    set.first().filter(|_| set.len() == 1)
}

/// Returns the name of the type, or of the variant.
fn name_of(value: &Value) -> Option<&str> {
    let name = value.get(NAME)?.as_str()?;
    let inner = name
        .strip_prefix("Some(")
        .and_then(|it| it.strip_suffix(')'));
    Some(inner.unwrap_or(name))
}

/// Returns the kind of a value, or of the value in an `Option` or a `Result`, with the variants
/// around it; `None` without a value.
pub(super) fn kind(value: &Value) -> Option<(String, String)> {
    let name = name_of(value);
    for side in ["Ok", "Err"] {
        if let Some(inner) = value.get(side) {
            let (around, kind) = kind(inner)?;
            return Some((format!("{side}{around}"), kind));
        }
    }
    let kind = match (value, name) {
        (Value::Null, _) | (_, Some("None")) => return None,
        (_, Some("Some" | "Ok" | "Err")) => return kind(value.get("0")?),
        (Value::Bool(_), _) => "a boolean",
        (Value::Number(_), _) => "a number",
        (Value::String(_), _) => "a text",
        (Value::Array(_), _) => "a list",
        (_, Some("()")) => "a tuple",
        (Value::Object(object), Some(name)) if object.len() > 1 => name,
        _ => "another value",
    };
    Some((String::new(), kind.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::compare::calls::value_of;

    fn changes(then: [&str; 3], now: [&str; 3]) -> (ShapeChanges, Vec<Value>) {
        let [then, now] = [then, now].map(|it| it.map(value_of));
        let structs = ["Idx", "Node"].map(str::to_owned).into();
        let changes = ShapeChanges::new([then.iter(), now.iter()], &structs);
        let both = [&then[0], &now[0]].map(|it| changes.argument(it));
        (changes, both.to_vec())
    }

    #[test]
    fn a_field_of_another_type_is_one_change() {
        let (changes, both) = changes(
            [
                "Node { ns: 3, tag: \"a\" }",
                "Node { ns: 4, tag: \"b\" }",
                "[Node { ns: 3, tag: \"a\" }]",
            ],
            [
                "Node { ns: Idx(3), tag: \"a\" }",
                "Node { ns: Idx(4), tag: \"b\" }",
                "Node { ns: Idx(1), tag: \"a\" }",
            ],
        );
        assert_eq!(changes.sentences(), ["`ns` of `Node` was a number, is Idx"]);
        assert_eq!(both[0], both[1]);
    }

    #[test]
    fn a_new_field_is_one_change() {
        let (changes, both) = changes(
            ["Options { a: 1 }", "Options { a: 2 }", "Options { a: 3 }"],
            [
                "Options { a: 1, b: true }",
                "Options { a: 2, b: false }",
                "Options { a: 1, b: true }",
            ],
        );
        assert_eq!(changes.sentences(), ["`b` of `Options` is new"]);
        assert_eq!(both[0], both[1]);
    }

    #[test]
    fn changed_values_and_variants_are_no_change_of_shape() {
        let (changes, both) = changes(
            [
                "Token { kind: Int(1) }",
                "Token { kind: Text(\"a\") }",
                "Token { kind: Int(2) }",
            ],
            [
                "Token { kind: Text(\"1\") }",
                "Token { kind: Text(\"a\") }",
                "Token { kind: Text(\"2\") }",
            ],
        );
        assert!(changes.sentences().is_empty());
        assert_ne!(both[0], both[1]);
    }

    #[test]
    fn a_variant_that_one_side_never_shows_is_no_type() {
        let (changes, both) = changes(
            [
                "Item { kind: Int(1) }",
                "Item { kind: Int(2) }",
                "Item { kind: Int(3) }",
            ],
            [
                "Item { kind: Float(1.0) }",
                "Item { kind: Float(2.0) }",
                "Item { kind: Float(3.0) }",
            ],
        );
        assert!(changes.sentences().is_empty());
        assert_ne!(both[0], both[1]);
    }
}
