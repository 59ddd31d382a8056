//! The search for the rule that says most about which cases are on one side.
//!
//! A beam search: of the rules with one condition the best few are kept, each is extended by one more, and so on.

use std::ops::Range;

use tdg_definition::math::ln;

use super::attribute::Attribute;
use super::score::{Counts, Tables};

/// How many rules are extended.
const WIDTH: usize = 4;
/// How many conditions a rule has at most.
const DEPTH: usize = 3;
/// How likely a rule may be found where there is none.
const ALPHA: f64 = 0.01;

/// What is asked of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Is,
    IsNot,
    AtMost,
    Above,
    StartsWith,
}

/// One condition of a rule.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    /// The position of the attribute.
    pub(super) attribute: usize,
    pub(super) question: Question,
    /// The ranks that the question is about: a row's must be one of them; with [`Question::IsNot`], none.
    pub(super) ranks: Range<u32>,
}

impl Condition {
    pub(super) fn holds(&self, attribute: &Attribute, row: usize) -> bool {
        let rank = attribute.ranks[row];
        let is_one = rank >= self.ranks.start && rank < self.ranks.end;
        is_one != (self.question == Question::IsNot)
    }
}

/// The cases of both sides, by their rows.
#[derive(Clone)]
pub(super) struct Cases {
    /// Those of the side that is explained.
    pub(super) inside: Vec<u32>,
    /// The others.
    pub(super) outside: Vec<u32>,
}

impl Cases {
    pub(super) fn counts(&self) -> Counts {
        Counts {
            inside: self.inside.len(),
            outside: self.outside.len(),
        }
    }

    /// Those whose rows are such.
    pub(super) fn filter(&self, is_kept: impl Fn(usize) -> bool) -> Self {
        let kept = |rows: &[u32]| -> Vec<u32> {
            let mut kept = Vec::new();
            for &row in rows {
                if is_kept(row as usize) {
                    kept.push(row);
                }
            }
            kept
        };
        Self {
            inside: kept(&self.inside),
            outside: kept(&self.outside),
        }
    }
}

/// A rule on its way through the search.
struct Candidate {
    conditions: Vec<Condition>,
    cost: f64,
    score: f64,
    covered: Counts,
}

impl Candidate {
    /// Whether another order of the same conditions led here.
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
    /// The conditions of the best rule that chance would not explain, most telling first.
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
            // Stable: among equals, what was found first is first.
            next.sort_by(|left, right| right.score.total_cmp(&left.score));
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

    /// What a rule with more conditions can score at most: if it loses every case of the other side and none of this.
    fn bound(&self, candidate: &Candidate) -> f64 {
        let pure = Counts {
            outside: 0,
            ..candidate.covered
        };
        let costs = self.attributes.iter().map(|attribute| attribute.cost);
        let least = costs.fold(f64::INFINITY, f64::min);
        self.tables.information(self.cases.counts(), pure) - candidate.cost - least
    }

    /// The best rule by each attribute that has one condition more.
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

    /// The condition that chance explains best, of those that it explains within what the others cover.
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

    /// How much more a rule is than what is to be expected of the luckiest of all rules that the search could have
    /// written: a Bonferroni correction, in which each rule has the share `1/e^cost` of [`ALPHA`], for each length.
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

/// How many cases of each side have a rank below one, for every rank.
struct Counter {
    below: Vec<[u32; 2]>,
}

impl Counter {
    fn new(attributes: &[Attribute]) -> Self {
        let distinct = attributes.iter().map(|attribute| attribute.distinct).max();
        // One for null, and one so that the sum of all has a place.
        let length = distinct.unwrap_or_default() as usize + 2;
        Self {
            below: vec![[0; 2]; length],
        }
    }

    fn count(&mut self, attribute: &Attribute, cases: &Cases) {
        let below = &mut self.below[..attribute.distinct as usize + 2];
        below.fill([0; 2]);
        for (side, rows) in [&cases.inside, &cases.outside].into_iter().enumerate() {
            for &row in rows {
                below[attribute.ranks[row as usize] as usize + 1][side] += 1;
            }
        }
        let mut sum = [0; 2];
        for counts in below {
            sum[0] += counts[0];
            sum[1] += counts[1];
            *counts = sum;
        }
    }

    fn within(&self, ranks: &Range<u32>) -> Counts {
        counts_between(
            self.below[ranks.start as usize],
            self.below[ranks.end as usize],
        )
    }

    /// Asks every question of the attribute, and says how many cases it covers.
    fn each_question(&self, attribute: &Attribute, ask: &mut Ask<'_>) {
        let distinct = attribute.distinct;
        let all = self.within(&(0..distinct + 1));
        let null = attribute.has_null.then_some(distinct);
        let values = || attribute.repeated.iter().chain(&null);
        // Of two questions that cover the same cases the first is kept: rather what is than what is not.
        for &rank in values() {
            let ranks = rank..rank + 1;
            ask(Question::Is, ranks.clone(), self.within(&ranks));
        }
        for &rank in values() {
            if !attribute.is_ordered || rank == distinct {
                let ranks = rank..rank + 1;
                let others = all.without(self.within(&ranks));
                ask(Question::IsNot, ranks, others);
            }
        }
        if attribute.is_ordered {
            self.each_threshold(distinct, ask);
        }
        for ranks in &attribute.prefixes {
            ask(Question::StartsWith, ranks.clone(), self.within(ranks));
        }
    }

    /// Thresholds between neighbouring values of the counted cases. Between two values whose cases are all of one
    /// side none can be best (U. M. Fayyad and K. B. Irani, "On the handling of continuous-valued attributes in
    /// decision tree generation", 1992).
    fn each_threshold(&self, distinct: u32, ask: &mut Ask<'_>) {
        let all = self.within(&(0..distinct));
        let mut below = [0; 2];
        let mut before: Option<(Counts, u32)> = None;
        for (rank, &until) in (0..distinct).zip(&self.below[1..]) {
            if until == below {
                continue;
            }
            let here = counts_between(below, until);
            if let Some((before, last)) = before
                && !are_of_one_side(before, here)
            {
                let covered = counts_between([0; 2], below);
                ask(Question::AtMost, 0..last + 1, covered);
                ask(Question::Above, last + 1..distinct, all.without(covered));
            }
            before = Some((here, rank));
            below = until;
        }
    }
}

/// Takes a question, its ranks, and how many cases it covers.
type Ask<'a> = dyn FnMut(Question, Range<u32>, Counts) + 'a;

fn are_of_one_side(left: Counts, right: Counts) -> bool {
    (left.inside == 0 && right.inside == 0) || (left.outside == 0 && right.outside == 0)
}

fn counts_between(start: [u32; 2], end: [u32; 2]) -> Counts {
    Counts {
        inside: (end[0] - start[0]) as usize,
        outside: (end[1] - start[1]) as usize,
    }
}
