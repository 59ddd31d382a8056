//! Outputs that differ from the benchmark.

use std::cmp::Reverse;

use tdg_definition::json::Value;
use tdg_definition::{Cells, ListCells, Policy, sort};

use super::distribution::{distribution_lines, distributions_of};
use super::fields::{FieldSummary, summaries};
use super::hints::{Hints, quoted, see_changed};
use super::platform_advice::CameOutOn;
use super::table::case_lines::CaseLine;
use super::table::cell::{DifferenceCells, OUTPUT_WIDTH};
use super::table::steps::Steps;
use super::table::{ReportTable, input_width};
use super::whole_variants::with_whole_variants;
use super::{ChangedCase, ComparedWith, Extent, PendingPlace, Section, WIDTH, counted, more};
use tdg_engine::compare::{
    Closeness, DIFFERENCES_KEPT, DifferingCase, DistributionChange, FieldDifference, LAST_BITS,
    PartKind, changed_forms, parts, with_any_element, within_ulps,
};
use tdg_engine::generate::Vectors;
use tdg_engine::output::{OutputForm, refusal};
use tdg_engine::text::{escape, input_cell, is_named, shorten};

/// The maximum number of table lines.
const ROWS: usize = 12;
/// The maximum number of lines per group for findings in two groups of cases.
const FINDING_LINES_OF_TWO: usize = 3;
/// The maximum number of parts shown.
const PARTS: usize = 4;
/// The maximum number of summarized fields.
const FIELDS: usize = 4;
/// The maximum number of distributions shown.
const DISTRIBUTIONS: usize = 2;
const LINES_OF_A_DISTRIBUTION: usize = 5;
/// The width of a field's pointer.
const FIELD_WIDTH: usize = 24;

/// Outputs that differ from the benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// The number of compared cases.
    pub size: usize,
    /// The number of changed cases.
    pub count: usize,
    /// The number of changed cases that differ in more than a shape that most outputs share.
    pub count_in_table: usize,
    /// The number of rows that are inputs of the function; `None` if all are, or if unknown.
    pub inputs: Option<usize>,
    /// The names of the features.
    pub features: Vec<String>,
    /// The common properties of the changed cases and their outputs, one sentence each; `None` if
    /// this build leaves the search to `cargo tdg`.
    pub findings: Option<Vec<String>>,
    /// The cause that the findings state, if it explains every changed case; equal in all tests
    /// that changed by it.
    pub cause: Option<String>,
    /// The parts that can be accepted separately, in the order of their numbers, from 1.
    pub parts: Vec<String>,
    /// The steps until a list's outputs differ, if each element has an output.
    pub steps: Option<Steps>,
    /// The cases that changed most, the worst first, preceded by the one with the shortest lists.
    pub worst: Vec<ChangedCase>,
    /// The differing fields, most cases first.
    pub fields: Vec<FieldSummary>,
    /// Set if `fields` is incomplete, because some cases differ in more fields than are kept.
    pub is_partial: bool,
    /// The closeness of the outputs, if all differences are floats within a few ULP.
    pub closeness: Option<Closeness>,
    /// The platforms of the expected outputs, if they are that close.
    pub came_out_on: CameOutOn,
    /// The fields whose distribution over all cases changed.
    pub distributions: Vec<DistributionChange>,
    /// The origin of the expected outputs.
    pub compared_with: ComparedWith,
    /// The policies, if the cases pass under the test's policy.
    pub loosened: Option<Loosened>,
    /// The address of a page about the benchmark, if a server has one.
    pub page: Option<String>,
    /// The recorded form of the outputs and the test's form, if they differ.
    pub forms: Option<[OutputForm; 2]>,
}

/// The policies of cases that pass only under the test's policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loosened {
    /// The policy in the snapshot file, as JSON. Under it, the cases changed.
    pub recorded: String,
    /// The policy of the test.
    pub now: String,
}

impl Loosened {
    /// Creates the pair from the recorded policy and the test's.
    pub fn between(recorded: &Policy, now: &Policy) -> Self {
        Self {
            recorded: recorded.stated().to_json().to_string(),
            now: now.stated().to_json().to_string(),
        }
    }

    pub(super) fn lines(&self) -> Section {
        let line = |label, policy| shorten(&escape(&format!("{label} {policy}")), WIDTH);
        vec![
            line("recorded:  ", &self.recorded),
            line("the test\'s:", &self.now),
        ]
    }
}

