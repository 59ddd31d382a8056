//! Sections of pages about changed rows.

use maud::{Markup, html};
use tdg_engine::text::shorten;
use tdg_html::{ComparedRows, Finding, NamedPart, PageRoom, feature};

/// A section about changed rows.
pub(crate) struct ChangedSection<'a> {
    pub(crate) anchor: String,
    rows: Option<&'a ComparedRows>,
    pub(crate) findings: Vec<Finding>,
    /// The parts that fit on the page.
    pub(crate) parts: Vec<NamedPart>,
}

impl<'a> ChangedSection<'a> {
    pub(crate) fn new(anchor: String, rows: Option<&'a ComparedRows>) -> Self {
        Self {
            anchor,
            rows,
            findings: rows.map_or_else(Vec::new, Finding::all_of),
            parts: Vec::new(),
        }
    }

    /// Adds the parts that fit. The findings of all sections come before the rows of any.
    pub(crate) fn add_parts(sections: &mut [&mut Self], room: &mut PageRoom) {
        for parts in [ComparedRows::finding_parts, ComparedRows::row_parts] {
            for section in sections.iter_mut() {
                let parts = section.rows.map(|rows| parts(rows, &section.findings));
                let parts = room.fitting(parts.unwrap_or_default());
                section.parts.extend(parts);
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
