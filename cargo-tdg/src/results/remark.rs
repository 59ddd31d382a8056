//! Problems that `cargo tdg test` found outside the runs.

use tdg_definition::json::Value;

/// A problem that `cargo tdg test` found outside the runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    /// Set if the command exits with 1 because of the problem.
    pub(crate) fails: bool,
    pub(crate) text: String,
    /// The snapshot file with the problem.
    pub(crate) file: Option<String>,
    /// The command that fixes it.
    pub(crate) command: Option<String>,
}

impl Remark {
    pub(crate) fn to_value(&self) -> Value {
        Value::object([
            ("fails", Value::from(self.fails)),
            ("text", Value::from(self.text.as_str())),
            ("file", Value::from(self.file.clone())),
            ("command", Value::from(self.command.clone())),
        ])
    }

    pub(super) fn from_value(value: &Value) -> Option<Self> {
        let text = |key| value.get(key)?.as_str().map(str::to_owned);
        Some(Self {
            fails: value.get("fails")?.as_bool()?,
            text: text("text")?,
            file: text("file"),
            command: text("command"),
        })
    }

    /// `❌` or `⚠️`.
    pub(crate) fn mark(&self) -> &'static str {
        if self.fails { "❌" } else { "⚠️" }
    }
}
