//! Common features of cases, one sentence each. Without the feature `explain`, the search is left
//! to `cargo tdg`.

use std::path::Path;

use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_engine::compare::DifferingCase;
use tdg_report::source_constants;

pub(crate) use searched::{findings_of_failures, findings_of_requirement};

/// Returns `None` without a search.
pub(super) fn findings_of_changes(
    vectors: &Vectors,
    uncompared: &[usize],
    expected: Option<&[Value]>,
    package: &Path,
    differing: &[DifferingCase],
) -> Option<Vec<String>> {
    let search = || {
        let constants = source_constants(package);
        searched::findings_of_changes(vectors, uncompared, expected, &constants, differing)
    };
    cfg!(feature = "explain").then(search)
}

/// Returns what the panicked cases have in common.
pub(super) fn findings_of_panics(
    vectors: &Vectors,
    unbound: &[usize],
    expected: Option<&[Value]>,
    package: &Path,
    cases: &[usize],
) -> Vec<String> {
    let search = || {
        let constants = source_constants(package);
        searched::findings_of_panics(vectors, unbound, expected, &constants, cases)
    };
    cfg!(feature = "explain").then(search).unwrap_or_default()
}

#[cfg(feature = "explain")]
use tdg_explain as searched;

#[cfg(not(feature = "explain"))]
mod searched {
    use super::{DifferingCase, Value, Vectors};
    use tdg_definition::json::Number;

    pub(super) fn findings_of_changes(
        _: &Vectors,
        _: &[usize],
        _: Option<&[Value]>,
        _: &[Number],
        _: &[DifferingCase],
    ) -> Vec<String> {
        Vec::new()
    }

    pub(crate) fn findings_of_failures(_: &Vectors, _: &[usize]) -> Vec<String> {
        Vec::new()
    }

    pub(super) fn findings_of_panics(
        _: &Vectors,
        _: &[usize],
        _: Option<&[Value]>,
        _: &[Number],
        _: &[usize],
    ) -> Vec<String> {
        Vec::new()
    }

    pub(crate) fn findings_of_requirement(_: &Vectors, _: &[usize]) -> Vec<String> {
        Vec::new()
    }
}
