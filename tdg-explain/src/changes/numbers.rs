//! Numbers that follow from the expected number or from features.

use tdg_definition::json::Value;
use tdg_definition::sort;

use super::ChangePattern;
use super::fraction;
use super::pairs::{
    NEEDED, Pairs, PatternCandidate, decimals, ln_choose, most_decimals, most_frequent, shifts,
};
use super::quantity::{Quantity, finite};
use crate::threshold::between_floats;
use tdg_definition::math::ln;

/// Fewer numbers have no formula.
const LEAST: usize = 3;
/// The relative error of float arithmetic.
const FLOAT: f64 = 1e-12;
/// The error must not exceed this share of the change.
const FLOAT_CHANGE: f64 = 1e-3;
/// The maximum relative error of an approximate constant.
const PRECISION: f64 = 0.1;
/// A quantity that fits fewer of the probed pairs is skipped.
const PROMISING: f64 = 0.4;

/// A function of the expected number, with its name.
type NumberFunction = (&'static str, fn(f64) -> f64);

const FUNCTIONS: [NumberFunction; 5] = [
    ("−expected", |x| -x),
    ("|expected|", f64::abs),
    ("−|expected|", |x| -x.abs()),
    ("1 / expected", |x| 1.0 / x),
    ("expected²", |x| x * x),
];

/// The rounding errors of numbers: half a unit of the last decimal.
#[derive(Clone, Copy, Default)]
struct Rounding {
    expected: f64,
    actual: f64,
    /// True if the error may exceed the rounding of the result to its decimals.
    is_about: bool,
}

impl Rounding {
    fn worded(self, pattern: ChangePattern) -> ChangePattern {
        match self.is_about {
            true => ChangePattern::About(Box::new(pattern.roughly())),
            false => pattern,
        }
    }
}

/// Finds all patterns of numbers.
pub(super) fn numbers<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let is_number = |index: &&usize| finite(pairs.actual(**index)).is_some();
    if 2 * pairs.sample.iter().filter(is_number).count() < pairs.sample.len() {
        return Vec::new();
    }
    let roundings = roundings(pairs);
    let mut candidates = functions(pairs);
    candidates.extend(rounded(pairs));
    for rounding in &roundings {
        candidates.extend(times(pairs, Quantity::Expected, *rounding));
        candidates.extend(plus(pairs, Quantity::Expected, *rounding));
    }
    let mut quantities = Quantity::of_features(pairs.vectors);
    quantities.retain(|quantity| varies(pairs, quantity));
    let choices = quantities.len();
    for quantity in quantities {
        candidates.extend(of_features(pairs, &quantity, &roundings, choices));
    }
    for rounding in roundings {
        candidates.extend(affine(pairs, rounding));
        candidates.extend(by_category(pairs, rounding));
    }
    candidates
}

/// Returns true if a quantity has several values. A constant one can't be a cause.
fn varies(pairs: &Pairs<'_>, quantity: &Quantity) -> bool {
    let mut own = pairs
        .sample
        .iter()
        .map(|index| quantity.value(pairs, *index));
    let first = own.next().flatten();
    own.any(|other| other != first)
}

/// Finds `actual < expected`: a fallback, reported only if no other pattern holds.
pub(super) fn directions<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let of = |pattern, is_above: bool| PatternCandidate {
        chance: Some(0.5),
        choices: 2,
        for_all: true,
        ..candidate(pairs, pattern, move |expected, actual| match is_above {
            true => actual > expected,
            false => actual < expected,
        })
    };
    vec![
        of(ChangePattern::Above, true),
        of(ChangePattern::Below, false),
    ]
}

