//! The copy of a side whose functions record their calls.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::Overlay;
use super::manifest::{DEPENDENCIES, entry};
use super::source_tests::without_tests;
use crate::error::{Context as _, Result};
use crate::sides::side::RECORDER;
use crate::workspace::{Package, Workspace};

impl Overlay {
    /// Makes the packages of a side build with the recorder, and without benchmarks.
    pub(crate) fn add_recorder(
        &mut self,
        from: &Workspace,
        package: &Package,
        (recorder, documentation): (&Path, Option<String>),
    ) -> Result<()> {
        let at = self.place(from, package);
        let manifest = at.join("Cargo.toml");
        if let Some(text) = self.tree.text(&manifest)? {
            let mut sources = vec![documentation.clone().unwrap_or_default()];
            let mut benchmarks = Vec::new();
            for path in self.tree.rust_files(&at) {
                let is_benchmark = path.starts_with(at.join("benches"));
                let texts = if is_benchmark {
                    &mut benchmarks
                } else {
                    &mut sources
                };
                texts.extend(self.tree.text(&path)?);
            }
            let named = |texts: &[String], name: &str| texts.iter().any(|it| it.contains(name));
            let is_harness = |it: &str| named(&benchmarks, it) && !named(&sources, it);
            let (text, others) = with_recorder(&text, recorder, documentation.is_some())?;
            self.tree
                .write(&manifest, without_harness(&text, is_harness)?);
            let others = others.iter().map(|it| at.join(it)).collect();
            self.leave_out_all(others, "has `harness = false`");
        }
        if let Some(tests) = documentation {
            self.tree.write(&at.join(DOCUMENTATION), tests);
        }
        Ok(())
    }

    /// Returns the source files of a package that aren't only for tests, with their texts.
    pub(crate) fn sources(&self, at: &Path) -> Result<Vec<(PathBuf, String)>> {
        let mut sources = Vec::new();
        for path in self.tree.rust_files(&at.join("src")) {
            let text = self.tree.text(&path)?.unwrap_or_default();
            sources.push((path, text));
        }
        Ok(without_tests(sources))
    }
}

/// The file with the tests of the documentation.
const DOCUMENTATION: &str = "tests/tdg_documentation.rs";

/// Adds the recorder to a package's dependencies. Leaves out targets that aren't tests, or that
/// don't list theirs, and returns the paths of the latter.
fn with_recorder(
    manifest: &str,
    recorder: &Path,
    has_documentation: bool,
) -> Result<(String, Vec<String>)> {
    let mut manifest: Table = manifest.parse().context("Cargo.toml")?;
    let text = |text: &str| Value::from(text);
    if let Some(dependencies) = entry(&mut manifest, "dependencies") {
        let path = Table::from_iter([("path".to_owned(), text(&recorder.display().to_string()))]);
        dependencies.insert(RECORDER.to_owned(), Value::Table(path));
    }
    if let Some(package) = entry(&mut manifest, "package") {
        package.insert("autobenches".to_owned(), false.into());
    }
    manifest.remove("bench");
    let mut others = Vec::new();
    let tests = manifest.entry("test").or_insert(Value::Array(Vec::new()));
    if let Value::Array(tests) = tests {
        let is_other = |it: &Value| it.get("harness").and_then(Value::as_bool) == Some(false);
        others.extend(tests.iter().filter(|it| is_other(it)).filter_map(path_of));
        tests.retain(|it| !is_other(it));
        let documentation = [("name", "tdg_documentation"), ("path", DOCUMENTATION)];
        let documentation = documentation.map(|(key, it)| (key.to_owned(), text(it)));
        tests.extend(has_documentation.then(|| Value::Table(Table::from_iter(documentation))));
    }
    Ok((toml::to_string(&manifest).context("Cargo.toml")?, others))
}

/// Removes dev-dependencies that only benchmarks name, unless they may turn on features.
fn without_harness(manifest: &str, is_harness: impl Fn(&str) -> bool) -> Result<String> {
    let mut manifest: Table = manifest.parse().context("Cargo.toml")?;
    let others = manifest.get("dependencies").and_then(Value::as_table);
    let others: BTreeSet<String> = others.into_iter().flat_map(Table::keys).cloned().collect();
    let features = manifest
        .get("features")
        .map(Value::to_string)
        .unwrap_or_default();
    if let Some(Value::Table(dependencies)) = manifest.get_mut(DEPENDENCIES) {
        dependencies.retain(|key, _| {
            !is_harness(&key.replace('-', "_"))
                || others.contains(key)
                || features.contains(&format!("{key}/"))
        });
    }
    toml::to_string(&manifest).context("Cargo.toml")
}

/// Returns the path of a test, as stated or as cargo finds it by the name.
fn path_of(test: &Value) -> Option<String> {
    let stated = |key: &str| Some(test.get(key)?.as_str()?.to_owned());
    stated("path").or_else(|| Some(format!("tests/{}.rs", stated("name")?)))
}

// Windows writes other paths.
#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::sides::path_dependencies::with_absolute_paths;

    #[test]
    fn dev_dependencies_that_only_benchmarks_name_are_not_built() {
        let manifest = "[features]\nbig = [\"num-rs/std\"]\n[dependencies]\nserde = \"1\"\n\
                        [dev-dependencies]\ncriterion = { version = \"1\", features = [\"html\"] }\n\
                        num-rs = \"1\"\nquick-check = \"1\"\nserde = { version = \"1\", features = [\"rc\"] }\n";
        let manifest = without_harness(manifest, |it| it != "quick_check").unwrap();
        let manifest: Table = manifest.parse().unwrap();
        let kept = manifest[DEPENDENCIES].as_table().unwrap();
        assert_eq!(
            kept.keys().collect::<Vec<_>>(),
            ["num-rs", "quick-check", "serde"]
        );
    }

    #[test]
    fn a_copy_has_the_recorder_and_only_tests() {
        let manifest = "[package]\nname = \"shop\"\n[dependencies]\nnear = { path = \"near\" }\n\
                        far = { path = \"../far\" }\n[[test]]\nname = \"own\"\nharness = false\n\
                        [[bench]]\nname = \"shown\"\n[[bin]]\nname = \"shop\"\npath = \"main.rs\"\n";
        let here = Path::new("/now/shop");
        let moved = with_absolute_paths(manifest, here, here).unwrap();
        let recorder = Path::new("/target/recorder");
        let (manifest, others) = with_recorder(&moved, recorder, true).unwrap();
        assert_eq!(others, ["tests/own.rs"]);
        insta::assert_snapshot!(manifest, @r#"
        [[bin]]
        name = "shop"
        path = "main.rs"

        [dependencies.far]
        path = "/now/far"

        [dependencies.near]
        path = "near"

        [dependencies.tdg_calls]
        path = "/target/recorder"

        [package]
        autobenches = false
        name = "shop"

        [[test]]
        name = "tdg_documentation"
        path = "tests/tdg_documentation.rs"
        "#);
    }
}
