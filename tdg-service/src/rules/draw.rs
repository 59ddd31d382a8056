//! An ensemble's rows.

use tdg_definition::random::SAMPLER_VERSION;
use tdg_definition::{Definition, Feature, SizeError};
use uuid::Uuid;

use super::{ensemble_name, invalid, size_fault};
use crate::{NewEnsemble, Result, ServiceError};
use tdg_definition::limits::{CELLS, DATA_BYTES};
use tdg_engine::Vectors;

/// An ensemble that can be stored, without its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Its name.
    pub ensemble_name: String,
    /// The number of rows.
    pub size: usize,
    /// What the rows were drawn with.
    pub seed: u64,
    /// Which version of the samplers drew them.
    pub sampler_version: u32,
    /// What identifies them.
    pub digest: String,
}

/// Draws an ensemble, and its rows as JSON, if they stay within the limits.
///
/// # Errors
///
/// [`Invalid`](ServiceError::Invalid) with what is wrong about its name or size.
pub fn draw(definition: &Definition, request: &NewEnsemble) -> Result<(Drawn, String)> {
    let size = request.size;
    check_size(definition, size)?;
    let ensemble_name = ensemble_name(request)?;
    let seed = request.seed.unwrap_or_else(random_seed);
    let vectors = generate_within(definition, seed, size)?;
    let drawn = Drawn {
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
        other => format!("is too much for the definition: {other}"),
    };
    let checked = definition.check_size(size);
    checked.map_err(|error| invalid("size", message(error)))
}

/// A number that JSON readers with floats alone keep exact.
fn random_seed() -> u64 {
    Uuid::new_v4().as_u64_pair().0 >> 11
}

/// The rows, drawn within bounded memory: the texts of a pattern may be long, and are known only when they are
/// drawn. The first rows tell how long the next ones will be.
fn generate_within(definition: &Definition, seed: u64, size: usize) -> Result<Vectors> {
    let draw = |rows| {
        let vectors = Vectors::generate(definition, seed, rows);
        match vectors.is_within(DATA_BYTES) {
            true => Ok(vectors),
            false => Err(too_long()),
        }
    };
    let is_pattern = |feature: &Feature| feature.distribution_name() == "pattern";
    if definition.features().iter().any(is_pattern) {
        let mut rows = 1;
        while rows < size {
            draw(rows)?;
            rows *= 8;
        }
    }
    draw(size)
}

fn too_long() -> ServiceError {
    let megabytes = DATA_BYTES >> 20;
    invalid(
        "size",
        format!("makes rows longer than {megabytes} MB of JSON; take fewer, or shorten the texts"),
    )
}
