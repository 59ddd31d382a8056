//! The identity of the table that a test runs over.

/// A table drawn from one definition, or read from a file. Drawn rows follow from the other fields;
/// `digest` verifies rows that are drawn again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ensemble {
    /// A label. Ensembles that differ only in their labels are the same.
    pub name: String,
    /// The number of rows.
    pub size: usize,
    /// The seed for drawing the rows.
    pub seed: u64,
    /// The version of the samplers.
    pub sampler_version: u32,
    /// A digest of the canonical cells, as 32 hexadecimal digits.
    pub digest: String,
    /// The definition's canonical JSON.
    pub definition: String,
    /// The file with the rows, if they aren't drawn. The store doesn't record it.
    pub rows: Option<String>,
}
