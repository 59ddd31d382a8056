//! The identity of the table that a test runs over.

/// A table drawn from one definition, or read from a file. The other fields determine drawn rows;
/// `digest` verifies rows that were drawn again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ensemble {
    /// A label; ensembles that differ only in it are the same.
    pub name: String,
    /// The number of rows.
    pub size: usize,
    /// The seed of the rows.
    pub seed: u64,
    /// The version of the samplers.
    pub sampler_version: u32,
    /// 32 hexadecimal digits over the canonical cells.
    pub digest: String,
    /// The definition's canonical JSON.
    pub definition: String,
    /// The file that the rows are from, where they are not drawn; the store doesn't know it.
    pub rows: Option<String>,
}
