//! Writes a value back as the text that it was read from.

use tdg_definition::json::{Number, Object, Value};

use super::read::is_name;
use super::{CHAR, KEYS, NAME, REST, SET, TEXT, TUPLE};

/// Returns the text of a value that `read` returned, with fields and entries sorted by name, or
/// `None` if `read` can't have returned it.
pub(in crate::output) fn write(value: &Value) -> Option<String> {
    let mut text = String::new();
    push(&mut text, value)?;
    Some(text)
}

fn push(text: &mut String, value: &Value) -> Option<()> {
    match value {
        Value::Null => return None,
        Value::Bool(boolean) => text.push_str(if *boolean { "true" } else { "false" }),
        Value::Number(number) => push_number(text, *number),
        Value::String(string) => text.push_str(&format!("{string:?}")),
        Value::Array(elements) => push_list(text, ["[", "]"], elements.iter())?,
        Value::Object(object) => push_object(text, object)?,
    }
    Some(())
}

fn push_number(text: &mut String, number: Number) {
    let float = number.as_f64();
    text.push_str(&match float.is_finite() && !number.is_float() {
        true => Value::from(number).to_string(),
        false => format!("{float:?}"),
    });
}

fn push_object(text: &mut String, object: &Object) -> Option<()> {
    if let Some(name) = object.get(NAME) {
        return push_named(text, name.as_str()?, object);
    }
    if let Some(content) = object.get(TEXT).and_then(Value::as_str) {
        text.push_str(content);
    } else if let Some(content) = object.get(CHAR).and_then(Value::as_str) {
        text.push_str(&format!("{:?}", content.chars().next()?));
    } else if let Some(elements) = object.get(SET) {
        push_list(text, ["{", "}"], elements.as_array()?.iter())?;
    } else {
        push_entries(text, object)?;
    }
    Some(())
}

/// Writes `Some(Line)` and its fields as `Some(Line { cents: 5 })`.
fn push_named(text: &mut String, name: &str, object: &Object) -> Option<()> {
    let inner = name.strip_suffix(')').and_then(|name| name.split_once('('));
    if let Some((outer, inner)) = inner.filter(|_| name != TUPLE) {
        text.push_str(outer);
        text.push('(');
        push_named(text, inner, object)?;
        text.push(')');
        return Some(());
    }
    let fields = object.len() - 1;
    let numbered: Vec<&Value> = (0..fields)
        .map_while(|index| object.get(&index.to_string()))
        .collect();
    let is_tuple = name == TUPLE;
    if !is_tuple {
        text.push_str(name);
    }
    if is_tuple || fields > 0 && numbered.len() == fields {
        let close = if is_tuple && fields == 1 { ",)" } else { ")" };
        return push_list(text, ["(", close], numbered.into_iter());
    }
    let mut separator = " { ";
    for (key, value) in object.iter().filter(|(key, _)| is_name(key)) {
        text.push_str(separator);
        text.push_str(key);
        text.push_str(": ");
        push(text, value)?;
        separator = ", ";
    }
    if object.contains_key(REST) {
        text.push_str(separator);
        text.push_str("..");
    }
    if fields > 0 {
        text.push_str(" }");
    }
    Some(())
}

fn push_entries(text: &mut String, object: &Object) -> Option<()> {
    let are_texts = object.contains_key(KEYS);
    text.push('{');
    let mut separator = "";
    for (key, value) in object.iter().filter(|(key, _)| key != KEYS) {
        let key = match key.strip_prefix('$') {
            Some(key) if key.starts_with('$') => key,
            Some(_) => return None,
            None => key,
        };
        text.push_str(separator);
        text.push_str(&if are_texts {
            key.to_owned()
        } else {
            format!("{key:?}")
        });
        text.push_str(": ");
        push(text, value)?;
        separator = ", ";
    }
    text.push('}');
    Some(())
}

fn push_list<'v>(
    text: &mut String,
    [open, close]: [&str; 2],
    elements: impl Iterator<Item = &'v Value>,
) -> Option<()> {
    text.push_str(open);
    for (index, element) in elements.enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        push(text, element)?;
    }
    text.push_str(close);
    Some(())
}
