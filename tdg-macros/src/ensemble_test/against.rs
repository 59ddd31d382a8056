//! `against = old::total`: another function, whose outputs are expected.

use proc_macro2::Group;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ExprPath, Token};

use super::values::{OptionName, value};
use crate::types::text;

pub(crate) struct Against {
    pub(crate) asyncness: Option<Token![async]>,
    pub(crate) path: ExprPath,
}

/// A separate message, since syn without `full` has no closures.
const CLOSURE: &str = "`against` takes the path of a function, not a closure; \
                       write a function next to the test: against = old_total";

impl Against {
    /// Reads the value of the option.
    pub(crate) fn parse(name: &OptionName, input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(syn::token::Paren) {
            if input.peek2(Token![|]) || input.peek2(Token![||]) || input.peek2(Token![move]) {
                return Err(syn::Error::new(name.span(), CLOSURE));
            }
            return Ok(Self {
                asyncness: None,
                path: path(value(name, input)?, name.example)?,
            });
        }
        const EXAMPLE: &str = "against(async old::total)";
        let group: Group = input.parse()?;
        let in_parentheses = |input: ParseStream<'_>| {
            let Some(asyncness) = input.parse::<Option<Token![async]>>()? else {
                let problem = format!(
                    "parentheses are for an async function: {EXAMPLE}; otherwise write {}",
                    name.example
                );
                return Err(syn::Error::new(group.span(), problem));
            };
            let expression = input.parse().map_err(|error| {
                let problem = format!("the async function is missing: {EXAMPLE}");
                syn::Error::new(error.span(), problem)
            })?;
            Ok(Self {
                asyncness: Some(asyncness),
                path: path(expression, EXAMPLE)?,
            })
        };
        in_parentheses.parse2(group.stream())
    }

    /// Returns the function's name for messages.
    pub(crate) fn name(&self) -> String {
        text(&self.path)
    }
}

fn path(expression: Expr, fix: &str) -> syn::Result<ExprPath> {
    let problem = match expression {
        Expr::Path(path) => return Ok(path),
        Expr::Call(_) => "`against` takes the function itself, without a call",
        _ => "`against` takes the path of a function",
    };
    Err(syn::Error::new_spanned(
        expression,
        format!("{problem}: {fix}"),
    ))
}
