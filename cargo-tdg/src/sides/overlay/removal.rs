//! Removing tests that don't compile, so that the other lines keep their numbers.

use std::ops::Range;

use proc_macro2::Span;
use quote::ToTokens as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, ImplItem, Item, ItemFn, UseTree};

use super::source_tests::ATTRIBUTE;
use crate::sources::edit::parse;
use crate::sources::{attributes, is_of_tests, plain};

/// Removes the ensemble test at a line, counted from 1, and returns its name. The other lines keep
/// their numbers.
pub(super) fn without_test(source: &str, line: usize) -> Option<(String, String)> {
    let file = parse(source)?;
    let test = test_at(&file.items, line)?;
    let start = test.attrs.first()?.pound_token.spans[0].byte_range().start;
    let place = start..test.block.brace_token.span.close().byte_range().end;
    Some((blanked(source, place), plain(&test.sig.ident)))
}

/// Removes the innermost item at the line of an error, counted from 1, if it belongs to tests, and
/// returns the name of a function. The other lines keep their numbers.
pub(super) fn without_item(
    source: &str,
    line: usize,
    error: &str,
    is_all: bool,
) -> Option<(String, Option<String>)> {
    let file = parse(source)?;
    let (item, name) = item_at(&file.items, line, is_all)?;
    let mut places = Vec::new();
    if let TestPart::Item(Item::Use(item)) = item {
        imports(&item.tree, error, &mut places);
    }
    if places.is_empty() {
        places.push(match item {
            TestPart::Item(item) => item.span().byte_range(),
            TestPart::Method(item) => item.span().byte_range(),
        });
    }
    let text = places
        .into_iter()
        .fold(source.to_owned(), |text, place| blanked(&text, place));
    Some((text, name))
}

/// Replaces a part of a source by the same number of lines.
fn blanked(source: &str, place: Range<usize>) -> String {
    let lines = "\n".repeat(source[place.clone()].matches('\n').count());
    let mut text = source.to_owned();
    text.replace_range(place, &lines);
    text
}

#[derive(Clone, Copy)]
enum TestPart<'i> {
    Item(&'i Item),
    Method(&'i ImplItem),
}

fn item_at(items: &[Item], line: usize, is_all: bool) -> Option<(TestPart<'_>, Option<String>)> {
    let is_here = |it: Span| (it.start().line..=it.end().line).contains(&line);
    let item = items.iter().find(|it| is_here(it.span()))?;
    let is_all = is_all || is_of_tests(attributes(item));
    if let Item::Mod(module) = item {
        let (_, items) = module.content.as_ref()?;
        return item_at(items, line, is_all);
    }
    let method = match item {
        Item::Impl(it) if it.trait_.is_none() => it.items.iter().find_map(|method| match method {
            ImplItem::Fn(it) if is_here(it.span()) => Some((method, plain(&it.sig.ident))),
            _ => None,
        }),
        _ => None,
    };
    let part = match (method, item) {
        (Some((method, name)), _) => (TestPart::Method(method), Some(name)),
        (None, Item::Fn(it)) => (TestPart::Item(item), Some(plain(&it.sig.ident))),
        (None, _) => (TestPart::Item(item), None),
    };
    is_all.then_some(part)
}

/// Adds the places of the names in braces that an error about an import mentions, the last first.
fn imports(tree: &UseTree, error: &str, places: &mut Vec<Range<usize>>) {
    match tree {
        UseTree::Path(path) => imports(&path.tree, error, places),
        UseTree::Group(group) => {
            let pairs: Vec<_> = group.items.pairs().collect();
            for pair in pairs.into_iter().rev() {
                let name = match pair.value() {
                    UseTree::Name(it) => &it.ident,
                    UseTree::Rename(it) => &it.ident,
                    other => {
                        imports(other, error, places);
                        continue;
                    }
                };
                let is_named = |before: &str| error.contains(&format!("{before}{name}`"));
                if is_named(":") || is_named("`") {
                    places.push(pair.to_token_stream().span().byte_range());
                }
            }
        }
        _ => {}
    }
}

fn test_at(items: &[Item], line: usize) -> Option<&ItemFn> {
    items.iter().find_map(|item| match item {
        Item::Mod(module) => test_at(&module.content.as_ref()?.1, line),
        Item::Fn(function) => {
            let is_one = |it: &Attribute| {
                let last = it.path().segments.last();
                last.is_some_and(|it| it.ident == ATTRIBUTE)
            };
            let start = function.attrs.first()?.pound_token.spans[0].start().line;
            let end = function.block.brace_token.span.close().end().line;
            let is_wanted = (start..=end).contains(&line) && function.attrs.iter().any(is_one);
            is_wanted.then_some(function)
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_taken_out_and_the_lines_after_it_stay() {
        let text = "fn helper() {}\nmod tests {\n    #[tdg::ensemble_test]\n    fn f(x: u8) {\n        \
                    x\n    }\n    fn g() {}\n}\n";
        let (without, name) = without_test(text, 5).unwrap();
        assert_eq!(name, "f");
        assert_eq!(
            without,
            "fn helper() {}\nmod tests {\n    \n\n\n\n    fn g() {}\n}\n"
        );
        assert_eq!([1, 7].map(|line| without_test(text, line)), [None, None]);
    }

    #[test]
    fn the_innermost_item_of_tests_is_taken_out() {
        let text = "use shop::{Cart, Item,\n    tax};\nfn f() {}\n#[cfg(test)]\nmod tests {\n    \
                    struct S;\n    fn help() {\n        1\n    }\n    impl S { fn m(&self) {} }\n}\n";
        let without = |line, error, is_all| without_item(text, line, error, is_all);
        assert_eq!(without(3, "", false), None);
        let (less, name) = without(8, "", false).unwrap();
        assert_eq!(
            (less.lines().count(), name.as_deref()),
            (text.lines().count(), Some("help"))
        );
        assert!(!less.contains("help"));
        assert!(without(10, "", false).unwrap().0.contains("impl S {  }"));
        let (less, _) = without(1, "unresolved imports `shop::Item`, `shop::tax`", true).unwrap();
        assert!(less.starts_with("use shop::{Cart, \n    };"), "{less}");
        let (less, _) = without(1, "unresolved import `shop`", true).unwrap();
        assert!(less.starts_with("\n\nfn f"), "{less}");
    }
}
