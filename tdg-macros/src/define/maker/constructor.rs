//! The expression that makes a value of the drawn one.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Path, Type, parse_quote};

use super::{Maker, MakerKind, referent};
use crate::define::drawn_type::DrawnType;
use crate::define::list::ListType;
use crate::define::tuple;
use crate::hygiene::{at, local, moved};
use crate::types::{in_option, last_word, ungroup};

/// A value that a maker makes of the drawn one.
pub(crate) struct MadeValue<'a> {
    pub(crate) maker: &'a Maker,
    /// The type that takes the value: its own, or a reference to it.
    pub(crate) kind: &'a Type,
    /// The parameter or field.
    pub(crate) name: String,
    pub(crate) drawn: DrawnType,
    /// True if it is an element or a part of a value that a report shows as a whole.
    pub(crate) is_part: bool,
    /// The place for reporting a type that doesn't fit.
    pub(crate) place: Span,
    pub(crate) tdg: &'a Path,
}

impl MadeValue<'_> {
    /// Returns the made value, given the value `taken` from the row. If the maker refuses,
    /// `refused` handles the `refusal`.
    pub(crate) fn value(
        &self,
        taken: &TokenStream,
        refusal: &Ident,
        refused: &TokenStream,
    ) -> TokenStream {
        let private = {
            let tdg = self.tdg;
            quote!(#tdg::__private)
        };
        let option = quote!(#private::core::option::Option);
        let drawn = local("drawn");
        let made = self.made(&drawn, refusal, refused);
        if self.maker.skips_nulls(self.kind) {
            return quote! {
                match #taken {
                    #option::None => #option::None,
                    #option::Some(#drawn) => #made,
                }
            };
        }
        let annotation = self.maker.annotation(&self.drawn, self.tdg);
        let annotation = annotation.map(|kind| quote!(: #kind));
        quote!({ let #drawn #annotation = #taken; #made })
    }

    fn made(&self, drawn: &Ident, refusal: &Ident, refused: &TokenStream) -> TokenStream {
        let made = match self.maker.kind() {
            MakerKind::Elements(maker) => self.elements(maker, drawn, refusal, refused),
            MakerKind::Values(makers) => self.values(makers, drawn, refusal, refused),
            _ => self.whole(drawn, refusal, refused),
        };
        let tdg = self.tdg;
        let made = match !self.maker.is_of_all() && in_option(referent(self.kind)).is_some() {
            true => quote!(#tdg::__private::core::option::Option::Some(#made)),
            false => made,
        };
        if self.is_part {
            return made;
        }
        let (name, shown) = (&self.name, local("shown"));
        let show = quote! {
            { use #tdg::__private::made::*; (&&MadeProbe::of(&#shown)).tdg_show(#name, &#shown); }
        };
        let show = moved(show, self.place);
        quote!({ let #shown = #made; #show #shown })
    }

    /// Returns the made part of the drawn value, with that maker.
    fn part<'a>(&'a self, maker: &'a Maker, kind: &'a Type, position: usize) -> MadeValue<'a> {
        MadeValue {
            maker,
            kind,
            name: self.name.clone(),
            drawn: self.drawn.part(position),
            is_part: true,
            place: self.place,
            tdg: self.tdg,
        }
    }

    /// Makes a list of the drawn elements.
    fn elements(
        &self,
        maker: &Maker,
        drawn: &Ident,
        refusal: &Ident,
        refused: &TokenStream,
    ) -> TokenStream {
        let tdg = self.tdg;
        let (made, result) = (
            quote!(#tdg::__private::made),
            quote!(#tdg::__private::core::result::Result),
        );
        let open: Type = parse_quote!(_);
        let list = ListType::from_type(value_of(self.kind));
        let kind = list.as_ref().map_or(&open, |list| list.element);
        let element = local("element");
        let of_element = self.part(maker, kind, 0);
        let refuse = quote!(return #result::Err(#refusal));
        let value = of_element.value(&quote!(#element), refusal, &refuse);
        let place = self.place;
        let make = quote_spanned!(place=> (#drawn, |#element| #result::Ok(#value)));
        let call = match value_of(self.kind) {
            Type::Array(_) => quote_spanned!(place=> #made::array::<_, #kind, _> #make),
            Type::Slice(_) => quote_spanned! {place=>
                #made::list::<_, #kind, #tdg::__private::Vec<#kind>> #make
            },
            container => quote_spanned!(place=> #made::list::<_, #kind, #container> #make),
        };
        quote! {
            match #call {
                #result::Ok(#drawn) => #drawn,
                #result::Err(#refusal) => #refused,
            }
        }
    }

    /// Makes a tuple of the drawn values.
    fn values(
        &self,
        makers: &[Option<Maker>],
        drawn: &Ident,
        refusal: &Ident,
        refused: &TokenStream,
    ) -> TokenStream {
        let kinds = tuple::tuple_type(value_of(self.kind)).map(|tuple| &tuple.elems);
        let kinds = kinds.map_or_else(Vec::new, |kinds| kinds.iter().collect());
        let open: Type = parse_quote!(_);
        let count = makers.len().max(kinds.len());
        let names = names_of_values(count);
        let made = names.iter().enumerate().map(|(position, name)| {
            let Some(Some(maker)) = makers.get(position) else {
                return quote!(#name);
            };
            let kind = kinds.get(position).copied().unwrap_or(&open);
            let part = self.part(maker, kind, position);
            part.value(&quote!(#name), refusal, refused)
        });
        quote!({ let (#(#names,)*) = #drawn; (#(#made,)*) })
    }

    fn whole(&self, drawn: &Ident, refusal: &Ident, refused: &TokenStream) -> TokenStream {
        let tdg = self.tdg;
        let (private, core) = (quote!(#tdg::__private), quote!(#tdg::__private::core));
        let kind = referent(self.kind);
        let (maker, name) = (self.maker.name(), &self.name);
        let there = at(&self.maker.place());
        let names = match self.maker.values(&self.drawn) {
            Some(count) => names_of_values(count),
            None => vec![drawn.clone()],
        };
        let apart = (names.len() > 1).then(|| quote!(let (#(#names),*) = #drawn;));
        let arguments = names.iter();
        let arguments = arguments.map(|name| Ident::new(&name.to_string(), there));
        let arguments: Vec<Ident> = arguments.collect();
        let call = self.maker.call(&arguments, self.kind, self.place, tdg);
        let called = quote_spanned!(there=> #private::made::making(#maker, #name, || #call));
        let (made, error) = (local("returned"), local("error"));
        let place = self.place;
        // The traits are only in scope after the user's tokens.
        let result = match is_unsized(kind) {
            true => quote_spanned!(place=> (&&Unsized::of(&#made)).tdg_made(#made)),
            false => quote_spanned!(place=> #private::made::made::<#kind, _, _>(#made)),
        };
        let chosen = quote! {
            match { use #private::made::*; #result } {
                #core::result::Result::Ok(#made) => #made,
                #core::result::Result::Err(#error) => {
                    let #refusal = {
                        use #private::made::*;
                        (&&&Reason::of(&#error)).tdg_reason(&#error)
                    };
                    #refused
                }
            }
        };
        let chosen = moved(chosen, place);
        quote!({ #apart let #made = #called; #chosen })
    }
}

/// Returns the type of the value, without references and `Option`.
fn value_of(kind: &Type) -> &Type {
    let kind = referent(kind);
    in_option(kind).map_or(kind, ungroup)
}

/// Returns variables for a tuple of `count` values.
fn names_of_values(count: usize) -> Vec<Ident> {
    (0..count).map(|it| local(&format!("value_{it}"))).collect()
}

/// Returns true if the type's name shows that its values are always behind a reference.
fn is_unsized(kind: &Type) -> bool {
    const UNSIZED: [&str; 4] = ["str", "Path", "OsStr", "CStr"];
    let is_named = |kind| last_word(kind).is_some_and(|word| UNSIZED.iter().any(|it| word == it));
    matches!(kind, Type::Slice(_) | Type::TraitObject(_)) || is_named(ungroup(kind))
}
