//! Plots of outputs: errors, expected against actual numbers, and arrays.

use std::cmp::Reverse;

use maud::{Markup, html};
use tdg_definition::json::{self, Pointer, Value};
use tdg_definition::sort;
use tdg_engine::compare::DifferingCase;
use tdg_engine::report::amount;

use super::cases::field;
use super::chart::{axis, bins, short};
use crate::record::{ComparedChange, PendingChange};
use crate::summary::{Numbers, Scale};

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 180.0;
/// The most fields with a plot.
const FIELDS: usize = 4;
/// The most points of a plot.
const POINTS: usize = 400;
/// The most arrays with a plot.
const ARRAYS: usize = 3;
/// Shorter arrays are read more easily than plotted.
const SHORTEST: usize = 8;

/// For each numeric field that changed: the errors, and expected against actual numbers.
pub(super) fn of_values(compared: &ComparedChange) -> Markup {
    let mut fields: Vec<(String, Vec<Pair>)> = Vec::new();
    for DifferingCase {
        case, comparison, ..
    } in &compared.differing
    {
        for difference in &comparison.differences {
            let number = |value: &Option<Value>| {
                let number = value.as_ref().and_then(Value::as_f64);
                number.filter(|number| number.is_finite())
            };
            let (Some(expected), Some(actual)) =
                (number(&difference.expected), number(&difference.actual))
            else {
                continue;
            };
            let pair = Pair {
                case: *case,
                expected,
                actual,
            };
            let name = field(&difference.pointer);
            match fields.iter_mut().find(|(known, _)| *known == name) {
                Some((_, pairs)) => pairs.push(pair),
                None => fields.push((name, vec![pair])),
            }
        }
    }
    fields.retain(|(_, pairs)| pairs.len() > 1);
    fields.sort_by_key(|(_, pairs)| Reverse(pairs.len()));
    fields.truncate(FIELDS);
    html! {
        @if !fields.is_empty() {
            h3 { "Expected and actual" }
            div.features {
                @for (name, pairs) in &fields {
                    figure {
                        figcaption { b { (name) } span.faint { "actual over expected" } }
                        (scatter(pairs))
                    }
                    (errors(name, pairs))
                }
            }
        }
    }
}

struct Pair {
    case: usize,
    expected: f64,
    actual: f64,
}

/// A point for each pair; those on the line are equal.
fn scatter(pairs: &[Pair]) -> Markup {
    let all = || pairs.iter().flat_map(|pair| [pair.expected, pair.actual]);
    let scale = Span::of(all());
    let x = |value: f64| short(4.0 + (WIDTH - 8.0) * scale.share(value));
    let y = |value: f64| short(HEIGHT - 4.0 - (HEIGHT - 8.0) * scale.share(value));
    let step = pairs.len().div_ceil(POINTS);
    html! {
        svg.plot viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label="actual over expected" {
            line.grid x1=(x(scale.least)) y1=(y(scale.least)) x2=(x(scale.most)) y2=(y(scale.most)) {}
            @for pair in pairs.iter().step_by(step) {
                circle cx=(x(pair.expected)) cy=(y(pair.actual)) r="2.5" {
                    title { "case " (pair.case) ": " (pair.expected) " → " (pair.actual) }
                }
            }
        }
        (axis(&scale.ends()))
    }
}

/// The distribution of relative errors, if they are not all equal.
fn errors(name: &str, pairs: &[Pair]) -> Markup {
    let errors: Vec<f64> = pairs
        .iter()
        .map(|pair| 100.0 * (pair.actual - pair.expected) / pair.expected.abs())
        .filter(|error| error.is_finite())
        .collect();
    let numbers = Numbers::of(&errors, Scale::Number);
    html! {
        @if let Some(numbers) = numbers.filter(|it| errors.len() > 1 && !it.histogram.is_of_one()) {
            figure.errors {
                figcaption { b { (name) } span.faint { "relative errors" } }
                (bins(&numbers.bars(), "changed"))
                (axis(&numbers.ends().map(|end| format!("{end} %"))))
            }
        }
    }
}

