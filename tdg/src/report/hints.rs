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
                self.add("accept:", format!("cargo insta review    (or {update})"));
            }
            Pending::InStore => self.add("accept:", update),
            Pending::Nowhere { because } => {
                self.add(
                    "accept:",
                    format!("{update}    (this run writes nothing: {because})"),
                );
            }
        }
    }

    /// How to see what the report has no room for.
    pub(super) fn see_all(&mut self, command: &str, size: usize, pending: &Pending) {
        self.add(
            "see all:",
            match pending.snapshot_file() {
                Some(snapshot) => format!("diff {snapshot}{{,.new}}"),
                None => format!("TDG_CASES=0..{size} {command}"),
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

impl Pending {
    /// The snapshot file that a pending file is the next version of.
    fn snapshot_file(&self) -> Option<&str> {
        match self {
            Self::InFile(file) => file.strip_suffix(".new"),
            _ => None,
        }
    }
}
