//! Failing rows outside the ensemble: kept ones, and rows of another seed or size.

use super::fields::output_place;
use super::hints::Hints;
use super::table::ReportTable;
use super::table::cell::{DifferenceCells, OUTPUT_WIDTH};
use super::{Extent, Loosened, PendingPlace, Section, WIDTH, counted, finding_lines};
use tdg_definition::{Policy, json};
use tdg_engine::compare::FieldDifference;
use tdg_engine::snapshot::{KeptChange, KeptComparison};
use tdg_engine::text::{escape, shorten, wrap};
use tdg_engine::{Takes, Verdict};

/// The maximum number of lines for the values of a row.
const FEATURES: usize = 12;
/// The maximum number of kept rows shown.
const KEPT: usize = 3;
/// The maximum number of lines of a message.
const MESSAGE_LINES: usize = 3;
/// The maximum number of differing fields shown.
const FIELDS: usize = 5;
/// The width of a feature's name.
const NAME_WIDTH: usize = 30;

/// Rows outside the ensemble, some of which fail.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored {
    /// The origin of the rows.
    pub rows: ExploredRows,
    /// The number of rows.
    pub size: usize,
    /// The number of failing rows; 0 if only the whole batch is known to fail.
    pub count: usize,
    /// The common properties of the failing rows, one sentence each.
    pub findings: Vec<String>,
    /// The kept rows that fail, or one row.
    pub shown: Vec<FailingRow>,
    /// The policies, if the kept rows pass under the test's policy.
    pub loosened: Option<Loosened>,
    /// The place of the actual outputs, if a decision is pending.
    pub pending: Option<PendingPlace>,
}

/// The origin of rows outside the ensemble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExploredRows {
    /// Rows written next to the test.
    Kept,
    /// Rows that the definition draws with this seed.
    Drawn {
        /// The seed.
        seed: u64,
        /// The number of calls used to simplify the shown row; `None` if no row fails on its own.
        calls: Option<usize>,
    },
}

/// A row that fails.
#[derive(Clone, Debug, PartialEq)]
pub struct FailingRow {
    /// Its number, from 1 for kept rows and from 0 for others.
    pub number: usize,
    /// Its values as JSON, each with the name of its feature; empty for a batch in which no row
    /// fails on its own.
    pub inputs: Vec<(String, String)>,
    /// The row as a JSON object.
    pub object: String,
    /// The reason why it fails.
    pub failure: RowFailure,
}

/// The reason why a row fails.
#[derive(Clone, Debug, PartialEq)]
pub enum RowFailure {
    /// The function panicked.
    Panicked {
        /// The panic message.
        message: String,
        /// Its place, such as `src/lib.rs:14:9`.
        location: Option<String>,
    },
    /// The function returns `Result<(), E>` and returned this error, as JSON.
    Error(String),
    /// The output isn't the recorded one.
    Changed(Vec<FieldDifference>),
    /// There is no recorded output.
    Unrecorded,
    /// The output changes when the row runs again.
    Unstable(Vec<FieldDifference>),
    /// The output differs from another function's.
    Differs {
        /// The name of the other function.
        function: String,
        /// The fields that differ.
        differences: Vec<FieldDifference>,
    },
}

impl RowFailure {
    /// Returns true if both are the same kind of failure; panics must have the same location.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Panicked { message, location },
                Self::Panicked {
                    message: other_message,
                    location: other_location,
                },
            ) => match (location, other_location) {
                (Some(location), Some(other)) => location == other,
                _ => message == other_message,
            },
            (Self::Error(_), Self::Error(_)) | (Self::Differs { .. }, Self::Differs { .. }) => true,
            _ => false,
        }
    }

    /// Returns the lines of the failure, with at most this many fields.
    fn lines(&self, fields: usize, extent: Extent) -> Section {
        let wrapped = |text: String| wrap(&text, WIDTH, MESSAGE_LINES);
        match self {
            Self::Panicked { message, location } => {
                let place = location.as_ref().map(|place| format!(" at {place}"));
                wrapped(format!("panics{}: {message}", place.unwrap_or_default()))
            }
            Self::Error(error) => wrapped(format!("returns Err: {error}")),
            Self::Changed(differences) => table(differences, fields, extent),
            Self::Unrecorded => wrapped("has no recorded output".to_owned()),
            Self::Unstable(differences) => {
                let intro =
                    "differs between two runs of the same row; the first is the expected one:";
                let table = table(differences, fields, extent.indented());
                below(wrapped(intro.to_owned()), table)
            }
            Self::Differs {
                function,
                differences,
            } => {
                let intro = format!("differs from {function}:");
                below(
                    wrapped(intro),
                    table(differences, fields, extent.indented()),
                )
            }
        }
    }
}

