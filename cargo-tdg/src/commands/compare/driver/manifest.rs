//! The manifest of a driver, which builds the crate under test as its own workspace does.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

use crate::error::{Context as _, Result};
use crate::sides::ComparedSide;
use crate::workspace::Package;

/// Returns the manifest of a package's driver, whose calls name these crates.
pub(super) fn manifest(
    name: &str,
    side: &ComparedSide,
    package: &Package,
    named: &BTreeSet<String>,
) -> Result<String> {
    let whole = read(&side.workspace.directory)?;
    let mut dependency = Table::new();
    let path = package.directory.display().to_string();
    dependency.insert("path".into(), path.into());
    let features = side.features(package);
    if !features.is_empty() {
        dependency.insert("features".into(), features.into());
    }
    let mut manifest = Table::new();
    let entries = [("name", name), ("version", "0.0.0"), ("edition", "2021")];
    let entries = entries.map(|(key, value)| (key.to_owned(), value.into()));
    manifest.insert(
        "package".into(),
        Value::Table(entries.into_iter().collect()),
    );
    let mut dependencies = named_dependencies(side, package, &whole, named)?;
    dependencies.insert(package.name.clone(), Value::Table(dependency));
    manifest.insert("dependencies".into(), Value::Table(dependencies));
    let mut workspace = Table::new();
    workspace.insert("resolver".into(), resolver(&whole).into());
    manifest.insert("workspace".into(), Value::Table(workspace));
    if let Some(Value::Table(profile)) = whole.get("profile") {
        let mut profile = profile.clone();
        // Panics must unwind, since they are outcomes.
        if let Some(Value::Table(dev)) = profile.get_mut("dev") {
            dev.remove("panic");
        }
        manifest.insert("profile".into(), Value::Table(profile));
    }
    for key in ["patch", "replace"] {
        if let Some(value) = whole.get(key) {
            let mut value = value.clone();
            absolute(&mut value, &side.workspace.directory);
            manifest.insert(key.into(), value);
        }
    }
    toml::to_string(&manifest).context("the manifest of the driver")
}

/// Reads the manifest in a directory.
fn read(directory: &Path) -> Result<Table> {
    let path = directory.join("Cargo.toml");
    let text = fs::read_to_string(&path).context(path.display())?;
    text.parse().context(path.display())
}

/// Returns the package's own entries for the crates that the calls name, so that both mean the same
/// versions.
fn named_dependencies(
    side: &ComparedSide,
    package: &Package,
    whole: &Table,
    named: &BTreeSet<String>,
) -> Result<Table> {
    let own = read(&package.directory)?;
    let entries = own.get("dependencies").and_then(Value::as_table);
    let entries = entries.into_iter().flatten();
    let entries = entries.filter(|(key, _)| named.contains(&key.replace('-', "_")));
    let shared = whole.get("workspace").and_then(|it| it.get("dependencies"));
    let dependencies = entries.map(|(key, entry)| {
        let is_shared = entry.get("workspace").is_some();
        let (entry, directory) = match shared.and_then(|it| it.get(key)) {
            Some(shared) if is_shared => (shared, &side.workspace.directory),
            _ => (entry, &package.directory),
        };
        let mut entry = entry.clone();
        absolute(&mut entry, directory);
        if let Value::Table(entry) = &mut entry {
            entry.remove("optional");
        }
        (key.clone(), entry)
    });
    Ok(dependencies.collect())
}

/// Returns the version of cargo's resolver: the explicit one, or the edition's default.
fn resolver(manifest: &Table) -> &str {
    let stated = |key: &str, inner: &str| manifest.get(key)?.get(inner)?.as_str();
    let edition = stated("package", "edition");
    let stated = stated("workspace", "resolver").or_else(|| stated("package", "resolver"));
    stated.unwrap_or(match edition {
        Some("2021") => "2",
        Some("2024") => "3",
        _ => "1",
    })
}

/// Makes paths absolute, since they are relative to the manifest's directory.
fn absolute(value: &mut Value, directory: &Path) {
    let Value::Table(table) = value else { return };
    for (key, value) in table.iter_mut() {
        match value {
            Value::String(path) if key == "path" => {
                *path = directory.join(&*path).display().to_string();
            }
            inner => absolute(inner, directory),
        }
    }
}
