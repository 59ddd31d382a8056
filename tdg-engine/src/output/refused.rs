//! The place of an output that there is not: the row is not an input of the function.

use tdg_definition::json::Value;

/// Outputs have no such key: a key of the user's that begins with `$` has it doubled.
const KEY: &str = "$not_an_input";

/// Stands for the output of a row that is not an input.
pub fn not_an_input(reason: &str) -> Value {
    Value::object([(KEY, Value::from(reason))])
}

/// Why the row of that output is not an input; `None` for an output.
pub fn refusal(output: &Value) -> Option<&str> {
    let alone = output.as_object().filter(|members| members.len() == 1)?;
    alone.get(KEY)?.as_str()
}