impl Changed {
    /// Summarizes the differing cases, without findings. Leaves out the cases in `uncompared`,
    /// which is sorted.
    pub fn from_cases(
        vectors: &Vectors,
        uncompared: &[usize],
        expected: Option<&[Value]>,
        differing: &[DifferingCase],
        compared_with: ComparedWith,
    ) -> Self {
        let size = vectors.size() - uncompared.len();
        let features = vectors.names().map(str::to_owned).collect();
        let inputs = |case| vectors.cells(case);
        Self {
            inputs: expected.and_then(|expected| inputs_now(size, expected, differing)),
            steps: Steps::new(vectors, differing),
            ..Self::new(size, differing, features, inputs, compared_with)
        }
        .shortest_first(vectors, differing)
    }

    /// Moves the case with the shortest lists, if any, to the front, where it is read first.
    fn shortest_first(mut self, vectors: &Vectors, differing: &[DifferingCase]) -> Self {
        let features = vectors.features().iter();
        let lists = features.filter_map(|feature| match feature.column.cells() {
            Cells::List(lists) => Some(lists),
            _ => None,
        });
        let lists: Vec<&ListCells> = lists.collect();
        if lists.is_empty() || self.count_in_table < self.count {
            return self;
        }
        let shown = |case: usize| self.worst.iter().position(|it| it.case == case);
        let shortest = differing.iter().min_by_key(|differing| {
            let case = differing.case;
            let elements: usize = lists.iter().map(|lists| lists.range(case).len()).sum();
            (elements, shown(case).unwrap_or(usize::MAX), case)
        });
        if let Some(shortest) = shortest {
            let first = match shown(shortest.case) {
                Some(place) => self.worst.remove(place),
                None => changed_case(shortest, vectors.cells(shortest.case)),
            };
            self.worst.insert(0, first);
        }
        self
    }

    /// Summarizes the differing cases of `size` compared ones. `inputs` returns the row of a case,
    /// each cell in JSON; it is called only for shown cases.
    pub fn new(
        size: usize,
        differing: &[DifferingCase],
        features: Vec<String>,
        inputs: impl FnMut(usize) -> Vec<String>,
        compared_with: ComparedWith,
    ) -> Self {
        let all = differing;
        let whole_variants = with_whole_variants(differing);
        let differing = whole_variants.as_deref().unwrap_or(differing);
        // A field that most outputs have now would take every line of the table.
        let without_common_shape = without_common_shape(size, differing);
        let differing = without_common_shape.as_deref().unwrap_or(differing);
        Self {
            size,
            count: all.len(),
            count_in_table: differing.len(),
            inputs: None,
            features,
            findings: None,
            cause: None,
            parts: Vec::new(),
            steps: None,
            worst: ranked(differing, ROWS, inputs),
            fields: summaries(differing, with_any_element),
            is_partial: differing
                .iter()
                .any(|it| it.comparison.count > it.comparison.differences.len()),
            closeness: within_ulps(
                differing.iter().map(|differing| &differing.comparison),
                LAST_BITS,
            ),
            came_out_on: CameOutOn::Unknown,
            distributions: Vec::new(),
            compared_with,
            loosened: None,
            page: None,
            forms: changed_forms(all),
        }
    }

    /// Includes all cases if the extent requires it. A shape that most outputs share is repeated in
    /// each case only if nothing is left out.
    #[must_use]
    pub fn to_extent(self, extent: Extent, vectors: &Vectors, differing: &[DifferingCase]) -> Self {
        if !extent.are_all_told() {
            return self;
        }
        let whole_variants = with_whole_variants(differing);
        let differing = whole_variants.as_deref().unwrap_or(differing);
        let without_common_shape = match extent.are_values_whole() {
            true => None,
            false => without_common_shape(self.size, differing),
        };
        let differing = without_common_shape.as_deref().unwrap_or(differing);
        Self {
            worst: ranked(differing, usize::MAX, |case| vectors.cells(case)),
            count_in_table: differing.len(),
            ..self
        }
    }

