//! What identifies the table that a test runs over.

/// A table drawn from one definition. The rows themselves follow from these fields; `digest` tells
/// whether rows that were drawn again are still the ones that were meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ensemble {
    /// For people; two ensembles that differ in nothing else are one.
    pub name: String,
    /// The number of rows.
    pub size: usize,
    /// What the rows were drawn with.
    pub seed: u64,
    /// Which version of the samplers drew them.
    pub sampler_version: u32,
    /// 32 hexadecimal digits over the canonical cells.
    pub digest: String,
    /// The definition's canonical JSON.
    pub definition: String,
}
