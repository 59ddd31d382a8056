//! Objects with keys from the user.

use tdg_definition::json::{Object, Value};
use tdg_engine::output::users_key;

use super::OutputError;

/// Adds a member under a user's key.
pub(super) fn insert(members: &mut Object, key: &str, value: Value) -> Result<(), OutputError> {
    let key = users_key(key);
    if members.contains_key(&key) {
        return Err(repeated(&key));
    }
    members.insert(key, value);
    Ok(())
}

/// Returns an object with many members.
pub(super) fn object(members: Vec<(String, Value)>) -> Result<Value, OutputError> {
    let object = Object::from_members(members).map_err(|key| repeated(&key))?;
    Ok(object.into())
}

fn repeated(key: &str) -> OutputError {
    OutputError::new(format!(
        "the output has the key {key:?} twice; a field that is renamed or flattened may give it"
    ))
}

/// Returns the object that tags a variant's content with its name.
pub(super) fn tagged(variant: &str, content: Value) -> Result<Value, OutputError> {
    let mut members = Object::new();
    insert(&mut members, variant, content)?;
    Ok(members.into())
}
