//! Tests in source files: appending today's modules to earlier files, and removing functions.

use std::ops::Range;

use syn::{Attribute, Item, ItemFn, ItemMod};

use crate::sources::edit::parse;
use crate::sources::tokens::names;
use crate::sources::{is_for_tests, plain};

/// The attribute of every ensemble test.
pub(super) const ATTRIBUTE: &str = "ensemble_test";

struct TestModule {
    name: String,
    place: Range<usize>,
    /// Set if the module is in a separate file.
    is_elsewhere: bool,
    has_ensembles: bool,
}

/// Returns the names of test modules in separate files.
pub(super) fn modules_elsewhere(source: &str) -> Vec<String> {
    let modules = modules(source).into_iter().filter(|it| it.is_elsewhere);
    modules.map(|it| it.name).collect()
}

/// Replaces the earlier source's test modules by today's modules that `are_wanted`. Returns `None`
/// if today's source has no such modules.
pub(super) fn appended(then: &str, now: &str, are_wanted: impl Fn(&str) -> bool) -> Option<String> {
    let wanted = modules(now).into_iter();
    let wanted: Vec<TestModule> = wanted
        .filter(|it| it.has_ensembles || it.is_elsewhere && are_wanted(&it.name))
        .collect();
    let mut text = without(then, |name| wanted.iter().any(|it| it.name == name));
    for module in &wanted {
        text = format!("{}\n\n{}\n", text.trim_end(), &now[module.place.clone()]);
    }
    (!wanted.is_empty()).then_some(text)
}

/// Removes the ensemble test at a line, counted from 1, and returns its name. The other lines keep
/// their numbers.
pub(super) fn without_test(source: &str, line: usize) -> Option<(String, String)> {
    let file = parse(source)?;
    let test = test_at(&file.items, line)?;
    let start = test.attrs.first()?.pound_token.spans[0].byte_range().start;
    let place = start..test.block.brace_token.span.close().byte_range().end;
    let lines = "\n".repeat(source[place.clone()].matches('\n').count());
    let mut text = source.to_owned();
    text.replace_range(place, &lines);
    Some((text, plain(&test.sig.ident)))
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

fn without(source: &str, is_replaced: impl Fn(&str) -> bool) -> String {
    let mut text = source.to_owned();
    for module in modules(source).into_iter().rev() {
        if is_replaced(&module.name) {
            text.replace_range(module.place, "");
        }
    }
    text
}

/// Returns the test modules in order; empty if the source isn't Rust.
fn modules(source: &str) -> Vec<TestModule> {
    let items = parse(source).map_or_else(Vec::new, |it| it.items);
    let modules = items.iter().filter_map(|item| match item {
        Item::Mod(module) if is_for_tests(&module.attrs) => Some(TestModule {
            name: plain(&module.ident),
            place: place(module)?,
            is_elsewhere: module.content.is_none(),
            has_ensembles: names(module, ATTRIBUTE),
        }),
        _ => None,
    });
    modules.collect()
}

/// Returns the range from the first attribute to the end.
fn place(module: &ItemMod) -> Option<Range<usize>> {
    let start = module.attrs.first()?.pound_token.spans[0]
        .byte_range()
        .start;
    let end = match (&module.content, &module.semi) {
        (Some((brace, _)), _) => brace.span.close().byte_range().end,
        (None, Some(semicolon)) => semicolon.spans[0].byte_range().end,
        (None, None) => return None,
    };
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEN: &str = "//! Zürich\npub fn f() {}\n\n#[cfg(test)]\nmod tests {\n    \
                        fn old() {}\n}\n\nfn g() {}\n";

    #[test]
    fn a_module_of_tests_takes_the_place_of_its_former_self() {
        let now = "fn other() {}\n\
                   /// Of f.\n#[cfg(test)]\nmod tests {\n    \
                   #[tdg::ensemble_test]\n    fn f(x: u8) {}\n}\n\
                   #[cfg(test)]\nmod plain {}\n";
        insta::assert_snapshot!(appended(THEN, now, |_| true).unwrap(), @r"
        //! Zürich
        pub fn f() {}



        fn g() {}

        /// Of f.
        #[cfg(test)]
        mod tests {
            #[tdg::ensemble_test]
            fn f(x: u8) {}
        }
        ");
        let marked = format!("\u{feff}{now}");
        assert_eq!(
            appended(THEN, &marked, |_| true),
            appended(THEN, now, |_| true)
        );
        let without = "fn other() {}\n#[cfg(test)]\nmod tests {}\n";
        assert_eq!(appended(THEN, without, |_| true), None);
    }

    #[test]
    fn a_module_in_a_separate_file_is_declared_if_it_is_wanted() {
        let now = "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod helpers;\n";
        assert_eq!(modules_elsewhere(now), ["tests", "helpers"]);
        let text = appended(THEN, now, |name| name == "tests").unwrap();
        assert!(
            text.ends_with("fn g() {}\n\n#[cfg(test)]\nmod tests;\n"),
            "{text}"
        );
        assert!(!text.contains("fn old"));
    }

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
}
