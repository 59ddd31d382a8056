//! Common features of cases, one sentence each. Without the feature `explain`, the search is left
//! to `cargo tdg`.

use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_engine::compare::DifferingCase;

pub(crate) use searched::{findings_of_failures, findings_of_panics, findings_of_requirement};

/// Returns the sentences about changes and their numbered parts, or `None` without a search.
pub(super) fn findings_and_parts(
    vectors: &Vectors,
    uncompared: &[usize],
    expected: Option<&[Value]>,
    differing: &[DifferingCase],
) -> Option<[Vec<String>; 2]> {
    let search = || searched::findings_and_parts(vectors, uncompared, expected, differing);
    cfg!(feature = "explain").then(search)
}

#[cfg(feature = "explain")]
use tdg_explain as searched;

#[cfg(not(feature = "explain"))]
mod searched {
    use super::{DifferingCase, Value, Vectors};

    pub(super) fn findings_and_parts(
        _: &Vectors,
        _: &[usize],
        _: Option<&[Value]>,
        _: &[DifferingCase],
    ) -> [Vec<String>; 2] {
        Default::default()
    }

    pub(crate) fn findings_of_failures(_: &Vectors, _: &[usize]) -> Vec<String> {
        Vec::new()
    }

    pub(crate) fn findings_of_panics(
        _: &Vectors,
        _: &[usize],
        _: Option<&[Value]>,
        _: &[usize],
    ) -> Vec<String> {
        Vec::new()
    }

    pub(crate) fn findings_of_requirement(_: &Vectors, _: &[usize]) -> Vec<String> {
        Vec::new()
    }
}
