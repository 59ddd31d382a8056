//! A test without a benchmark.

use super::hints::{Hints, quoted, rename_command};
use super::text::{escape, wrap};
use super::{Pending, Section, WIDTH, counted, more};

/// The maximum number of former tests shown.
const FORMER: usize = 4;

/// The maximum number of lines about a former test.
const FORMER_LINES: usize = 3;

/// A test without a benchmark, in a run that must not record one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The missing snapshot file; `None` if benchmarks are in the store alone.
    pub snapshot_file: Option<String>,
    /// The tests that may have had this test's benchmark before it was renamed.
    pub former: Vec<FormerTest>,
    /// The pending outputs.
    pub pending: Pending,
}

/// A test that is not in the sources any more, and whose benchmark may be another test's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerTest {
    /// Its name.
    pub name: String,
    /// The source file that it is not in.
    pub source: String,
    /// Its snapshot file.
    pub snapshot_file: String,
    /// Its outputs beside those of the run.
    pub outputs: FormerOutputs,
}

/// The outputs of a former test beside those of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormerOutputs {
    /// The same rows gave the same outputs.
    Same,
    /// The same rows gave some other outputs.
    Differing {
        /// The number of cases that differ.
        changed: usize,
        /// The number of cases.
        cases: usize,
    },
    /// The rows are others.
    OfOtherRows,
    /// The rows are the same, and the outputs are not in the file or can't be read.
    Unknown,
}

impl Missing {
    pub(super) fn text(&self, test: &str, command: &str) -> (String, Vec<Section>) {
        let absent = match &self.snapshot_file {
            Some(file) => format!("{file} does not exist."),
            None => "The store has none for this test.".to_owned(),
        };
        let mut hints = Hints::default();
        self.hint_at_former(&mut hints, test);
        let (reason, what_next) = match &self.pending {
            Pending::Nowhere { because } => {
                let what_next = match &self.snapshot_file {
                    _ if !self.former.is_empty() => format!("This run writes nothing ({because})."),
                    Some(_) => {
                        "Record it where files may be written, and commit the file.".to_owned()
                    }
                    None => "Record it where the store may be written.".to_owned(),
                };
                if self.former.is_empty() {
                    hints.add("record:", format!("TDG_UPDATE=auto {command}"));
                }
                (
                    format!("this run must not record one ({because})"),
                    what_next,
                )
            }
            pending => {
                hints.accept(command, pending);
                let place = match pending {
                    Pending::InFile(file) => file,
                    _ => "the store",
                };
                (
                    "a new one has to be accepted".to_owned(),
                    format!("The outputs are pending in {place}."),
                )
            }
        };
        let headline = match self.former.as_slice() {
            [] => format!("missing: there is no benchmark, and {reason}"),
            [former] => format!(
                "missing: there is no benchmark; was `{}` renamed to this?",
                escape(&former.name)
            ),
            _ => "missing: there is no benchmark; was another test renamed to this?".to_owned(),
        };
        let mut sections = vec![vec![absent], self.former_lines(), vec![what_next]];
        if self.former.is_empty() {
            sections = vec![sections.concat()];
        }
        sections.push(hints.lines());
        (headline, sections)
    }

    /// `no benchmark`, and which test it may have been.
    pub(super) fn kind(&self) -> String {
        let names: Vec<&str> = self.former.iter().map(|it| it.name.as_str()).collect();
        match names.as_slice() {
            [] => "no benchmark".to_owned(),
            [.., _] if names.len() > FORMER => "no benchmark, perhaps renamed".to_owned(),
            names => format!("no benchmark, perhaps renamed from {}", names.join(" or ")),
        }
    }

    fn former_lines(&self) -> Section {
        let shown = self.former.iter().take(FORMER);
        let mut lines: Section = shown
            .flat_map(|former| wrap(&former.text(), WIDTH, FORMER_LINES))
            .collect();
        if self.former.len() > FORMER {
            lines.push(format!(
                "… and {}",
                more(self.former.len() - FORMER, "such test")
            ));
        }
        lines
    }

    /// Adds the commands for a test that was renamed.
    fn hint_at_former(&self, hints: &mut Hints, test: &str) {
        for (index, former) in self.former.iter().take(FORMER).enumerate() {
            let label = if index == 0 { "renamed:" } else { "" };
            let new_file = self.snapshot_file.as_deref().unwrap_or(test);
            let old = (former.name.as_str(), former.snapshot_file.as_str());
            hints.add(label, rename_command(old, (test, new_file)));
        }
        if let ([former], Some(file)) = (self.former.as_slice(), &self.snapshot_file) {
            let old = &former.snapshot_file;
            hints.add(
                "",
                format!("(without history: git mv {} {})", quoted(old), quoted(file)),
            );
            let remove = format!("remove {old} and run the test again");
            hints.add("a new test:", remove);
        }
    }
}

impl FormerTest {
    fn text(&self) -> String {
        let Self {
            name,
            source,
            snapshot_file,
            outputs,
        } = self;
        let found = match outputs {
            FormerOutputs::Same => {
                "the same rows, and its outputs are those of this run".to_owned()
            }
            FormerOutputs::Differing { changed, cases } => format!(
                "the same rows, and {changed} of its {} are not those of this run",
                counted(*cases, "output")
            ),
            FormerOutputs::OfOtherRows => {
                "other rows of the same features or definition file, so no output was compared"
                    .to_owned()
            }
            FormerOutputs::Unknown => {
                "the same rows, and its outputs are not in the file".to_owned()
            }
        };
        format!("`{name}` is not in {source} any more. Its benchmark {snapshot_file} has {found}.")
    }
}
