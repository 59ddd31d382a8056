//! Plots of outputs: the difference of numbers, and arrays.

use std::cmp::Reverse;

use maud::{Markup, html};
use tdg_definition::json::{Pointer, Value};
use tdg_definition::sort;
use tdg_engine::compare::DifferingCase;

use super::cases::field;
use super::chart::{AxisRange, Guide, PlottedPoint, lines, points};
use crate::ComparedRows;

/// The maximum number of fields with a plot.
const FIELDS: usize = 2;
/// The maximum number of arrays with a plot.
const ARRAYS: usize = 3;
/// The minimum length of a plotted array. Shorter ones are easier to read than to plot.
const SHORTEST: usize = 8;
/// The share of the range below which differences are hard to see in a plot of both numbers.
const SEEN: f64 = 0.25;

/// Plots the numeric fields that changed in most of these cases, as figures.
pub(super) fn of_numbers(differing: &[&DifferingCase]) -> Vec<Markup> {
    let mut fields: Vec<(String, Vec<PlottedCase>)> = Vec::new();
    for DifferingCase {
        case, comparison, ..
    } in differing
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
            let pair = PlottedCase {
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
    fields
        .iter()
        .map(|(name, pairs)| plot(name, pairs))
        .collect()
}

struct PlottedCase {
    case: usize,
    expected: f64,
    actual: f64,
}

/// Plots actual over expected numbers, or their difference if the points would form a line.
fn plot(name: &str, pairs: &[PlottedCase]) -> Markup {
    let all = AxisRange::from_numbers(pairs.iter().flat_map(|pair| [pair.expected, pair.actual]));
    let differences = pairs.iter().map(|pair| (pair.actual - pair.expected).abs());
    let largest = differences.fold(0.0, f64::max);
    let is_line = largest.is_finite() && largest <= SEEN * (all.most - all.least);
    let (guide, label) = match is_line {
        true => (Guide::Zero, "actual − expected, over expected"),
        false => (Guide::Equal, "actual over expected"),
    };
    let point = |pair: &PlottedCase| PlottedPoint {
        x: pair.expected,
        y: pair.actual - if is_line { pair.expected } else { 0.0 },
        is_changed: true,
        tip: format!("case {}: {} → {}", pair.case, pair.expected, pair.actual),
    };
    let all: Vec<PlottedPoint> = pairs.iter().map(point).collect();
    html! {
        figure {
            figcaption { b { (name) } span.faint { (label) } }
            (points(&all, guide, &format!("{name}: {label}")))
        }
    }
}

/// Plots the arrays of numbers that changed in the worst cases, by index.
pub fn of_arrays(compared: &ComparedRows) -> Markup {
    let mut differing: Vec<&DifferingCase> = compared.differing.iter().collect();
    sort::by_key(&mut differing, |it| Reverse(it.comparison.severity()));
    let plots = differing.into_iter().flat_map(plotted_arrays);
    let plots: Vec<_> = plots.take(ARRAYS).collect();
    html! {
        @if !plots.is_empty() {
            h3 { "Arrays" }
            p.legend {
                span.swatch.expected {} "expected" span.swatch.changed {} "actual"
            }
            div.arrays {
                @for PlottedArray { case, place, expected, actual } in &plots {
                    figure {
                        figcaption {
                            b { "case " (case) }
                            @if !place.is_root() { span.faint { (place) } }
                        }
                        (array(expected, actual))
                    }
                }
            }
        }
    }
}

fn array(expected: &[f64], actual: &[f64]) -> Markup {
    let last = expected.len().max(actual.len()).saturating_sub(1);
    let both = [("expected", expected), ("actual", actual)];
    let ends = ["0".to_owned(), format!("index {last}")];
    lines("expected and actual elements by index", &both, &ends)
}

struct PlottedArray {
    case: usize,
    place: Pointer,
    expected: Vec<f64>,
    actual: Vec<f64>,
}

/// Returns the changed arrays of a case.
fn plotted_arrays(differing: &DifferingCase) -> Vec<PlottedArray> {
    let mut places: Vec<Pointer> = Vec::new();
    for difference in &differing.comparison.differences {
        let place = array_of(&difference.pointer);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let plotted = places.into_iter().filter_map(|place| {
        Some(PlottedArray {
            case: differing.case,
            expected: numbers_at(&place, &differing.expected)?,
            actual: numbers_at(&place, &differing.actual)?,
            place,
        })
    });
    plotted.collect()
}

/// Returns the array that a difference is in, or the array that differs.
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

#[cfg(test)]
mod tests {
    use tdg_definition::Policy;
    use tdg_tests::page::seen;

    use super::*;

    #[test]
    fn the_difference_is_plotted_where_it_would_not_be_seen_otherwise() {
        let plotted = |factor: f64, add: f64| {
            let differing = |case: usize| {
                let expected = 1000.0 * case as f64;
                let outputs = [expected, expected * factor + add].map(Value::from);
                let [expected, actual] = outputs;
                DifferingCase::compared(&Policy::default(), case, expected, actual)
            };
            let all = (0..20).map(differing);
            let differing: Vec<_> = all.filter(|it| !it.comparison.is_same()).collect();
            let plots = of_numbers(&differing.iter().collect::<Vec<_>>());
            let words = seen(&plots[0].0);
            words.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let difference = "output actual − expected, over expected";
        assert_eq!(plotted(1.0, 1.0), format!("{difference} 1 0 0 19000"));
        assert_eq!(plotted(1.1, 0.0), format!("{difference} 1900 0 1000 19000"));
        assert_eq!(
            plotted(-1.0, 0.0),
            "output actual over expected 19000 −19000 −19000 19000"
        );
    }
}
