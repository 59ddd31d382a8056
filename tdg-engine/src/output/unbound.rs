//! The place of an output that there is not: the recorded row did not become what the function
//! takes, so it could not be run.

use tdg_definition::json::{self, Value};

/// Outputs have no such key: a key of the user's that begins with `$` has it doubled.
const KEY: &str = "$unbound";
const START: &str = "{\"$unbound\":";

/// Stands for the output of a row that could not be run.
pub fn unbound(reason: &str) -> Value {
    Value::object([(KEY, Value::from(reason))])
}

/// Why the row of that output could not be run; `None` for an output.
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
        let reason = "no feature is named `d`";
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
