//! How a function is called: an argument for each of its parameters.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use syn::{FnArg, Item, ItemEnum, ReturnType, Type};
use tdg_definition::json::Value;

use super::argument::{
    Argument, ArgumentMaker, Collected, DrawnFrom, DrawnVariant, PassedAs, Tokens,
};
use super::generics::{Concrete, concrete, of_bounds};
use crate::sources::tokens::{
    arguments, is_str, is_unsized, length, optional_reference, text, ungrouped,
};
use crate::sources::{
    MakerForm, PathTarget, PublicFunction, SCALARS, TypeMaker, generics, parameter_name, plain,
};

/// A call of a function, the same at both revisions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlannedCall {
    /// The path without the crate's name.
    pub(super) name: String,
    path: String,
    /// The arguments in order, each with its name.
    pub(super) arguments: Vec<(String, Argument, PassedAs)>,
    output: ShownOutput,
}

/// What is shown of the output.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ShownOutput {
    Value,
    /// An iterator, of which the first elements are shown.
    Elements,
}

/// What takes more values than this within each other is not drawn.
const DEEPEST: usize = 5;

impl PlannedCall {
    /// How the function is called, or why it isn't.
    pub(super) fn of(function: &PublicFunction<'_>) -> Result<Self, String> {
        let signature = function.signature;
        if signature.unsafety.is_some() {
            return Err("is `unsafe`".to_owned());
        }
        if signature.asyncness.is_some() {
            return Err("is async".to_owned());
        }
        let planner = Planner {
            function,
            concrete: concrete(signature)?,
        };
        let mut arguments = Vec::new();
        for (position, input) in signature.inputs.iter().enumerate() {
            arguments.push(planner.parameter(position, input)?);
        }
        let output = match &signature.output {
            ReturnType::Type(_, kind) => match &**kind {
                Type::ImplTrait(it) if of_bounds(&it.bounds).is_ok_and(|it| it.is_iterated) => {
                    ShownOutput::Elements
                }
                Type::ImplTrait(_) => return Err("returns a type that can't be shown".to_owned()),
                _ => ShownOutput::Value,
            },
            ReturnType::Default => ShownOutput::Value,
        };
        let names_output = matches!(output, ShownOutput::Elements)
            || !matches!(signature.output, ReturnType::Default)
            || arguments
                .iter()
                .any(|(_, _, passed)| *passed == PassedAs::Changed);
        if !names_output {
            return Err("returns nothing".to_owned());
        }
        let crate_name = format!("{}::", function.sources.name);
        let name = function
            .path
            .strip_prefix(&crate_name)
            .unwrap_or(&function.path);
        Ok(Self {
            name: name.to_owned(),
            path: function.path.clone(),
            arguments,
            output,
        })
    }

    /// The source of the module that calls it.
    pub(super) fn source(&self) -> String {
        let mut lets = String::new();
        for (at, (_, argument, _)) in self.arguments.iter().enumerate() {
            lets += &format!("    let mut a{at} = {};\n", argument.expression());
        }
        let passed = self.arguments.iter().enumerate();
        let passed = passed.map(|(at, (_, _, passed))| passed.expression(&format!("a{at}")));
        let passed: Vec<String> = passed.collect();
        let call = format!("{}({})", self.path, passed.join(", "));
        let shown = match self.output {
            ShownOutput::Value => "show(&out)",
            ShownOutput::Elements => "show(&out.take(1000).collect::<Vec<_>>())",
        };
        let mut parts = format!("(\"\", {shown})");
        for (at, (name, _, passed)) in self.arguments.iter().enumerate() {
            if *passed == PassedAs::Changed {
                parts += &format!(", ({name:?}, show(&a{at}))");
            }
        }
        format!(
            "#![allow(unused, deprecated)]\nuse crate::support::*;\n\n\
             pub fn call(t: &mut Tokens<'_>) -> Option<Vec<(&'static str, String)>> {{\n{lets}    \
             let out = {call};\n    Some(vec![{parts}])\n}}\n"
        )
    }

    /// The arguments of which something is drawn.
    fn drawn(&self) -> impl Iterator<Item = &(String, Argument, PassedAs)> {
        self.arguments
            .iter()
            .filter(|(_, argument, _)| argument.is_drawn())
    }

