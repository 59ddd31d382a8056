//! Constant values, and `Err`s.

use std::mem::discriminant;

use tdg_definition::json::Value;
use tdg_definition::math::exp;
use tdg_definition::sort;

use super::ChangePattern;
use super::pairs::{Pairs, PatternCandidate, most_frequent};
use tdg_engine::common_prefix;
use tdg_engine::output::refusal;

/// The minimum length of a common prefix of errors.
const PREFIX: usize = 4;

/// Finds `actual is null`, `1.0 became 1.1` or `actual = 0`.
pub(super) fn constants<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let actual = pairs.sample.iter().map(|it| pairs.actual(*it));
    let Some(value) = most_frequent(actual.collect()) else {
        return Vec::new();
    };
    let first = pairs.expected(pairs.sample[0]);
    let is_one = |index: &usize| pairs.expected(*index) == first;
    let is_from_output = refusal(first).is_none();
    let pattern = match is_from_output && pairs.sample.iter().all(is_one) {
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
        // No differing case expects the actual value, but there are at least others like it.
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

/// Returns a lower bound for the number of distinct values.
fn distinct(pairs: &Pairs<'_>) -> f64 {
    let expected = pairs.sample.iter().map(|index| pairs.expected(*index));
    sort::distinct(expected.collect::<Vec<&Value>>()).len() as f64 + 1.0
}

/// Returns the kind of a value. Numbers that aren't finite and empty values are separate kinds.
fn kind(value: &Value) -> (std::mem::Discriminant<Value>, bool) {
    let is_special = match value {
        Value::Number(number) => !number.as_f64().is_finite(),
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        _ => false,
    };
    (discriminant(value), is_special)
}

/// Finds `became a text, was a number`.
pub(super) fn other_kind<'a>(pairs: &'a Pairs<'a>) -> Option<PatternCandidate<'a>> {
    let both = |left: usize, right: usize| {
        let both = kind_name(pairs.expected(left)).zip(kind_name(pairs.actual(right)));
        both.filter(|(before, now)| before != now)
    };
    let own = pairs.sample.iter().filter_map(|it| both(*it, *it));
    let one = most_frequent(own.collect())?;
    let pattern = ChangePattern::Only(format!("became {}, was {}", one.1, one.0));
    Some(PatternCandidate {
        chance: Some(pairs.share(|expected| kind_name(expected) == Some(one.1))),
        ..PatternCandidate::new(pattern, move |left, right| both(left, right) == Some(one))
    })
}

fn kind_name(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Null => "null",
        Value::Bool(_) => "a Boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => return None,
    })
}

/// Returns the value that came in place of the other outcome: an `Err` instead of an `Ok`.
fn came<'a>(pairs: &Pairs<'a>, index: usize, now: &str) -> Option<&'a Value> {
    let before = if now == "Err" { "Ok" } else { "Err" };
    let actual = pairs.actual(index).get(now);
    actual.filter(|_| pairs.expected(index).get(before).is_some())
}

/// Finds `an Err became an Ok`.
pub(super) fn outcomes<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let of = |(pattern, now): (ChangePattern, &'static str)| PatternCandidate {
        chance: Some(pairs.share(|expected| expected.get(now).is_some())),
        ..PatternCandidate::new(pattern, move |_, index| came(pairs, index, now).is_some())
    };
    let both = [
        (ChangePattern::ErrToOk, "Ok"),
        (ChangePattern::OkToErr, "Err"),
    ];
    both.map(of).into()
}

/// Finds `became Ok(null)`.
pub(super) fn became_ok<'a>(pairs: &'a Pairs<'a>) -> Option<PatternCandidate<'a>> {
    let came = |index: usize| came(pairs, index, "Ok");
    let one = most_frequent(pairs.sample.iter().filter_map(|it| came(*it)).collect())?;
    Some(PatternCandidate {
        chance: Some(pairs.share(|expected| expected.get("Ok").is_some())),
        ..PatternCandidate::new(ChangePattern::BecameOk(one.clone()), move |_, index| {
            came(index) == Some(one)
        })
    })
}

/// Finds `became Err("unknown time unit …")`.
pub(super) fn errors<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let error = |index: usize| came(pairs, index, "Err");
    let errors: Vec<&Value> = pairs.sample.iter().filter_map(|it| error(*it)).collect();
    let Some(one) = most_frequent(errors.clone()) else {
        return Vec::new();
    };
    let chance = pairs.share(|expected| expected.get("Err").is_some());
    let mut candidates = vec![PatternCandidate {
        chance: Some(chance),
        ..PatternCandidate::new(ChangePattern::BecameErr(one.clone()), move |_, index| {
            error(index) == Some(one)
        })
    }];
    let texts: Option<Vec<&str>> = errors.iter().map(|error| error.as_str()).collect();
    let texts = texts.unwrap_or_default();
    // The common prefix of all is the one of the first and the last in order.
    if let (Some(first), Some(last)) = (texts.iter().min(), texts.iter().max())
        && texts.len() > 1
    {
        let prefix = &first[..common_prefix(first, last)];
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
