//! What stands between the parentheses of `#[ensemble_test(…)]`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, LitStr, Path, Token, Type, parse_quote};
use tdg_definition::nearest;

use super::definition::Source;
use super::tolerance::{Tolerance, number};
use crate::commas;
use crate::errors::Errors;
use crate::literal::{checked_pointer, literal, string};
use crate::types::ungroup;

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
            "size" => self.size = Some(integer(&name, value(&name, input)?, 1, 10_000)?),
            "seed" => self.seed = Some(integer(&name, value(&name, input)?, 0, u64::MAX)?),
            "threads" => self.threads = Some(integer(&name, value(&name, input)?, 1, 1_024)?),
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

fn example(option: &Ident) -> &'static str {
    OPTIONS
        .iter()
        .find(|(name, _)| option == name)
        .map_or("", |(_, example)| example)
}

/// What follows `name`, which must be `= value`.
fn value(name: &Ident, input: ParseStream<'_>) -> syn::Result<Expr> {
    start_of_value(name, input)?;
    input.parse()
}

fn start_of_value(name: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(
            name.span(),
            format!("`{name}` needs a value: {}", example(name)),
        ));
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(syn::Error::new(
            name.span(),
            format!("`{name}` needs a value: {}", example(name)),
        ));
    }
    Ok(())
}

/// What stands in the parentheses that must follow `name`.
fn list(name: &Ident, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let wrong = || {
        syn::Error::new(
            name.span(),
            format!("`{name}` takes a list: {}", example(name)),
        )
    };
    if !input.peek(syn::token::Paren) {
        return Err(wrong());
    }
    match input.parse()? {
        TokenTree::Group(group) if !group.stream().is_empty() => Ok(group.stream()),
        _ => Err(wrong()),
    }
}

/// An integer in a range, checked here where it is a literal and at run time where it is not.
fn integer(name: &Ident, expression: Expr, min: u64, max: u64) -> syn::Result<Expr> {
    let Some((negative, literal)) = literal(&expression) else {
        return Ok(expression);
    };
    let wrong = |given: String| {
        syn::Error::new_spanned(
            &expression,
            format!("`{name}` must be a whole number from {min} to {max}, but is {given}"),
        )
    };
    let Lit::Int(integer) = literal else {
        return Err(wrong(expression.to_token_stream().to_string()));
    };
    match integer.base10_parse::<u64>() {
        Ok(value) if (min..=max).contains(&value) && !(negative && value > 0) => Ok(expression),
        _ if negative => Err(wrong(format!("-{}", integer.base10_digits()))),
        _ => Err(wrong(integer.base10_digits().to_owned())),
    }
}

/// A string is a file, anything else a type that derives `Define`.
fn definition(name: &Ident, input: ParseStream<'_>) -> syn::Result<Source> {
    start_of_value(name, input)?;
    let literal = input.fork().parse::<Expr>().ok();
    let literal = literal.as_ref().and_then(string);
    let place: TokenStream = input.fork().parse::<TokenTree>()?.into();
    let problem = match literal {
        Some(path) if path.value().is_empty() => "the definition's path is empty; name a file",
        Some(path) if is_uuid(&path.value()) => {
            "a definition by its UUID is not available yet; what works now is a file"
        }
        Some(path) => {
            input.parse::<Expr>()?;
            return Ok(Source::File(path.clone()));
        }
        None => match input.parse::<Type>() {
            Ok(kind) if matches!(ungroup(&kind), Type::Path(_)) => {
                return Ok(Source::Type(Box::new(kind)));
            }
            _ => "a definition is a file, or a type that derives `Define`; name a file",
        },
    };
    let fix = OPTIONS[0].1;
    Err(syn::Error::new_spanned(
        place,
        format!("{problem}, by its path from the package's root: {fix}"),
    ))
}

/// 8-4-4-4-12 hexadecimal digits.
fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn test_name(expression: Expr) -> syn::Result<LitStr> {
    match string(&expression) {
        Some(name) if !name.value().trim().is_empty() => Ok(name.clone()),
        _ => Err(syn::Error::new_spanned(
            &expression,
            "`name` must be a string that is not empty; without it the test is named after its module and function",
        )),
    }
}

/// One of some words, as the variant that it stands for.
fn choice(name: &Ident, expression: Expr, choices: &[(&str, &str)]) -> syn::Result<Ident> {
    let given = string(&expression).map(LitStr::value);
    let chosen = choices
        .iter()
        .find(|(word, _)| given.as_deref() == Some(*word));
    if let Some((_, variant)) = chosen {
        return Ok(Ident::new(variant, Span::call_site()));
    }
    let words: Vec<_> = choices
        .iter()
        .map(|(word, _)| format!("\"{word}\""))
        .collect();
    let near = given
        .as_deref()
        .and_then(|given| nearest(given, choices.iter().map(|(word, _)| *word)));
    let hint = near
        .map(|word| format!("; did you mean \"{word}\"?"))
        .unwrap_or_default();
    Err(syn::Error::new_spanned(
        &expression,
        format!("`{name}` must be {}{hint}", words.join(" or ")),
    ))
}

fn crate_path(name: &Ident, input: ParseStream<'_>) -> syn::Result<Path> {
    let expression = value(name, input)?;
    match expression {
        Expr::Path(path) if path.qself.is_none() => Ok(path.path),
        _ => Err(syn::Error::new_spanned(
            &expression,
            format!(
                "`crate` must be the path of the crate tdg, without quotes: {}",
                example(name)
            ),
        )),
    }
}

/// A share of the cases, checked here where it is a literal and at run time where it is not.
fn share(name: &Ident, expression: Expr) -> syn::Result<TokenStream> {
    let is_below_one = |literal: &Lit| match literal {
        Lit::Float(float) => float.base10_parse::<f64>().is_ok_and(|share| share < 1.0),
        Lit::Int(integer) => integer.base10_digits() == "0",
        _ => true,
    };
    if literal(&expression).is_some_and(|(_, literal)| !is_below_one(literal)) {
        return Err(syn::Error::new_spanned(
            &expression,
            format!(
                "`{name}` is the share of cases that may differ, from 0 to less than 1: \
                 {name} = 0.01 is one in a hundred"
            ),
        ));
    }
    number(name, expression)
}

/// The JSON Pointers in the parentheses that must follow `name`.
fn pointers(name: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    let read = Punctuated::<LitStr, Token![,]>::parse_terminated;
    let pointers = read.parse2(list(name, input)?).map_err(|error| {
        syn::Error::new(
            error.span(),
            format!("`{name}` takes JSON Pointers as strings: {}", example(name)),
        )
    })?;
    let mut checked: Vec<LitStr> = Vec::with_capacity(pointers.len());
    for pointer in pointers {
        // The output itself can be an array without an order.
        let is_output = name == "unordered" && pointer.value().is_empty();
        let pointer = if is_output {
            pointer
        } else {
            checked_pointer(pointer)?
        };
        if checked.iter().any(|known| known.value() == pointer.value()) {
            return Err(syn::Error::new(
                pointer.span(),
                format!("`{}` is listed twice", pointer.value()),
            ));
        }
        checked.push(pointer);
    }
    Ok(checked)
}