/// Returns the roundings to try: exact numbers, rounded results, and numbers that were rounded
/// before as well. Whole numbers are exact unless the sentence says "about".
fn roundings(pairs: &Pairs<'_>) -> Vec<Rounding> {
    let mut most = (Some(0), Some(0));
    for pair in &pairs.pairs {
        let number = |decimals: Option<u32>, value: &Value| {
            let number = value.as_number().filter(|it| it.as_f64().is_finite());
            number.map_or(decimals, |it| most_decimals(decimals, self::decimals(it)))
        };
        most.0 = number(most.0, pair.expected);
        most.1 = number(most.1, pair.actual);
    }
    let half_unit = |decimals: Option<u32>| decimals.map_or(0.0, half_unit);
    let (expected, actual) = (half_unit(most.0), half_unit(most.1));
    let of_result = Rounding {
        actual,
        ..Rounding::default()
    };
    let of_both = Rounding {
        expected,
        actual,
        is_about: true,
    };
    let mut roundings = vec![Rounding::default()];
    // About 2 could be anything from 1 to 3, and most constants fit a change within the rounding.
    let most = PRECISION * median_change(pairs).unwrap_or(f64::INFINITY);
    let is_little = |off: f64| off > 0.0 && off <= most;
    roundings.extend((actual < WHOLE && is_little(actual)).then_some(of_result));
    roundings.extend(is_little(expected + actual).then_some(of_both));
    roundings
}

fn median_change(pairs: &Pairs<'_>) -> Option<f64> {
    let own = pairs.sample.iter();
    let own = own.filter_map(|index| both(pairs, *index, *index));
    let mut changes: Vec<f64> = own.map(|(x, y)| (y - x).abs()).collect();
    sort::by(&mut changes, |left, right| left.total_cmp(right));
    changes.get(changes.len() / 2).copied()
}

/// Half a unit of whole numbers.
const WHOLE: f64 = 0.5;

fn half_unit(decimals: u32) -> f64 {
    WHOLE / 10_u64.pow(decimals) as f64
}

/// Returns true if a number is what a formula gives. It has to be nearer to that than to the
/// expected number, from which it differs by `change`.
fn is_near(given: f64, number: f64, distance: f64, change: f64) -> bool {
    let off = (given - number).abs();
    let of_floats = (given.abs() + number.abs()) * FLOAT;
    off < change && off <= distance + of_floats.min(FLOAT_CHANGE * change)
}

/// Returns the expected number of the first case and the actual number of the second.
fn both(pairs: &Pairs<'_>, left: usize, right: usize) -> Option<(f64, f64)> {
    Some((finite(pairs.expected(left))?, finite(pairs.actual(right))?))
}

/// Creates a candidate for one case's expected number and another's actual number.
fn candidate<'a>(
    pairs: &'a Pairs<'a>,
    pattern: ChangePattern,
    holds: impl Fn(f64, f64) -> bool + 'a,
) -> PatternCandidate<'a> {
    PatternCandidate::from_values(pattern, |left, right| both(pairs, left, right), holds)
}

fn functions<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let of = |(name, function): NumberFunction| PatternCandidate {
        choices: FUNCTIONS.len(),
        ..PatternCandidate::new(
            ChangePattern::Equals(name.to_owned()),
            formula(pairs, ACTUAL_OF_EXPECTED, 0.0, function),
        )
    };
    FUNCTIONS.map(of).into()
}

/// A relation between a number and a whole one, with its words.
type RoundingMode = (&'static str, fn(f64, f64) -> bool);

const MODES: [RoundingMode; 4] = [
    ("rounded to", |x, whole| {
        // A half may go both ways.
        (x - whole).abs() <= WHOLE + x.abs() * f64::EPSILON
    }),
    ("cut to", |x, whole| x.trunc() == whole),
    ("rounded down to", |x, whole| x.floor() == whole),
    ("rounded up to", |x, whole| x.ceil() == whole),
];

/// Finds `expected, rounded to 2 decimals` and `expected, cut to 2 decimals`.
fn rounded<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let decimals_of = |value: &Value| value.as_number().map(decimals);
    let actual = pairs
        .sample
        .iter()
        .filter_map(|it| decimals_of(pairs.actual(*it)))
        .flatten();
    let Some(most) = most_frequent(actual.collect()) else {
        return Vec::new();
    };
    let is_finer =
        |value: &Value| decimals_of(value).is_some_and(|it| it.is_none_or(|it| it > most));
    let own = pairs.sample.iter();
    let are_finer = own.filter(|it| is_finer(pairs.expected(**it))).count();
    if 2 * are_finer < pairs.sample.len() {
        return Vec::new();
    }
    let places = match most {
        0 => "whole numbers".to_owned(),
        1 => "1 decimal".to_owned(),
        _ => format!("{most} decimals"),
    };
    let unit = 10_u64.pow(most) as f64;
    let of = |(words, is_rounded): RoundingMode| {
        let pattern = ChangePattern::Equals(format!("expected, {words} {places}"));
        PatternCandidate {
            choices: MODES.len(),
            ..candidate(pairs, pattern, move |x, y| {
                let whole = (y * unit).round();
                x != y && whole / unit == y && is_rounded(x * unit, whole)
            })
        }
    };
    MODES.map(of).into()
}

