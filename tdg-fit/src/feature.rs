//! Fits the feature for a column.

use tdg_definition::limits::SIZES;
use tdg_definition::math::ln;
use tdg_definition::{Cells, Column, Definition, FeatureType, calendar, is_uuid};

use crate::candidate::{Candidate, ranked};
use crate::categories::{categorical, distinct};
use crate::document::Json;
use crate::error::FitError;
use crate::infer::TypedColumn;
use crate::numbers::{null_share, numbers, strings};
use crate::pattern::pattern;
use crate::sample::Sample;
use crate::times::TimesOfDay;
use crate::{continuous, counts};

/// A feature of the definition.
#[derive(Debug)]
pub(crate) struct FittedFeature {
    pub(crate) name: String,
    pub(crate) feature_type: FeatureType,
    decimals: Option<u32>,
    null_probability: f64,
    pub(crate) is_unique: bool,
    /// True if its distribution can be correlated.
    pub(crate) can_correlate: bool,
    pub(crate) distribution: Candidate,
}

impl FittedFeature {
    /// Fits the best valid feature for a column. If it is correlated, prefers one that can be.
    ///
    /// # Errors
    /// If no distribution can draw such values.
    pub(crate) fn fit(typed: &TypedColumn, is_correlated: bool) -> Result<Self, FitError> {
        let mut features = Self::all(typed, true);
        for feature in &mut features {
            feature.is_unique = !is_correlated && is_unique(typed, &feature.distribution);
        }
        features.retain(Self::is_valid);
        for feature in &mut features {
            feature.can_correlate = feature.is_valid_beside_another();
        }
        let best = match features.iter().position(|it| it.can_correlate) {
            Some(position) if is_correlated => position,
            _ => 0,
        };
        features
            .into_iter()
            .nth(best)
            .ok_or_else(|| no_distribution(typed))
    }

    /// Fits the best valid feature for the elements or members of a nested column, or for their
    /// lengths. They have no order of rows.
    ///
    /// # Errors
    /// If no distribution can draw such values.
    pub(crate) fn of_element(
        typed: &TypedColumn,
        is_valid: impl Fn(&Self) -> bool,
    ) -> Result<Self, FitError> {
        let mut features = Self::all(typed, false).into_iter();
        features
            .find(is_valid)
            .ok_or_else(|| no_distribution(typed))
    }

    /// Returns a feature per candidate, best first.
    fn all(typed: &TypedColumn, has_order: bool) -> Vec<Self> {
        let feature = |distribution: Candidate| Self {
            name: typed.name.clone(),
            feature_type: typed.feature_type,
            decimals: typed.decimals,
            null_probability: (null_share(&typed.column) * 1e6).round() / 1e6,
            is_unique: false,
            can_correlate: false,
            distribution,
        };
        candidates(typed, has_order)
            .into_iter()
            .map(feature)
            .collect()
    }

    fn is_valid(&self) -> bool {
        Definition::parse(&definition(vec![self.json()]).inline()).is_ok()
    }

    /// Returns true if the feature's distribution can be correlated.
    fn is_valid_beside_another(&self) -> bool {
        let first = self.json().inline();
        let name = Json::string(&self.name).inline();
        let other = if self.name == "x" { "y" } else { "x" };
        let text = format!(
            r#"{{"features": [{first}, {{"feature_name": "{other}", "type": "FLOAT", "distribution":
            {{"type": "uniform", "min": 0, "max": 1}}}}],
            "correlations": [{{"features": [{name}, "{other}"], "correlation": 0.5}}]}}"#
        );
        Definition::parse(&text).is_ok()
    }

    /// Returns the feature as written in the definition.
    pub(crate) fn json(&self) -> Json {
        let mut members = self.members();
        members.insert(0, ("feature_name", Json::string(&self.name)));
        Json::Object(members)
    }

    /// Returns all members except the name.
    pub(crate) fn members(&self) -> Vec<(&'static str, Json)> {
        let mut members = vec![("type", Json::string(self.feature_type.name()))];
        if self.null_probability > 0.0 {
            members.push(("null_probability", Json::number(self.null_probability)));
        }
        if let Some(decimals) = self.decimals.filter(|_| self.is_drawn()) {
            members.push(("decimals", Json::integer(decimals.into())));
        }
        if self.is_unique {
            members.push(("unique", Json::boolean(true)));
        }
        members.push(("distribution", self.distribution.json()));
        members
    }

    /// Returns the distribution and its parameters on one line.
    pub(crate) fn summary(&self) -> String {
        let distribution = &self.distribution;
        let parameters = match (distribution.name, distribution.parameters.as_slice()) {
            ("categorical" | "mixture", [(_, Json::Array(elements))]) => {
                format!("of {}", elements.len())
            }
            (_, parameters) => {
                let parameter = |(key, value): &(&str, Json)| format!("{key} {}", value.inline());
                parameters
                    .iter()
                    .map(parameter)
                    .collect::<Vec<_>>()
                    .join(", ")
            }
        };
        let unique = if self.is_unique { ", unique" } else { "" };
        let summary = format!("{} {parameters}{unique}", distribution.name);
        summary.trim_end().to_owned()
    }

    /// Returns true if the distribution lists its values individually.
    pub(crate) fn has_categories(&self) -> bool {
        matches!(
            self.distribution.name,
            "categorical" | "constant" | "bernoulli"
        )
    }

    /// Returns true if values are drawn from a range instead of a list.
    fn is_drawn(&self) -> bool {
        !matches!(self.distribution.name, "constant" | "categorical")
    }
}

