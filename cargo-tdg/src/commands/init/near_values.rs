//! Values of parameters that their function compares with each other.

use std::collections::BTreeSet;

use tdg_definition::calendar::{write_date, write_datetime};

use super::drawn_input::{DrawnInput, last_word};
use crate::plan::bounds;
use crate::sources::{CodeConstants, ComparedPair, FunctionConstants};

/// The maximum number of values at distances from another one.
const MOST: usize = 9;
/// 2024-02-28, the middle of dates.
const DAY: i64 = 19_781;
const SECONDS_A_DAY: i64 = 86_400;

/// Returns values for inputs that the function compares with each other: a common one, and
/// others at the distances of the code. Also returns these distances.
pub(super) fn near_each_other(
    constants: &FunctionConstants<'_>,
    function: usize,
    drawn: &[DrawnInput],
) -> Vec<(Vec<String>, CodeConstants)> {
    let mut near = vec![(Vec::new(), CodeConstants::default()); drawn.len()];
    let mut firsts: Vec<usize> = Vec::new();
    for (at, input) in drawn.iter().enumerate() {
        let Some(scale) = DistanceScale::of(input) else {
            continue;
        };
        let pair = firsts.iter().find_map(|first| {
            let other = &drawn[*first];
            let is_alike = DistanceScale::of(other) == Some(scale);
            let names = [other.plain(), input.plain()];
            let pair = is_alike.then(|| constants.compared_pair(function, names));
            Some((*first, pair??))
        });
        let Some((first, pair)) = pair else {
            firsts.push(at);
            continue;
        };
        near[first].0 = scale.values(&ComparedPair::default());
        near[first].0.truncate(1);
        near[first].1.extend(pair.constants.clone());
        near[at] = (scale.values(&pair), pair.constants);
        near[at].0.truncate(MOST);
    }
    near
}

/// The values among which there are distances.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DistanceScale {
    /// Whole numbers within these bounds.
    Integers(i128, i128),
    Floats,
    Days,
    Seconds,
}

impl DistanceScale {
    /// Returns the scale of values that are drawn from all of their type, or from a range.
    fn of(input: &DrawnInput) -> Option<Self> {
        let items = input.items.as_str();
        let most = items.strip_prefix("uniform(0..=");
        let most = most.and_then(|it| it.split(')').next()?.parse().ok());
        if items.starts_with("type = DATETIME, any") {
            return Some(Self::Seconds);
        }
        if items.starts_with("type = DATE, any") {
            return Some(Self::Days);
        }
        let is_of_type =
            items == "any" || ["any(", "mixture("].iter().any(|it| items.starts_with(it));
        let is_list = input.kind.contains(['[', '(']) || input.kind.contains("Vec");
        if is_list || most.is_none() && !is_of_type {
            return None;
        }
        match last_word(&input.kind)? {
            "f32" | "f64" if most.is_none() => Some(Self::Floats),
            name => {
                let [least, limit] = bounds(name)?;
                Some(match most {
                    Some(most) => Self::Integers(0, most),
                    None => Self::Integers(least, limit.min(i64::MAX.into())),
                })
            }
        }
    }

    /// Returns a value, and others at these distances from it.
    fn values(self, pair: &ComparedPair) -> Vec<String> {
        let mut values: Vec<String> = match self {
            Self::Integers(least, most) => {
                let middle = 100.min(most / 2);
                let near = pair.integers().into_iter().map(|it| middle + it);
                let near = near.filter(|it| (least..=most).contains(it));
                near.map(|it| it.to_string()).collect()
            }
            Self::Floats => {
                let near = pair.floats().into_iter().map(|it| 100.0 + it);
                near.map(|it| format!("{it:?}")).collect()
            }
            Self::Days => {
                let near = pair
                    .times(SECONDS_A_DAY)
                    .into_iter()
                    .map(|it| DAY + it as i64);
                near.map(|it| written(|text| write_date(text, it)))
                    .collect()
            }
            Self::Seconds => {
                let near = pair.times(1).into_iter();
                let near = near.map(|it| DAY * SECONDS_A_DAY + it as i64);
                near.map(|it| written(|text| write_datetime(text, it)))
                    .collect()
            }
        };
        let mut known = BTreeSet::new();
        values.retain(|it| known.insert(it.clone()));
        values
    }
}

fn written(write: impl FnOnce(&mut String)) -> String {
    let mut text = String::new();
    write(&mut text);
    format!("{text:?}")
}
