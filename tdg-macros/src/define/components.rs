//! Distributions within a distribution: the components of a mixture, and the values drawn `else`.

use tdg_definition::json::{Pointer, Value};

use super::members::Members;

/// Visits a distribution and its nested ones, each with its place.
pub(super) fn each(
    distribution: &mut Value,
    at: &Pointer,
    visit: &mut impl FnMut(&mut Members, &Pointer),
) {
    let Value::Object(members) = distribution else {
        return;
    };
    visit(members, at);
    if let Some(other) = members.get_mut("else") {
        each(other, &at.child("else"), visit);
    }
    let Some(Value::Array(components)) = members.get_mut("components") else {
        return;
    };
    let within = Pointer::root().child("distribution");
    for (position, component) in components.iter_mut().enumerate() {
        let at = at.child("components").child(position.to_string());
        if let Some(distribution) = within.find_mut(component) {
            each(distribution, &at.child("distribution"), visit);
        }
    }
}