    pub(super) fn text(&self, test: &str, command: &str, extent: Extent) -> (String, Vec<Section>) {
        let mut hints = Hints::default();
        let parts = self.part_lines(extent);
        let rows = ROWS - parts.len();
        self.see_rest(&mut hints, test, command, rows, self.size);
        let pending = self.compared_with.pending();
        if pending.is_some_and(PendingPlace::is_somewhere) {
            hints.add("cause:", "cargo tdg why");
        }
        self.next_steps(&mut hints, command);
        if !parts.is_empty() {
            let test = quoted(test);
            hints.add("a part:", format!("cargo tdg accept {test} --rule 1"));
        }
        let mut sections = self.sections(rows, extent);
        sections.extend([parts, hints.lines()]);
        (self.headline(), sections)
    }

    /// Returns `37 of 500 cases changed`, `the distribution of /price changed` or `37 of 500 cases
    /// differ from old::total`.
    pub(super) fn headline(&self) -> String {
        let what = self.what();
        if let Some([recorded, now]) = self.forms {
            return format!("{what} were recorded by {recorded}, but the test now gives {now}");
        }
        match &self.compared_with {
            ComparedWith::Benchmark(_) if self.loosened.is_some() => {
                let verb = if self.count == 1 { "passes" } else { "pass" };
                format!("{what} {verb} only under a policy other than the recorded one")
            }
            ComparedWith::Benchmark(_) => match self.inputs {
                Some(inputs) => format!("{what} changed; {}", inputs_of(inputs, self.size)),
                None => format!("{what} changed"),
            },
            ComparedWith::Function(name) => {
                let is_one = self.count + self.distributions.len() == 1;
                let verb = if is_one { "differs" } else { "differ" };
                format!("{what} {verb} from {}", escape(name))
            }
        }
    }

    /// Returns true if the headline says more than that cases changed.
    pub(super) fn has_headline_of_its_own(&self) -> bool {
        self.loosened.is_some() || self.forms.is_some()
    }

    /// Returns `37 of 500 cases` or `37 of 500 cases and the distribution of /price`.
    pub(super) fn what(&self) -> String {
        let cases = format!("{} of {}", self.count, counted(self.size, "case"));
        match (self.count, self.distributions.as_slice()) {
            (_, []) => cases,
            (0, fields) => distributions_of(fields),
            (_, fields) => format!("{cases} and {}", distributions_of(fields)),
        }
    }

    /// Adds the command that shows the rest: the findings if this build has none, or the cases that
    /// don't fit into a table with this many rows.
    pub(super) fn see_rest(
        &self,
        hints: &mut Hints,
        test: &str,
        command: &str,
        rows: usize,
        size: usize,
    ) {
        let pending = self.compared_with.pending();
        if self.findings.is_none() && pending.is_some_and(PendingPlace::is_somewhere) {
            hints.add("explain:", see_changed(test));
        } else if self.shown(rows, Extent::SCREEN).1 < self.count_in_table {
            hints.see_all(test, command, size, pending);
        }
    }

    /// Adds the commands of the next steps, and the page that shows the change.
    pub(super) fn next_steps(&self, hints: &mut Hints, command: &str) {
        hints.run_one(command, self.first());
        hints.decide(command, &self.compared_with);
        if let Some(page) = &self.page {
            hints.add("page:", page);
        }
    }

    pub(super) fn findings(&self) -> &[String] {
        self.findings.as_deref().unwrap_or_default()
    }

    /// Returns the worst case.
    pub(super) fn first(&self) -> Option<usize> {
        self.worst.first().map(|worst| worst.case)
    }

    /// Returns the changes without hints. Unless all are shown, the table has at most `rows` lines.
    pub(super) fn sections(&self, rows: usize, extent: Extent) -> Vec<Section> {
        let shown = self.distributions.len().min(extent.most(DISTRIBUTIONS));
        let (shown, rest) = self.distributions.split_at(shown);
        let loosened = self.loosened.iter().map(Loosened::lines);
        let shown = shown.iter().map(|it| distribution_lines(it, extent));
        let mut sections: Vec<Section> = loosened.chain(shown).collect();
        if !rest.is_empty() {
            sections.push(vec![format!("… and {}", more(rest.len(), "distribution"))]);
        }
        if self.count == 0 && !self.distributions.is_empty() {
            return sections;
        }
        if self.forms.is_some() {
            sections.push(extent.sentences(self.findings()));
            return sections;
        }
        let mut table = self.table(rows, extent);
        table.extend(self.summary_lines());
        sections.push(extent.sentences(self.findings()));
        let closeness = self.closeness.as_ref();
        sections.extend(self.steps.iter().map(|steps| steps.lines(extent)));
        sections.extend(closeness.map(|closeness| self.came_out_on.lines(closeness, extent)));
        sections.push(table);
        sections
    }

