//! The search for the most informative rule about the explained side.
//!
//! A beam search: the best rules with one condition are kept, extended by another, and so on.

use tdg_definition::math::ln;
use tdg_definition::sort;

use super::attribute::Attribute;
use super::cases::Cases;
use super::condition::Condition;
use super::counter::Counter;
use super::score::{Counts, Tables};

/// The number of rules that are extended.
const WIDTH: usize = 4;
/// The maximum number of conditions of a rule.
const DEPTH: usize = 3;
/// The probability of finding a rule where there is none.
const ALPHA: f64 = 0.01;

/// A rule under construction.
struct Candidate {
    conditions: Vec<Condition>,
    cost: f64,
    score: f64,
    covered: Counts,
}

impl Candidate {
    /// Whether it has the same conditions in another order.
    fn is_same_as(&self, other: &Self) -> bool {
        self.covered == other.covered
            && self.conditions.len() == other.conditions.len()
            && self.conditions.iter().all(|condition| {
                let about = |other: &Condition| other.attribute == condition.attribute;
                other.conditions.iter().any(about)
            })
    }
}

/// The search in one set of cases.
pub(super) struct Search<'a> {
    pub(super) attributes: &'a [Attribute],
    pub(super) tables: &'a Tables,
    pub(super) cases: &'a Cases,
}

impl Search<'_> {
    /// The conditions of the best significant rule, most informative first.
    pub(super) fn best_rule(&self) -> Option<Vec<Condition>> {
        let mut conditions = self.best_candidate()?.conditions;
        while let Some(weakest) = self.weakest(&conditions) {
            conditions.remove(weakest);
        }
        let cost = conditions
            .iter()
            .map(|condition| self.cost(condition))
            .sum();
        let covered = self.covered(&conditions).counts();
        let excess = self.excess(self.cases.counts(), covered, cost);
        (excess >= 0.0 && !conditions.is_empty()).then_some(conditions)
    }

    fn best_candidate(&self) -> Option<Candidate> {
        let mut counter = Counter::new(self.attributes);
        let mut beam = vec![Candidate {
            conditions: Vec::new(),
            cost: 0.0,
            score: 0.0,
            covered: self.cases.counts(),
        }];
        let mut best: Option<Candidate> = None;
        for _ in 0..DEPTH {
            let bar = best.as_ref().map_or(0.0, |best| best.score);
            let mut next = Vec::new();
            for parent in &beam {
                if self.bound(parent) > bar {
                    self.extend(parent, &mut counter, &mut next);
                }
            }
            // Stable: among equals, the first found comes first.
            sort::by(&mut next, |left, right| right.score.total_cmp(&left.score));
            beam = Vec::new();
            for candidate in next {
                if beam.len() < WIDTH && !beam.iter().any(|kept| candidate.is_same_as(kept)) {
                    beam.push(candidate);
                }
            }
            if let Some(first) = beam.first()
                && first.score > bar
            {
                best = Some(Candidate {
                    conditions: first.conditions.clone(),
                    ..*first
                });
            }
        }
        best
    }

    /// An upper bound for rules with more conditions: no case of the other side is left, and all
    /// of this one.
    fn bound(&self, candidate: &Candidate) -> f64 {
        let pure = Counts {
            outside: 0,
            ..candidate.covered
        };
        let costs = self.attributes.iter().map(|attribute| attribute.cost);
        let least = costs.fold(f64::INFINITY, f64::min);
        self.tables.information(self.cases.counts(), pure) - candidate.cost - least
    }

    /// For each attribute, the best rule with one more condition on it.
    fn extend(&self, parent: &Candidate, counter: &mut Counter, into: &mut Vec<Candidate>) {
        let cases = self.covered(&parent.conditions);
        let population = self.cases.counts();
        for (index, attribute) in self.attributes.iter().enumerate() {
            counter.count(attribute, &cases);
            let mut best = (0.0, None);
            counter.each_question(attribute, &mut |question, ranks, covered| {
                let information = self.tables.information(population, covered);
                if information > best.0 {
                    best = (information, Some((question, ranks, covered)));
                }
            });
            let (information, Some((question, ranks, covered))) = best else {
                continue;
            };
            let cost = parent.cost + attribute.cost;
            let mut conditions = parent.conditions.clone();
            conditions.push(Condition {
                attribute: index,
                question,
                ranks,
            });
            into.push(Candidate {
                conditions,
                cost,
                score: information - cost,
                covered,
            });
        }
    }

    /// The least significant condition, of those that are insignificant given the others.
    fn weakest(&self, conditions: &[Condition]) -> Option<usize> {
        let mut weakest: Option<(f64, usize)> = None;
        for (index, condition) in conditions.iter().enumerate() {
            let mut others = conditions.to_vec();
            others.remove(index);
            let population = self.covered(&others);
            let covered = population.filter(|row| self.holds(condition, row)).counts();
            let excess = self.excess(population.counts(), covered, self.cost(condition));
            if excess < 0.0 && weakest.is_none_or(|(least, _)| excess < least) {
                weakest = Some((excess, index));
            }
        }
        weakest.map(|(_, index)| index)
    }

    /// How much a rule exceeds the luckiest of all rules that the search could have found: a
    /// Bonferroni correction in which each rule has the share `1/e^cost` of [`ALPHA`], for each
    /// length.
    fn excess(&self, population: Counts, covered: Counts, cost: f64) -> f64 {
        self.tables.surprise(population, covered) - cost - ln(DEPTH as f64 / ALPHA)
    }

    fn cost(&self, condition: &Condition) -> f64 {
        self.attributes[condition.attribute].cost
    }

    pub(super) fn covered(&self, conditions: &[Condition]) -> Cases {
        self.cases.filter(|row| {
            conditions
                .iter()
                .all(|condition| self.holds(condition, row))
        })
    }

    fn holds(&self, condition: &Condition, row: usize) -> bool {
        condition.holds(&self.attributes[condition.attribute], row)
    }
}
