//! What has a JSON form.

use tdg_definition::json::Value;

use super::Malformed;

/// What has one JSON form in the interface: an object, a list, or the value of a member.
pub trait JsonForm: Sized {
    /// Appends the JSON form.
    fn write_json(&self, text: &mut String);

    /// Reads the JSON form. Unknown members are skipped: a later service may have more.
    ///
    /// # Errors
    ///
    /// If it is of another type, or if a member is missing or of another type.
    fn from_json(value: &Value) -> Result<Self, Malformed>;

    /// The JSON form.
    fn to_json(&self) -> String {
        let mut text = String::new();
        self.write_json(&mut text);
        text
    }
}
