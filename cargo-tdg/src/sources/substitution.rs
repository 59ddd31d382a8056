//! Substitution of types for parameters.

use std::collections::BTreeMap;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parse;

use super::tokens::is_punct;

/// Types or numbers for generic parameters by name, and for associated types such as `T::Item`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Substitution(BTreeMap<String, TokenStream>);

impl Substitution {
    pub(crate) fn insert(&mut self, parameter: String, by: TokenStream) {
        self.0.insert(parameter, by);
    }

    pub(crate) fn get(&self, parameter: &str) -> Option<&TokenStream> {
        self.0.get(parameter)
    }

    /// Composes two substitutions, first this one and then the other.
    pub(crate) fn then(self, other: Self) -> Self {
        let inserted = self.0.into_iter();
        let inserted = inserted.map(|(name, by)| (name, other.replaced(by)));
        let mut all: BTreeMap<_, _> = inserted.collect();
        all.extend(other.0);
        Self(all)
    }

    /// Applies the substitution. Lifetime names are removed.
    pub(crate) fn applied<T: Clone + Parse + ToTokens>(&self, to: &T) -> T {
        let replaced = self.replaced(to.to_token_stream());
        syn::parse2(replaced).unwrap_or_else(|_| to.clone())
    }

    fn replaced(&self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is_path = |at: Option<usize>| {
            is_punct(&tokens, at, ':') && is_punct(&tokens, at.map(|it| it + 1), ':')
        };
        let mut replaced = TokenStream::new();
        let mut next = 0;
        while let Some(token) = tokens.get(next) {
            let at = next;
            next += 1;
            let name = match token {
                TokenTree::Ident(name) => name.to_string(),
                _ => String::new(),
            };
            let inner = tokens.get(at + 3).filter(|_| is_path(Some(at + 1)));
            let known = inner.and_then(|inner| self.0.get(&format!("{name}::{inner}")));
            if let Some(by) = known {
                replaced.extend(by.clone());
                next = at + 4;
                continue;
            }
            let by = self.0.get(&name);
            match (token, by) {
                (TokenTree::Group(group), _) => {
                    let inner = self.replaced(group.stream());
                    replaced.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
                }
                (TokenTree::Ident(name), _) if is_punct(&tokens, at.checked_sub(1), '\'') => {
                    let name = if name == "static" { "static" } else { "_" };
                    let name = Ident::new(name, Span::call_site());
                    replaced.extend([TokenTree::Ident(name)]);
                }
                (_, Some(_)) if is_path(at.checked_sub(2)) => replaced.extend([token.clone()]),
                (_, Some(by)) if is_path(Some(at + 1)) => replaced.extend(quote!(<#by>)),
                (_, Some(by)) => replaced.extend(by.clone()),
                (_, None) => replaced.extend([token.clone()]),
            }
        }
        replaced
    }
}
