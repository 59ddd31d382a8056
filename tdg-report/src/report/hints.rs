//! The next steps after a failing test.

use super::{ComparedWith, PendingPlace, Section};
use tdg_engine::text::escape;

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

    /// Adds the command that accepts the outputs, or states that there is nothing to accept.
    pub(super) fn decide(&mut self, command: &str, compared_with: &ComparedWith) {
        match compared_with {
            ComparedWith::Benchmark(pending) => self.accept(command, pending),
            ComparedWith::Function(name) => self.add(
                "expected:",
                format!("the output of {name}; nothing to accept without a benchmark"),
            ),
        }
    }

    /// Adds the command that accepts the outputs.
    pub(super) fn accept(&mut self, command: &str, pending: &PendingPlace) {
        self.accept_as("accept:", command, pending);
    }

    /// Does the same with another label.
    pub(super) fn accept_as(&mut self, label: &'static str, command: &str, pending: &PendingPlace) {
        // `TDG_UPDATE=always` would accept unseen changes.
        let note = match pending {
            PendingPlace::InFile(_) => "    (or cargo insta review)".to_owned(),
            PendingPlace::InStore => String::new(),
            PendingPlace::Nowhere { because } => {
                format!("    (after {command}; this run writes nothing: {because})")
            }
        };
        self.add(label, format!("cargo tdg review{note}"));
    }

    /// Adds the command that shows the whole report.
    pub(super) fn see_all(
        &mut self,
        test: &str,
        command: &str,
        size: usize,
        pending: Option<&PendingPlace>,
    ) {
        self.add(
            "see all:",
            match pending {
                None | Some(PendingPlace::Nowhere { .. }) => {
                    format!("TDG_CASES=0..{size} {command}")
                }
                _ => see_changed(test),
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

/// Returns the command that shows the whole report, with the findings on the changed cases.
pub(super) fn see_changed(test: &str) -> String {
    format!("cargo tdg show {} --changed", quoted(test))
}

/// Returns the command that moves the benchmark of a renamed test to its current name. Each test is
/// a name and a snapshot file.
#[must_use]
pub fn rename_command(old: (&str, &str), new: (&str, &str)) -> String {
    // A test with the same name moved to another source file.
    let (old, new) = match old.0 == new.0 {
        true => (old.1, new.1),
        false => (old.0, new.0),
    };
    format!("cargo tdg rename {} {}", quoted(old), quoted(new))
}

/// Returns the name, quoted for a shell if necessary.
#[must_use]
pub fn quoted(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_:-./".contains(&byte);
    if name.bytes().all(is_plain) {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_moved_under_the_same_name_is_renamed_by_its_files() {
        let command = |name| rename_command(("total", "old.snap"), (name, "it's new.snap"));
        assert_eq!(command("sum of all"), "cargo tdg rename total 'sum of all'");
        assert_eq!(
            command("total"),
            r"cargo tdg rename old.snap 'it'\''s new.snap'"
        );
    }
}