    /// Returns a short version to show below panicked cases, with at most `rows` table lines.
    pub(super) fn below_panics(&self, title: &str, rows: usize, extent: Extent) -> [Section; 2] {
        let mut lines = vec![format!("{} {title}:", self.what())];
        lines.extend(in_short(self.findings(), extent));
        let table = match self.count.min(rows) {
            0 => Vec::new(),
            _ => self.table(rows, extent),
        };
        [lines, table]
    }

    /// Returns the numbered parts, if they can be accepted.
    fn part_lines(&self, extent: Extent) -> Section {
        let pending = self.compared_with.pending();
        if !pending.is_some_and(PendingPlace::is_somewhere) {
            return Vec::new();
        }
        let parts = self.parts.iter().zip(1..).take(PARTS);
        let line = |(part, number): (&String, usize)| {
            let line = escape(&format!("part {number}: {part}"));
            shorten(&line, extent.columns().min(WIDTH))
        };
        let mut lines: Section = parts.map(line).collect();
        let rest = self.parts.len() - lines.len();
        lines.extend((rest > 0).then(|| format!("… and {}", more(rest, "part"))));
        lines
    }

    fn table(&self, rows: usize, extent: Extent) -> Section {
        let (shown, cases) = self.shown(rows, extent);
        let is_whole = extent.are_values_whole();
        let most = |columns| if is_whole { usize::MAX } else { columns };
        let mut table = ReportTable::default();
        table.fixed("case", column(&shown, |row| row.case()), 9);
        for (index, feature) in self.features.iter().enumerate() {
            let cells = column(&shown, |row| match row.input(index) {
                Some(input) if is_whole => input.to_owned(),
                Some(input) => input_cell(input),
                None => String::new(),
            });
            let decides = is_named(self.findings(), feature);
            let width = input_width(&cells);
            table.input(feature, cells, most(width), decides);
        }
        if shown.iter().any(CaseLine::has_field) {
            table.fixed("field", column(&shown, CaseLine::field), most(FIELD_WIDTH));
            table.span_from_last(column(&shown, CaseLine::rest));
        }
        let cells: Vec<DifferenceCells> = shown.iter().map(|row| row.cells(is_whole)).collect();
        let of = |part: fn(&DifferenceCells) -> &String| -> Vec<String> {
            cells.iter().map(part).cloned().collect()
        };
        let outputs = [of(|cells| &cells.expected), of(|cells| &cells.actual)];
        table.outputs(outputs, most(OUTPUT_WIDTH));
        table.fixed("error", of(|cells| &cells.error), 24);
        table.fixed("", of(|cells| &cells.relative), 12);

        let (mut lines, hidden) = table.lines(extent);
        lines.extend(not_shown(self.count_in_table.saturating_sub(cases), hidden));
        lines
    }

    /// Returns the lines of the table, and the number of their cases.
    fn shown(&self, limit: usize, extent: Extent) -> (Vec<CaseLine<'_>>, usize) {
        let taken = LINES_OF_A_DISTRIBUTION * self.distributions.len().min(DISTRIBUTIONS);
        let limit = extent.most(limit.saturating_sub(taken).max(1));
        let mut rows = Vec::new();
        let mut cases = 0;
        for case in &self.worst {
            let lines = CaseLine::lines(case, extent);
            if cases > 0 && rows.len() + lines.len() > limit {
                break;
            }
            rows.extend(lines);
            cases += 1;
        }
        (rows, cases)
    }

    fn summary_lines(&self) -> Section {
        if let [field] = self.fields.as_slice() {
            let mut lines: Section = field.size_of_errors().into_iter().collect();
            // Errors in the last bits have no visible spread.
            if self.closeness.is_none() {
                lines.extend(field.spread());
            }
            lines.extend(self.summary_limit());
            return lines;
        }
        let mut lines = vec![String::new()];
        for field in self.fields.iter().take(FIELDS) {
            let mut line = format!("{}: {}", field.name(), counted(field.cases, "case"));
            if let Some(errors) = field.size_of_errors() {
                line = format!("{line}, {errors}");
            }
            lines.push(line);
        }
        if self.fields.len() > FIELDS {
            lines.push(format!(
                "… and {}",
                more(self.fields.len() - FIELDS, "field")
            ));
        }
        lines.extend(self.summary_limit());
        lines
    }

