//! Common features of cases, one sentence each. Without the feature `explain`, the search is left
//! to `cargo tdg`.

use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_engine::compare::DifferingCase;

pub(super) use searched::{findings_of_changes, findings_of_panics};
pub(crate) use searched::{findings_of_failures, findings_of_requirement};

/// The sentences about a change, and its cause.
type SentencesAndCause = (Vec<String>, Option<String>);

#[cfg(feature = "explain")]
mod searched {
    use tdg_explain::KnownFindings;

    use super::{DifferingCase, Policy, SentencesAndCause, Value, Vectors};

    pub(crate) use tdg_explain::{findings_of_failures, findings_of_requirement};

    /// The findings of this process. With nextest, each test has its own.
    static KNOWN: KnownFindings = KnownFindings::new();

    pub(crate) fn findings_of_changes(
        policy: &Policy,
        vectors: &Vectors,
        uncompared: &[usize],
        expected: Option<&[Value]>,
        differing: &[DifferingCase],
    ) -> Option<SentencesAndCause> {
        let search = || tdg_explain::findings_of_changes(vectors, uncompared, expected, differing);
        let found = KNOWN.of_changes(policy, vectors, uncompared, expected, differing, search);
        Some((found.sentences, found.cause))
    }

    pub(crate) fn findings_of_panics(
        vectors: &Vectors,
        unbound: &[usize],
        expected: Option<&[Value]>,
        cases: &[usize],
    ) -> Vec<String> {
        KNOWN.of_panics(vectors, unbound, expected, cases)
    }
}

#[cfg(not(feature = "explain"))]
mod searched {
    use super::{DifferingCase, Policy, SentencesAndCause, Value, Vectors};

    pub(crate) fn findings_of_changes(
        _: &Policy,
        _: &Vectors,
        _: &[usize],
        _: Option<&[Value]>,
        _: &[DifferingCase],
    ) -> Option<SentencesAndCause> {
        None
    }

    pub(crate) fn findings_of_panics(
        _: &Vectors,
        _: &[usize],
        _: Option<&[Value]>,
        _: &[usize],
    ) -> Vec<String> {
        Vec::new()
    }

    pub(crate) fn findings_of_failures(_: &Vectors, _: &[usize]) -> Vec<String> {
        Vec::new()
    }

    pub(crate) fn findings_of_requirement(_: &Vectors, _: &[usize]) -> Vec<String> {
        Vec::new()
    }
}
