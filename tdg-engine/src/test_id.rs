//! The identity of a test.

use std::fmt;

/// Which test a benchmark belongs to: package, source file and name together.
///
/// ```
/// let test = tdg_engine::TestId {
///     package: "shop".to_owned(),
///     source: "src/pricing.rs".to_owned(),
///     name: "pricing::total".to_owned(),
/// };
/// assert_eq!(test.to_string(), "pricing::total");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TestId {
    /// The Cargo package; locally that is the project.
    pub package: String,
    /// The source file, relative to the package's directory, with `/` on every platform.
    pub source: String,
    /// What reports and commands call it: `pricing::total`.
    pub name: String,
}

/// The name, which is what people type.
impl fmt::Display for TestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