/// Indents a table below its introduction.
fn below(mut lines: Section, table: Section) -> Section {
    lines.extend(table.into_iter().map(|line| format!("  {line}")));
    lines
}

fn table(differences: &[FieldDifference], fields: usize, extent: Extent) -> Section {
    let shown = &differences[..differences.len().min(fields)];
    let cells: Vec<DifferenceCells> = shown.iter().map(DifferenceCells::new).collect();
    let name = |it: &FieldDifference| shorten(&escape(&output_place(&it.pointer)), NAME_WIDTH);
    let column =
        |cell: fn(&DifferenceCells) -> &String| cells.iter().map(|it| cell(it).clone()).collect();
    let mut table = ReportTable::default();
    table.fixed("field", shown.iter().map(name).collect(), NAME_WIDTH);
    let outputs = [column(|it| &it.expected), column(|it| &it.actual)];
    table.outputs(outputs, OUTPUT_WIDTH);
    let mut lines = table.lines(extent).0;
    if differences.len() > shown.len() {
        let more = counted(differences.len() - shown.len(), "more field");
        lines.push(format!("… and {more}"));
    }
    lines
}

impl Explored {
    /// Describes the kept rows, of `size`, whose outputs aren't the recorded ones, with the
    /// features that the function takes. `policies` are the recorded one and the test's.
    pub fn of_kept(
        compared: &KeptComparison,
        policies: [&Policy; 2],
        size: usize,
        takes: &Takes,
        pending: Option<PendingPlace>,
    ) -> Self {
        let KeptComparison { changes, lost, .. } = compared;
        let [recorded, now] = policies;
        let findings = lost.iter().take(KEPT).map(|kept| {
            let row = shorten(&escape(&kept.row), WIDTH / 2);
            format!("the recorded row {row} is no longer kept")
        });
        let row = |change: &KeptChange| {
            let row = json::parse(&change.row).unwrap_or_default();
            let names: Vec<String> = match takes {
                Takes::Named(names) => names.clone(),
                Takes::All => row
                    .as_object()
                    .map_or_else(Vec::new, |row| row.keys().cloned().collect()),
            };
            let value = |name: String| Some((row.get(&name)?.to_string(), name));
            let taken = names.into_iter().filter_map(value);
            FailingRow {
                number: change.number,
                inputs: taken.map(|(value, name)| (name, value)).collect(),
                object: change.row.clone(),
                failure: match &change.differences {
                    Some(differences) => RowFailure::Changed(differences.clone()),
                    None => RowFailure::Unrecorded,
                },
            }
        };
        Self {
            rows: ExploredRows::Kept,
            size,
            count: match changes.len() {
                0 => lost.len(),
                count => count,
            },
            findings: findings.collect(),
            shown: changes.iter().map(row).collect(),
            loosened: compared
                .is_loosened
                .then(|| Loosened::between(recorded, now)),
            pending,
        }
    }

    /// Returns the verdict of the worst failure.
    pub(super) fn verdict(&self) -> Verdict {
        let verdict = |row: &FailingRow| match row.failure {
            RowFailure::Changed(_) => Verdict::Changed,
            RowFailure::Unrecorded => Verdict::Missing,
            RowFailure::Unstable(_) => Verdict::Unstable,
            _ => Verdict::Failed,
        };
        if self.is_of_lost_rows() {
            return Verdict::Changed;
        }
        let verdicts: Vec<Verdict> = self.shown.iter().map(verdict).collect();
        let of_worst = [
            Verdict::Failed,
            Verdict::Unstable,
            Verdict::Changed,
            Verdict::Missing,
        ];
        let mut of_worst = of_worst.into_iter();
        let found = of_worst.find(|verdict| verdicts.contains(verdict));
        found.unwrap_or(Verdict::Failed)
    }

    /// Returns true if the only change is that some recorded rows aren't kept any more.
    fn is_of_lost_rows(&self) -> bool {
        self.rows == ExploredRows::Kept && self.shown.is_empty()
    }

