//! A definition from a table of real data, and how well rows drawn from it match the table.
//!
//! ```
//! use tdg_fit::{FitOptions, TextTable, fit};
//!
//! let csv = "order,coupon\n1,HALF\n2,\n3,TENTH\n4,HALF\n";
//! let table = TextTable::read(csv.as_bytes(), b',')?;
//! let fit = fit(table, &FitOptions::default())?;
//! assert!(fit.definition.contains(r#""feature_name": "coupon""#));
//! assert_eq!(fit.features[0].summary, "sequence start 1, step 1");
//! # Ok::<(), tdg_fit::FitError>(())
//! ```
//!
//! **Exempt from semver.** Every version may change everything here; use `cargo tdg fit`.
//!
//! The stages, one module each: `table → infer → correlations → feature → document`, then `quality`
//! compares drawn rows with the table. `continuous`, `counts`, `categories` and `pattern` fit the
//! distributions of a feature, and `candidate` ranks them. Elementary functions come from
//! `tdg_definition::math`, so that a table gives the same definition on every platform.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod candidate;
mod categories;
mod continuous;
mod correlations;
mod counts;
mod document;
mod error;
mod feature;
mod infer;
mod math;
mod nested;
mod numbers;
mod parallel;
mod pattern;
mod quality;
mod quotes;
mod sample;
mod scores;
mod spelling;
mod table;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use tdg_definition::limits::SIZES;
use tdg_definition::{Column, Definition};
use tdg_engine::Vectors;

use correlations::Estimates;
use document::Json;
use feature::FittedFeature;
use infer::TypedColumn;
use nested::NestedFeature;

pub use error::FitError;
pub use infer::read_column;
pub use quality::{CorrelationMatch, FeatureMatch, MatchMeasure};
pub use table::{TextColumn, TextTable};

/// How a table is fitted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FitOptions {
    /// Texts that mean null, in addition to the usual ones.
    pub nulls: HashSet<String>,
    /// The weakest correlation to include, from 0 to 1; 1 includes none. Weaker ones are included
    /// between features that stronger ones connect.
    pub correlations: f64,
}

impl Default for FitOptions {
    /// No further nulls; correlations from 0.3.
    fn default() -> Self {
        Self {
            nulls: HashSet::new(),
            correlations: 0.3,
        }
    }
}

/// A definition made from a table, and how well rows drawn from it match the table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FittedDefinition {
    /// The definition: JSON, formatted for editing.
    pub definition: String,
    /// The number of rows in the table.
    pub rows: usize,
    /// The number of rows drawn for the comparison.
    pub drawn: usize,
    /// The number of features of the definition.
    pub width: usize,
    /// The features, in the order of the columns; of lists, objects and variants, what they
    /// contain.
    pub features: Vec<FeatureMatch>,
    /// The correlations that are strong enough in the table or in the drawn rows, the worst match
    /// first.
    pub correlations: Vec<CorrelationMatch>,
    /// What to know before using the definition.
    pub notes: Vec<String>,
}

/// The most rows drawn for the comparison.
const MAX_DRAWN: usize = *SIZES.end();

const ONE_ROW: &str = "the table has one row, so every feature is a constant, and nothing can be \
                       compared; fit a table with more rows";

/// Makes a definition from a table.
///
/// # Errors
/// No distribution can draw the values of a column.
pub fn fit(table: TextTable, options: &FitOptions) -> Result<FittedDefinition, FitError> {
    let TextTable {
        columns,
        rows,
        mut notes,
    } = table;
    let (columns, nested) = nested::split(columns, &options.nulls, &mut notes);
    let typed = parallel::map(columns, |fields| infer::infer(&fields, &options.nulls));
    let numbers = parallel::map(typed.iter().collect(), |it: &TypedColumn| {
        numbers::numbers(&it.column)
    });
    let estimates = Estimates::of(&numbers, options.correlations);
    let features = fitted(&typed, &estimates, &mut notes)?;
    notes.extend((rows == 1).then(|| ONE_ROW.to_owned()));
    let included = estimates.included(&features, &mut notes);
    let (text, definition) = definition_of(&features, &nested, &included)?;
    let drawn = rows.min(MAX_DRAWN);
    let vectors = Vectors::generate(&definition, 0, drawn);
    let is_nested = |position: &usize| nested.iter().any(|it| it.position == *position);
    let flat = (0..vectors.width()).filter(|position| !is_nested(position));
    let columns: Vec<&Column> = flat.map(|position| vectors.column(position)).collect();
    let mut matches = parallel::map((0..features.len()).collect(), |position: usize| {
        quality::compare(
            &features[position],
            &typed[position].column,
            columns[position],
        )
    });
    let correlations = quality::correlations(&features, &numbers, &columns, options.correlations);
    insert_nested(&mut matches, nested);
    if rows == 1 {
        matches
            .iter_mut()
            .for_each(|it| it.measure = MatchMeasure::None);
    }
    Ok(FittedDefinition {
        definition: text,
        rows,
        drawn,
        width: vectors.width(),
        features: matches,
        correlations,
        notes,
    })
}

fn fitted(
    columns: &[TypedColumn],
    estimates: &Estimates,
    notes: &mut Vec<String>,
) -> Result<Vec<FittedFeature>, FitError> {
    let features = parallel::map((0..columns.len()).collect(), |position: usize| {
        FittedFeature::of(&columns[position], estimates.is_correlated(position))
    });
    let features = features.into_iter().collect::<Result<Vec<_>, _>>()?;
    for (column, feature) in columns.iter().zip(&features) {
        let feature: &FittedFeature = feature;
        let spelling = column.spelling.as_ref();
        notes.extend(spelling.and_then(|it| it.note(&column.name, feature.distribution.name)));
    }
    Ok(features)
}

/// Inserts the matches of nested features, each at its place: those after it are still to come.
fn insert_nested(matches: &mut Vec<FeatureMatch>, nested: Vec<NestedFeature>) {
    let mut before = 0;
    for nested in nested {
        let place = nested.position + before;
        before += nested.matches.len() - 1;
        matches.splice(place..place, nested.matches);
    }
}

/// The definition of the features with these correlations, and its text.
fn definition_of(
    features: &[FittedFeature],
    nested: &[NestedFeature],
    included: &[correlations::Correlation],
) -> Result<(String, Definition), FitError> {
    let mut all: Vec<Json> = features.iter().map(FittedFeature::json).collect();
    for nested in nested {
        all.insert(nested.position, nested.json.clone());
    }
    let mut document = feature::definition(all);
    if !included.is_empty()
        && let Json::Object(members) = &mut document
    {
        members.push(("correlations", correlations::json(included, features)));
    }
    let text = document.pretty();
    let definition = Definition::parse(&text).map_err(|faults| {
        FitError::new(format!(
            "tdg made an invalid definition, which is a bug; please report it:\n{faults}"
        ))
        .caused_by(faults)
    })?;
    Ok((text, definition))
}
