//! The policy at one place of an output.

use tdg_definition::json::Number;
use tdg_definition::policy::PolicyNode;
use tdg_definition::{Policy, Tolerance};

/// The combined policy of all nodes whose pointers lead to one place.
#[derive(Clone, Debug, Default)]
pub(super) struct PolicyAt<'p> {
    /// Set by the most specific pointer that leads to this place or one above.
    pub(super) tolerance: Tolerance,
    /// Set if values aren't compared case by case.
    pub(super) ignored: bool,
    pub(super) unordered: bool,
    is_f32: bool,
    /// The nodes of this place, the most specific first. Most places have at most one.
    first: Option<&'p PolicyNode>,
    others: Vec<&'p PolicyNode>,
}

impl<'p> PolicyAt<'p> {
    pub(super) fn root(policy: &'p Policy) -> Self {
        let mut root = Self::default();
        let own = root.add(PolicyNode::root(policy));
        root.tolerance = own.unwrap_or_default();
        if let Some(f32s) = PolicyNode::f32s(policy) {
            root.add(f32s);
        }
        root
    }

    pub(super) fn at_key(&self, key: &str) -> Self {
        self.at(Some(key))
    }

    pub(super) fn at_index(&self, index: usize) -> Self {
        // Most arrays have no nodes for single elements, and many elements.
        if !self.nodes().any(PolicyNode::has_names) {
            return self.at_any();
        }
        self.at(Some(&index.to_string()))
    }

    /// Returns the policy of any element of an unordered array.
    pub(super) fn at_any(&self) -> Self {
        self.at(None)
    }

    /// Returns true if values aren't compared at all.
    pub(super) fn is_left_out(&self) -> bool {
        self.ignored && !self.nodes().any(PolicyNode::has_distribution)
    }

    /// Returns true if no pointer leads to this place or below it.
    pub(super) fn has_no_nodes(&self) -> bool {
        self.first.is_none()
    }

    fn at(&self, name: Option<&str>) -> Self {
        let mut below = Self::default();
        let mut own = None;
        // Names before `*`, and earlier nodes before later ones: the most specific stays first.
        for node in self.nodes() {
            if let Some(named) = name.and_then(|name| node.named(name)) {
                own = own.or(below.add(named));
            }
            if let Some(any) = node.any() {
                own = own.or(below.add(any));
            }
        }
        below.tolerance = own.unwrap_or(self.tolerance);
        below.is_f32 |= self.is_f32;
        below
    }

    /// Converts the number to the numeric type of this place.
    pub(super) fn typed(&self, number: Number) -> Number {
        match self.is_f32 {
            true => number.of_f32(),
            false => number,
        }
    }

    fn nodes(&self) -> impl Iterator<Item = &'p PolicyNode> {
        self.first.into_iter().chain(self.others.iter().copied())
    }

    /// Adds a node that is less specific than the ones before it, and returns its tolerance.
    fn add(&mut self, node: &'p PolicyNode) -> Option<Tolerance> {
        match self.first {
            None => self.first = Some(node),
            Some(_) => self.others.push(node),
        }
        self.ignored |= node.is_ignored() || node.has_distribution();
        self.unordered |= node.is_unordered();
        self.is_f32 |= node.is_f32();
        node.tolerance()
    }
}
