//! Changed functions whose change is explained by inner functions that tests found.

use std::collections::BTreeSet;

use super::calls::ComparedFunction;
use super::functions::ChangedCode;

/// Callers of functions that tests found changed, without a separate finding.
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

#[cfg(test)]
mod tests {
    use tdg_definition::Definition;
    use tdg_engine::Vectors;

    use super::*;
    use crate::commands::compare::calls::{CallOutcome, Runs};

    fn changed(name: &str) -> ComparedFunction {
        let definition = r#"{"features": [{"type": "BOOLEAN", "distribution": {"type": "any"}}]}"#;
        let vectors = Vectors::generate(&Definition::parse(definition).unwrap(), 0, 1);
        let sides = ["1", "2"].map(|text| {
            let parts = vec![(String::new(), text.to_owned())];
            Runs::new(vec![CallOutcome::Returned(parts)], None)
        });
        ComparedFunction::new(name, &vectors, &[], &sides)
    }

    #[test]
    fn callers_of_what_tests_found_are_folded() {
        let library = "fn token(x: u8) -> u8 { x }\npub fn parse(x: u8) -> u8 { token(x) }\n\
                       pub fn fee(x: u8) -> u8 { x }\npub fn total(x: u8) -> u8 { fee(x) }\n";
        let code = ChangedCode::of_code(library, &library.replace("{ x }", "{ x + 1 }"));
        let folded = |drawn: &[&str], found: &[&str]| {
            let drawn: Vec<_> = drawn.iter().map(|it| changed(it)).collect();
            let folded = FoldedCallers::new(&code, &drawn, found, found);
            let names = drawn.iter().map(|it| it.function.as_str());
            let names: Vec<&str> = names.filter(|it| folded.contain(it)).collect();
            (
                names.join(" "),
                folded.inner.join(" "),
                folded.are_after_tests,
            )
        };
        let of_token = ("parse".to_owned(), "token".to_owned(), true);
        assert_eq!(folded(&["parse"], &["token", "fee"]), of_token);
        // Drawn calls show `fee` as well.
        let of_fee = ("total".to_owned(), "fee".to_owned(), false);
        assert_eq!(folded(&["fee", "total"], &["fee"]), of_fee);
        assert_eq!(folded(&["parse"], &[]), Default::default());
    }
}
