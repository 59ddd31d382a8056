//! The parts of the user's function that the attribute reads.
//!
//! Its body, return type and `where` clause are passed on unread: the compiler reports mistakes in
//! them better.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Generics, Token, Visibility};

use super::options::AttributeOptions;
use super::parameter::TestedParameter;

pub(crate) struct TestedFunction {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    constness: Option<Token![const]>,
    pub(crate) asyncness: Option<Token![async]>,
    pub(crate) unsafety: Option<Token![unsafe]>,
    pub(crate) abi: Option<syn::Abi>,
    fn_token: Token![fn],
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) parameters: Vec<TestedParameter>,
    /// `-> T`, or empty.
    pub(crate) output: TokenStream,
    where_clause: TokenStream,
    body: Group,
}

impl Parse for TestedFunction {
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
                let parameters = Punctuated::<TestedParameter, Token![,]>::parse_terminated;
                syn::parse::Parser::parse2(parameters, group.stream())?
                    .into_iter()
                    .collect()
            }
            other => {
                return Err(syn::Error::new_spanned(
                    other,
                    "expected the function's parameters",
                ));
            }
        };
        let (output, where_clause, body) = rest(input.parse()?)?;
        Ok(TestedFunction {
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

/// Reads the tokens after the parameters: the output, the `where` clause, the body.
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

impl TestedFunction {
    /// Returns the function without its attributes, visibility and marks, and with these statements
    /// at the start.
    pub(crate) fn definition(&self, first: &TokenStream) -> TokenStream {
        let TestedFunction {
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
        let body = match first.is_empty() {
            true => body.to_token_stream(),
            false => quote!({ #first #body }),
        };
        quote! {
            #constness #asyncness #unsafety #abi #fn_token #name #generics (#(#parameters),*) #output #where_clause #body
        }
    }

    /// Returns true if the test needs a runtime.
    pub(crate) fn is_async(&self, options: &AttributeOptions) -> bool {
        let against = options.against.as_ref();
        self.asyncness.is_some() || against.is_some_and(|it| it.asyncness.is_some())
    }

    /// Returns the parameters that take values of the row.
    pub(crate) fn of_row(&self) -> impl Iterator<Item = &TestedParameter> {
        let parameters = self.parameters.iter();
        parameters.filter(|parameter| parameter.fixture.is_none())
    }
}
