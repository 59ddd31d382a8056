//! A run that could not be judged.

use super::{Section, WIDTH};
use tdg_engine::text::wrap;

/// The maximum number of lines of the reason and of the hint.
const LINES: usize = 16;

/// A run that could not be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidRun {
    /// The error and its place.
    pub reason: String,
    /// The fix, unless the reason states it.
    pub hint: Option<String>,
}

impl InvalidRun {
    pub(super) fn text(&self) -> (String, Vec<Section>) {
        let sections = vec![
            wrap(&self.reason, WIDTH, LINES),
            wrap(self.hint.as_deref().unwrap_or_default(), WIDTH, LINES),
        ];
        ("invalid: this run can't be compared".to_owned(), sections)
    }
}
