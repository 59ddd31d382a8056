//! The search for the rules of either side: in everyday words, then in all of them.

use std::cmp::Ordering;
use std::ops::RangeInclusive;
use std::slice;

use tdg_definition::json::{Number, Value};

use super::attribute::{Measure, Notation};
use super::catalogue::{COARSE, Catalogue, FINE, Thresholds};
use super::condition::{Literal, Question};
use super::inputs::InputRules;
use super::prior::costs;
use super::rule::{Rule, RuleWriter, Wording};
use super::score::{FEW, LogarithmTables, SideCounts};
use super::search::{
    Description, Rigor, Target, Term, attributes_in_use, carried_over, complement, polish, search,
    searched, shared, targets, with_range_ends, with_terms, without_chance,
};
use super::table::ExplanationTable;
use super::value::AttributeValue;
use super::{SIDES, Side, Vocabulary, families};

/// If one side has this few rows, the other is only described by a trusted rule.
const FEW_OF_MANY: usize = 10;
/// How many times longer a description of failing rows may be than one of passing rows.
const LONGER: f64 = 2.0;
/// More rules are only shown if they are sure.
const PLAIN: usize = 2;
/// A list of more values is only shown if the rule is sure.
const VALUES: usize = 3;
/// How much better a description in other than everyday words must be, in nats.
#[cfg(feature = "full")]
const CLEARLY: f64 = 5.0;

/// A search for rules.
pub(super) struct RuleSearch<'a> {
    pub(super) table: &'a ExplanationTable<'a>,
    pub(super) failing: &'a [Option<bool>],
    /// The rows of the side with fewer rows.
    pub(super) rarer: &'a [u32],
    pub(super) others: &'a [u32],
}

/// The rules that a search has found.
pub(super) struct FoundRules {
    pub(super) side: Side,
    pub(super) rules: Vec<Rule>,
    /// Without a trusted rule: the property that all failing rows share.
    pub(super) shared: Option<Rule>,
    #[cfg_attr(
        not(feature = "full"),
        expect(dead_code, reason = "only compared by `or_better`")
    )]
    rank: Option<Rank>,
}

