//! `require("/refund > 0", at_least = 0.05, at_most = 0.5)`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, LitStr};
use tdg_definition::requirement::{Requirement, RequirementPart};
use tdg_definition::{json::Value, nearest};

use super::distribution::named_values;
use super::tolerance::{end_of_item, number};
use crate::literal::json_of;

const EXAMPLE: &str = "require(\"/refund > 0\", at_least = 0.05)";
const SHARES: [&str; 2] = ["at_least", "at_most"];

/// A requirement with a valid condition and valid shares, if these are literals.
pub(crate) struct Require {
    condition: LitStr,
    at_least: Option<Expr>,
    at_most: Option<Expr>,
}

impl Parse for Require {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(LitStr) {
            let problem = format!("`require` begins with a condition in quotes: {EXAMPLE}");
            return Err(input.error(problem));
        }
        let mut require = Self {
            condition: input.parse()?,
            at_least: None,
            at_most: None,
        };
        end_of_item(input)?;
        for (name, share) in named_values(input, "at_least = 0.05")? {
            match name.to_string().as_str() {
                "at_least" => require.at_least = Some(share),
                "at_most" => require.at_most = Some(share),
                unknown => {
                    let near = nearest(unknown, SHARES);
                    let hint = near.map(|near| format!("did you mean `{near}`?"));
                    let hint = hint.unwrap_or_else(|| "use `at_least` or `at_most`".into());
                    let problem = format!("`{unknown}` is not a share of the cases; {hint}");
                    return Err(syn::Error::new(name.span(), problem));
                }
            }
        }
        require.check()?;
        Ok(require)
    }
}

impl Require {
    fn check(&self) -> syn::Result<()> {
        // Unknown shares are assumed to be valid.
        let share = |expression: &Option<Expr>, stand_in| {
            let json = json_of(expression.as_ref()?);
            Some(json.as_ref().and_then(Value::as_f64).unwrap_or(stand_in))
        };
        let at_least = share(&self.at_least, f64::MIN_POSITIVE);
        let at_most = share(&self.at_most, 1.0 - f64::EPSILON);
        let condition = self.condition.value();
        let Err(error) = Requirement::new(&condition, at_least, at_most) else {
            return Ok(());
        };
        let (part, problem) = (error.part(), error.problem());
        let at = |share: &Option<Expr>| match share {
            Some(share) => syn::Error::new_spanned(share, format!("`{part}` {problem}")),
            None => syn::Error::new_spanned(&self.condition, problem),
        };
        Err(match part {
            RequirementPart::Condition => {
                syn::Error::new_spanned(&self.condition, format!("`require`: {problem}"))
            }
            RequirementPart::AtLeast => at(&self.at_least),
            RequirementPart::AtMost => at(&self.at_most),
        })
    }

    /// Returns the method of `tdg::EnsembleTest` for the requirement.
    pub(crate) fn setting(&self) -> TokenStream {
        let condition = &self.condition;
        let at_least = self.at_least.as_ref().map(number);
        let shares = match self.at_most.as_ref().map(number) {
            Some(at_most) => quote!(#at_least..=#at_most),
            None => quote!(#at_least..),
        };
        quote!(.require(#condition, #shares))
    }
}
