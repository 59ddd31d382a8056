//! The parts of the user's function that the attribute reads.
//!
//! Its body, return type and `where` clause are passed on unread: the compiler reports mistakes in
//! them better.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, GenericParam, Generics, ReturnType, Token, Type, Visibility};

use super::fixture;
use super::options::Options;
use super::parameter::Parameter;
use crate::errors::Errors;
use crate::types::{last_word, ungroup};

pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    constness: Option<Token![const]>,
    pub(crate) asyncness: Option<Token![async]>,
    unsafety: Option<Token![unsafe]>,
    abi: Option<syn::Abi>,
    fn_token: Token![fn],
    pub(crate) name: Ident,
    generics: Generics,
    pub(crate) parameters: Vec<Parameter>,
    /// `-> T`, or nothing.
    pub(crate) output: TokenStream,
    where_clause: TokenStream,
    body: Group,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let constness = input.parse()?;
        let asyncness = input.parse()?;
        let unsafety = input.parse()?;
        let abi = input.parse()?;
        if !input.peek(Token![fn]) {
            return Err(not_a_function(input));
        }
        let fn_token = input.parse()?;
        let name = input.call(Ident::parse_any)?;
        let generics = input.parse()?;
        let parameters = match input.parse()? {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                let parameters = Punctuated::<Parameter, Token![,]>::parse_terminated;
                syn::parse::Parser::parse2(parameters, group.stream())?
                    .into_iter()
                    .collect()
            }
            other => {
                return Err(syn::Error::new_spanned(
                    other,
                    "the function's parameters are expected here",
                ));
            }
        };
        let (output, where_clause, body) = rest(input.parse()?)?;
        Ok(Function {
            attributes,
            visibility,
            constness,
            asyncness,
            unsafety,
            abi,
            fn_token,
            name,
            generics,
            parameters,
            output,
            where_clause,
            body,
        })
    }
}

/// The rest after the parameters: the output, the `where` clause, the body.
fn rest(tokens: TokenStream) -> syn::Result<(TokenStream, TokenStream, Group)> {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    match tokens.pop() {
        Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => {
            let is_where =
                |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "where");
            let end = tokens.iter().position(is_where).unwrap_or(tokens.len());
            let where_clause = tokens.split_off(end);
            Ok((
                tokens.into_iter().collect(),
                where_clause.into_iter().collect(),
                body,
            ))
        }
        last => Err(syn::Error::new_spanned(
            last,
            "a test function needs a body: { … }",
        )),
    }
}

fn not_a_function(input: ParseStream<'_>) -> syn::Error {
    let found = match input.fork().call(Ident::parse_any) {
        Ok(word) => format!("expected a function, found `{word}`"),
        Err(_) => "expected a function".to_owned(),
    };
    input.error(format!(
        "{found}: `#[ensemble_test]` goes on a function whose parameters are the rows"
    ))
}

/// Reports an async function in a build without a runtime.
pub(super) fn check_async(asyncness: Token![async], errors: &mut Errors) {
    if !cfg!(feature = "tokio") {
        errors.at(
            asyncness,
            "an `async fn` needs the feature `tokio` of tdg; enable it in Cargo.toml: \
             tdg = { version = \"…\", features = [\"tokio\"] }",
        );
    }
}

impl Function {
    /// The function without its attributes, visibility and the attribute's own marks.
    pub(crate) fn definition(&self) -> TokenStream {
        let Function {
            constness,
            asyncness,
            unsafety,
            abi,
            fn_token,
            name,
            generics,
            parameters,
            output,
            where_clause,
            body,
            ..
        } = self;
        quote! {
            #constness #asyncness #unsafety #abi #fn_token #name #generics (#(#parameters),*) #output #where_clause #body
        }
    }

    /// Reports functions that can't be tested, whatever the definition.
    pub(crate) fn check(&self, options: &Options, errors: &mut Errors) {
        self.check_qualifiers(errors);
        self.check_generics(errors);
        for mistake in self.parameters.iter().filter_map(Parameter::mistake) {
            errors.add(mistake);
        }
        fixture::check(&self.parameters, options, errors);
        if options.batch.is_some() {
            self.check_batch(options, errors);
        }
        if let Some(against) = &options.against {
            against.check(self, options, errors);
        }
    }

    /// Whether the test needs a runtime.
    pub(crate) fn is_async(&self, options: &Options) -> bool {
        let against = options.against.as_ref();
        self.asyncness.is_some() || against.is_some_and(|it| it.asyncness.is_some())
    }

    /// The parameters that are of the row.
    pub(crate) fn of_row(&self) -> impl Iterator<Item = &Parameter> {
        let parameters = self.parameters.iter();
        parameters.filter(|parameter| parameter.fixture.is_none())
    }

    fn check_qualifiers(&self, errors: &mut Errors) {
        if let Some(unsafety) = self.unsafety {
            errors.at(
                unsafety,
                "the caller of an `unsafe fn` has to uphold its contract, which generated rows may not; \
                 write a safe function whose body has the `unsafe` block and states why it is sound",
            );
        }
        if let Some(abi) = &self.abi {
            errors.at(
                abi,
                "a panic in an `extern` function ends the whole test process; \
                 write a plain function that calls it",
            );
        }
        if let Some(asyncness) = self.asyncness {
            check_async(asyncness, errors);
        }
    }

    /// Lifetimes are fine: the compiler infers them.
    fn check_generics(&self, errors: &mut Errors) {
        for parameter in &self.generics.params {
            let (what, name) = match parameter {
                GenericParam::Lifetime(_) => continue,
                GenericParam::Type(parameter) => ("type", &parameter.ident),
                GenericParam::Const(parameter) => ("constant", &parameter.ident),
            };
            errors.at(
                parameter,
                format!(
                    "the {what} to test for `{name}` is unknown; \
                     write one function for each {what} and call the generic one from it"
                ),
            );
        }
    }

    fn check_batch(&self, options: &Options, errors: &mut Errors) {
        let returned = match syn::parse2(self.output.clone()) {
            Ok(ReturnType::Type(_, returned)) => returned.into_token_stream(),
            _ => self.name.to_token_stream(),
        };
        let is_vec = syn::parse2(returned.clone())
            .is_ok_and(|kind: Type| last_word(ungroup(&kind)).is_some_and(|word| word == "Vec"));
        if !is_vec {
            errors.at(
                returned,
                "with `batch` the function returns one output for each row: `-> Vec<T>`",
            );
        }
        for (option, reason) in [
            (
                "threads",
                "`batch` is one call for all rows, which `threads` can't share",
            ),
            (
                "panics",
                "`batch` is one call for all rows, so a panic belongs to no row and can't be recorded",
            ),
        ] {
            if let Some(span) = options.span_of(option) {
                errors.add(syn::Error::new(
                    span,
                    format!("{reason}; leave out one of the two"),
                ));
            }
        }
    }
}
