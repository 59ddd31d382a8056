//! Benchmarks that may be a test's own, recorded under a former name.
//!
//! Only a run without a benchmark asks for them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tdg_definition::json::{self, Value};
use tdg_engine::Ensemble;
use tdg_engine::output::Outputs;
use tdg_engine::owner::{Owner, snapshot_files};
use tdg_engine::report::{FormerOutputs, FormerTest};
use tdg_engine::snapshot::{Header, Snapshot};

use super::plan::Plan;

/// The tests whose benchmarks are in files, but that are not in the sources any more, and that may
/// have been this one: with the same rows, or in the same source file with the same features or
/// definition file.
///
/// If the outputs of exactly one are those of this run, it is that one.
pub(super) fn former_tests(plan: &Plan, ensemble: &Ensemble, outputs: &Outputs) -> Vec<FormerTest> {
    let Some(own) = &plan.file else {
        return Vec::new();
    };
    let files = headers(&plan.place.package);
    let candidates = files.iter().filter(|(file, header)| {
        file != own && (header.ensemble.digest == ensemble.digest || is_alike(plan, file, header))
    });
    let mut former: Vec<FormerTest> = candidates
        .filter_map(|(file, header)| former_test(plan, ensemble, outputs, file, header))
        .collect();
    let is_equal = |test: &&FormerTest| test.outputs == FormerOutputs::Same;
    let mut equal = former.iter().filter(is_equal);
    if let (Some(test), None) = (equal.next(), equal.next()) {
        former = vec![test.clone()];
    }
    former
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

/// Whether a file belongs to the same source file, and its definition draws the same features or
/// has the same name.
fn is_alike(plan: &Plan, file: &Path, header: &Header) -> bool {
    let folder = plan.file.as_ref().and_then(|own| own.parent());
    file.parent() == folder
        && Owner::of(file, &plan.place.package, Some(&header.ensemble.name))
            .is_some_and(|owner| owner.source == plan.place.source)
        && (header.definition_name() == plan.definition_name
            || features(&header.ensemble.definition) == features(&plan.definition.canonical()))
}

fn former_test(
    plan: &Plan,
    ensemble: &Ensemble,
    outputs: &Outputs,
    file: &Path,
    header: &Header,
) -> Option<FormerTest> {
    let owner = Owner::of(file, &plan.place.package, Some(&header.ensemble.name))?;
    if !owner.is_gone() {
        return None;
    }
    Some(FormerTest {
        name: owner.name,
        source: plan.display_path(&owner.source),
        snapshot_file: plan.display_path(file),
        outputs: if header.ensemble.digest == ensemble.digest {
            compared(plan, file, outputs)
        } else {
            FormerOutputs::OfOtherRows
        },
    })
}

fn compared(plan: &Plan, file: &Path, outputs: &Outputs) -> FormerOutputs {
    let Ok(Some(benchmark)) = Snapshot::read(file) else {
        return FormerOutputs::Unknown;
    };
    if benchmark.len() != outputs.len() {
        return FormerOutputs::Unknown;
    }
    match benchmark.differing(outputs, &plan.policy) {
        Ok(differing) if differing.cases.is_empty() => FormerOutputs::Same,
        Ok(differing) => FormerOutputs::Differing {
            changed: differing.cases.len(),
            cases: outputs.len(),
        },
        Err(_) => FormerOutputs::Unknown,
    }
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
    features.sort();
    features
}
