//! A run that could not be judged.

use super::text::wrap;
use super::{Section, WIDTH};

/// How many lines of the reason are shown, and of the fix.
const LINES: usize = 16;

/// A run that could not be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// What is wrong, and where.
    pub reason: String,
    /// What to do about it; empty if the reason says it.
    pub fix: String,
}

impl Invalid {
    pub(super) fn text(&self) -> (String, Vec<Section>) {
        let sections = vec![
            wrap(&self.reason, WIDTH, LINES),
            wrap(&self.fix, WIDTH, LINES),
        ];
        ("invalid: the run could not be judged".to_owned(), sections)
    }
}