    /// Whether the rows differ at all.
    pub(super) fn has_rows(&self) -> bool {
        self.drawn().next().is_some()
    }

    /// The definition of its rows.
    pub(super) fn definition(&self, spread: DrawnFrom<'_>) -> String {
        let features = self.drawn();
        let features = features.map(|(name, argument, _)| argument.feature(Some(name), spread));
        Value::object([
            ("definition_name", Value::from(self.name.as_str())),
            ("features", Value::Array(features.collect())),
        ])
        .to_string()
    }

    /// A row as the driver reads it.
    pub(super) fn tokens(&self, row: &Value) -> Vec<u8> {
        let mut tokens = Tokens::default();
        let values = row.as_array().unwrap_or_default();
        for ((_, argument, _), value) in self.drawn().zip(values) {
            argument.write(value, &mut tokens);
        }
        tokens.0
    }
}

/// Plans the arguments of a function.
struct Planner<'f, 's> {
    function: &'f PublicFunction<'s>,
    concrete: BTreeMap<String, Concrete>,
}

/// The types that are being planned, each by its module and its place there.
type Within<'w> = &'w [(usize, usize)];

impl Planner<'_, '_> {
    fn parameter(
        &self,
        position: usize,
        input: &FnArg,
    ) -> Result<(String, Argument, PassedAs), String> {
        let (name, kind, said) = match input {
            FnArg::Receiver(it) => ("self".to_owned(), &it.ty, String::new()),
            FnArg::Typed(it) => {
                let name = parameter_name(position, &it.pat);
                (name, &it.ty, format!(": {}", text(&it.ty)))
            }
        };
        let (argument, passed) = self
            .passed(self.function.scope, kind, &[])
            .map_err(|reason| format!("`{name}{said}` {reason}"))?;
        Ok((name, argument, passed))
    }

    /// What is drawn for a parameter of the type, and how it is passed.
    fn passed(
        &self,
        scope: usize,
        kind: &Type,
        within: Within<'_>,
    ) -> Result<(Argument, PassedAs), String> {
        let (scope, kind) = self.function.unaliased(scope, kind);
        if let Some(concrete) = self.generic(kind)? {
            let argument = self.value(scope, &concrete.kind, within)?;
            let passed = match concrete.is_iterated {
                true => PassedAs::Iterated,
                false => PassedAs::Owned,
            };
            return Ok((argument, passed));
        }
        match kind {
            Type::Reference(reference) => {
                let inner = ungrouped(&reference.elem);
                if let Type::Slice(slice) = inner
                    && matches!(ungrouped(&slice.elem), Type::Reference(it) if is_str(&it.elem))
                {
                    let list = Argument::List(Box::new(Argument::Scalar("String")), Collected::Vec);
                    return Ok((list, PassedAs::Borrows));
                }
                let lifetime = reference.lifetime.as_ref();
                let passed = match reference.mutability {
                    Some(_) => PassedAs::Changed,
                    None if lifetime.is_some_and(|it| it.ident == "static") => PassedAs::Leaked,
                    None => PassedAs::Borrowed,
                };
                Ok((self.value(scope, inner, within)?, passed))
            }
            kind => match optional_reference(kind) {
                Some(inner) => {
                    let passed = match is_unsized(&inner.elem) {
                        true => PassedAs::InnerDeref,
                        false => PassedAs::Inner,
                    };
                    let inner = self.value(scope, &inner.elem, within)?;
                    Ok((Argument::Optional(Box::new(inner)), passed))
                }
                None => Ok((self.value(scope, kind, within)?, PassedAs::Owned)),
            },
        }
    }

