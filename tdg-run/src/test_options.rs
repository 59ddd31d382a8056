//! The options of a test, as its run reads them.

mod definition_source;

use std::path::PathBuf;

use crate::row::Taken;
use tdg_definition::table::NullMarks;
use tdg_definition::{Policy, PolicyError, Requirement, RequirementError};
use tdg_engine::Site;
use tdg_engine::config::StoreKind;

pub use definition_source::DefinitionSource;
pub(crate) use definition_source::Source;

/// The options of a test, as its run reads them.
#[derive(Clone, Debug)]
pub(crate) struct TestOptions {
    pub(crate) site: Site,
    pub(crate) name: Option<String>,
    pub(crate) definition: Option<DefinitionSource>,
    /// The file of the rows, by its path from the package's directory; without it they are drawn.
    pub(crate) rows: Option<PathBuf>,
    /// The fields of that file that mean null, in addition to the empty one.
    pub(crate) null: NullMarks,
    pub(crate) size: Option<usize>,
    pub(crate) seed: Option<u64>,
    /// An error is reported when the test runs.
    pub(crate) policy: Result<Policy, PolicyError>,
    /// What the outputs should be like; an error is reported when the test runs.
    pub(crate) requirements: Result<Vec<Requirement>, RequirementError>,
    pub(crate) threads: usize,
    /// Whether the snapshot file has the inputs.
    pub(crate) inputs: Option<bool>,
    pub(crate) store: Option<StoreKind>,
    pub(crate) panics: Panics,
    /// Rows to run beside the ensemble, as JSON objects.
    pub(crate) keep: Vec<String>,
    /// The features that the function takes.
    pub(crate) takes: Taken,
}

impl TestOptions {
    /// The defaults, for a test at that place.
    pub(crate) fn new(site: Site) -> Self {
        Self {
            site,
            name: None,
            definition: None,
            rows: None,
            null: NullMarks::default(),
            size: None,
            seed: None,
            policy: Ok(Policy::exact()),
            requirements: Ok(Vec::new()),
            threads: 1,
            inputs: None,
            store: None,
            panics: Panics::Fail,
            keep: Vec::new(),
            takes: Taken::row(),
        }
    }

    /// The number of rows to draw.
    pub(crate) fn drawn_size(&self) -> usize {
        self.size.unwrap_or(100)
    }
}

/// The meaning of a panic of the function under test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Panics {
    /// The test fails and shows the rows.
    #[default]
    Fail,
    /// The panic is an outcome: its message is recorded and compared like an output.
    Record,
}
