//! Mistakes in functions and combinations of options, independent of the definition.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Lit, ReturnType, Token, Type};

use super::against::Against;
use super::fixture::ArgumentPassing;
use super::function::TestedFunction;
use super::options::AttributeOptions;
use super::parameter::TestedParameter;
use super::source::DefinitionOption;
use crate::errors::Errors;
use crate::literal::literal;
use crate::types::{last_word, text, ungroup};

/// Reports functions that can't be tested with any definition.
pub(crate) fn check(function: &TestedFunction, options: &AttributeOptions, errors: &mut Errors) {
    check_qualifiers(function, errors);
    errors.at_generics(&function.generics, |what, name| {
        format!(
            "the {what} to test for `{name}` is unknown; \
             write one function for each {what} and call the generic one from it"
        )
    });
    for mistake in function
        .parameters
        .iter()
        .filter_map(TestedParameter::mistake)
    {
        errors.add(mistake);
    }
    check_fixtures(&function.parameters, options, errors);
    if options.batch.is_some() {
        check_batch(function, options, errors);
    }
    check_output(function, options, errors);
    if let Some(against) = &options.against {
        check_against(against, function, options, errors);
    }
}

fn check_qualifiers(function: &TestedFunction, errors: &mut Errors) {
    if let Some(unsafety) = function.unsafety {
        errors.at(
            unsafety,
            "the caller of an `unsafe fn` has to uphold its contract, which generated rows may not; \
             write a safe function whose body has the `unsafe` block and states why it is sound",
        );
    }
    if let Some(abi) = &function.abi {
        errors.at(
            abi,
            "a panic in an `extern` function ends the whole test process; \
             write a plain function that calls it",
        );
    }
    if let Some(asyncness) = function.asyncness {
        check_async(asyncness, errors);
    }
}

/// Reports an async function in a build without a runtime.
fn check_async(asyncness: Token![async], errors: &mut Errors) {
    if !cfg!(feature = "tokio") {
        errors.at(
            asyncness,
            "an `async fn` needs the feature `tokio` of tdg; enable it in Cargo.toml: \
             tdg = { version = \"…\", features = [\"tokio\"] }",
        );
    }
}

fn check_batch(function: &TestedFunction, options: &AttributeOptions, errors: &mut Errors) {
    let returned = match syn::parse2(function.output.clone()) {
        Ok(ReturnType::Type(_, returned)) => returned.into_token_stream(),
        _ => function.name.to_token_stream(),
    };
    let is_vec = syn::parse2(returned.clone())
        .is_ok_and(|kind: Type| last_word(ungroup(&kind)).is_some_and(|word| word == "Vec"));
    if !is_vec {
        errors.at(
            returned,
            "with `batch` the function returns one output for each row: `-> Vec<T>`",
        );
    }
    for (option, reason) in [
        (
            "threads",
            "`batch` is one call for all rows, which `threads` can't share",
        ),
        (
            "panics",
            "`batch` is one call for all rows, so a panic belongs to no row and can't be recorded",
        ),
    ] {
        if let Some(name) = options.given(option) {
            errors.at(name, format!("{reason}; leave out one of the two"));
        }
    }
}

/// Reports a form of outputs that has no effect, or makes other options ineffective.
fn check_output(function: &TestedFunction, options: &AttributeOptions, errors: &mut Errors) {
    let (Some(form), Some(name)) = (&options.output, options.given("output")) else {
        return;
    };
    if returns_nothing(function) {
        errors.at(
            name,
            "`output` says how outputs are recorded, but this function returns nothing; return \
             what should stay the same, or leave out `output`",
        );
    }
    let of_fields = ["tolerance", "unordered", "distribution"];
    for option in of_fields.iter().filter(|_| form.is_display()) {
        if let Some(name) = options.given(option) {
            let problem = format!(
                "the output is a text without fields, so `{option}` has no effect; write output = \
                 \"debug\", or leave out `{option}`"
            );
            errors.at(name, problem);
        }
    }
}

fn returns_nothing(function: &TestedFunction) -> bool {
    function.output.is_empty() || is_unit(&function.output)
}

