//! The policy as a tree that follows the output's structure.

use super::{Policy, Tolerance};
use crate::fault::Invalid;
use crate::json::{Pointer, Value};

/// The pointer segment that matches every element of an array and every value of an object.
pub const ANY: &str = "*";

/// The policy for one place of an output, and for the places below it.
///
/// ```
/// use tdg_definition::Policy;
/// use tdg_definition::policy::PolicyNode;
///
/// let policy = Policy::exact().ignore("/lines/*/id")?;
/// let lines = PolicyNode::root(&policy).named("lines").unwrap();
/// assert!(!lines.is_ignored());
/// assert!(lines.any().and_then(|line| line.named("id")).unwrap().is_ignored());
/// # Ok::<(), tdg_definition::PolicyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolicyNode {
    pub(super) tolerance: Option<Tolerance>,
    pub(super) ignored: bool,
    pub(super) unordered: bool,
    /// The rate of false alarms for comparing the distribution at this place.
    pub(super) distribution: Option<f64>,
    pub(super) is_f32: bool,
    /// By key or index, sorted. A list, because most nodes have one child, a map has room for
    /// eleven, and a service keeps many policies.
    named: Vec<(Box<str>, PolicyNode)>,
    /// Matches every key and index.
    any: Option<Box<PolicyNode>>,
}

impl PolicyNode {
    /// Returns the node of the whole output.
    pub fn root(policy: &Policy) -> &Self {
        &policy.root
    }

    /// Returns the root of the tree of `f32`s, if any.
    pub fn f32s(policy: &Policy) -> Option<&Self> {
        policy.f32s.as_deref()
    }

    /// Returns true if the numbers at this place and below it are `f32`s.
    pub fn is_f32(&self) -> bool {
        self.is_f32
    }

    /// Returns the tolerance given for this place.
    pub fn tolerance(&self) -> Option<Tolerance> {
        self.tolerance
    }

    /// Returns true if this place is excluded from the comparison.
    pub fn is_ignored(&self) -> bool {
        self.ignored
    }

    /// Returns true if the array at this place is compared regardless of order.
    pub fn is_unordered(&self) -> bool {
        self.unordered
    }

    /// Returns true if the values at this place are compared by distribution, not case by case.
    pub fn has_distribution(&self) -> bool {
        self.distribution.is_some()
    }

    /// Returns true if this place itself has a rule, not just places below it.
    pub fn is_given(&self) -> bool {
        self.tolerance.is_some() || self.ignored || self.unordered || self.has_distribution()
    }

    /// Returns the node of one key or index.
    pub fn named(&self, name: &str) -> Option<&Self> {
        let position = self.position(name).ok()?;
        Some(&self.named[position].1)
    }

    /// Returns the node that matches every key or index.
    pub fn any(&self) -> Option<&Self> {
        self.any.as_deref()
    }

    /// Returns true if any child has a name.
    pub fn has_names(&self) -> bool {
        !self.named.is_empty()
    }

    /// Returns this node and all nodes below it, with their pointers; `*` comes before names.
    pub fn all(&self) -> Vec<(Pointer, &Self)> {
        let mut all = vec![(Pointer::root(), self)];
        let mut next = 0;
        // Depth first: a node's children are inserted right after it.
        while let Some((pointer, node)) = all.get(next).cloned() {
            next += 1;
            let children = node
                .children()
                .map(|(name, child)| (pointer.child(name), child));
            all.splice(next..next, children);
        }
        all
    }

    /// Returns the number of nodes, to which the policy's memory is proportional.
    pub fn count(&self) -> usize {
        1 + self
            .children()
            .map(|(_, child)| child.count())
            .sum::<usize>()
    }

    /// Returns true if this node or any below it is unordered.
    pub fn has_unordered(&self) -> bool {
        self.unordered || self.children().any(|(_, child)| child.has_unordered())
    }

    fn children(&self) -> impl Iterator<Item = (&str, &Self)> {
        let any = self.any.as_deref().map(|child| (ANY, child));
        let named = self.named.iter().map(|(name, child)| (&**name, child));
        any.into_iter().chain(named)
    }

    /// Returns the node at a pointer relative to this one, inserting missing nodes.
    pub(super) fn at(&mut self, pointer: &str) -> Result<&mut Self, Invalid> {
        let pointer: Pointer = pointer.parse().map_err(|error| format!("{error}"))?;
        let mut node = self;
        for (depth, segment) in pointer.segments().enumerate() {
            if segment == ANY {
                node = node.any.get_or_insert_default();
                continue;
            }
            if node.unordered && is_index(segment) {
                let mut array = pointer.clone();
                while array.depth() > depth {
                    array.pop();
                }
                return Err(element_of_unordered(&array.to_string(), segment).into());
            }
            node = node.named_or_new(segment);
        }
        Ok(node)
    }

    fn named_or_new(&mut self, name: &str) -> &mut Self {
        let position = self.position(name).unwrap_or_else(|position| {
            self.named.reserve_exact(1);
            self.named.insert(position, (name.into(), Self::default()));
            position
        });
        &mut self.named[position].1
    }

    /// The position of the child with this name, or its insertion point.
    fn position(&self, name: &str) -> Result<usize, usize> {
        self.named
            .binary_search_by(|(other, _)| (**other).cmp(name))
    }

    /// Returns an index among the names of the children, if any.
    pub(super) fn index(&self) -> Option<&str> {
        let mut names = self.named.iter().map(|(name, _)| &**name);
        names.find(|name| is_index(name))
    }
}

/// Returns the values in an output that a pointer, possibly with `*`, matches.
pub fn fields_at<'v>(pointer: &Pointer, output: &'v Value) -> Vec<&'v Value> {
    let mut found = vec![output];
    for segment in pointer.segments() {
        let mut below = Vec::new();
        for value in found {
            match value {
                Value::Array(elements) if segment == ANY => below.extend(elements),
                Value::Object(members) if segment == ANY => below.extend(members.values()),
                Value::Array(elements) => {
                    let index = segment.parse().ok();
                    below.extend(index.and_then(|index: usize| elements.get(index)));
                }
                Value::Object(members) => below.extend(members.get(segment)),
                _ => {}
            }
        }
        found = below;
    }
    found
}

/// Returns true if a pointer, possibly with `*`, matches a place or one that contains it.
pub fn leads_to(pointer: &Pointer, place: &Pointer) -> bool {
    let mut both = pointer.segments().zip(place.segments());
    pointer.depth() <= place.depth() && both.all(|(one, other)| one == ANY || one == other)
}

fn is_index(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit())
}

/// The message for a pointer to one element of an unordered array.
pub(super) fn element_of_unordered(array: &str, segment: &str) -> String {
    format!(
        "the elements of {array:?} are unordered, so none of them is {segment:?}; \
         write {:?} for all of them",
        format!("{array}/{ANY}")
    )
}
