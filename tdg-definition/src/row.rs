//! Rows outside ensembles, written by a user or made by a search.

use crate::consistency;
use crate::definition::Definition;
use crate::fault::{Fault, Faults, Invalid, invalid};
use crate::feature::{Feature, Parts, Variants};
use crate::feature_type::FeatureType;
use crate::fields::kind;
use crate::json::{self, Object, Pointer, Value};
use crate::nearest;
use crate::value;

/// Reads a row written by a user: a JSON object with the value of each feature. The values are
/// returned in the order of the features.
///
/// A value must have its feature's type, but need not be one that the distribution can draw. It is
/// `null` only if the feature can be.
///
/// ```
/// use tdg_definition::{Definition, read_row};
///
/// let order = Definition::parse(r#"{"features": [
///     {"feature_name": "amount", "type": "FLOAT",
///      "distribution": {"type": "uniform", "min": 0, "max": 100}},
///     {"feature_name": "quantity", "type": "INTEGER",
///      "distribution": {"type": "uniform", "min": 1, "max": 9}}
/// ]}"#)?;
/// let row = read_row(order.features(), r#"{"quantity": 0, "amount": 12.5}"#)?;
/// assert_eq!(row, [12.5.into(), 0.into()]);
///
/// let faults = read_row(order.features(), r#"{"amuont": 12.5, "quantity": 0}"#).unwrap_err();
/// assert!(faults.to_string().contains("did you mean `amount`?"));
/// # Ok::<(), tdg_definition::Faults>(())
/// ```
///
/// # Errors
/// All faults, each with its JSON Pointer and the fix.
pub fn read_row(features: &[Feature], text: &str) -> Result<Vec<Value>, Faults> {
    let row = json::parse(text)
        .map_err(|error| Faults::of_document(format!("not valid JSON: {error}")))?;
    let Some(row) = row.as_object() else {
        let first = features.first().map_or("amount", Feature::name);
        return Err(Faults::of_document(format!(
            "must be an object with the names of features as keys, such as {{{first:?}: …}}"
        )));
    };
    let mut faults = Faults::default();
    let values = cells(features, row, &Pointer::root(), &mut faults);
    faults.check()?;
    Ok(values)
}

/// Reads the value of each feature of a row or of a nested object.
fn cells(features: &[Feature], row: &Object, pointer: &Pointer, faults: &mut Faults) -> Vec<Value> {
    let missing: Vec<&str> = features
        .iter()
        .map(Feature::name)
        .filter(|name| !row.contains_key(name))
        .collect();
    let mut meant = Vec::new();
    for name in row.keys() {
        if features.iter().any(|feature| feature.name() == name) {
            continue;
        }
        let near = nearest(name, missing.iter().copied());
        let near = near.or_else(|| nearest(name, features.iter().map(Feature::name)));
        meant.extend(near);
        faults.push(Fault {
            pointer: pointer.child(name.as_str()),
            message: match near {
                Some(near) => format!("unknown feature `{name}`; did you mean `{near}`?"),
                None => format!("unknown feature `{name}`; remove it"),
            },
        });
    }
    let missing: Vec<&str> = missing
        .into_iter()
        .filter(|it| !meant.contains(it))
        .collect();
    if !missing.is_empty() {
        faults.push(lack_of(&missing, pointer));
    }
    let value = |feature: &Feature| match row.get(feature.name()) {
        Some(value) => cell(feature, value, &pointer.child(feature.name()), faults),
        None => Value::Null,
    };
    features.iter().map(value).collect()
}

fn lack_of(features: &[&str], pointer: &Pointer) -> Fault {
    let verb = if features.len() == 1 { "is" } else { "are" };
    let names = features.join("`, `");
    Fault {
        pointer: pointer.clone(),
        message: format!("`{names}` {verb} missing; a row has a value for each feature"),
    }
}