/// The arrays of numbers that changed in the worst cases, over their index.
pub(super) fn of_arrays(compared: &ComparedChange, change: &PendingChange) -> Markup {
    let mut plots = Vec::new();
    let mut differing: Vec<&DifferingCase> = compared.differing.iter().collect();
    sort::by_key(&mut differing, |it| Reverse(it.comparison.severity()));
    for DifferingCase {
        case, comparison, ..
    } in differing
    {
        let mut places: Vec<Pointer> = Vec::new();
        for difference in &comparison.differences {
            let place = array_of(&difference.pointer);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let expected = change
            .benchmark
            .as_ref()
            .and_then(|it| it.output(*case).ok());
        let actual = json::parse(compared.actual.get(*case)).ok();
        let (Some(expected), Some(actual)) = (expected, actual) else {
            continue;
        };
        for place in places {
            let [expected, actual] = [&expected, &actual].map(|it| numbers_at(&place, it));
            if let (Some(expected), Some(actual)) = (expected, actual) {
                plots.push((*case, place, expected, actual));
            }
        }
        if plots.len() >= ARRAYS {
            break;
        }
    }
    plots.truncate(ARRAYS);
    html! {
        @if !plots.is_empty() {
            h3 { "Arrays" }
            p.legend {
                span.swatch.expected {} "expected" span.swatch.changed {} "actual"
            }
            div.arrays {
                @for (case, place, expected, actual) in &plots {
                    figure {
                        figcaption {
                            b { "case " (case) }
                            @if !place.is_root() { span.faint { (place) } }
                        }
                        (lines(expected, actual))
                    }
                }
            }
        }
    }
}

/// The array that a difference is in, or that it is.
fn array_of(pointer: &Pointer) -> Pointer {
    let mut place = pointer.clone();
    let is_index = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    if pointer.segments().next_back().is_some_and(is_index) {
        place.pop();
    }
    place
}

fn numbers_at(place: &Pointer, value: &Value) -> Option<Vec<f64>> {
    let elements = place.find_in(value)?.as_array()?;
    let numbers: Option<Vec<f64>> = elements.iter().map(Value::as_f64).collect();
    numbers.filter(|it| it.len() >= SHORTEST && it.iter().all(|number| number.is_finite()))
}

fn lines(expected: &[f64], actual: &[f64]) -> Markup {
    const WIDE: f64 = 600.0;
    let scale = Span::of(expected.iter().chain(actual).copied());
    let last = expected.len().max(actual.len()) - 1;
    let points = |numbers: &[f64]| {
        let points = thinned(numbers).into_iter().map(|(index, number)| {
            let x = WIDE * index as f64 / last as f64;
            let y = HEIGHT - 4.0 - (HEIGHT - 8.0) * scale.share(number);
            format!("{},{}", short(x), short(y))
        });
        points.collect::<Vec<_>>().join(" ")
    };
    let [least, most] = scale.ends();
    html! {
        div.framed {
            div.scale { span { (most) } span { (least) } }
            svg viewBox=(format!("0 0 {WIDE} {HEIGHT}")) preserveAspectRatio="none" role="img"
                aria-label="expected and actual elements by index" {
                polyline.expected points=(points(expected)) {}
                polyline.actual points=(points(actual)) {}
            }
            (axis(&["0".to_owned(), format!("index {last}")]))
        }
    }
}

/// The numbers with their indices; of many, the smallest and the largest of each stretch.
fn thinned(numbers: &[f64]) -> Vec<(usize, f64)> {
    let indexed: Vec<(usize, f64)> = numbers.iter().copied().enumerate().collect();
    if numbers.len() <= 2 * POINTS {
        return indexed;
    }
    let ends = |stretch: &[(usize, f64)]| {
        let by = |one: &&(usize, f64), other: &&(usize, f64)| one.1.total_cmp(&other.1);
        let mut ends: Vec<(usize, f64)> = stretch.iter().min_by(by).copied().into_iter().collect();
        ends.extend(stretch.iter().max_by(by));
        ends.sort_by_key(|(index, _)| *index);
        ends
    };
    let stretches = indexed.chunks(numbers.len().div_ceil(POINTS));
    stretches.flat_map(ends).collect()
}

/// The range of an axis.
struct Span {
    least: f64,
    most: f64,
}

impl Span {
    fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers {
            least = least.min(number);
            most = most.max(number);
        }
        Self { least, most }
    }

    /// The place of a number from 0 to 1. Halved, because the range of all floats overflows.
    fn share(&self, number: f64) -> f64 {
        let range = self.most / 2.0 - self.least / 2.0;
        match range > 0.0 {
            true => (number / 2.0 - self.least / 2.0) / range,
            false => 0.5,
        }
    }

    fn ends(&self) -> [String; 2] {
        [amount(self.least), amount(self.most)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spike_is_not_lost_among_many_numbers() {
        let mut numbers = vec![1.0; 100_000];
        numbers[77_777] = 9.0;
        let thinned = thinned(&numbers);
        assert!(thinned.len() <= 2 * POINTS);
        assert!(thinned.contains(&(77_777, 9.0)));
    }

    #[test]
    fn the_widest_floats_have_a_place() {
        let span = Span::of([f64::MIN, 0.0, f64::MAX].into_iter());
        assert_eq!(
            [f64::MIN, 0.0, f64::MAX].map(|it| span.share(it)),
            [0.0, 0.5, 1.0]
        );
        assert_eq!(Span::of([3.0].into_iter()).share(3.0), 0.5);
    }
}