/// A number of each pair, and the resulting one.
struct NumberPoint {
    index: usize,
    x: f64,
    y: f64,
}

/// The number to explain: the actual number, or its error.
#[derive(Clone, Copy, PartialEq)]
enum NumberTarget {
    Actual,
    Error,
}

impl NumberTarget {
    fn evaluate(self, pairs: &Pairs<'_>, left: usize, right: usize) -> Option<f64> {
        match self {
            Self::Actual => finite(pairs.actual(right)),
            Self::Error => both(pairs, left, right).map(|(expected, actual)| actual - expected),
        }
    }
}

fn points(
    pairs: &Pairs<'_>,
    among: &[usize],
    quantity: &Quantity,
    target: NumberTarget,
) -> Vec<NumberPoint> {
    let point = |index: &usize| {
        Some(NumberPoint {
            index: *index,
            x: quantity.value(pairs, *index)?,
            y: target.evaluate(pairs, *index, *index)?,
        })
    };
    among.iter().filter_map(point).collect()
}

/// The actual number, as a function of the expected one.
const ACTUAL_OF_EXPECTED: (Quantity, NumberTarget) = (Quantity::Expected, NumberTarget::Actual);

fn expected_points(pairs: &Pairs<'_>) -> Vec<NumberPoint> {
    let (quantity, target) = ACTUAL_OF_EXPECTED;
    points(pairs, &pairs.sample, &quantity, target)
}

/// Returns true if most pairs may have a constant at all, and their numbers differ enough.
fn has_many(points: &[NumberPoint], pairs: &Pairs<'_>, distinct: usize) -> bool {
    let mut numbers: Vec<f64> = points.iter().map(|point| point.x).collect();
    sort::by(&mut numbers, |left, right| left.total_cmp(right));
    numbers.dedup();
    points.len() >= LEAST.max(pairs.sample.len().div_ceil(2)) && numbers.len() >= distinct
}

/// Returns the range that is common to as many of the ranges as possible, with their number.
fn in_most(mut ranges: Vec<(f64, f64)>) -> Option<(f64, f64, usize)> {
    ranges.retain(|(low, high)| low.is_finite() && high.is_finite() && low <= high);
    let mut lows: Vec<f64> = ranges.iter().map(|(low, _)| *low).collect();
    let mut highs: Vec<f64> = ranges.iter().map(|(_, high)| *high).collect();
    sort::by(&mut lows, |left, right| left.total_cmp(right));
    sort::by(&mut highs, |left, right| left.total_cmp(right));
    let (mut best, mut ended) = (None, 0);
    for (begun, low) in lows.iter().enumerate() {
        while highs[ended] < *low {
            ended += 1;
        }
        let count = begun + 1 - ended;
        if best.is_none_or(|(_, _, most)| count > most) {
            best = Some((*low, highs[ended], count));
        }
    }
    best
}

/// Finds the constants that most points may have, unless a few probed points show none.
fn fit(
    pairs: &Pairs<'_>,
    quantity: &Quantity,
    target: NumberTarget,
    distinct: usize,
    range: impl Fn(&NumberPoint) -> Option<(f64, f64)>,
) -> Option<(f64, f64)> {
    let some = points(pairs, &pairs.probe, quantity, target);
    let (_, _, count) = in_most(some.iter().filter_map(&range).collect())?;
    if (count as f64) < PROMISING * pairs.probe.len() as f64 {
        return None;
    }
    let points = points(pairs, &pairs.sample, quantity, target);
    if !has_many(&points, pairs, distinct) {
        return None;
    }
    let (low, high, _) = in_most(points.iter().filter_map(range).collect())?;
    Some((low, high))
}

