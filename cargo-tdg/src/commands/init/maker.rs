//! A function that makes a value of a type of the crate.

use syn::{FnArg, GenericArgument, Item, Pat, PathArguments, ReturnType, Signature, Type};

use super::parameter::SCALARS;
use crate::sources::PublicFunction;
use crate::sources::tokens::{arguments, last_word, text, ungrouped};
use crate::sources::{associated_functions, is_public, plain, type_of, written};

impl PublicFunction<'_> {
    /// What is drawn for a value of the type at that path, with what makes it: a constructor, a
    /// conversion from a value, or `FromStr`.
    pub(super) fn maker(&self, module: usize, item: usize, path: &str) -> Option<String> {
        let is_plain = match &self.sources.modules[module].items[item] {
            Item::Struct(item) => item.generics.params.is_empty(),
            Item::Enum(item) => item.generics.params.is_empty(),
            _ => false,
        };
        if !is_plain {
            return None;
        }
        let is_it = |scope, kind: &Type| type_of(self.sources, scope, kind) == Some((module, item));
        let name = path.rsplit("::").next().unwrap_or(path);
        let mut constructors: Vec<_> = associated_functions(self.sources)
            .filter(|(scope, kind, function)| is_public(&function.vis) && is_it(*scope, kind))
            .filter_map(|(_, _, function)| Constructor::of(&function.sig, name))
            .collect();
        constructors.sort_by_key(Constructor::rank);
        if let Some(constructor) = constructors.first() {
            return Some(constructor.via(path));
        }
        let conversions = self.conversions(&is_it);
        let of_value = conversions.iter().find_map(|(word, from)| {
            let function = match *word {
                "From" => "from",
                "TryFrom" => "try_from",
                _ => return None,
            };
            let kind = from.as_ref()?;
            Some(format!(
                "any, via = |value: {kind}| {path}::{function}(value)"
            ))
        });
        let is_parsed = conversions.iter().any(|(word, _)| *word == "FromStr");
        of_value.or_else(|| is_parsed.then(|| "any, parse".to_owned()))
    }

    /// The traits by which a type is made of a value, with the type of it.
    fn conversions(
        &self,
        is_it: &dyn Fn(usize, &Type) -> bool,
    ) -> Vec<(&'static str, Option<String>)> {
        let modules = self.sources.modules.iter().enumerate();
        let items =
            modules.flat_map(|(scope, module)| module.items.iter().map(move |it| (scope, it)));
        let mut found = Vec::new();
        for (scope, item) in items {
            let Item::Impl(block) = item else { continue };
            let Some((_, path, _)) = block
                .trait_
                .as_ref()
                .filter(|_| is_it(scope, &block.self_ty))
            else {
                continue;
            };
            let Some(last) = path.segments.last() else {
                continue;
            };
            let words = ["From", "TryFrom", "FromStr"];
            let Some(word) = words.into_iter().find(|word| last.ident == word) else {
                continue;
            };
            let from = match &last.arguments {
                PathArguments::AngleBracketed(all) => all.args.iter().find_map(|it| match it {
                    GenericArgument::Type(kind) => drawable(kind),
                    _ => None,
                }),
                _ => None,
            };
            found.push((word, from));
        }
        found
    }
}

/// A function of values that are drawn.
struct Constructor {
    name: String,
    /// Each with its type.
    parameters: Vec<(String, String)>,
}

impl Constructor {
    /// If the function makes the type of that name, perhaps.
    fn of(signature: &Signature, made: &str) -> Option<Self> {
        let is_plain = signature.unsafety.is_none()
            && signature.asyncness.is_none()
            && signature.generics.params.is_empty();
        let ReturnType::Type(_, returned) = &signature.output else {
            return None;
        };
        let is_made = |kind: &Type| last_word(kind).is_some_and(|it| it == "Self" || it == made);
        let is_wrapped = ["Option", "Result"].map(str::to_owned).iter().any(|word| {
            last_word(returned).as_ref() == Some(word)
                && arguments(returned).first().is_some_and(|it| is_made(it))
        });
        if !is_plain || !(is_made(returned) || is_wrapped) {
            return None;
        }
        let parameters = signature.inputs.iter().enumerate().map(parameter);
        let parameters: Vec<_> = parameters.collect::<Option<_>>()?;
        let name = plain(&signature.ident);
        (!parameters.is_empty()).then_some(Self { name, parameters })
    }

    /// The most usual first.
    fn rank(&self) -> (usize, usize) {
        let name = match self.name.as_str() {
            "new" => 0,
            name if name.starts_with("from") => 1,
            name if name.starts_with("try") => 2,
            _ => 3,
        };
        (name, self.parameters.len())
    }

    fn via(&self, path: &str) -> String {
        let Self { name, parameters } = self;
        let list = |item: fn(&(String, String)) -> String| {
            let items: Vec<String> = parameters.iter().map(item).collect();
            items.join(", ")
        };
        let drawn = match parameters.len() {
            1 => "any".to_owned(),
            _ => format!("({})", list(|_| "any".to_owned())),
        };
        let typed = list(|(name, kind)| format!("{name}: {kind}"));
        let arguments = list(|(name, _)| name.clone());
        format!(
            "{drawn}, via = |{typed}| {path}::{}({arguments})",
            written(name)
        )
    }
}

/// The parameter's name and type, if a row has values of it.
fn parameter((position, input): (usize, &FnArg)) -> Option<(String, String)> {
    let FnArg::Typed(input) = input else {
        return None;
    };
    let name = match &*input.pat {
        Pat::Ident(pattern) => written(&plain(&pattern.ident)),
        _ => format!("value_{}", position + 1),
    };
    Some((name, drawable(&input.ty)?))
}

/// The type as a closure's parameter, if a row has values of it.
fn drawable(kind: &Type) -> Option<String> {
    let (kind, reference) = match ungrouped(kind) {
        Type::Reference(it) if it.mutability.is_none() => (ungrouped(&it.elem), "&"),
        kind => (kind, ""),
    };
    let word = text(kind);
    let is_scalar = SCALARS.contains(&word.as_str()) && !word.ends_with("128");
    let is_text = word == "str" && reference == "&" || word != "str" && reference.is_empty();
    (is_scalar && is_text).then(|| format!("{reference}{word}"))
}
