//! Conditions under which code is compiled.

use syn::punctuated::Punctuated;
use syn::{Attribute, Item, Meta, Token};

/// Returns true for tests and for code that only tests compile.
pub(crate) fn is_of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let last = attribute.path().segments.last();
        let last = last.map(|it| it.ident.to_string()).unwrap_or_default();
        match last.as_str() {
            "cfg" => {
                let condition = attribute.parse_args::<Meta>();
                condition.is_ok_and(|it| met(&it, &without_tests) == Some(false))
            }
            name => name.contains("test") || name == "bench",
        }
    })
}

fn without_tests(condition: &Meta) -> Option<bool> {
    let path = condition.path();
    (path.is_ident("test") || path.is_ident("doctest")).then_some(false)
}

/// Returns the value of a condition by its parts; `None` if it depends on others.
pub(super) fn met(condition: &Meta, part: &dyn Fn(&Meta) -> Option<bool>) -> Option<bool> {
    let Meta::List(list) = condition else {
        return part(condition);
    };
    let parts = Punctuated::<Meta, Token![,]>::parse_terminated;
    let parts = list.parse_args_with(parts).ok()?;
    let parts: Vec<_> = parts.iter().map(|it| met(it, part)).collect();
    let decided = |by: bool| match parts.contains(&Some(by)) {
        true => Some(by),
        false if parts.contains(&None) => None,
        false => Some(!by),
    };
    match list.path.get_ident()?.to_string().as_str() {
        "not" => parts.first()?.map(|it| !it),
        "all" => decided(false),
        "any" => decided(true),
        _ => None,
    }
}

/// Returns the attributes of an item.
pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::ExternCrate(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::ForeignMod(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::TraitAlias(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Union(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_tests_is_compiled_for_them_alone() {
        let code = r#"
            #[test] fn a() {}
            #[tokio::test] async fn b() {}
            #[cfg(test)] use c;
            #[cfg(all(test, feature = "std", not(miri)))] mod d;
            #[cfg(any(test, doctest))] struct E;
            #[cfg(all(unix, any(test)))] impl F {}
            #[cfg(any(test, feature = "testing"))] mod g;
            #[cfg(not(test))] mod h;
            #[cfg(feature = "test")] mod i;
            #[cfg_attr(test, derive(Debug))] struct J;
            mod k;
        "#;
        let file = syn::parse_file(code).unwrap();
        let of_tests = file.items.iter().map(|it| is_of_tests(attributes(it)));
        let of_tests: Vec<bool> = of_tests.collect();
        assert_eq!(of_tests, [[true; 6].as_slice(), &[false; 5]].concat());
    }
}