/// Reads the value of a feature; `null` after a fault.
fn cell(feature: &Feature, value: &Value, pointer: &Pointer, faults: &mut Faults) -> Value {
    if value.is_null() && feature.may_be_null() && !feature.is_null_a_value() {
        return Value::Null;
    }
    let invalid = match cell_of_parts(feature, value, pointer, faults) {
        Ok(cell) => return cell,
        Err(invalid) => invalid,
    };
    let is_text = feature.feature_type() == FeatureType::String;
    let invalid = match value {
        Value::Null => "is null, which the definition does not allow; give it a value, or the \
                        feature a `null_probability`"
            .into(),
        _ if is_text && value.as_str().is_none() => {
            format!("{invalid}; put it between quotes").into()
        }
        _ => invalid,
    };
    faults.push(invalid.at(pointer.clone()));
    Value::Null
}

/// Reads the value. A value of the wrong kind is an error; faults within it are added to `faults`.
fn cell_of_parts(
    feature: &Feature,
    value: &Value,
    pointer: &Pointer,
    faults: &mut Faults,
) -> Result<Value, Invalid> {
    match (feature.parts(), value) {
        (Parts::Element(element), Value::Array(elements)) => {
            let elements = elements.iter().enumerate();
            let cells = elements.map(|(index, value)| {
                cell(element, value, &pointer.child(index.to_string()), faults)
            });
            Ok(Value::Array(cells.collect()))
        }
        (Parts::Entries(element), Value::Object(object)) => {
            Ok(entries(element, object, pointer, faults))
        }
        (Parts::Entries(_), other) => {
            let kind = kind(other);
            invalid!("must be an object of keys and values, but is {kind}")
        }
        (Parts::Members(members), Value::Object(object)) => {
            let names = members.iter().map(|member| member.name().to_owned());
            let values = cells(members, object, pointer, faults);
            Ok(Value::object(names.zip(values)))
        }
        (Parts::Tuple(members), Value::Array(values)) if members.len() == values.len() => {
            let pairs = members.iter().zip(values);
            let cells = pairs
                .map(|(member, value)| cell(member, value, &pointer.child(member.name()), faults));
            Ok(Value::Array(cells.collect()))
        }
        (Parts::Tuple(members), Value::Array(values)) => {
            let (members, values) = (members.len(), values.len());
            invalid!("must have {members} values, but has {values}")
        }
        (Parts::Tuple(members), other) => {
            let (members, kind) = (members.len(), kind(other));
            invalid!("must be a list of {members} values, but is {kind}")
        }
        (Parts::Variants(variants), value) => variant_cell(variants, value, pointer, faults),
        // Normalized like in the definition: `3` is a valid FLOAT.
        _ => Ok(value::read(value, feature.feature_type())?.to_value()),
    }
}

fn variant_cell(
    variants: Variants<'_>,
    value: &Value,
    pointer: &Pointer,
    faults: &mut Faults,
) -> Result<Value, Invalid> {
    let (number, value) = variants.find(value)?;
    let variant = &variants.all()[number];
    let (form, name) = (variants.form(), variant.name());
    let pointer = match form.place_of_value(name) {
        Some(place) => pointer.child(place),
        None => pointer.clone(),
    };
    let values = variant.value().zip(value);
    let value = values.map(|(own, value)| cell(own, &value, &pointer, faults));
    Ok(form.join(name, value))
}

/// Reads the entries of a map with such elements.
fn entries(element: &Feature, map: &Object, pointer: &Pointer, faults: &mut Faults) -> Value {
    let Parts::Members([keys, values]) = element.parts() else {
        return Value::Null;
    };
    let entries = map.iter().map(|(name, value)| {
        let pointer = pointer.child(name.as_str());
        let key = value::key_of(keys.feature_type(), name);
        if key.is_none_or(|key| value::read(&key, keys.feature_type()).is_err()) {
            let message = format!(
                "`{name}` is not {}, as the keys of this map must be",
                keys.feature_type()
            );
            let pointer = pointer.clone();
            faults.push(Fault { pointer, message });
        }
        (name.clone(), cell(values, value, &pointer, faults))
    });
    Value::object(entries)
}

/// Returns true if a row's values, one for each feature, respect the order that the definition
/// requires, and the values they refer to.
#[must_use]
pub fn is_ordered(definition: &Definition, row: &[Value]) -> bool {
    let features = definition.features();
    let read = |(feature, value): (&Feature, &Value)| feature.ordered(value);
    let read: Vec<_> = features.iter().zip(row).map(read).collect();
    let is_ordered = read.len() < features.len() || definition.relations().admit(&read);
    is_ordered && consistency::is_consistent(features, row)
}
