//! The members that show a value whose type shows nothing itself.

use syn::{Fields, Item, ReturnType, Signature, Type};

use super::associated_items::ItemPlace;
use super::tokens::{arguments, last_word, ungrouped};
use super::{
    PathTarget, PublicFunction, SCALARS, STANDARD, Substitution, is_public, plain, written,
};

/// The maximum number of members.
const MOST: usize = 6;

/// The members of a function's output.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ShownMembers {
    /// `Option` or `Result` if they are of the value within.
    pub(crate) within: Option<&'static str>,
    /// Public fields, and methods without arguments: `width`, `len()`.
    pub(crate) names: Vec<String>,
}

impl ShownMembers {
    /// Keeps only those that are also among others.
    pub(crate) fn keep(&mut self, others: &Self) {
        let is_other = |it: &String| self.within == others.within && others.names.contains(it);
        self.names = self
            .names
            .iter()
            .filter(|it| is_other(it))
            .cloned()
            .collect();
    }
}

impl PublicFunction<'_> {
    /// Returns the members of the output whose values have `Debug` or `Serialize`, if its type has
    /// none of these traits. Methods are left out unless `is_called` is true for their paths.
    pub(crate) fn shown_members(
        &self,
        traits: &[&str],
        is_called: &dyn Fn(&str) -> bool,
    ) -> ShownMembers {
        let ReturnType::Type(_, returned) = &self.signature.output else {
            return ShownMembers::default();
        };
        let returned = ungrouped(self.meant(returned));
        let within = last_word(returned).and_then(|it| {
            let wrappers = ["Option", "Result"].into_iter();
            wrappers.into_iter().find(|wrapper| *wrapper == it)
        });
        let inner = arguments(returned);
        let kind = match (within, inner.first()) {
            (Some(_), Some(inner)) => inner,
            _ => returned,
        };
        match self.members(kind, traits, is_called) {
            Some(names) if !names.is_empty() => ShownMembers { within, names },
            _ => ShownMembers::default(),
        }
    }

    fn members(
        &self,
        kind: &Type,
        traits: &[&str],
        is_called: &dyn Fn(&str) -> bool,
    ) -> Option<Vec<String>> {
        let place = self.place_of(self.scope, kind)?;
        if traits.iter().any(|it| self.implements(place, it)) {
            return None;
        }
        let path = self.public.get(place.0, place.1)?;
        let arguments = self.arguments(self.scope, kind, place).ok()?;
        let types = self.parameters_of(place, &arguments);
        let fields = self.fields(place, &types);
        let methods = self.functions_of(place, path, &arguments);
        let methods = methods.filter(|(scope, path, types, signature)| {
            is_called(path) && self.is_shown_by(*scope, types, signature)
        });
        let methods = methods.map(|(_, _, _, it)| format!("{}()", written(&plain(&it.ident))));
        Some(fields.into_iter().chain(methods).take(MOST).collect())
    }

    /// Returns the public fields with values that are shown.
    fn fields(&self, place: ItemPlace, types: &Substitution) -> Vec<String> {
        let fields = match &self.sources.modules[place.0].items[place.1] {
            Item::Struct(item) => &item.fields,
            _ => &Fields::Unit,
        };
        let shown = fields.iter().enumerate().filter(|(_, field)| {
            is_public(&field.vis) && self.is_shown(place.0, &types.applied(&field.ty))
        });
        let named = shown.map(|(at, field)| match &field.ident {
            Some(name) => written(&plain(name)),
            None => at.to_string(),
        });
        named.collect()
    }

    /// Returns true for a method that only takes `&self`, and returns a value that is shown.
    fn is_shown_by(&self, scope: usize, types: &Substitution, signature: &Signature) -> bool {
        let is_lent = |it: &syn::Receiver| it.reference.is_some() && it.mutability.is_none();
        let is_plain = signature.unsafety.is_none() && signature.asyncness.is_none();
        let takes_self = signature.inputs.len() == 1 && signature.receiver().is_some_and(is_lent);
        let has_types = signature.generics.type_params().next().is_some();
        match &signature.output {
            ReturnType::Type(_, kind) if is_plain && takes_self && !has_types => {
                self.is_shown(scope, &types.applied(&**kind))
            }
            _ => false,
        }
    }

    /// Returns true if values of the type visibly have `Debug` or `Serialize`.
    fn is_shown(&self, scope: usize, kind: &Type) -> bool {
        let inner_is_shown = |kind: &Type| self.is_shown(scope, kind);
        match ungrouped(kind) {
            Type::Reference(it) => it.mutability.is_none() && inner_is_shown(&it.elem),
            Type::Slice(it) => inner_is_shown(&it.elem),
            Type::Array(it) => inner_is_shown(&it.elem),
            Type::Tuple(it) => !it.elems.is_empty() && it.elems.iter().all(inner_is_shown),
            Type::Path(path) if path.qself.is_none() => match self.target(scope, path) {
                Some(PathTarget::Item(module, item)) => {
                    let traits = ["Debug", "Serialize"];
                    traits.iter().any(|it| self.implements((module, item), it))
                }
                Some(PathTarget::Foreign(names)) => {
                    let name = names.last().map_or("", String::as_str);
                    let is_std = names.len() == 1 || STANDARD.contains(&names[0].as_str());
                    let is_known =
                        SCALARS.contains(&name) || ["Option", "Vec", "Box", "Cow"].contains(&name);
                    is_std && is_known && arguments(kind).into_iter().all(inner_is_shown)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn place_of(&self, scope: usize, kind: &Type) -> Option<ItemPlace> {
        match ungrouped(kind) {
            Type::Reference(it) => self.place_of(scope, &it.elem),
            Type::Path(path) if path.qself.is_none() => match self.target(scope, path)? {
                PathTarget::Item(module, item) => Some((module, item)),
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sources::{Sources, public_functions};

    #[test]
    fn a_type_without_debug_is_shown_by_what_is_public_and_has_it() {
        let sources = Sources::of_code(
            "#[derive(Debug)] pub struct Tax;
            pub struct Cart { pub currency: String, prices: Vec<f64>, pub owner: Owner }
            pub struct Owner;
            impl Cart {
                pub fn new() -> Cart {}
                pub fn total(&self) -> f64 {}
                pub fn tax(&self) -> Option<&Tax> {}
                pub fn owner(&self) -> &Owner {}
                pub fn at(&self, at: usize) -> f64 {}
                pub fn pop(&mut self) -> f64 {}
                pub fn saved(&self) -> bool {}
                fn hidden(&self) -> bool {}
            }
            pub struct Pair<T>(pub T, pub u8);
            pub fn pair() -> Result<Pair<i8>, String> {}
            pub fn maybe() -> Option<&'static Cart> {}
            pub fn shown() -> Tax {}
            pub fn owner() -> Owner {}",
        );
        let functions = public_functions(&sources);
        let shown = functions.iter().filter(|it| it.owner.is_none());
        let shown = shown.map(|it| {
            let members = it.shown_members(&["Debug"], &|path| !path.ends_with("saved"));
            format!("{}: {:?} {:?}\n", it.name(), members.within, members.names)
        });
        insta::assert_snapshot!(shown.collect::<String>(), @r#"
        pair: Some("Result") ["0", "1"]
        maybe: Some("Option") ["currency", "total()", "tax()"]
        shown: None []
        owner: None []
        "#);
    }
}
