//! Changes of outputs: how actual values follow from the expected ones, or from the row.
//!
//! Each family of patterns has its own file. It returns candidates, the exact ones first. The most
//! informative candidate is reported if it is better than chance.

mod dates;
mod features;
mod fraction;
mod integers;
mod lists;
mod numbers;
mod pairs;
mod pattern;
mod quantity;
mod texts;
mod tuples;
mod unit;
mod values;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;

use tdg_definition::json::{Pointer, Value};

use self::lists::ListPairs;
use self::pairs::{NEEDED, Pairs, PatternCandidate, ValuePair};
use super::{Explanation, Side, Wording};
use tdg_engine::Vectors;
use tdg_engine::compare::{DifferingCase, FieldDifference, apart_in_last_bits, with_any_element};

pub use pattern::ChangePattern;
pub use unit::Unit;

/// Longer lists are described as a whole.
const TUPLE: usize = 8;

/// A common pattern in the differences of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    /// The field, with `*` for any element of an array; the root if the output itself is the
    /// value.
    pub field: Pointer,
    /// The number of cases in which it differs.
    pub cases: usize,
    /// The number of these cases in which the pattern holds.
    pub holds: usize,
    /// The cases in which it doesn't.
    pub exceptions: Vec<usize>,
    /// The pattern.
    pub pattern: ChangePattern,
    /// If it holds in all of them: a value that no other expected output has, or a quoted text that
    /// no other contains, and that the pattern replaces.
    pub only: Option<String>,
}

/// Finds common patterns in differing outputs, by field; fields without a pattern are omitted.
///
/// Rounded numbers may differ from a pattern by their rounding: with two decimals, by half a
/// hundredth.
///
/// ```
/// use tdg_definition::{Definition, Policy};
/// use tdg_engine::Vectors;
/// use tdg_engine::compare::{DifferingCase, compare};
/// use tdg_explain::changes;
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
    let with_arrays = differing.iter().map(|it| tuples::with_arrays(it));
    let with_arrays: Vec<_> = with_arrays.collect();
    for (field, values) in by_field(differing, &with_arrays, is_meant) {
        changes.extend(values.changes(vectors, expected.unwrap_or_default(), field));
    }
    changes
}

/// A change of the outputs of all failing rows, or of the rows of a rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CauseChange {
    /// The position of the rule in the explanation.
    pub rule: Option<usize>,
    /// True if it only describes cases that no other rule covers.
    pub is_alone: bool,
    /// The change.
    pub change: FieldChange,
}

/// Like [`changes`], but describes the differing outputs as a whole and for each of several rules.
/// Omits a pattern that holds for most outputs if others hold for all outputs of a trusted rule.
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
    let is_told = |change: &FieldChange| {
        let mut alike = found.iter().filter(|other| other.field == change.field);
        alike.any(
            |other| match (other.pattern.is_apart(), change.pattern.is_apart()) {
                (false, false) => other.pattern.is_formula() || !change.pattern.is_formula(),
                (left, right) => left == right,
            },
        )
    };
    let untold = |is_covered: &dyn Fn(usize) -> bool| -> Vec<FieldChange> {
        let covered = differing.iter().filter(|it| is_covered(it.case));
        let covered: Vec<_> = covered.copied().collect();
        let mut changes = changes(vectors, expected, &covered, &is_meant);
        changes.retain(|change| is_for_all(change) && !is_told(change));
        changes
    };
    let rules = match explanation.side {
        Side::Failing if explanation.rules.len() > 1 => explanation.rules.as_slice(),
        _ => &[],
    };
    let covers = |rule: usize, case| rules[rule].rows.binary_search(&case).is_ok();
    let mut of_rules = Vec::new();
    for rule in 0..rules.len() {
        let mut changes = untold(&|case| covers(rule, case));
        // Cases with two causes may hide the effect of each.
        let is_alone = changes.is_empty();
        if is_alone {
            changes = untold(&|case| {
                let mut others = (0..rules.len()).filter(|other| *other != rule);
                covers(rule, case) && !others.any(|other| covers(other, case))
            });
        }
        let changes = changes.into_iter();
        of_rules.extend(changes.map(|change| (Some(rule), is_alone, change)));
    }
    let is_trusted = rules.iter().all(|rule| rule.wording <= Wording::Mostly);
    if !is_trusted && !for_most.is_empty() {
        of_rules.clear();
    }
    if of_rules.is_empty() {
        found.extend(for_most);
    }
    let of_all = found.into_iter();
    let of_all = of_all.map(|change| (None, false, change));
    let all = of_all.chain(of_rules);
    all.map(|(rule, is_alone, change)| CauseChange {
        rule,
        is_alone,
        change,
    })
    .collect()
}

