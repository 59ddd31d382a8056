//! How to go on from a failing test.

use super::{Pending, Section};
use crate::report::text::escape;

/// Lines of a label and what it stands for, one below the other.
#[derive(Default)]
pub(super) struct Hints(Vec<(&'static str, String)>);

impl Hints {
    pub(super) fn add(&mut self, label: &'static str, text: impl Into<String>) {
        self.0.push((label, text.into()));
    }

    /// How to run one case alone.
    pub(super) fn run_one(&mut self, command: &str, case: Option<usize>) {
        if let Some(case) = case {
            self.add("run one:", format!("TDG_CASES={case} {command}"));
        }
    }

    /// How to make the outputs of the run the benchmark.
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

    /// How to see what the report has no room for.
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

/// The name as a shell takes it.
fn quoted(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_:-.".contains(&byte);
    if name.bytes().all(is_plain) {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', r"'\''"))
}
