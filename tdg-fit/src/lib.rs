//! Fits a definition to a table of real data, and reports how well drawn rows match the table.
//!
//! ```
//! use tdg_definition::table::Table;
//! use tdg_fit::{FitOptions, fit};
//!
//! let csv = "order,coupon\n1,HALF\n2,\n3,TENTH\n4,HALF\n";
//! let table = Table::parse(csv, b',', usize::MAX)?;
//! let fit = fit(&table, &FitOptions::default())?;
//! assert!(fit.definition.contains(r#""feature_name": "coupon""#));
//! assert_eq!(fit.features[0].summary, "sequence start 1, step 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Exempt from semver.** Everything may change in any version; use `cargo tdg fit`.
//!
//! The stages are `names → infer → correlations → feature → document`, with one module each. Then
//! `quality` compares drawn rows with the table. `notation` reads numbers and dates in other
//! notations. `continuous`, `counts`, `categories` and `pattern` fit the distributions of a
//! feature, and `candidate` ranks them. Elementary functions come from `tdg_definition::math`, so
//! that a table gives the same definition on every platform.

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
mod fields;
mod infer;
mod math;
mod names;
mod nested_columns;
mod notation;
mod numbers;
mod parallel;
mod pattern;
mod quality;
mod sample;
mod scores;
#[cfg(test)]
mod tests;
mod times;

use tdg_definition::json::Value;
use tdg_definition::limits::SIZES;
use tdg_definition::table::{NullMarks, Table, TableCell};
use tdg_definition::{Column, Definition};
use tdg_engine::Vectors;

use correlations::Estimates;
use document::Json;
use feature::FittedFeature;
use names::NamedColumn;
use nested_columns::NestedFeature;

pub use error::FitError;
pub use infer::TypedColumn;
pub use quality::{CorrelationMatch, FeatureMatch, MatchMeasure};

/// Options for fitting a table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FitOptions {
    /// The CSV fields that mean null.
    pub nulls: NullMarks,
    /// The weakest correlation to include, from 0 to 1, where 1 includes none. Between features
    /// that stronger ones connect, weaker ones are included, too.
    pub correlations: f64,
}

impl Default for FitOptions {
    /// The usual nulls, and correlations from 0.3.
    fn default() -> Self {
        Self {
            nulls: NullMarks::usual(),
            correlations: 0.3,
        }
    }
}

/// A definition fitted to a table, with the match between drawn rows and the table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FittedDefinition {
    /// The definition as JSON, formatted for editing.
    pub definition: String,
    /// The number of rows in the table.
    pub rows: usize,
    /// The number of rows drawn for the comparison.
    pub drawn: usize,
    /// The number of features of the definition.
    pub width: usize,
    /// The features in the order of the columns, with the contents of lists, objects and variants.
    pub features: Vec<FeatureMatch>,
    /// The correlations that are strong enough in the table or in the drawn rows, worst match
    /// first.
    pub correlations: Vec<CorrelationMatch>,
    /// Notes to read before using the definition.
    pub notes: Vec<String>,
}

/// The maximum number of rows drawn for the comparison.
const MAX_DRAWN: usize = *SIZES.end();

const ONE_ROW: &str = "the table has one row, so every feature is a constant, and nothing can be \
                       compared; fit a table with more rows";

/// Fits a definition to a table.
///
/// # Errors
/// If the table is empty or has too many columns, or if no distribution can draw a column's values.
pub fn fit(table: &Table<'_>, options: &FitOptions) -> Result<FittedDefinition, FitError> {
    let rows = table.rows();
    check_size(table)?;
    let (columns, mut notes) = NamedColumn::all(table);
    let (columns, nested) = nested_columns::split(columns, &options.nulls, &mut notes);
    let typed = parallel::map(columns, |column| typed(&column, table, &options.nulls));
    let numbers = parallel::map(typed.iter().collect(), |it: &TypedColumn| {
        numbers::numbers(&it.column)
    });
    let estimates = Estimates::new(&numbers, options.correlations);
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

fn check_size(table: &Table<'_>) -> Result<(), FitError> {
    let (rows, columns, most) = (table.rows(), table.columns().len(), Definition::FEATURES);
    if rows == 0 {
        return Err(FitError::new("the table has no rows"));
    }
    if columns <= most {
        return Ok(());
    }
    Err(FitError::new(format!(
        "the table has {columns} columns, but a definition can have at most {most} features; leave \
         some columns out"
    )))
}

fn typed(column: &NamedColumn<'_>, table: &Table<'_>, nulls: &NullMarks) -> TypedColumn {
    if !table.is_json() {
        return TypedColumn::of_fields(&column.name, column.cells, nulls, table.delimiter());
    }
    fn value<'c>(cell: &'c TableCell<'_>) -> &'c Value {
        match cell {
            TableCell::Json(value) => value,
            TableCell::Null | TableCell::Text(_) => &Value::Null,
        }
    }
    TypedColumn::of_values(&column.name, column.cells.iter().map(value))
}

fn fitted(
    columns: &[TypedColumn],
    estimates: &Estimates,
    notes: &mut Vec<String>,
) -> Result<Vec<FittedFeature>, FitError> {
    let features = parallel::map((0..columns.len()).collect(), |position: usize| {
        FittedFeature::fit(&columns[position], estimates.is_correlated(position))
    });
    let features = features.into_iter().collect::<Result<Vec<_>, _>>()?;
    for (column, feature) in columns.iter().zip(&features) {
        let feature: &FittedFeature = feature;
        let times = column.times;
        notes.extend(times.and_then(|it| it.note(&column.name, feature.distribution.name)));
        notes.extend(column.note.clone());
    }
    Ok(features)
}

/// Inserts the matches of nested features, which are in the order of their positions.
fn insert_nested(matches: &mut Vec<FeatureMatch>, nested: Vec<NestedFeature>) {
    let mut before = 0;
    for nested in nested {
        let place = nested.position + before;
        before += nested.matches.len() - 1;
        matches.splice(place..place, nested.matches);
    }
}

/// Returns the definition of the features with these correlations, as text and parsed.
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
