//! A test without a benchmark.

use std::path::Path;

use super::hints::{Hints, quoted, rename_command};
use super::{PendingPlace, Section, WIDTH, counted, more};
use crate::owner::Orphan;
use tdg_definition::Policy;
use tdg_engine::config::display_path;
use tdg_engine::generate::Renames;
use tdg_engine::output::Outputs;
use tdg_engine::snapshot::{BenchmarkFile, Differing};
use tdg_engine::text::{escape, wrap};

/// The maximum number of former tests shown.
const FORMER: usize = 4;

/// The maximum number of lines about a former test.
const FORMER_LINES: usize = 3;

/// A test without a benchmark, in a run that must not record one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The missing snapshot file; `None` if benchmarks are only in the store.
    pub snapshot_file: Option<String>,
    /// The comparison with the benchmark that the store has for this test.
    pub stored: Option<FormerOutputs>,
    /// The tests that left their benchmarks behind, one of which may have been renamed to this one.
    pub former: Vec<FormerTest>,
    /// The pending outputs.
    pub pending: PendingPlace,
}

/// A test that left its benchmark behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerTest {
    /// Its name.
    pub name: String,
    /// Its former source file, as shown in messages, or its name in the store.
    pub source: String,
    /// Its snapshot file; `None` if its benchmark is only in the store.
    pub snapshot_file: Option<String>,
    /// The reason why the test may still exist, if that is uncertain.
    pub doubt: Option<String>,
    /// Set if it is in another package, from which only git can move a file.
    pub is_elsewhere: bool,
    /// The comparison of its outputs with the run's.
    pub outputs: FormerOutputs,
}

/// The comparison of a former benchmark with the outputs of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormerOutputs {
    /// The rows are the same.
    OfSameRows(FormerCases),
    /// The rows differ, but the function could run on them.
    OfItsRows {
        /// The comparison on its rows.
        cases: FormerCases,
        /// The names under which the function got the rows.
        renames: Renames,
    },
    /// The rows differ, and the function can't run on them.
    OfOtherRows,
    /// The outputs can't be read.
    Unknown,
}

/// The result of comparing recorded outputs with current ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormerCases {
    /// The number of rows.
    pub size: usize,
    /// The number of rows that could be compared.
    pub compared: usize,
    /// The number of rows whose outputs differ.
    pub changed: usize,
}

impl FormerOutputs {
    /// Compares the outputs of the same rows with a benchmark.
    #[must_use]
    pub fn of_same_rows(benchmark: &BenchmarkFile, outputs: &Outputs, policy: &Policy) -> Self {
        let size = outputs.len();
        if !benchmark.snapshot().is_ok_and(|it| it.len() == size) {
            // A pin shows only whether they are the same.
            let pin = benchmark.pin();
            let is_same = pin.is_some_and(|pin| pin.digest == outputs.digest());
            let all = FormerCases {
                size,
                compared: size,
                changed: 0,
            };
            return is_same
                .then_some(all)
                .map_or(Self::Unknown, Self::OfSameRows);
        }
        match benchmark.differing(outputs, policy) {
            Ok(differing) => Self::OfSameRows(FormerCases::new(&differing, size)),
            Err(_) => Self::Unknown,
        }
    }

    /// Returns true if all outputs are the same.
    #[must_use]
    pub fn are_same(&self) -> bool {
        match self {
            Self::OfSameRows(cases) | Self::OfItsRows { cases, .. } => {
                cases.changed == 0 && cases.compared == cases.size
            }
            Self::OfOtherRows | Self::Unknown => false,
        }
    }
}

impl FormerCases {
    /// Counts the differing rows. If a distribution differs, none is known to be the same.
    #[must_use]
    pub fn new(differing: &Differing, size: usize) -> Self {
        let compared = size - differing.unbound.len();
        Self {
            size,
            compared,
            changed: match differing.distributions.is_empty() {
                true => differing.cases.len(),
                false => compared,
            },
        }
    }

