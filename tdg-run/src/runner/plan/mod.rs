//! The plan of a run.

pub(super) mod benchmark_claims;
pub(super) mod retry;
pub(super) mod rows_file;

use std::path::{Path, PathBuf};

use tdg_definition::json::Value;
use tdg_definition::{Definition, Policy, Requirement};
use tdg_engine::config::{Settings, TestPlace, display_path};
use tdg_engine::output::F32Places;
use tdg_engine::snapshot::SnapshotError;
use tdg_engine::{Takes, TestId};
use tdg_report::{DefinitionForm, PendingPlace};

use super::cases::run_options::RunOptions;
use super::cases::test_target::path_in_crate;
use super::error::{Result, RunError};
use crate::test_options::TestOptions;
use retry::Retry;
use rows_file::RowsFile;

/// Everything that a run needs before it begins.
pub(super) struct Plan {
    pub(super) test: TestId,
    /// The options as the test states them. The resolved ones are below.
    pub(super) stated: TestOptions,
    pub(super) place: TestPlace,
    pub(super) settings: Settings,
    pub(super) definition: Definition,
    /// The definition's canonical JSON.
    pub(super) definition_text: String,
    /// The definition's name in the snapshot file.
    pub(super) definition_name: String,
    /// The form in which the test states the definition.
    pub(super) definition_form: DefinitionForm,
    pub(super) size: usize,
    pub(super) seed: u64,
    /// The rows to run in addition to the ensemble, each with the values of all features.
    pub(super) keep: Vec<Vec<Value>>,
    pub(super) policy: Policy,
    /// The requirements on the outputs.
    pub(super) requirements: Vec<Requirement>,
    pub(super) options: RunOptions,
    /// The rows of a file, unless they are drawn.
    pub(super) rows: Option<RowsFile>,
    /// True if the snapshot file has the inputs.
    pub(super) inputs: bool,
    /// The snapshot file, unless benchmarks are only in the store.
    pub(super) file: Option<PathBuf>,
    /// The identifier that all test processes of a run share, if any.
    pub(super) run_id: Option<String>,
    /// Set if an earlier attempt failed.
    pub(super) retry: Option<Retry>,
}

impl Plan {
    /// Marks the `f32`s in the policy, so that their ULP are counted in `f32`.
    pub(super) fn note_f32s<'p>(&mut self, all: impl IntoIterator<Item = &'p F32Places>) {
        for places in all {
            self.policy = places.in_policy(&self.policy);
        }
    }

    /// Returns the features that the function takes.
    pub(super) fn takes(&self) -> Takes {
        let features = self.definition.features().iter();
        self.stated
            .takes
            .among(features.map(|feature| feature.name()))
    }

    /// Returns true if the test's name isn't its function's.
    pub(super) fn is_named(&self) -> bool {
        self.stated.name.is_some()
    }

    /// Returns true if `cargo insta test` reports a pending change and lets the test pass.
    pub(super) fn is_left_to_insta(&self) -> bool {
        self.settings.insta.force_pass() && self.file.is_some()
    }

    /// Returns the kept rows as JSON objects, in the order of the definition.
    pub(super) fn kept_objects(&self) -> Vec<String> {
        let features = self.definition.features().iter();
        let names: Vec<Value> = features.map(|it| Value::from(it.name())).collect();
        let object = |values: &Vec<Value>| {
            let members = names.iter().zip(values);
            let members = members.map(|(name, value)| format!("{name}:{value}"));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        };
        self.keep.iter().map(object).collect()
    }

    /// Returns the name of the function under test for messages.
    pub(super) fn function_name(&self) -> &str {
        match self.stated.site.function {
            "" => "the function",
            function => function,
        }
    }

    /// Returns the running function's name in libtest, or the name of the thread in which it began.
    pub(super) fn libtest_name(&self) -> String {
        match self.stated.site.function {
            "" => self
                .options
                .subject
                .thread
                .name()
                .unwrap_or_default()
                .to_owned(),
            _ => path_in_crate(&self.stated.site),
        }
    }

    /// Returns the place of the benchmark for messages.
    pub(super) fn benchmark_place(&self) -> String {
        match &self.file {
            Some(file) => self.display_path(file),
            None => "the benchmark in the store".to_owned(),
        }
    }

    /// Returns the place of pending outputs for reports.
    pub(super) fn pending_place(&self) -> Result<PendingPlace> {
        if !self.settings.may_write() {
            let because = self.settings.update.because.clone();
            return Ok(PendingPlace::Nowhere { because });
        }
        Ok(match self.pending_file()? {
            Some(file) => PendingPlace::InFile(self.display_path(&file)),
            None => PendingPlace::InStore,
        })
    }

    /// Returns the file for pending outputs, or `None` if benchmarks are only in the store.
    pub(super) fn pending_file(&self) -> Result<Option<PathBuf>> {
        let Some(file) = &self.file else {
            return Ok(None);
        };
        let pending = self.settings.insta.pending_file(file, &self.place.root)?;
        Ok(Some(pending))
    }

    /// Returns a path for messages, relative to the root.
    pub(super) fn display_path(&self, path: &Path) -> String {
        display_path(&self.place.root, path)
    }

    /// Creates the error for a benchmark that can't be read, with its file relative to the root.
    pub(super) fn unreadable(&self, error: SnapshotError) -> RunError {
        match &self.file {
            Some(file) => error.in_file(Path::new(&self.display_path(file))).into(),
            None => error.into(),
        }
    }
}
