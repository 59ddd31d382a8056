//! The next steps after a failing test.

use super::{Pending, Section};
use crate::report::text::escape;

/// The label of the command that runs one case.
pub(super) const RUN_ONE: &str = "run one:";

/// Aligned lines of a label and a text.
#[derive(Default)]
pub(super) struct Hints(Vec<(&'static str, String)>);

impl Hints {
    pub(super) fn add(&mut self, label: &'static str, text: impl Into<String>) {
        self.0.push((label, text.into()));
    }

    /// Adds the command that runs one case.
    pub(super) fn run_one(&mut self, command: &str, case: Option<usize>) {
        if let Some(case) = case {
            self.add(RUN_ONE, format!("TDG_CASES={case} {command}"));
        }
    }

    /// Adds the command that accepts the outputs.
    pub(super) fn accept(&mut self, command: &str, pending: &Pending) {
        let update = format!("TDG_UPDATE=always {command}");
        match pending {
            Pending::InFile(_) => {
                self.add("accept:", "cargo tdg review    (or cargo insta review)");
            }
            Pending::InStore => {
                self.add("accept:", format!("cargo tdg review    (or {update})"));
            }
            Pending::Nowhere { because } => {
                self.add(
                    "accept:",
                    format!("{update}    (this run writes nothing: {because})"),
                );
            }
        }
    }

    /// Adds the command that shows the whole report.
    pub(super) fn see_all(&mut self, test: &str, command: &str, size: usize, pending: &Pending) {
        self.add(
            "see all:",
            match pending {
                Pending::Nowhere { .. } => format!("TDG_CASES=0..{size} {command}"),
                _ => format!("cargo tdg show {} --changed", quoted(test)),
            },
        );
    }

    pub(super) fn lines(self) -> Section {
        let widest = self
            .0
            .iter()
            .map(|(label, _)| label.len())
            .max()
            .unwrap_or_default();
        let line = |(label, text): (&str, String)| format!("{label:widest$}  {}", escape(&text));
        self.0.into_iter().map(line).collect()
    }
}

/// The name, quoted for a shell if necessary.
pub(super) fn quoted(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_:-./".contains(&byte);
    if name.bytes().all(is_plain) {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', r"'\''"))
}
