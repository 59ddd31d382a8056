//! Field-by-field merging of two changes to one output.

use tdg_definition::json::{Object, Value};

/// Returns the output with both changes, or `None` if both changed a field to different values.
///
/// Array elements count as fields if all versions have the same number.
pub(super) fn with_both(base: &Value, own: &Value, other: &Value) -> Option<Value> {
    field(Some(base), Some(own), Some(other))?
}

/// Merges a field, which may be missing in any version.
fn field(
    base: Option<&Value>,
    own: Option<&Value>,
    other: Option<&Value>,
) -> Option<Option<Value>> {
    if base == other || own == other {
        return Some(own.cloned());
    }
    if base == own {
        return Some(other.cloned());
    }
    let merged = match (base?, own?, other?) {
        (Value::Object(base), Value::Object(own), Value::Object(other)) => {
            let mut members = Object::new();
            let added = other.keys().filter(|key| !own.contains_key(key));
            for key in own.keys().chain(added) {
                if let Some(value) = field(base.get(key), own.get(key), other.get(key))? {
                    members.insert(key.as_str(), value);
                }
            }
            Value::Object(members)
        }
        (Value::Array(base), Value::Array(own), Value::Array(other))
            if (base.len(), own.len()) == (own.len(), other.len()) =>
        {
            let elements = base.iter().zip(own).zip(other);
            let elements = elements.map(|((base, own), other)| with_both(base, own, other));
            Value::Array(elements.collect::<Option<_>>()?)
        }
        _ => return None,
    };
    Some(Some(merged))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::json::parse;

    fn merged(base: &str, own: &str, other: &str) -> Option<String> {
        let [base, own, other] = [base, own, other].map(|text| parse(text).unwrap());
        let merged = with_both(&base, &own, &other);
        // The order of the versions doesn't matter.
        assert_eq!(merged, with_both(&base, &other, &own));
        merged.map(|it| it.to_string())
    }

    #[test]
    fn different_fields_have_both_changes() {
        for (base, own, other, both) in [
            (
                r#"{"class":"a","net":1,"tax":1}"#,
                r#"{"class":"a","net":2,"tax":2}"#,
                r#"{"class":"b","net":1,"tax":1}"#,
                r#"{"class":"b","net":2,"tax":2}"#,
            ),
            // Nested in objects that both versions have.
            (
                r#"{"a":{"b":1,"c":1,"d":1}}"#,
                r#"{"a":{"b":2,"c":1,"d":3}}"#,
                r#"{"a":{"b":1,"c":2,"d":3}}"#,
                r#"{"a":{"b":2,"c":2,"d":3}}"#,
            ),
            // Added and removed.
            (
                r#"{"a":1,"b":1}"#,
                r#"{"a":1,"c":1}"#,
                r#"{"a":2,"b":1,"d":1}"#,
                r#"{"a":2,"c":1,"d":1}"#,
            ),
            (
                r#"[{"a":1,"b":1},2,3]"#,
                r#"[{"a":2,"b":1},2,4]"#,
                r#"[{"a":1,"b":2},2,3]"#,
                r#"[{"a":2,"b":2},2,4]"#,
            ),
            (
                r#"{"Ok":[1,1]}"#,
                r#"{"Ok":[2,1]}"#,
                r#"{"Ok":[1,2]}"#,
                r#"{"Ok":[2,2]}"#,
            ),
        ] {
            assert_eq!(merged(base, own, other).as_deref(), Some(both), "{base}");
        }
    }

    #[test]
    fn one_field_with_two_changes_is_a_conflict() {
        for (base, own, other) in [
            ("1", "2", "3"),
            (r#"{"a":1,"b":1}"#, r#"{"a":2,"b":1}"#, r#"{"a":3,"b":2}"#),
            // Removed and changed.
            (r#"{"a":1,"b":1}"#, r#"{"b":1}"#, r#"{"a":2,"b":1}"#),
            (r#"{"Ok":1}"#, r#"{"Err":"x"}"#, r#"{"Ok":2}"#),
            (r#"{"a":1}"#, r#"{"$panic":"x"}"#, r#"{"a":2}"#),
            // An insertion doesn't show which elements are new.
            ("[1,2]", "[0,1,2]", "[1,3]"),
            ("[1,2]", "[1,2,3]", "[1,2,4]"),
            (
                r#"{"$debug":"A { a: 1, b: 1 }"}"#,
                r#"{"$debug":"A { a: 2, b: 1 }"}"#,
                r#"{"$debug":"A { a: 1, b: 2 }"}"#,
            ),
        ] {
            assert_eq!(merged(base, own, other), None, "{base}");
        }
    }
}
