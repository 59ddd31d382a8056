//! Policies that are probably mistakes: their pointers lead nowhere, or exclude everything.

use tdg_definition::Policy;
use tdg_definition::json::{Pointer, Value};
use tdg_definition::policy::{PolicyNode, fields_at};

use super::policy_at::PolicyAt;

/// Returns the pointers of a policy that match no part of any output. Stops taking outputs once
/// every pointer has matched.
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

/// Returns true if a policy excludes everything in all outputs from the comparison. Stops taking
/// outputs at the first counterexample.
pub fn ignores_all(policy: &Policy, mut outputs: impl Iterator<Item = Value>) -> bool {
    let all = PolicyNode::root(policy).all();
    if !all.iter().any(|(_, node)| node.is_ignored()) {
        return false;
    }
    let mut length = None;
    outputs.all(|output| match &output {
        // The number of elements is always compared.
        Value::Array(elements) if *length.get_or_insert(elements.len()) != elements.len() => false,
        Value::Array(elements) if !elements.is_empty() => {
            let root = PolicyAt::root(policy);
            let mut elements = elements.iter().enumerate();
            elements.all(|(index, element)| is_left_out(&root.at_index(index), element))
        }
        _ => is_left_out(&PolicyAt::root(policy), &output),
    })
}

fn is_left_out(policy: &PolicyAt<'_>, value: &Value) -> bool {
    match value {
        _ if policy.is_left_out() => true,
        Value::Object(members) if !members.is_empty() => {
            let mut members = members.iter();
            members.all(|(key, value)| is_left_out(&policy.at_key(key), value))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::json::parse;

    #[test]
    fn a_policy_may_leave_nothing_to_compare() {
        let ignores_all = |policy: &str, outputs: &[&str]| {
            let policy = Policy::parse(policy).unwrap();
            super::ignores_all(&policy, outputs.iter().map(|it| parse(it).unwrap()))
        };
        let objects = [r#"{"a":1,"b":{"c":2}}"#, r#"{"a":3}"#];
        assert!(ignores_all(r#"{"ignore":["/*"]}"#, &objects));
        assert!(ignores_all(r#"{"ignore":["/a","/b"]}"#, &objects));
        assert!(ignores_all(r#"{"ignore":["/a","/b/c"]}"#, &objects));
        assert!(!ignores_all(r#"{"ignore":["/a"]}"#, &objects));
        assert!(!ignores_all(r#"{"tolerance":{"abs":1}}"#, &objects));
        let drawn = r#"{"ignore":["/b"],"distribution":{"/a":{"ks":0.1}}}"#;
        assert!(!ignores_all(drawn, &objects));
        assert!(!ignores_all(r#"{"ignore":["/*"]}"#, &["1", "2"]));
        assert!(ignores_all(r#"{"ignore":["/*"]}"#, &["[1,2]", "[3,4]"]));
        assert!(!ignores_all(r#"{"ignore":["/*"]}"#, &["[1,2]", "[3]"]));
        assert!(!ignores_all(r#"{"ignore":["/*/*"]}"#, &[r#"{"a":[1]}"#]));
    }
}