fn no_distribution(typed: &TypedColumn) -> FitError {
    FitError::new(format!(
        "column {:?} has values that no distribution can draw: numbers that are too large, \
         or strings that are too long; leave the column out",
        typed.name
    ))
}

/// Returns a definition with these features.
pub(crate) fn definition(features: Vec<Json>) -> Json {
    Json::Object(vec![("features", Json::Array(features))])
}

/// Returns the candidate distributions, best first. `has_order`: the rows have one.
fn candidates(typed: &TypedColumn, has_order: bool) -> Vec<Candidate> {
    let column = &typed.column;
    if let Some(strings) = strings(column) {
        let regex = typed.times.map(TimesOfDay::regex);
        return of_strings(&strings, regex);
    }
    if let Cells::Boolean(values) = column.cells() {
        return of_booleans(values, column);
    }
    let present = numbers(column).unwrap_or_default();
    let present: Vec<f64> = present.into_iter().filter(|it| !it.is_nan()).collect();
    let integers = integers(column);
    let is_same = present.windows(2).all(|pair| pair[0] == pair[1])
        && integers.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let mut rows = (0..column.cells().len()).filter(|&row| !column.is_null(row));
    if let (Some(first), true) = (rows.next(), is_same) {
        return vec![constant(cell(column, first))];
    }
    match typed.feature_type {
        FeatureType::Date | FeatureType::DateTime => vec![range(typed.feature_type, &present)],
        FeatureType::Integer => match sequence(&integers).filter(|_| has_order) {
            Some(sequence) => vec![sequence],
            None if integers.iter().any(|(_, value)| value.abs() > EXACT) => {
                of_wide_integers(&integers)
            }
            None => of_numbers(&present, Some(1.0), counts::candidates, |value| {
                Json::integer(value as i64)
            }),
        },
        _ => {
            let step = typed
                .decimals
                .map(|digits| format!("1e-{digits}").parse().unwrap_or(1.0));
            of_numbers(&present, step, continuous::candidates, Json::number)
        }
    }
}

/// The largest integer up to which every integer is also a float.
const EXACT: i128 = 1 << 53;

/// Integers past `EXACT` are identifiers or hashes, so only their range is fitted.
fn of_wide_integers(integers: &[(usize, i128)]) -> Vec<Candidate> {
    let values = || integers.iter().map(|(_, value)| *value);
    let (min, max) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
    let (count, cost) = (integers.len() as f64, ln((max - min) as f64 + 1.0));
    let text = |value: &i128| Json::Plain(value.to_string());
    let mut found = vec![Candidate {
        parameters: vec![("min", text(&min)), ("max", text(&max))],
        fitted: 2,
        ..Candidate::new("uniform", [], -count * cost)
    }];
    found.extend(distinct(values()).map(|counts| categorical(&counts, cost, text)));
    ranked(found, count)
}

/// Returns the integers of a column with their rows, without nulls.
fn integers(column: &Column) -> Vec<(usize, i128)> {
    let values: Vec<i128> = match column.cells() {
        Cells::Integer(values) => values.iter().map(|value| i128::from(*value)).collect(),
        Cells::Unsigned(values) => values.iter().map(|value| i128::from(*value)).collect(),
        _ => Vec::new(),
    };
    let rows = values.into_iter().enumerate();
    rows.filter(|(row, _)| !column.is_null(*row)).collect()
}

/// Returns the candidates for numbers, including categories.
fn of_numbers(
    present: &[f64],
    step: Option<f64>,
    candidates: impl Fn(&Sample) -> Vec<Candidate>,
    text: impl Fn(f64) -> Json,
) -> Vec<Candidate> {
    let sample = Sample::new(present.to_vec(), step);
    let mut found = sample.as_ref().map(candidates).unwrap_or_default();
    // Normalises negative zero to zero.
    let Some(mut counts) = distinct(present.iter().map(|value| (value + 0.0).to_bits())) else {
        return found;
    };
    // Sorted by value, so that the categories can be correlated.
    counts.sort_by(|(one, _), (other, _)| f64::from_bits(*one).total_cmp(&f64::from_bits(*other)));
    let cost = sample.map_or(0.0, |it| ln((it.max - it.min) / it.step + 1.0));
    let categories = categorical(&counts, cost, |&bits| text(f64::from_bits(bits)));
    let count = present.len() as f64;
    let at = match found.first() {
        Some(best) if best.cost(count) <= categories.cost(count) => found.len(),
        _ => 0,
    };
    found.insert(at, categories);
    found
}

/// The maximum number of distinct strings that are categories in any shape, if they repeat.
const FEW: usize = 20;
/// The average number of occurrences that makes such strings categories.
const REPEATED: usize = 5;