    /// Returns a phrase such as `46 of its 200 outputs differ from this run's`.
    fn text(&self) -> String {
        let (size, compared, changed) = (self.size, self.compared, self.changed);
        let outputs = counted(compared, "output");
        let of_all = if compared == size {
            String::new()
        } else {
            format!(", and {} of its rows could not be run", size - compared)
        };
        match changed {
            0 if compared == size => "its outputs match this run's".to_owned(),
            0 => format!("{outputs} of it match this run's{of_all}"),
            _ => format!("{changed} of its {outputs} differ from this run's{of_all}"),
        }
    }
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
            PendingPlace::Nowhere { because } => {
                if !self.is_doubtful() {
                    hints.add("record:", format!("TDG_UPDATE=auto {command}"));
                }
                self.unwritten(because)
            }
            pending => {
                let label = match self.former.is_empty() {
                    true => "accept:",
                    false => "a new test:",
                };
                hints.accept_as(label, command, pending);
                let place = match pending {
                    PendingPlace::InFile(file) => file,
                    _ => "the store",
                };
                (
                    "a new one has to be accepted".to_owned(),
                    format!("The outputs are pending in {place}."),
                )
            }
        };
        self.hint_at_left_over(&mut hints);
        let mut sections = vec![vec![absent], self.stored_lines()];
        sections.extend([self.former_lines(), vec![what_next]]);
        sections.retain(|section| !section.is_empty());
        if !self.is_doubtful() {
            sections = vec![sections.concat()];
        }
        sections.push(hints.lines());
        (self.headline(&reason), sections)
    }

    /// Explains why nothing is pending, and the alternative.
    fn unwritten(&self, because: &str) -> (String, String) {
        let what_next = match &self.snapshot_file {
            _ if self.is_doubtful() => format!("This run writes nothing ({because})."),
            Some(_) => "Record it where files may be written, and commit the file.".to_owned(),
            None => "Record it where the store may be written.".to_owned(),
        };
        (
            format!("this run must not record one ({because})"),
            what_next,
        )
    }

    fn headline(&self, reason: &str) -> String {
        let problem = match (&self.stored, self.former.as_slice()) {
            (Some(_), _) => ", but the store has a former one".to_owned(),
            (None, []) => format!(", and {reason}"),
            (None, [former]) => format!("; was `{}` renamed to this?", escape(&former.name)),
            (None, _) => "; was another test renamed to this?".to_owned(),
        };
        format!("missing: no benchmark{problem}")
    }

    /// Returns true if the outputs may belong to a former benchmark.
    fn is_doubtful(&self) -> bool {
        self.stored.is_some() || !self.former.is_empty()
    }

    /// Returns `no benchmark`, and the tests that it may have been renamed from.
    pub(super) fn kind(&self) -> String {
        let names: Vec<&str> = self.former.iter().map(|it| it.name.as_str()).collect();
        match names.as_slice() {
            _ if self.stored.is_some() => "no benchmark, but a former one in the store".to_owned(),
            [] => "no benchmark".to_owned(),
            [.., _] if names.len() > FORMER => "no benchmark, perhaps renamed".to_owned(),
            names => format!("no benchmark, perhaps renamed from {}", names.join(" or ")),
        }
    }

    fn stored_lines(&self) -> Section {
        let text = self.stored.as_ref().map(|outputs| {
            let found = outputs.text();
            format!("The store has a former benchmark of this test, with {found}.")
        });
        text.map_or_else(Vec::new, |text| wrap(&text, WIDTH, FORMER_LINES))
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

    /// Adds the commands for a renamed test, or for restoring a lost file.
    fn hint_at_former(&self, hints: &mut Hints, test: &str) {
        if let (Some(_), Some(file)) = (&self.stored, &self.snapshot_file) {
            hints.add("restore:", format!("git restore {}", quoted(file)));
        }
        for (index, former) in self.former.iter().take(FORMER).enumerate() {
            let label = if index == 0 { "renamed:" } else { "" };
            let new_file = self.snapshot_file.as_deref().unwrap_or(test);
            let old_file = former.snapshot_file.as_deref().unwrap_or(&former.name);
            let command = match former.is_elsewhere {
                true => format!("git mv {} {}", quoted(old_file), quoted(new_file)),
                false => rename_command((&former.name, old_file), (test, new_file)),
            };
            hints.add(label, command);
        }
        if let ([former], Some(file)) = (self.former.as_slice(), &self.snapshot_file)
            && let Some(old) = former
                .snapshot_file
                .as_ref()
                .filter(|_| !former.is_elsewhere)
        {
            let (old, new) = (quoted(old), quoted(file));
            hints.add("", format!("(or git mv {old} {new})"));
        }
    }

    /// Adds the commands that remove files without a test.
    fn hint_at_left_over(&self, hints: &mut Hints) {
        let files = self
            .former
            .iter()
            .filter_map(|it| it.snapshot_file.as_ref());
        for (index, file) in files.take(FORMER).enumerate() {
            let label = if index == 0 { "left over:" } else { "" };
            hints.add(label, format!("git rm {}", quoted(file)));
        }
    }
}

