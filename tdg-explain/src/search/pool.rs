//! The terms from which descriptions are built.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use tdg_definition::sort;

use super::super::bits;
use super::super::catalogue::Catalogue;
use super::super::condition::Literal;
use super::super::score::SideCounts;
use super::description::{Description, Term, cost_in_any_order};
use super::{Target, sets};

/// The maximum number of conditions of a term.
pub(in super::super) const LENGTH: usize = 3;
/// The number of conditions that are tried in all pairs.
const PAIRED: usize = 120;
/// The number of pairs, for each criterion, that are extended by a third condition.
const EXTENDED: usize = 4;
/// The number of terms of each length that are kept for each criterion.
const KEPT: usize = 24;
/// The number of terms that are kept for the rows left by a description.
const RESIDUAL: usize = 6;

/// The best terms for one target, by length.
#[derive(Default)]
pub(in super::super) struct TermPool {
    terms: [Vec<TermCandidate>; LENGTH],
    /// The cheapest terms, keyed by the number of rows that they cover on each side.
    cells: HashMap<u64, [Option<usize>; 2], BuildHasherDefault<Mixed>>,
}

/// A fast hash of one number, since a dev build is slow.
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
    /// The information about all rows, minus the cost.
    score: f64,
    /// The information about only the covered rows, minus the cost. It keeps terms that cover few
    /// rows, but few others.
    purity: f64,
}

impl TermPool {
    fn offer(
        &mut self,
        target: &Target<'_>,
        population: SideCounts,
        covered: SideCounts,
        information: f64,
        literals: &[Literal],
        cost: f64,
    ) {
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
        // Keeps the two cheapest of all terms that cover the same numbers of rows.
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
                let costliest =
                    kept.max_by(|left, right| terms[*left].cost.total_cmp(&terms[*right].cost));
                if let Some(costliest) = costliest
                    && terms[costliest].cost > cost
                {
                    terms[costliest] = candidate;
                }
            }
        }
    }

    /// Returns the best terms of one length by each criterion.
    fn best_of(&self, length: usize, count: usize) -> Vec<&TermCandidate> {
        let terms = &self.terms[length - 1];
        let scores = |criterion: fn(&TermCandidate) -> f64| terms.iter().map(criterion).collect();
        let mut chosen = highest(scores(|term| term.score), count);
        chosen.extend(highest(scores(|term| term.purity), count));
        let chosen = sort::distinct(chosen).into_iter();
        chosen.map(|index| &terms[index]).collect()
    }
}

/// A set of rows, and the ones among them that are inside.
struct SplitRows {
    all: Vec<u64>,
    inside: Vec<u64>,
}

impl SplitRows {
    /// Keeps the rows that satisfy a condition or a term.
    fn with(&self, satisfying: &[u64]) -> Self {
        Self {
            all: bits::both(&self.all, satisfying),
            inside: bits::both(&self.inside, satisfying),
        }
    }

    fn count(&self, satisfying: &[u64]) -> SideCounts {
        let (all, inside) = bits::common_of_two(satisfying, &self.all, &self.inside);
        SideCounts {
            inside,
            outside: all - inside,
        }
    }

    fn count_all(&self) -> SideCounts {
        self.count(&self.all)
    }
}

/// The rows to search: all, or the ones left by a description.
struct View<'s, 't> {
    catalogue: &'s Catalogue<'s, 't>,
    rows: SplitRows,
    targets: &'s [&'s Target<'s>],
    population: SideCounts,
}

impl View<'_, '_> {
    /// Offers a term to the target that is overrepresented among its rows.
    fn offer(&self, pools: &mut [TermPool], covered: SideCounts, literals: &[Literal]) {
        let population = self.population;
        let share = covered.inside * population.all();
        let (index, population, covered) = match share.cmp(&(population.inside * covered.all())) {
            Ordering::Greater => (0, population, covered),
            Ordering::Equal => return,
            Ordering::Less => (1, population.turned(), covered.turned()),
        };
        let Some(target) = self.targets.get(index) else {
            return;
        };
        let information = target.tables.information(population, covered);
        if information > 0.0 && target.allows(literals, self.catalogue) {
            let cost = cost_in_any_order(literals.iter().map(|it| self.catalogue.cost(*it)));
            pools[index].offer(target, population, covered, information, literals, cost);
        }
    }

