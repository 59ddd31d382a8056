//! What stands between the parentheses of `#[ensemble_test(…)]`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, LitStr, Path, Token, parse_quote};
use tdg_definition::limits::{SIZES, THREADS};
use tdg_definition::nearest;

use super::definition::Source;
use super::tolerance::Tolerance;
use super::values::{
    choice, crate_path, definition, integer, list, pointers, share, test_name, value,
};
use crate::commas;
use crate::errors::Errors;

/// The options with an example of each, in the order in which they are documented.
const OPTIONS: [(&str, &str); 13] = [
    ("definition", "definition = \"definitions/orders.json\""),
    ("size", "size = 500"),
    ("seed", "seed = 7"),
    ("name", "name = \"total of an order\""),
    ("tolerance", "tolerance(rel = 1e-9, abs = 0.0)"),
    ("ignore", "ignore(\"/id\", \"/generated_at\")"),
    ("unordered", "unordered(\"/tags\")"),
    ("allow", "allow = 0.01"),
    ("threads", "threads = 4"),
    ("store", "store = \"local\""),
    ("panics", "panics = \"record\""),
    ("batch", "batch"),
    ("crate", "crate = ::my::tdg"),
];

/// The options as given; what was not given is left to the run-time's defaults.
pub(crate) struct Options {
    pub(crate) definition: Option<Source>,
    pub(crate) size: Option<Expr>,
    pub(crate) seed: Option<Expr>,
    pub(crate) name: Option<LitStr>,
    pub(crate) tolerances: Vec<Tolerance>,
    pub(crate) ignored: Vec<LitStr>,
    pub(crate) unordered: Vec<LitStr>,
    pub(crate) allow: Option<TokenStream>,
    pub(crate) threads: Option<Expr>,
    /// The variant of `tdg::StoreKind`.
    pub(crate) store: Option<Ident>,
    /// The variant of `tdg::Panics`.
    pub(crate) panics: Option<Ident>,
    /// The option's name, to which errors about it point.
    pub(crate) batch: Option<Ident>,
    /// The path under which the crate `tdg` is reached.
    pub(crate) tdg: Path,
    given: Vec<Ident>,
}

impl Options {
    pub(crate) fn parse(arguments: TokenStream, errors: &mut Errors) -> Self {
        let mut options = Options {
            definition: None,
            size: None,
            seed: None,
            name: None,
            tolerances: Vec::new(),
            ignored: Vec::new(),
            unordered: Vec::new(),
            allow: None,
            threads: None,
            store: None,
            panics: None,
            batch: None,
            tdg: parse_quote!(::tdg),
            given: Vec::new(),
        };
        let all = |input: ParseStream<'_>| {
            commas::each(input, "options", errors, |input, _| {
                options.parse_one(input)
            });
            Ok(())
        };
        if let Err(error) = all.parse2(arguments) {
            errors.add(error);
        }
        if options.span_of("definition").is_none() {
            errors.add(syn::Error::new(
                Span::call_site(),
                "which rows? Name the file that defines them, by its path from the package's root: \
                 #[ensemble_test(definition = \"definitions/orders.json\")]; \
                 or a type that derives `Define`: #[ensemble_test(definition = Order)]",
            ));
        }
        options
    }

    /// Where an option was given, whether or not its value was right.
    pub(crate) fn span_of(&self, option: &str) -> Option<Span> {
        self.given
            .iter()
            .find(|given| *given == option)
            .map(Ident::span)
    }

    fn parse_one(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let name = input.call(Ident::parse_any).map_err(|error| {
            syn::Error::new(
                error.span(),
                format!("an option is expected here\n  {}", valid_options()),
            )
        })?;
        let text = name.to_string();
        if self.given.contains(&name) && text != "tolerance" {
            let fix = if text == "ignore" || text == "unordered" {
                format!("list all pointers in one: {text}(\"/a\", \"/b\")")
            } else {
                "keep one".to_owned()
            };
            return Err(syn::Error::new(
                name.span(),
                format!("`{text}` is given twice; {fix}"),
            ));
        }
        self.given.push(name.clone());
        match text.as_str() {
            "definition" => self.definition = Some(definition(&name, input)?),
            "size" => self.size = Some(integer(&name, value(&name, input)?, SIZES)?),
            "seed" => self.seed = Some(integer(&name, value(&name, input)?, 0..=u64::MAX)?),
            "threads" => self.threads = Some(integer(&name, value(&name, input)?, THREADS)?),
            "name" => self.name = Some(test_name(value(&name, input)?)?),
            "tolerance" => {
                let tolerance = syn::parse2(list(&name, input)?)?;
                self.check_tolerance(&name, &tolerance)?;
                self.tolerances.push(tolerance);
            }
            "ignore" => self.ignored = pointers(&name, input)?,
            "unordered" => self.unordered = pointers(&name, input)?,
            "allow" => self.allow = Some(share(&name, value(&name, input)?)?),
            "store" => {
                self.store = Some(choice(
                    &name,
                    value(&name, input)?,
                    &[("local", "Local"), ("remote", "Remote")],
                )?)
            }
            "panics" => {
                self.panics = Some(choice(
                    &name,
                    value(&name, input)?,
                    &[("fail", "Fail"), ("record", "Record")],
                )?)
            }
            "batch" => {
                if !input.is_empty() && !input.peek(Token![,]) {
                    return Err(
                        input.error("`batch` takes no value: write `batch` alone, or leave it out")
                    );
                }
                self.batch = Some(name);
            }
            "crate" => self.tdg = crate_path(&name, input)?,
            unknown => {
                let near = nearest(unknown, OPTIONS.iter().map(|(name, _)| *name));
                let hint = near
                    .map(|name| format!("\n  did you mean `{name}`?"))
                    .unwrap_or_default();
                return Err(syn::Error::new(
                    name.span(),
                    format!(
                        "`{unknown}` is no option of `ensemble_test`{hint}\n  {}",
                        valid_options()
                    ),
                ));
            }
        }
        Ok(())
    }

    fn check_tolerance(&self, name: &Ident, new: &Tolerance) -> syn::Result<()> {
        let pointer_of = |tolerance: &Tolerance| tolerance.pointer.as_ref().map(LitStr::value);
        if !self
            .tolerances
            .iter()
            .any(|known| pointer_of(known) == pointer_of(new))
        {
            return Ok(());
        }
        Err(match &new.pointer {
            Some(pointer) => syn::Error::new(
                pointer.span(),
                format!("`{}` has two tolerances; keep one", pointer.value()),
            ),
            None => syn::Error::new(
                name.span(),
                "the tolerance of the whole output is given twice; keep one, \
                 or name the field it is for: tolerance(\"/price\", abs = 0.01)",
            ),
        })
    }
}

fn valid_options() -> String {
    let names: Vec<_> = OPTIONS
        .iter()
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    format!("the options are {}", names.join(", "))
}

/// An option as it is written.
pub(super) fn example(option: &Ident) -> &'static str {
    OPTIONS
        .iter()
        .find(|(name, _)| option == name)
        .map_or("", |(_, example)| example)
}
