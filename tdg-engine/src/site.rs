//! Where a test stands in the source.

use std::fmt;

/// Where a test stands in the source; the attribute fills it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The Cargo package.
    pub package: &'static str,
    /// The package's directory when the test was compiled.
    pub manifest_dir: &'static str,
    /// What `file!()` says.
    pub file: &'static str,
    /// What `line!()` says.
    pub line: u32,
    /// What `module_path!()` says; empty where it is not known.
    pub module_path: &'static str,
    /// The function; empty for a test that is no function of its own.
    pub function: &'static str,
}

/// `src/pricing.rs:12`.
impl fmt::Display for Site {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.file, self.line)
    }
}
