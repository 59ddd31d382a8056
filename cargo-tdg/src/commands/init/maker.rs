//! Notations for the crate's types, based on their makers.

use syn::Type;

use crate::sources::tokens::{text, ungrouped};
use crate::sources::{SCALARS, TypeMaker, written};

/// Returns the items of `#[define(…)]` if rows can have all inputs of the maker.
pub(super) fn items(maker: &TypeMaker) -> Option<String> {
    if !maker.generics.params.is_empty() {
        return None;
    }
    let inputs = maker.inputs.iter();
    let inputs = inputs.map(|(name, kind)| Some((name.as_str(), written(name), drawable(kind)?)));
    let inputs: Vec<_> = inputs.collect::<Option<_>>()?;
    if maker.path.ends_with("::from_str") {
        return Some("any, parse".to_owned());
    }
    let drawn = match inputs.len() {
        0 => return None,
        1 => "any".to_owned(),
        count => format!("({})", vec!["any"; count].join(", ")),
    };
    let typed = inputs
        .iter()
        .map(|(_, name, kind)| format!("{name}: {kind}"));
    let typed = typed.collect::<Vec<_>>().join(", ");
    let values: Vec<_> = inputs.into_iter().map(|(name, it, _)| (name, it)).collect();
    let made = maker.form.expression(&maker.path, &values);
    Some(format!("{drawn}, via = |{typed}| {made}"))
}

/// Returns the type of a closure's parameter, if rows can have such values.
fn drawable(kind: &Type) -> Option<String> {
    let (kind, reference) = match ungrouped(kind) {
        Type::Reference(it) if it.mutability.is_none() && it.lifetime.is_none() => {
            (ungrouped(&it.elem), "&")
        }
        kind => (kind, ""),
    };
    let word = text(kind);
    let is_scalar = SCALARS.contains(&word.as_str()) && !word.ends_with("128");
    let is_text = word == "str" && reference == "&" || word != "str" && reference.is_empty();
    (is_scalar && is_text).then(|| format!("{reference}{word}"))
}
