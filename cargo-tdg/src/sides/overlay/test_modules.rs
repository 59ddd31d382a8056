//! Test modules in source files. Today's are appended to earlier files.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use quote::ToTokens as _;
use syn::{Attribute, Item, ItemMod};

use crate::sources::edit::parse;
use crate::sources::tokens::names;
use crate::sources::{is_for_tests, plain};

/// The attribute of every ensemble test.
pub(super) const ATTRIBUTE: &str = "ensemble_test";

/// The tests to lay over earlier sources.
#[derive(Clone, Copy)]
pub(crate) enum LaidTests {
    Ensembles,
    All,
}

impl LaidTests {
    /// Returns true if the text of a source file may have such tests.
    pub(super) fn are_in(self, text: &str) -> bool {
        match self {
            Self::Ensembles => text.contains(ATTRIBUTE),
            Self::All => true,
        }
    }

    pub(crate) fn are_in_file(self, file: &Path) -> bool {
        fs::read_to_string(file).is_ok_and(|text| self.are_in(&text))
    }
}

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

/// Returns the file of a module declared in another file, if it exists, and the folder of its
/// submodules.
pub(super) fn module_files(parent: &Path, name: &str) -> (Option<PathBuf>, PathBuf) {
    let folder = module_folder(parent);
    let own = folder.join(name);
    let files = [folder.join(format!("{name}.rs")), own.join("mod.rs")];
    (files.into_iter().find(|it| it.is_file()), own)
}

/// Returns the folder of the modules that a file declares.
pub(super) fn module_folder(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    let stem = file.file_stem().unwrap_or_default();
    match ["lib", "main", "mod"].iter().any(|it| stem == *it) {
        true => folder.to_owned(),
        false => folder.join(stem),
    }
}

/// Replaces the earlier source's test modules by today's modules that `are_wanted`. Returns `None`
/// if today's source has no such modules.
pub(super) fn appended(
    then: &str,
    now: &str,
    tests: LaidTests,
    are_wanted: impl Fn(&str) -> bool,
) -> Option<String> {
    let is_wanted = |it: &TestModule| match tests {
        _ if it.is_elsewhere => are_wanted(&it.name),
        LaidTests::Ensembles => it.has_ensembles,
        LaidTests::All => true,
    };
    let wanted: Vec<TestModule> = modules(now).into_iter().filter(is_wanted).collect();
    let mut text = without(then, |name| wanted.iter().any(|it| it.name == name));
    for module in &wanted {
        text = format!("{}\n\n{}\n", text.trim_end(), &now[module.place.clone()]);
    }
    (!wanted.is_empty()).then_some(text)
}

/// Returns true for tests and for code that only tests compile.
pub(crate) fn is_of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let last = attribute
            .path()
            .segments
            .last()
            .map(|it| it.ident.to_string());
        let last = last.unwrap_or_default();
        if last != "cfg" {
            return last.contains("test") || last == "bench";
        }
        let words = attribute.meta.to_token_stream().to_string();
        let mut words = words.split(|it: char| !it.is_alphanumeric() && it != '_');
        words.clone().any(|it| it == "test") && !words.any(|it| it == "not")
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
        insta::assert_snapshot!(appended(THEN, now, LaidTests::Ensembles, |_| true).unwrap(), @r"
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
            appended(THEN, &marked, LaidTests::Ensembles, |_| true),
            appended(THEN, now, LaidTests::Ensembles, |_| true)
        );
        let without = "fn other() {}\n#[cfg(test)]\nmod tests {}\n";
        assert_eq!(
            appended(THEN, without, LaidTests::Ensembles, |_| true),
            None
        );
    }

    #[test]
    fn a_module_in_a_separate_file_is_declared_if_it_is_wanted() {
        let now = "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod helpers;\n";
        assert_eq!(modules_elsewhere(now), ["tests", "helpers"]);
        let text = appended(THEN, now, LaidTests::Ensembles, |name| name == "tests").unwrap();
        assert!(
            text.ends_with("fn g() {}\n\n#[cfg(test)]\nmod tests;\n"),
            "{text}"
        );
        assert!(!text.contains("fn old"));
    }
}
