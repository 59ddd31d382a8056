//! Ensembles.

use std::fmt::Display;

use tdg_definition::Fields;
use tdg_definition::json::Value;
use tdg_definition::limits::SIZES;
use uuid::Uuid;

use super::object::{HttpDate, members, object_text};
use super::{Benchmark, Result, Timestamp, body};

/// The table of values drawn from one definition, without its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Ensemble {
    /// Its identifier.
    pub ensemble_uuid: Uuid,
    /// Its name.
    pub ensemble_name: String,
    /// The definition that it was drawn from.
    pub definition_uuid: Uuid,
    /// When it was drawn.
    pub added: Timestamp,
    /// The number of rows.
    pub size: usize,
    /// The seed of the draw.
    pub seed: u64,
    /// The version of the samplers.
    pub sampler_version: u32,
    /// The digest of the rows: [`Vectors::digest`](tdg_engine::Vectors::digest).
    pub digest: String,
    /// The benchmarks of these rows, each with the newest part of its history.
    pub benchmarks: Vec<Benchmark>,
}

members! {
    Ensemble: ensemble_uuid, ensemble_name, definition_uuid, added as HttpDate, size, seed,
    sampler_version, digest, benchmarks
}

/// A request to draw an ensemble.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewEnsemble {
    /// The name; if missing or blank, four random words are used.
    pub ensemble_name: Option<String>,
    /// The number of rows, 1 to 10000.
    pub size: usize,
    /// The seed; if missing, a random number below 2⁵³ is used.
    pub seed: Option<u64>,
}

impl NewEnsemble {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// [`Malformed`](super::ServiceError::Malformed) and [`Invalid`](super::ServiceError::Invalid).
    pub fn parse(text: &str) -> Result<Self> {
        body::read(text, |fields| {
            let name = fields.optional_text("ensemble_name");
            let size = read_size(fields);
            let seed = match fields.optional("seed") {
                None | Some(Value::Null) => None,
                Some(value) => Some(read_seed(fields, value)?),
            };
            Some(NewEnsemble {
                ensemble_name: name.ok()?.map(str::to_owned),
                size: size?,
                seed,
            })
        })
    }

    /// Returns the request as JSON.
    pub fn to_json(&self) -> String {
        object_text(|members| {
            members.add_optional("ensemble_name", &self.ensemble_name);
            members.add("size", &self.size);
            members.add_optional("seed", &self.seed);
        })
    }
}

fn read_size(fields: &mut Fields<'_>) -> Option<usize> {
    let size = fields.integer("size")?;
    match usize::try_from(size).map_err(|_| size_fault(size)) {
        Ok(size) => Some(size),
        Err(message) => {
            fields.fault("size", message);
            None
        }
    }
}

fn read_seed(fields: &mut Fields<'_>, value: &Value) -> Option<u64> {
    let seed = value.as_u64();
    if seed.is_none() {
        fields.fault("seed", "must be an integer from 0 to 18446744073709551615");
    }
    seed
}

/// Returns the message for a size that is out of bounds.
pub(crate) fn size_fault(size: impl Display) -> String {
    format!(
        "must be from {} to {}, but is {size}",
        SIZES.start(),
        SIZES.end()
    )
}
