//! The types of a source file, with impls of `Debug` that show the fields of those without one.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::spanned::Spanned as _;
use syn::{Attribute, Fields, Generics, Item, Member, Type};

use crate::sources::edit::parse;
use crate::sources::{is_of_tests, plain};

/// The types that a file defines.
#[derive(Debug, Default)]
pub(super) struct SourceTypes {
    pub(super) structs: BTreeSet<String>,
    /// The names of types with an impl of `Debug`, also in other files.
    pub(super) shown: BTreeSet<String>,
    /// The types that don't derive it, in order.
    pub(super) unshown: Vec<UnshownType>,
}

/// A type that doesn't derive `Debug`.
#[derive(Debug)]
pub(super) struct UnshownType {
    pub(super) name: String,
    pub(super) lines: RangeInclusive<usize>,
    /// The offset after its definition.
    pub(super) end: usize,
    /// An impl that shows its fields.
    pub(super) debug: String,
}

/// Returns the types of a file.
pub(super) fn types(source: &str) -> SourceTypes {
    let mut types = SourceTypes::default();
    types.add(&parse(source).map_or_else(Vec::new, |it| it.items));
    types
}

impl SourceTypes {
    fn add(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(it) => {
                    self.structs.insert(plain(&it.ident));
                    let arm = arm(&[], &quote!(Self), &plain(&it.ident), &it.fields);
                    self.add_type(item, (&it.attrs, &it.ident, &it.generics), &arm);
                }
                Item::Enum(it) => {
                    let arms = it.variants.iter().map(|variant| {
                        let name = &variant.ident;
                        let path = quote!(Self::#name);
                        arm(&variant.attrs, &path, &plain(name), &variant.fields)
                    });
                    let arms = arms.collect();
                    self.add_type(item, (&it.attrs, &it.ident, &it.generics), &arms);
                }
                Item::Impl(it) => {
                    let of = it
                        .trait_
                        .as_ref()
                        .and_then(|(_, path, _)| path.segments.last());
                    if let Type::Path(kind) = &*it.self_ty
                        && of.is_some_and(|it| it.ident == "Debug")
                    {
                        let last = kind.path.segments.last();
                        self.shown.extend(last.map(|it| plain(&it.ident)));
                    }
                }
                Item::Mod(it) if !is_of_tests(&it.attrs) => {
                    self.add(it.content.as_ref().map_or(&[], |(_, items)| items));
                }
                _ => {}
            }
        }
    }

    fn add_type(
        &mut self,
        item: &Item,
        (attributes, ident, generics): (&[Attribute], &Ident, &Generics),
        arms: &TokenStream,
    ) {
        let is_named = |text: &str| {
            let mut attributes = attributes.iter().map(|it| it.to_token_stream().to_string());
            attributes.any(|it| it.contains(text))
        };
        // For example `derive(Debug)` or `derivative(Debug)`.
        if is_named("Debug") {
            self.shown.insert(plain(ident));
            return;
        }
        // The value may be gone. Packed fields have no references.
        let text = item.to_token_stream().to_string();
        if text.contains("ManuallyDrop") || is_named("packed") {
            return;
        }
        let (parameters, arguments, conditions) = generics.split_for_impl();
        let conditional = attributes.iter().filter(|it| it.path().is_ident("cfg"));
        let debug = quote! {
            #(#conditional)*
            impl #parameters ::tdg_calls::fmt::Debug for #ident #arguments #conditions {
                fn fmt(&self, __tdg: &mut ::tdg_calls::fmt::Formatter<'_>) -> ::tdg_calls::fmt::Result {
                    match *self { #arms }
                }
            }
        };
        let span = item.span();
        self.unshown.push(UnshownType {
            name: plain(ident),
            lines: span.start().line..=span.end().line,
            end: span.byte_range().end,
            debug: format!(" {debug}"),
        });
    }
}

/// Returns the arm for a variant.
fn arm(attributes: &[Attribute], path: &TokenStream, name: &str, fields: &Fields) -> TokenStream {
    let conditional = |attributes: &[Attribute]| {
        let attributes = attributes.iter().filter(|it| it.path().is_ident("cfg"));
        quote!(#(#attributes)*)
    };
    let mut patterns = Vec::new();
    let mut values = Vec::new();
    for (place, field) in fields.iter().enumerate() {
        let member = match &field.ident {
            Some(name) => Member::Named(name.clone()),
            None => Member::Unnamed(place.into()),
        };
        let name = field.ident.as_ref().map_or(place.to_string(), plain);
        let (only, value) = (conditional(&field.attrs), format_ident!("__tdg_{place}"));
        patterns.push(quote!(#only #member: ref #value));
        values.push(quote!(#only (#name, &#value)));
    }
    let only = conditional(attributes);
    quote! {
        #only #path { #(#patterns),* } =>
            ::tdg_calls::fields(__tdg, #name, &[#(#values),*]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_without_debug_shows_its_fields() {
        let source = "#[derive(Clone, Debug)]\nstruct A;\nmod inner { #[cfg(unix)] pub enum B<'b, T: ?Sized> \
                      where T: Copy { C, #[cfg(unix)] D(&'b T, u8) } }\nimpl fmt::Debug for super::E {}\n\
                      #[cfg(test)]\nmod tests { struct F; }\n#[repr(packed)]\nstruct G(u8);\n";
        let types = types(source);
        assert_eq!(types.structs, ["A", "G"].map(str::to_owned).into());
        assert_eq!(types.shown, ["A", "E"].map(str::to_owned).into());
        let [unshown] = &types.unshown[..] else {
            panic!("{types:?}");
        };
        assert_eq!((&*unshown.name, &unshown.lines), ("B", &(3..=3)));
        assert_eq!(&source[unshown.end - 3..unshown.end], ") }");
        let debug: String = unshown.debug.split_whitespace().collect();
        for part in [
            "#[cfg(unix)]impl<'b,T:?Sized>::tdg_calls::fmt::DebugforB<'b,T>whereT:Copy{",
            "Self::C{}=>::tdg_calls::fields(__tdg,\"C\",&[]),",
            "#[cfg(unix)]Self::D{0:ref__tdg_0,1:ref__tdg_1}=>::tdg_calls::fields(__tdg,\"D\"",
            "&[(\"0\",&__tdg_0),(\"1\",&__tdg_1)]),}",
        ] {
            assert!(debug.contains(part), "{debug}");
        }
    }
}
