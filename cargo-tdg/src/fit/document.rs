//! The text of a definition, laid out for somebody to edit.

use tdg_definition::json;

/// JSON whose members keep their order.
#[derive(Clone, Debug)]
pub(super) enum Text {
    /// Already written.
    Plain(String),
    Array(Vec<Text>),
    Object(Vec<(&'static str, Text)>),
}

/// The widest line that is not broken.
const WIDTH: usize = 120;
/// What a level is indented by.
const INDENTATION: usize = 4;

impl Text {
    pub(super) fn string(text: &str) -> Self {
        let mut written = String::new();
        json::write_str(&mut written, text);
        Self::Plain(written)
    }

    /// A float; without `.0` where it is an integer.
    pub(super) fn number(value: f64) -> Self {
        let mut written = String::new();
        json::write_f64(&mut written, value);
        if let Some(integer) = written.strip_suffix(".0") {
            written.truncate(integer.len());
        }
        Self::Plain(written)
    }

    pub(super) fn integer(value: i64) -> Self {
        Self::Plain(value.to_string())
    }

    pub(super) fn boolean(value: bool) -> Self {
        Self::Plain(value.to_string())
    }

    /// In one line.
    pub(super) fn inline(&self) -> String {
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

    /// Broken where lines would be too long.
    pub(super) fn pretty(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0, 0);
        text.push('\n');
        text
    }

    /// `used` bytes of the line are taken, and lines of this value's own are indented by `indentation`.
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
