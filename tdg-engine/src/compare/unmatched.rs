//! Pointers of a policy that lead nowhere: likely mistakes.

use tdg_definition::Policy;
use tdg_definition::json::{Pointer, Value};
use tdg_definition::policy::{ANY, PolicyNode};

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
        unmatched.retain(|pointer| !leads_into(pointer.segments(), &output));
    }
    unmatched
}

/// Whether a pointer leads to something in an output.
fn leads_into<'p>(mut segments: impl Iterator<Item = &'p str> + Clone, output: &Value) -> bool {
    let Some(segment) = segments.next() else {
        return true;
    };
    let reaches = |value: &Value| leads_into(segments.clone(), value);
    match output {
        Value::Array(elements) if segment == ANY => elements.iter().any(reaches),
        Value::Object(members) if segment == ANY => members.values().any(reaches),
        Value::Array(elements) => {
            let index = segment.parse().ok();
            let element = index.and_then(|index: usize| elements.get(index));
            element.is_some_and(reaches)
        }
        Value::Object(members) => members.get(segment).is_some_and(reaches),
        _ => false,
    }
}
