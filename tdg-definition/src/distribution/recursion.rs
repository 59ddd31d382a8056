//! How values contain others of the shape that they are in.

/// What a feature within a shape has of further nodes of that shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recursion {
    /// How many nodes, on average.
    pub mean: f64,
    /// The most nodes.
    pub most: u64,
    /// The places in the definition where they are.
    pub places: usize,
    /// Whether it can do without any.
    pub ends: bool,
}

impl Recursion {
    /// There are none.
    pub const NONE: Self = Self {
        mean: 0.0,
        most: 0,
        places: 0,
        ends: true,
    };

    /// It is a node itself.
    pub(super) const NODE: Self = Self {
        mean: 1.0,
        most: 1,
        places: 1,
        ends: false,
    };

    /// Whether there are any.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.places > 0
    }

    /// Of a value that has all of these parts.
    pub(super) fn of_all(parts: impl Iterator<Item = Self>) -> Self {
        parts.fold(Self::NONE, |all, part| Self {
            mean: all.mean + part.mean,
            most: all.most.saturating_add(part.most),
            places: all.places + part.places,
            ends: all.ends && part.ends,
        })
    }

    /// Of a value that has one of these parts, each with its probability.
    pub(super) fn of_one(parts: &[(f64, Self)]) -> Self {
        let mut possible = parts.iter().filter(|(probability, _)| *probability > 0.0);
        // Where some do without, only these are taken at an end.
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

    /// Of a list of such elements, which can be empty or not.
    pub(super) fn of_list(self, mean: f64, longest: usize, can_be_empty: bool) -> Self {
        Self {
            mean: mean * self.mean,
            most: self.most.saturating_mul(longest as u64),
            places: self.places,
            ends: self.ends || can_be_empty,
        }
    }

    /// Of a value that is null in that share of the rows.
    pub(crate) fn or_null(self, probability: f64) -> Self {
        Self {
            mean: self.mean * (1.0 - probability),
            ends: self.ends || probability > 0.0,
            ..self
        }
    }
}
