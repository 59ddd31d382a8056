//! Outputs that differ between two runs of the same row.

use tdg_definition::Policy;
use tdg_definition::json::{self, Pointer};

use super::advice::{ignorable, reordered};
use super::fields::{FieldSummary, summaries};
use super::hints::Hints;
use super::table::ReportTable;
use super::table::cell::{DifferenceCells, OUTPUT_WIDTH};
use super::{Extent, Section, counted};
use tdg_engine::compare::{DifferingCase, FieldDifference};
use tdg_engine::text::escape;

/// The maximum number of fields shown.
const FIELDS: usize = 8;

/// Outputs that differ between two runs of the same row.
#[derive(Clone, Debug, PartialEq)]
pub struct Unstable {
    /// The function, if the test runs two.
    pub function: Option<String>,
    /// The number of cases that were run twice.
    pub size: usize,
    /// The number of cases whose two outputs differ.
    pub count: usize,
    /// The differing fields, each with an example, most cases first.
    pub fields: Vec<UnstableField>,
    /// The arrays that differ only in the order of their elements.
    pub unordered: Vec<Pointer>,
    /// The fields that can be ignored, because something around them is still compared.
    pub ignorable: Vec<Pointer>,
}

/// A field that differs between two runs of the same row.
#[derive(Clone, Debug, PartialEq)]
pub struct UnstableField {
    /// The field, and the number of cases in which it differs.
    pub summary: FieldSummary,
    /// The first case in which it differs.
    pub case: usize,
    /// An example; the first run counts as expected.
    pub example: FieldDifference,
}

impl Unstable {
    /// Summarizes the differing cases of `size` cases that were run twice. The first run counts as
    /// expected.
    pub fn new(policy: &Policy, size: usize, differing: &[DifferingCase]) -> Self {
        let unordered = reordered(policy, differing);
        let fields = summaries(differing, Pointer::clone)
            .into_iter()
            .filter_map(|summary| {
                let (case, example) = differing.iter().find_map(|it| {
                    let mut differences = it.comparison.differences.iter();
                    Some((
                        it.case,
                        differences.find(|other| other.pointer == summary.pointer)?,
                    ))
                })?;
                Some(UnstableField {
                    summary,
                    case,
                    example: example.clone(),
                })
            });
        Self {
            function: None,
            size,
            count: differing.len(),
            fields: fields.take(FIELDS).collect(),
            ignorable: ignorable(policy, &unordered, differing),
            unordered,
        }
    }

    /// Compares two outputs of each case under a policy. Returns `None` if no case differs.
    ///
    /// # Errors
    /// Fails if an output isn't JSON.
    pub fn between<'o>(
        policy: &Policy,
        size: usize,
        outputs: impl IntoIterator<Item = (usize, &'o str, &'o str)>,
    ) -> Result<Option<Self>, json::Error> {
        let mut differing = Vec::new();
        for (case, first, second) in outputs {
            if first == second {
                continue;
            }
            let compared = DifferingCase::of_outputs(policy, case, first, second)?;
            if !compared.comparison.is_same() {
                differing.push(compared);
            }
        }
        let is_unstable = !differing.is_empty();
        Ok(is_unstable.then(|| Self::new(policy, size, &differing)))
    }

    pub(super) fn text(&self, command: &str) -> (String, Vec<Section>) {
        let headline = format!(
            "unstable: {} of {} differ between two runs of the same row{}",
            self.count,
            counted(self.size, "case"),
            self.by_function(),
        );
        let recorded = match self.function {
            Some(_) => "",
            None => "Nothing was recorded. ",
        };
        let advice = "An output must depend on its row alone: no clock, no random \
                      numbers, no order of a hash map, no address, no state from earlier cases.";
        let mut hints = Hints::default();
        for (label, option, places) in [
            ("any order:", "unordered", &self.unordered),
            ("leave out:", "ignore", &self.ignorable),
        ] {
            let shown = places.iter().take(FIELDS);
            let shown: Vec<String> = shown.map(|it| format!("{:?}", it.to_string())).collect();
            if !shown.is_empty() {
                let shown = shown.join(", ");
                hints.add(label, format!("{option}({shown}) in the attribute"));
            }
        }
        hints.run_one(command, self.fields.first().map(|field| field.case));
        let advice = tdg_engine::text::wrap(&format!("{recorded}{advice}"), super::WIDTH, 3);
        (headline, vec![self.table(), advice, hints.lines()])
    }

    /// Returns a suffix such as ` by old::total`.
    pub(super) fn by_function(&self) -> String {
        let function = self.function.as_ref();
        function.map_or_else(String::new, |name| format!(" by {}", escape(name)))
    }

    fn table(&self) -> Section {
        let cells: Vec<DifferenceCells> = self
            .fields
            .iter()
            .map(|field| DifferenceCells::new(&field.example))
            .collect();
        let column = |cell: fn(&UnstableField) -> String| self.fields.iter().map(cell).collect();
        let mut table = ReportTable::default();
        table.fixed("field", column(|field| field.summary.name()), 40);
        table.fixed("cases", column(|field| field.summary.cases.to_string()), 9);
        table.fixed(
            "for instance",
            column(|field| format!("case {}", field.case)),
            14,
        );
        let of = |part: fn(&DifferenceCells) -> &String| -> Vec<String> {
            cells.iter().map(part).cloned().collect()
        };
        table.fixed("first run", of(|cells| &cells.expected), OUTPUT_WIDTH);
        table.fixed("second run", of(|cells| &cells.actual), OUTPUT_WIDTH);
        table.lines(Extent::SCREEN).0
    }
}
