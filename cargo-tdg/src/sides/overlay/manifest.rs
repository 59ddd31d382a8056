//! The earlier manifest and lock file, with additions for today's tests.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::error::{Context as _, Result};

/// The base directory of paths in a package's manifest, and the corresponding place in the tree.
pub(super) struct ManifestPlaces<'a> {
    pub(super) package: &'a Path,
    pub(super) workspace: &'a Path,
    pub(super) tree: &'a Path,
}

/// The key of dev-dependencies, also below targets.
pub(super) const DEPENDENCIES: &str = "dev-dependencies";

/// Returns a package's earlier manifest with today's dev-dependencies, tests and examples.
pub(super) fn with_tests(
    then: &str,
    now: &str,
    workspace: &str,
    places: &ManifestPlaces<'_>,
) -> Result<String> {
    let mut then: Table = then.parse().context("the old manifest")?;
    let now: Table = now.parse().context("Cargo.toml")?;
    let workspace: Table = workspace.parse().context("Cargo.toml")?;
    let inherited = table(&workspace, &["workspace", "dependencies"]);
    add_dependencies(&mut then, &now, inherited, places);
    for (name, target) in table(&now, &["target"]).into_iter().flatten() {
        if let Some(target) = target.as_table().filter(|it| it.contains_key(DEPENDENCIES))
            && let Some(then) = entry(&mut then, "target").and_then(|it| entry(it, name))
        {
            add_dependencies(then, target, inherited, places);
        }
    }
    for key in ["example", "test"] {
        take(&mut then, &now, key);
    }
    if let (Some(then), Some(now)) = (entry(&mut then, "package"), table(&now, &["package"])) {
        for key in ["autoexamples", "autotests"] {
            take(then, now, key);
        }
    }
    toml::to_string(&then).context("the old manifest")
}

/// Marks the manifest as a workspace root, so that cargo doesn't search parent directories.
pub(super) fn as_root(manifest: &str) -> Result<String> {
    let mut manifest: Table = manifest.parse().context("the old manifest")?;
    entry(&mut manifest, "workspace");
    toml::to_string(&manifest).context("the old manifest")
}

/// Adds packages that only today's lock file has to the earlier one.
pub(super) fn locked(then: &str, now: &str) -> Result<String> {
    let mut then: Table = then.parse().context("the old lock file")?;
    let now: Table = now.parse().context("Cargo.lock")?;
    let identity =
        |package: &Value| ["name", "version", "source"].map(|key| package.get(key).cloned());
    let (Some(Value::Array(then_has)), Some(Value::Array(now_has))) =
        (then.get_mut("package"), now.get("package"))
    else {
        return toml::to_string(&now).context("Cargo.lock");
    };
    for package in now_has {
        if then_has.iter().all(|it| identity(it) != identity(package)) {
            then_has.push(package.clone());
        }
    }
    toml::to_string(&then).context("the old lock file")
}

fn add_dependencies(
    then: &mut Table,
    now: &Table,
    inherited: Option<&Table>,
    places: &ManifestPlaces<'_>,
) {
    let Some(needed) = table(now, &[DEPENDENCIES]) else {
        return;
    };
    let Some(then) = entry(then, DEPENDENCIES) else {
        return;
    };
    // Cargo refuses a version of a package under two names.
    let is_renamed = |name: &str, it: &Value| {
        let package = package_of(name, it);
        !needed.contains_key(name)
            && needed
                .iter()
                .any(|(name, it)| package_of(name, it) == package)
    };
    then.retain(|name, it| !is_renamed(name, it));
    for (name, dependency) in needed {
        let is_inherited = dependency.get("workspace") == Some(&Value::Boolean(true));
        let inherited = inherited
            .filter(|_| is_inherited)
            .and_then(|it| it.get(name));
        let mut stated = match inherited {
            Some(inherited) => with_features(inherited, dependency),
            None => dependency.clone(),
        };
        let base = if inherited.is_some() {
            places.workspace
        } else {
            places.package
        };
        if let Some(Value::String(path)) = stated.get_mut("path") {
            *path = places.moved(&base.join(&*path)).display().to_string();
        }
        then.insert(name.clone(), stated);
    }
}