    /// The type chosen for a generic one.
    fn generic(&self, kind: &Type) -> Result<Option<Concrete>, String> {
        match kind {
            Type::ImplTrait(it) => of_bounds(&it.bounds).map(Some),
            Type::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                Ok(name.and_then(|name| self.concrete.get(&name)).cloned())
            }
            _ => Ok(None),
        }
    }

    /// What is drawn for an owned value of the type.
    fn value(&self, scope: usize, kind: &Type, within: Within<'_>) -> Result<Argument, String> {
        let (scope, kind) = self.function.unaliased(scope, kind);
        if let Some(concrete) = self.generic(kind)? {
            return self.value(scope, &concrete.kind, within);
        }
        let path = match kind {
            Type::Path(path) if path.qself.is_none() => path,
            Type::Slice(slice) => {
                return self.list(scope, &slice.elem, Collected::Vec, within);
            }
            Type::Array(array) => {
                let length = length(array).ok_or("has a length that is no literal")?;
                return self.list(scope, &array.elem, Collected::Array(length), within);
            }
            Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                let parts = tuple
                    .elems
                    .iter()
                    .map(|kind| self.element(scope, kind, within));
                return Ok(Argument::Tuple(parts.collect::<Result<_, _>>()?));
            }
            _ => return Err("is no value that is drawn".to_owned()),
        };
        match self.function.target(scope, path) {
            Some(PathTarget::Item(module, item)) if arguments(kind).is_empty() => {
                self.of_crate(module, item, within)
            }
            Some(PathTarget::Foreign(names)) => {
                self.foreign(&names, scope, &arguments(kind), within)
            }
            _ => Err("is of a type that is not drawn".to_owned()),
        }
    }

    /// A value for which there is a feature.
    fn element(&self, scope: usize, kind: &Type, within: Within<'_>) -> Result<Argument, String> {
        let element = self.value(scope, kind, within)?;
        match element.is_element() {
            true => Ok(element),
            false => Err("has parts of which nothing is drawn".to_owned()),
        }
    }

    fn list(
        &self,
        scope: usize,
        element: &Type,
        collected: Collected,
        within: Within<'_>,
    ) -> Result<Argument, String> {
        if collected == Collected::Vec && text(element) == "u8" {
            return Ok(Argument::Bytes);
        }
        let element = self.element(scope, element, within)?;
        Ok(Argument::List(Box::new(element), collected))
    }

    /// A type of the language or of another crate.
    fn foreign(
        &self,
        names: &[String],
        scope: usize,
        inner: &[&Type],
        within: Within<'_>,
    ) -> Result<Argument, String> {
        let name = names.last().map_or("", String::as_str);
        let whole = names.join("::");
        let is_standard = names.len() == 1 || ["std", "alloc", "core"].contains(&names[0].as_str());
        if !is_standard {
            return Err(format!("is of the type `{whole}` of another crate"));
        }
        let element = |kind: &Type| self.element(scope, kind, within);
        match (name, inner) {
            ("str", []) => Ok(Argument::Scalar("String")),
            (name, []) => standard(name).ok_or_else(|| format!("is of the type `{whole}`")),
            ("Option", [inner]) => match element(inner)? {
                Argument::Optional(_) => Err("is an `Option` of an `Option`".to_owned()),
                inner => Ok(Argument::Optional(Box::new(inner))),
            },
            ("Box" | "Rc" | "Arc", [inner]) if !matches!(inner, Type::TraitObject(_)) => {
                let module = match name {
                    "Box" => "boxed",
                    "Rc" => "rc",
                    _ => "sync",
                };
                let function = if is_unsized(inner) { "from" } else { "new" };
                let path = format!("std::{module}::{name}::{function}");
                let value = self.value(scope, inner, within)?;
                Ok(made(MakerForm::Function, &path, [("value", value)]))
            }
            ("Cow", [inner]) if is_str(inner) => {
                let text = [("value", Argument::Scalar("String"))];
                Ok(made(
                    MakerForm::Function,
                    "std::borrow::Cow::<str>::from",
                    text,
                ))
            }
            ("Vec", [inner]) => self.list(scope, inner, Collected::Vec, within),
            ("VecDeque" | "HashSet" | "BTreeSet" | "BinaryHeap" | "LinkedList", [inner]) => Ok(
                Argument::List(Box::new(element(inner)?), Collected::Collection),
            ),
            ("HashMap" | "BTreeMap", [key, value]) => {
                let pair = Argument::Tuple(vec![element(key)?, element(value)?]);
                Ok(Argument::List(Box::new(pair), Collected::Collection))
            }
            ("Range" | "RangeInclusive", [inner]) => {
                let bound = element(inner)?;
                let (form, path) = match name {
                    "Range" => (MakerForm::Literal, "std::ops::Range"),
                    _ => (MakerForm::Function, "std::ops::RangeInclusive::new"),
                };
                Ok(made(form, path, [("start", bound.clone()), ("end", bound)]))
            }
            _ => Err(format!("is of the type `{whole}`")),
        }
    }

    /// A type of the crate: its variants, or what makes it.
    fn of_crate(
        &self,
        module: usize,
        position: usize,
        within: Within<'_>,
    ) -> Result<Argument, String> {
        let item = &self.function.sources.modules[module].items[position];
        let Some(path) = self.function.public.get(module, position) else {
            return Err("is of a private type".to_owned());
        };
        if within.len() >= DEEPEST || within.contains(&(module, position)) {
            return Err("is of a type within itself".to_owned());
        }
        let within = &[within, &[(module, position)]].concat()[..];
        let parameters = generics(item).ok_or("is of a type that is not drawn")?;
        if parameters.type_params().next().is_some() || parameters.const_params().next().is_some() {
            return Err("is of a type with parameters".to_owned());
        }
        if let Item::Enum(item) = item
            && let Some(argument) = self.variants(module, path, item, within)
        {
            return Ok(argument);
        }
        let sources = self.function.sources;
        let mut makers = sources.makers((module, position), path).into_iter();
        let made = makers.find_map(|maker| self.made(maker, within));
        made.map(Argument::Made)
            .ok_or_else(|| "is of a type that nothing makes of what is drawn".to_owned())
    }

    /// Nothing if a variant has what isn't drawn, or there is none.
    fn variants(
        &self,
        module: usize,
        path: &str,
        item: &ItemEnum,
        within: Within<'_>,
    ) -> Option<Argument> {
        let variants = item.variants.iter().map(|variant| {
            let path = format!("{path}::{}", variant.ident);
            let maker = TypeMaker::literal(module, path, &variant.attrs, &variant.fields)?;
            Some(DrawnVariant {
                name: plain(&variant.ident),
                maker: self.made(maker, within)?,
            })
        });
        let variants = Argument::Variant(variants.collect::<Option<_>>()?);
        (!item.variants.is_empty() && variants.is_element()).then_some(variants)
    }

    /// Nothing if the maker takes what isn't drawn, or changes it.
    fn made(&self, maker: TypeMaker, within: Within<'_>) -> Option<ArgumentMaker> {
        let parts = maker.inputs.into_iter().map(|(name, kind)| {
            let (argument, passed) = self.passed(maker.scope, &kind, within).ok()?;
            (passed != PassedAs::Changed).then_some((name, argument, passed))
        });
        Some(ArgumentMaker {
            form: maker.form,
            path: maker.path,
            parts: parts.collect::<Option<_>>()?,
        })
    }
}

