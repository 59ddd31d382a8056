//! The JSON form of the interface's values.

use tdg_definition::json::Value;

use super::Malformed;

/// A type with a JSON form in the interface: an object, a list, or the value of a member.
pub trait JsonForm: Sized {
    /// Appends the JSON form.
    fn write_json(&self, text: &mut String);

    /// Reads the JSON form. Unknown members are skipped, because a later service may add some.
    ///
    /// # Errors
    ///
    /// If the value, or one of its members, has the wrong type, or if a member is missing.
    fn from_json(value: &Value) -> Result<Self, Malformed>;

    /// Returns the JSON form.
    fn to_json(&self) -> String {
        let mut text = String::new();
        self.write_json(&mut text);
        text
    }
}
