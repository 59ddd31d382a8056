//! The placeholder for an output when a recorded row couldn't be converted to the function's
//! parameters, so that it wasn't run.

use tdg_definition::json::{self, Value};

/// Outputs can't have this key: a `$` at the start of a user's key is doubled.
const KEY: &str = "$unbound";
const START: &str = "{\"$unbound\":";

/// Returns the placeholder for the output of a row that couldn't be run.
pub fn unbound(reason: &str) -> Value {
    Value::object([(KEY, Value::from(reason))])
}

/// Returns the reason why a row couldn't be run, or `None` for an output.
pub fn unbound_reason(output: &str) -> Option<String> {
    if !output.starts_with(START) {
        return None;
    }
    let value = json::parse(output).ok()?;
    value.get(KEY)?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_read_from_its_text_alone() {
        let reason = "unknown feature `d`";
        let text = unbound(reason).to_string();
        assert_eq!(unbound_reason(&text).as_deref(), Some(reason));
        for output in [
            "null",
            r#""$unbound""#,
            r#"{"$$unbound":"x"}"#,
            r#"{"Ok":1}"#,
        ] {
            assert_eq!(unbound_reason(output), None);
        }
    }
}
