//! The result of comparing one case.

use tdg_definition::json::{Number, Pointer, Value};

use super::moved_field::is_place_of;
use super::{Closeness, FieldDifference, Moved, Severity};
use crate::output::OutputForm;

/// The maximum number of differing values kept per case, and of one-sided fields.
pub const DIFFERENCES_KEPT: usize = 16;

/// The result of comparing one case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The fields that differ, in the order of the output's keys. Past [`DIFFERENCES_KEPT`], the
    /// worst values and the first one-sided fields are kept. They count separately, so that new
    /// fields can't hide other changes.
    pub differences: Vec<FieldDifference>,
    /// The number of fields that differ.
    pub count: usize,
    /// The largest share of its tolerance that a tolerated difference used, from 0 to 1; `None` if
    /// no tolerance was needed.
    pub tolerance_use: Option<f64>,
    /// The closeness of the differing fields, if all of them are finite floats.
    pub closeness: Option<Closeness>,
    /// The number of fields that only one side has.
    pub one_sided: usize,
    /// The fields that have moved, judging by the values of all cases. Their values are compared at
    /// the new place.
    pub moved: Vec<Moved>,
    /// The forms of the expected and the actual output, if they differ.
    pub forms: Option<[OutputForm; 2]>,
    /// The least severe of the kept values, set once the limit is reached.
    least: Option<(usize, Severity)>,
}

impl Comparison {
    /// Returns true if the output is the expected one or within tolerance of it.
    pub fn is_same(&self) -> bool {
        self.count == 0
    }

    /// Returns the severity of the worst difference.
    pub fn severity(&self) -> Option<Severity> {
        self.differences.iter().map(FieldDifference::severity).max()
    }

    /// Returns true if the difference is only in shape, because the field has moved.
    pub fn is_moved(&self, difference: &FieldDifference) -> bool {
        let is_one_sided = difference.expected.is_none() != difference.actual.is_none();
        is_one_sided && is_place_of(&self.moved, &difference.pointer)
    }

    /// Returns the comparison of two outputs with different forms.
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

    /// Counts a differing value, and keeps it if there is room or a kept one is less severe.
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

    /// Returns the number of kept values.
    fn values(&self) -> usize {
        self.differences.len() - self.one_sided.min(DIFFERENCES_KEPT)
    }

    /// Returns the number of one-sided fields that were not kept.
    pub fn more_one_sided(&self) -> usize {
        self.one_sided.saturating_sub(DIFFERENCES_KEPT)
    }

    /// Returns the least severe kept difference. Of equal ones it returns the last, so that the
    /// first in key order stay.
    fn find_least(&self) -> Option<(usize, Severity)> {
        let kept = self.differences.iter().enumerate().rev();
        let values = kept.filter(|(_, it)| it.expected.is_some() && it.actual.is_some());
        let severities = values.map(|(index, difference)| (index, difference.severity()));
        severities.min_by_key(|(_, severity)| *severity)
    }
}

/// Returns the closeness of a run's outputs if all differences are between finite floats at most
/// `limit` ULP apart, or `None` if there are others or none.
///
/// Such differences probably result from another platform's math library. [`Closeness::tolerance`]
/// allows them.
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
