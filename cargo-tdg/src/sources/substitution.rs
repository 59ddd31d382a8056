//! Types in the place of parameters.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parse;

/// A type, or a number, for each parameter of a function or a type, by the parameter's name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Substitution(BTreeMap<String, TokenStream>);

impl Substitution {
    pub(crate) fn insert(&mut self, parameter: String, by: TokenStream) {
        self.0.insert(parameter, by);
    }

    pub(crate) fn get(&self, parameter: &str) -> Option<&TokenStream> {
        self.0.get(parameter)
    }

    /// This one, and the other in what it inserts and elsewhere.
    pub(crate) fn then(self, other: Self) -> Self {
        let inserted = self.0.into_iter();
        let inserted = inserted.map(|(name, by)| (name, other.replaced(by)));
        let mut all: BTreeMap<_, _> = inserted.collect();
        all.extend(other.0);
        Self(all)
    }

    /// Without parameters, and without the names of lifetimes.
    pub(crate) fn applied<T: Clone + Parse + ToTokens>(&self, to: &T) -> T {
        let replaced = self.replaced(to.to_token_stream());
        syn::parse2(replaced).unwrap_or_else(|_| to.clone())
    }

    fn replaced(&self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is_colon =
            |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(it)) if it.as_char() == ':');
        let mut replaced = TokenStream::new();
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map(|it| &tokens[it]);
            match token {
                TokenTree::Group(group) => {
                    let inner = self.replaced(group.stream());
                    let group = proc_macro2::Group::new(group.delimiter(), inner);
                    replaced.extend([TokenTree::Group(group)]);
                }
                TokenTree::Ident(name) => match (before, self.0.get(&name.to_string())) {
                    (Some(TokenTree::Punct(it)), _) if it.as_char() == '\'' => {
                        let name = match name == "static" {
                            true => name.clone(),
                            false => Ident::new("_", Span::call_site()),
                        };
                        replaced.extend([TokenTree::Ident(name)]);
                    }
                    (Some(TokenTree::Punct(it)), _)
                        if it.as_char() == ':' && is_path(&tokens, at) =>
                    {
                        replaced.extend([token.clone()]);
                    }
                    (_, Some(by)) if is_colon(at + 1) && is_colon(at + 2) => {
                        replaced.extend(quote!(<#by>));
                    }
                    (_, Some(by)) => replaced.extend(by.clone()),
                    (_, None) => replaced.extend([token.clone()]),
                },
                _ => replaced.extend([token.clone()]),
            }
        }
        replaced
    }
}

/// Whether `::` precedes.
fn is_path(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == ':');
    at >= 2 && is_colon(&tokens[at - 1]) && is_colon(&tokens[at - 2])
}
