//! Drawing an ensemble.

use std::iter;

use tdg_definition::limits::{CELLS, DATA_BYTES, WORK};
use tdg_definition::random::SAMPLER_VERSION;
use tdg_definition::{Definition, Feature, SizeError};
use tdg_engine::Vectors;
use uuid::Uuid;

use super::{ensemble_name, invalid, size_fault};
use crate::{NewEnsemble, Result, ServiceError};

/// An ensemble before it is stored, without its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrawnEnsemble {
    /// Its name.
    pub ensemble_name: String,
    /// The number of rows.
    pub size: usize,
    /// The seed that the rows were drawn with.
    pub seed: u64,
    /// The version of the samplers that drew them.
    pub sampler_version: u32,
    /// The digest of the rows.
    pub digest: String,
}

/// Draws an ensemble, and its rows as JSON.
///
/// # Errors
///
/// [`Invalid`](ServiceError::Invalid) if its name is invalid, or its rows exceed the limits.
pub fn draw(definition: &Definition, request: &NewEnsemble) -> Result<(DrawnEnsemble, String)> {
    let size = request.size;
    check_size(definition, size)?;
    let ensemble_name = ensemble_name(request)?;
    let seed = request.seed.unwrap_or_else(random_seed);
    let vectors = generate_within(definition, seed, size)?;
    let drawn = DrawnEnsemble {
        ensemble_name,
        size,
        seed,
        sampler_version: SAMPLER_VERSION,
        digest: vectors.digest(),
    };
    Ok((drawn, vectors.to_json()))
}

fn check_size(definition: &Definition, size: usize) -> Result<()> {
    let message = |error| match error {
        SizeError::Rows(size) => size_fault(size),
        SizeError::Cells { features, most, .. } => format!(
            "must be at most {most} for {features} features: an ensemble has at most {CELLS} cells"
        ),
        other => format!("is too large for the definition: {other}"),
    };
    let checked = definition.check_size(size);
    checked.map_err(|error| invalid("size", message(error)))
}

/// A number that JSON readers without integers keep exact.
fn random_seed() -> u64 {
    Uuid::new_v4().as_u64_pair().0 >> 11
}

/// The rows, drawn within bounded memory. The texts of a pattern may be long, which is known only
/// when they are drawn: so a few rows are drawn first, then more.
fn generate_within(definition: &Definition, seed: u64, size: usize) -> Result<Vectors> {
    let draw = |rows| {
        let vectors = Vectors::generate(definition, seed, rows);
        if vectors.is_within(DATA_BYTES) {
            Ok(vectors)
        } else {
            Err(too_long())
        }
    };
    let is_pattern = |feature: &Feature| feature.distribution_name() == "pattern";
    let mut sizes = Vec::new();
    if definition.features().iter().any(is_pattern) {
        let growing = iter::successors(Some(1), |rows| Some(rows * 8));
        sizes.extend(growing.take_while(|&rows| rows < size));
    }
    sizes.push(size);
    let work = sizes.iter().map(|&rows| definition.work(rows));
    if work.fold(0, u64::saturating_add) > WORK {
        return Err(too_much_work());
    }
    for &rows in &sizes[..sizes.len() - 1] {
        draw(rows)?;
    }
    draw(size)
}

/// For texts that are drawn in several steps; [`check_size`] knows the other reasons.
fn too_much_work() -> ServiceError {
    let message = "takes too long to draw with the patterns of the definition; use a smaller size, shorter texts or \
                   smaller tables";
    invalid("size", message)
}

fn too_long() -> ServiceError {
    let megabytes = DATA_BYTES >> 20;
    invalid(
        "size",
        format!("makes more than {megabytes} MB of JSON; use a smaller size or shorter texts"),
    )
}