    /// Returns a condition, and its negation if possible, with their counts among `all`.
    fn polarities(
        &self,
        condition: usize,
        covered: SideCounts,
        all: SideCounts,
    ) -> impl Iterator<Item = (Literal, SideCounts)> + use<> {
        let has_negation = self.catalogue.conditions[condition].has_negation;
        let literal = Literal {
            condition: condition as u32,
            is_negated: false,
        };
        let negation = has_negation.then(|| (literal.negated(), all.without(covered)));
        [(literal, covered)].into_iter().chain(negation)
    }
}

/// Collects the best terms for both targets. The first target's rows are the ones inside.
pub(super) fn collect(
    catalogue: &Catalogue<'_, '_>,
    targets: [&Target<'_>; 2],
    pools: &mut [TermPool; 2],
) {
    let view = View {
        catalogue,
        rows: SplitRows {
            all: bits::full(catalogue.rows.len()),
            inside: targets[0].inside.clone(),
        },
        targets: &targets,
        population: targets[0].population,
    };
    fill(&view, pools, PAIRED, EXTENDED);
}

/// Returns the best terms for the rows left by a description.
pub(super) fn of_residual(
    catalogue: &mut Catalogue<'_, '_>,
    target: &Target<'_>,
    description: &Description,
) -> Vec<Term> {
    let mut all = bits::full(catalogue.rows.len());
    bits::keep(&mut all, &description.bits, true);
    let inside = bits::both(&all, &target.inside);
    let rows = SplitRows { all, inside };
    let population = rows.count_all();
    if population.inside == 0 || population.outside == 0 {
        return Vec::new();
    }
    sets::learn(catalogue, target, Some((&rows.all, population)));
    let view = View {
        catalogue,
        rows,
        targets: &[target],
        population,
    };
    let mut pools = [TermPool::default()];
    fill(&view, &mut pools, PAIRED / 3, EXTENDED / 2);
    pools[0].terms(catalogue, RESIDUAL)
}

/// Fills the pools with terms of one, two and three conditions.
fn fill(view: &View<'_, '_>, pools: &mut [TermPool], paired: usize, extended: usize) {
    let catalogue = view.catalogue;
    let singles: Vec<SideCounts> = (0..catalogue.conditions.len())
        .map(|condition| view.rows.count(catalogue.bits(condition)))
        .collect();
    for (condition, &covered) in singles.iter().enumerate() {
        for (literal, covered) in view.polarities(condition, covered, view.population) {
            view.offer(pools, covered, &[literal]);
        }
    }
    let paired = conditions_for_pairs(view, &singles, paired);
    for (index, &first) in paired.iter().enumerate() {
        let of_first = view.rows.with(catalogue.bits(first));
        for &second in &paired[index + 1..] {
            let both = of_first.count(catalogue.bits(second));
            for (left, of_left) in view.polarities(first, singles[first], view.population) {
                let both = match left.is_negated {
                    true => singles[second].without(both),
                    false => both,
                };
                for (right, covered) in view.polarities(second, both, of_left) {
                    view.offer(pools, covered, &[left, right]);
                }
            }
        }
    }
    let bases: Vec<Vec<TermCandidate>> = pools
        .iter()
        .map(|pool| pool.best_of(2, extended).into_iter().cloned().collect())
        .collect();
    for base in bases.into_iter().flatten() {
        let term = Term::new(base.literals, catalogue);
        let rows = view.rows.with(&term.bits);
        let all = rows.count_all();
        for condition in 0..catalogue.conditions.len() {
            let covered = rows.count(catalogue.bits(condition));
            for (literal, covered) in view.polarities(condition, covered, all) {
                view.offer(
                    pools,
                    covered,
                    &[term.literals[0], term.literals[1], literal],
                );
            }
        }
    }
}

/// Selects the most informative and the cheapest conditions, half of each.
fn conditions_for_pairs(view: &View<'_, '_>, singles: &[SideCounts], count: usize) -> Vec<usize> {
    const OF_ATTRIBUTE: usize = 12;
    let catalogue = view.catalogue;
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

/// Returns the positions of the highest scores in descending order; stable.
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
    /// Returns the best terms of each length.
    pub(super) fn terms(&self, catalogue: &Catalogue<'_, '_>, count: usize) -> Vec<Term> {
        let lengths = (1..=LENGTH).flat_map(|length| self.best_of(length, count));
        lengths
            .map(|candidate| Term::new(candidate.literals.clone(), catalogue))
            .collect()
    }

    /// Returns the best terms of each length, as many as needed for descriptions.
    pub(super) fn best(&self, catalogue: &Catalogue<'_, '_>) -> Vec<Term> {
        self.terms(catalogue, KEPT)
    }
}
