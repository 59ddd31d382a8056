//! Why an ensemble can't have a certain size.

use std::fmt;

use crate::fault::Faults;
use crate::limits::{CELLS, SIZES};

/// Why a definition can't have an ensemble of a certain size.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeError {
    /// The number of rows is outside [`SIZES`].
    Rows(usize),
    /// Rows × features are more than [`CELLS`].
    Cells {
        /// The number of rows.
        size: usize,
        /// The number of features.
        features: usize,
        /// The largest size for this number of features.
        most: usize,
    },
    /// Members of the definition that have fewer values than there are rows, or need more rows.
    Definition(Faults),
}

impl fmt::Display for SizeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows(size) => {
                let (least, most) = (SIZES.start(), SIZES.end());
                write!(
                    formatter,
                    "an ensemble has {least} to {most} rows, not {size}"
                )
            }
            Self::Cells { size, features, .. } => {
                let cells = size * features;
                write!(
                    formatter,
                    "{size} rows of {features} features are {cells} cells, but an ensemble has at most {CELLS}"
                )
            }
            Self::Definition(faults) => faults.fmt(formatter),
        }
    }
}

impl std::error::Error for SizeError {}
