//! The result of a run.

/// The result of one run of an ensemble test.
///
/// ```
/// use tdg_engine::Verdict;
/// assert!(Verdict::Same.passes());
/// assert_eq!(Verdict::InputsChanged.to_string(), "inputs changed");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// There was no benchmark, and one was recorded.
    Recorded,
    /// Changed outputs became the benchmark without review, as the update mode requests.
    Accepted,
    /// Equal to the benchmark, within tolerance, or with no more differing cases than allowed.
    Same,
    /// Some outputs differ from the benchmark.
    Changed,
    /// Some cases panicked.
    Panicked,
    /// A row outside the ensemble failed: a kept one, or an explored one.
    Failed,
    /// Definition, seed, size or sampler differ from the benchmark's.
    InputsChanged,
    /// There is no benchmark, and recording one isn't allowed, or an earlier one may be the test's.
    Missing,
    /// Outputs differ between two runs of the same row.
    Unstable,
    /// The outputs don't meet the test's requirements.
    Unmet,
    /// The run could not be judged.
    Invalid,
}

// The names in reports and in the store, the passing verdicts first.
tdg_definition::names!("verdict", Verdict::as_str {
    Recorded = "recorded", Accepted = "accepted", Same = "same",
    Changed = "changed", Panicked = "panicked", Failed = "failed",
    InputsChanged = "inputs changed", Missing = "missing", Unstable = "unstable",
    Unmet = "unmet", Invalid = "invalid",
});

impl Verdict {
    /// Returns true if the test passes.
    pub fn passes(self) -> bool {
        matches!(self, Self::Recorded | Self::Accepted | Self::Same)
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict;

    #[test]
    fn every_verdict_is_parsed_from_its_name() {
        for verdict in Verdict::ALL {
            assert_eq!(verdict.as_str().parse(), Ok(verdict));
        }
        let error = "Same".parse::<Verdict>().unwrap_err();
        assert_eq!(error.to_string(), "unknown verdict `Same`");
    }

    #[test]
    fn those_that_pass_are_the_first() {
        let passing: Vec<_> = Verdict::ALL.iter().filter(|v| v.passes()).collect();
        let expected = [&Verdict::Recorded, &Verdict::Accepted, &Verdict::Same];
        assert_eq!(passing, expected);
    }
}
