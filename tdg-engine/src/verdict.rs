//! What a run came to.

use std::fmt;

/// The result of one run of an ensemble test.
///
/// ```
/// use tdg_engine::Verdict;
/// assert!(Verdict::Same.passes());
/// assert_eq!(Verdict::InputsChanged.to_string(), "inputs changed");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// There was no benchmark; now there is.
    Recorded,
    /// Equal to the benchmark, within tolerance, or different in no more cases than the test allows.
    Same,
    /// Some outputs differ from the benchmark.
    Changed,
    /// Some cases panicked.
    Panicked,
    /// Definition, seed, size or sampler differ from the benchmark's.
    InputsChanged,
    /// There is no benchmark, and recording one is not allowed.
    Missing,
    /// Outputs differ between two runs of the same row.
    Unstable,
    /// The run could not be judged.
    Invalid,
}

impl Verdict {
    /// Every verdict, those that pass first.
    pub const ALL: [Verdict; 8] = [
        Verdict::Recorded,
        Verdict::Same,
        Verdict::Changed,
        Verdict::Panicked,
        Verdict::InputsChanged,
        Verdict::Missing,
        Verdict::Unstable,
        Verdict::Invalid,
    ];

    /// Whether the test passes.
    pub fn passes(self) -> bool {
        matches!(self, Verdict::Recorded | Verdict::Same)
    }

    /// The word for it, in reports and in the store.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Recorded => "recorded",
            Verdict::Same => "same",
            Verdict::Changed => "changed",
            Verdict::Panicked => "panicked",
            Verdict::InputsChanged => "inputs changed",
            Verdict::Missing => "missing",
            Verdict::Unstable => "unstable",
            Verdict::Invalid => "invalid",
        }
    }

    /// The verdict that [`word`](Verdict::word) names.
    pub fn from_word(word: &str) -> Option<Verdict> {
        Verdict::ALL
            .into_iter()
            .find(|verdict| verdict.word() == word)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict;

    #[test]
    fn every_verdict_is_found_by_its_word() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::from_word(verdict.word()), Some(verdict));
        }
        assert_eq!(Verdict::from_word("Same"), None);
    }

    #[test]
    fn only_recorded_and_same_pass() {
        let passing: Vec<_> = Verdict::ALL.into_iter().filter(|v| v.passes()).collect();
        assert_eq!(passing, [Verdict::Recorded, Verdict::Same]);
    }
}
