//! Sample changes for tests.

use tdg_definition::Definition;
use tdg_engine::snapshot::{self, Snapshot};
use tdg_engine::{Ensemble, Vectors};

use super::change::PendingChange;
use super::run_details::RunDetails;

/// Returns a change of the outputs of `size` rows. The outputs are JSON, by case.
pub(crate) fn change(
    definition: &str,
    size: usize,
    expected: impl Fn(usize) -> String,
    actual: impl Fn(usize) -> String,
) -> PendingChange {
    let vectors = Vectors::generate(&Definition::parse(definition).unwrap(), 0, size);
    let ensemble = Ensemble {
        name: "sample".to_owned(),
        size,
        seed: 0,
        sampler_version: 1,
        digest: "52fdfc072182654f163f5f0f9a621d72".to_owned(),
        definition: definition.replace('\n', ""),
        rows: None,
    };
    let snapshot = |output: &dyn Fn(usize) -> String| {
        let text = snapshot::render(
            "sample",
            "",
            &ensemble,
            |case, text| text.push_str(&format!("[{}]", vectors.cells(case).join(","))),
            |case, text| text.push_str(&output(case)),
        );
        Snapshot::parse(text).unwrap()
    };
    PendingChange::of_run(
        Some(snapshot(&expected)),
        snapshot(&actual),
        RunDetails::default(),
    )
}
