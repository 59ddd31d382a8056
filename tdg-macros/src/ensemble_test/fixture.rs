//! `#[fixture(Db::open()?)]` on a parameter: a value from the test instead of the row.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Meta, Token, Type};

use crate::types::ungroup;

const EXAMPLE: &str = "#[fixture(Db::open()?)] db: &Db";

/// The word before the expression of a fixture that is created for each row.
const EACH_ROW: &str = "each_row";

pub(crate) struct Fixture {
    /// True if it is created for each row instead of for each pass.
    pub(crate) each_row: bool,
    /// The expression that creates it. The compiler reports errors in it.
    pub(crate) expression: TokenStream,
}

impl Fixture {
    pub(crate) fn parse(attribute: &Attribute) -> syn::Result<Self> {
        let wrong = |place: &dyn ToTokens, problem: &str| {
            Err(syn::Error::new_spanned(
                place,
                format!("{problem}: {EXAMPLE}"),
            ))
        };
        let tokens = match &attribute.meta {
            Meta::List(list) if !list.tokens.is_empty() => list.tokens.clone(),
            _ => return wrong(attribute, "a fixture needs the expression that makes it"),
        };
        if let Some(word) = last_item(&tokens).filter(|item| item == EACH_ROW) {
            let problem = "`each_row` goes first: #[fixture(each_row, Db::open()?)]";
            return Err(syn::Error::new_spanned(word, problem));
        }
        let each_row = |input: ParseStream<'_>| {
            let is_each_row = input
                .fork()
                .parse::<Ident>()
                .is_ok_and(|word| word == EACH_ROW)
                && (input.peek2(Token![,]) || input.peek2(Token![=]));
            if is_each_row {
                let word: Ident = input.parse()?;
                if input.peek(Token![=]) {
                    let problem = "`each_row` takes no value: #[fixture(each_row, Db::open()?)]";
                    return Err(syn::Error::new_spanned(word, problem));
                }
                input.parse::<Token![,]>()?;
                if input.is_empty() {
                    let problem = "a fixture needs the expression that makes it: \
                                   #[fixture(each_row, Db::open()?)]";
                    return Err(syn::Error::new_spanned(word, problem));
                }
            }
            Ok(Self {
                each_row: is_each_row,
                expression: input.parse()?,
            })
        };
        each_row.parse2(tokens)
    }
}

/// Returns the word after the last comma.
fn last_item(tokens: &TokenStream) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    match tokens.as_slice() {
        [.., TokenTree::Punct(comma), TokenTree::Ident(word)] if comma.as_char() == ',' => {
            Some(word.clone())
        }
        _ => None,
    }
}

/// The way in which a function takes a fixture.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ArgumentPassing {
    Reference,
    Mutable,
    Value,
}

impl ArgumentPassing {
    pub(super) fn from_type(kind: Option<&Type>) -> Self {
        match kind.map(ungroup) {
            Some(Type::Reference(reference)) if reference.mutability.is_some() => Self::Mutable,
            Some(Type::Reference(_)) => Self::Reference,
            _ => Self::Value,
        }
    }
}
