//! One value everywhere, and `Err`s.

use std::mem::discriminant;

use tdg_definition::json::Value;
use tdg_definition::math::exp;
use tdg_definition::sort;

use super::ChangePattern;
use super::pairs::{Pairs, PatternCandidate};

/// A prefix of errors that says enough.
const PREFIX: usize = 4;

/// `actual is null`, `1.0 became 1.1`, `actual = 0`.
pub(super) fn constants<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let Some(value) = most_frequent(pairs) else {
        return Vec::new();
    };
    let first = pairs.expected(pairs.sample[0]);
    let is_one = |index: &usize| pairs.expected(*index) == first;
    let pattern = match pairs.sample.iter().all(is_one) {
        true => ChangePattern::Became {
            from: first.clone(),
            to: value.clone(),
        },
        false => ChangePattern::Always(value.clone()),
    };
    let is_other = |index: &usize| kind(pairs.expected(*index)) != kind(value);
    let is_new = pairs.sample.iter().all(is_other);
    let mut chance = pairs.share(|expected| expected == value);
    if !is_new && pairs.known.is_empty() {
        // No case that differs has the value that came. At least there are others like it.
        chance = chance
            .max(exp(-pairs.of_kind(value)))
            .max(1.0 / distinct(pairs));
    }
    vec![PatternCandidate {
        chance: Some(chance),
        fitted: usize::from(!is_new),
        ..PatternCandidate::new(pattern, move |_, index| pairs.actual(index) == value)
    }]
}

/// The number of different values, at least.
fn distinct(pairs: &Pairs<'_>) -> f64 {
    let expected = pairs.sample.iter().map(|index| pairs.expected(*index));
    let mut values: Vec<&Value> = expected.collect();
    sort::by(&mut values, |left, right| left.cmp(right));
    values.dedup();
    values.len() as f64 + 1.0
}

fn most_frequent<'a>(pairs: &Pairs<'a>) -> Option<&'a Value> {
    let mut values: Vec<&Value> = pairs.sample.iter().map(|it| pairs.actual(*it)).collect();
    sort::by(&mut values, |left, right| left.cmp(right));
    let groups = values.chunk_by(|left, right| left == right);
    groups.max_by_key(|group| group.len()).map(|group| group[0])
}

/// Values of the same kind could have been expected; what isn't finite or empty is of its own.
fn kind(value: &Value) -> (std::mem::Discriminant<Value>, bool) {
    let is_special = match value {
        Value::Number(number) => !number.as_f64().is_finite(),
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        _ => false,
    };
    (discriminant(value), is_special)
}

/// `became Err("unknown time unit …")`.
pub(super) fn errors<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let error = |index: usize| match pairs.expected(index).get("Ok") {
        Some(_) => pairs.actual(index).get("Err"),
        None => None,
    };
    let Some(first) = pairs.sample.iter().find_map(|index| error(*index)) else {
        return Vec::new();
    };
    let mut errors: Vec<&Value> = pairs.sample.iter().filter_map(|it| error(*it)).collect();
    sort::by(&mut errors, |left, right| left.cmp(right));
    let groups = errors.chunk_by(|left, right| left == right);
    let one = groups
        .max_by_key(|group| group.len())
        .map_or(first, |it| it[0]);
    let chance = pairs.share(|expected| expected.get("Err").is_some());
    let mut candidates = vec![PatternCandidate {
        chance: Some(chance),
        ..PatternCandidate::new(ChangePattern::BecameErr(one.clone()), move |_, index| {
            error(index) == Some(one)
        })
    }];
    let texts: Option<Vec<&str>> = errors.iter().map(|error| error.as_str()).collect();
    // The first and the last in order have what all have in common.
    if let Some([first, .., last]) = texts.as_deref() {
        let prefix = common_prefix(first, last);
        if prefix.len() >= PREFIX {
            let pattern = ChangePattern::BecameErrStarting(prefix.to_owned());
            candidates.push(PatternCandidate {
                chance: Some(chance),
                ..PatternCandidate::new(pattern, move |_, index| {
                    error(index)
                        .and_then(Value::as_str)
                        .is_some_and(|text| text.starts_with(prefix))
                })
            });
        }
    }
    candidates
}

pub(super) fn common_prefix<'t>(left: &'t str, right: &str) -> &'t str {
    let alike = left.char_indices().zip(right.chars());
    let end = alike.into_iter().find(|((_, left), right)| left != right);
    let end = end.map_or(left.len().min(right.len()), |((index, _), _)| index);
    &left[..end]
}

/// `actual = expected of the case before`.
pub(super) fn shifted<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    // The expected outputs of differing cases alone are known, so most have to be neighbours.
    let beside = |index: usize, step: isize| {
        let other = index.checked_add_signed(step)?;
        let rows = (pairs.pairs.get(other)?.row, pairs.pairs[index].row);
        (rows.0.checked_add_signed(-step) == Some(rows.1)).then_some(other)
    };
    let neighbours = |step| {
        pairs
            .sample
            .iter()
            .filter(|it| beside(**it, step).is_some())
            .count()
    };
    let of = |pattern, step: isize| {
        // The first or the last case has no neighbour.
        let is_known = neighbours(step) > 0 && 2 * neighbours(step) >= pairs.sample.len();
        is_known.then(|| PatternCandidate {
            for_all: true,
            fitted: pairs.sample.len() - neighbours(step),
            ..PatternCandidate::new(pattern, move |index, actual| match beside(index, step) {
                Some(other) => pairs.expected(other) == pairs.actual(actual),
                None => index == actual,
            })
        })
    };
    let both = [
        of(ChangePattern::OfCaseBefore, -1),
        of(ChangePattern::OfCaseAfter, 1),
    ];
    both.into_iter().flatten().collect()
}
