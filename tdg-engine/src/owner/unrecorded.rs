//! Benchmarks that may be a test's own, recorded under a former name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tdg_definition::Policy;
use tdg_definition::json::{self, Value};
use tdg_definition::sort;

use super::{Owner, snapshot_files};
use crate::config::display_path;
use crate::ensemble::Ensemble;
use crate::output::Outputs;
use crate::report::{FormerOutputs, FormerTest};
use crate::snapshot::{Header, Snapshot};

/// A test without a benchmark, and its outputs.
#[derive(Clone, Copy, Debug)]
pub struct UnrecordedTest<'a> {
    /// The package's directory.
    pub package: &'a Path,
    /// The directory from which messages show paths.
    pub root: &'a Path,
    /// The source file.
    pub source: &'a Path,
    /// The snapshot file that it would have.
    pub file: &'a Path,
    /// What a snapshot file calls the definition.
    pub definition_name: &'a str,
    /// Its rows.
    pub ensemble: &'a Ensemble,
    /// Its outputs.
    pub outputs: &'a Outputs,
    /// How it compares outputs.
    pub policy: &'a Policy,
}

impl UnrecordedTest<'_> {
    /// The tests that have benchmarks in files, but are not in the sources any more, and that may
    /// have been this one: with the same rows, or in the same source file with the same features
    /// or definition file.
    ///
    /// If the outputs of exactly one are those of this test, it is that one.
    pub fn former_tests(&self) -> Vec<FormerTest> {
        let files = headers(self.package);
        let former = files
            .iter()
            .filter_map(|(file, header)| self.former_test(file, header));
        let former: Vec<FormerTest> = former.collect();
        let is_equal = |test: &&FormerTest| test.outputs == FormerOutputs::Same;
        let mut equal = former.iter().filter(is_equal);
        match (equal.next(), equal.next()) {
            (Some(test), None) => vec![test.clone()],
            _ => former,
        }
    }

    fn former_test(&self, file: &Path, header: &Header) -> Option<FormerTest> {
        let has_same_rows = header.ensemble.digest == self.ensemble.digest;
        let is_similar = || file.parent() == self.file.parent() && self.is_alike(header);
        if file == self.file || !(has_same_rows || is_similar()) {
            return None;
        }
        let owner = Owner::of(file, self.package, Some(&header.ensemble.name))?;
        if !has_same_rows && owner.source != self.source || !owner.is_gone() {
            return None;
        }
        Some(FormerTest {
            name: owner.name,
            source: display_path(self.root, &owner.source),
            snapshot_file: display_path(self.root, file),
            outputs: if has_same_rows {
                self.compared(file)
            } else {
                FormerOutputs::OfOtherRows
            },
        })
    }

    /// Whether a definition draws the same features or has the same name.
    fn is_alike(&self, header: &Header) -> bool {
        header.definition_name() == self.definition_name
            || features(&header.ensemble.definition) == features(&self.ensemble.definition)
    }

    fn compared(&self, file: &Path) -> FormerOutputs {
        let Ok(Some(benchmark)) = Snapshot::read(file) else {
            return FormerOutputs::Unknown;
        };
        if benchmark.len() != self.outputs.len() {
            return FormerOutputs::Unknown;
        }
        match benchmark.differing(self.outputs, self.policy) {
            Ok(differing) if !differing.distributions.is_empty() => FormerOutputs::Differing {
                changed: self.outputs.len(),
                cases: self.outputs.len(),
            },
            Ok(differing) if differing.cases.is_empty() => FormerOutputs::Same,
            Ok(differing) => FormerOutputs::Differing {
                changed: differing.cases.len(),
                cases: self.outputs.len(),
            },
            Err(_) => FormerOutputs::Unknown,
        }
    }
}

/// The snapshot files of a package with their heads, as they were when the process first asked:
/// those that it wrote since belong to tests that exist.
fn headers(package: &Path) -> Arc<Vec<(PathBuf, Header)>> {
    type Headers = Arc<Vec<(PathBuf, Header)>>;
    static PACKAGES: Mutex<Option<HashMap<PathBuf, Headers>>> = Mutex::new(None);
    let mut packages = PACKAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let headers = packages.get_or_insert_default().entry(package.to_owned());
    let read = || {
        let files = snapshot_files(package).into_iter();
        let with_header = |file: PathBuf| Header::read(&file).map(|header| (file, header));
        Arc::new(files.filter_map(with_header).collect())
    };
    headers.or_insert_with(read).clone()
}

/// The names and types of a definition's features, in alphabetical order.
fn features(definition: &str) -> Vec<(String, String)> {
    let definition = json::parse(definition).unwrap_or_default();
    let listed = definition.get("features").and_then(Value::as_array);
    let text = |feature: &Value, key: &str| {
        let text = feature.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let feature = |feature: &Value| (text(feature, "feature_name"), text(feature, "type"));
    let mut features: Vec<_> = listed.unwrap_or_default().iter().map(feature).collect();
    sort::by(&mut features, Ord::cmp);
    features
}
