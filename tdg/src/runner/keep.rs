//! Where benchmarks are kept: in snapshot files, which the store follows, or in the store alone.

use std::path::PathBuf;

use super::judge::{Judgement, Write};
use super::plan::Plan;
use super::rows::Rows;
use super::{claims, invalid, say};
use crate::config::Update;
use crate::output::Outputs;
use crate::report::{Invalid, Pending};
use crate::snapshot::{self, Snapshot, render};

/// The benchmark of the test, if there is one.
pub(super) fn benchmark(plan: &Plan) -> Result<Option<Snapshot>, Invalid> {
    match &plan.file {
        Some(file) => Snapshot::read(file).map_err(|error| {
            let path = plan.shown(file);
            invalid(
                error
                    .to_string()
                    .replace(&file.display().to_string(), &path),
                "",
            )
        }),
        None => in_store::benchmark(plan),
    }
}

/// What reports say of where outputs wait for a decision.
pub(super) fn pending_place(plan: &Plan) -> Result<Pending, Invalid> {
    let mode = &plan.settings.update;
    if mode.update == Update::No {
        let because = mode.because.clone();
        return Ok(Pending::Nowhere { because });
    }
    Ok(match pending_file(plan)? {
        Some(file) => Pending::InFile(plan.shown(&file)),
        None => Pending::InStore,
    })
}

fn pending_file(plan: &Plan) -> Result<Option<PathBuf>, Invalid> {
    let Some(file) = &plan.file else {
        return Ok(None);
    };
    let pending = plan.settings.insta.pending_file(file, &plan.place.root);
    pending.map(Some).map_err(|error| invalid(error, ""))
}

/// Writes what the run is to leave behind: first the store, then files.
///
/// A run that is killed in between leaves the old file, and the store follows the file.
pub(super) fn keep(
    plan: &Plan,
    rows: &Rows,
    outputs: &Outputs,
    judgement: &Judgement,
) -> Result<(), Invalid> {
    if plan.settings.update.update == Update::No {
        return Ok(());
    }
    in_store::commit(plan, rows, outputs, judgement)?;
    let (Some(file), Some(pending)) = (&plan.file, pending_file(plan)?) else {
        return Ok(());
    };
    let text = || snapshot_text(plan, rows, outputs);
    let written = match judgement.write {
        Write::Benchmark => snapshot::save(file, &text())
            .and_then(|()| snapshot::remove(&pending))
            .map(drop),
        Write::Pending => snapshot::save(&pending, &text()),
        Write::Nothing if judgement.failure.is_none() => snapshot::remove(&pending).map(drop),
        Write::Nothing => Ok(()),
    };
    written.map_err(|error| {
        invalid(
            error,
            "the benchmark is what it was before this run; make room or the directory writable",
        )
    })
}

/// The run as a snapshot file.
fn snapshot_text(plan: &Plan, rows: &Rows, outputs: &Outputs) -> String {
    let size = rows.ensemble.size;
    let cases = if size == 1 { "case" } else { "cases" };
    render(
        &plan.test.name,
        &format!("{size} {cases} of {}", plan.definition_name),
        &rows.ensemble,
        |case, text| rows.vectors.write_row(case, text),
        |case, text| text.push_str(outputs.get(case)),
    )
}

#[cfg(feature = "sqlite-system")]
mod in_store {
    use std::sync::Arc;

    use super::super::judge::ExpectedOutputs;
    use super::*;
    use crate::json::Reader;
    use crate::store::{Change, Claim, Expected, Run, Store, StoreError};

