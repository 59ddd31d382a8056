//! The expression that makes a value of what is drawn.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Path, Type};
use tdg_definition::FeatureType;

use super::maker::{Maker, referent};
use crate::hygiene::{at, local, moved};
use crate::types::{last_word, ungroup};

/// A value that is made of what is drawn.
pub(crate) struct MadeValue<'a> {
    pub(crate) maker: &'a Maker,
    /// The type of what takes it: the value's, or a reference to it.
    pub(crate) kind: &'a Type,
    /// The parameter or field.
    pub(crate) name: String,
    /// That of what is drawn, where it is known.
    pub(crate) feature_type: Option<FeatureType>,
    /// Where to report a type that doesn't fit.
    pub(crate) place: Span,
    pub(crate) tdg: &'a Path,
}

impl MadeValue<'_> {
    /// The value, of what is `taken` of the row. If the maker refuses, `refused` says what happens
    /// to the `refusal`.
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
        let annotation = self.maker.annotation(self.feature_type, self.tdg);
        let annotation = annotation.map(|kind| quote!(: #kind));
        quote!({ let #drawn #annotation = #taken; #made })
    }

    fn made(&self, drawn: &Ident, refusal: &Ident, refused: &TokenStream) -> TokenStream {
        let tdg = self.tdg;
        let (private, core) = (quote!(#tdg::__private), quote!(#tdg::__private::core));
        let kind = referent(self.kind);
        let (maker, name) = (self.maker.name(), &self.name);
        let callee = self.maker.callee(self.kind, self.place, tdg);
        let there = at(&self.maker.place());
        let drawn = Ident::new(&drawn.to_string(), there);
        let called =
            quote_spanned!(there=> #private::made::making(#maker, #name, || #callee(#drawn)));
        let (made, error) = (local("returned"), local("error"));
        let place = self.place;
        // The traits are in scope after the user's tokens alone.
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
        quote!({ let #made = #called; #chosen })
    }
}

/// Whether a value of the type is only ever behind a reference, as its name tells.
fn is_unsized(kind: &Type) -> bool {
    const UNSIZED: [&str; 4] = ["str", "Path", "OsStr", "CStr"];
    let is_named = |kind| last_word(kind).is_some_and(|word| UNSIZED.iter().any(|it| word == it));
    matches!(kind, Type::Slice(_) | Type::TraitObject(_)) || is_named(ungroup(kind))
}
