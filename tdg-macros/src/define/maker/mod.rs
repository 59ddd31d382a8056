//! `via = Money::from_cents` and `parse`: makers of values.
//!
//! They aren't part of the definition, whose rows hold drawn values, so they are taken out of
//! `#[define(…)]` before it is read as JSON.

pub(super) mod constructor;
mod read;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{ExprPath, PathArguments, Token, Type, TypeArray, parse_quote};
use tdg_definition::FeatureType;

use super::drawn_type::DrawnType;
use super::list::ListType;
use super::tuple;
use crate::hygiene::{at, moved};
use crate::types::{in_option, text, ungroup};

/// The way in which a value is made of the drawn one.
pub(crate) struct Maker {
    /// `via` or `parse`, or the first of several.
    word: Ident,
    kind: MakerKind,
}

pub(super) enum MakerKind {
    Parse,
    Path(Box<ExprPath>),
    Closure {
        tokens: TokenStream,
        /// The types of its parameters, if they are written.
        parameters: Vec<Option<Type>>,
    },
    /// Makes each element of a list.
    Elements(Box<Maker>),
    /// Makes some values of a tuple.
    Values(Vec<Option<Maker>>),
}

impl Maker {
    /// Returns the tokens where errors are reported.
    pub(crate) fn place(&self) -> TokenStream {
        match &self.kind {
            MakerKind::Parse => self.word.to_token_stream(),
            MakerKind::Path(path) => path.to_token_stream(),
            MakerKind::Closure { tokens, .. } => tokens.clone(),
            MakerKind::Elements(maker) => maker.place(),
            MakerKind::Values(makers) => {
                let first = makers.iter().flatten().next();
                first.map_or_else(TokenStream::new, Self::place)
            }
        }
    }

    /// Returns the maker for messages: `via = Money::from_cents`, `parse`.
    pub(crate) fn name(&self) -> String {
        match &self.kind {
            MakerKind::Path(path) => format!("via = {}", text(path)),
            MakerKind::Closure { .. } => "via = |…| …".to_owned(),
            _ => self.word.to_string(),
        }
    }

    /// Returns `via` or `parse`.
    pub(crate) fn word(&self) -> String {
        self.word.to_string()
    }

    /// Returns the path of the function, if it takes the whole drawn value.
    pub(crate) fn path(&self) -> Option<&ExprPath> {
        match &self.kind {
            MakerKind::Path(path) => Some(path),
            _ => None,
        }
    }

    pub(super) fn kind(&self) -> &MakerKind {
        &self.kind
    }

    pub(crate) fn is_parse(&self) -> bool {
        matches!(self.kind, MakerKind::Parse)
    }

    /// Returns the maker of a part: of a list's elements, or of the tuple's value at that position.
    pub(super) fn of_part(&self, position: usize) -> Option<&Self> {
        match &self.kind {
            MakerKind::Elements(maker) => Some(maker),
            MakerKind::Values(makers) => makers.get(position)?.as_ref(),
            _ => Some(self),
        }
    }

    /// Returns true if it makes one value of the whole drawn one.
    pub(crate) fn is_of_all(&self) -> bool {
        !matches!(self.kind, MakerKind::Elements(_) | MakerKind::Values(_))
    }

    /// Returns the number of values that it takes, if there are several.
    pub(super) fn values(&self, drawn: &DrawnType) -> Option<usize> {
        match &self.kind {
            MakerKind::Closure { parameters, .. } => Some(parameters.len()).filter(|it| *it > 1),
            MakerKind::Path(_) => drawn.values(),
            _ => None,
        }
    }

