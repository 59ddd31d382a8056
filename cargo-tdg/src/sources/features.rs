//! Code that the features of a package leave out.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Block, Expr, ExprLit, Fields, FieldsNamed, FieldsUnnamed, File, ItemEnum, ItemImpl,
    ItemMod, ItemTrait, Lit, Meta,
};

use super::conditions::met;

/// Returns the features that are on by default or by name, and those that they turn on.
pub(super) fn enabled(
    features: &BTreeMap<String, Vec<String>>,
    asked: &[String],
) -> BTreeSet<String> {
    let mut enabled = BTreeSet::new();
    let mut pending: Vec<&str> = asked.iter().map(String::as_str).collect();
    pending.push("default");
    while let Some(name) = pending.pop() {
        if enabled.insert(name.to_owned()) {
            let others = features.get(name).into_iter().flatten();
            // `rand/std` turns on the optional dependency too, `rand?/std` doesn't.
            let others = others.flat_map(|it| it.split('/').take(1).chain([it.as_str()]));
            pending.extend(others.filter(|it| !it.ends_with('?')));
        }
    }
    enabled
}

/// Removes the code that needs another feature.
pub(super) struct LeftOut<'f> {
    pub(super) enabled: &'f BTreeSet<String>,
}

impl LeftOut<'_> {
    fn is_kept(&self, item: &impl ToTokens) -> bool {
        let attributes = outer_attributes.parse2(item.to_token_stream());
        self.are_met(&attributes.unwrap_or_default())
    }

    fn are_met(&self, attributes: &[Attribute]) -> bool {
        let conditions = attributes.iter().filter(|it| it.path().is_ident("cfg"));
        let mut conditions = conditions.filter_map(|it| it.parse_args().ok());
        conditions.all(|it| self.is_met(&it) != Some(false))
    }

    /// Returns `None` if the condition depends on more than features.
    fn is_met(&self, condition: &Meta) -> Option<bool> {
        met(condition, &|part| match part {
            Meta::NameValue(pair) if pair.path.is_ident("feature") => match &pair.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(name),
                    ..
                }) => Some(self.enabled.contains(&name.value())),
                _ => None,
            },
            _ => None,
        })
    }

    fn kept<T: ToTokens, P: Default>(&self, all: &mut Punctuated<T, P>) {
        let kept = mem::take(all).into_iter();
        *all = kept.filter(|it| self.is_kept(it)).collect();
    }
}

/// Parses the attributes in front of an item.
fn outer_attributes(input: ParseStream<'_>) -> syn::Result<Vec<Attribute>> {
    let attributes = input.call(Attribute::parse_outer)?;
    input.parse::<TokenStream>()?;
    Ok(attributes)
}

impl VisitMut for LeftOut<'_> {
    fn visit_file_mut(&mut self, file: &mut File) {
        match self.are_met(&file.attrs) {
            true => file.items.retain(|it| self.is_kept(it)),
            false => file.items.clear(),
        }
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain(|it| self.is_kept(it));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, block: &mut ItemImpl) {
        block.items.retain(|it| self.is_kept(it));
    }

    fn visit_item_trait_mut(&mut self, item: &mut ItemTrait) {
        item.items.retain(|it| self.is_kept(it));
    }

    fn visit_item_enum_mut(&mut self, item: &mut ItemEnum) {
        self.kept(&mut item.variants);
        visit_mut::visit_item_enum_mut(self, item);
    }

    fn visit_fields_mut(&mut self, fields: &mut Fields) {
        match fields {
            Fields::Named(FieldsNamed { named: all, .. })
            | Fields::Unnamed(FieldsUnnamed { unnamed: all, .. }) => self.kept(all),
            Fields::Unit => {}
        }
    }

    fn visit_block_mut(&mut self, _: &mut Block) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_turn_on_others() {
        let features = [("default", "std"), ("std", "alloc"), ("more", "dep:rand")];
        let features = features.map(|(name, other)| (name.to_owned(), vec![other.to_owned()]));
        let features = BTreeMap::from(features);
        let enabled = |asked: &[String]| enabled(&features, asked).into_iter().collect::<Vec<_>>();
        assert_eq!(enabled(&[]), ["alloc", "default", "std"]);
        let more = ["alloc", "default", "dep:rand", "more", "std"];
        assert_eq!(enabled(&["more".to_owned()]), more);
    }

    #[test]
    fn code_behind_a_feature_that_is_off_is_left_out() {
        let code = r#"
            #[cfg(feature = "extra")] pub mod extra { pub fn f() {} }
            #[cfg(not(feature = "extra"))] pub fn plain() {}
            #[cfg(any(feature = "extra", feature = "std"))] pub fn either() {}
            #[cfg(all(feature = "extra", unix))] pub fn both() {}
            #[cfg(any(feature = "extra", unix))] pub fn unknown() {}
            pub enum Size { Small, #[cfg(feature = "extra")] Huge }
            impl Size { #[cfg(feature = "extra")] pub fn extra() {} #[cfg(feature = "std")] pub fn std() {} }
            pub struct Place { pub x: u8, #[cfg(feature = "extra")] pub y: u8 }
        "#;
        let mut file = syn::parse_file(code).unwrap();
        let enabled = BTreeSet::from(["std".to_owned()]);
        LeftOut { enabled: &enabled }.visit_file_mut(&mut file);
        let left = file.into_token_stream().to_string();
        for name in ["plain", "either", "unknown", "Small", "fn std", "x : u8"] {
            assert!(left.contains(name), "{name}: {left}");
        }
        for name in ["mod extra", "fn both", "Huge", "fn extra", "y : u8"] {
            assert!(!left.contains(name), "{name}: {left}");
        }
    }
}