/// Types of std that a function makes of a scalar.
const MADE: [(&str, &str, &str); 7] = [
    ("Path", "std::path::PathBuf::from", "String"),
    ("PathBuf", "std::path::PathBuf::from", "String"),
    ("OsStr", "std::ffi::OsString::from", "String"),
    ("OsString", "std::ffi::OsString::from", "String"),
    ("Duration", "std::time::Duration::from_millis", "u64"),
    ("Ipv4Addr", "std::net::Ipv4Addr::from", "u32"),
    ("Ipv6Addr", "std::net::Ipv6Addr::from", "u128"),
];

/// A type of std without parameters.
fn standard(name: &str) -> Option<Argument> {
    let scalar = |name: &str| SCALARS.iter().find(|it| **it == name).copied();
    if let Some(scalar) = scalar(name) {
        return Some(Argument::Scalar(scalar));
    }
    if let Some((_, path, of)) = MADE.iter().find(|(it, _, _)| *it == name) {
        return Some(made(
            MakerForm::Function,
            path,
            [("value", Argument::Scalar(of))],
        ));
    }
    let of = scalar(&name.strip_prefix("NonZero")?.to_lowercase())?;
    let path = format!("std::num::{name}::new");
    Some(made(
        MakerForm::Fallible,
        &path,
        [("value", Argument::Scalar(of))],
    ))
}

fn made<const N: usize>(form: MakerForm, path: &str, parts: [(&str, Argument); N]) -> Argument {
    let parts = parts.map(|(name, part)| (name.to_owned(), part, PassedAs::Owned));
    Argument::Made(ArgumentMaker {
        form,
        path: path.to_owned(),
        parts: parts.into(),
    })
}
