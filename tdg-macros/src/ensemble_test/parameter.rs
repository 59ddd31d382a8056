//! One parameter of the user's function.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, LitStr, Meta, Token, Type};

use super::conversion::unreadable_part;
use super::fixture::Fixture;
use crate::define::Maker;
use crate::errors::Errors;
use crate::types::{is_scalar, text, ungroup};

pub(crate) struct TestedParameter {
    attributes: Vec<Attribute>,
    /// The name in `#[feature("…")]`.
    pub(crate) renamed: Option<LitStr>,
    /// A mistake in `#[feature(…)]`, `#[fixture(…)]`, or a maker.
    misnamed: Option<syn::Error>,
    /// Set if the value doesn't come from the row.
    pub(crate) fixture: Option<Fixture>,
    /// `#[define(…)]`: the feature's distribution.
    pub(crate) definers: Vec<Attribute>,
    /// The maker of the value, if any.
    pub(crate) maker: Option<Maker>,
    /// `amount`, `mut amount`, `(a, b)`, `Order { amount, .. }`; `&self` and such without a type.
    pub(crate) pattern: TokenStream,
    pub(crate) kind: Option<Type>,
    /// The type as written, which may be more than `kind` can hold.
    pub(crate) type_tokens: TokenStream,
}

impl Parse for TestedParameter {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (marks, attributes): (Vec<_>, Vec<_>) = input
            .call(Attribute::parse_outer)?
            .into_iter()
            .partition(|attribute| attribute.path().is_ident("feature"));
        let (mut definers, attributes): (Vec<_>, Vec<_>) = attributes
            .into_iter()
            .partition(|attribute| attribute.path().is_ident("define"));
        let renamed = marks.first().map(feature_name).transpose();
        let (fixtures, attributes): (Vec<_>, Vec<_>) = attributes
            .into_iter()
            .partition(|attribute| attribute.path().is_ident("fixture"));
        let fixture = fixture(&fixtures, marks.first().or(definers.first()));
        let mut mistakes = Errors::default();
        let maker = Maker::take(&mut definers, &mut mistakes);
        let pattern = until(input, |input| {
            input.peek(Token![,]) || (input.peek(Token![:]) && !input.peek(Token![::]))
        })?;
        let type_tokens = type_tokens(input)?;
        let kind = syn::parse2(type_tokens.clone()).ok();
        let (renamed, fixture, misnamed) = match (renamed, fixture) {
            (Ok(renamed), Ok(fixture)) => (renamed, fixture, mistakes.into_error()),
            (Err(error), _) | (_, Err(error)) => (None, None, Some(error)),
        };
        Ok(TestedParameter {
            attributes,
            renamed,
            misnamed,
            fixture,
            definers,
            maker,
            pattern,
            kind,
            type_tokens,
        })
    }
}

/// Returns the only fixture, unless the parameter is marked as a feature.
fn fixture(fixtures: &[Attribute], mark: Option<&Attribute>) -> syn::Result<Option<Fixture>> {
    match (fixtures, mark) {
        ([_, second, ..], _) => Err(syn::Error::new_spanned(
            second,
            "a parameter has one fixture; keep one of the two",
        )),
        ([_], Some(mark)) => Err(syn::Error::new_spanned(
            mark,
            "a fixture isn't part of the row, so it can't be a feature; keep one of the two",
        )),
        ([fixture], None) => Fixture::parse(fixture).map(Some),
        ([], _) => Ok(None),
    }
}

/// Reads the type after a colon. A type that syn doesn't know extends to the next comma.
fn type_tokens(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    if input.parse::<Option<Token![:]>>()?.is_none() {
        return Ok(TokenStream::new());
    }
    // Parsing the type finds its end.
    let ahead = input.fork();
    if ahead.parse::<Type>().is_ok() && (ahead.is_empty() || ahead.peek(Token![,])) {
        return Ok(input.parse::<Type>()?.into_token_stream());
    }
    until(input, |input| input.peek(Token![,]))
}

fn until(
    input: ParseStream<'_>,
    end: impl Fn(ParseStream<'_>) -> bool,
) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !end(input) {
        // Takes `::` as a whole, so that its second half isn't mistaken for the type's colon.
        if input.peek(Token![::]) {
            input.parse::<Token![::]>()?.to_tokens(&mut tokens);
        } else {
            input.parse::<TokenTree>()?.to_tokens(&mut tokens);
        }
    }
    Ok(tokens)
}

