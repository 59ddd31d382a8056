//! Sections of pages about changed rows.

use maud::{Markup, html};
use tdg_engine::compare::Part;
use tdg_engine::store::VerifiedRule;
use tdg_engine::text::shorten;
use tdg_html::{ComparedRows, Finding, PageRoom, Round, SectionParts, feature};

/// A section about changed rows.
pub(crate) struct ChangedSection<'a> {
    pub(crate) anchor: String,
    rows: Option<&'a ComparedRows>,
    pub(crate) findings: Vec<Finding>,
    /// The parts that fit on the page.
    pub(crate) parts: SectionParts,
}

impl<'a> ChangedSection<'a> {
    /// Creates a section with the verified rules of the change's parts.
    pub(crate) fn new(
        anchor: String,
        rows: Option<&'a ComparedRows>,
        verified: impl Fn(&Part) -> Option<&'a VerifiedRule>,
    ) -> Self {
        let findings = rows.map_or_else(Vec::new, Finding::all_of);
        let findings = findings.into_iter().map(|it| it.verified_by(&verified));
        Self {
            anchor,
            rows,
            findings: findings.collect(),
            parts: SectionParts::default(),
        }
    }

    /// Adds the parts that fit, one kind after the other.
    pub(crate) fn add_parts(sections: &mut [&mut Self], room: &mut PageRoom) {
        for round in Round::ALL {
            for section in sections.iter_mut() {
                let Some(rows) = section.rows else { continue };
                let findings = &section.findings;
                let markup = |it: &Finding, has_charts: bool| {
                    it.markup(&rows.vectors, has_charts, |_, _| html! {})
                };
                let others = rows.parts_of(round, findings, &[]);
                section.parts.add(round, room, findings, markup, others);
            }
        }
    }

    /// Returns the first cell of its line in the table, with its rules.
    pub(crate) fn cell(&self, name: &str) -> Markup {
        /// The maximum number of rules.
        const RULES: usize = 3;
        html! {
            td data-key=(name) {
                a href={ "#" (self.anchor) } { (name) }
                @for finding in self.findings.iter().take(RULES) {
                    p.rule { (shorten(&finding.headline(), 100)) }
                }
            }
        }
    }

    /// Returns the legend of its charts, if its rules have features.
    pub(crate) fn legend(&self) -> Option<Markup> {
        let mut features = self.findings.iter().flat_map(Finding::features);
        features.next().map(|_| feature::legend("changed", true))
    }

    /// Returns true if findings explain all of its parts.
    pub(crate) fn is_explained(&self) -> bool {
        !self.findings.is_empty() && self.findings.iter().all(Finding::is_explained)
    }
}

/// Returns the header of a page, with a note if something didn't fit.
pub(crate) fn header(title: &str, about: &Markup, note: Option<String>) -> Markup {
    html! {
        header {
            p.brand { "tdg" }
            h1 { (title) }
            p.faint { (about) }
            @if let Some(note) = note { p.note { (note) } }
        }
    }
}
