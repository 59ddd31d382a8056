//! The text of a definition, formatted for editing.

use tdg_definition::json;

/// A JSON value whose members keep their order.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    /// A value that is already JSON text.
    Plain(String),
    Array(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

/// The maximum line width, in bytes.
const WIDTH: usize = 120;
/// The number of spaces per level.
const INDENTATION: usize = 4;

impl Json {
    pub(crate) fn string(text: &str) -> Self {
        let mut written = String::new();
        json::write_str(&mut written, text);
        Self::Plain(written)
    }

    /// Creates a number from a float, without `.0` if it is an integer.
    pub(crate) fn number(value: f64) -> Self {
        let mut written = String::new();
        json::write_f64(&mut written, value);
        if let Some(integer) = written.strip_suffix(".0") {
            written.truncate(integer.len());
        }
        Self::Plain(written)
    }

    pub(crate) fn integer(value: i64) -> Self {
        Self::Plain(value.to_string())
    }

    pub(crate) fn boolean(value: bool) -> Self {
        Self::Plain(value.to_string())
    }

    /// Formats the value on one line.
    pub(crate) fn inline(&self) -> String {
        let joined = |parts: Vec<String>| parts.join(", ");
        match self {
            Self::Plain(text) => text.clone(),
            Self::Array(elements) => {
                format!("[{}]", joined(elements.iter().map(Self::inline).collect()))
            }
            Self::Object(members) => {
                let member = |(key, value): &(&str, Self)| format!("\"{key}\": {}", value.inline());
                format!("{{{}}}", joined(members.iter().map(member).collect()))
            }
        }
    }

    /// Formats the value, breaking lines that would be too long.
    pub(crate) fn pretty(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0, 0);
        text.push('\n');
        text
    }

    /// Appends the value to a line that has `used` bytes. Further lines get `indentation`.
    fn write(&self, text: &mut String, indentation: usize, used: usize) {
        let inline = self.inline();
        let parts: Vec<(Option<&str>, &Self)> = match self {
            Self::Array(elements) => elements.iter().map(|element| (None, element)).collect(),
            Self::Object(members) => members
                .iter()
                .map(|(key, value)| (Some(*key), value))
                .collect(),
            Self::Plain(_) => Vec::new(),
        };
        if parts.is_empty() || used + inline.len() <= WIDTH {
            text.push_str(&inline);
            return;
        }
        let (open, close) = match self {
            Self::Object(_) => ('{', '}'),
            _ => ('[', ']'),
        };
        let inner = indentation + INDENTATION;
        text.push(open);
        for (index, (key, value)) in parts.iter().enumerate() {
            text.push_str(if index == 0 { "\n" } else { ",\n" });
            text.push_str(&" ".repeat(inner));
            let key = key.map(|key| format!("\"{key}\": ")).unwrap_or_default();
            text.push_str(&key);
            value.write(text, inner, inner + key.len());
        }
        text.push('\n');
        text.push_str(&" ".repeat(indentation));
        text.push(close);
    }
}
