//! The permitted places of parts of a total.

use super::Parts;
use crate::feature::Feature;

/// Checks the features between the total and the feature that is a share of it, outermost first.
pub(super) fn check(of: &str, own: &Feature, between: &[&Feature]) -> Result<(), String> {
    let is_list = |it: &&Feature| matches!(it.parts(), Parts::Element(_) | Parts::Entries(_));
    let within = between.iter().position(is_list);
    let lists = between.iter().filter(|it| is_list(it)).count();
    let Some(list) = within.filter(|_| lists == 1) else {
        return Err(match lists {
            0 => format!("the parts of `{of}` are not in a list; draw them in one next to it"),
            _ => format!(
                "the parts of `{of}` are in {lists} lists; name a total next to the innermost one"
            ),
        });
    };
    let name = between[list].name();
    if between
        .iter()
        .any(|it| matches!(it.parts(), Parts::Variants(_)))
    {
        return Err(format!(
            "only some elements have that variant, so their parts can't add up to `{of}`; draw \
             them outside the variant"
        ));
    }
    let mut within = between[list + 1..].iter().copied().chain([own]);
    let element_is_null = match between[list].parts() {
        Parts::Element(element) | Parts::Entries(element) => element.null_probability() > 0.0,
        _ => false,
    };
    if element_is_null || within.any(|it| it.null_probability() > 0.0) {
        return Err(format!(
            "a part that is null would be missing from `{of}`; remove `null_probability` here and \
             from the elements of `{name}`"
        ));
    }
    let (shortest, _) = between[list].distribution().bounds();
    match shortest.and_then(|it| it.as_u64()) {
        Some(shortest) if shortest > 0 => Ok(()),
        _ => Err(format!(
            "`{name}` may be empty, with no part of `{of}`; give it a length of at least 1"
        )),
    }
}