impl RuleSearch<'_> {
    /// Describes the side with the simpler description.
    pub(super) fn run(&self, vocabulary: Vocabulary) -> FoundRules {
        let everyday = self.search(Vocabulary::Everyday);
        match vocabulary {
            Vocabulary::Everyday => everyday,
            #[cfg(feature = "full")]
            Vocabulary::Full => {
                let is_exact = everyday.is_exact(self);
                if is_exact && everyday.conditions() == 1 {
                    return everyday;
                }
                let all = self.search(Vocabulary::Full);
                match is_exact && all.conditions() >= everyday.conditions() {
                    true => everyday,
                    false => everyday.or_better(all),
                }
            }
        }
    }

    fn search(&self, vocabulary: Vocabulary) -> FoundRules {
        let (table, failing) = (self.table, self.failing);
        let attributes = families::attributes(table, failing, vocabulary);
        let costs = costs(&attributes);
        let searched = searched(self.rarer, self.others);
        let all: Vec<u32> = [self.rarer, self.others].concat();
        let tables = LogarithmTables::new(all.len());
        let thresholds = |counts| Thresholds::new(counts, table.constants);
        let mut coarse =
            Catalogue::new(&attributes, &costs, &searched, thresholds(COARSE), |_| true);
        let [failing_searched, passing_searched] = targets(&tables, failing, &searched);
        let has_few = failing_searched.population.inside < FEW;
        let terms = SIDES.map(|side| if has_few { 1 } else { vocabulary.terms(side) });
        let sides = [&failing_searched, &passing_searched];
        let found = search(&mut coarse, sides, terms);
        // Now with all thresholds of the attributes in use, and all rows.
        let used = attributes_in_use(found.iter().flatten(), &coarse);
        let is_used = |attribute| used.contains(&attribute);
        let mut fine = Catalogue::new(&attributes, &costs, &all, thresholds(FINE), is_used);
        let targets = targets(&tables, failing, &all);
        let found = found_on_all(&found, &coarse, &mut fine, &targets);
        let mut candidates = candidates(&found, &fine, &targets);
        candidates.retain(|(side, it)| {
            let target = &targets[*side];
            it.terms.len() <= terms[*side] && vocabulary.allows(&it.terms, target, &fine)
        });
        let is_inside = membership(failing);
        let writer = |side: usize, catalogue| RuleWriter {
            table,
            attributes: &attributes,
            catalogue,
            is_inside: &is_inside[side],
        };
        let writers = [0, 1].map(|side| writer(side, &fine));
        let best = best(vocabulary, &writers, &candidates, &targets);
        if let Some((rank, side, description)) = best.filter(|(rank, ..)| rank.is_trusted) {
            let inputs = InputRules {
                found: &writers[side],
                costs: &costs,
                searched: &searched,
                tables: &tables,
            };
            let instead = |term: &Term, rule| inputs.instead_of(term, rule);
            let rules = writers[side].rules(description, instead);
            return FoundRules::new(SIDES[side], rules, Some(rank));
        }
        let rarer = usize::from(targets[0].population.inside > targets[0].population.outside);
        let exact = exact(&found[rarer], &fine, &targets[rarer]);
        let exact = exact.filter(|it| vocabulary.allows(&it.terms, &targets[rarer], &fine));
        if let Some(exact) = exact {
            let rank = Rank::hedged(exact.score);
            return FoundRules::new(SIDES[rarer], writers[rarer].hedged(&exact), Some(rank));
        }
        let writer = writer(0, &coarse);
        if let Some(known) = known_value(&coarse, &failing_searched) {
            let rules = writer.hedged(&known);
            if rules.iter().all(|rule| rule.exceptions.is_empty()) {
                return FoundRules::new(Side::Failing, rules, Some(Rank::hedged(known.score)));
            }
        }
        let shared = shared(&coarse, &failing_searched, Rigor::of(self.rarer.len()));
        let is_allowed = |term: &Term| {
            let terms = slice::from_ref(term);
            vocabulary.allows(terms, &failing_searched, &coarse)
                && vocabulary.is_plain(terms, &writer)
        };
        let shared = shared.filter(is_allowed);
        let shared = shared.and_then(|term| shared_rule(&writer, &term, targets[0].population));
        FoundRules {
            shared,
            ..untrusted_rules(vocabulary, &writers, best)
        }
    }
}

impl FoundRules {
    fn new(side: Side, rules: Vec<Rule>, rank: Option<Rank>) -> Self {
        Self {
            side,
            rules,
            shared: None,
            rank,
        }
    }

    /// Returns true if a single rule explains everything.
    #[cfg(feature = "full")]
    fn is_exact(&self, search: &RuleSearch<'_>) -> bool {
        let [rule] = self.rules.as_slice() else {
            return false;
        };
        let is_explained = |failing: &&Option<bool>| **failing == Some(self.side == Side::Failing);
        let explained = search.failing.iter().filter(is_explained).count();
        let is_complete = rule.exceptions.is_empty() && rule.rows.len() == explained;
        rule.wording == Wording::Sure && is_complete
    }

    #[cfg(feature = "full")]
    fn conditions(&self) -> usize {
        self.rules.iter().map(|rule| rule.conditions.len()).sum()
    }

    /// Returns the other rules if they are clearly better.
    #[cfg(feature = "full")]
    fn or_better(self, other: Self) -> Self {
        let is_better = match (self.rank, other.rank) {
            (Some(rank), Some(other)) if rank.is_trusted == other.is_trusted => {
                other.score > rank.score + CLEARLY
            }
            (Some(rank), Some(_)) => !rank.is_trusted,
            (None, other) => other.is_some() || self.shared.is_none(),
            (Some(_), None) => false,
        };
        match is_better {
            true => Self {
                shared: self
                    .shared
                    .filter(|_| other.shared.is_some())
                    .or(other.shared),
                ..other
            },
            false => self,
        }
    }
}

