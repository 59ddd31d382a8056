//! The test of a function.

use std::io::Write as _;
use std::process::{Command, Stdio};

use syn::{Item, UseTree};

use super::function::refused;
use super::glue::Glue;
use crate::error::{Error, Result};
use crate::sources::{Effects, PublicFunction, plain, snake, written};
use crate::workspace::Dependency;

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
    /// Returns the tests of a function with these arguments, one for each way to return its output.
    pub(super) fn new(
        function: &PublicFunction<'_>,
        taken: &[String],
        glue: &Glue<'_>,
        output: &ReturnedOutput<'_>,
    ) -> Vec<Self> {
        let outputs = outputs(glue, function.signature.asyncness.is_some(), output).into_iter();
        let tests = outputs.map(|it| {
            let mut test = Self::of_glue(function, taken, glue);
            if it.option.is_none() {
                test.notices.clone_from(&output.notices);
            }
            test.returning(it)
        });
        tests.collect()
    }

    /// Returns the tests of a value that an example checks.
    pub(super) fn checked(
        function: &PublicFunction<'_>,
        taken: &[String],
        glue: &Glue<'_>,
    ) -> Vec<Self> {
        let value = WrittenOutput::by_debug(&glue.call);
        let text = format!("format!(\"{{:?}}\", {})", glue.call);
        let outputs = [value, WrittenOutput::new(text, "String")];
        let tests = outputs.map(|it| Self::of_glue(function, taken, glue).returning(it));
        tests.into()
    }

    fn of_glue(function: &PublicFunction<'_>, taken: &[String], glue: &Glue<'_>) -> Self {
        let cases = glue.taste.constants.of_drawn(&glue.drawn);
        let declared = glue.drawn.iter().zip(cases).map(|(it, cases)| {
            if it.is_stated {
                return format!("{}: {}", it.name, it.kind);
            }
            format!("#[define({}{cases})] {}: {}", it.items, it.name, it.kind)
        });
        let declared: Vec<String> = declared.collect();
        let definition = match &glue.drawn[..] {
            [it] if it.is_row => Some(format!("definition = {}", it.kind)),
            _ => None,
        };
        Self {
            name: free_name(function, taken),
            options: definition.into_iter().collect(),
            asyncness: function.signature.asyncness.map_or("", |_| "async "),
            lifetimes: lifetimes(function, &declared),
            declared,
            output: String::new(),
            body: glue.lets.iter().map(|it| format!("    {it}")).collect(),
            is_optional: glue.is_optional,
            notices: Vec::new(),
        }
    }

    /// Returns true if both have the same rows, and the same of these are inputs.
    pub(super) fn draws_like(&self, other: &Self) -> bool {
        self.declared == other.declared && self.is_optional == other.is_optional
    }

    /// Returns the test with `todo!()` for the arguments that can't be written.
    pub(super) fn skeleton(
        function: &PublicFunction<'_>,
        taken: &[String],
        glue: &Glue<'_>,
    ) -> Self {
        let mut test = Self::of_glue(function, taken, glue);
        let end = if glue.is_optional {
            "\n    Some(())"
        } else {
            ""
        };
        if glue.is_optional {
            test.output = " -> Option<()>".to_owned();
        }
        test.body.push(format!("    let _ = {};{end}", glue.call));
        test.notices = vec![format!(
            "replace each `todo!` of {} by a value made from drawn ones",
            test.name
        )];
        test
    }

    fn returning(mut self, output: WrittenOutput) -> Self {
        self.options.extend(output.option);
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
    } else if signature.inputs.is_empty() {
        "it takes no arguments, so there are no rows to draw; write a plain `#[test]`"
    } else {
        return Ok(());
    };
    Err(refused(&function.path, &reason))
}

/// The output of a tested function.
pub(super) struct ReturnedOutput<'o> {
    /// Its type, if a test can name it.
    pub(super) kind: Option<&'o str>,
    /// Set if it is recorded by `Debug`, for lack of `Serialize`.
    is_debug: bool,
    /// The option that records members, for lack of both.
    members: Option<String>,
    /// The types that lack both.
    notices: Vec<String>,
}

impl<'o> ReturnedOutput<'o> {
    pub(super) fn new(
        function: &PublicFunction<'_>,
        dependencies: &[Dependency],
        effects: &Effects<'_>,
        kind: Option<&'o str>,
    ) -> Self {
        let is_called = |path: &str| effects.of_path(path).is_none();
        let members = function
            .shown_members(&["Debug", "Serialize"], &is_called)
            .names;
        let missing = function.output_without("Serialize");
        // Other crates have `serde::Serialize` only with a feature, and `Debug` always.
        let is_foreign = function.crates_of_output().iter().any(|name| {
            let dependency = dependencies.iter().find(|it| it.name == *name);
            let mut features = dependency.iter().flat_map(|it| &it.features);
            let has_serde = name.starts_with("serde") || features.any(|it| it.contains("serde"));
            dependency.is_some() && !has_serde
        });
        let is_unserialized = is_foreign || !missing.is_empty();
        let is_debug = is_unserialized && function.output_without("Debug").is_empty();
        let missing = missing.into_iter().filter(|_| !is_debug);
        let notices = missing.map(|name| {
            format!("`{name}` is in the output: derive `serde::Serialize` or `Debug` for it first")
        });
        Self {
            kind,
            is_debug,
            members: (!members.is_empty()).then(|| format!("output = [{}]", members.join(", "))),
            notices: notices.collect(),
        }
    }
}

