//! The test of a function.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{GenericParam, Item, ReturnType, Type, UseTree};

use super::edge_cases::EdgeCases;
use super::function::refused;
use super::parameter::{Parameter, snake};
use crate::error::{Error, Result};
use crate::sources::PublicFunction;
use crate::sources::tokens::text;
use crate::sources::{plain, written};
use crate::workspace::Dependency;

/// Returns the notation of a type by its name, if it isn't `any`.
pub(super) type TypeNotation = fn(&str) -> Option<String>;

pub(super) struct GeneratedTest {
    pub(super) name: String,
    /// The source, formatted like rustfmt.
    pub(super) text: String,
    /// Changes that are needed before it compiles.
    pub(super) notices: Vec<String>,
}

/// The line width of rustfmt.
const WIDTH: usize = 100;

impl GeneratedTest {
    /// Generates the test of a function, with a name that isn't taken.
    pub(super) fn new(
        function: &PublicFunction<'_>,
        taken: &[String],
        dependencies: &[Dependency],
        notation: Option<TypeNotation>,
        edge_cases: &EdgeCases<'_>,
    ) -> Result<Self> {
        let refuse = |reason: &str| refused(&function.path, reason);
        let signature = function.signature;
        if signature.unsafety.is_some() {
            return Err(refuse(
                "it is `unsafe`; write a test that calls it where that is sound",
            ));
        }
        if signature.asyncness.is_some() && !has_tokio(dependencies) {
            return Err(refuse(
                "it is async, which needs a feature of tdg: `cargo add --dev tdg --features tokio`",
            ));
        }
        let lifetimes = lifetimes(function).map_err(|reason| refuse(&reason))?;
        let mut parameters = parameters(function).map_err(|reason| refuse(&reason))?;
        if let Some(notation) = notation {
            let parameters = parameters.iter_mut();
            parameters.for_each(|it| it.drawn.instead_of_any(notation));
        }
        for it in &mut parameters {
            let of_parameter = |kind: &str| edge_cases.of_parameter(&it.name, kind);
            it.drawn.add_edge_cases(of_parameter);
        }
        let output = output(function, &parameters).map_err(|reason| refuse(&reason))?;
        let name = free_name(function, taken);

        let missing = function.output_without("Serialize");
        // Other crates have `serde::Serialize` only with a feature, and `Debug` always.
        let is_foreign = function.crates_of_output().iter().any(|name| {
            let dependency = dependencies.iter().find(|it| it.name == *name);
            let mut features = dependency.iter().flat_map(|it| &it.features);
            let has_serde = name.starts_with("serde") || features.any(|it| it.contains("serde"));
            dependency.is_some() && !has_serde
        });
        let is_unserialized = is_foreign || !missing.is_empty();
        let is_shown = is_unserialized && function.output_without("Debug").is_empty();
        let definition = match parameters.as_slice() {
            [it] if it.drawn.is_row => Some(format!("definition = {}", it.drawn.kind)),
            _ => None,
        };
        let form = is_shown.then(|| "output = \"debug\"".to_owned());
        let options: Vec<String> = definition.into_iter().chain(form).collect();
        let options = match options.is_empty() {
            true => String::new(),
            false => format!("({})", options.join(", ")),
        };
        let asyncness = signature.asyncness.map_or("", |_| "async ");
        let declared = parameters
            .iter()
            .map(|it| format!("{}{}: {}", it.drawn.attribute(), it.name, it.drawn.kind));
        let declared: Vec<String> = declared.collect();
        let head = format!("{asyncness}fn {}{lifetimes}", written(&name));
        let declaration = with_arguments("", &head, &declared, &format!("{output} {{"));
        let arguments: Vec<String> = parameters.iter().map(|it| it.argument.clone()).collect();
        let wait = signature.asyncness.map_or("", |_| ".await");
        let end = if output.is_empty() { ";" } else { "" };
        let call = with_arguments("    ", &function.path, &arguments, &format!("{wait}{end}"));
        let missing = missing.into_iter().filter(|_| !is_shown);
        let notices = missing.map(|name| {
            format!("`{name}` is in the output: derive `serde::Serialize` or `Debug` for it first")
        });
        Ok(GeneratedTest {
            text: format!("#[tdg::ensemble_test{options}]\n{declaration}\n{call}\n}}\n"),
            name,
            notices: notices.collect(),
        })
    }
}

/// Returns `head(arguments)tail`, on several lines if it is too long for one.
fn with_arguments(indent: &str, head: &str, arguments: &[String], tail: &str) -> String {
    let line = format!("{indent}{head}({}){tail}", arguments.join(", "));
    if line.chars().count() <= WIDTH {
        return line;
    }
    let arguments: String = arguments
        .iter()
        .map(|argument| {
            let line = format!("{indent}    {argument},\n");
            match argument.rfind(")] ").map(|it| it + ")]".len()) {
                // rustfmt also breaks after an attribute of a long line.
                Some(end) if line.trim_end().chars().count() > WIDTH => {
                    let (attribute, parameter) = argument.split_at(end);
                    let parameter = parameter.trim_start();
                    format!("{indent}    {attribute}\n{indent}    {parameter},\n")
                }
                _ => line,
            }
        })
        .collect();
    format!("{indent}{head}(\n{arguments}{indent}){tail}")
}