/// Returns the shortest number from `low` to `high`, or a fraction, if the range is narrow compared
/// with the distance from `neutral`.
fn constant(low: f64, high: f64, neutral: f64) -> Option<f64> {
    let effect = (low / 2.0 + high / 2.0 - neutral).abs();
    (low <= high && high - low <= PRECISION * effect).then(|| {
        let shortest = between_floats(low, high.next_up());
        fraction::instead_of(shortest, low, high)
    })
}

/// Returns the range of the quotient of two rounded numbers.
fn quotients(x: f64, y: f64, of_x: f64, of_y: f64) -> Option<(f64, f64)> {
    let (of_x, of_y) = (of_x + x.abs() * FLOAT, of_y + y.abs() * FLOAT);
    if x.abs() <= of_x {
        // Any number is a multiple of one that may have been 0.
        return None;
    }
    let ends = [(y - of_y), (y + of_y)].map(|y| [y / (x - of_x), y / (x + of_x)]);
    let ends = ends.as_flattened();
    Some((
        ends.iter().copied().fold(f64::INFINITY, f64::min),
        ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    ))
}

/// Returns the range of the difference of two rounded numbers.
fn differences(point: &NumberPoint, distance: f64) -> (f64, f64) {
    let distance = distance + (point.x.abs() + point.y.abs()) * FLOAT;
    let difference = point.y - point.x;
    (difference - distance, difference + distance)
}

/// Returns the nats left open if a number may be off by this distance.
fn residual_uncertainty(distance: f64, rounding: Rounding) -> f64 {
    match rounding.actual {
        0.0 => 0.0,
        half_unit => ln(1.0 + distance / half_unit),
    }
}

/// Finds patterns such as `actual = 0.97 × expected`.
fn times<'a>(
    pairs: &'a Pairs<'a>,
    quantity: Quantity,
    rounding: Rounding,
) -> Option<PatternCandidate<'a>> {
    let is_expected = quantity == Quantity::Expected;
    let of_x = if is_expected { rounding.expected } else { 0.0 };
    let (low, high) = fit(pairs, &quantity, NumberTarget::Actual, 3, |point| {
        quotients(point.x, point.y, of_x, rounding.actual)
    })?;
    let factor = constant(low, high, if is_expected { 1.0 } else { 0.0 })?;
    if factor == 0.0 || !is_expected && factor == 1.0 {
        return None;
    }
    let distance = rounding.actual + factor.abs() * of_x;
    let pattern = ChangePattern::Times(factor, quantity.name(pairs.vectors));
    let what = (quantity, NumberTarget::Actual);
    let holds = formula(pairs, what, distance, move |x| factor * x);
    // Rounding doesn't turn a decrease into an increase.
    let is_possible = move |left, right| {
        let both = both(pairs, left, right).filter(|_| is_expected && factor > 0.0);
        both.is_none_or(|(x, y)| match factor < 1.0 {
            true => y.abs() <= x.abs(),
            false => y.abs() >= x.abs(),
        })
    };
    Some(PatternCandidate {
        fitted: 1,
        open: residual_uncertainty(distance, rounding),
        ..PatternCandidate::new(rounding.worded(pattern), move |left, right| {
            is_possible(left, right) && holds(left, right)
        })
    })
}

/// Finds patterns such as `actual = expected + 12`.
fn plus<'a>(
    pairs: &'a Pairs<'a>,
    quantity: Quantity,
    rounding: Rounding,
) -> Option<PatternCandidate<'a>> {
    let is_expected = quantity == Quantity::Expected;
    let distance = rounding.actual + if is_expected { rounding.expected } else { 0.0 };
    let (low, high) = fit(pairs, &quantity, NumberTarget::Actual, 2, |point| {
        Some(differences(point, distance))
    })?;
    let offset = constant(low, high, 0.0).filter(|offset| *offset != 0.0)?;
    let pattern = ChangePattern::Plus(quantity.name(pairs.vectors), offset);
    let what = (quantity, NumberTarget::Actual);
    Some(PatternCandidate {
        fitted: 1,
        open: residual_uncertainty(distance, rounding),
        ..PatternCandidate::new(
            rounding.worded(pattern),
            formula(pairs, what, distance, move |x| x + offset),
        )
    })
}