/// A way to return an output.
struct WrittenOutput {
    lets: Vec<String>,
    result: String,
    kind: String,
    /// The option that says how it is recorded.
    option: Option<String>,
}

impl WrittenOutput {
    fn new(result: impl Into<String>, kind: &str) -> Self {
        Self {
            lets: Vec::new(),
            result: result.into(),
            kind: kind.to_owned(),
            option: None,
        }
    }

    fn by_debug(result: impl Into<String>) -> Self {
        Self {
            option: Some(DEBUG.to_owned()),
            ..Self::new(result, "impl std::fmt::Debug")
        }
    }

    fn after(mut self, statement: String) -> Self {
        self.lets.push(statement);
        self
    }
}

/// Returns the ways to return the output of a call, and the arguments that it changes.
fn outputs(glue: &Glue<'_>, is_async: bool, output: &ReturnedOutput<'_>) -> Vec<WrittenOutput> {
    let wait = if is_async { ".await" } else { "" };
    let call = &format!("{}{wait}", glue.call);
    if !glue.changed.is_empty() {
        return changed_outputs(call, &glue.changed, output.kind);
    }
    if output.kind == Some("()") {
        return vec![WrittenOutput::new(call, "()")];
    }
    let borrowed = output.kind.filter(|it| {
        let it = it.replace("&'static ", "").replace("'static", "");
        it.contains(['&', '\''])
    });
    // The test owns the values that the function borrows.
    let typed = output
        .kind
        .filter(|_| !(glue.is_lent && borrowed.is_some()));
    let typed = typed.into_iter().flat_map(|kind| {
        let mut options = vec![None, Some(DEBUG.to_owned())];
        if output.is_debug {
            options.reverse();
        }
        let members = output.members.iter().cloned().map(Some);
        let options = members.chain(options);
        options.map(move |option| WrittenOutput {
            option,
            ..WrittenOutput::new(call, kind)
        })
    });
    let copied = borrowed.and_then(|kind| copied(call, kind));
    let is_local =
        glue.is_lent && borrowed.is_some_and(|it| it.contains('&') && !it.contains('\''));
    let values = [call.clone(), format!("{call}.collect::<Vec<_>>()")];
    let values = values.into_iter().filter(|_| !is_local);
    let texts = [
        format!("format!(\"{{:?}}\", {call})"),
        format!("{call}.to_string()"),
    ];
    let texts = texts.map(|it| WrittenOutput::new(it, "String"));
    let values = values.map(WrittenOutput::by_debug);
    typed.chain(copied).chain(values).chain(texts).collect()
}

/// Returns a way to return a copy of a text.
fn copied(call: &str, kind: &str) -> Option<WrittenOutput> {
    let is_text = |it: &str| {
        let inner = it.strip_prefix('&');
        inner.is_some_and(|it| it == "str" || it.starts_with('\'') && it.ends_with(" str"))
    };
    let within = kind
        .strip_prefix("Option<")
        .and_then(|it| it.strip_suffix('>'));
    let (kind, made) = match within {
        Some(inner) if is_text(inner) => ("Option<String>", ".map(str::to_owned)"),
        None if is_text(kind) => ("String", ".to_owned()"),
        _ => return None,
    };
    Some(WrittenOutput::new(format!("{call}{made}"), kind))
}

/// Returns the ways to return the arguments that a call changes, with its result.
fn changed_outputs(call: &str, changed: &[String], kind: Option<&str>) -> Vec<WrittenOutput> {
    let output = WrittenOutput::by_debug;
    let all = changed.join(", ");
    let of_unit = match changed {
        [only] => only.clone(),
        _ => format!("({all})"),
    };
    if kind == Some("()") {
        return vec![output(of_unit).after(format!("{call};"))];
    }
    let with_debug = format!("format!(\"{{:?}}\", {call})");
    let both = |result: &str| {
        let statement = format!("let result = {result};");
        output(format!("(result, {all})")).after(statement)
    };
    vec![
        both(call),
        both(&with_debug),
        output(call.to_owned()),
        WrittenOutput::new(with_debug, "String"),
        output(of_unit).after(format!("let _ = {call};")),
    ]
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

/// Returns the lifetimes of the function that the parameters name, as `<'a>`.
fn lifetimes(function: &PublicFunction<'_>, declared: &[String]) -> String {
    let of_owner = function.owner.iter().map(|it| &it.block.generics);
    let generics = of_owner.chain([&function.signature.generics]);
    let lifetimes = generics.flat_map(|it| it.lifetimes());
    let lifetimes = lifetimes.map(|it| it.lifetime.to_string());
    let is_used = |name: &String| declared.iter().any(|it| it.contains(name));
    let lifetimes: Vec<String> = lifetimes.filter(is_used).collect();
    match &lifetimes[..] {
        [] => String::new(),
        lifetimes => format!("<{}>", lifetimes.join(", ")),
    }
}

/// Returns a free name: the function's name, after its type's name, with a number if taken.
fn free_name(function: &PublicFunction<'_>, taken: &[String]) -> String {
    let name = plain(&function.signature.ident);
    let owner = function.owner.as_ref();
    let owner = owner.and_then(|owner| owner.path.rsplit("::").next());
    let name = owner.map_or_else(|| name.clone(), |owner| format!("{}_{name}", snake(owner)));
    let has_glob = taken.iter().any(|name| name == GLOB);
    let is_free = |free: &String| !(taken.contains(free) || has_glob && *free == name);
    numbered(&name, is_free)
}

/// Returns the name, with a number if it isn't free.
pub(super) fn numbered(name: &str, is_free: impl Fn(&String) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(is_free).unwrap_or_default()
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