    /// The benchmark as the snapshot that it would be.
    pub(super) fn benchmark(plan: &Plan) -> Result<Option<Snapshot>, Invalid> {
        let store = Store::shared(&plan.settings.directory).map_err(|error| invalid(error, ""))?;
        let kept = store
            .benchmark(&plan.test)
            .map_err(|error| invalid(error, ""))?;
        let Some(kept) = kept else { return Ok(None) };
        let damaged = |what: &str| {
            invalid(
                format!("{what} of the benchmark in the store is damaged"),
                "",
            )
        };
        let rows =
            elements(kept.vectors.as_deref().unwrap_or("[]")).ok_or_else(|| damaged("the data"))?;
        let outputs = elements(&kept.outputs).ok_or_else(|| damaged("the output"))?;
        if rows.len() != kept.ensemble.size || outputs.len() != kept.ensemble.size {
            return Err(damaged("the size"));
        }
        let text = render(
            &plan.test.name,
            "",
            &kept.ensemble,
            |case, text| text.push_str(rows[case]),
            |case, text| text.push_str(outputs[case]),
        );
        Snapshot::parse(text)
            .map(Some)
            .map_err(|error| invalid(error, ""))
    }

    /// The texts of the elements of a JSON array.
    fn elements(text: &str) -> Option<Vec<&str>> {
        let mut reader = Reader::new(text);
        let mut elements = Vec::new();
        reader.begin_array().ok()?;
        while reader.next_element().ok()? {
            let start = reader.offset();
            reader.skip_value().ok()?;
            elements.push(text[start..reader.offset()].trim());
        }
        Some(elements)
    }

    /// Adds the run to the history.
    pub(super) fn commit(
        plan: &Plan,
        rows: &Rows,
        outputs: &Outputs,
        judgement: &Judgement,
    ) -> Result<(), Invalid> {
        match Store::shared(&plan.settings.directory)
            .and_then(|store| write(&store, plan, rows, outputs, judgement).map_err(Arc::new))
        {
            Ok(()) => Ok(()),
            Err(error) if plan.file.is_some() && error.is_unavailable() => {
                notice_once(&error);
                Ok(())
            }
            Err(error) => Err(invalid(error, "")),
        }
    }

    fn write(
        store: &Store,
        plan: &Plan,
        rows: &Rows,
        outputs: &Outputs,
        judgement: &Judgement,
    ) -> Result<(), StoreError> {
        // Where a snapshot file holds the rows, the store need not.
        let vectors = plan.file.is_none().then(|| rows.vectors.to_json());
        let now = Expected {
            ensemble: &rows.ensemble,
            vectors: vectors.as_deref(),
            outputs: outputs.as_json(),
        };
        let before = |outputs| Expected {
            ensemble: rows.recorded.as_ref().unwrap_or(&rows.ensemble),
            vectors: None,
            outputs,
        };
        let benchmark = match (judgement.write, &judgement.expected) {
            (Write::Benchmark, _) => Some(now),
            (_, ExpectedOutputs::Actual) => Some(before(outputs.as_json())),
            (_, ExpectedOutputs::Other(expected)) => Some(before(expected)),
            (_, ExpectedOutputs::Unknown) => None,
        };
        store.commit(&Run {
            test: &plan.test,
            claim: Claim {
                function: &claims::claimant(plan),
                run: plan.run_id.as_deref(),
            },
            verdict: judgement.verdict,
            cases: rows.ensemble.size,
            changed: judgement.changed,
            tolerance_use: judgement.tolerance_use,
            benchmark,
            change: match judgement.write {
                Write::Benchmark => Change::Clear,
                Write::Pending => Change::Set(now),
                Write::Nothing if judgement.failure.is_none() => Change::Clear,
                Write::Nothing => Change::Keep,
            },
            reason: None,
        })?;
        Ok(())
    }

    /// The same in every test of a process: said once.
    fn notice_once(error: &StoreError) {
        static SAID: std::sync::Once = std::sync::Once::new();
        SAID.call_once(|| say(&format!("tdg: no history is kept: {error}")));
    }
}

#[cfg(not(feature = "sqlite-system"))]
mod in_store {
    use super::*;

    /// Refused before, when the run was planned.
    pub(super) fn benchmark(_: &Plan) -> Result<Option<Snapshot>, Invalid> {
        Ok(None)
    }

    pub(super) fn commit(_: &Plan, _: &Rows, _: &Outputs, _: &Judgement) -> Result<(), Invalid> {
        let _ = claims::claimant;
        let _ = say;
        Ok(())
    }
}
