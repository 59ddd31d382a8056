//! Pointers of a policy that lead nowhere: likely mistakes.

use tdg_definition::Policy;
use tdg_definition::json::{Pointer, Value};
use tdg_definition::policy::{PolicyNode, fields_at};

/// The pointers of a policy that lead to nothing in any of the outputs. Outputs are taken only
/// until every pointer has led somewhere.
pub fn unmatched(policy: &Policy, outputs: &mut dyn Iterator<Item = Value>) -> Vec<Pointer> {
    let mut unmatched: Vec<Pointer> = PolicyNode::root(policy)
        .all()
        .into_iter()
        .filter(|(pointer, node)| node.is_given() && !pointer.is_root())
        .map(|(pointer, _)| pointer)
        .collect();
    while !unmatched.is_empty()
        && let Some(output) = outputs.next()
    {
        unmatched.retain(|pointer| fields_at(pointer, &output).is_empty());
    }
    unmatched
}
