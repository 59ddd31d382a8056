//! The places of a value in recorded and in current rows.

use tdg_definition::Feature;

/// A place in recorded rows and the same place in current rows, such as `lines/qty`.
#[derive(Clone, Debug, Default)]
pub(super) struct PlacePair {
    pub(super) old: String,
    pub(super) new: String,
    /// The place of the shape around it, if any. Nested values of a shape share its place.
    shape: Option<Box<Self>>,
}

impl PlacePair {
    pub(super) fn in_old(mut self, name: &str) -> Self {
        push(&mut self.old, name);
        self
    }

    pub(super) fn in_new(mut self, name: &str) -> Self {
        push(&mut self.new, name);
        self
    }

    /// Returns the place of a part of this value.
    pub(super) fn within(&self, old: &str, new: &str) -> Self {
        self.clone().in_old(old).in_new(new)
    }

    /// Returns this place for a value of the feature, which may be a node of a shape.
    pub(super) fn for_feature(self, feature: &Feature) -> Self {
        match self.shape {
            Some(shape) if feature.is_node() => Self {
                shape: Some(shape.clone()),
                ..*shape
            },
            _ if feature.distribution_name() == "shape" => Self {
                shape: Some(Box::new(self.clone())),
                ..self
            },
            _ => self,
        }
    }
}

fn push(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('/');
    }
    path.push_str(name);
}
