//! Dependencies by path, in the manifests of a copied folder.

use std::path::Path;

use tdg_engine::config::normal_path;
use toml::{Table, Value};

use crate::error::{Context as _, Result};

/// Makes the paths of dependencies outside the copied folder absolute.
pub(super) fn with_absolute_paths(manifest: &str, directory: &Path, top: &Path) -> Result<String> {
    let before: Table = manifest.parse().context("Cargo.toml")?;
    let mut after = before.clone();
    for (key, value) in &mut after {
        if key.ends_with("dependencies") || ["target", "workspace", "patch"].contains(&&**key) {
            make_absolute(value, directory, top);
        }
    }
    match after == before {
        true => Ok(manifest.to_owned()),
        false => toml::to_string(&after).context("Cargo.toml"),
    }
}

fn make_absolute(value: &mut Value, directory: &Path, top: &Path) {
    for (key, value) in value.as_table_mut().into_iter().flatten() {
        match value {
            Value::String(path) if key == "path" => {
                let whole = normal_path(&directory.join(&*path));
                if !whole.starts_with(top) {
                    *path = whole.display().to_string();
                }
            }
            inner => make_absolute(inner, directory, top),
        }
    }
}
