//! What identifies an ensemble.

/// The identity of an ensemble: all that its rows depend on, and their digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ensemble {
    /// The test that it was drawn for, as `pricing::total`.
    pub name: String,
    /// The number of rows.
    pub size: usize,
    /// The seed that the rows were drawn with.
    pub seed: u64,
    /// The version of the samplers that drew the rows.
    pub sampler_version: u32,
    /// The digest of the rows: 32 hexadecimal digits.
    pub digest: String,
    /// The definition in its canonical form: compact JSON, keys sorted.
    pub definition: String,
}
