//! The parts of a section about rows whose outputs differ.

use maud::{Markup, html};

use crate::{ComparedRows, Finding, cases, feature, output};

/// A part of a section. The name is used to count it if it doesn't fit.
pub type NamedPart = (&'static str, Markup);

/// The name of parts with findings.
pub const FINDINGS: &str = "findings";

impl ComparedRows {
    /// Returns a part for each finding, without commands that accept.
    #[must_use]
    pub fn finding_parts(&self, findings: &[Finding]) -> Vec<NamedPart> {
        let markup = |it: &Finding| (FINDINGS, it.markup(&self.vectors, |_, _| html! {}));
        findings.iter().map(markup).collect()
    }

    /// Returns the parts below the findings, if rows differ: other features, plots and cases.
    #[must_use]
    pub fn row_parts(&self, findings: &[Finding]) -> Vec<NamedPart> {
        if self.differing.is_empty() {
            return Vec::new();
        }
        let is_named = |name: &str| {
            findings
                .iter()
                .flat_map(Finding::features)
                .any(|it| it == name)
        };
        let others = feature::others(&self.vectors, is_named, &self.cases(), "changed");
        vec![
            ("features", others),
            ("plots of arrays", output::of_arrays(self)),
            ("changed cases", cases::table(self, &[])),
        ]
    }
}
