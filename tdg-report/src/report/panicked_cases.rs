//! Cases in which the function panicked.

use std::cmp::Reverse;

use tdg_definition::sort;

use super::changed_outputs::{Changed, in_short, not_shown};
use super::distribution::distributions_of;
use super::hints::Hints;
use super::table::{ReportTable, input_width};
use super::{Extent, PendingPlace, Section, WIDTH, counted, more};
use tdg_engine::text::{input_cell, is_named, wrap};

/// The maximum number of places shown.
const PLACES: usize = 3;
/// The maximum number of places shown below findings.
const PLACES_WITH_FINDINGS: usize = 2;
/// The maximum number of places shown along with other changes.
const PLACES_BESIDE_CHANGES: usize = 1;
/// The maximum number of rows shown, over all places.
const ROWS: usize = 6;
/// The maximum number of rows shown along with other changes.
const ROWS_BESIDE_CHANGES: usize = 2;
/// The maximum number of lines in the table of other changes.
const ROWS_OF_CHANGES: usize = 3;
/// The maximum number of lines of a message.
const MESSAGE_LINES: usize = 3;

/// Cases in which the function panicked.
#[derive(Clone, Debug, PartialEq)]
pub struct Panicked {
    /// The number of cases.
    pub size: usize,
    /// The names of the features.
    pub features: Vec<String>,
    /// The common properties of the cases, one sentence each.
    pub findings: Vec<String>,
    /// The cases that panicked, in order.
    pub cases: Vec<PanickedCase>,
    /// The other cases, if any changed.
    pub changed: Option<Box<Changed>>,
}

/// A case in which the function panicked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanickedCase {
    /// The case, counted from 0.
    pub case: usize,
    /// Its row, each cell in JSON.
    pub inputs: Vec<String>,
    /// The panic message.
    pub message: String,
    /// Its place, such as `src/lib.rs:14:9`.
    pub location: Option<String>,
}

impl Panicked {
    /// Returns the text. `pending` are outputs of other rows, which can be accepted even though
    /// these cases panicked. Along with changed inputs, fewer details are shown.
    pub(super) fn text(
        &self,
        (test, command): (&str, &str),
        pending: Option<&PendingPlace>,
        has_same_inputs: bool,
        extent: Extent,
    ) -> (String, Vec<Section>) {
        let groups = self.groups();
        let is_alone = has_same_inputs && self.changed.is_none();
        let (places, rows) = match is_alone {
            false => (PLACES_BESIDE_CHANGES, ROWS_BESIDE_CHANGES),
            true if self.findings.is_empty() => (PLACES, ROWS),
            true => (PLACES_WITH_FINDINGS, ROWS),
        };
        let shown = &groups[..groups.len().min(places)];
        let mut sections = vec![match is_alone {
            true => Extent::SCREEN.sentences(&self.findings),
            false => in_short(&self.findings, Extent::SCREEN),
        }];
        for group in shown {
            sections.push(self.group_lines(group, rows / shown.len(), extent));
        }
        if groups.len() > shown.len() {
            let cases: usize = groups.iter().skip(shown.len()).map(Vec::len).sum();
            let cases = more(cases, "case");
            sections.push(vec![format!("… and {cases}, at other places")]);
        }

        let mut hints = Hints::default();
        if let Some(changed) = &self.changed {
            let rows = if has_same_inputs { ROWS_OF_CHANGES } else { 0 };
            sections.extend(changed.below_panics("changed without a panic", rows, extent));
            if pending.is_some() {
                changed.see_rest(&mut hints, test, command, 0, self.size);
            }
        }
        hints.run_one(command, self.first());
        hints.add(
            "record:",
            "panics = \"record\" in the attribute, if these rows should make it panic",
        );
        match (pending, &self.changed) {
            (Some(pending), _) => hints.accept(command, pending),
            (None, Some(changed)) if changed.compared_with.pending().is_none() => {
                hints.decide(command, &changed.compared_with);
            }
            (None, _) => {}
        }
        sections.push(hints.lines());
        (
            format!("{} panicked{}", self.what(), self.others()),
            sections,
        )
    }

    /// Returns a phrase such as `6 of 200 cases`.
    pub(super) fn what(&self) -> String {
        format!("{} of {}", self.cases.len(), counted(self.size, "case"))
    }

    /// Returns a phrase such as `, and 46 others changed`.
    pub(super) fn others(&self) -> String {
        let of = |changed: &Changed| match changed.count {
            0 => format!(", and {} changed", distributions_of(&changed.distributions)),
            1 => ", and 1 other changed".to_owned(),
            count => format!(", and {count} others changed"),
        };
        self.changed.as_deref().map(of).unwrap_or_default()
    }

    /// Returns the place of the other outputs, if a decision is pending.
    pub(super) fn pending(&self) -> Option<&PendingPlace> {
        self.changed.as_ref()?.compared_with.pending()
    }

    /// Returns the case that is shown first.
    pub(super) fn first(&self) -> Option<usize> {
        self.groups().first()?.first().map(|it| it.case)
    }

    /// Groups the cases by the place of the panic, the most frequent first. Many messages contain
    /// values, so they group only panics without a place.
    fn groups(&self) -> Vec<Vec<&PanickedCase>> {
        fn place(case: &PanickedCase) -> &str {
            case.location.as_ref().unwrap_or(&case.message)
        }
        let mut cases: Vec<&PanickedCase> = self.cases.iter().collect();
        sort::by(&mut cases, |left, right| place(left).cmp(place(right)));
        let mut groups: Vec<_> = cases
            .chunk_by(|left, right| place(left) == place(right))
            .map(<[_]>::to_vec)
            .collect();
        sort::by_key(&mut groups, |group| (Reverse(group.len()), group[0].case));
        groups
    }

    fn group_lines(&self, group: &[&PanickedCase], rows: usize, extent: Extent) -> Section {
        let first = group[0];
        let place = match &first.location {
            Some(location) => format!(" at {location}"),
            None => String::new(),
        };
        let mut lines = wrap(
            &format!("{}{place}:", counted(group.len(), "case")),
            WIDTH,
            2,
        );
        let mut indented = wrap(&first.message, WIDTH - 2, MESSAGE_LINES);
        let messages = group.iter().map(|case| &*case.message);
        let messages = sort::distinct(messages.collect::<Vec<&str>>());
        if messages.len() > 1 {
            indented.push(format!("… and {}", more(messages.len() - 1, "message")));
        }
        indented.extend(self.table(group, rows, extent.indented()));
        lines.extend(indented.iter().map(|line| format!("  {line}")));
        lines
    }

    fn table(&self, group: &[&PanickedCase], rows: usize, extent: Extent) -> Section {
        let shown = &group[..group.len().min(rows)];
        let mut table = ReportTable::default();
        table.fixed(
            "case",
            shown.iter().map(|case| case.case.to_string()).collect(),
            9,
        );
        for (index, feature) in self.features.iter().enumerate() {
            let input = |case: &&PanickedCase| case.inputs.get(index).cloned().unwrap_or_default();
            let cell = |case: &&PanickedCase| match input(case) {
                nested if nested.starts_with(['[', '{']) => input_cell(&nested),
                scalar => scalar,
            };
            let decides = is_named(&self.findings, feature);
            let cells: Vec<String> = shown.iter().map(cell).collect();
            let width = input_width(&cells);
            table.input(feature, cells, width, decides);
        }
        let (mut lines, hidden) = table.lines(extent);
        lines.extend(not_shown(group.len() - shown.len(), hidden));
        lines
    }
}
