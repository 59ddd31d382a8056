//! Common features of cases, one sentence each. Without the feature `explain`, the search is left
//! to `cargo tdg`.

use std::path::Path;

use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_engine::compare::DifferingCase;

pub(super) use searched::{findings_of_changes, findings_of_panics};
pub(crate) use searched::{findings_of_failures, findings_of_requirement};

/// The rows of a run.
#[cfg_attr(
    not(feature = "explain"),
    expect(dead_code, reason = "nothing is searched")
)]
pub(crate) struct JudgedRows<'a> {
    pub(super) vectors: &'a Vectors,
    /// The rows without an output to compare, in order.
    pub(super) uncompared: &'a [usize],
    /// The expected outputs of all rows, if known.
    pub(super) expected: Option<&'a [Value]>,
    /// The directory of the test's package.
    pub(super) package: &'a Path,
}

/// The findings about a change.
#[derive(Default)]
pub(crate) struct JudgedFindings {
    /// `None` without a search.
    pub(super) sentences: Option<Vec<String>>,
    pub(super) cause: Option<String>,
    pub(super) parts: Vec<String>,
}

#[cfg(feature = "explain")]
mod searched {
    use std::collections::BTreeMap;
    use std::path::PathBuf;
    use std::sync::{Arc, Mutex, PoisonError};

    use tdg_explain::KnownFindings;
    use tdg_report::source_constants;

    use super::{DifferingCase, JudgedFindings, JudgedRows, Path, Policy, Value};

    pub(crate) use tdg_explain::{findings_of_failures, findings_of_requirement};

    /// The findings of this process. With nextest, each test has its own.
    static KNOWN: KnownFindings = KnownFindings::new();
    /// The numbers and texts in the sources of each package, read for the first failing test.
    static CONSTANTS: Mutex<BTreeMap<PathBuf, Arc<[Value]>>> = Mutex::new(BTreeMap::new());

    fn constants(package: &Path) -> Arc<[Value]> {
        let mut known = CONSTANTS.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || source_constants(package).into();
        let constants = known.entry(package.to_owned()).or_insert_with(read);
        Arc::clone(constants)
    }

    pub(crate) fn findings_of_changes(
        policy: &Policy,
        rows: &JudgedRows<'_>,
        differing: &[DifferingCase],
    ) -> JudgedFindings {
        let JudgedRows {
            vectors,
            uncompared,
            expected,
            package,
        } = *rows;
        let search = || {
            let constants = constants(package);
            tdg_explain::findings_of_changes(vectors, uncompared, expected, &constants, differing)
        };
        let found = KNOWN.of_changes(policy, vectors, uncompared, expected, differing, search);
        JudgedFindings {
            sentences: Some(found.sentences),
            cause: found.cause,
            parts: found.parts,
        }
    }

    pub(crate) fn findings_of_panics(rows: &JudgedRows<'_>, cases: &[usize]) -> Vec<String> {
        let constants = || constants(rows.package);
        KNOWN.of_panics(
            rows.vectors,
            rows.uncompared,
            rows.expected,
            constants,
            cases,
        )
    }
}

#[cfg(not(feature = "explain"))]
mod searched {
    use super::{DifferingCase, JudgedFindings, JudgedRows, Policy, Vectors};

    pub(crate) fn findings_of_changes(
        _: &Policy,
        _: &JudgedRows<'_>,
        _: &[DifferingCase],
    ) -> JudgedFindings {
        JudgedFindings::default()
    }

    pub(crate) fn findings_of_panics(_: &JudgedRows<'_>, _: &[usize]) -> Vec<String> {
        Vec::new()
    }

    pub(crate) fn findings_of_failures(_: &Vectors, _: &[usize]) -> Vec<String> {
        Vec::new()
    }

    pub(crate) fn findings_of_requirement(_: &Vectors, _: &[usize]) -> Vec<String> {
        Vec::new()
    }
}
