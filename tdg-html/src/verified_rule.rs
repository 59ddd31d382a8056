//! A rule about changed rows that an experiment verified.

/// A rule about changed rows that an experiment verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedRule {
    /// The rule, such as `exactly those with day = 15`.
    pub sentence: String,
    /// The rows that it was verified on, and its exceptions.
    pub evidence: String,
}