/// Reports fixtures that can't be passed to the function for every row.
fn check_fixtures(parameters: &[TestedParameter], options: &AttributeOptions, errors: &mut Errors) {
    for parameter in parameters {
        let (Some(fixture), Some(kind)) = (&parameter.fixture, &parameter.kind) else {
            continue;
        };
        if let Some(batch) = options.batch.as_ref().filter(|_| fixture.each_row) {
            errors.at(
                batch,
                "`batch` is one call for all rows, so no fixture is made for each row; \
                 leave out `each_row`, or `batch`",
            );
            continue;
        }
        if fixture.each_row {
            continue;
        }
        let pattern = parameter.pattern.to_string();
        let expression = &fixture.expression;
        let for_each_row = format!("#[fixture(each_row, {})]", text(expression));
        match ArgumentPassing::from_type(Some(kind)) {
            ArgumentPassing::Value => {
                let or = match options.batch {
                    Some(_) => String::new(),
                    None => format!("; or make one for each row: {for_each_row}"),
                };
                errors.at(
                    kind,
                    format!(
                        "the fixture is made once for all rows, so a row can't own it; write \
                         `{pattern}: &{}`{or}",
                        text(kind)
                    ),
                );
            }
            ArgumentPassing::Mutable if options.has_threads() => errors.at(
                kind,
                format!(
                    "several threads share the fixture, so no row can have it as `&mut`; \
                     leave out `threads`, or make one for each row: {for_each_row}"
                ),
            ),
            ArgumentPassing::Mutable | ArgumentPassing::Reference => {}
        }
    }
}

/// Reports options that make no sense without a benchmark.
fn check_against(
    against: &Against,
    function: &TestedFunction,
    options: &AttributeOptions,
    errors: &mut Errors,
) {
    if let Some(asyncness) = against.asyncness {
        check_async(asyncness, errors);
    }
    if against.path.qself.is_none() && against.path.path.is_ident(&function.name) {
        errors.at(
            &against.path,
            format!(
                "`{0}` is the function of this test itself; write the path of the other one: \
                 against = old::{0}",
                function.name
            ),
        );
    }
    if returns_nothing(function) {
        errors.at(
            &function.name,
            "`against` compares outputs, but this function returns nothing; return what should \
             be equal",
        );
    }
    let is_on_a_server = matches!(options.definition, Some(DefinitionOption::Remote(_)));
    for (option, reason) in [
        (
            "inputs",
            "with `against`, no snapshot file can keep the inputs",
        ),
        ("store", "with `against`, a store has no benchmark to keep"),
    ] {
        if let Some(name) = options.given(option)
            // The store has the definition.
            && !(option == "store" && is_on_a_server)
        {
            errors.at(name, format!("{reason}; leave out `{option}`"));
        }
    }
}

fn is_unit(output: &TokenStream) -> bool {
    let Ok(ReturnType::Type(_, kind)) = syn::parse2(output.clone()) else {
        return false;
    };
    matches!(ungroup(&kind), Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// Checks options that apply only to drawn rows, or only to a file's.
pub(crate) fn check_rows(options: &AttributeOptions, errors: &mut Errors) {
    if options.rows.is_none() {
        if let Some(null) = options.null.first() {
            let problem = "`null` applies to the fields of a file; add `rows`, or remove `null`";
            errors.at(null, problem);
        }
        return;
    }
    if let Some(seed) = &options.seed {
        errors.at(
            seed,
            "the rows come from a file, so no seed draws them; remove `seed` (`size` takes the \
             first rows)",
        );
    }
    if let Some(inputs) = &options.inputs
        && let Some(Lit::Bool(value)) = literal(inputs)
        && !value.value
    {
        errors.at(
            inputs,
            "the rows of a file can't be drawn again, so the snapshot file has to keep them; remove `inputs`",
        );
    }
    if let Some(store) = &options.store
        && store == "Remote"
        && let Some(name) = options.given("store")
    {
        errors.at(
            name,
            "a server draws the rows of its benchmarks, and can't use a file's rows; write store = \
             \"local\"",
        );
    }
}
