//! Everything that a run has to know before it begins.

use std::path::{Path, PathBuf};

use tdg_definition::Definition;
use tdg_definition::json::Value;
use tdg_definition::{Policy, Requirement};
use tdg_engine::config::{Settings, TestPlace, display_path};
use tdg_engine::output::F32Places;
use tdg_report::{DefinitionForm, PendingPlace};
use tdg_engine::snapshot::SnapshotError;
use tdg_engine::{Takes, TestId};

use super::error::{Result, RunError};
use super::retry::Retry;
use super::rows_file::RowsFile;
use super::run_options::RunOptions;
use super::subject::path_in_crate;
use crate::test_options::TestOptions;

/// Everything that a run has to know before it begins.
pub(super) struct Plan {
    pub(super) test: TestId,
    /// The options as the test states them. What is settled of them is below.
    pub(super) stated: TestOptions,
    pub(super) place: TestPlace,
    pub(super) settings: Settings,
    pub(super) definition: Definition,
    /// Its canonical JSON.
    pub(super) definition_text: String,
    /// What the snapshot file calls the definition.
    pub(super) definition_name: String,
    /// How the test states it.
    pub(super) definition_form: DefinitionForm,
    pub(super) size: usize,
    pub(super) seed: u64,
    /// The rows to run beside the ensemble, each with the values of all features.
    pub(super) keep: Vec<Vec<Value>>,
    pub(super) policy: Policy,
    /// What the outputs should be like.
    pub(super) requirements: Vec<Requirement>,
    pub(super) options: RunOptions,
    /// The rows, where they are not drawn.
    pub(super) rows: Option<RowsFile>,
    /// Whether the snapshot file has the inputs.
    pub(super) inputs: bool,
    /// The snapshot file, unless benchmarks are kept in the store alone.
    pub(super) file: Option<PathBuf>,
    /// Names the whole run of all test processes, where something does.
    pub(super) run_id: Option<String>,
    /// Set if an attempt before this one failed.
    pub(super) retry: Option<Retry>,
}

impl Plan {
    /// Counts the ULP of the `f32`s among outputs in these.
    pub(super) fn note_f32s<'p>(&mut self, all: impl IntoIterator<Item = &'p F32Places>) {
        for places in all {
            self.policy = places.in_policy(&self.policy);
        }
    }

    /// The features that the function takes.
    pub(super) fn takes(&self) -> Takes {
        let features = self.definition.features().iter();
        self.stated
            .takes
            .among(features.map(|feature| feature.name()))
    }

    /// Whether its name is not that of its function.
    pub(super) fn is_named(&self) -> bool {
        self.stated.name.is_some()
    }

    /// Whether `cargo insta test` reports a pending change, and lets the test pass.
    pub(super) fn is_left_to_insta(&self) -> bool {
        self.settings.insta.force_pass() && self.file.is_some()
    }

    /// The kept rows as JSON objects, in the order of the definition.
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

    /// The function under test, as messages name it.
    pub(super) fn function_name(&self) -> &str {
        match self.stated.site.function {
            "" => "the function",
            function => function,
        }
    }

    /// The function that is running, as libtest calls it and the thread in which it began.
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

    /// Where the benchmark is, as messages say it.
    pub(super) fn benchmark_place(&self) -> String {
        match &self.file {
            Some(file) => self.display_path(file),
            None => "the benchmark in the store".to_owned(),
        }
    }

    /// Where pending outputs are, as reports show it.
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

    /// The file of outputs that are pending, unless benchmarks are kept in the store alone.
    pub(super) fn pending_file(&self) -> Result<Option<PathBuf>> {
        let Some(file) = &self.file else {
            return Ok(None);
        };
        let pending = self.settings.insta.pending_file(file, &self.place.root)?;
        Ok(Some(pending))
    }

    /// A path as messages show it: from the root.
    pub(super) fn display_path(&self, path: &Path) -> String {
        display_path(&self.place.root, path)
    }

    /// A benchmark that can't be read; its file is named as all messages name files.
    pub(super) fn unreadable(&self, error: SnapshotError) -> RunError {
        match &self.file {
            Some(file) => error.in_file(Path::new(&self.display_path(file))).into(),
            None => error.into(),
        }
    }
}
