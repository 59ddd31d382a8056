//! Draws ensembles.

use tdg_definition::limits::{CELLS, DATA_BYTES};
use tdg_definition::random::SAMPLER_VERSION;
use tdg_definition::{Definition, SizeError, within_memory};
use tdg_engine::{Vectors, identifier};
use uuid::Uuid;

use super::{ensemble_name, invalid, size_fault};
use crate::{NewEnsemble, Result};

/// The maximum size of the values while drawing, in bytes. Some of them become null in the rows.
const DRAWN_BYTES: usize = 8 * DATA_BYTES;

/// A drawn ensemble that isn't stored yet, without its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrawnEnsemble {
    /// Its name.
    pub ensemble_name: String,
    /// The number of rows.
    pub size: usize,
    /// The seed of the draw.
    pub seed: u64,
    /// The version of the samplers.
    pub sampler_version: u32,
    /// The digest of the rows.
    pub digest: String,
}

/// Draws an ensemble. Returns it with its rows as JSON.
///
/// # Errors
///
/// [`Invalid`](crate::ServiceError::Invalid) if its name is invalid, or its rows exceed the limits.
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

/// Returns a random number that JSON readers without integers represent exactly.
fn random_seed() -> u64 {
    Uuid::from_bytes(identifier::random()).as_u64_pair().0 >> 11
}

/// Draws the rows with bounded memory.
fn generate_within(definition: &Definition, seed: u64, size: usize) -> Result<Vectors> {
    let drawn = within_memory(DRAWN_BYTES, || Vectors::generate(definition, seed, size));
    let too_much = |bytes: usize, of: &str| {
        let message = format!(
            "makes more than {} MB of {of}; use a smaller size, or shorter texts or lists",
            bytes >> 20
        );
        invalid("size", message)
    };
    let vectors = drawn.ok_or_else(|| too_much(DRAWN_BYTES, "values"))?;
    match vectors.is_within(DATA_BYTES) {
        true => Ok(vectors),
        false => Err(too_much(DATA_BYTES, "JSON")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::Cells;

    const ONE: &str = r#""type": "INTEGER", "distribution": {"type": "constant", "value": 1}"#;

    fn list(length: &str, element: &str) -> String {
        let distribution =
            format!(r#"{{"type": "list", "length": {length}, "element": {{{element}}}}}"#);
        format!(r#""type": "LIST", "distribution": {distribution}"#)
    }

    fn refused(definition: &Definition, size: usize, seed: u64) -> String {
        definition.check_size(size).unwrap();
        let refused = generate_within(definition, seed, size);
        refused.unwrap_err().to_string()
    }

    #[test]
    fn a_row_of_long_texts_is_refused() {
        let text = "a".repeat(60_000);
        let text = format!(
            r#""type": "STRING", "distribution": {{"type": "constant", "value": "{text}"}}"#
        );
        let texts = list("300", &list("1000", &text));
        let definition = Definition::parse(&format!(r#"{{"features": [{{{texts}}}]}}"#)).unwrap();
        insta::assert_snapshot!(refused(&definition, 1, 0), @"/size: makes more than 64 MB of JSON; use a smaller size, or shorter texts or lists");
    }

    /// A row is estimated to have 160,000 elements. With this seed, it has 10,000⁴.
    #[test]
    fn a_seed_of_a_rare_long_list_is_refused() {
        let rare = r#"{"type": "categorical", "categories": [
            {"value": 0, "probability": 0.999}, {"value": 10000, "probability": 0.001}]}"#;
        let n = format!(r#"{{"feature_name": "n", {}}}"#, list(rare, ONE));
        let definition = |features: &str| {
            Definition::parse(&format!(r#"{{"features": [{features}]}}"#)).unwrap()
        };
        let of_n = definition(&n);
        let is_long = |seed: &u64| {
            let columns = of_n.columns(*seed, 1, 0..1);
            matches!(columns[0].cells(), Cells::List(lists) if !lists.range(0).is_empty())
        };
        let seed = (0..).find(is_long).unwrap();
        let lists = (0..4).fold(ONE.to_owned(), |element, _| list(r#""n""#, &element));
        let definition = definition(&format!("{n}, {{{lists}}}"));
        insta::assert_snapshot!(refused(&definition, 1, seed), @"/size: makes more than 512 MB of values; use a smaller size, or shorter texts or lists");
    }
}
