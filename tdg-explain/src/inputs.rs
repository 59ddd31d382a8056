//! Rules about inputs that replace rules about expected outputs.
//!
//! An output has much in common with its row, so expected outputs may separate failing rows as well
//! as the cause does. But engineers look for the cause in the inputs.

use tdg_definition::sort;

use super::bits;
use super::catalogue::{Catalogue, FINE, Thresholds};
use super::rule::{Rule, RuleWriter};
use super::score::LogarithmTables;
use super::search::{
    Description, Target, Term, attributes_in_use, carried_over, settle, terms_of, with_terms,
};

/// The number of thresholds for a feature, and for any other attribute, before polishing.
const ROUGH: [usize; 2] = [32, 16];
/// The number of rules that are polished.
const FINALISTS: usize = 4;
/// The difference in cost, in nats, from which the cheaper rule is shown as well, if shorter.
const LONGER: f64 = 3.0;
/// A rule with more characters amounts to a list of rows.
const READABLE: usize = 100;

/// Rewrites the rules of a description in terms of inputs.
pub(super) struct InputRules<'a, 't> {
    /// Writes the original rules.
    pub(super) found: &'a RuleWriter<'a, 't>,
    /// The cost of naming each attribute.
    pub(super) costs: &'a [f64],
    /// The rows to search.
    pub(super) searched: &'a [u32],
    pub(super) tables: &'a LogarithmTables,
}

impl InputRules<'_, '_> {
    /// Returns the rule of a term. If it tests expected outputs, returns an equivalent rule about
    /// inputs, and both if that one is much longer.
    pub(super) fn instead_of(&self, term: &Term, rule: Rule) -> Rule {
        let asked = term.literals.iter().map(|literal| {
            let condition = &self.found.catalogue.conditions[literal.condition as usize];
            condition.attribute
        });
        if asked.clone().all(|attribute| self.is_input(attribute)) {
            return rule;
        }
        match self.about_inputs(term) {
            Some((inputs, cost)) if inputs.text.chars().count() <= READABLE => {
                let is_shorter = rule.text.chars().count() < inputs.text.chars().count();
                let is_shown = is_shorter && cost > term.cost + LONGER;
                Rule {
                    equivalent: is_shown.then_some(rule.text),
                    wording: rule.wording,
                    ..inputs
                }
            }
            _ => rule,
        }
    }

    fn is_input(&self, attribute: usize) -> bool {
        let columns = &self.found.attributes[attribute].words.columns;
        let mut columns = columns.iter().map(|it| &self.found.table.columns[*it]);
        !columns.any(|column| column.is_expected)
    }

    /// Returns the shortest rule about inputs that covers exactly the rows of a term, and its cost.
    fn about_inputs(&self, term: &Term) -> Option<(Rule, f64)> {
        let RuleWriter { attributes, .. } = self.found;
        let is_input = |attribute: usize| self.is_input(attribute);
        let thresholds = |counts| Thresholds::new(counts, self.found.table.constants);
        let mut coarse = Catalogue::new(
            attributes,
            self.costs,
            self.searched,
            thresholds(ROUGH),
            is_input,
        );
        let target = self.target(term, self.searched);
        let found = terms_of(&mut coarse, &target).into_iter();
        let mut found: Vec<Description> = found
            .map(|found| with_terms(&coarse, &target, vec![found]))
            .collect();
        sort::by(&mut found, |left, right| right.score.total_cmp(&left.score));
        found.truncate(FINALISTS);
        let used = attributes_in_use(&found, &coarse);
        let all = self.found.catalogue.rows;
        let is_used = |attribute: usize| used.contains(&attribute);
        let mut fine = Catalogue::new(attributes, self.costs, all, thresholds(FINE), is_used);
        let target = self.target(term, all);
        let mut same: Option<Description> = None;
        for description in &found {
            let description = carried_over(description, &coarse, &mut fine, &target);
            if let Some(settled) = settle(&fine, &target, description)
                && settled.terms.len() == 1
                && settled.bits == target.inside
                && same.as_ref().is_none_or(|same| settled.cost < same.cost)
            {
                same = Some(settled);
            }
        }
        let writer = RuleWriter {
            catalogue: &fine,
            ..*self.found
        };
        same.map(|same| (writer.rule(&same.terms[0]), same.cost))
    }

    /// Returns the rows that the term covers.
    fn target(&self, term: &Term, rows: &[u32]) -> Target<'_> {
        let holds = |row: u32| self.found.covers(term, row as usize);
        let inside = rows.iter().zip(0..).filter(|(row, _)| holds(**row));
        let inside = bits::from_rows(inside.map(|(_, at)| at), bits::words(rows.len()));
        Target::new(self.tables, inside, rows.len())
    }
}
