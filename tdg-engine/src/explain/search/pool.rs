//! The terms that descriptions are made of.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use tdg_definition::sort;

use super::super::bits;
use super::super::catalogue::Catalogue;
use super::super::condition::Literal;
use super::super::score::SideCounts;
use super::description::{Description, Term, cost_of_term};
use super::{Target, sets};

/// The maximum number of conditions of a term.
pub(in super::super) const LENGTH: usize = 3;
/// The number of conditions of which all pairs are tried.
const PAIRED: usize = 120;
/// The number of pairs that are extended by a third condition, by each criterion.
const EXTENDED: usize = 4;
/// The number of terms of each length that are kept, by each criterion.
const KEPT: usize = 24;
/// The number of terms that are kept of the rows that a description leaves.
const RESIDUAL: usize = 6;

/// The best terms about one target, by their length.
#[derive(Default)]
pub(in super::super) struct TermPool {
    terms: [Vec<TermCandidate>; LENGTH],
    /// The cheapest terms that cover so many rows of each target.
    cells: HashMap<u64, [Option<usize>; 2], BuildHasherDefault<Mixed>>,
}

/// A hash of one number that takes no time, which a dev build has little of.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(26);
    }
}

#[derive(Clone)]
struct TermCandidate {
    literals: Vec<Literal>,
    cost: f64,
    /// The information about all rows, less the cost.
    score: f64,
    /// The information about the covered rows alone, less the cost: it keeps terms that cover
    /// little, but little else.
    purity: f64,
}

impl TermPool {
    fn offer(
        &mut self,
        target: &Target<'_>,
        population: SideCounts,
        covered: SideCounts,
        literals: &[Literal],
        cost: f64,
    ) {
        let information = target.tables.information(population, covered);
        if information <= 0.0 {
            return;
        }
        let score = information - cost;
        let purity = target.tables.purity(population, covered) - cost;
        if score <= 0.0 && purity <= 0.0 && literals.len() > 1 {
            return;
        }
        let terms = &mut self.terms[literals.len() - 1];
        let candidate = TermCandidate {
            literals: literals.to_vec(),
            cost,
            score,
            purity,
        };
        // Of all that cover the same numbers of rows, the cheapest two.
        let cell = ((literals.len() as u64) << 60)
            | ((covered.inside as u64) << 30)
            | covered.outside as u64;
        let cell = self.cells.entry(cell).or_default();
        match cell.iter().position(Option::is_none) {
            Some(free) => {
                cell[free] = Some(terms.len());
                terms.push(candidate);
            }
            None => {
                let kept = cell.iter().flatten().copied();
                let dearest =
                    kept.max_by(|left, right| terms[*left].cost.total_cmp(&terms[*right].cost));
                if let Some(dearest) = dearest
                    && terms[dearest].cost > cost
                {
                    terms[dearest] = candidate;
                }
            }
        }
    }

    /// The best of one length by each criterion.
    fn best_of(&self, length: usize, count: usize) -> Vec<&TermCandidate> {
        let terms = &self.terms[length - 1];
        let scores = |criterion: fn(&TermCandidate) -> f64| terms.iter().map(criterion).collect();
        let mut chosen = highest(scores(|term| term.score), count);
        chosen.extend(highest(scores(|term| term.purity), count));
        sort::by(&mut chosen, Ord::cmp);
        chosen.dedup();
        chosen.into_iter().map(|index| &terms[index]).collect()
    }
}

/// The rows that are searched: all, or those that a description leaves.
struct View<'s> {
    rows: Vec<u64>,
    inside: Vec<u64>,
    targets: &'s [&'s Target<'s>],
    population: SideCounts,
}

impl View<'_> {
    fn counts(&self, covered: &[u64]) -> SideCounts {
        let inside = bits::common(covered, &self.inside);
        SideCounts {
            inside,
            outside: bits::common(covered, &self.rows) - inside,
        }
    }

    /// Offers a term to the target of which it covers more than its share.
    fn offer(&self, pools: &mut [TermPool], covered: SideCounts, literals: &[Literal], cost: f64) {
        let turned = |counts: SideCounts| SideCounts {
            inside: counts.outside,
            outside: counts.inside,
        };
        for (index, (target, pool)) in self.targets.iter().zip(pools).enumerate() {
            let (population, covered) = match index {
                0 => (self.population, covered),
                _ => (turned(self.population), turned(covered)),
            };
            pool.offer(target, population, covered, literals, cost);
        }
    }
}

