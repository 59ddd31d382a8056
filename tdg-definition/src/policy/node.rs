//! The policy as a tree of the output's places.

use super::{Policy, Tolerance};
use crate::json::{Pointer, Value};

/// The segment of a pointer that stands for every element of an array and every value of an object.
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
    /// The rate of false alarms with which the distribution of this place is compared.
    pub(super) distribution: Option<f64>,
    pub(super) is_f32: bool,
    /// By key or index, sorted. Most nodes have one child: a map has room for eleven, and a
    /// service keeps many policies.
    named: Vec<(Box<str>, PolicyNode)>,
    /// For every key or index.
    any: Option<Box<PolicyNode>>,
}

impl PolicyNode {
    /// The node of the whole output.
    pub fn root(policy: &Policy) -> &Self {
        &policy.root
    }

    /// The node of the whole output in the tree of its `f32`s, if it has any.
    pub fn f32s(policy: &Policy) -> Option<&Self> {
        policy.f32s.as_deref()
    }

    /// Returns true if the numbers at this place and below it are `f32`s.
    pub fn is_f32(&self) -> bool {
        self.is_f32
    }

    /// The tolerance that is given for this place.
    pub fn tolerance(&self) -> Option<Tolerance> {
        self.tolerance
    }

    /// Whether this place is left out of the comparison.
    pub fn is_ignored(&self) -> bool {
        self.ignored
    }

    /// Whether the array at this place is compared without regard to order.
    pub fn is_unordered(&self) -> bool {
        self.unordered
    }

    /// Whether the values at this place are compared by their distribution, not case by case.
    pub fn has_distribution(&self) -> bool {
        self.distribution.is_some()
    }

    /// Whether this place itself has a rule, and not only places below it.
    pub fn is_given(&self) -> bool {
        self.tolerance.is_some() || self.ignored || self.unordered || self.has_distribution()
    }

    /// The node of one key or index.
    pub fn named(&self, name: &str) -> Option<&Self> {
        let position = self.position(name).ok()?;
        Some(&self.named[position].1)
    }

    /// The node of every key or index.
    pub fn any(&self) -> Option<&Self> {
        self.any.as_deref()
    }

    /// Whether any child has a name.
    pub fn has_names(&self) -> bool {
        !self.named.is_empty()
    }

    /// This node and all below it, with their pointers; `*` comes before names.
    pub fn all(&self) -> Vec<(Pointer, &Self)> {
        let mut all = vec![(Pointer::root(), self)];
        let mut next = 0;
        // Depth first: the children of a node are inserted right after it.
        while let Some((pointer, node)) = all.get(next).cloned() {
            next += 1;
            let children = node
                .children()
                .map(|(name, child)| (pointer.child(name), child));
            all.splice(next..next, children);
        }
        all
    }

    /// The number of nodes, which is what the policy's memory grows with.
    pub fn count(&self) -> usize {
        1 + self
            .children()
            .map(|(_, child)| child.count())
            .sum::<usize>()
    }

    /// Whether this node, or any below it, is unordered.
    pub fn has_unordered(&self) -> bool {
        self.unordered || self.children().any(|(_, child)| child.has_unordered())
    }

    fn children(&self) -> impl Iterator<Item = (&str, &Self)> {
        let any = self.any.as_deref().map(|child| (ANY, child));
        let named = self.named.iter().map(|(name, child)| (&**name, child));
        any.into_iter().chain(named)
    }

    /// The node at a pointer from here, added if it is missing.
    pub(super) fn at(&mut self, pointer: &str) -> Result<&mut Self, String> {
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
                return Err(element_of_unordered(&array.to_string(), segment));
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

    /// The position of the child with that name, or where it would be inserted.
    fn position(&self, name: &str) -> Result<usize, usize> {
        self.named
            .binary_search_by(|(other, _)| (**other).cmp(name))
    }

    /// An index among the names of the children.
    pub(super) fn index(&self) -> Option<&str> {
        let mut names = self.named.iter().map(|(name, _)| &**name);
        names.find(|name| is_index(name))
    }
}

/// The values in an output that a pointer leads to, perhaps by `*`.
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

/// Returns true if a pointer, perhaps with `*`, leads to a place or to one around it.
pub fn leads_to(pointer: &Pointer, place: &Pointer) -> bool {
    let mut both = pointer.segments().zip(place.segments());
    pointer.depth() <= place.depth() && both.all(|(one, other)| one == ANY || one == other)
}

fn is_index(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit())
}

/// Why a pointer can't name one element of an unordered array.
pub(super) fn element_of_unordered(array: &str, segment: &str) -> String {
    format!(
        "the elements of {array:?} are unordered, so none of them is {segment:?}; \
         write {:?} for all of them",
        format!("{array}/{ANY}")
    )
}