fn feature_name(attribute: &Attribute) -> syn::Result<LitStr> {
    let name = match &attribute.meta {
        Meta::List(list) => list.parse_args::<LitStr>().ok(),
        _ => None,
    };
    name.ok_or_else(|| {
        syn::Error::new_spanned(
            attribute,
            "a feature is named by one string: #[feature(\"unit price\")]",
        )
    })
}

impl TestedParameter {
    /// Returns the name by which the parameter may be bound to a feature.
    pub(crate) fn name(&self) -> Option<String> {
        match &self.renamed {
            Some(renamed) => Some(renamed.value()),
            None => self.variable().map(|name| name.unraw().to_string()),
        }
    }

    /// Returns the variable, if the pattern is nothing else.
    pub(crate) fn variable(&self) -> Option<Ident> {
        let mut tokens = self.pattern.clone().into_iter().peekable();
        if matches!(tokens.peek(), Some(TokenTree::Ident(word)) if word == "mut") {
            tokens.next();
        }
        match (tokens.next(), tokens.next()) {
            (Some(TokenTree::Ident(name)), None) if name != "_" => Some(name),
            _ => None,
        }
    }

    /// Returns the type to take from the row: the parameter's, or its maker's.
    pub(crate) fn drawn(&self) -> Option<Type> {
        let kind = self.kind.as_ref()?;
        Some(match &self.maker {
            Some(maker) => maker.drawn(kind),
            None => kind.clone(),
        })
    }

    /// Suggests a fixture for a reference to a type that can't be a feature.
    pub(crate) fn hint_at_fixture(&self) -> String {
        let Some(Type::Reference(reference)) = self.kind.as_ref().map(ungroup) else {
            return String::new();
        };
        let kind = ungroup(&reference.elem);
        if is_scalar(kind) || matches!(kind, Type::Slice(_)) || self.renamed.is_some() {
            return String::new();
        }
        format!(
            "\n  a value that isn't part of the row is a fixture: #[fixture(…)] {}: {}",
            self.pattern,
            text(reference)
        )
    }

    /// Returns the reason why the parameter can't be bound with any definition.
    pub(crate) fn mistake(&self) -> Option<syn::Error> {
        if let Some(error) = &self.misnamed {
            return Some(error.clone());
        }
        if let Some(attribute) = self
            .attributes
            .iter()
            .find(|attribute| is_conditional(attribute))
        {
            return Some(syn::Error::new_spanned(
                attribute,
                "a parameter of a test can't depend on `cfg`: write two functions, each with its own `#[cfg]`",
            ));
        }
        if let Some(TokenTree::Ident(word)) = self.pattern.clone().into_iter().last()
            && word == "self"
        {
            return Some(syn::Error::new_spanned(
                &self.pattern,
                "a test has no `self`: write a free function that makes the value and calls the method",
            ));
        }
        if let Some(attribute) = self.attributes.iter().find(|it| is_of_rstest(it)) {
            return Some(syn::Error::new_spanned(
                attribute,
                "the rows are the cases of this test; for cases of rstest, write an `#[rstest]` that \
                 calls `tdg::EnsembleTest::new(name)`, with a name for each",
            ));
        }
        if let (Some(kind), None, None) = (&self.kind, &self.fixture, &self.maker)
            && let Some((part, problem)) = unreadable_part(kind)
        {
            return Some(syn::Error::new_spanned(part, problem));
        }
        if let Some(Type::ImplTrait(kind)) = &self.kind {
            return Some(syn::Error::new_spanned(
                kind,
                "a test needs a concrete type instead of `impl Trait`",
            ));
        }
        None
    }
}

/// Returns true if rstest would provide the parameter's value.
fn is_of_rstest(attribute: &Attribute) -> bool {
    ["case", "values", "from", "with"]
        .iter()
        .any(|word| attribute.path().is_ident(word))
}

fn is_conditional(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
}

impl ToTokens for TestedParameter {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let TestedParameter {
            attributes,
            pattern,
            type_tokens,
            ..
        } = self;
        let attributes = attributes
            .iter()
            .filter(|attribute| !is_of_rstest(attribute));
        let colon = (!type_tokens.is_empty()).then(|| quote!(:));
        tokens.extend(quote!(#(#attributes)* #pattern #colon #type_tokens));
    }
}
