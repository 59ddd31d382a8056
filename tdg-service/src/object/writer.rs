//! Writes objects and lists.

use super::JsonForm;

/// Writes the members of one object.
pub(crate) struct Members<'a> {
    text: &'a mut String,
    first: bool,
}

impl Members<'_> {
    /// Begins a member, whose value the caller appends.
    #[inline]
    pub(crate) fn value(&mut self, name: &str) -> &mut String {
        if !self.first {
            self.text.push(',');
        }
        self.first = false;
        // The interface's own names never need escaping.
        self.text.push('"');
        self.text.push_str(name);
        self.text.push_str("\":");
        self.text
    }

    /// Adds a member with its value.
    pub(crate) fn add<T: JsonForm>(&mut self, name: &str, value: &T) {
        value.write_json(self.value(name));
    }

    /// Adds a member unless it is `None`.
    pub(crate) fn add_optional<T: JsonForm>(&mut self, name: &str, value: &Option<T>) {
        if let Some(value) = value {
            self.add(name, value);
        }
    }
}

/// Appends an object whose members `write` adds.
pub(crate) fn write_object(text: &mut String, write: impl FnOnce(&mut Members<'_>)) {
    text.push('{');
    write(&mut Members {
        text: &mut *text,
        first: true,
    });
    text.push('}');
}

/// Returns an object whose members `write` adds.
pub(crate) fn object_text(write: impl FnOnce(&mut Members<'_>)) -> String {
    let mut text = String::new();
    write_object(&mut text, write);
    text
}

/// Appends a list, calling `write` for each element.
pub(crate) fn write_list<T>(text: &mut String, elements: &[T], write: impl Fn(&T, &mut String)) {
    text.push('[');
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write(element, text);
    }
    text.push(']');
}
