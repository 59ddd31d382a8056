//! Test modules in source files. Today's are appended to earlier files.

use std::collections::BTreeMap;
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
#[derive(Clone, Copy, PartialEq, Eq)]
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
    /// Its path in the file, for example `inner/tests`.
    name: String,
    place: Range<usize>,
    /// Set if the module is in a separate file.
    is_elsewhere: bool,
    has_ensembles: bool,
}

/// The modules of a source file.
#[derive(Default)]
struct SourceModules {
    /// In order, but not within one another.
    tests: Vec<TestModule>,
    /// The offsets before `}` of the others, by path.
    ends: BTreeMap<String, usize>,
}

/// Returns the paths of test modules in separate files.
pub(super) fn modules_elsewhere(source: &str) -> Vec<String> {
    let modules = SourceModules::read(source).tests.into_iter();
    let modules = modules.filter(|it| it.is_elsewhere);
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
/// if today's source has no such modules. A module inside another one needs that one.
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
    let former = SourceModules::read(then);
    let wanted = SourceModules::read(now).tests.into_iter();
    let wanted: Vec<TestModule> = wanted.filter(is_wanted).collect();
    let is_replaced = |it: &TestModule| wanted.iter().any(|other| other.name == it.name);
    let removed = former.tests.into_iter().filter(is_replaced);
    let mut edits: Vec<_> = removed.map(|it| (it.place, String::new())).collect();
    for module in &wanted {
        let code = &now[module.place.clone()];
        edits.extend(match module.name.rsplit_once('/') {
            Some((outer, _)) => {
                let end = former.ends.get(outer);
                end.map(|end| (*end..*end, format!("\n{code}\n")))
            }
            None => Some((then.len()..then.len(), format!("\n\n{code}\n"))),
        });
    }
    edits.sort_by_key(|(place, _)| place.start);
    let mut text = String::new();
    let mut from = 0;
    for (place, code) in edits {
        text += &then[from..place.start];
        if place.start == then.len() {
            text.truncate(text.trim_end().len());
        }
        text += &code;
        from = place.end;
    }
    (!wanted.is_empty()).then(|| text + &then[from..])
}

/// Returns the paths of today's inline test modules inside a module that the earlier source lacks.
pub(super) fn modules_without_place(then: &str, now: &str, tests: LaidTests) -> Vec<String> {
    let former = SourceModules::read(then);
    let modules = SourceModules::read(now).tests.into_iter();
    let modules = modules.filter(|it| tests == LaidTests::All || it.has_ensembles);
    let names = modules.filter(|it| !it.is_elsewhere).map(|it| it.name);
    let has_no_place = |name: &String| {
        let outer = name.rsplit_once('/').map(|(outer, _)| outer);
        outer.is_some_and(|it| !former.ends.contains_key(it))
    };
    names
        .filter(has_no_place)
        .map(|it| it.replace('/', "::"))
        .collect()
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

impl SourceModules {
    /// Returns the modules of a source; none if it isn't Rust.
    fn read(source: &str) -> Self {
        let mut modules = Self::default();
        let items = parse(source).map_or_else(Vec::new, |it| it.items);
        modules.add(&items, "");
        modules
    }

    fn add(&mut self, items: &[Item], outer: &str) {
        for item in items {
            let Item::Mod(module) = item else { continue };
            let name = format!("{outer}{}", plain(&module.ident));
            if is_for_tests(&module.attrs) {
                self.tests.extend(place(module).map(|place| TestModule {
                    name,
                    place,
                    is_elsewhere: module.content.is_none(),
                    has_ensembles: names(module, ATTRIBUTE),
                }));
            } else if let Some((brace, items)) = &module.content {
                self.add(items, &format!("{name}/"));
                let end = brace.span.close().byte_range().start;
                self.ends.insert(name, end);
            }
        }
    }
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
    fn a_module_inside_another_takes_its_place_there() {
        let then = "mod inner {\n    fn f() {}\n    #[cfg(test)]\n    mod tests {\n        fn old() {}\n    }\n}\nfn g() {}\n";
        let now = "mod inner {\n    #[cfg(test)]\n    mod tests {\n        fn new() {}\n    }\n    #[cfg(test)]\n    mod apart;\n}\n\
                   mod new {\n    #[cfg(test)]\n    mod tests {}\n}\n";
        let text = appended(then, now, LaidTests::All, |_| true).unwrap();
        let lines: Vec<&str> = text.lines().filter(|it| !it.trim().is_empty()).collect();
        insta::assert_snapshot!(lines.join("\n"), @"
        mod inner {
            fn f() {}
        #[cfg(test)]
            mod tests {
                fn new() {}
            }
        #[cfg(test)]
            mod apart;
        }
        fn g() {}
        ");
        assert_eq!(modules_elsewhere(now), ["inner/apart"]);
        assert_eq!(
            modules_without_place(then, now, LaidTests::All),
            ["new::tests"]
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