/// The differing values of a field, or of an array and its elements.
#[derive(Default)]
struct FieldValues<'a> {
    pairs: Vec<ValuePair<'a>>,
    /// For arrays: the elements, if all arrays have the expected length.
    elements: Vec<ValuePair<'a>>,
    is_array: bool,
    has_other_length: bool,
    /// The rows with floats that only differ in their last bits, with the differences in ULP.
    last_bits: Vec<(usize, u64)>,
    /// True if some outputs lack the field.
    is_one_sided: bool,
}

fn by_field<'a>(
    differing: &[&'a DifferingCase],
    with_arrays: &'a [Cow<'a, DifferingCase>],
    is_meant: impl Fn(&Pointer) -> bool,
) -> BTreeMap<Pointer, FieldValues<'a>> {
    let mut fields: BTreeMap<Pointer, FieldValues<'a>> = BTreeMap::new();
    let apart = apart_in_last_bits(differing.iter().copied());
    for (differing, with_arrays) in differing.iter().zip(with_arrays) {
        for difference in &differing.comparison.differences {
            let field = with_any_element(&difference.pointer);
            if !is_meant(&field) || differing.comparison.is_moved(difference) {
                continue;
            }
            let pair = |expected: &'a Value, actual: &'a Value| ValuePair {
                row: differing.case,
                expected,
                actual,
            };
            let FieldDifference {
                expected, actual, ..
            } = difference;
            let both = expected.as_ref().zip(actual.as_ref());
            if difference.is_in_last_bits() && apart.contains(&field) {
                add_last_bits(&mut fields, differing, difference);
                continue;
            }
            let name = |pointer: &Pointer| tuples::name(pointer, &differing.expected);
            match array_around(with_arrays, &difference.pointer) {
                Some((array, expected, actual)) => {
                    let values = fields.entry(name(&array)).or_default();
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
                    let values = fields.entry(name(&difference.pointer)).or_default();
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

fn add_last_bits(
    fields: &mut BTreeMap<Pointer, FieldValues<'_>>,
    differing: &DifferingCase,
    difference: &FieldDifference,
) {
    let array = array_around(differing, &difference.pointer);
    let place = array
        .as_ref()
        .map_or(&difference.pointer, |(array, ..)| array);
    let values = fields.entry(with_any_element(place)).or_default();
    values.is_array |= array.is_some();
    let ulps = difference.ulps().unwrap_or_default();
    values.last_bits.push((differing.case, ulps));
}

/// Returns the array that the pointer leads into, with its pointer.
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

impl<'a> FieldValues<'a> {
    fn changes(
        self,
        vectors: &'a Vectors,
        expected: &'a [Value],
        field: Pointer,
    ) -> Vec<FieldChange> {
        let last_bits = self.in_last_bits(&field);
        let mut changes = match self.is_one_sided {
            true => Vec::new(),
            false => self.of_values(vectors, expected, field),
        };
        changes.extend(last_bits);
        changes
    }

    fn of_values(
        self,
        vectors: &'a Vectors,
        expected: &'a [Value],
        field: Pointer,
    ) -> Vec<FieldChange> {
        let tuple = self.tuple();
        let mut of_some = Vec::new();
        if self.is_array && !self.has_other_length && tuple.len() != 1 {
            of_some = of_field(vectors, Vec::new(), self.elements, &field.child("*"));
            let is_enough = |it: &FieldChange| tuple.is_empty() || it.pattern.is_formula();
            if of_some
                .first()
                .is_some_and(|it| it.holds == it.cases && is_enough(it))
            {
                return of_some;
            }
        }
        let known = expected.iter().filter_map(|output| field.find_in(output));
        let of_whole = of_field(vectors, known.collect(), self.pairs, &field);
        let is_for_all = |it: &&FieldChange| it.holds == it.cases;
        let mut for_all = of_whole.iter().filter(is_for_all);
        if tuple.len() > 1 && for_all.any(|it| it.pattern.is_formula()) {
            return of_whole;
        }
        let of_one = of_whole.iter().filter(is_for_all);
        let is_of_one = |it: &&FieldChange| matches!(it.pattern, ChangePattern::OnlyElement { .. });
        let mut of_elements: Vec<_> = of_one.filter(is_of_one).cloned().collect();
        for (position, pairs) in tuple {
            let element = field.child(position.to_string());
            of_elements.extend(of_field(vectors, Vec::new(), pairs, &element));
        }
        match of_elements.is_empty() {
            true if of_whole.iter().any(|it| it.pattern.is_formula()) => of_whole,
            true if of_some.iter().any(|it| it.holds == it.cases) => of_some,
            true => [of_whole, of_some].concat(),
            false => of_elements,
        }
    }

    /// Returns the differing elements by position, if all arrays have the same length.
    fn tuple(&self) -> BTreeMap<usize, Vec<ValuePair<'a>>> {
        let arrays = |pair: &ValuePair<'a>| pair.expected.as_array().zip(pair.actual.as_array());
        let mut elements: BTreeMap<usize, Vec<ValuePair<'a>>> = BTreeMap::new();
        let first = self.pairs.first().and_then(arrays);
        let Some(length @ 2..=TUPLE) = first.map(|(expected, _)| expected.len()) else {
            return elements;
        };
        for pair in &self.pairs {
            let both = arrays(pair)
                .filter(|(expected, actual)| (expected.len(), actual.len()) == (length, length));
            let Some((expected, actual)) = both else {
                return BTreeMap::new();
            };
            let both = expected.iter().zip(actual).enumerate();
            for (position, (expected, actual)) in both.filter(|(_, (left, right))| left != right) {
                let row = pair.row;
                let values = elements.entry(position).or_default();
                values.push(ValuePair {
                    row,
                    expected,
                    actual,
                });
            }
        }
        elements
    }

    /// Describes the rows in which nothing else of the field differs.
    fn in_last_bits(&self, field: &Pointer) -> Option<FieldChange> {
        let is_alone = |row: usize| self.pairs.iter().all(|pair| pair.row != row);
        let rows = self.last_bits.iter().filter(|(row, _)| is_alone(*row));
        let most = rows.clone().map(|(_, ulps)| *ulps).max()?;
        let rows: Vec<usize> = rows.map(|(row, _)| *row).collect();
        let cases = rows.chunk_by(|left, right| left == right).count();
        Some(FieldChange {
            field: match self.is_array {
                true => field.child("*"),
                false => field.clone(),
            },
            cases,
            holds: cases,
            exceptions: Vec::new(),
            pattern: ChangePattern::WithinUlps(most),
            only: None,
        })
    }
}

/// Returns the most informative pattern of a field, if any. If it only holds for most pairs, the
/// best one that holds for all comes first.
fn of_field<'a>(
    vectors: &'a Vectors,
    known: Vec<&'a Value>,
    pairs: Vec<ValuePair<'a>>,
    field: &Pointer,
) -> Vec<FieldChange> {
    if pairs.len() < 2 {
        return Vec::new();
    }
    let pairs = Pairs::new(vectors, pairs, known);
    let lists = ListPairs::new(&pairs);
    let cases = pairs.by_case().count();
    let best = best(&pairs, lists.as_ref()).into_iter();
    let found = best.map(|(candidate, _)| (pairs.exceptions(&candidate), candidate));
    let found = found.map(|(exceptions, candidate)| {
        let change = FieldChange {
            field: field.clone(),
            cases,
            holds: cases - exceptions.len(),
            only: pairs.only(&candidate).filter(|_| exceptions.is_empty()),
            exceptions,
            pattern: candidate.pattern,
        };
        (change, candidate.least)
    });
    // The elements for which it holds may belong to few cases.
    let found = found.filter(|(change, least)| change.holds as f64 >= least * cases as f64);
    found.map(|(change, _)| change).collect()
}

/// Returns the most informative pattern, preceded by the best one that holds for all, with the
/// numbers of outputs. Exact patterns take precedence over common properties of both values.
fn best<'a>(
    pairs: &'a Pairs<'a>,
    lists: Option<&'a ListPairs>,
) -> Vec<(PatternCandidate<'a>, usize)> {
    type Family<'a> = fn(&'a Pairs<'a>, Option<&'a ListPairs>) -> Vec<PatternCandidate<'a>>;
    let families: [Family<'a>; 3] = [
        |pairs, lists| exact(pairs, lists),
        |pairs, lists| relations(pairs, lists),
        |pairs, lists| vague(pairs, lists),
    ];
    let mut for_most: Option<(PatternCandidate<'a>, usize)> = None;
    for family in families {
        let mut candidates = family(pairs, lists);
        if for_most.is_some() {
            candidates.retain(|candidate| pairs.count(candidate) == pairs.len());
        }
        let Some(index) = most(pairs, &candidates) else {
            continue;
        };
        let candidate = candidates.swap_remove(index);
        let holds = pairs.count(&candidate);
        if holds < pairs.len() {
            for_most = Some((candidate, holds));
            continue;
        }
        let for_all = (candidate, holds);
        let is_formula = for_all.0.pattern.is_formula();
        let for_most = for_most.or_else(|| (!is_formula).then(|| frequent(pairs))?);
        return [for_all].into_iter().chain(for_most).collect();
    }
    let for_most = for_most.or_else(|| frequent(pairs));
    for_most.into_iter().collect()
}

/// Returns the most frequent of several replacements in texts.
fn frequent<'a>(pairs: &'a Pairs<'a>) -> Option<(PatternCandidate<'a>, usize)> {
    let candidate = texts::most_replaced(pairs)?;
    pairs
        .evidence(&candidate)
        .filter(|(evidence, _)| *evidence > NEEDED)?;
    let holds = pairs.count(&candidate);
    Some((candidate, holds))
}

