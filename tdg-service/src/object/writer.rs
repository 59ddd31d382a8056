//! Writing objects and lists.

use super::JsonForm;

/// Writes the members of one object.
pub(crate) struct Members<'a> {
    text: &'a mut String,
    first: bool,
}

impl Members<'_> {
    /// Begins a member. The caller appends its value.
    #[inline]
    pub(crate) fn value(&mut self, name: &str) -> &mut String {
        if !self.first {
            self.text.push(',');
        }
        self.first = false;
        // The names are the interface's own: none needs an escape.
        self.text.push('"');
        self.text.push_str(name);
        self.text.push_str("\":");
        self.text
    }

    /// A whole member.
    pub(crate) fn add<T: JsonForm>(&mut self, name: &str, value: &T) {
        value.write_json(self.value(name));
    }

    /// A member that may be left out.
    pub(crate) fn add_optional<T: JsonForm>(&mut self, name: &str, value: &Option<T>) {
        if let Some(value) = value {
            self.add(name, value);
        }
    }
}

/// Appends an object with whatever `write` writes as its members.
pub(crate) fn write_object(text: &mut String, write: impl FnOnce(&mut Members<'_>)) {
    text.push('{');
    write(&mut Members {
        text: &mut *text,
        first: true,
    });
    text.push('}');
}

/// An object with whatever `write` writes as its members.
pub(crate) fn object_text(write: impl FnOnce(&mut Members<'_>)) -> String {
    let mut text = String::new();
    write_object(&mut text, write);
    text
}

/// Appends a list of whatever `write` writes for each of these.
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
