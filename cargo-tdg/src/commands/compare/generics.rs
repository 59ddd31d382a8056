//! Concrete types for the parameters of a generic function.

use std::collections::BTreeMap;

use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{
    GenericArgument, GenericParam, PathArguments, Signature, Token, Type, TypeParamBound,
    WherePredicate, parse_quote,
};

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

/// The first type that usually has these traits.
pub(super) fn of_bounds(
    bounds: &Punctuated<TypeParamBound, Token![+]>,
) -> Result<Concrete, String> {
    for bound in bounds {
        let TypeParamBound::Trait(bound) = bound else {
            continue;
        };
        let Some(last) = bound.path.segments.last() else {
            continue;
        };
        let inner = inner(&last.arguments);
        let plain = |kind: Type| {
            Ok(Concrete {
                kind,
                is_iterated: false,
            })
        };
        match (last.ident.to_string().as_str(), inner) {
            ("AsRef" | "Borrow", Some(inner)) => return plain(owned(inner)),
            ("Into" | "TryInto", Some(inner)) => return plain(owned(inner)),
            ("ToString" | "Display" | "Pattern", _) => return plain(parse_quote!(String)),
            (
                "Iterator" | "IntoIterator" | "DoubleEndedIterator" | "ExactSizeIterator",
                Some(it),
            ) => {
                return Ok(Concrete {
                    kind: parse_quote!(Vec<#it>),
                    is_iterated: last.ident != "IntoIterator",
                });
            }
            ("Float" | "Real" | "FloatCore", _) => return plain(parse_quote!(f64)),
            ("Unsigned" | "PrimInt", _) => return plain(parse_quote!(u32)),
            ("Fn" | "FnMut" | "FnOnce", _) => {
                return Err("takes a function, of which none is drawn".to_owned());
            }
            _ => {}
        }
    }
    let known = [
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
    ];
    let unknown = bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => {
            let name = bound.path.segments.last()?.ident.to_string();
            (!known.contains(&name.as_str())).then_some(name)
        }
        _ => None,
    });
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
    match kind.to_token_stream().to_string().as_str() {
        "str" | "OsStr" | "std :: ffi :: OsStr" | "Path" | "std :: path :: Path" | "PathBuf" => {
            parse_quote!(String)
        }
        "[u8]" | "[u8 ]" | "[ u8 ]" => parse_quote!(Vec<u8>),
        _ => match kind {
            Type::Slice(slice) => {
                let element = &slice.elem;
                parse_quote!(Vec<#element>)
            }
            other => other.clone(),
        },
    }
}
