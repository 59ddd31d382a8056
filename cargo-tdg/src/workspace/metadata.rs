//! The output of `cargo metadata`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tdg_definition::json::{self, Value};
use tdg_engine::config::normal_path;

use super::cargo::cargo_at;
use crate::error::{Context as _, Error, Result};

/// Runs `cargo metadata` without dependencies, so that it needs no network and no lock file.
pub(super) fn read(manifest: Option<&Path>) -> Result<Value> {
    packages(manifest, &["--no-deps"])
}

fn packages(manifest: Option<&Path>, options: &[&str]) -> Result<Value> {
    let mut command = cargo_at(manifest, &["metadata", "--format-version=1"]);
    command.args(options);
    let output = command.output().context("can't run cargo")?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let reason = stderr.trim().trim_start_matches("error: ");
        return Err(Error::new(reason));
    }
    json::parse(&String::from_utf8_lossy(&output.stdout)).context("the output of `cargo metadata`")
}

/// The library of a package.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    /// The name of the crate in code.
    pub(crate) name: String,
    /// Path of its `lib.rs`.
    pub(crate) root: PathBuf,
    /// The package's features, each with those that it turns on.
    pub(crate) features: BTreeMap<String, Vec<String>>,
    /// Set if imports are relative to the crate root, as in the 2015 edition.
    pub(crate) imports_from_root: bool,
}

/// A dependency that tests can use.
#[derive(Debug)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) features: Vec<String>,
}

/// Returns a package's features, each with those that it turns on.
fn features(package: &Value) -> BTreeMap<String, Vec<String>> {
    let features = package.get("features").and_then(Value::as_object);
    let features = features.into_iter().flatten();
    let features = features.map(|(name, others)| (name.clone(), texts_of(others)));
    features.collect()
}

/// Returns the features that aren't named as unstable or private, as cargo-semver-checks chooses
/// them.
pub(super) fn stable_features(package: &Value) -> Vec<String> {
    let unstable = ["default", "unstable", "nightly", "bench", "no_std"];
    let names = features(package).into_keys().filter(|it| {
        let is_private = it.starts_with(['_']) || it.starts_with("unstable");
        !is_private && !unstable.contains(&it.as_str())
    });
    names.collect()
}

/// Returns the library of a package, unless it is a proc macro or only for other languages.
pub(super) fn library(package: &Value) -> Option<Library> {
    let targets = package.get("targets").and_then(Value::as_array)?;
    let is_library = |target: &&Value| {
        let kinds = texts(target, "kind");
        kinds
            .iter()
            .any(|kind| ["lib", "rlib", "dylib"].contains(&kind.as_str()))
    };
    let target = targets.iter().find(is_library)?;
    Some(Library {
        name: target.get("name")?.as_str()?.replace('-', "_"),
        root: target.get("src_path")?.as_str()?.into(),
        features: features(package),
        imports_from_root: imports_from_root(target),
    })
}

/// Returns true if cargo builds a dynamic library of a package.
pub(super) fn has_dynamic_library(package: &Value) -> bool {
    let targets = package.get("targets").and_then(Value::as_array);
    let kinds = targets
        .unwrap_or_default()
        .iter()
        .flat_map(|it| texts(it, "kind"));
    kinds.into_iter().any(|it| it.ends_with("dylib"))
}

/// Returns the library that code of a package calls by a name, with the features that are on.
pub(super) fn dependency(manifest: &Path, package: &str, name: &str) -> Result<Option<Library>> {
    let metadata = packages(Some(manifest), &[])?;
    let list = |value: &Value, key: &str| {
        let list = value.get(key).and_then(Value::as_array);
        list.unwrap_or_default().to_vec()
    };
    let has =
        |value: &Value, key: &str, text: &str| value.get(key).and_then(Value::as_str) == Some(text);
    let all = list(&metadata, "packages");
    let nodes = metadata.get("resolve").map(|it| list(it, "nodes"));
    let node_of = |id: &str| nodes.iter().flatten().find(|it| has(it, "id", id));
    let found = || {
        let is_own = |it: &&Value| {
            has(it, "name", package)
                && it
                    .get("manifest_path")
                    .and_then(Value::as_str)
                    .map(Path::new)
                    == Some(manifest)
        };
        let id = all.iter().find(is_own)?.get("id")?.as_str()?;
        let dependencies = list(node_of(id)?, "deps");
        let dependency = dependencies.iter().find(|it| has(it, "name", name))?;
        let id = dependency.get("pkg")?.as_str()?;
        let mut library = library(all.iter().find(|it| has(it, "id", id))?)?;
        name.clone_into(&mut library.name);
        let features = [("default".to_owned(), texts(node_of(id)?, "features"))];
        library.features = features.into();
        Some(library)
    };
    Ok(found())
}

/// Returns the root source files of the targets, each with true if it imports from the crate root.
pub(super) fn target_sources(package: &Value) -> impl Iterator<Item = (PathBuf, bool)> {
    let targets = package.get("targets").and_then(Value::as_array);
    targets.unwrap_or_default().iter().filter_map(|target| {
        let source = target.get("src_path")?.as_str()?;
        Some((normal_path(Path::new(source)), imports_from_root(target)))
    })
}

/// Returns true if the imports of a target are relative to the crate root, as in the 2015 edition.
fn imports_from_root(target: &Value) -> bool {
    target.get("edition").and_then(Value::as_str) == Some("2015")
}

/// Returns all dependencies except build dependencies.
pub(super) fn dependencies(package: &Value) -> Vec<Dependency> {
    let dependencies = package.get("dependencies").and_then(Value::as_array);
    let dependencies = dependencies.unwrap_or_default().iter();
    let usable = dependencies
        .filter(|it| it.get("kind").and_then(Value::as_str) != Some("build"))
        .filter_map(|it| {
            let renamed = it.get("rename").and_then(Value::as_str);
            let name = renamed.or(it.get("name").and_then(Value::as_str))?;
            Some(Dependency {
                name: name.replace('-', "_"),
                features: texts(it, "features"),
            })
        });
    usable.collect()
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    value.get(key).map(texts_of).unwrap_or_default()
}

fn texts_of(list: &Value) -> Vec<String> {
    let values = list.as_array().unwrap_or_default().iter();
    values
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}
