//! The locations of a test's files.

use std::env;
use std::path::{Path, PathBuf};

use super::display_path::normal_path;
use super::error::ConfigError;

/// The locations of a test's files.
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

impl TestPlace {
    /// Returns true if the source file is outside the package's directory.
    pub fn is_outside(&self) -> bool {
        !self.source.starts_with(&self.package)
    }

    /// Returns true if the source file is deleted after the test has run, like rustdoc's bundle of
    /// documentation tests.
    pub fn is_temporary(&self) -> bool {
        // WASI has no temporary directory, and `temp_dir` panics.
        let has_temporary = !cfg!(target_family = "wasm");
        self.is_bundle() || has_temporary && self.is_temporary_in(&env::temp_dir())
    }

    /// Returns true if the source file is rustdoc's bundle of documentation tests.
    pub fn is_bundle(&self) -> bool {
        let name = self.source.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with("doctest_bundle_")
    }

    /// The package itself and its generated sources may be in a temporary directory, too.
    fn is_temporary_in(&self, temporary: &Path) -> bool {
        let folder = |path: &Path| {
            let rest = path.strip_prefix(temporary).ok()?;
            rest.iter().next().map(ToOwned::to_owned)
        };
        let mut around = self.source.ancestors();
        folder(&self.source).is_some_and(|it| folder(&self.package) != Some(it))
            && !around.any(|directory| directory.join("CACHEDIR.TAG").is_file())
    }
}

/// Finds the locations from the package's directory and the `file!()` of the test.
///
/// `file!()` is relative to the compiler's working directory, which cargo chooses: for members of a
/// workspace, its root. It is the first ancestor of the package in which the file exists.
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
             because its benchmark is next to them; run it in a checkout, with CARGO_MANIFEST_DIR \
             set to the package's directory",
            package.display()
        )));
    };
    let source = start.join(file);
    // Removing `..` after a symbolic link may lead to another file.
    let normal = Some(normal_path(&source)).filter(|path| path.is_file());
    Ok(TestPlace {
        root: find_root(package, start),
        package: package.to_owned(),
        source: normal.unwrap_or(source),
    })
}

/// Returns the root of a package's tests: the nearest ancestor with a `tdg.toml`, or else the
/// directory in which cargo runs the compiler.
pub fn find_root(package: &Path, compiled_in: &Path) -> PathBuf {
    package
        .ancestors()
        .find(|ancestor| ancestor.join("tdg.toml").is_file())
        .unwrap_or(compiled_in)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_source_is_temporary_in_another_temporary_folder_than_its_package() {
        let temporary = tempfile::tempdir().unwrap();
        let temporary = temporary.path();
        fs::create_dir_all(temporary.join("target/debug")).unwrap();
        fs::write(temporary.join("target/CACHEDIR.TAG"), "").unwrap();
        let is_temporary = |package: &str, source: &str| {
            let place = TestPlace {
                root: PathBuf::new(),
                package: temporary.join(package),
                source: temporary.join(source),
            };
            place.is_temporary_in(temporary)
        };
        assert!(is_temporary("/home/shop", "rustdoctestX/bundle.rs"));
        assert!(is_temporary("checkout/shop", "rustdoctestX/bundle.rs"));
        assert!(!is_temporary("/home/shop", "/home/shop/src/lib.rs"));
        assert!(!is_temporary("checkout/shop", "checkout/shared/a.rs"));
        // Build scripts write into the build directory, which outlives the run.
        assert!(!is_temporary(
            "/home/shop",
            "target/debug/build/shop/out/a.rs"
        ));
    }
}