/// Tests if a function of the first case's quantity gives the second case's target.
fn formula<'a>(
    pairs: &'a Pairs<'a>,
    (quantity, target): (Quantity, NumberTarget),
    distance: f64,
    function: impl Fn(f64) -> f64 + 'a,
) -> impl Fn(usize, usize) -> bool + 'a {
    move |left, right| {
        let given = quantity.value(pairs, left).map(&function);
        let number = target.evaluate(pairs, left, right);
        let change = both(pairs, left, right).map_or(f64::INFINITY, |(x, y)| (y - x).abs());
        let both = given.zip(number);
        both.is_some_and(|(given, number)| is_near(given, number, distance, change))
    }
}

/// Finds patterns of a quantity: `actual = c`, `actual = 2 × c`, `actual = expected + c`.
fn of_features<'a>(
    pairs: &'a Pairs<'a>,
    quantity: &Quantity,
    roundings: &[Rounding],
    choices: usize,
) -> Vec<PatternCandidate<'a>> {
    // There are many pairs of features, so a few probed pairs decide.
    let most = roundings.iter().map(|it| it.actual).fold(0.0, f64::max);
    let is_same = |index: &usize| {
        let (x, y) = (quantity.value(pairs, *index), finite(pairs.actual(*index)));
        x.zip(y)
            .is_some_and(|(x, y)| is_near(x, y, most, f64::INFINITY))
    };
    if quantity.is_of_two() && !is_promising(pairs, is_same) {
        return Vec::new();
    }
    let name = || quantity.name(pairs.vectors);
    let of = |rounding: Rounding| {
        use NumberTarget::{Actual, Error};
        let patterns = [
            (ChangePattern::Equals(name()), Actual, 1.0),
            (ChangePattern::Times(-1.0, name()), Actual, -1.0),
            (ChangePattern::PlusTimes(1.0, name()), Error, 1.0),
            (ChangePattern::PlusTimes(-1.0, name()), Error, -1.0),
        ];
        let quantity = quantity.clone();
        patterns.map(move |(pattern, target, factor)| {
            multiple(pairs, (quantity.clone(), target), rounding, pattern, factor)
        })
    };
    let mut candidates: Vec<_> = roundings.iter().flat_map(|it| of(*it)).collect();
    if !quantity.is_of_two() {
        let of_error = |it: &Rounding| part_of_error(pairs, quantity, *it);
        candidates.extend(roundings.iter().filter_map(of_error));
        let exact = Rounding::default();
        candidates.extend(times(pairs, quantity.clone(), exact));
        candidates.extend(plus(pairs, quantity.clone(), exact));
    }
    candidates.retain(|candidate| is_promising(pairs, |index| (candidate.holds)(*index, *index)));
    for candidate in &mut candidates {
        candidate.choices = 4 * choices;
    }
    candidates
}

/// Finds patterns such as `actual = expected + 0.5 × c`.
fn part_of_error<'a>(
    pairs: &'a Pairs<'a>,
    quantity: &Quantity,
    rounding: Rounding,
) -> Option<PatternCandidate<'a>> {
    let of_error = rounding.actual + rounding.expected;
    let (low, high) = fit(pairs, quantity, NumberTarget::Error, 3, |point| {
        quotients(point.x, point.y, 0.0, of_error)
    })?;
    let factor = constant(low, high, 0.0).filter(|it| it.abs() != 1.0 && *it != 0.0)?;
    let pattern = ChangePattern::PlusTimes(factor, quantity.name(pairs.vectors));
    let what = (quantity.clone(), NumberTarget::Error);
    Some(PatternCandidate {
        fitted: 1,
        ..multiple(pairs, what, rounding, pattern, factor)
    })
}

/// Returns true if it holds for enough of the probed pairs.
fn is_promising(pairs: &Pairs<'_>, holds: impl Fn(&usize) -> bool) -> bool {
    let held = pairs.probe.iter().filter(|index| holds(index)).count();
    held as f64 >= PROMISING * pairs.probe.len() as f64
}

