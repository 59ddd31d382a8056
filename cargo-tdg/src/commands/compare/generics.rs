//! Concrete types for the parameters of a generic function.

use std::collections::BTreeMap;

use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{
    GenericArgument, GenericParam, PathArguments, Signature, Token, Type, TypeParamBound,
    WherePredicate, parse_quote,
};

use crate::sources::tokens::last_word;

/// The type that stands for a parameter, and whether the function takes an iterator over it.
#[derive(Clone)]
pub(super) struct Concrete {
    pub(super) kind: Type,
    pub(super) is_iterated: bool,
}

/// The type for each parameter of a function, by its name, or the one that has none.
pub(super) fn concrete(signature: &Signature) -> Result<BTreeMap<String, Concrete>, String> {
    let generics = &signature.generics;
    let mut found = BTreeMap::new();
    for parameter in &generics.params {
        let parameter = match parameter {
            GenericParam::Lifetime(_) => continue,
            GenericParam::Type(parameter) => parameter,
            GenericParam::Const(parameter) => {
                return Err(format!("`const {}` has no type to choose", parameter.ident));
            }
        };
        let mut bounds = parameter.bounds.clone();
        let clauses = generics.where_clause.iter().flat_map(|it| &it.predicates);
        for clause in clauses {
            if let WherePredicate::Type(clause) = clause
                && parameter.ident == clause.bounded_ty.to_token_stream().to_string()
            {
                bounds.extend(clause.bounds.clone());
            }
        }
        found.insert(parameter.ident.to_string(), of_bounds(&bounds)?);
    }
    Ok(found)
}

/// Traits that `i64` has, as far as functions usually need them.
const OF_NUMBERS: [&str; 22] = [
    "Ord",
    "PartialOrd",
    "Eq",
    "PartialEq",
    "Hash",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Sized",
    "Send",
    "Sync",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Num",
    "Signed",
    "Integer",
    "Zero",
    "One",
    "Bounded",
];

/// A type that usually has all these traits: the one that a trait asks for, or else `i64`.
pub(super) fn of_bounds(
    bounds: &Punctuated<TypeParamBound, Token![+]>,
) -> Result<Concrete, String> {
    let mut unknown = None;
    for bound in bounds {
        let TypeParamBound::Trait(bound) = bound else {
            continue;
        };
        let Some(last) = bound.path.segments.last() else {
            continue;
        };
        let name = last.ident.to_string();
        if let Some(concrete) = of_trait(&name, inner(&last.arguments))? {
            return Ok(concrete);
        }
        if !OF_NUMBERS.contains(&name.as_str()) {
            unknown.get_or_insert(name);
        }
    }
    match unknown {
        Some(name) => Err(format!(
            "takes any type that is `{name}`, for which none is chosen"
        )),
        None => Ok(Concrete {
            kind: parse_quote!(i64),
            is_iterated: false,
        }),
    }
}

/// The type for a trait that few types have; nothing for a trait of many.
fn of_trait(name: &str, inner: Option<&Type>) -> Result<Option<Concrete>, String> {
    let (kind, is_iterated) = match (name, inner) {
        ("AsRef" | "Borrow" | "Into" | "TryInto", Some(inner)) => (owned(inner), false),
        ("ToString" | "Display" | "Pattern", _) => (parse_quote!(String), false),
        ("IntoIterator", Some(item)) => (parse_quote!(Vec<#item>), false),
        ("Iterator" | "DoubleEndedIterator" | "ExactSizeIterator", Some(item)) => {
            (parse_quote!(Vec<#item>), true)
        }
        ("Float" | "Real" | "FloatCore", _) => (parse_quote!(f64), false),
        ("Unsigned" | "PrimInt", _) => (parse_quote!(u32), false),
        ("Fn" | "FnMut" | "FnOnce", _) => {
            return Err("takes a function, of which none is drawn".to_owned());
        }
        _ => return Ok(None),
    };
    Ok(Some(Concrete { kind, is_iterated }))
}

/// The type in `<T>` or `<Item = T>`.
fn inner(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(kind),
        GenericArgument::AssocType(item) if item.ident == "Item" => Some(&item.ty),
        _ => None,
    })
}

/// A type that owns what the other borrows.
fn owned(kind: &Type) -> Type {
    match (last_word(kind).as_deref(), kind) {
        (Some("str" | "OsStr" | "Path" | "PathBuf"), _) => parse_quote!(String),
        (_, Type::Slice(slice)) => {
            let element = &slice.elem;
            parse_quote!(Vec<#element>)
        }
        (_, other) => other.clone(),
    }
}
