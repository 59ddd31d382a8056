//! `definition = …`: a file, a definition on a server, or a type that derives `Define`.

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Ident, LitStr, Token, Type};
use tdg_definition::is_uuid;

use super::values::{OptionName, start_of_value};
use crate::literal::string;
use crate::types::ungroup;

/// The definition in the option.
pub(crate) enum DefinitionOption {
    /// A file, by its path relative to the package's root.
    File(LitStr),
    /// A definition on a server, by its UUID.
    Remote(LitStr),
    /// A type that derives `Define`.
    Type(Box<Type>),
}

impl DefinitionOption {
    /// Reads the option: `(remote = "…")` is a definition on a server, `=` with a string a file,
    /// and `=` with anything else a type that derives `Define`.
    pub(crate) fn parse(name: &OptionName, input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::token::Paren) {
            let group: Group = input.parse()?;
            return remote.parse2(group.stream()).map(Self::Remote);
        }
        start_of_value(name, input)?;
        let literal = input.fork().parse::<Expr>().ok();
        let literal = literal.as_ref().and_then(string);
        let place: TokenStream = input.fork().parse::<TokenTree>()?.into();
        let problem = match literal {
            Some(path) if path.value().is_empty() => "the definition's path is empty; name a file",
            Some(path) if is_uuid(&path.value()) => {
                let problem = format!(
                    "for a definition on a server, write definition(remote = {:?})",
                    path.value()
                );
                return Err(syn::Error::new(path.span(), problem));
            }
            Some(path) => {
                input.parse::<Expr>()?;
                return Ok(Self::File(path.clone()));
            }
            None => match input.parse::<Type>() {
                Ok(kind) if matches!(ungroup(&kind), Type::Path(_)) => {
                    return Ok(Self::Type(Box::new(kind)));
                }
                _ => "a definition is a file, or a type that derives `Define`; name a file",
            },
        };
        let fix = name.example;
        Err(syn::Error::new_spanned(
            place,
            format!("{problem}, by its path from the package's root: {fix}"),
        ))
    }
}

/// Reads the UUID in `remote = "<UUID>"`.
fn remote(input: ParseStream<'_>) -> syn::Result<LitStr> {
    const EXAMPLE: &str = "definition(remote = \"0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10\")";
    let expected = |error: syn::Error| {
        let problem = format!("a definition on a server is named by its UUID: {EXAMPLE}");
        syn::Error::new(error.span(), problem)
    };
    let name = input.call(Ident::parse_any).map_err(expected)?;
    if name != "remote" {
        return Err(expected(syn::Error::new(name.span(), "")));
    }
    input.parse::<Token![=]>().map_err(expected)?;
    let id: LitStr = input.parse().map_err(expected)?;
    input.parse::<Option<Token![,]>>()?;
    if !is_uuid(&id.value()) {
        let problem = format!(
            "{:?} is not a UUID, which names a definition on a server: {EXAMPLE}",
            id.value()
        );
        return Err(syn::Error::new(id.span(), problem));
    }
    Ok(id)
}
