//! The identity of a test.

use std::fmt;

use tdg_definition::control;

/// The identity of a test: package, source file and name together.
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
    /// The Cargo package, which is the project of a local benchmark.
    pub package: String,
    /// The source file, relative to the package's directory, with `/` on every platform.
    pub source: String,
    /// The name in reports and commands: `pricing::total`.
    pub name: String,
}

/// Writes the name as users type it, with control characters escaped.
impl fmt::Display for TestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&control::escape(&self.name))
    }
}
