//! The test of a function.

use std::io::Write as _;
use std::process::{Command, Stdio};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{GenericParam, Item, ReturnType, Type, UseTree};

use super::function::refused;
use super::glue::Glue;
use super::parameter::{Parameter, snake};
use super::parameter_constants::ParameterConstants;
use crate::error::{Error, Result};
use crate::sources::PublicFunction;
use crate::sources::tokens::text;
use crate::sources::{plain, written};
use crate::workspace::Dependency;

/// Returns the notation of a type by its name, if it isn't `any`.
pub(super) type TypeNotation = fn(&str) -> Option<String>;

/// A test of a function.
#[derive(Clone)]
pub(super) struct GeneratedTest {
    pub(super) name: String,
    /// The options of the attribute.
    pub(super) options: Vec<String>,
    asyncness: &'static str,
    lifetimes: String,
    /// The parameters, with their attributes.
    declared: Vec<String>,
    /// The type of the output; empty for none.
    output: String,
    /// The lines of the body.
    body: Vec<String>,
    /// Set if the output is `None` if the arguments refuse the row.
    pub(super) is_optional: bool,
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
        edge_cases: &ParameterConstants<'_>,
    ) -> Result<Self> {
        let refuse = |reason: &str| refused(&function.path, reason);
        check(function, dependencies)?;
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
        let form = is_shown.then(|| DEBUG.to_owned());
        let declared = parameters
            .iter()
            .map(|it| format!("{}{}: {}", it.drawn.attribute(), it.name, it.drawn.kind));
        let arguments: Vec<String> = parameters.iter().map(|it| it.argument.clone()).collect();
        let signature = function.signature;
        let wait = signature.asyncness.map_or("", |_| ".await");
        let end = if output.is_empty() { ";" } else { "" };
        let missing = missing.into_iter().filter(|_| !is_shown);
        let notices = missing.map(|name| {
            format!("`{name}` is in the output: derive `serde::Serialize` or `Debug` for it first")
        });
        let tail = format!("{wait}{end}");
        Ok(GeneratedTest {
            name: free_name(function, taken),
            options: definition.into_iter().chain(form).collect(),
            asyncness: signature.asyncness.map_or("", |_| "async "),
            lifetimes,
            declared: declared.collect(),
            output,
            body: vec![with_arguments("    ", &function.path, &arguments, &tail)],
            is_optional: false,
            notices: notices.collect(),
        })
    }

    /// Returns the tests that make the arguments as planned, one for each way to return the output.
    pub(super) fn of_glue(
        function: &PublicFunction<'_>,
        taken: &[String],
        glue: &Glue<'_>,
        output: Option<&str>,
        edge_cases: &ParameterConstants<'_>,
    ) -> Vec<Self> {
        let declared = glue.drawn.iter().map(|it| {
            let cases = edge_cases.of_parameter(&it.name, &it.kind);
            let cases = cases.filter(|_| it.items == "any");
            let cases = cases.map_or_else(String::new, |it| format!(", {it}"));
            format!("#[define({}{cases})] {}: {}", it.items, it.name, it.kind)
        });
        let test = Self {
            name: free_name(function, taken),
            options: Vec::new(),
            asyncness: "",
            lifetimes: String::new(),
            declared: declared.collect(),
            output: String::new(),
            body: glue.lets.iter().map(|it| format!("    {it}")).collect(),
            is_optional: glue.is_optional,
            notices: Vec::new(),
        };
        let outputs = outputs(&glue.call, &glue.changed, output).into_iter();
        outputs.map(|it| test.clone().returning(it)).collect()
    }

    /// Returns the test with another way to return the output of its call.
    pub(super) fn with_outputs(&self, output: Option<&str>) -> Vec<Self> {
        let [call] = &self.body[..] else {
            return Vec::new();
        };
        let outputs = outputs(call.trim(), &[], output).into_iter();
        let outputs = outputs.map(|it| {
            let mut test = self.clone();
            test.options.retain(|it| it != DEBUG);
            test.body.clear();
            test.returning(it)
        });
        match self.asyncness.is_empty() && !self.output.is_empty() {
            true => outputs.collect(),
            false => Vec::new(),
        }
    }

    /// Returns the test with `todo!()` for the arguments that aren't drawn, if any is drawn.
    pub(super) fn skeleton(function: &PublicFunction<'_>, taken: &[String]) -> Option<Self> {
        let (mut declared, mut arguments) = (Vec::new(), Vec::new());
        for (position, input) in function.signature.inputs.iter().enumerate() {
            match function.parameter(position, input) {
                Ok(it) => {
                    declared.push(format!(
                        "{}{}: {}",
                        it.drawn.attribute(),
                        it.name,
                        it.drawn.kind
                    ));
                    arguments.push(it.argument);
                }
                Err(_) => arguments.push(format!("todo!({:?})", text(input))),
            }
        }
        if declared.is_empty() {
            declared.push("#[define(any)] value: u32".to_owned());
        }
        let call = with_arguments("    ", &function.path, &arguments, ";");
        let name = free_name(function, taken);
        let is_written = !arguments.is_empty();
        is_written.then(|| Self {
            notices: vec![format!(
                "replace each `todo!` of {name} by a value made from drawn ones"
            )],
            name,
            options: Vec::new(),
            asyncness: "",
            lifetimes: String::new(),
            declared,
            output: String::new(),
            body: vec![call.replacen("    ", "    let _ = ", 1)],
            is_optional: false,
        })
    }

    fn returning(mut self, output: WrittenOutput) -> Self {
        if output.is_debug {
            self.options.push(DEBUG.to_owned());
        }
        self.body
            .extend(output.lets.iter().map(|it| format!("    {it}")));
        let (kind, result) = (output.kind, output.result);
        let last = match (self.is_optional, kind == "()") {
            (true, true) => format!("    {result};\n    Some(())"),
            (true, false) => format!("    Some({result})"),
            (false, true) => format!("    {result};"),
            (false, false) => format!("    {result}"),
        };
        self.body.push(last);
        self.output = match (self.is_optional, kind == "()") {
            (true, _) => format!(" -> Option<{kind}>"),
            (false, true) => String::new(),
            (false, false) => format!(" -> {kind}"),
        };
        self
    }

    /// Returns the source, formatted like rustfmt if it only calls the function.
    pub(super) fn text(&self) -> String {
        self.with_body(&self.body.join("\n"))
    }

    /// Returns the source as rustfmt formats it, if there is rustfmt.
    pub(super) fn formatted(&self) -> String {
        let text = self.text();
        rustfmt(&text).unwrap_or(text)
    }

    /// Returns the source of a trial, which panics where the arguments refuse a row.
    pub(super) fn trial(&self) -> String {
        let body = self.body.join("\n");
        match self.is_optional {
            true => self.with_body(&format!(
                "let out = (|| -> Option<_> {{\n{body}\n}})(); \
                 if out.is_none() {{ panic!(\"{NO_INPUT}\") }} out"
            )),
            false => self.with_body(&body),
        }
    }

    fn with_body(&self, body: &str) -> String {
        let options = match self.options.is_empty() {
            true => String::new(),
            false => format!("({})", self.options.join(", ")),
        };
        let head = format!(
            "{}fn {}{}",
            self.asyncness,
            written(&self.name),
            self.lifetimes
        );
        let declaration = with_arguments("", &head, &self.declared, &format!("{} {{", self.output));
        format!("#[tdg::ensemble_test{options}]\n{declaration}\n{body}\n}}\n")
    }
}

