//! `against = old::total`: another function, whose outputs are the expected ones.

use proc_macro2::{Group, Ident, TokenStream};
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ExprPath, ReturnType, Token, Type};

use super::definition::Source;
use super::function::{Function, check_async};
use super::options::{Options, example};
use super::values::value;
use crate::errors::Errors;
use crate::types::{text, ungroup};

pub(crate) struct Against {
    pub(crate) asyncness: Option<Token![async]>,
    pub(crate) path: ExprPath,
}

/// Said here, since syn without `full` has no closures.
const CLOSURE: &str = "`against` takes the path of a function, not a closure; \
                       write a function beside the test: against = old_total";

impl Against {
    /// What follows the option's name.
    pub(crate) fn parse(name: &Ident, input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(syn::token::Paren) {
            if input.peek2(Token![|]) || input.peek2(Token![||]) || input.peek2(Token![move]) {
                return Err(syn::Error::new(name.span(), CLOSURE));
            }
            return Ok(Self {
                asyncness: None,
                path: path(value(name, input)?, "against = old::total")?,
            });
        }
        const EXAMPLE: &str = "against(async old::total)";
        let group: Group = input.parse()?;
        let in_parentheses = |input: ParseStream<'_>| {
            let Some(asyncness) = input.parse::<Option<Token![async]>>()? else {
                let problem = format!(
                    "parentheses are for an async function: {EXAMPLE}; else write {}",
                    example(name)
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

    /// The function, as messages name it.
    pub(crate) fn name(&self) -> String {
        text(&self.path)
    }

    /// Reports what makes no sense without a benchmark.
    pub(crate) fn check(&self, function: &Function, options: &Options, errors: &mut Errors) {
        if let Some(asyncness) = self.asyncness {
            check_async(asyncness, errors);
        }
        if self.path.qself.is_none() && self.path.path.is_ident(&function.name) {
            errors.at(
                &self.path,
                format!(
                    "`{0}` is the function of this test itself; write the path of the other one: \
                     against = old::{0}",
                    function.name
                ),
            );
        }
        if function.output.is_empty() || is_unit(&function.output) {
            errors.at(
                &function.name,
                "`against` compares outputs, and this function returns nothing; return what should \
                 be equal",
            );
        }
        let is_on_a_server = matches!(options.definition, Some(Source::Remote(_)));
        for (option, reason) in [
            (
                "inputs",
                "with `against` there is no snapshot file that could have the inputs",
            ),
            (
                "store",
                "with `against` there is no benchmark that a store could keep",
            ),
        ] {
            if let Some(span) = options.span_of(option)
                // The store has the definition.
                && !(option == "store" && is_on_a_server)
            {
                errors.add(syn::Error::new(
                    span,
                    format!("{reason}; leave out `{option}`"),
                ));
            }
        }
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

fn is_unit(output: &TokenStream) -> bool {
    let Ok(ReturnType::Type(_, kind)) = syn::parse2(output.clone()) else {
        return false;
    };
    matches!(ungroup(&kind), Type::Tuple(tuple) if tuple.elems.is_empty())
}
