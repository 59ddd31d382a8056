//! Where a test's files are.

use std::path::{Path, PathBuf};

use super::error::ConfigError;

/// Where a test's files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Holds `tdg.toml` and `.tdg`: the nearest ancestor of the package with a `tdg.toml`, else the
    /// directory that the compiler was started in.
    pub root: PathBuf,
    /// The package's directory.
    pub package: PathBuf,
    /// The source file of the test.
    pub source: PathBuf,
}

/// Finds them from the package's directory and what `file!()` says in the test.
///
/// `file!()` is relative to where the compiler was started, which cargo chooses: the root of the
/// workspace for its members. It is the first ancestor of the package in which the file exists.
///
/// # Errors
/// The source file is nowhere: the test binary runs on a machine without the sources.
pub fn find_place(package: &Path, file: &str) -> Result<Place, ConfigError> {
    let Some(start) = package
        .ancestors()
        .find(|ancestor| ancestor.join(file).is_file())
    else {
        return Err(ConfigError::new(format!(
            "{file} is neither in {} nor in a directory above it: the test needs its sources, where \
             its benchmark is; run it in a checkout, with CARGO_MANIFEST_DIR naming the package",
            package.display()
        )));
    };
    Ok(Place {
        root: find_root(package, start),
        package: package.to_owned(),
        source: start.join(file),
    })
}

/// The root of a package's tests: the nearest ancestor with a `tdg.toml`, else the directory in which
/// cargo starts the compiler.
pub fn find_root(package: &Path, compiled_in: &Path) -> PathBuf {
    package
        .ancestors()
        .find(|ancestor| ancestor.join("tdg.toml").is_file())
        .unwrap_or(compiled_in)
        .to_owned()
}
