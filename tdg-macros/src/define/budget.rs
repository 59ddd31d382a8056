//! The budget of a type that contains itself: its depth and its number of leaves.

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::DeriveInput;
use syn::ext::IdentExt;
use tdg_definition::Definition;
use tdg_definition::json::{Pointer, Value};

use super::alias::TypedPart;
use super::constant::NamedConstant;
use super::members::Members;
use crate::errors::Errors;
use crate::source_places::Places;

/// Takes the budget out of the type's members, and checks it.
pub(super) fn take(
    members: &mut Members,
    input: &DeriveInput,
    root: &Pointer,
    places: &Places,
    errors: &mut Errors,
) -> (Members, Vec<NamedConstant>) {
    let mut budget = Members::new();
    for name in ["depth", "leaves"] {
        if let Some(value) = members.remove(name) {
            budget.insert(name, value);
        }
    }
    let constants = NamedConstant::take(&mut budget, places);
    // The budget is the only part of this shape that can be wrong.
    let shape = r#"{"type": "variant", "variants": [{"variant": "end"}]}"#;
    let mut whole = budget.clone();
    whole.insert("type", Value::from("VARIANT"));
    if let Ok(drawn) = tdg_definition::json::parse(shape) {
        whole.insert("distribution", drawn);
    }
    let feature = Value::object([("shape", Value::from("s"))]);
    let definition = Value::object([
        ("features", Value::from(vec![feature])),
        ("shapes", Value::object([("s", Value::Object(whole))])),
    ]);
    let faults = Definition::from_value(&definition).err();
    for fault in faults.iter().flat_map(|faults| faults.iter()) {
        let member = fault.pointer.segments().last().unwrap_or_default();
        let written = places.tokens(&root.child(member));
        let place = match written.is_empty() {
            true => input.ident.to_token_stream(),
            false => written,
        };
        errors.at(place, format!("`{member}` {}", fault.message));
    }
    (budget, constants)
}

/// Rejects a type without a budget if its fields show that it contains itself.
pub(super) fn check<'a>(
    input: &DeriveInput,
    budget: &Members,
    mut parts: impl Iterator<Item = &'a TypedPart>,
    errors: &mut Errors,
) {
    if !budget.is_empty() {
        return;
    }
    let is_own = |token: TokenTree| match token {
        TokenTree::Ident(name) => name == input.ident || name == "Self",
        _ => false,
    };
    let is_itself = |part: &&TypedPart| part.kind.to_token_stream().into_iter().any(is_own);
    if let Some(part) = parts.find(is_itself) {
        let name = input.ident.unraw();
        errors.at(
            &part.kind,
            format!(
                "`{name}` contains itself, so it needs a budget: #[define(depth = 4, leaves = 64)] \
                 before `{name}`"
            ),
        );
    }
}
