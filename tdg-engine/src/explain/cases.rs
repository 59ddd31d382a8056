//! The rows on either side.

use super::score::Counts;

/// The cases of both sides, as rows.
#[derive(Clone)]
pub(super) struct Cases {
    /// Those on the explained side.
    pub(super) inside: Vec<u32>,
    /// The others.
    pub(super) outside: Vec<u32>,
}

impl Cases {
    /// Splits the rows by whether they are on the explained side; of some that is not known.
    pub(super) fn of(is_inside: &[Option<bool>]) -> Self {
        let mut cases = Self {
            inside: Vec::new(),
            outside: Vec::new(),
        };
        for (row, is_inside) in is_inside.iter().enumerate() {
            match is_inside {
                Some(true) => cases.inside.push(row as u32),
                Some(false) => cases.outside.push(row as u32),
                None => {}
            }
        }
        cases
    }

    pub(super) fn counts(&self) -> Counts {
        Counts {
            inside: self.inside.len(),
            outside: self.outside.len(),
        }
    }

    /// The rows that satisfy a condition.
    pub(super) fn filter(&self, is_kept: impl Fn(usize) -> bool) -> Self {
        let kept = |rows: &[u32]| -> Vec<u32> {
            let mut kept = Vec::new();
            for &row in rows {
                if is_kept(row as usize) {
                    kept.push(row);
                }
            }
            kept
        };
        Self {
            inside: kept(&self.inside),
            outside: kept(&self.outside),
        }
    }
}
