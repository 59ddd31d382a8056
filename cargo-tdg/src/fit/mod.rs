//! A definition from a table of real data.
//!
//! `table → infer → correlations → feature → document`, and back by `quality`: how well rows drawn from it match.
//! For a feature, `continuous`, `counts`, `categories` and `pattern` know what might fit, and `candidate` chooses.
//! `math` is what knows nothing of tables. Elementary functions are those of `tdg_definition::math`, so that a table
//! gives the same definition everywhere.

mod candidate;
mod categories;
mod continuous;
mod correlations;
mod counts;
mod document;
mod feature;
mod infer;
mod math;
mod numbers;
mod parallel;
mod pattern;
mod quality;
mod report;
mod sample;
mod scores;
mod table;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use tdg_definition::Definition;
use tdg_definition::limits::SIZES;
use tdg_engine::Vectors;

use crate::error::{Error, Result};
use correlations::Estimates;
use feature::Feature;
use infer::Typed;
use quality::{Match, PairMatch};

pub(crate) use table::{Table, delimiter};

/// What the user can say about a fit.
#[derive(Debug)]
pub(crate) struct Options {
    /// Texts that mean null, besides the usual ones.
    pub(crate) nulls: HashSet<String>,
    /// How strong correlations are that are stated, from 0 to 1; weaker ones come in with them.
    pub(crate) correlations: f64,
}

/// A definition that was made from a table, and how well it matches.
#[derive(Debug)]
pub(crate) struct Fit {
    /// JSON, laid out to be edited.
    pub(crate) definition: String,
    features: Vec<Feature>,
    matches: Vec<Match>,
    pairs: Vec<PairMatch>,
    rows: usize,
    drawn: usize,
    /// What somebody should know who uses it.
    pub(crate) notes: Vec<String>,
}

/// The most rows that are drawn to compare.
const DRAWN: usize = *SIZES.end();

/// Makes a definition from a table.
///
/// # Errors
/// A column can't be stated.
pub(crate) fn fit(table: Table, options: &Options) -> Result<Fit> {
    let Table {
        columns,
        rows,
        mut notes,
    } = table;
    let typed = parallel::map(columns, |fields| infer::infer(&fields, &options.nulls));
    let numbers = parallel::map(typed.iter().collect(), |it: &Typed| {
        numbers::numbers(&it.column)
    });
    let estimates = Estimates::of(&numbers, options.correlations);
    let features = parallel::map((0..typed.len()).collect(), |position: usize| {
        Feature::of(&typed[position], estimates.is_correlated(position))
    });
    let features = features.into_iter().collect::<Result<Vec<Feature>>>()?;
    let pairs = estimates.stated(&features, &mut notes);
    let mut text = feature::definition(features.iter().map(Feature::text).collect());
    if let (false, document::Text::Object(members)) = (pairs.is_empty(), &mut text) {
        members.push(("correlations", correlations::text(&pairs, &features)));
    }
    let text = text.pretty();
    let definition = Definition::parse(&text).map_err(|faults| {
        Error::new(format!(
            "the definition that was made is not valid, which is a defect of tdg; please report it:\n{faults}"
        ))
    })?;
    let drawn = rows.min(DRAWN);
    let vectors = Vectors::generate(&definition, 0, drawn);
    let compared = (0..features.len()).collect();
    let matches = parallel::map(compared, |position: usize| {
        let is_category = features[position].has_categories();
        quality::compare(
            &typed[position].column,
            vectors.column(position),
            is_category,
        )
    });
    let pairs = quality::pairs(&numbers, &vectors, options.correlations);
    Ok(Fit {
        definition: text,
        pairs,
        features,
        matches,
        rows,
        drawn,
        notes,
    })
}