fn has_tokio(dependencies: &[Dependency]) -> bool {
    let mut tdg = dependencies.iter().filter(|it| it.name == "tdg");
    tdg.any(|it| it.features.iter().any(|feature| feature == "tokio"))
}

/// Returns the function's lifetimes as `<'a>`, or why its parameters can't be written.
fn lifetimes(function: &PublicFunction<'_>) -> Result<String, String> {
    let generics = &function.signature.generics;
    for parameter in &generics.params {
        let name = match parameter {
            GenericParam::Lifetime(_) => continue,
            GenericParam::Type(parameter) => &parameter.ident,
            GenericParam::Const(parameter) => &parameter.ident,
        };
        return Err(format!(
            "it is generic over `{name}`; write a test that calls it with a concrete type: \
             `{}::<…>(…)`",
            function.path
        ));
    }
    if generics.where_clause.is_some() {
        return Err("it has a `where` clause; write a test that calls it".to_owned());
    }
    Ok(text(generics))
}

fn parameters(function: &PublicFunction<'_>) -> Result<Vec<Parameter>, String> {
    let inputs = function.signature.inputs.iter().enumerate();
    let parameters = inputs.map(|(position, input)| function.parameter(position, input));
    let parameters: Vec<_> = parameters.collect::<Result<_, _>>()?;
    if parameters.is_empty() {
        return Err(
            "it takes no arguments, so there are no rows to draw; write a plain `#[test]`".into(),
        );
    }
    Ok(parameters)
}

/// Returns ` -> f64` or an empty text.
fn output(function: &PublicFunction<'_>, parameters: &[Parameter]) -> Result<String, String> {
    let ReturnType::Type(_, kind) = &function.signature.output else {
        return Ok(String::new());
    };
    let is_unit = matches!(&**kind, Type::Tuple(tuple) if tuple.elems.is_empty());
    if is_unit {
        return Ok(String::new());
    }
    let is_value = !matches!(
        &**kind,
        Type::ImplTrait(_) | Type::TraitObject(_) | Type::BareFn(_) | Type::Ptr(_)
    );
    let qualified = function.qualified(function.scope, kind);
    let qualified = qualified.and_then(|output| match is_value {
        true => Ok(output),
        false => Err(format!("`{output}` has no serde::Serialize")),
    });
    let output = qualified.map_err(|reason| {
        format!(
            "its output can't be returned by a test: {reason}; write a test that returns the \
             relevant part as a type that implements `serde::Serialize`"
        )
    })?;
    // The test owns the values that the function borrows.
    let is_borrowed = borrows(kind.to_token_stream());
    let mut lent = parameters.iter().filter(|it| it.argument != it.name);
    match lent.next() {
        Some(parameter) if is_borrowed => Err(format!(
            "its output may borrow from `{}`, which only lives until the test returns; write a \
             test that returns a copy",
            parameter.name
        )),
        _ => Ok(format!(" -> {output}")),
    }
}

/// Returns true if the type has a lifetime other than `'static`, or an elided one.
fn borrows(kind: TokenStream) -> bool {
    let text = kind
        .to_string()
        .replace("& 'static", "")
        .replace("'static", "");
    text.contains(['\'', '&'])
}

/// Returns a free name: the function's name, after its type's name, with a number if taken.
fn free_name(function: &PublicFunction<'_>, taken: &[String]) -> String {
    let name = plain(&function.signature.ident);
    let owner = function.owner.as_ref();
    let owner = owner.and_then(|owner| owner.path.rsplit("::").next());
    let name = owner.map_or_else(|| name.clone(), |owner| format!("{}_{name}", snake(owner)));
    let has_glob = taken.iter().any(|name| name == GLOB);
    let is_free = |free: &String| !(taken.contains(free) || has_glob && *free == name);
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(is_free).unwrap_or(name)
}

/// Stands for a glob import in a file's names, most likely of the tested function.
const GLOB: &str = "*";

/// Returns the names in a file that a function can't have.
pub(super) fn taken_names(file: &str) -> Result<Vec<String>> {
    let file = syn::parse_file(file).map_err(|error| Error::new(error.to_string()))?;
    let mut names = Vec::new();
    for item in &file.items {
        let own = match item {
            Item::Fn(item) => &item.sig.ident,
            Item::Const(item) => &item.ident,
            Item::Static(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Use(item) => {
                imported(&item.tree, &mut names);
                continue;
            }
            _ => continue,
        };
        names.push(plain(own));
    }
    Ok(names)
}

fn imported(tree: &UseTree, names: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => imported(&path.tree, names),
        UseTree::Name(name) => names.push(plain(&name.ident)),
        UseTree::Rename(name) => names.push(plain(&name.rename)),
        UseTree::Glob(_) => names.push(GLOB.to_owned()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| imported(tree, names)),
    }
}
