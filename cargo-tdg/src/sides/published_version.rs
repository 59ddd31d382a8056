//! The sources of a published version, from cargo's registry.

use std::fs;
use std::path::{Path, PathBuf};

use tdg_definition::json::{self, Value};

use crate::error::{Context as _, Error, Result};
use crate::workspace::cargo;

/// Returns the manifest of a package's version, which cargo downloads if necessary.
pub(crate) fn manifest(package: &str, version: &str, parent: &Path) -> Result<PathBuf> {
    let folder = parent.join(format!("{package}-{version}"));
    fs::create_dir_all(folder.join("src")).context(folder.display())?;
    // A package that depends on it, since cargo fetches only dependencies.
    let text = format!(
        "[package]\nname = \"tdg-compare-{package}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [dependencies]\n{package} = \"={version}\"\n\n[workspace]\n"
    );
    let own = folder.join("Cargo.toml");
    fs::write(&own, text).context(own.display())?;
    let library = folder.join("src/lib.rs");
    fs::write(&library, "").context(library.display())?;
    let mut command = cargo(&["metadata", "--format-version=1", "--manifest-path"]);
    let output = command.arg(&own).output().context("can't run cargo")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Error::new(format!(
            "can't get {package} {version}: {}",
            cargo_error(&said)
        )));
    }
    let metadata = json::parse(&String::from_utf8_lossy(&output.stdout))
        .context("the output of `cargo metadata`")?;
    let packages = metadata.get("packages").and_then(Value::as_array);
    let is = |it: &&Value, key: &str, text: &str| it.get(key).and_then(Value::as_str) == Some(text);
    let mut packages = packages.unwrap_or_default().iter();
    let found = packages.find(|it| is(it, "name", package) && is(it, "version", version));
    let path = found.and_then(|it| it.get("manifest_path")?.as_str());
    path.map(PathBuf::from).ok_or_else(|| {
        Error::new(format!(
            "write the full version of {package}, such as 1.4.0"
        ))
    })
}

/// Removes cargo's progress messages from an error.
fn cargo_error(said: &str) -> &str {
    let error = said.split_once("error: ").map_or(said, |(_, error)| error);
    error.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_progress_of_cargo_is_no_part_of_its_error() {
        let said = "    Updating crates.io index\nerror: no such version\nlocation: there\n";
        assert_eq!(cargo_error(said), "no such version\nlocation: there");
        assert_eq!(cargo_error("killed\n"), "killed");
    }
}