    /// Returns a note on the summary if cases differ in more fields than are kept.
    fn summary_limit(&self) -> Option<String> {
        let text = format!("(of the {DIFFERENCES_KEPT} worst fields of each case)");
        self.is_partial.then_some(text)
    }
}

/// Limits findings to a few lines, for reports with two groups of cases.
pub(super) fn in_short(findings: &[String], extent: Extent) -> Section {
    extent.first_sentences(findings, FINDING_LINES_OF_TWO)
}

/// Returns a phrase such as `412 of 500 rows are inputs`.
#[must_use]
pub fn inputs_of(inputs: usize, size: usize) -> String {
    let are = if inputs == 1 {
        "is an input"
    } else {
        "are inputs"
    };
    format!("{inputs} of {} {are}", counted(size, "row"))
}

/// Returns the number of rows that are inputs now, if any row isn't or wasn't one.
fn inputs_now(size: usize, expected: &[Value], differing: &[DifferingCase]) -> Option<usize> {
    let is_refusal = |value: &Value| refusal(value).is_some();
    let count = |side: fn(&DifferingCase) -> &Value| {
        let of_side = differing.iter().map(side);
        of_side.filter(|value| is_refusal(value)).count()
    };
    let before = expected.iter().filter(|value| is_refusal(value)).count();
    let (was, now) = (count(|it| &it.expected), count(|it| &it.actual));
    (before + now > 0).then(|| size.saturating_sub((before + now).saturating_sub(was)))
}

/// Returns the worst of these cases.
fn ranked(
    differing: &[DifferingCase],
    most: usize,
    mut inputs: impl FnMut(usize) -> Vec<String>,
) -> Vec<ChangedCase> {
    let mut ranked: Vec<&DifferingCase> = differing.iter().collect();
    let is_input = |value: &Value| refusal(value).is_none();
    sort::by_key(&mut ranked, |differing| {
        let is_input_alike = is_input(&differing.expected) == is_input(&differing.actual);
        let severity = Reverse(differing.comparison.severity());
        (is_input_alike, severity, differing.case)
    });
    let worst = ranked.iter().take(most);
    worst
        .map(|differing| changed_case(differing, inputs(differing.case)))
        .collect()
}

fn changed_case(differing: &DifferingCase, inputs: Vec<String>) -> ChangedCase {
    ChangedCase {
        case: differing.case,
        inputs,
        comparison: differing.comparison.clone(),
    }
}

/// Returns the cases without the fields that were added, removed or renamed in most outputs, or
/// `None` if no field was or nothing else changed.
fn without_common_shape(size: usize, differing: &[DifferingCase]) -> Option<Vec<DifferingCase>> {
    let mut common = Vec::new();
    for part in parts(differing) {
        if part.is_common_shape(size) {
            common.extend(part.fields);
            if let PartKind::Renamed { from } = part.kind {
                common.push(from);
            }
        }
    }
    if common.is_empty() {
        return None;
    }
    let mut others = differing.to_vec();
    for DifferingCase { comparison, .. } in &mut others {
        let before = comparison.differences.len();
        // Moved fields are compared at their current place.
        let is_shape = |it: &FieldDifference| it.expected.is_none() || it.actual.is_none();
        let is_common = |it: &FieldDifference| common.contains(&with_any_element(&it.pointer));
        let differences = &mut comparison.differences;
        differences.retain(|it| !(is_shape(it) && is_common(it)));
        // Fields that weren't kept are assumed to be common as well.
        let removed = before - comparison.differences.len() + comparison.more_one_sided();
        comparison.count = comparison.count.saturating_sub(removed);
    }
    others.retain(|differing| !differing.comparison.is_same());
    (!others.is_empty()).then_some(others)
}

/// Counts the cases and features that did not fit into a table.
pub(super) fn not_shown(cases: usize, features: usize) -> Option<String> {
    let counts = [(cases, "case"), (features, "feature")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, noun)| more(count, noun)).collect();
    (!counts.is_empty()).then(|| format!("… and {}", counts.join(", ")))
}

fn column<'a>(rows: &[CaseLine<'a>], cell: impl Fn(&CaseLine<'a>) -> String) -> Vec<String> {
    rows.iter().map(cell).collect()
}