    /// Returns the type to take from the row for a value of that type, with `_` where the source
    /// doesn't show it.
    pub(crate) fn drawn(&self, made: &Type) -> Type {
        let value = referent(made);
        let is_option = in_option(value).is_some();
        let value = in_option(value).unwrap_or(value);
        let drawn = match &self.kind {
            MakerKind::Parse | MakerKind::Path(_) => parse_quote!(_),
            MakerKind::Closure { parameters, .. } => {
                let word = |kind: &Option<Type>| kind.clone().unwrap_or_else(|| parse_quote!(_));
                let kinds = parameters.iter().map(word);
                match parameters.as_slice() {
                    [kind] => word(kind),
                    _ => parse_quote!((#(#kinds),*)),
                }
            }
            MakerKind::Elements(maker) => maker.drawn_list(value),
            MakerKind::Values(makers) => {
                let kinds = tuple::tuple_type(value).map(|tuple| &tuple.elems);
                let kinds = kinds.map_or_else(Vec::new, |kinds| kinds.iter().collect());
                // Surplus values are reported where the tuple is read.
                let count = match kinds.len() {
                    0 => makers.len(),
                    count => count,
                };
                let drawn = (0..count).map(|position| -> Type {
                    let maker = makers.get(position).and_then(Option::as_ref);
                    let open = parse_quote!(_);
                    let kind = kinds.get(position).copied().unwrap_or(&open);
                    maker.map_or_else(|| kind.clone(), |maker| maker.drawn(kind))
                });
                let drawn: Punctuated<Type, Token![,]> = drawn.collect();
                parse_quote!((#drawn,))
            }
        };
        match is_option && in_option(ungroup(&drawn)).is_none() {
            true => parse_quote!(Option<#drawn>),
            false => drawn,
        }
    }

    /// Returns the list type to draw for a list of that type.
    fn drawn_list(&self, made: &Type) -> Type {
        let Some(list) = ListType::from_type(made) else {
            let element = self.drawn(&parse_quote!(_));
            return parse_quote!(Vec<#element>);
        };
        let element = self.drawn(list.element);
        match ungroup(made) {
            Type::Array(TypeArray { len, .. }) => parse_quote!([#element; #len]),
            _ => parse_quote!(Vec<#element>),
        }
    }

    /// Returns true if it isn't called for null, which becomes `None`.
    pub(super) fn skips_nulls(&self, made: &Type) -> bool {
        let takes_option = match &self.kind {
            MakerKind::Closure { parameters, .. } => match parameters.as_slice() {
                [Some(kind)] => in_option(ungroup(kind)).is_some(),
                _ => false,
            },
            _ => false,
        };
        in_option(referent(made)).is_some() && !takes_option
    }

    /// Returns the type of the drawn value, if a function of that name leaves it open.
    pub(super) fn annotation(&self, drawn: &DrawnType, tdg: &syn::Path) -> Option<Type> {
        let MakerKind::Path(path) = &self.kind else {
            return None;
        };
        let last = path.path.segments.last()?;
        let is_open = ["from", "try_from"].iter().any(|it| last.ident == it)
            && path.qself.is_none()
            && matches!(last.arguments, PathArguments::None);
        let word = match drawn.kind.filter(|_| is_open && drawn.parts.is_empty())? {
            FeatureType::Integer => quote!(i64),
            FeatureType::Float => quote!(f64),
            FeatureType::Boolean => quote!(bool),
            _ => return Some(parse_quote!(&#tdg::__private::core::primitive::str)),
        };
        Some(parse_quote!(#tdg::__private::core::primitive::#word))
    }

    /// Returns the call with these values.
    pub(super) fn call(
        &self,
        values: &[Ident],
        made: &Type,
        place: Span,
        tdg: &syn::Path,
    ) -> TokenStream {
        let there = at(&self.place());
        let callee = match &self.kind {
            // In a block with the macro's span, so that the compiler suggests no arguments for it.
            MakerKind::Path(path) => quote_spanned!(there=> { #path }),
            MakerKind::Closure { tokens, .. } => {
                // With explicit parameter types, the return value can borrow from them.
                let kinds = (0..values.len()).map(|it| format_ident!("Value{it}"));
                let kinds: Vec<Ident> = kinds.collect();
                let bound = quote!(#tdg::__private::core::ops::FnOnce(#(#kinds),*) -> Made);
                return quote_spanned! {there=> {
                    fn tdg_call<Made, #(#kinds),*>(make: impl #bound, #(#values: #kinds),*) -> Made {
                        make(#(#values),*)
                    }
                    tdg_call(#tokens, #(#values),*)
                }};
            }
            _ => {
                let kind = referent(made);
                let kind = in_option(kind).unwrap_or(kind);
                moved(quote!(#tdg::__private::made::parse::<#kind, _>), place)
            }
        };
        quote_spanned!(there=> #callee(#(#values),*))
    }
}

/// Returns the type itself, or the type that it refers to.
pub(super) fn referent(kind: &Type) -> &Type {
    match ungroup(kind) {
        Type::Reference(reference) => ungroup(&reference.elem),
        kind => kind,
    }
}
