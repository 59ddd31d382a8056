//! Values that contain others of the enclosing shape.

use crate::column::Cells;
use crate::random::StreamRows;

/// The name, in a node's scope, of the flag that it must not contain others. Not a valid name.
pub(super) const IS_CLOSED: &str = "\u{1f}";

/// Marks rows within nodes that must not contain further nodes; `None` outside of shapes.
pub(super) fn closed(rows: &StreamRows<'_>) -> Option<Vec<bool>> {
    let scope = rows.scope()?;
    let closed = scope.find(&[IS_CLOSED.to_owned()], rows.len())?;
    let is_closed = |row| match closed.get(row).map(|(column, row)| (column.cells(), row)) {
        Some((Cells::Boolean(values), row)) => values[row],
        _ => false,
    };
    Some((0..rows.len()).map(is_closed).collect())
}

/// The further nodes of a shape that a feature within it contains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Recursion {
    /// The average number of nodes.
    pub(super) mean: f64,
    /// The largest number of nodes.
    pub(super) most: u64,
    /// The number of their places in the definition.
    pub(super) places: usize,
    /// True if the value can do without nodes.
    pub(super) ends: bool,
}

impl Recursion {
    /// No nodes.
    pub(super) const NONE: Self = Self {
        mean: 0.0,
        most: 0,
        places: 0,
        ends: true,
    };

    /// A single node.
    pub(super) const NODE: Self = Self {
        mean: 1.0,
        most: 1,
        places: 1,
        ends: false,
    };

    /// Returns true if it contains any nodes.
    pub(super) fn is_any(&self) -> bool {
        self.places > 0
    }

    /// Combines the parts of a value that has all of them.
    pub(super) fn of_all(parts: impl Iterator<Item = Self>) -> Self {
        parts.fold(Self::NONE, |all, part| Self {
            mean: all.mean + part.mean,
            most: all.most.saturating_add(part.most),
            places: all.places + part.places,
            ends: all.ends && part.ends,
        })
    }

    /// Combines the alternatives of a value, each with its probability.
    pub(super) fn of_one(parts: &[(f64, Self)]) -> Self {
        let mut possible = parts.iter().filter(|(probability, _)| *probability > 0.0);
        // At the deepest level, only alternatives without nodes are drawn, if there are any.
        let ends =
            possible.clone().any(|(_, part)| !part.is_any()) || possible.all(|(_, part)| part.ends);
        let mut one = Self { ends, ..Self::NONE };
        for (probability, part) in parts {
            one.mean += probability * part.mean;
            one.most = one.most.max(part.most);
            one.places += part.places;
        }
        one
    }

    /// The nodes of a list with such elements.
    pub(super) fn of_list(self, mean: f64, longest: usize, can_be_empty: bool) -> Self {
        Self {
            mean: mean * self.mean,
            most: self.most.saturating_mul(longest as u64),
            places: self.places,
            ends: self.ends || can_be_empty,
        }
    }

    /// The nodes of a value that is null with this probability.
    pub(super) fn or_null(self, probability: f64) -> Self {
        Self {
            mean: self.mean * (1.0 - probability),
            ends: self.ends || probability > 0.0,
            ..self
        }
    }
}
