//! The parts of a section about rows whose outputs differ, and the rounds in which they get room.

use maud::Markup;

use crate::{ComparedRows, Finding, PageRoom, cases, feature, output};

/// A part of a section. The name is used to count it if it doesn't fit.
pub type NamedPart = (&'static str, Markup);

const CASES: &str = "changed cases";

/// The rounds in which sections get their room. No section goes without its sentences because
/// another one has charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// The findings without charts.
    Sentences,
    /// The changed cases.
    Cases,
    /// The charts of the findings and of other features, and all else.
    Charts,
}

impl Round {
    /// All rounds, in order.
    pub const ALL: [Self; 3] = [Self::Sentences, Self::Cases, Self::Charts];
}

/// The parts of a section that fit on the page.
#[derive(Default)]
pub struct SectionParts {
    findings: Vec<Option<Markup>>,
    others: Vec<NamedPart>,
    lacks_facts: bool,
}

impl SectionParts {
    /// Adds the parts of a round that fit. `markup` renders a finding with or without charts.
    pub fn add(
        &mut self,
        round: Round,
        room: &mut PageRoom,
        findings: &[Finding],
        markup: impl Fn(&Finding, bool) -> Markup,
        others: Vec<NamedPart>,
    ) {
        match round {
            Round::Sentences => {
                let findings = findings.iter();
                let fitting = findings.map(|it| room.take("findings", markup(it, false)));
                self.findings.extend(fitting);
                self.lacks_facts |= self.findings.iter().any(Option::is_none);
            }
            Round::Cases => {}
            Round::Charts => {
                for (part, finding) in self.findings.iter_mut().zip(findings) {
                    if let Some(part) = part {
                        room.replace("charts", part, markup(finding, true));
                    }
                }
            }
        }
        for (name, part) in others {
            match room.take(name, part) {
                Some(part) => self.others.push((name, part)),
                None => self.lacks_facts |= round != Round::Charts,
            }
        }
    }

    /// Returns true if all sentences and cases fit. A decision doesn't need charts.
    pub fn have_all_facts(&self) -> bool {
        !self.lacks_facts
    }

    /// Returns the findings that fit.
    pub fn findings(&self) -> impl Iterator<Item = &Markup> {
        self.findings.iter().flatten()
    }

    /// Returns the parts below the findings, charts of features and arrays before the cases.
    pub fn others(&self) -> impl Iterator<Item = &Markup> {
        let is_above = |name: &str| ["features", "plots of arrays"].contains(&name);
        let (above, below): (Vec<_>, Vec<_>) =
            self.others.iter().partition(|(name, _)| is_above(name));
        above.into_iter().chain(below).map(|(_, part)| part)
    }
}

impl ComparedRows {
    /// Returns the parts of a round below the findings, if rows differ.
    #[must_use]
    pub fn parts_of(
        &self,
        round: Round,
        findings: &[Finding],
        offered: &[cases::CasePart],
    ) -> Vec<NamedPart> {
        match round {
            _ if self.differing.is_empty() => Vec::new(),
            Round::Sentences => Vec::new(),
            Round::Cases => vec![(CASES, cases::table(self, offered))],
            Round::Charts => {
                let features = findings.iter().flat_map(Finding::features);
                let named: Vec<&str> = features.collect();
                let is_named = |name: &str| named.contains(&name);
                let others = feature::others(&self.vectors, is_named, &self.cases(), "changed");
                vec![
                    ("features", others),
                    ("plots of arrays", output::of_arrays(self)),
                ]
            }
        }
    }
}
