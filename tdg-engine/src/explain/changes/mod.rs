//! What happened to the outputs: how actual values follow from the expected ones, or from the row.
//!
//! Each family of patterns is a file; it gives the candidates that may hold, the exact ones first.
//! Of these the one that tells the most is told, if that is more than chance would.

mod dates;
mod features;
mod lists;
mod numbers;
mod pairs;
mod pattern;
mod quantity;
mod texts;
mod values;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use tdg_definition::json::{Pointer, Value};

use self::lists::Lists;
use self::pairs::{Candidate, LEAST, Pair, Pairs};
use super::fields::with_any_element;
use super::{Explanation, Side};
use crate::compare::{DifferingCase, FieldDifference};
use crate::generate::Vectors;

pub use dates::Unit;
pub use pattern::Pattern;

/// What differences of a field have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    /// The field, with `*` for any element of an array; the root if the output itself is the
    /// value.
    pub field: Pointer,
    /// The number of cases in which it differs.
    pub cases: usize,
    /// In how many of them the pattern holds.
    pub holds: usize,
    /// What the differences have in common.
    pub pattern: Pattern,
}

/// What differing outputs have in common, by field; fields without a pattern are left out.
///
/// Rounded numbers may differ from a pattern by their rounding: with two decimals, by half a
/// hundredth.
///
/// ```
/// use tdg_definition::{Definition, Policy};
/// use tdg_engine::Vectors;
/// use tdg_engine::compare::{DifferingCase, compare};
/// use tdg_engine::explain::changes;
///
/// let definition = Definition::parse(r#"{"features": [
///     {"type": "FLOAT", "distribution": {"type": "uniform", "min": 0, "max": 1}}]}"#);
/// let rows = Vectors::generate(&definition?, 0, 100);
/// let differing = [(3, 120.5, 116.885), (12, 88.0, 85.36), (60, 10.0, 9.7)];
/// let differing = differing.map(|(case, expected, actual)| {
///     let (expected, actual) = (expected.into(), actual.into());
///     let comparison = compare(&Policy::exact(), &expected, &actual);
///     DifferingCase { case, expected, actual, comparison }
/// });
/// let differing: Vec<_> = differing.iter().collect();
/// let changes = changes(&rows, None, &differing, |_| true);
/// assert_eq!(changes[0].pattern.to_string(), "actual = 0.97 × expected");
/// # Ok::<(), tdg_definition::Faults>(())
/// ```
///
/// `expected` has the expected outputs of all cases, where they are known. Only the fields that
/// `is_meant` says are looked at.
pub fn changes(
    vectors: &Vectors,
    expected: Option<&[Value]>,
    differing: &[&DifferingCase],
    is_meant: impl Fn(&Pointer) -> bool,
) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    for (field, values) in by_field(differing, is_meant) {
        changes.extend(values.change(vectors, expected.unwrap_or_default(), field));
    }
    changes
}

/// What happened to the outputs of all failing rows, or of those of a rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CauseChange {
    /// The position of the rule among those of the explanation.
    pub rule: Option<usize>,
    /// What happened.
    pub change: FieldChange,
}

/// What happened to the differing outputs, as [`changes`]: to all of them, or for each cause. What
/// holds for most is told where nothing holds for all of a cause.
pub fn changes_by_cause(
    explanation: &Explanation,
    vectors: &Vectors,
    expected: Option<&[Value]>,
    differing: &[&DifferingCase],
    is_meant: impl Fn(&Pointer) -> bool,
) -> Vec<CauseChange> {
    let of_all = changes(vectors, expected, differing, &is_meant);
    let is_for_all = |change: &FieldChange| change.holds == change.cases;
    let (mut found, for_most): (Vec<_>, Vec<_>) = of_all.into_iter().partition(is_for_all);
    let mut of_rules = Vec::new();
    if found.is_empty() || !for_most.is_empty() {
        let rules = explanation.rules.iter().enumerate();
        for (rule, described) in rules.filter(|_| explanation.side == Side::Failing) {
            let is_covered = |it: &&&DifferingCase| described.rows.binary_search(&it.case).is_ok();
            let covered: Vec<_> = differing.iter().filter(is_covered).copied().collect();
            let is_told = |field: &Pointer| found.iter().any(|change| change.field == *field);
            let is_meant = |field: &Pointer| is_meant(field) && !is_told(field);
            let changes = changes(vectors, expected, &covered, is_meant);
            let changes = changes.into_iter().filter(is_for_all);
            of_rules.extend(changes.map(|change| CauseChange {
                rule: Some(rule),
                change,
            }));
        }
    }
    if of_rules.is_empty() {
        found.extend(for_most);
    }
    let of_all = found
        .into_iter()
        .map(|change| CauseChange { rule: None, change });
    of_all.chain(of_rules).collect()
}

/// The values of a field that differ, or of an array and its elements.
#[derive(Default)]
struct Values<'a> {
    pairs: Vec<Pair<'a>>,
    /// If it is an array: its elements, where all arrays have the expected length.
    elements: Vec<Pair<'a>>,
    is_array: bool,
    has_other_length: bool,
    /// Whether some outputs have no such field.
    is_one_sided: bool,
}