    /// Returns a headline such as `2 of 500 rows with TDG_SEED=7 fail`.
    pub fn headline(&self) -> String {
        if self.is_of_lost_rows() {
            let are = if self.count == 1 { "is" } else { "are" };
            let rows = counted(self.count, "recorded row");
            return format!("{rows} {are} no longer kept");
        }
        let verb = match (self.verdict(), self.count) {
            (Verdict::Changed, 1) if self.loosened.is_some() => {
                "passes only under a policy other than the recorded one"
            }
            (Verdict::Changed, _) if self.loosened.is_some() => {
                "pass only under a policy other than the recorded one"
            }
            (Verdict::Changed, _) => "changed",
            (Verdict::Unstable, 1) => "is unstable",
            (Verdict::Unstable, _) => "are unstable",
            (Verdict::Missing, 1) => "has no recorded output",
            (Verdict::Missing, _) => "have no recorded output",
            (_, 1) => "fails",
            _ => "fail",
        };
        match self.rows {
            ExploredRows::Kept => match self.shown.as_slice() {
                [row] => format!("kept row {} {verb}", row.number),
                _ => format!(
                    "{} of {} {verb}",
                    self.count,
                    counted(self.size, "kept row")
                ),
            },
            ExploredRows::Drawn { seed, .. } if self.count == 0 => {
                let rows = counted(self.size, "row");
                format!("the batch of {rows} with TDG_SEED={seed} fails")
            }
            ExploredRows::Drawn { seed, .. } => format!(
                "{} of {} with TDG_SEED={seed} {verb}",
                self.count,
                counted(self.size, "row")
            ),
        }
    }

    pub(super) fn text(&self, command: &str, extent: Extent) -> (String, Vec<Section>) {
        let mut sections: Vec<Section> = self.loosened.iter().map(Loosened::lines).collect();
        sections.push(finding_lines(&self.findings));
        let shown = &self.shown[..self.shown.len().min(KEPT)];
        for row in shown {
            let (features, fields) = (FEATURES / shown.len(), FIELDS / shown.len());
            sections.push(self.row_lines(row, (features, fields), extent));
        }
        let told = shown.len().max(self.findings.len());
        if self.count > told && self.rows == ExploredRows::Kept {
            let more = counted(self.count - told, "more kept row");
            sections.push(vec![format!("… and {more}")]);
        }
        let mut hints = Hints::default();
        if let ExploredRows::Drawn { seed, calls } = self.rows {
            if let (Some(row), Some(_)) = (shown.first(), calls) {
                let keep = format!("keep = [{}] in the attribute", raw_string(&row.object));
                hints.add("keep:", keep);
            }
            let size = self.size;
            hints.add(
                "again:",
                format!("TDG_SEED={seed} TDG_SIZE={size} {command}"),
            );
        } else {
            hints.add("again:", command);
        }
        if let Some(pending) = &self.pending {
            hints.accept(command, pending);
        }
        sections.push(hints.lines());
        (self.headline(), sections)
    }

    fn row_lines(
        &self,
        row: &FailingRow,
        (features, fields): (usize, usize),
        extent: Extent,
    ) -> Section {
        let name = match self.rows {
            ExploredRows::Kept => format!("Kept row {}:", row.number),
            ExploredRows::Drawn { .. } if row.inputs.is_empty() => {
                "No row fails on its own. The batch".to_owned()
            }
            ExploredRows::Drawn { calls: None, .. } => {
                format!("Row {}, which does not fail on its own:", row.number)
            }
            ExploredRows::Drawn {
                calls: Some(calls), ..
            } => format!(
                "The simplest failing row, found in {}:",
                counted(calls, "call")
            ),
        };
        let mut lines = vec![name];
        let shown = &row.inputs[..row.inputs.len().min(features)];
        let names = shown
            .iter()
            .map(|(name, _)| shorten(&escape(name), NAME_WIDTH));
        let names: Vec<String> = names.collect();
        let widest = names.iter().map(|name| tdg_engine::text::width(name)).max();
        let widest = widest.unwrap_or_default();
        for (name, (_, value)) in names.iter().zip(shown) {
            let padding = " ".repeat(widest - tdg_engine::text::width(name));
            let value = shorten(&escape(value), WIDTH - NAME_WIDTH - 8);
            lines.push(format!("  {name}{padding}  {value}"));
        }
        if row.inputs.len() > shown.len() {
            let more = counted(row.inputs.len() - shown.len(), "more feature");
            lines.push(format!("  … and {more}"));
        }
        lines.extend(row.failure.lines(fields, extent));
        lines
    }
}

/// Returns the text as a raw Rust string.
///
/// ```
/// let row = tdg_report::raw_string(r#"{"amount":12.5}"#);
/// assert_eq!(row, r##"r#"{"amount":12.5}"#"##);
/// ```
#[must_use]
pub fn raw_string(text: &str) -> String {
    let ends = |hashes: &String| !text.contains(&format!("\"{hashes}"));
    let hashes = (1..).map(|count| "#".repeat(count)).find(ends);
    let hashes = hashes.unwrap_or_default();
    format!("r{hashes}\"{text}\"{hashes}")
}
