//! The places of a test's files.

use std::path::{Path, PathBuf};

use super::error::ConfigError;

/// The places of a test's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestPlace {
    /// The directory of `tdg.toml` and `.tdg`: the nearest ancestor of the package with a
    /// `tdg.toml`, or else the compiler's working directory.
    pub root: PathBuf,
    /// The package's directory.
    pub package: PathBuf,
    /// The source file of the test.
    pub source: PathBuf,
}

/// Finds them from the package's directory and the `file!()` of the test.
///
/// `file!()` is relative to the compiler's working directory, which cargo chooses: for members of
/// a workspace its root. It is the first ancestor of the package in which the file exists.
///
/// # Errors
/// If the source file is not found, as on a machine without the sources.
pub fn find_place(package: &Path, file: &str) -> Result<TestPlace, ConfigError> {
    let Some(start) = package
        .ancestors()
        .find(|ancestor| ancestor.join(file).is_file())
    else {
        return Err(ConfigError::new(format!(
            "{file} is neither in {} nor in a directory above it: the test needs its sources, \
             because its benchmark is beside them; run it in a checkout, with CARGO_MANIFEST_DIR set \
             to the package's directory",
            package.display()
        )));
    };
    Ok(TestPlace {
        root: find_root(package, start),
        package: package.to_owned(),
        source: start.join(file),
    })
}

/// The root of a package's tests: the nearest ancestor with a `tdg.toml`, or else the directory in
/// which cargo runs the compiler.
pub fn find_root(package: &Path, compiled_in: &Path) -> PathBuf {
    package
        .ancestors()
        .find(|ancestor| ancestor.join("tdg.toml").is_file())
        .unwrap_or(compiled_in)
        .to_owned()
}
