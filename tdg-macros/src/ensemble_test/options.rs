//! The options in the parentheses of `#[ensemble_test(…)]`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, LitStr, Token};
use tdg_definition::limits::{SIZES, THREADS};
use tdg_definition::nearest;

use super::against::Against;
use super::output::OutputOption;
use super::policy::PolicyOptions;
use super::require::Require;
use super::source::DefinitionOption;
use super::values::{
    OptionName, choice, integer, list, rows, rows_file, start_of_value, strings, test_name, value,
};
use crate::commas;
use crate::errors::Errors;
use crate::hygiene::{self, TdgPath};
use crate::literal::{KnownNumber, number};

/// The options with an example of each, in the order in which they are documented.
const OPTIONS: [(&str, &str); 23] = [
    ("definition", "definition = \"definitions/orders.json\""),
    ("define", "define(order(start, end))"),
    ("rows", "rows = \"cases.csv\""),
    ("null", "null(\"NA\", \"--\")"),
    ("size", "size = 500"),
    ("seed", "seed = 7"),
    ("name", "name = \"total of an order\""),
    ("policy", "policy = shared()"),
    ("tolerance", "tolerance(rel = 1e-9, abs = 0.0)"),
    ("ignore", "ignore(\"/id\", \"/generated_at\")"),
    ("unordered", "unordered(\"/tags\")"),
    ("allow", "allow = 0.01"),
    ("distribution", "distribution(\"/price\", ks = 1e-6)"),
    ("require", "require(\"/refund > 0\", at_least = 0.05)"),
    ("output", "output = \"debug\""),
    ("threads", "threads = 4"),
    ("inputs", "inputs = false"),
    ("store", "store = \"local\""),
    ("panics", "panics = \"record\""),
    ("keep", r##"keep = [r#"{"amount": 0.0, "coupon": null}"#]"##),
    ("batch", "batch"),
    ("against", "against = old::total"),
    ("crate", "crate = ::my::tdg"),
];

/// The options that may be repeated.
const REPEATABLE: [&str; 6] = [
    "define",
    "tolerance",
    "ignore",
    "unordered",
    "distribution",
    "require",
];

/// Option names of other test frameworks, each with tdg's name.
const ELSEWHERE: [(&str, &str); 9] = [
    ("cases", "size"),
    ("samples", "size"),
    ("count", "size"),
    ("epsilon", "tolerance"),
    ("redact", "ignore"),
    ("redactions", "ignore"),
    ("debug", "output"),
    ("display", "output"),
    ("format", "output"),
];

/// The values of options with a fixed set of words, each with its name in the code.
const STORES: [(&str, &str); 2] = [("local", "Local"), ("remote", "Remote")];
const PANICS: [(&str, &str); 2] = [("fail", "Fail"), ("record", "Record")];

const JSON_POINTERS: &str = "JSON Pointers";

const RELATIONS: [&str; 4] = ["correlation", "order", "coverage", "sampling"];

/// The options as given. `EnsembleTest` has defaults for the others.
#[derive(Default)]
pub(crate) struct AttributeOptions {
    pub(crate) definition: Option<DefinitionOption>,
    /// The content of each `define(…)` for the definition in the signature, with the option's name.
    pub(crate) relations: Vec<(Ident, TokenStream)>,
    /// The file of the rows.
    pub(crate) rows: Option<LitStr>,
    /// The fields of that file that mean null.
    pub(crate) null: Vec<LitStr>,
    pub(crate) size: Option<Expr>,
    pub(crate) seed: Option<Expr>,
    pub(crate) name: Option<LitStr>,
    pub(crate) policy: PolicyOptions,
    pub(crate) requirements: Vec<Require>,
    pub(crate) output: Option<OutputOption>,
    pub(crate) threads: Option<Expr>,
    pub(crate) inputs: Option<Expr>,
    /// The variant of `tdg::StoreKind`.
    pub(crate) store: Option<Ident>,
    /// The variant of `tdg::Panics`.
    pub(crate) panics: Option<Ident>,
    /// The rows to run in addition to the ensemble.
    pub(crate) keep: Vec<LitStr>,
    /// The name of the option, for errors about it.
    pub(crate) batch: Option<Ident>,
    /// The function whose outputs are expected.
    pub(crate) against: Option<Against>,
    /// The path of the crate `tdg`.
    pub(crate) tdg: TdgPath,
    given: Vec<Ident>,
}

impl AttributeOptions {
    pub(crate) fn parse(arguments: TokenStream, errors: &mut Errors) -> Self {
        let mut options = AttributeOptions::default();
        let all = |input: ParseStream<'_>| {
            commas::each(input, "options", errors, |input, _| {
                options.parse_one(input)
            });
            Ok(())
        };
        if let Err(error) = all.parse2(arguments) {
            errors.add(error);
        }
        options.policy.check(errors);
        options
    }

    /// Returns the name of a given option, even if its value was wrong.
    pub(crate) fn given(&self, option: &str) -> Option<&Ident> {
        self.given.iter().find(|given| *given == option)
    }

    /// Returns true if rows may run on several threads at once.
    pub(crate) fn has_threads(&self) -> bool {
        let threads = self.threads.as_ref();
        threads.is_some_and(|it| !matches!(number(it), Some(KnownNumber::Integer(1))))
    }

    /// Returns the methods of `tdg::EnsembleTest` for the options.
    pub(crate) fn settings(&self) -> TokenStream {
        let Self {
            tdg: TdgPath(tdg),
            name,
            rows,
            null,
            size,
            seed,
            policy,
            requirements,
            threads,
            inputs,
            store,
            panics,
            keep,
            ..
        } = self;
        let name = name.iter();
        let rows = rows.iter();
        let size = size.iter();
        let seed = seed.iter();
        let threads = threads.iter();
        let inputs = inputs.iter();
        let store = store.iter();
        let panics = panics.iter();
        let keep = (!keep.is_empty()).then(|| quote!(.keep([#(#keep),*])));
        let null = (!null.is_empty()).then(|| quote!(.null([#(#null),*])));
        let policy = policy.settings(tdg);
        let requirements = requirements.iter().map(Require::setting);
        quote! {
            #(.name(#name))*
            #(.rows(#rows))*
            #null
            #(.size(#size))*
            #(.seed(#seed))*
            #policy
            #(#requirements)*
            #(.threads(#threads))*
            #(.inputs(#inputs))*
            #(.store(#tdg::StoreKind::#store))*
            #(.panics(#tdg::Panics::#panics))*
            #keep
        }
    }

    /// Returns the values of options that can be any expression.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let numbers = [&self.size, &self.seed, &self.threads]
            .into_iter()
            .flatten();
        numbers.chain(self.policy.base())
    }

    /// Reads the name of an option that is new or repeatable.
    fn option_name(&mut self, input: ParseStream<'_>) -> syn::Result<OptionName> {
        let ident = input.call(Ident::parse_any).map_err(|error| {
            syn::Error::new(
                error.span(),
                format!("expected an option\n  {}", valid_options()),
            )
        })?;
        let text = ident.to_string();
        if self.given.contains(&ident) && !REPEATABLE.contains(&text.as_str()) {
            let problem = format!("`{text}` is given twice; keep one");
            return Err(syn::Error::new(ident.span(), problem));
        }
        self.given.push(ident.clone());
        let example = OPTIONS.iter().find(|(name, _)| *name == text);
        let example = example.map_or("", |(_, example)| example);
        Ok(OptionName { ident, example })
    }

    fn parse_one(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let name = self.option_name(input)?;
        match name.ident.to_string().as_str() {
            "definition" => self.definition = Some(DefinitionOption::parse(&name, input)?),
            "define" => {
                let members = list(&name, input)?;
                self.relations.push((name.ident, members));
            }
            "rows" => self.rows = Some(rows_file(&name, input)?),
            "null" => self.null = strings(&name, input, "texts")?,
            "size" => self.size = Some(integer(&name, input, SIZES)?),
            "seed" => self.seed = Some(integer(&name, input, 0..=u64::MAX)?),
            "threads" => self.threads = Some(integer(&name, input, THREADS)?),
            "name" => self.name = Some(test_name(&name, input)?),
            "tolerance" => {
                let tolerance = syn::parse2(list(&name, input)?)?;
                self.policy.add_tolerance(&name.ident, tolerance)?;
            }
            "policy" => self.policy.set_base(value(&name, input)?),
            "ignore" => self.policy.ignore(strings(&name, input, JSON_POINTERS)?),
            "unordered" => self.policy.unordered(strings(&name, input, JSON_POINTERS)?),
            "allow" => self.policy.allow(value(&name, input)?),
            "distribution" => {
                let distribution = syn::parse2(list(&name, input)?)?;
                self.policy.add_distribution(&name.ident, distribution)?;
            }
            "require" => self.requirements.push(syn::parse2(list(&name, input)?)?),
            "output" => self.output = Some(OutputOption::parse(&name, input)?),
            "inputs" => self.inputs = Some(value(&name, input)?),
            "store" => self.store = Some(choice(&name, input, &STORES)?),
            "panics" => self.panics = Some(choice(&name, input, &PANICS)?),
            "keep" => self.keep = rows(&name, input)?,
            "batch" if input.is_empty() || input.peek(Token![,]) => self.batch = Some(name.ident),
            "batch" => {
                let problem = "`batch` takes no value: write `batch` alone, or leave it out";
                return Err(input.error(problem));
            }
            "against" => self.against = Some(Against::parse(&name, input)?),
            "crate" => {
                start_of_value(&name, input)?;
                self.tdg = TdgPath(hygiene::crate_path(input)?);
            }
            unknown => {
                let (hint, valid) = (hint(unknown), valid_options());
                let problem =
                    format!("`{unknown}` is not an option of `ensemble_test`{hint}\n  {valid}");
                return Err(syn::Error::new(name.span(), problem));
            }
        }
        Ok(())
    }
}

/// Suggests the intended option, if it can be guessed.
fn hint(unknown: &str) -> String {
    if RELATIONS.contains(&unknown) {
        return format!("\n  a relation between features goes into `define`: define({unknown}(…))");
    }
    let names = OPTIONS.iter().map(|(name, _)| *name);
    let elsewhere = ELSEWHERE.iter().find(|(name, _)| *name == unknown);
    elsewhere
        .map(|(_, name)| *name)
        .or_else(|| nearest(unknown, names))
        .map(|name| format!("\n  did you mean `{name}`?"))
        .unwrap_or_default()
}

fn valid_options() -> String {
    let names: Vec<_> = OPTIONS
        .iter()
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    format!("the options are {}", names.join(", "))
}