/// Returns the patterns that determine the actual value, at least approximately.
fn exact<'a>(pairs: &'a Pairs<'a>, lists: Option<&'a ListPairs>) -> Vec<PatternCandidate<'a>> {
    let mut candidates = values::constants(pairs);
    candidates.extend(values::errors(pairs));
    candidates.extend(values::became_ok(pairs));
    candidates.extend(features::features(pairs));
    candidates.extend(integers::integers(pairs));
    candidates.extend(numbers::numbers(pairs));
    candidates.extend(dates::moved(pairs));
    candidates.extend(
        lists
            .map(|lists| lists::edits(pairs, lists))
            .into_iter()
            .flatten(),
    );
    candidates.extend(texts::edits(pairs));
    candidates
}

/// Returns the patterns that are common properties of both values.
fn relations<'a>(pairs: &'a Pairs<'a>, lists: Option<&'a ListPairs>) -> Vec<PatternCandidate<'a>> {
    let of_lists = lists.map(lists::relations).into_iter().flatten();
    let outcomes = values::outcomes(pairs).into_iter();
    let outcomes = outcomes.chain(values::other_kind(pairs));
    let of_texts = texts::relations(pairs).into_iter();
    of_lists.chain(of_texts).chain(outcomes).collect()
}

/// Returns the weak patterns, reported only if no other holds.
fn vague<'a>(pairs: &'a Pairs<'a>, lists: Option<&'a ListPairs>) -> Vec<PatternCandidate<'a>> {
    let of_lists = lists
        .map(|lists| lists::lengths(pairs, lists))
        .into_iter()
        .flatten();
    numbers::directions(pairs)
        .into_iter()
        .chain(of_lists)
        .collect()
}

/// Returns the first candidate with the most evidence. One that holds for some pairs makes way for
/// an exact one that holds for all.
fn most(pairs: &Pairs<'_>, candidates: &[PatternCandidate<'_>]) -> Option<usize> {
    let judged = candidates.iter().enumerate();
    let judged = judged.filter_map(|(index, it)| Some((index, pairs.evidence(it)?)));
    let judged: Vec<(usize, (f64, bool))> = judged.collect();
    let is_exact = |index: usize| !matches!(candidates[index].pattern, ChangePattern::About(_));
    let of = |least: f64, is_meant: &dyn Fn(usize, bool) -> bool| {
        let mut best: Option<(usize, (f64, bool))> = None;
        for &(index, (evidence, is_for_all)) in &judged {
            let most = best.map_or(least, |(_, (most, _))| most + 1e-9);
            if evidence > most && is_meant(index, is_for_all) {
                best = Some((index, (evidence, is_for_all)));
            }
        }
        best
    };
    let (best, (_, is_for_all)) = of(NEEDED, &|_, _| true)?;
    let for_all = || of(0.0, &|index, is_for_all| is_for_all && is_exact(index));
    let other = if is_for_all { None } else { for_all() };
    Some(other.map_or(best, |(index, _)| index))
}