/// Returns the package of a dependency with this name.
fn package_of<'d>(name: &'d str, dependency: &'d Value) -> &'d str {
    let stated = dependency.get("package").and_then(Value::as_str);
    stated.unwrap_or(name)
}

impl ManifestPlaces<'_> {
    /// Moves paths of workspace members into the tree. Other packages stay where they are.
    fn moved(&self, path: &Path) -> PathBuf {
        let plain = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let path = plain(path);
        match path.strip_prefix(plain(self.workspace)) {
            Ok(inner) => self.tree.join(inner),
            Err(_) => path,
        }
    }
}

/// Merges a workspace dependency with a member's additions.
fn with_features(inherited: &Value, member: &Value) -> Value {
    let mut whole = match inherited {
        Value::Table(table) => table.clone(),
        version => Table::from_iter([("version".to_owned(), version.clone())]),
    };
    if let Some(Value::Array(more)) = member.get("features") {
        let features = whole.entry("features").or_insert(Value::Array(Vec::new()));
        if let Value::Array(features) = features {
            features.extend(more.iter().cloned());
        }
    }
    Value::Table(whole)
}

/// Replaces the value of a key by today's, or removes it.
fn take(then: &mut Table, now: &Table, key: &str) {
    match now.get(key) {
        Some(value) => drop(then.insert(key.to_owned(), value.clone())),
        None => drop(then.remove(key)),
    }
}

fn table<'t>(table: &'t Table, path: &[&str]) -> Option<&'t Table> {
    path.iter()
        .try_fold(table, |table, key| table.get(*key)?.as_table())
}

pub(super) fn entry<'t>(table: &'t mut Table, key: &str) -> Option<&'t mut Table> {
    let entry = table.entry(key).or_insert(Value::Table(Table::new()));
    entry.as_table_mut()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_manifest_of_then_has_the_dev_dependencies_and_test_targets_of_today() {
        let then = "[package]\nname = \"shop\"\nautotests = false\n[dependencies]\nserde = \"1\"\n\
                    [dev-dependencies]\ninsta = \"1\"\ntdg = \"0.1\"\nhelp = \"1\"\n[[test]]\nname = \"old\"\n";
        let now = "[package]\nname = \"shop\"\nversion = \"2.0.0\"\n[dependencies]\nserde = \"2\"\n\
                   [dev-dependencies]\ntdg = { workspace = true, features = [\"tokio\"] }\n\
                   helper = { path = \"../helper\", package = \"help\" }\n\
                   [target.'cfg(unix)'.dev-dependencies]\nlibc = \"0.2\"\n\
                   [[test]]\nname = \"new\"\n";
        let workspace =
            "[workspace.dependencies]\ntdg = { path = \"../tdg\", features = [\"sqlite\"] }\n";
        let places = ManifestPlaces {
            package: Path::new("/now/shop"),
            workspace: Path::new("/now"),
            tree: Path::new("/tree"),
        };
        insta::assert_snapshot!(with_tests(then, now, workspace, &places).unwrap(), @r#"
        [dependencies]
        serde = "1"

        [dev-dependencies]
        insta = "1"

        [dev-dependencies.helper]
        package = "help"
        path = "/tree/shop/../helper"

        [dev-dependencies.tdg]
        features = ["sqlite", "tokio"]
        path = "/tree/../tdg"

        [package]
        name = "shop"

        [target."cfg(unix)".dev-dependencies]
        libc = "0.2"

        [[test]]
        name = "new"
        "#);
    }

    #[test]
    fn the_lock_file_of_then_keeps_its_versions() {
        let package = |name: &str, version: &str| {
            format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n")
        };
        let then = format!("version = 4\n{}", package("serde", "1.0.0"));
        let now = package("serde", "1.0.0") + &package("serde", "2.0.0") + &package("tdg", "0.2.0");
        insta::assert_snapshot!(locked(&then, &now).unwrap(), @r#"
        version = 4

        [[package]]
        name = "serde"
        version = "1.0.0"

        [[package]]
        name = "serde"
        version = "2.0.0"

        [[package]]
        name = "tdg"
        version = "0.2.0"
        "#);
        assert_eq!(
            locked("version = 4\n", &now)
                .unwrap()
                .matches("name")
                .count(),
            3
        );
    }
}