fn of_strings(strings: &[&str], regex: Option<&str>) -> Vec<Candidate> {
    let Some(first) = strings.first() else {
        return vec![constant(Json::string(""))];
    };
    if strings.iter().all(|string| string == first) {
        return vec![constant(Json::string(first))];
    }
    if strings.iter().all(|string| is_drawn_uuid(string)) {
        return vec![Candidate::new("uuid", [], 0.0)];
    }
    let pattern = pattern(strings.iter().copied());
    let count = strings.len() as f64;
    let mut found = vec![Candidate {
        parameters: vec![("regex", Json::string(regex.unwrap_or(&pattern.regex)))],
        ..Candidate::new("pattern", [], -count * pattern.cost)
    }];
    if let Some(counts) = distinct(strings.iter().copied()) {
        let categories = categorical(&counts, pattern.cost, |string| Json::string(string));
        if counts.len() <= FEW && counts.len() * REPEATED <= strings.len() {
            return vec![categories];
        }
        found.push(categories);
    }
    ranked(found, count)
}

fn of_booleans(values: &[bool], column: &Column) -> Vec<Candidate> {
    let present = || (0..values.len()).filter(|&row| !column.is_null(row));
    let yes = present().filter(|&row| values[row]).count();
    if yes == 0 || yes == present().count() {
        return vec![constant(Json::boolean(yes > 0))];
    }
    let p = (yes as f64 / present().count() as f64 * 1e6).round() / 1e6;
    vec![Candidate::new("bernoulli", [("p", p)], 0.0)]
}

fn constant(value: Json) -> Candidate {
    Candidate {
        parameters: vec![("value", value)],
        ..Candidate::new("constant", [], 0.0)
    }
}

/// Returns a range from the first to the last day or second.
fn range(feature_type: FeatureType, present: &[f64]) -> Candidate {
    let least = present.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = present.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let parameters = [("min", least), ("max", greatest)];
    Candidate {
        parameters: parameters
            .map(|(key, value)| (key, moment(feature_type, value as i64)))
            .to_vec(),
        ..Candidate::new("uniform", [], 0.0)
    }
}

fn moment(feature_type: FeatureType, value: i64) -> Json {
    let mut text = String::new();
    match feature_type {
        FeatureType::Date => calendar::write_date(&mut text, value),
        _ => calendar::write_datetime(&mut text, value),
    }
    Json::string(&text)
}

/// Fits `start + row × step`, if it holds for every non-null row, and there are at least three.
fn sequence(integers: &[(usize, i128)]) -> Option<Candidate> {
    let &[(first, value), (second, next), _, ..] = integers else {
        return None;
    };
    let step = (next - value) / (second - first) as i128;
    let start = value - step * first as i128;
    let holds = |(row, value): &(usize, i128)| *value == start + step * *row as i128;
    if step == 0 || !integers.iter().all(holds) {
        return None;
    }
    let (start, step) = (i64::try_from(start).ok()?, i64::try_from(step).ok()?);
    Some(Candidate {
        parameters: vec![
            ("start", Json::integer(start)),
            ("step", Json::integer(step)),
        ],
        ..Candidate::new("sequence", [], 0.0)
    })
}

/// Returns true if integers from a range never repeat, although some should by chance.
fn is_unique(typed: &TypedColumn, distribution: &Candidate) -> bool {
    /// The minimum expected number of equal pairs.
    const EXPECTED: f64 = 10.0;
    /// The rows of the largest test.
    const ROWS: f64 = *SIZES.end() as f64;
    let (FeatureType::Integer, "uniform") = (typed.feature_type, distribution.name) else {
        return false;
    };
    let mut values: Vec<i128> = integers(&typed.column).iter().map(|it| it.1).collect();
    values.sort_unstable();
    let (Some(min), Some(max)) = (values.first(), values.last()) else {
        return false;
    };
    let (count, range) = (values.len() as f64, (max - min) as f64 + 1.0);
    range >= ROWS
        && count * count / (2.0 * range) >= EXPECTED
        && values.windows(2).all(|pair| pair[0] < pair[1])
}

/// Returns true if a text is a UUID in lower case, as the distribution draws them.
fn is_drawn_uuid(text: &str) -> bool {
    is_uuid(text) && !text.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Returns a value from a column of numbers or times.
fn cell(column: &Column, row: usize) -> Json {
    match column.cells() {
        Cells::Float(values) => Json::number(values[row]),
        Cells::Integer(values) => Json::integer(values[row]),
        Cells::Unsigned(values) => Json::Plain(values[row].to_string()),
        Cells::Boolean(values) => Json::boolean(values[row]),
        Cells::Date(values) => moment(FeatureType::Date, values[row]),
        Cells::DateTime(values) => moment(FeatureType::DateTime, values[row]),
        Cells::Text(text) => Json::string(text.get(row)),
        // Columns of files only have scalars.
        Cells::Bytes(bytes) => Json::string(bytes.escaped().get(row)),
        Cells::List(_) | Cells::Object(_) | Cells::Variant(_) => Json::Plain("null".to_owned()),
    }
}
