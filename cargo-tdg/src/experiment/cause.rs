//! The cause of a part of a change.

use tdg_definition::json::Value;
use tdg_engine::compare::Part;
use tdg_explain::{Explanation, Side};

use super::Conditions;
use super::boundaries::add_boundaries;
use super::hypothesis::Hypothesis;
use super::near_misses::add_near_misses;
use super::observed_rows::ObservedRows;
use super::relevance::relevance;
use super::verification::{HypothesisTest, TESTED, new_rows, verify};
use crate::error::Result;

/// How often a hypothesis may be corrected.
const ROUNDS: u64 = 8;
/// The largest share of exceptions that a rule may have.
const EXCEPTIONS: f64 = 0.02;
/// With more exceptions than this after a few corrections, no rule will fit.
const HOPELESS: f64 = 0.1;
const TRIED: u64 = 2;
/// The rows that each of two rules must have.
const LISTED: usize = 3;

/// The cause of a part of a change.
#[derive(Debug)]
pub(crate) struct ChangeCause {
    /// The features that make the change come or go.
    pub(crate) features: Vec<String>,
    /// `None` if no rule describes the changed rows.
    pub(crate) rule: Option<CauseRule>,
    /// The number of rows with the part, if all of them have changed.
    pub(crate) all_changed: Option<usize>,
    /// True if the time was over before the last experiment.
    pub(crate) is_cut_short: bool,
}

/// A rule for the changed rows.
#[derive(Debug)]
pub(crate) struct CauseRule {
    pub(crate) explanation: Explanation,
    pub(crate) exactness: Exactness,
    /// The new rows that it was tested on, or all rows.
    pub(crate) tested: usize,
    /// Further new rows, with another outcome, which can't show the change.
    pub(crate) of_others: usize,
    /// True if these are nearly all possible rows.
    pub(crate) is_of_all: bool,
    /// True if they are on both sides of the rule.
    pub(crate) is_on_both_sides: bool,
}

/// How well a rule describes new rows.
#[derive(Debug)]
pub(crate) enum Exactness {
    /// Without an exception.
    Exact,
    /// With exceptions.
    Nearly { exceptions: usize, simplest: Value },
}

impl CauseRule {
    /// Returns the number of tested rows that the rule is wrong about.
    pub(crate) fn exceptions(&self) -> usize {
        match self.exactness {
            Exactness::Exact => 0,
            Exactness::Nearly { exceptions, .. } => exceptions,
        }
    }

    pub(crate) fn simplest_exception(&self) -> Option<&Value> {
        match &self.exactness {
            Exactness::Exact => None,
            Exactness::Nearly { simplest, .. } => Some(simplest),
        }
    }

    /// Returns `exactly those with day = 15`.
    pub(crate) fn sentence(&self) -> String {
        let rules = self.explanation.rules.iter().map(ToString::to_string);
        let rules = rules.collect::<Vec<_>>().join(", or ");
        let exact = match self.exactness {
            // Most rows show nothing about it.
            Exactness::Exact if self.of_others > self.tested => "perhaps exactly",
            Exactness::Exact => "exactly",
            Exactness::Nearly { .. } => "nearly",
        };
        match self.explanation.side {
            Side::Failing => format!("{exact} those with {rules}"),
            Side::Passing => format!("all but {exact} those with {rules}"),
        }
    }
}

/// Finds the cause of a part of a change among the observed rows, which have changed ones.
pub(crate) fn find_cause(
    conditions: &Conditions<'_>,
    observed: &mut ObservedRows<'_>,
    question: &Part,
) -> Result<ChangeCause> {
    add_near_misses(conditions, observed, question)?;
    let relevance = relevance(conditions, observed, question)?;
    let boundaries = add_boundaries(conditions, observed, question, &relevance.flips)?;
    let mut best: Option<(Explanation, HypothesisTest)> = None;
    let mut decisive = boundaries.rows;
    let mut confirmed = 0;
    for round in 0..ROUNDS {
        let states = observed.states(question);
        // The ensemble's rows have small seeds.
        let seed = 1_000_003 + round;
        let new = new_rows(conditions, observed, &states, &boundaries.values, seed);
        let which = (relevance.features.as_slice(), decisive.as_slice());
        let Some(hypothesis) = Hypothesis::new(conditions, observed, &states, which, &new)? else {
            break;
        };
        let tested = verify(observed, question, &hypothesis, new)?;
        decisive.extend(&tested.exceptions);
        let is_short = !is_too_long(&hypothesis.explanation, tested.exceptions.len());
        let is_better = is_short && tested.share() <= best_share(&best);
        let is_exact = tested.exceptions.is_empty();
        let needed = 1 + usize::from(conditions_of(&hypothesis.explanation) > 2);
        confirmed = if is_exact { confirmed + 1 } else { 0 };
        if is_better {
            best = Some((hypothesis.explanation, tested));
        }
        let is_hopeless = round >= TRIED && best_share(&best) > HOPELESS;
        if confirmed >= needed || is_hopeless || conditions.is_over() {
            break;
        }
    }
    let features = conditions.definition.features();
    let features = relevance.features.iter().map(|it| features[*it].name());
    Ok(ChangeCause {
        features: features.map(str::to_owned).collect(),
        rule: best.and_then(|(explanation, tested)| rule(observed, explanation, &tested)),
        all_changed: observed.all_changed(question),
        is_cut_short: conditions.is_over(),
    })
}

fn best_share(best: &Option<(Explanation, HypothesisTest)>) -> f64 {
    best.as_ref().map_or(1.0, |(_, tested)| tested.share())
}

fn conditions_of(explanation: &Explanation) -> usize {
    let rules = explanation.rules.iter();
    rules.map(|it| it.conditions.len()).sum()
}

/// Returns true if the rule is too long for its number of exceptions: any rows have a long enough
/// description.
fn is_too_long(explanation: &Explanation, exceptions: usize) -> bool {
    let most = match (explanation.side, exceptions) {
        (Side::Failing, 0) => 4,
        (Side::Failing, _) => 3,
        (Side::Passing, _) => 2,
    };
    // A second rule for a row or two only lists them.
    let lists_rows = || explanation.rules.iter().any(|it| it.rows.len() < LISTED);
    let count = explanation.rules.len();
    count > 2 || count == 2 && lists_rows() || conditions_of(explanation) > most
}

/// Returns the rule, unless it has too many exceptions.
fn rule(
    observed: &ObservedRows<'_>,
    explanation: Explanation,
    tested: &HypothesisTest,
) -> Option<CauseRule> {
    let is_enough = tested.rows() >= TESTED || tested.is_exhaustive;
    if !is_enough || tested.share() > EXCEPTIONS {
        return None;
    }
    let exceptions = tested.exceptions.iter().map(|it| &observed.rows[*it]);
    let simplest = exceptions.min_by_key(|it| it.to_string().len());
    let exactness = match simplest {
        None => Exactness::Exact,
        Some(simplest) => Exactness::Nearly {
            exceptions: tested.exceptions.len(),
            simplest: simplest.clone(),
        },
    };
    Some(CauseRule {
        explanation,
        exactness,
        tested: tested.rows(),
        of_others: tested.of_others,
        is_of_all: tested.is_of_all(),
        is_on_both_sides: tested.is_on_both_sides(),
    })
}