fn rustfmt(text: &str) -> Option<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let formatted = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(formatted)
}

pub(super) const NO_INPUT: &str = "the row is no input";
const DEBUG: &str = "output = \"debug\"";

/// Fails for functions that no test calls.
pub(super) fn check(function: &PublicFunction<'_>, dependencies: &[Dependency]) -> Result<()> {
    let signature = function.signature;
    let reason = if signature.unsafety.is_some() {
        "it is `unsafe`; write a test that calls it where that is sound"
    } else if signature.asyncness.is_some() && !has_tokio(dependencies) {
        "it is async, which needs a feature of tdg: `cargo add --dev tdg --features tokio`"
    } else {
        return Ok(());
    };
    Err(refused(&function.path, reason))
}

/// A way to return an output.
struct WrittenOutput {
    lets: Vec<String>,
    result: String,
    kind: String,
    is_debug: bool,
}

/// Returns the ways to return the output of a call, and the arguments that it changes.
fn outputs(call: &str, changed: &[String], kind: Option<&str>) -> Vec<WrittenOutput> {
    const ANY: &str = "impl std::fmt::Debug";
    let output = |lets: &[String], result: String, kind: &str, is_debug| WrittenOutput {
        lets: lets.to_vec(),
        result,
        kind: kind.to_owned(),
        is_debug,
    };
    let with_debug = format!("format!(\"{{:?}}\", {call})");
    if let [first, ..] = changed {
        let all = changed.join(", ");
        let lets = |result: &str| [format!("let result = {result};")];
        let of_unit = match changed {
            [_] => first.clone(),
            _ => format!("({all})"),
        };
        return match kind {
            Some("()") => vec![output(&[format!("{call};")], of_unit, ANY, true)],
            _ => vec![
                output(&lets(call), format!("(result, {all})"), ANY, true),
                output(&lets(&with_debug), format!("(result, {all})"), ANY, true),
                output(&[], call.to_owned(), ANY, true),
                output(&[], with_debug, "String", false),
                output(&[format!("let _ = {call};")], of_unit, ANY, true),
            ],
        };
    }
    let plain = kind.filter(|it| !it.contains(['&', '\''])).into_iter();
    let own = match kind {
        Some("&str" | "&'a str" | "&'static str") => Some(("String", ".to_owned()")),
        Some("Option<&str>" | "Option<&'a str>" | "Option<&'static str>") => {
            Some(("Option<String>", ".map(str::to_owned)"))
        }
        _ => None,
    };
    let own = own.map(|(kind, made)| output(&[], format!("{call}{made}"), kind, false));
    let typed = plain.flat_map(|kind| {
        [false, true].map(|is_debug| output(&[], call.to_owned(), kind, is_debug))
    });
    let others = [
        output(&[], call.to_owned(), ANY, true),
        output(&[], format!("{call}.collect::<Vec<_>>()"), ANY, true),
        output(&[], with_debug, "String", false),
        output(&[], format!("{call}.to_string()"), "String", false),
    ];
    let is_unit = kind == Some("()");
    let others = others.into_iter().filter(|_| !is_unit);
    own.into_iter().chain(typed).chain(others).collect()
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