/// Collects the best terms about either target. The first target's rows are those inside.
pub(super) fn collect(
    catalogue: &Catalogue<'_, '_>,
    targets: [&Target<'_>; 2],
    pools: &mut [TermPool; 2],
) {
    let view = View {
        rows: bits::full(catalogue.rows.len()),
        inside: targets[0].inside.clone(),
        targets: &targets,
        population: targets[0].population,
    };
    fill(catalogue, &view, pools, PAIRED, EXTENDED);
}

/// The best terms about the rows that a description leaves.
pub(super) fn of_residual(
    catalogue: &mut Catalogue<'_, '_>,
    target: &Target<'_>,
    description: &Description,
) -> Vec<Term> {
    let mut rows = bits::full(catalogue.rows.len());
    bits::keep(&mut rows, &description.bits, true);
    let mut inside = rows.clone();
    bits::keep(&mut inside, &target.inside, false);
    let count = bits::count(&inside);
    let population = SideCounts {
        inside: count,
        outside: bits::count(&rows) - count,
    };
    if population.inside == 0 || population.outside == 0 {
        return Vec::new();
    }
    sets::learn(catalogue, target, Some((&rows, population)));
    let view = View {
        rows,
        inside,
        targets: &[target],
        population,
    };
    let mut pools = [TermPool::default()];
    fill(catalogue, &view, &mut pools, PAIRED / 3, EXTENDED / 2);
    pools[0].terms(catalogue, RESIDUAL)
}

/// Fills the pools with terms of one, two and three conditions.
fn fill(
    catalogue: &Catalogue<'_, '_>,
    view: &View<'_>,
    pools: &mut [TermPool],
    paired: usize,
    extended: usize,
) {
    let singles: Vec<SideCounts> = (0..catalogue.conditions.len())
        .map(|condition| view.counts(catalogue.bits(condition)))
        .collect();
    for (condition, &covered) in singles.iter().enumerate() {
        for (literal, covered) in polarities(catalogue, condition, covered, view.population) {
            let cost = cost_of_term([catalogue.cost(literal)].into_iter());
            view.offer(pools, covered, &[literal], cost);
        }
    }
    let paired = conditions_for_pairs(catalogue, view, &singles, paired);
    let mut masked = Vec::with_capacity(catalogue.words());
    let mut masked_inside = Vec::with_capacity(catalogue.words());
    for (index, &first) in paired.iter().enumerate() {
        masked.clear();
        masked.extend_from_slice(catalogue.bits(first));
        bits::keep(&mut masked, &view.rows, false);
        masked_inside.clear();
        masked_inside.extend_from_slice(&masked);
        bits::keep(&mut masked_inside, &view.inside, false);
        for &second in &paired[index + 1..] {
            let (all, inside) =
                bits::common_of_two(catalogue.bits(second), &masked, &masked_inside);
            let both = SideCounts {
                inside,
                outside: all - inside,
            };
            for (left, covered_left, both) in [
                (false, singles[first], both),
                (
                    true,
                    view.population.without(singles[first]),
                    singles[second].without(both),
                ),
            ] {
                for (right, covered) in [(false, both), (true, covered_left.without(both))] {
                    let literals = [literal(first, left), literal(second, right)];
                    let is_possible = |literal: &Literal| {
                        !literal.is_negated
                            || catalogue.conditions[literal.condition as usize].has_negation
                    };
                    if covered.inside + covered.outside > 0 && literals.iter().all(is_possible) {
                        let cost =
                            cost_of_term(literals.iter().map(|literal| catalogue.cost(*literal)));
                        view.offer(pools, covered, &literals, cost);
                    }
                }
            }
        }
    }
    let bases: Vec<Vec<TermCandidate>> = pools
        .iter()
        .map(|pool| pool.best_of(2, extended).into_iter().cloned().collect())
        .collect();
    for base in bases.iter().flatten() {
        let term = Term::new(base.literals.clone(), catalogue);
        let mut rows = term.bits;
        bits::keep(&mut rows, &view.rows, false);
        let mut inside = rows.clone();
        bits::keep(&mut inside, &view.inside, false);
        let of_base = view.counts(&rows);
        for condition in 0..catalogue.conditions.len() {
            let (all, covered_inside) =
                bits::common_of_two(catalogue.bits(condition), &rows, &inside);
            let covered = SideCounts {
                inside: covered_inside,
                outside: all - covered_inside,
            };
            for (literal, covered) in polarities(catalogue, condition, covered, of_base) {
                if covered.all() > 0 {
                    let literals = [base.literals[0], base.literals[1], literal];
                    let cost =
                        cost_of_term(literals.iter().map(|literal| catalogue.cost(*literal)));
                    view.offer(pools, covered, &literals, cost);
                }
            }
        }
    }
}

fn literal(condition: usize, is_negated: bool) -> Literal {
    Literal {
        condition: condition as u32,
        is_negated,
    }
}

/// A condition, and its negation if it has one, with the rows of `all` that they cover.
fn polarities(
    catalogue: &Catalogue<'_, '_>,
    condition: usize,
    covered: SideCounts,
    all: SideCounts,
) -> impl Iterator<Item = (Literal, SideCounts)> {
    let negation = catalogue.conditions[condition]
        .has_negation
        .then(|| (literal(condition, true), all.without(covered)));
    [(literal(condition, false), covered)]
        .into_iter()
        .chain(negation)
}

/// Half of them the most informative, half the cheapest, of which an attribute has few.
fn conditions_for_pairs(
    catalogue: &Catalogue<'_, '_>,
    view: &View<'_>,
    singles: &[SideCounts],
    count: usize,
) -> Vec<usize> {
    const OF_ATTRIBUTE: usize = 12;
    let tables = view.targets[0].tables;
    let costs = || catalogue.conditions.iter().map(|condition| condition.cost);
    let gains = singles.iter().zip(costs()).map(|(covered, cost)| {
        let of = |covered| tables.information(view.population, covered);
        of(*covered).max(of(view.population.without(*covered))) - cost
    });
    let mut chosen = highest(gains.collect(), count / 2);
    let mut is_chosen = vec![false; singles.len()];
    for condition in &chosen {
        is_chosen[*condition] = true;
    }
    let mut of_attribute = vec![0; catalogue.attributes.len()];
    for condition in highest(costs().map(|cost| -cost).collect(), 4 * count) {
        let of_attribute = &mut of_attribute[catalogue.conditions[condition].attribute];
        if chosen.len() < count && *of_attribute < OF_ATTRIBUTE && !is_chosen[condition] {
            *of_attribute += 1;
            chosen.push(condition);
        }
    }
    chosen
}

/// The positions of the highest scores, the highest first; of equal ones the first.
fn highest(scores: Vec<f64>, count: usize) -> Vec<usize> {
    let mut order: Vec<(f64, usize)> = scores.into_iter().zip(0..).collect();
    let higher = |left: &(f64, usize), right: &(f64, usize)| {
        right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
    };
    if count < order.len() {
        order.select_nth_unstable_by(count, higher);
        order.truncate(count);
    }
    order.sort_unstable_by(higher);
    order.into_iter().map(|(_, position)| position).collect()
}

impl TermPool {
    /// The best of each length.
    pub(super) fn terms(&self, catalogue: &Catalogue<'_, '_>, count: usize) -> Vec<Term> {
        let lengths = (1..=LENGTH).flat_map(|length| self.best_of(length, count));
        lengths
            .map(|candidate| Term::new(candidate.literals.clone(), catalogue))
            .collect()
    }

    /// The best of each length, as many as descriptions are made of.
    pub(super) fn best(&self, catalogue: &Catalogue<'_, '_>) -> Vec<Term> {
        self.terms(catalogue, KEPT)
    }
}
