//! Invalid sizes of ensembles.

use std::fmt;

use crate::fault::Faults;
use crate::limits::{CELLS, SIZES, WORK};

/// The reason why a definition can't have an ensemble of a certain size.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeError {
    /// The number of rows is outside [`SIZES`].
    Rows(usize),
    /// Rows × features exceeds [`CELLS`].
    Cells {
        /// The number of rows.
        size: usize,
        /// The number of features.
        features: usize,
        /// The largest size for this number of features.
        most: usize,
    },
    /// Rows with lists exceed [`CELLS`].
    Nested {
        /// The number of rows.
        size: usize,
        /// The average number of cells per row.
        cells: usize,
        /// The largest size for this number of cells.
        most: usize,
        /// The path of the list with the most cells.
        list: String,
        /// The largest mean length of the list that fits; 0 if none does.
        length: usize,
    },
    /// Drawing exceeds [`WORK`].
    Work {
        /// The number of rows.
        size: usize,
        /// The estimated work.
        work: u64,
        /// The feature that takes most of it, with its distribution; `None` if a relation does.
        most: Option<(String, &'static str)>,
    },
    /// Some members of the definition have fewer values than there are rows, or need more rows.
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
            Self::Nested {
                size,
                cells,
                most,
                list,
                length,
            } => {
                write!(
                    formatter,
                    "a row has about {cells} cells, but an ensemble of {size} at most {CELLS} in \
                     all; "
                )?;
                match (most, length) {
                    (0, 0) => write!(formatter, "make the elements of `{list}` smaller"),
                    (0, _) => write!(formatter, "make `{list}` at most {length} long on average"),
                    (_, 0) => write!(formatter, "use at most {most} rows"),
                    _ => write!(
                        formatter,
                        "use at most {most} rows, or make `{list}` at most {length} long on average"
                    ),
                }
            }
            Self::Work { size, work, most } => {
                let seconds = |work: u64| (work.div_ceil(100_000_000)) as f64 / 10.0;
                let (takes, limit) = (seconds(*work), seconds(WORK));
                write!(
                    formatter,
                    "drawing {size} rows would take about {takes} s, which is more than {limit} s; "
                )?;
                match most {
                    Some((name, distribution)) => write!(
                        formatter,
                        "`{name}` ({distribution}) takes the most: use a simpler distribution or \
                         smaller parameters for it, fewer such features, or fewer rows"
                    ),
                    None => formatter.write_str(
                        "the relations between features take the most: relate fewer features, or \
                         use fewer rows",
                    ),
                }
            }
            Self::Definition(faults) => faults.fmt(formatter),
        }
    }
}

impl std::error::Error for SizeError {}
