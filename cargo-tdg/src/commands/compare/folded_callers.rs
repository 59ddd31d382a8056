//! Changed functions whose change is explained by inner functions that tests found.

use std::collections::BTreeSet;

use super::calls::ComparedFunction;
use super::functions::ChangedCode;

/// Callers of functions that tests found changed, without a finding of their own.
#[derive(Default)]
pub(super) struct FoldedCallers {
    names: BTreeSet<String>,
    /// The functions that they call.
    pub(super) inner: Vec<String>,
    /// True if only tests found an inner function, so that their answer comes first.
    pub(super) are_after_tests: bool,
}

impl FoldedCallers {
    /// Folds the functions of `compared` by the changed functions that tests `found`, and the ones
    /// that they have `seen`.
    pub(super) fn new(
        code: &ChangedCode,
        compared: &[ComparedFunction],
        found: &[&str],
        seen: &[&str],
    ) -> Self {
        let drawn = compared.iter().map(|it| it.function.as_str());
        let known: Vec<&str> = drawn.chain(seen.iter().copied()).collect();
        let changed = compared.iter().filter(|it| it.is_changed());
        let changed: BTreeSet<&str> = changed.map(|it| it.function.as_str()).collect();
        let folded = &code.explained_by(found, &known) & &changed;
        let calls = |callers: &BTreeSet<&str>, inner: &str| {
            let of_inner = code.callers(&[inner]);
            !of_inner.is_disjoint(callers)
        };
        let inner = found.iter().filter(|it| calls(&folded, it));
        let mut hidden = found.iter().filter(|it| !changed.contains(**it));
        Self {
            inner: inner.map(|it| (*it).to_owned()).collect(),
            are_after_tests: hidden.any(|it| calls(&changed, it)),
            names: folded.into_iter().map(str::to_owned).collect(),
        }
    }

    pub(super) fn contain(&self, function: &str) -> bool {
        self.names.contains(function)
    }
}
