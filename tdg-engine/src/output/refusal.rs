//! The placeholder for an output when the row isn't an input of the function.

use tdg_definition::json::Value;

/// Outputs can't have this key: a `$` at the start of a user's key is doubled.
const KEY: &str = "$not_an_input";

/// Returns the placeholder for the output of a row that isn't an input.
pub fn not_an_input(reason: &str) -> Value {
    Value::object([(KEY, Value::from(reason))])
}

/// Returns the reason why a row isn't an input, or `None` for an output.
pub fn refusal(output: &Value) -> Option<&str> {
    let alone = output.as_object().filter(|members| members.len() == 1)?;
    alone.get(KEY)?.as_str()
}
