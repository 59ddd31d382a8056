//! The options of a test.

mod definition_source;

use std::path::PathBuf;

use crate::row::Taken;
use tdg_definition::table::NullMarks;
use tdg_definition::{Policy, PolicyError, Requirement, RequirementError};
use tdg_engine::Site;
use tdg_engine::config::StoreKind;

pub use definition_source::DefinitionSource;
pub(crate) use definition_source::Source;

/// The options of a test, in the form that its run reads.
#[derive(Clone, Debug)]
pub(crate) struct TestOptions {
    pub(crate) site: Site,
    pub(crate) name: Option<String>,
    pub(crate) definition: Option<DefinitionSource>,
    /// The file of the rows, relative to the package's directory. Without it, they are drawn.
    pub(crate) rows: Option<PathBuf>,
    /// The fields of that file that mean null, in addition to the empty one.
    pub(crate) null: NullMarks,
    pub(crate) size: Option<usize>,
    pub(crate) seed: Option<u64>,
    /// The policy. An error is reported when the test runs.
    pub(crate) policy: Result<Policy, PolicyError>,
    /// The requirements on the outputs. An error is reported when the test runs.
    pub(crate) requirements: Result<Vec<Requirement>, RequirementError>,
    pub(crate) threads: usize,
    /// Set if the snapshot file includes the inputs.
    pub(crate) inputs: Option<bool>,
    pub(crate) store: Option<StoreKind>,
    pub(crate) panics: Panics,
    /// The rows to run in addition to the ensemble, as JSON objects.
    pub(crate) keep: Vec<String>,
    /// The features that the function takes.
    pub(crate) takes: Taken,
}

impl TestOptions {
    /// Returns the defaults for a test at that place.
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

    /// Returns the number of rows to draw.
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
