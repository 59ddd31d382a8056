//! Values that a row doesn't have itself: references to values that are created for a call, long
//! arrays, and `'static` values.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Type, TypeReference};
use tdg_definition::FeatureType;
use tdg_definition::json::Value;

use crate::define::DrawnType;
use crate::hygiene::local;
use crate::literal::json_of;
use crate::types::{
    in_option, is_row, is_scalar, last_word, only_argument, ungroup, with_any_lifetimes,
};

/// Returns the `T` of `&'static T`.
pub(super) fn as_static(kind: &Type) -> Option<&Type> {
    let Type::Reference(reference) = ungroup(kind) else {
        return None;
    };
    let lifetime = reference.lifetime.as_ref();
    lifetime.filter(|it| it.ident == "static")?;
    Some(ungroup(&reference.elem))
}

/// Returns true if the type is an array that may have more values than serde reads into one.
fn is_long_array(kind: &Type) -> bool {
    const LONGEST: i64 = 32;
    let Type::Array(array) = ungroup(kind) else {
        return false;
    };
    let length = json_of(&array.len);
    let length = length.as_ref().and_then(Value::as_i64);
    length.is_none_or(|length| length > LONGEST)
}

/// Returns a part of the type that can't be read from a row, and the reason.
pub(super) fn unreadable_part(kind: &Type) -> Option<(&Type, &'static str)> {
    let mut parts: Vec<&Type> = match as_static(kind).unwrap_or(ungroup(kind)) {
        Type::Reference(reference) => return unreadable_part(&reference.elem),
        Type::Array(array) => vec![&array.elem],
        Type::Slice(slice) => vec![&slice.elem],
        Type::Tuple(tuple) => tuple.elems.iter().collect(),
        kind => match in_option(kind) {
            Some(inner) => return unreadable_part(inner),
            None => only_argument(kind).into_iter().collect(),
        },
    };
    let found = parts.iter().find_map(|part| match ungroup(part) {
        part if as_static(part).is_some() => {
            let problem = "the values of a row don't live long enough within another type; take an \
                           owned one, such as `String`";
            Some((part, problem))
        }
        Type::Array(array) if json_of(&array.len).is_some() && is_long_array(part) => {
            let problem = "serde reads arrays of up to 32 values within another type; take a `Vec`";
            Some((*part, problem))
        }
        _ => None,
    });
    found.or_else(|| parts.drain(..).find_map(unreadable_part))
}

/// Returns the value of that type from the value `taken` from the row. serde can't read long
/// arrays, and the row can't lend `'static` values.
pub(super) fn converted(
    kind: &Type,
    drawn: Option<&DrawnType>,
    taken: TokenStream,
    place: Span,
    tdg: &syn::Path,
) -> TokenStream {
    let private = quote!(#tdg::__private);
    let value = local("value");
    let kind = ungroup(kind);
    if is_long_array(kind) {
        return quote_spanned!(place=> { let #private::LongArray(#value) = #taken; #value });
    }
    if let Some(lent) = as_static(kind) {
        return quote_spanned!(place=> #private::leaked::<#private::Box<#lent>, _>(#taken));
    }
    if let Some(inner) = in_option(kind)
        && (is_long_array(inner) || as_static(inner).is_some())
    {
        let option = quote!(#private::core::option::Option);
        let inner = converted(inner, drawn, value.to_token_stream(), place, tdg);
        return quote_spanned! {place=>
            match #taken { #option::Some(#value) => #option::Some(#inner), #option::None => #option::None }
        };
    }
    match (kind, drawn) {
        (Type::Reference(reference), Some(drawn)) => lent(reference, drawn, taken, place, tdg),
        _ => taken,
    }
}

/// Returns a reference to the value `taken` from the row. Lists and structs are created for each
/// call. The row lends bytes, unless each number is `drawn`.
fn lent(
    reference: &TypeReference,
    drawn: &DrawnType,
    taken: TokenStream,
    place: Span,
    tdg: &syn::Path,
) -> TokenStream {
    let kind = ungroup(&reference.elem);
    let owned = match kind {
        Type::Slice(slice)
            if drawn.kind == Some(FeatureType::List)
                || last_word(&slice.elem).is_none_or(|word| word != "u8") =>
        {
            let element = with_any_lifetimes(slice.elem.to_token_stream());
            quote_spanned!(place=> #tdg::__private::Vec<#element>)
        }
        Type::Slice(_) => return taken,
        kind if is_scalar(kind) || is_row(&Type::Reference(reference.clone())) => return taken,
        kind if ["Path", "CStr"]
            .iter()
            .any(|it| last_word(kind).is_some_and(|word| word == it)) =>
        {
            return taken;
        }
        kind => with_any_lifetimes(kind.to_token_stream()),
    };
    let (value, mutability) = (local("value"), &reference.mutability);
    let taken = converted(kind, None, taken, place, tdg);
    quote_spanned!(place=> &#mutability { let #value: #owned = #taken; #value })
}
