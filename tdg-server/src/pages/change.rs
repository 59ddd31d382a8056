//! A change of outputs: its explanation, the changed cases, and the parts of the change.

use hmac_sha256::Hash;
use maud::{Markup, html};
use tdg_definition::json::Pointer;
use tdg_definition::{Faults, Policy};
use tdg_engine::compare::{DifferingCase, DistributionChange, changed_forms};
use tdg_engine::output::Outputs;
use tdg_engine::store::VerifiedRule;
use tdg_engine::text::counted;
use tdg_engine::{Vectors, hex};
use tdg_explain::OfferedPart;
use tdg_html::{ComparedRows, Finding, cases, feature, output};
use tdg_report::finding_of_distribution;
use tdg_service::{ServiceError, rules};

use super::benchmark::values;
use super::{PageRequest, format, links};
use crate::operations::LoadedExpected;

/// The maximum number of changed cases on a page.
const SHOWN: usize = 50;

/// The rows with changed outputs.
pub(super) struct Change {
    pub(super) rows: ComparedRows,
    distributions: Vec<DistributionChange>,
}

/// A part of a change.
pub(super) struct PartChoice {
    /// The name in forms and addresses: its number and its words, so that a stale address doesn't
    /// select another part with that number.
    pub(super) name: String,
    pub(super) offered: OfferedPart,
}

impl PartChoice {
    fn new(number: usize, offered: OfferedPart) -> Self {
        let digest = Hash::hash(offered.text.as_bytes());
        PartChoice {
            name: format!("{number}-{}", hex(&digest[..8])),
            offered,
        }
    }

    pub(super) fn has(&self, case: usize) -> bool {
        let cases = self.offered.part.cases.as_ref();
        cases.is_none_or(|cases| cases.binary_search(&case).is_ok())
    }
}

impl Change {
    /// Compares outputs. Returns `None` if all are as expected.
    pub(super) fn new(
        vectors: Vectors,
        before: &LoadedExpected,
        after: &Outputs,
        policy: Option<&Policy>,
    ) -> Result<Option<Self>, ServiceError> {
        let Some(differing) = rules::differing(&before.outputs, after, policy)? else {
            return Ok(None);
        };
        let expected = Some(values(before)?);
        Ok(Some(Change {
            rows: ComparedRows::new(vectors, Vec::new(), expected, differing.rows),
            distributions: differing.distributions,
        }))
    }

    /// Returns true if only outputs of single rows have changed, and not their form.
    pub(super) fn is_of_outputs(&self) -> bool {
        self.distributions.is_empty() && changed_forms(&self.rows.differing).is_none()
    }

    /// Returns the parts of a change that has several.
    pub(super) fn parts(&self) -> Vec<PartChoice> {
        let numbered = (1..).zip(self.rows.parts());
        numbered
            .map(|(number, offered)| PartChoice::new(number, offered))
            .collect()
    }

    pub(super) fn part(&self, name: &str) -> Result<PartChoice, ServiceError> {
        let mut parts = self.parts().into_iter();
        parts.find(|part| part.name == name).ok_or_else(|| {
            let place = Pointer::root().child("part");
            let message = "is not a part of this change; look at the page of the run again";
            Faults::at(place, message).into()
        })
    }

    fn markup(&self, parts: &[PartChoice], shown: &ShownCases, rules: &[VerifiedRule]) -> Markup {
        let rows = &self.rows;
        let (changed, size) = (rows.differing.len(), rows.compared());
        let findings = Finding::all_of(rows).into_iter();
        let findings = findings.map(|it| it.verified_by(|part| VerifiedRule::of_part(rules, part)));
        let findings: Vec<Finding> = findings.collect();
        let is_named = |name: &str| findings.iter().any(|it| it.features().any(|of| of == name));
        html! {
            // A single finding includes the number.
            @if findings.len() != 1 { p { (changed) " of " (counted(size, "case")) " changed" } }
            @for distribution in &self.distributions {
                p { (finding_of_distribution(distribution)) }
            }
            @if findings.iter().any(|it| it.features().next().is_some()) {
                (feature::legend("changed", true))
            }
            section {
                @for finding in &findings { (finding.markup(&rows.vectors, true, |_, _| html! {})) }
                (feature::others(&rows.vectors, is_named, &rows.cases(), "changed"))
                (output::of_arrays(rows))
            }
            @if changed > 0 { (shown.markup(rows, parts)) }
        }
    }
}