/// Returns the descriptions of each side in terms of all rows, polished.
fn found_on_all<'t>(
    found: &[Vec<Description>; 2],
    coarse: &Catalogue<'_, 't>,
    fine: &mut Catalogue<'_, 't>,
    targets: &[Target<'_>; 2],
) -> [Vec<Description>; 2] {
    [0, 1].map(|side| {
        let target = &targets[side];
        let carried: Vec<Description> = found[side]
            .iter()
            .map(|description| carried_over(description, coarse, fine, target))
            .collect();
        let polish = |description| polish(fine, target, description);
        carried.into_iter().map(polish).collect()
    })
}

/// Returns the descriptions that aren't chance, each with the position of its side, and their
/// negations for the other side.
fn candidates(
    found: &[Vec<Description>; 2],
    catalogue: &Catalogue<'_, '_>,
    targets: &[Target<'_>; 2],
) -> Vec<(usize, Description)> {
    let mut candidates: Vec<(usize, Description)> = Vec::new();
    for (side, descriptions) in found.iter().enumerate() {
        for description in descriptions.iter().cloned() {
            let settled = without_chance(catalogue, &targets[side], description, Rigor::Strict);
            if let Some(settled) = settled {
                let turned = complement(catalogue, &targets[1 - side], &settled);
                candidates.extend(turned.map(|turned| (1 - side, turned)));
                candidates.push((side, settled));
            }
        }
    }
    let candidates = candidates.into_iter();
    let closed = |(side, it)| (side, with_range_ends(catalogue, &targets[side], it));
    candidates.map(closed).collect()
}

/// Returns the simplest description in one term that covers exactly the rows of the target, and is
/// likelier than chance.
fn exact(
    found: &[Description],
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
) -> Option<Description> {
    let likely = found
        .iter()
        .cloned()
        .filter_map(|description| without_chance(catalogue, target, description, Rigor::Lenient))
        .map(|description| with_range_ends(catalogue, target, description));
    let is_rare = is_rare(target);
    let exact = likely.filter(|it| it.terms.len() == 1 && it.bits == target.inside && is_rare);
    exact.min_by(|left, right| left.cost.total_cmp(&right.cost))
}

/// Returns true if few of all rows are inside. Half of a few rows have something in common.
fn is_rare(target: &Target<'_>) -> bool {
    4 * target.population.inside <= target.population.all()
}

/// Returns the description of two or three rows by a feature's value that the code has and no other
/// row. Too few rows have it to rule out chance, but a value of the code is a likely cause.
fn known_value(catalogue: &Catalogue<'_, '_>, target: &Target<'_>) -> Option<Description> {
    const ROWS: RangeInclusive<usize> = 2..=3;
    if !ROWS.contains(&target.population.inside) || !is_rare(target) {
        return None;
    }
    let is_known = |at: &usize| {
        let condition = &catalogue.conditions[*at];
        let is_feature = catalogue.attributes[condition.attribute].family == 0;
        let value = match condition.question {
            Question::Is(AttributeValue::Number(number)) => Value::from(number),
            Question::Is(AttributeValue::Text(text)) => Value::from(text),
            _ => return false,
        };
        let is_of_code = catalogue.constants.binary_search(&value).is_ok();
        is_feature && is_of_code && catalogue.bits(*at) == target.inside
    };
    let mut known = (0..catalogue.conditions.len()).filter(is_known);
    let literal = Literal {
        condition: known.next()? as u32,
        is_negated: false,
    };
    let term = Term::new(vec![literal], catalogue);
    known
        .next()
        .is_none()
        .then(|| with_terms(catalogue, target, vec![term]))
}

/// Returns the rule of a term that all failing rows meet, unless too many others do: nearly all
/// rows have some value, or are above some limit.
fn shared_rule(writer: &RuleWriter<'_, '_>, term: &Term, population: SideCounts) -> Option<Rule> {
    let rule = writer.rule(term);
    let mut literals = term.literals.iter();
    let is_value = literals.any(|literal| {
        let condition = &writer.catalogue.conditions[literal.condition as usize];
        condition.question.limit().is_none()
    });
    let most = if is_value { 0.75 } else { 0.5 };
    let covered = rule.rows.len() + rule.exceptions.len();
    // If no other row met it, it would be the rule.
    let is_necessary = rule.rows.len() == population.inside && covered > population.inside;
    (is_necessary && covered as f64 <= most * population.all() as f64).then_some(rule)
}

/// Returns the rules of the best description without a trusted one, if they are worth showing.
fn untrusted_rules(
    vocabulary: Vocabulary,
    writers: &[RuleWriter<'_, '_>; 2],
    best: Option<(Rank, usize, &Description)>,
) -> FoundRules {
    let rules = best.and_then(|(rank, side, description)| {
        let rules = writers[side].rules(description, |_, rule| rule);
        // In everyday words, nothing is said that a reader could not check. In all, there is always
        // a condition for a small part.
        let is_part = rules.iter().all(|rule| rule.wording == Wording::Part);
        let is_plain = match vocabulary {
            Vocabulary::Everyday => is_part,
            #[cfg(feature = "full")]
            Vocabulary::Full => {
                let inside = writers[side].count_inside();
                let count: usize = rules.iter().map(|rule| rule.rows.len()).sum();
                let others: usize = rules.iter().map(|rule| rule.exceptions.len()).sum();
                let is_close = 5 * count >= 4 * inside && 5 * count >= 4 * (count + others);
                let mut conditions = rules.iter().flat_map(|rule| &rule.conditions);
                let is_plain = conditions.all(|it| it.form != crate::ConditionForm::Property);
                match rules.first().map(|rule| rule.wording) {
                    Some(Wording::Tendency) if !is_plain => count == inside || is_close,
                    _ => 2 * count >= inside,
                }
            }
        };
        is_plain.then(|| FoundRules::new(SIDES[side], rules, Some(rank)))
    });
    rules.unwrap_or(FoundRules::new(Side::Failing, Vec::new(), None))
}

/// Returns for each of the [`SIDES`] if a row belongs to it; `None` if unknown.
fn membership(failing: &[Option<bool>]) -> [Vec<Option<bool>>; 2] {
    SIDES.map(|side| {
        let is_inside = |failing: &Option<bool>| Some((*failing)? == (side == Side::Failing));
        failing.iter().map(is_inside).collect()
    })
}

impl Vocabulary {
    /// Returns true if a rule of these terms may have exceptions. In everyday words, a range
    /// between numbers that aren't both in the code, a list of many values, or several values that
    /// are ruled out fit the rows rather than the cause.
    fn is_plain(self, terms: &[Term], writer: &RuleWriter<'_, '_>) -> bool {
        let condition = |literal: &Literal| {
            let condition = &writer.catalogue.conditions[literal.condition as usize];
            (condition.attribute, &condition.question)
        };
        let constants = writer.table.constants;
        let is_of_code = |limit: Number| constants.binary_search(&limit.into()).is_ok();
        let is_known = |limit: &Number| constants.is_empty() || is_of_code(*limit);
        let is_invented = |term: &Term| {
            let limits = term.literals.iter().filter_map(|literal| {
                let (attribute, question) = condition(literal);
                let measure = &writer.attributes[attribute].measure;
                let is_number = matches!(measure, Measure::Number(Notation::Number, _));
                Some((attribute, question.limit().filter(|_| is_number)?))
            });
            let limits: Vec<(usize, Number)> = limits.collect();
            limits.iter().enumerate().any(|(at, (attribute, limit))| {
                let mut others = limits[..at].iter().filter(|(it, _)| it == attribute);
                others.any(|(_, other)| !is_known(limit) || !is_known(other))
            })
        };
        let has_many = |term: &Term| {
            let mut questions = term.literals.iter().map(|it| condition(it).1);
            questions.any(|it| matches!(it, Question::OneOf(values) if values.len() > VALUES))
        };
        let denies_several = |term: &Term| {
            let denies = |literal: &&Literal| literal.is_negated && condition(literal).1.is_value();
            term.literals.iter().filter(denies).count() > 1
        };
        let is_unusual = |term: &Term| is_invented(term) || has_many(term) || denies_several(term);
        self != Self::Everyday || !terms.iter().any(is_unusual)
    }

    /// Returns true if these terms may be shown. In everyday words, no condition excludes a
    /// number: `n > 3 and n != 5 and n != 7` fits the rows rather than the cause. Among several
    /// terms, there is always some other property for a few rows.
    fn allows(self, terms: &[Term], target: &Target<'_>, catalogue: &Catalogue<'_, '_>) -> bool {
        let condition = |literal: &Literal| &catalogue.conditions[literal.condition as usize];
        let excludes_number = |literal: &Literal| {
            let question = &condition(literal).question;
            literal.is_negated && matches!(question, Question::Is(AttributeValue::Number(_)))
        };
        let is_everyday =
            |literal: &Literal| catalogue.attributes[condition(literal).attribute].is_everyday;
        terms.iter().all(|term| {
            let mut literals = term.literals.iter();
            let has_rows = || terms.len() == 1 || target.counts(&term.bits).inside >= FEW;
            (literals.clone().all(is_everyday) || has_rows())
                && (self != Self::Everyday || !literals.any(excludes_number))
        })
    }
}

/// Returns the candidate to show, with its rank and the position of its side.
fn best<'c>(
    vocabulary: Vocabulary,
    writers: &[RuleWriter<'_, '_>; 2],
    candidates: &'c [(usize, Description)],
    targets: &[Target<'_>; 2],
) -> Option<(Rank, usize, &'c Description)> {
    let population = targets[0].population;
    let rarer = match population.inside <= population.outside {
        true => Side::Failing,
        false => Side::Passing,
    };
    let has_few = population.inside.min(population.outside) <= FEW_OF_MANY;
    let ranked = candidates.iter().filter_map(|(side, description)| {
        let rules = writers[*side].rules(description, |_, rule| rule);
        let rank = Rank::new(rules.first()?, SIDES[*side], rarer, description.score);
        // Many rules that nearly fit explain nothing, nor does one that was made to fit.
        let is_plain =
            rules.len() <= PLAIN && vocabulary.is_plain(&description.terms, &writers[*side]);
        // Nor does a part of most rows.
        let is_most = 2 * targets[*side].population.inside > population.all();
        match rules[0].wording {
            Wording::Sure => {}
            Wording::Part if is_most && vocabulary == Vocabulary::Everyday => return None,
            _ if is_plain => {}
            _ => return None,
        }
        // A part of almost all rows says nothing about the few others, nor a part of the passing
        // ones about the failing ones.
        let is_worth_it = rank.is_trusted || (*side == 0 && (rank.is_rarer || !has_few));
        is_worth_it.then_some((rank, *side, description))
    });
    let ranked: Vec<_> = ranked.collect();
    let is_trusted_failure = |(rank, side, _): &&(Rank, usize, _)| rank.is_trusted && *side == 0;
    let failures = ranked.iter().filter(is_trusted_failure);
    let failure = failures.max_by(|(left, ..), (right, ..)| left.cmp(right));
    let failure = failure.map(|(_, _, description)| *description);
    let is_better = |(_, side, description): &(Rank, usize, &Description)| {
        let is_shorter = |failure: &Description| LONGER * description.cost <= failure.cost;
        *side == 0 || failure.is_none_or(is_shorter)
    };
    let ranked = ranked.into_iter().filter(is_better);
    ranked.max_by(|(left, ..), (right, ..)| left.cmp(right))
}

/// The rank of a description of either side. The highest one is shown.
#[derive(Clone, Copy)]
struct Rank {
    is_trusted: bool,
    is_rarer: bool,
    score: f64,
}

impl Rank {
    fn new(first: &Rule, side: Side, rarer: Side, score: f64) -> Self {
        Self {
            is_trusted: first.wording <= Wording::Mostly,
            is_rarer: side == rarer,
            score,
        }
    }

    fn hedged(score: f64) -> Self {
        Self {
            is_trusted: true,
            is_rarer: true,
            score,
        }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let by_trust = self.is_trusted.cmp(&other.is_trusted);
        // A part of most rows isn't worth showing.
        let by_side = match self.is_trusted {
            true => Ordering::Equal,
            false => self.is_rarer.cmp(&other.is_rarer),
        };
        let by_score = self.score.total_cmp(&other.score);
        by_trust.then(by_side).then(by_score)
    }
}
