//! Attributes of the struct or enum as a whole.

use syn::{Attribute, DeriveInput, Path, Token};
use tdg_definition::json::Pointer;

use super::budget;
use super::constant::NamedConstant;
use super::json_part::JsonPart;
use super::members::Members;
use super::notation::item;
use super::relations::{self, FeatureNames};
use super::serde::Serde;
use crate::errors::Errors;
use crate::source_places::Places;
use crate::{commas, hygiene};

pub(crate) struct Container {
    /// The path of the crate `tdg`.
    pub(crate) tdg: Path,
    /// The rest of `#[define(…)]`: members of the definition, or of an enum's distribution.
    pub(crate) members: Members,
    /// The limits on depth and size, if the type may contain itself.
    pub(crate) budget: Members,
    pub(super) budget_constants: Vec<NamedConstant>,
    pub(crate) places: Places,
    pub(crate) serde: Serde,
}

impl Container {
    pub(crate) fn read(input: &DeriveInput, errors: &mut Errors) -> Self {
        let mut container = Self {
            tdg: hygiene::tdg(),
            members: Members::new(),
            budget: Members::new(),
            budget_constants: Vec::new(),
            places: Places::default(),
            serde: Serde::read(&input.attrs, errors),
        };
        let root = match input.data {
            syn::Data::Enum(_) => distribution(),
            _ => Pointer::root(),
        };
        let fields = FeatureNames::of_fields(input, &container.serde);
        let Self {
            tdg,
            members,
            places,
            ..
        } = &mut container;
        for attribute in definers(&input.attrs, errors) {
            let read = attribute.parse_args_with(|input: syn::parse::ParseStream<'_>| {
                commas::each(input, "options", errors, |input, errors| {
                    if input.peek(Token![crate]) && input.peek2(Token![=]) {
                        input.parse::<Token![crate]>()?;
                        input.parse::<Token![=]>()?;
                        *tdg = hygiene::crate_path(input)?;
                        return Ok(());
                    }
                    if root.is_root() {
                        return member(input, &fields, members, places, errors);
                    }
                    let mut part = JsonPart::new(root.clone(), places, errors);
                    item(input, members, &mut part)
                });
                Ok(())
            });
            errors.keep(read);
        }
        if !root.is_root() {
            refuse_values(members, &root, places, errors);
        }
        let (members, places) = (&mut container.members, &container.places);
        (container.budget, container.budget_constants) =
            budget::take(members, input, &root, places, errors);
        container
    }
}

/// Rejects other values, since an enum draws its variants.
fn refuse_values(members: &mut Members, root: &Pointer, places: &Places, errors: &mut Errors) {
    for key in ["distribution", "type", "categories", "variants"] {
        if members.remove(key).is_some() {
            let problem = "the values of an enum are its variants; write how often one is drawn \
                           before it: #[define(probability = 0.5)]";
            errors.at(places.tokens(&root.child(key)), problem);
        }
    }
}

/// Returns the place of an enum's distribution in the definition that is used to check it.
pub(super) fn distribution() -> Pointer {
    ["features", "0", "distribution"].into_iter().collect()
}

/// Reads one member of a definition: a relation, or any other.
pub(crate) fn member(
    input: syn::parse::ParseStream<'_>,
    features: &FeatureNames,
    members: &mut Members,
    places: &mut Places,
    errors: &mut Errors,
) -> syn::Result<()> {
    let mut root = JsonPart::new(Pointer::root(), places, errors);
    if relations::is_next(input) {
        return relations::read(input, features, members, &mut root);
    }
    item(input, members, &mut root)
}

/// Returns the attributes `#[define(…)]`.
pub(crate) fn definers<'a>(attributes: &'a [Attribute], errors: &mut Errors) -> Vec<&'a Attribute> {
    for attribute in attributes.iter().filter(is_feature) {
        errors.at(
            attribute,
            "`feature` is an attribute of the language, so a derive can't use it; write \
             #[define(…)]",
        );
    }
    let is_define = |attribute: &&Attribute| attribute.path().is_ident("define");
    attributes.iter().filter(is_define).collect()
}

/// Returns true for `#[feature]`, which names a parameter's feature. On a field, it is rustc's.
pub(crate) fn is_feature(attribute: &&Attribute) -> bool {
    attribute.path().is_ident("feature")
}