/// The content of a page about a change.
pub(super) struct ChangeReport {
    pub(super) markup: Markup,
    /// The properties that the rows share, and the effects on their outputs, a sentence each.
    pub(super) findings: Vec<String>,
    pub(super) parts: Vec<PartChoice>,
    /// Set if it can be accepted, including in parts.
    pub(super) is_acceptable: bool,
}

impl ChangeReport {
    /// Describes a change, with the rules that experiments verified.
    pub(super) fn new(change: Option<Change>, shown: &ShownCases, rules: &[VerifiedRule]) -> Self {
        let Some(change) = change else {
            return ChangeReport {
                markup: html! { p { "All outputs are the same." } },
                findings: Vec::new(),
                parts: Vec::new(),
                is_acceptable: false,
            };
        };
        let parts = change.parts();
        ChangeReport {
            markup: change.markup(&parts, shown, rules),
            findings: change.rows.findings().sentences,
            parts,
            is_acceptable: change.is_of_outputs(),
        }
    }
}

/// The changed cases that an address selects.
pub(super) struct ShownCases {
    path: String,
    /// The name of the selected part.
    part: Option<String>,
    from: Option<usize>,
}

impl ShownCases {
    /// The parameter that names a part.
    const PART: &str = "part";

    pub(super) fn from_request(request: &PageRequest<'_>, path: String) -> Self {
        let from = request.query.get("from");
        ShownCases {
            path,
            part: Self::part(request),
            from: from.and_then(|from| from.parse().ok()),
        }
    }

    /// Returns the name of the part that an address selects.
    pub(super) fn part(request: &PageRequest<'_>) -> Option<String> {
        request.query.get(Self::PART).map(str::to_owned)
    }

    /// Returns the address of a file with the same cases, of a change with these parts.
    pub(super) fn file(&self, end: &str, parts: &[PartChoice]) -> String {
        let path = format!("{}/cases.{end}", self.path);
        let part = self.chosen(parts).map(|part| part.name.as_str());
        links::with(&path, &[(Self::PART, part)])
    }

    /// Returns the part that the address names, unless the change is different now.
    fn chosen<'p>(&self, parts: &'p [PartChoice]) -> Option<&'p PartChoice> {
        let named = |part: &&PartChoice| self.part.as_ref() == Some(&part.name);
        parts.iter().find(named)
    }

    fn markup(&self, rows: &ComparedRows, parts: &[PartChoice]) -> Markup {
        let part = self.chosen(parts);
        let mut found = cases::worst_first(&rows.differing);
        found.retain(|it: &&DifferingCase| part.is_none_or(|part| part.has(it.case)));
        let from = self.from.unwrap_or(0).min(found.len().saturating_sub(1));
        let end = (from + SHOWN).min(found.len());
        let (table, shown) = cases::page(rows, &found[from..end]);
        let name = part.map(|part| part.name.as_str());
        let next = from + shown;
        html! {
            details id="cases" open[part.is_some() || self.from.is_some()] {
                summary { "Changed cases" }
                @if !parts.is_empty() {
                    ul.choices {
                        li { (self.choice(None, part.is_none())) }
                        @for it in parts { li { (self.choice(Some(it), Some(&it.name) == self.part.as_ref())) } }
                    }
                }
                (table)
                (format::pages(
                    (from > 0).then(|| self.link(name, Some(from.saturating_sub(SHOWN)))),
                    (next < found.len()).then(|| self.link(name, Some(next))),
                ))
            }
        }
    }

    fn choice(&self, part: Option<&PartChoice>, is_chosen: bool) -> Markup {
        let text = part.map_or("all, the worst first", |part| &part.offered.text);
        let link = self.link(part.map(|part| part.name.as_str()), None);
        html! { a href=(link) aria-current=[is_chosen.then_some("true")] { (text) } }
    }

    /// Returns the address of the page, scrolled to its cases.
    fn link(&self, part: Option<&str>, from: Option<usize>) -> String {
        let from = from.map(|from| from.to_string());
        let values = [(Self::PART, part), ("from", from.as_deref())];
        links::with(&self.path, &values) + "#cases"
    }
}
