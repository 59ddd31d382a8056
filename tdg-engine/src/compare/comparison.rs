//! The result of comparing one case.

use tdg_definition::json::{Number, Pointer, Value};

use super::moved::is_place_of;
use super::{Closeness, FieldDifference, Moved, Severity};
use crate::output::OutputForm;

/// The number of differing values of one case that are kept, and of fields that only one side has.
pub const DIFFERENCES_KEPT: usize = 16;

/// The result of comparing one case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The fields that differ, in the order of the output's keys. Of more than
    /// [`DIFFERENCES_KEPT`] values the worst, and of as many fields that only one side has the
    /// first: new fields must not hide what else changed.
    pub differences: Vec<FieldDifference>,
    /// The number of fields that differ.
    pub count: usize,
    /// The largest share of its tolerance that a tolerated difference used, from 0 to 1; `None` if
    /// nothing had to be tolerated.
    pub tolerance_use: Option<f64>,
    /// How close the differing fields are, if all of them are finite floats.
    pub closeness: Option<Closeness>,
    /// The number of fields that only one side has.
    pub one_sided: usize,
    /// The fields that are at another place now, as far as the values of all cases tell: values are
    /// compared there.
    pub moved: Vec<Moved>,
    /// The forms of the expected and the actual output, if they are not the same.
    pub forms: Option<[OutputForm; 2]>,
    /// The least severe of the kept values, once no more can be kept.
    least: Option<(usize, Severity)>,
}

impl Comparison {
    /// Whether the output is the expected one, or within tolerance of it.
    pub fn is_same(&self) -> bool {
        self.count == 0
    }

    /// The severity of the worst difference.
    pub fn severity(&self) -> Option<Severity> {
        self.differences.iter().map(FieldDifference::severity).max()
    }

    /// Whether that difference is one of the shape alone: the field is elsewhere.
    pub fn is_moved(&self, difference: &FieldDifference) -> bool {
        let is_one_sided = difference.expected.is_none() != difference.actual.is_none();
        is_one_sided && is_place_of(&self.moved, &difference.pointer)
    }

    /// Two outputs of these forms.
    pub(super) fn of_forms(forms: [OutputForm; 2], expected: &Value, actual: &Value) -> Self {
        let mut comparison = Self {
            forms: Some(forms),
            ..Self::default()
        };
        comparison.add(Some(expected), Some(actual), Pointer::root);
        comparison
    }

    pub(super) fn tolerate(&mut self, share: f64) {
        self.tolerance_use = Some(
            self.tolerance_use
                .map_or(share, |largest| largest.max(share)),
        );
    }

    pub(super) fn add_numbers(
        &mut self,
        expected: Number,
        actual: Number,
        pointer: impl FnOnce() -> Pointer,
    ) {
        let closeness = Closeness::between(expected, actual);
        self.closeness = match (self.count, self.closeness, closeness) {
            (0, _, closeness) => closeness,
            (_, Some(all), Some(closeness)) => Some(all.and(closeness)),
            _ => None,
        };
        self.keep(Severity::of_numbers(expected, actual), || FieldDifference {
            pointer: pointer(),
            expected: Some(expected.into()),
            actual: Some(actual.into()),
        });
    }

    pub(super) fn add(
        &mut self,
        expected: Option<&Value>,
        actual: Option<&Value>,
        pointer: impl FnOnce() -> Pointer,
    ) {
        self.closeness = None;
        let difference = || FieldDifference {
            pointer: pointer(),
            expected: expected.cloned(),
            actual: actual.cloned(),
        };
        if expected.is_some() && actual.is_some() {
            return self.keep(Severity::OTHER_THAN_NUMBERS, difference);
        }
        self.count += 1;
        if self.one_sided < DIFFERENCES_KEPT {
            self.differences.push(difference());
        }
        self.one_sided += 1;
    }

    /// Counts a differing value, and makes and keeps it if there is room or a kept one is less
    /// severe.
    fn keep(&mut self, severity: Severity, difference: impl FnOnce() -> FieldDifference) {
        self.count += 1;
        if self.values() == DIFFERENCES_KEPT {
            // Of millions of differences, nearly all end here.
            if self.least.is_some_and(|(_, least)| severity <= least) {
                return;
            }
            if let Some((index, _)) = self.least {
                self.differences.remove(index);
            }
        }
        self.differences.push(difference());
        if self.values() == DIFFERENCES_KEPT {
            self.least = self.find_least();
        }
    }

    /// The number of kept values.
    fn values(&self) -> usize {
        self.differences.len() - self.one_sided.min(DIFFERENCES_KEPT)
    }

    /// The number of fields that only one side has and that are not kept.
    pub fn more_one_sided(&self) -> usize {
        self.one_sided.saturating_sub(DIFFERENCES_KEPT)
    }

    /// The least severe kept difference; of equal ones the last, so that the first in key order
    /// stay.
    fn find_least(&self) -> Option<(usize, Severity)> {
        let kept = self.differences.iter().enumerate().rev();
        let values = kept.filter(|(_, it)| it.expected.is_some() && it.actual.is_some());
        let severities = values.map(|(index, difference)| (index, difference.severity()));
        severities.min_by_key(|(_, severity)| *severity)
    }
}

/// How close the outputs of a run are, where every difference is between finite floats that are at
/// most `limit` ULP apart; `None` where there is another difference, or none at all.
///
/// Such differences are likely those of another platform's math library, and
/// [`Closeness::tolerance`] is what allows them.
pub fn within_ulps<'a>(
    comparisons: impl IntoIterator<Item = &'a Comparison>,
    limit: u64,
) -> Option<Closeness> {
    let mut all: Option<Closeness> = None;
    for comparison in comparisons {
        if comparison.is_same() {
            continue;
        }
        let closeness = comparison
            .closeness
            .filter(|closeness| closeness.ulps <= limit)?;
        all = Some(all.map_or(closeness, |all| all.and(closeness)));
    }
    all
}
