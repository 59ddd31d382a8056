//! The source location of a test.

use std::fmt;

/// The source location of a test; the attribute fills it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The Cargo package.
    pub package: &'static str,
    /// The package's directory when the test was compiled.
    pub manifest_dir: &'static str,
    /// `file!()`.
    pub file: &'static str,
    /// `line!()`.
    pub line: u32,
    /// `module_path!()`, or empty if unknown.
    pub module_path: &'static str,
    /// The name of the function, or empty if the test isn't a separate function.
    pub function: &'static str,
}

/// Writes `src/pricing.rs:12`.
impl fmt::Display for Site {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.file, self.line)
    }
}
