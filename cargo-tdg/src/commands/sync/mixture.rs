//! Outputs mixed from two others, as after accepting a part of a change.

use tdg_definition::json::{self, Value};
use tdg_engine::output::Outputs;

use crate::error::Result;

/// Returns true if each part of the outputs equals the part of `before` or of `after`.
pub(super) fn is_mixture(outputs: &Outputs, before: &Outputs, after: &Outputs) -> Result<bool> {
    let size = outputs.len();
    if (before.len(), after.len()) != (size, size) {
        return Ok(false);
    }
    for case in 0..size {
        let [output, before, after] = [outputs, before, after].map(|it| it.get(case));
        if output == before || output == after {
            continue;
        }
        let [output, before, after] = [output, before, after].map(json::parse);
        if !mixes(Some(&output?), Some(&before?), Some(&after?)) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn mixes(value: Option<&Value>, before: Option<&Value>, after: Option<&Value>) -> bool {
    if value == before || value == after {
        return true;
    }
    match (value, before, after) {
        (Some(Value::Object(value)), Some(Value::Object(before)), Some(Value::Object(after))) => {
            let mut keys = value.keys().chain(before.keys()).chain(after.keys());
            keys.all(|key| mixes(value.get(key), before.get(key), after.get(key)))
        }
        (Some(Value::Array(value)), Some(Value::Array(before)), Some(Value::Array(after))) => {
            let size = value.len();
            let at = |index| mixes(value.get(index), before.get(index), after.get(index));
            (before.len(), after.len()) == (size, size) && (0..size).all(at)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_mix_those_before_and_after_a_change_field_by_field() {
        let is = |text: &str| {
            let before = r#"[1,{"a":1,"b":[1,1]},{"old":1}]"#;
            let after = r#"[2,{"a":2,"b":[2,2]},{"new":1}]"#;
            let [outputs, before, after] =
                [text, before, after].map(|text| Outputs::parse(text).unwrap());
            is_mixture(&outputs, &before, &after).unwrap()
        };
        assert!(is(r#"[1,{"a":1,"b":[1,1]},{"old":1}]"#));
        assert!(is(r#"[2,{"a":2,"b":[2,2]},{"new":1}]"#));
        assert!(is(r#"[2,{"a":1,"b":[1,2]},{}]"#));
        assert!(is(r#"[1,{"a":2,"b":[1,1]},{"new":1,"old":1}]"#));
        for other in [
            r#"[3,{"a":1,"b":[1,1]},{}]"#,
            r#"[1,{"a":3,"b":[1,1]},{}]"#,
            r#"[1,{"a":1,"b":[1]},{}]"#,
            r#"[1,{"a":1},{}]"#,
            r#"[1,{"a":1,"b":[1,1]},{"other":1}]"#,
            r#"[1,{"a":1,"b":[1,1]}]"#,
        ] {
            assert!(!is(other), "{other}");
        }
    }
}
