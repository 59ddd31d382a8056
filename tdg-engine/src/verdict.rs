//! The result of a run.

use std::fmt;
use std::str::FromStr;

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

impl Verdict {
    /// All verdicts, the passing ones first.
    pub const ALL: &'static [Self] = &[
        Self::Recorded,
        Self::Accepted,
        Self::Same,
        Self::Changed,
        Self::Panicked,
        Self::Failed,
        Self::InputsChanged,
        Self::Missing,
        Self::Unstable,
        Self::Unmet,
        Self::Invalid,
    ];

    /// Returns true if the test passes.
    pub fn passes(self) -> bool {
        matches!(self, Self::Recorded | Self::Accepted | Self::Same)
    }

    /// Returns the name in reports and in the store: `inputs changed`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Accepted => "accepted",
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Panicked => "panicked",
            Self::Failed => "failed",
            Self::InputsChanged => "inputs changed",
            Self::Missing => "missing",
            Self::Unstable => "unstable",
            Self::Unmet => "unmet",
            Self::Invalid => "invalid",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for Verdict {
    type Err = UnknownVerdict;

    fn from_str(name: &str) -> Result<Self, UnknownVerdict> {
        let found = Self::ALL.iter().find(|verdict| verdict.as_str() == name);
        found
            .copied()
            .ok_or_else(|| UnknownVerdict(name.to_owned()))
    }
}

/// The error for a text that isn't the name of a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVerdict(String);

impl fmt::Display for UnknownVerdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "unknown verdict `{}`", self.0)
    }
}

impl std::error::Error for UnknownVerdict {}

#[cfg(test)]
mod tests {
    use super::Verdict;

    #[test]
    fn every_verdict_is_parsed_from_its_name() {
        for verdict in Verdict::ALL {
            assert_eq!(verdict.as_str().parse(), Ok(*verdict));
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