impl FormerTest {
    /// Creates the description of an orphan in a file, shown relative to the root.
    #[must_use]
    pub fn new(orphan: &Orphan, root: &Path, outputs: FormerOutputs) -> Self {
        Self {
            name: orphan.owner.name.clone(),
            source: display_path(root, &orphan.owner.source),
            snapshot_file: Some(display_path(root, &orphan.file)),
            doubt: orphan.doubt.clone(),
            is_elsewhere: orphan.is_elsewhere,
            outputs,
        }
    }

    /// Returns the likely former tests. If exactly one of them has the outputs of the run, it
    /// returns only that one.
    #[must_use]
    pub fn likely(former: Vec<Self>) -> Vec<Self> {
        let mut equal = former.iter().filter(|test| test.outputs.are_same());
        match (equal.next(), equal.next()) {
            (Some(test), None) => vec![test.clone()],
            _ => former,
        }
    }

    /// Returns true if at least half of the outputs agree with the run. That is unlikely if the
    /// rows only match by chance, or the function only happens to accept them.
    #[must_use]
    pub fn is_akin(&self) -> bool {
        match &self.outputs {
            FormerOutputs::OfSameRows(cases) | FormerOutputs::OfItsRows { cases, .. } => {
                2 * cases.changed <= cases.compared
            }
            FormerOutputs::OfOtherRows | FormerOutputs::Unknown => false,
        }
    }

    fn text(&self) -> String {
        let Self { name, source, .. } = self;
        let gone = match &self.doubt {
            None => format!("`{name}` is no longer in {source}."),
            Some(doubt) => format!("`{name}` may no longer be in {source}: {doubt}."),
        };
        let benchmark = match &self.snapshot_file {
            Some(file) => format!("Its benchmark {file}"),
            None => "Its benchmark in the store".to_owned(),
        };
        format!("{gone} {benchmark} has {}.", self.outputs.text())
    }
}

impl FormerOutputs {
    /// Returns a phrase such as `the same rows, and its outputs match this run's`.
    fn text(&self) -> String {
        match self {
            Self::OfSameRows(cases) => format!("the same rows, and {}", cases.text()),
            Self::OfItsRows { cases, renames } => {
                format!("other rows; on these{}, {}", renames.with(), cases.text())
            }
            Self::OfOtherRows => "other rows, and no output was compared".to_owned(),
            Self::Unknown => "outputs that can't be read here, so none was compared".to_owned(),
        }
    }
}

/// Returns the line of a run that recorded despite benchmarks without tests.
#[must_use]
pub fn recorded_past_line(test: &str, missing: &Missing) -> String {
    let mut lines = missing.stored_lines();
    lines.extend(missing.former.iter().take(FORMER).map(FormerTest::text));
    escape(&format!(
        "tdg: {test} was recorded anyway. {}",
        lines.join(" ")
    ))
}