/// Creates a candidate for a target that is a quantity times a factor.
fn multiple<'a>(
    pairs: &'a Pairs<'a>,
    what: (Quantity, NumberTarget),
    rounding: Rounding,
    pattern: ChangePattern,
    factor: f64,
) -> PatternCandidate<'a> {
    let distance = match what.1 {
        NumberTarget::Actual => rounding.actual,
        NumberTarget::Error => rounding.actual + rounding.expected,
    };
    PatternCandidate {
        open: residual_uncertainty(distance, rounding),
        ..PatternCandidate::new(
            rounding.worded(pattern),
            formula(pairs, what, distance, move |x| factor * x),
        )
    }
}

/// Finds patterns such as `actual = 0.943 × expected + 1.08`.
fn affine<'a>(pairs: &'a Pairs<'a>, rounding: Rounding) -> Option<PatternCandidate<'a>> {
    let mut points = expected_points(pairs);
    if !has_many(&points, pairs, 4) {
        return None;
    }
    sort::by(&mut points, |left, right| left.x.total_cmp(&right.x));
    let distance = rounding.actual + rounding.expected;
    let (first, second) = points.split_at(points.len() / 2);
    let slopes = first.iter().zip(second).filter_map(|(left, right)| {
        let (x, y) = (right.x - left.x, right.y - left.y);
        let noise = (right.y.abs() + left.y.abs()) * FLOAT;
        quotients(x, y, 2.0 * rounding.expected, 2.0 * rounding.actual + noise)
    });
    let (low, high, _) = in_most(slopes.collect())?;
    let factor = constant(low, high, 1.0).filter(|factor| *factor != 0.0)?;
    let distance = distance * factor.abs().max(1.0);
    let range = |point: &NumberPoint| {
        let offset = point.y - factor * point.x;
        // The factor isn't known more precisely.
        let distance =
            distance + (point.x.abs() + point.y.abs()) * FLOAT + point.x.abs() * (high - low);
        (offset - distance, offset + distance)
    };
    let (low, high, _) = in_most(points.iter().map(range).collect())?;
    let offset = constant(low, high, 0.0).filter(|offset| *offset != 0.0)?;
    // A line goes through any two points.
    let mut held = points.iter().filter(|point| {
        let (low, high) = range(point);
        (low..=high).contains(&offset)
    });
    let first = held.next()?.x;
    let other = held.find(|it| it.x != first)?.x;
    held.find(|it| it.x != first && it.x != other)?;
    Some(PatternCandidate {
        fitted: 2,
        open: residual_uncertainty(distance, rounding),
        ..PatternCandidate::new(
            rounding.worded(ChangePattern::Affine(factor, offset)),
            formula(pairs, ACTUAL_OF_EXPECTED, distance, move |x| {
                factor * x + offset
            }),
        )
    })
}

/// The maximum number of values of a category.
const CATEGORIES: usize = 12;

/// Finds patterns such as `actual = 1.1 × expected where coupon = "A", 1.2 × where "B"`.
fn by_category<'a>(pairs: &'a Pairs<'a>, rounding: Rounding) -> Vec<PatternCandidate<'a>> {
    let points = expected_points(pairs);
    let features = 0..pairs.vectors.width();
    let with_values =
        features.filter_map(|feature| Some((feature, categories(pairs, &points, feature)?)));
    let constants = with_values.flat_map(|(feature, values)| {
        [false, true].map(|is_offset| {
            constants_of_categories(pairs, &points, rounding, feature, &values, is_offset)
        })
    });
    constants.flatten().collect()
}

/// Returns the values of a feature, if there are few. Leaves out those whose constant would only
/// restate an output: of few cases, or with the same expected number in all.
fn categories(pairs: &Pairs<'_>, points: &[NumberPoint], feature: usize) -> Option<Vec<Value>> {
    let mut values: Vec<(Value, Vec<f64>)> = Vec::new();
    for point in points {
        let (value, known) = (category(pairs, feature, point.index), values.len());
        match values.iter_mut().find(|(other, _)| *other == value) {
            Some((_, numbers)) => numbers.push(point.x),
            None if known == CATEGORIES => return None,
            None => values.push((value, vec![point.x])),
        }
    }
    values.retain(|(_, numbers)| {
        numbers.len() >= LEAST && numbers.iter().any(|number| *number != numbers[0])
    });
    sort::by(&mut values, |(left, _), (right, _)| left.cmp(right));
    (values.len() >= 2).then(|| values.into_iter().map(|(value, _)| value).collect())
}

