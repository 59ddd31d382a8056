//! The option `output`: how the returned value is recorded.

use std::collections::BTreeSet;

use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{LitStr, Member, Token, token};

use super::values::{OptionName, choice, start_of_value};
use crate::hygiene::local;

/// The traits, each with its constructor of `tdg::__private::probe::Probe`.
const TRAITS: [(&str, &str); 2] = [("debug", "debug"), ("display", "display")];

/// The recorded form of the returned value.
pub(crate) enum OutputOption {
    /// Its text, from the trait of this constructor.
    Text(Ident),
    Members(Vec<OutputMember>),
}

/// A field, or a method that takes only the value.
pub(crate) struct OutputMember {
    name: Member,
    /// The parentheses of a method.
    parentheses: Option<Group>,
}

impl OutputOption {
    pub(super) fn parse(name: &OptionName, input: ParseStream<'_>) -> syn::Result<Self> {
        let ahead = input.fork();
        start_of_value(name, &ahead)?;
        if !ahead.peek(token::Bracket) {
            let chosen = choice(name, input, &TRAITS).map(Self::Text);
            return chosen.map_err(|error| match ahead.peek(LitStr) {
                true => error,
                false => {
                    let problem = format!("{error}, or a list of members: {EXAMPLE}");
                    syn::Error::new(error.span(), problem)
                }
            });
        }
        start_of_value(name, input)?;
        let list: Group = input.parse()?;
        let read = Punctuated::<OutputMember, Token![,]>::parse_terminated;
        let members: Vec<_> = read.parse2(list.stream())?.into_iter().collect();
        let mut names = BTreeSet::new();
        if let Some(twice) = members.iter().find(|it| !names.insert(it.key())) {
            let problem = format!("`{}` is given twice; keep one", twice.key());
            return Err(syn::Error::new_spanned(&twice.name, problem));
        }
        match members.is_empty() {
            true => Err(syn::Error::new(
                list.span(),
                format!("`{name}` lists no member of the value: {EXAMPLE}"),
            )),
            false => Ok(Self::Members(members)),
        }
    }

    /// Returns true if the output is a text without fields.
    pub(super) fn is_display(&self) -> bool {
        matches!(self, Self::Text(form) if form == "display")
    }

    /// Converts the returned value, `returned`, to its outcome.
    pub(super) fn outcome(
        this: Option<&Self>,
        returned: &Ident,
        probe: &TokenStream,
    ) -> TokenStream {
        let place = returned.span();
        match this {
            Some(Self::Members(members)) => {
                let value = local("value");
                let members = members.iter().map(|it| it.outcome(&value, probe));
                quote_spanned! {place=>
                    (&&&&&#probe::Probe::members(#returned))
                        .tdg_members(#returned, |#value| #probe::members([#(#members),*]))
                }
            }
            Some(Self::Text(form)) => {
                let form = Ident::new(&form.to_string(), place);
                quote_spanned!(place=> (&&&&&#probe::Probe::#form(#returned)).tdg_outcome(#returned))
            }
            None => {
                quote_spanned!(place=> (&&&&&#probe::Probe::of(#returned)).tdg_outcome(#returned))
            }
        }
    }
}

const EXAMPLE: &str = "output = [len(), width]";

impl OutputMember {
    fn key(&self) -> String {
        match &self.name {
            Member::Named(name) => name.unraw().to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        }
    }

    fn outcome(&self, value: &Ident, probe: &TokenStream) -> TokenStream {
        let Self { name, parentheses } = self;
        let place = Span::mixed_site().located_at(name.span());
        let (key, member) = (self.key(), Ident::new("member", place));
        let shown = quote_spanned!(place=> (&&#probe::Probe::of(#member)).tdg_member(#member));
        quote!((#key, match &#value.#name #parentheses { #member => #shown }))
    }
}

impl Parse for OutputMember {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = match input.peek(syn::LitInt) {
            true => Member::Unnamed(input.parse()?),
            false => match input.call(Ident::parse_any) {
                Ok(name) => Member::Named(name),
                Err(error) => return Err(unlike_member(error.span())),
            },
        };
        let is_method = input.peek(token::Paren);
        let parentheses: Option<Group> = is_method.then(|| input.parse()).transpose()?;
        if let Some(given) = parentheses.as_ref().filter(|it| !it.stream().is_empty()) {
            return Err(unlike_member(given.span()));
        }
        match input.is_empty() || input.peek(Token![,]) {
            true => Ok(Self { name, parentheses }),
            false => Err(unlike_member(input.span())),
        }
    }
}

fn unlike_member(place: Span) -> syn::Error {
    let problem = format!(
        "`output` lists fields, and methods that take only `&self`, with parentheses: {EXAMPLE}; \
         return other values from the function itself"
    );
    syn::Error::new(place, problem)
}