fn by_field<'a>(
    differing: &[&'a DifferingCase],
    is_meant: impl Fn(&Pointer) -> bool,
) -> BTreeMap<Pointer, Values<'a>> {
    let mut fields: BTreeMap<Pointer, Values<'a>> = BTreeMap::new();
    for differing in differing {
        for difference in &differing.comparison.differences {
            let field = with_any_element(&difference.pointer);
            if !is_meant(&field) {
                continue;
            }
            let pair = |expected: &'a Value, actual: &'a Value| Pair {
                row: differing.case,
                expected,
                actual,
            };
            let FieldDifference {
                expected, actual, ..
            } = difference;
            let both = expected.as_ref().zip(actual.as_ref());
            match array_around(differing, &difference.pointer) {
                Some((array, expected, actual)) => {
                    let values = fields.entry(with_any_element(&array)).or_default();
                    values.is_array = true;
                    values
                        .elements
                        .extend(both.map(|(left, right)| pair(left, right)));
                    let last = values.pairs.last();
                    if last.is_none_or(|last| !std::ptr::eq(last.expected, expected)) {
                        values.pairs.push(pair(expected, actual));
                    }
                }
                None => {
                    let values = fields.entry(field).or_default();
                    match both {
                        Some((expected, actual)) => {
                            values.has_other_length |= expected.as_array().is_some();
                            values.pairs.push(pair(expected, actual));
                        }
                        None => values.is_one_sided = true,
                    }
                }
            }
        }
    }
    fields
}

/// The array that the pointer leads into, with its place.
fn array_around<'a>(
    differing: &'a DifferingCase,
    pointer: &Pointer,
) -> Option<(Pointer, &'a Value, &'a Value)> {
    let mut array = pointer.clone();
    array.pop()?;
    let expected = array.find_in(&differing.expected)?;
    let actual = array.find_in(&differing.actual)?;
    let are_arrays = expected.as_array().is_some() && actual.as_array().is_some();
    are_arrays.then_some((array, expected, actual))
}

impl<'a> Values<'a> {
    fn change(
        self,
        vectors: &'a Vectors,
        expected: &'a [Value],
        field: Pointer,
    ) -> Option<FieldChange> {
        if self.is_one_sided {
            return None;
        }
        if self.is_array && !self.has_other_length {
            let elements = change(vectors, Vec::new(), self.elements, field.child("*"));
            if let Some(elements) = elements.filter(|it| it.holds == it.cases) {
                return Some(elements);
            }
        }
        let known = expected.iter().filter_map(|output| field.find_in(output));
        change(vectors, known.collect(), self.pairs, field)
    }
}

/// The pattern that tells the most about a field, if one does.
fn change<'a>(
    vectors: &'a Vectors,
    known: Vec<&'a Value>,
    pairs: Vec<Pair<'a>>,
    field: Pointer,
) -> Option<FieldChange> {
    if pairs.len() < LEAST {
        return None;
    }
    let pairs = Pairs::new(vectors, pairs, known);
    let lists = Lists::of(&pairs);
    let best = best(&pairs, lists.as_ref())?;
    let rows = pairs.pairs.chunk_by(|left, right| left.row == right.row);
    let cases = rows.count();
    let holds = pairs.count(&best);
    // Of several elements of a case, all have to be alike.
    let is_one_each = cases == pairs.len();
    (is_one_each || holds == pairs.len()).then(|| FieldChange {
        field,
        cases,
        holds: holds.min(cases),
        pattern: best.pattern,
    })
}

/// The pattern that tells the most: an exact one for all outputs, or any for most.
fn best<'a>(pairs: &'a Pairs<'a>, lists: Option<&'a Lists>) -> Option<Candidate<'a>> {
    let mut candidates = exact(pairs, lists);
    let best = most(pairs, &candidates);
    let is_for_all = |index: &usize| pairs.count(&candidates[*index]) == pairs.len();
    let best = best.filter(is_for_all).or_else(|| {
        candidates.extend(relations(pairs, lists));
        most(pairs, &candidates)
    });
    let best = best.or_else(|| {
        candidates = vague(pairs, lists);
        most(pairs, &candidates)
    });
    best.map(|index| candidates.swap_remove(index))
}

/// The patterns that give the actual value, or nearly.
fn exact<'a>(pairs: &'a Pairs<'a>, lists: Option<&'a Lists>) -> Vec<Candidate<'a>> {
    let mut candidates = values::constants(pairs);
    candidates.extend(values::errors(pairs));
    candidates.extend(features::features(pairs));
    candidates.extend(numbers::numbers(pairs));
    candidates.extend(dates::moved(pairs));
    candidates.extend(
        lists
            .map(|lists| lists::edits(pairs, lists))
            .into_iter()
            .flatten(),
    );
    candidates.extend(texts::edits(pairs));
    candidates.extend(values::shifted(pairs));
    candidates
}

/// What is common to both values.
fn relations<'a>(pairs: &'a Pairs<'a>, lists: Option<&'a Lists>) -> Vec<Candidate<'a>> {
    let of_lists = lists.map(lists::relations).into_iter().flatten();
    of_lists.chain(texts::relations(pairs)).collect()
}

/// The patterns that say little: told where no other is.
fn vague<'a>(pairs: &'a Pairs<'a>, lists: Option<&'a Lists>) -> Vec<Candidate<'a>> {
    let of_lists = lists
        .map(|lists| lists::lengths(pairs, lists))
        .into_iter()
        .flatten();
    numbers::directions(pairs)
        .into_iter()
        .chain(of_lists)
        .collect()
}

/// The first of those with the most evidence.
fn most(pairs: &Pairs<'_>, candidates: &[Candidate<'_>]) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    for (index, candidate) in candidates.iter().enumerate() {
        let Some(evidence) = pairs.evidence(candidate) else {
            continue;
        };
        if best.is_none_or(|(most, _)| evidence > most + 1e-9) {
            best = Some((evidence, index));
        }
    }
    best.map(|(_, index)| index)
}