fn category(pairs: &Pairs<'_>, feature: usize, index: usize) -> Value {
    super::features::value(pairs.vectors, feature, pairs.pairs[index].row)
}

/// Finds a factor or an offset for each value of a feature.
fn constants_of_categories<'a>(
    pairs: &'a Pairs<'a>,
    points: &[NumberPoint],
    rounding: Rounding,
    feature: usize,
    values: &[Value],
    is_offset: bool,
) -> Option<PatternCandidate<'a>> {
    let distance = rounding.actual + rounding.expected;
    let range = |point: &NumberPoint| match is_offset {
        false => quotients(point.x, point.y, rounding.expected, rounding.actual),
        true => Some(differences(point, distance)),
    };
    let ranges = |point: &NumberPoint| Some((category(pairs, feature, point.index), range(point)?));
    let known: Vec<_> = points.iter().filter_map(ranges).collect();
    let neutral = if is_offset { 0.0 } else { 1.0 };
    let mut numbers: Vec<(Value, f64)> = Vec::new();
    for value in values {
        let alike = known.iter().filter(|(other, _)| other == value);
        let (low, high, _) = in_most(alike.map(|(_, range)| *range).collect())?;
        numbers.push((value.clone(), constant(low, high, neutral)?));
    }
    let first = numbers.first()?.1;
    let is_one = numbers.iter().all(|(_, constant)| *constant == first);
    let by_row = points.chunk_by(|left, right| row(pairs, left) == row(pairs, right));
    let of_rows: Vec<_> = by_row.filter_map(|it| ranges(it.first()?)).collect();
    let is_cause = !is_one && is_cause(&of_rows, values, pairs.vectors.width());
    is_cause.then(|| of_categories(pairs, rounding, feature, numbers, is_offset))
}

/// Creates the candidate for a constant for each value of a feature.
fn of_categories<'a>(
    pairs: &'a Pairs<'a>,
    rounding: Rounding,
    feature: usize,
    numbers: Vec<(Value, f64)>,
    is_offset: bool,
) -> PatternCandidate<'a> {
    let distance = rounding.actual + rounding.expected;
    let fitted = numbers.len();
    let pattern = ChangePattern::ByCategory {
        is_offset,
        feature: pairs.vectors.name(feature).to_owned(),
        numbers: numbers.clone(),
    };
    let holds = move |left, right| {
        let value = category(pairs, feature, left);
        let constant = numbers.iter().find(|(other, _)| *other == value);
        let both = constant.zip(both(pairs, left, right));
        both.is_some_and(|((_, constant), (x, y))| {
            let (given, distance) = match is_offset {
                true => (x + constant, distance),
                false => (x * constant, distance * constant.abs().max(1.0)),
            };
            is_near(given, y, distance, (y - x).abs())
        })
    };
    PatternCandidate {
        fitted,
        choices: 2 * pairs.vectors.width(),
        open: residual_uncertainty(distance, rounding),
        ..PatternCandidate::new(rounding.worded(pattern), holds)
    }
}

fn row(pairs: &Pairs<'_>, point: &NumberPoint) -> usize {
    pairs.pairs[point.index].row
}

/// Returns true if constants for each value of a feature fit more rows than with its values moved
/// to other rows, by more than chance.
fn is_cause(rows: &[(Value, (f64, f64))], values: &[Value], features: usize) -> bool {
    let size = rows.len();
    let fitting = |shift: usize| -> usize {
        let of_value = |value: &Value| {
            let moved = rows.iter().cycle().skip(shift).zip(rows);
            let alike = moved.filter(|((other, _), _)| other == value);
            in_most(alike.map(|(_, (_, range))| *range).collect()).map_or(0, |(.., count)| count)
        };
        values.iter().map(of_value).sum()
    };
    let moved: usize = shifts(size).map(fitting).sum();
    let chance = moved as f64 / (shifts(size).count() * size) as f64;
    let held = fitting(0);
    let evidence = held as f64 * -ln(chance) - ln_choose(size, held);
    evidence - ln(2.0 * features as f64) > NEEDED
}
