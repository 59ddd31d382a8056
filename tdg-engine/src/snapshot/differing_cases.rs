//! The comparison of a run's outputs with a snapshot.

use tdg_definition::json::Value;

use super::error::SnapshotError;
use super::parse::Snapshot;
use crate::compare::{DifferingCase, DistributionChange, changed_distributions, find_moved};
use crate::output::{self, Outputs, change_of_form, unbound_reason};
use tdg_definition::Policy;

/// The result of comparing the outputs of a run with the expected ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Differing {
    /// The differing cases, in order.
    pub cases: Vec<DifferingCase>,
    /// The fields whose distribution over all compared cases differs.
    pub distributions: Vec<DistributionChange>,
    /// True if the outputs are byte for byte the expected ones.
    pub is_identical: bool,
    /// The largest share of a tolerance that was used.
    pub tolerance_use: Option<f64>,
    /// The cases without an output because their row could not run, with the reason.
    pub unbound: Vec<(usize, String)>,
}

impl Differing {
    /// The result for outputs that are the same byte for byte.
    pub(super) fn identical() -> Self {
        Self {
            cases: Vec::new(),
            distributions: Vec::new(),
            is_identical: true,
            tolerance_use: None,
            unbound: Vec::new(),
        }
    }

    /// Returns true if the outputs pass under the policy, which may allow some cases to differ.
    pub fn passes(&self, policy: &Policy, compared: usize) -> bool {
        self.distributions.is_empty() && self.cases.len() <= policy.allowed(compared)
    }

    /// Compares by the test's own policy, and by the recorded one if the outputs pass under the
    /// test's. A looser policy thus has to be accepted like a change.
    pub(super) fn by_either<'p>(
        own: &'p Policy,
        recorded: &'p Policy,
        size: usize,
        by: impl Fn(&Policy) -> Result<Self, SnapshotError>,
    ) -> Result<(Self, &'p Policy), SnapshotError> {
        let passes = |it: &Self, policy| it.passes(policy, size - it.unbound.len());
        let differing = by(own)?;
        if own == recorded || differing.is_identical || !passes(&differing, own) {
            return Ok((differing, own));
        }
        let by_recorded = by(&recorded.with_f32s_of(own))?;
        Ok(match passes(&by_recorded, recorded) {
            true => (differing, own),
            false => (by_recorded, recorded),
        })
    }

    /// Returns the cases that were not compared, in order.
    pub fn uncompared(&self) -> Vec<usize> {
        self.unbound.iter().map(|(case, _)| *case).collect()
    }
}

impl Snapshot {
    /// Compares its outputs with the outputs of a run on the same rows.
    ///
    /// # Errors
    ///
    /// If a line is not a case, or an output of the run is not JSON.
    pub fn differing(
        &self,
        outputs: &Outputs,
        policy: &Policy,
    ) -> Result<Differing, SnapshotError> {
        let mut differing = Differing::identical();
        for case in 0..self.len().min(outputs.len()) {
            let actual = outputs.get(case);
            // Bytes are compared first. Values are parsed only if bytes differ.
            if self.output_is(case, actual) {
                continue;
            }
            differing.is_identical = false;
            if let Some(reason) = unbound_reason(actual) {
                differing.unbound.push((case, reason));
                continue;
            }
            let forms = change_of_form(&self.output_text(case)?, actual);
            let (expected, actual) = self.both(case, actual)?;
            let compared = DifferingCase::compared(policy, case, expected, actual).in_forms(forms);
            if let Some(share) = compared.comparison.tolerance_use {
                let largest = differing.tolerance_use.unwrap_or(share);
                differing.tolerance_use = Some(largest.max(share));
            }
            if !compared.comparison.is_same() {
                differing.cases.push(compared);
            }
        }
        find_moved(policy, &mut differing.cases);
        if !differing.is_identical {
            let compared = (0..self.len().min(outputs.len())).map(|case| (case, outputs.get(case)));
            let compared = compared.filter(|(_, actual)| unbound_reason(actual).is_none());
            let both = compared.map(|(case, actual)| self.both(case, actual));
            differing.distributions = changed_distributions(policy, both)?;
        }
        Ok(differing)
    }

    /// Returns the comparison that decides for a test with the policy `own`, and the policy behind
    /// it: the recorded one, if the outputs pass only under the test's.
    ///
    /// # Errors
    ///
    /// Same as [`differing`](Self::differing).
    pub fn judge<'p>(
        &'p self,
        outputs: &Outputs,
        own: &'p Policy,
    ) -> Result<(Differing, &'p Policy), SnapshotError> {
        let by = |policy: &Policy| self.differing(outputs, policy);
        Differing::by_either(own, self.policy(), outputs.len(), by)
    }

    /// Returns the expected output of a case and the actual one.
    fn both(&self, case: usize, actual: &str) -> Result<(Value, Value), SnapshotError> {
        let actual = output::read(actual).map_err(|error| {
            let problem = format!("the actual output of case {case} can't be read: {error}");
            SnapshotError::new(problem, "run the test again").caused_by(error)
        })?;
        Ok((self.output(case)?, actual))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::render;
    use tdg_definition::Tolerance;

    fn compared(expected: &[&str], actual: &str) -> Differing {
        let ensemble = crate::Ensemble {
            name: "total".to_owned(),
            size: expected.len(),
            seed: 0,
            sampler_version: 1,
            digest: String::new(),
            definition: "{}".to_owned(),
            rows: None,
        };
        let text = render(
            "total",
            "",
            &ensemble,
            |_, text| text.push_str("[]"),
            |case, text| text.push_str(expected[case]),
        );
        let policy = Policy::exact().tolerance(Tolerance::abs(1.0)).unwrap();
        Snapshot::parse(text)
            .unwrap()
            .differing(&Outputs::parse(actual).unwrap(), &policy)
            .unwrap()
    }

    fn cases(differing: &Differing) -> Vec<usize> {
        differing.cases.iter().map(|it| it.case).collect()
    }

    #[test]
    fn outputs_are_identical_by_bytes_and_the_same_by_value() {
        let identical = compared(&["1", "2.5"], "[1,2.5]");
        assert!(identical.is_identical && identical.cases.is_empty());
        let same = compared(&["1", "2.50"], "[1,2.5]");
        assert!(!same.is_identical && same.cases.is_empty());
    }

    #[test]
    fn the_largest_use_of_a_tolerance_is_kept() {
        let differing = compared(&["1", "2", "3"], "[1.25,2.5,3.125]");
        assert_eq!(differing.tolerance_use, Some(0.5));
        assert!(differing.cases.is_empty());
    }

    #[test]
    fn a_row_that_could_not_be_run_is_not_compared() {
        let differing = compared(&["1", "2", "3"], r#"[9,{"$unbound":"a reason"},3]"#);
        assert_eq!(cases(&differing), [0]);
        assert_eq!(differing.unbound, [(1, "a reason".to_owned())]);
    }
}
