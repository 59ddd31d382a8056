//! Tests in source files. Today's are laid over earlier files.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use proc_macro2::TokenTree;
use quote::ToTokens as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, Item};

use crate::sources::edit::parse;
use crate::sources::tokens::names;
use crate::sources::{attributes, is_of_tests, plain, stated_path};

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

/// A module of tests, a test outside of these, or another item that only tests compile.
struct TestItem {
    /// Its path in the file, for example `inner/tests` or `fn largest`.
    name: String,
    place: Range<usize>,
    /// Set if the item is a module in a separate file.
    elsewhere: Option<SeparateModule>,
    has_ensembles: bool,
    /// Set if only later items may use it.
    has_macros: bool,
}

/// A module of tests in a separate file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SeparateModule {
    pub(super) name: String,
    /// The path that is stated for it.
    stated: Option<String>,
}

/// The items of a source file.
#[derive(Default)]
struct SourceItems {
    /// In order, but not within one another.
    tests: Vec<TestItem>,
    /// The offsets before `}` of the other modules, by path.
    ends: BTreeMap<String, usize>,
    /// The offset of the first item.
    start: usize,
}

/// Returns the modules of tests in separate files.
pub(super) fn modules_elsewhere(source: &str) -> Vec<SeparateModule> {
    let items = SourceItems::read(source).tests.into_iter();
    items.filter_map(|it| it.elsewhere).collect()
}

/// Returns the sources without those that only tests compile.
pub(super) fn without_tests(mut sources: Vec<(PathBuf, String)>) -> Vec<(PathBuf, String)> {
    let modules = sources.iter().flat_map(|(path, text)| {
        let modules = modules_elsewhere(text).into_iter();
        modules.flat_map(|it| [it.files(path), vec![it.folder(path)]].concat())
    });
    let tests: Vec<PathBuf> = modules.collect();
    sources.retain(|(path, _)| !tests.iter().any(|it| path.starts_with(it)));
    sources
}

impl SeparateModule {
    /// Returns the files where a module that another file declares may be.
    pub(super) fn files(&self, parent: &Path) -> Vec<PathBuf> {
        let folder = module_folder(parent);
        let outer = self.name.rsplit_once('/').map(|(outer, _)| outer);
        let paths = match (&self.stated, outer) {
            (Some(path), Some(outer)) => vec![folder.join(outer).join(path)],
            (Some(path), None) => vec![parent.with_file_name(path)],
            (None, _) => {
                let own = self.folder(parent);
                vec![own.with_extension("rs"), own.join("mod.rs")]
            }
        };
        paths.iter().map(|it| plain_path(it)).collect()
    }

    /// Returns the folder of its modules.
    pub(super) fn folder(&self, parent: &Path) -> PathBuf {
        module_folder(parent).join(&self.name)
    }
}

/// Removes `..` after a folder.
fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir if plain.file_name().is_some() => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

/// Returns the folder of the modules that a file declares.
fn module_folder(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    let stem = file.file_stem().unwrap_or_default();
    match ["lib", "main", "mod"].iter().any(|it| stem == *it) {
        true => folder.to_owned(),
        false => folder.join(stem),
    }
}

/// Lays today's tests over an earlier source, with the modules in separate files that `are_wanted`.
/// Returns `None` if today's source has no tests. An item inside a module needs that one.
pub(super) fn laid(
    then: &str,
    now: &str,
    tests: LaidTests,
    are_wanted: impl Fn(&SeparateModule) -> bool,
) -> Option<String> {
    let is_wanted = |it: &TestItem| match &it.elsewhere {
        Some(module) => are_wanted(module),
        None => tests == LaidTests::All || it.has_ensembles,
    };
    let former = SourceItems::read(then);
    let wanted = SourceItems::read(now).tests.into_iter();
    let mut wanted: Vec<TestItem> = wanted.filter(is_wanted).collect();
    if wanted.is_empty() {
        return None;
    }
    let mut edits = Vec::new();
    for item in former.tests {
        let same = wanted.iter().position(|it| it.name == item.name);
        let code = same.map(|it| now[wanted.remove(it).place].to_owned());
        if code.is_some() || tests == LaidTests::All {
            edits.push((item.place, code.unwrap_or_default()));
        }
    }
    for item in wanted {
        let code = &now[item.place];
        edits.extend(match item.name.rsplit_once('/') {
            Some((outer, _)) => {
                let end = former.ends.get(outer);
                end.map(|end| (*end..*end, format!("\n{code}\n")))
            }
            None if item.has_macros => Some((former.start..former.start, format!("{code}\n"))),
            None => Some((then.len()..then.len(), format!("\n{code}\n"))),
        });
    }
    edits.sort_by_key(|(place, _)| (place.start, place.end));
    let mut text = String::new();
    let mut from = 0;
    for (place, code) in edits {
        text += &then[from..place.start];
        text += &code;
        from = place.end;
    }
    Some(text + &then[from..])
}

/// Returns the paths of today's tests inside a module that the earlier source lacks.
pub(super) fn tests_without_place(then: &str, now: &str, tests: LaidTests) -> Vec<String> {
    let former = SourceItems::read(then);
    let items = SourceItems::read(now).tests.into_iter();
    let items = items.filter(|it| it.elsewhere.is_none());
    let items = items.filter(|it| tests == LaidTests::All || it.has_ensembles);
    let has_no_place = |name: &String| {
        let outer = name.rsplit_once('/').map(|(outer, _)| outer);
        outer.is_some_and(|it| !former.ends.contains_key(it))
    };
    let names = items.map(|it| it.name).filter(has_no_place);
    names.map(|it| it.replace('/', "::")).collect()
}

impl SourceItems {
    /// Returns the items of a source; none if it isn't Rust.
    fn read(source: &str) -> Self {
        let items = parse(source).map_or_else(Vec::new, |it| it.items);
        let start = items.first().map(|it| it.span().byte_range().start);
        let mut found = Self {
            start: start.unwrap_or(source.len()),
            ..Self::default()
        };
        found.add(&items, "");
        found
    }

    fn add(&mut self, items: &[Item], outer: &str) {
        for item in items {
            if is_of_tests(attributes(item)) {
                self.tests.push(TestItem::new(item, outer));
            } else if let Item::Mod(module) = item
                && let Some((brace, items)) = &module.content
            {
                let name = format!("{outer}{}", plain(&module.ident));
                self.add(items, &format!("{name}/"));
                let end = brace.span.close().byte_range().start;
                self.ends.insert(name, end);
            }
        }
    }
}

impl TestItem {
    fn new(item: &Item, outer: &str) -> Self {
        let (name, elsewhere) = match item {
            Item::Mod(module) => {
                let name = format!("{outer}{}", plain(&module.ident));
                let elsewhere = module.content.is_none().then(|| SeparateModule {
                    name: name.clone(),
                    stated: stated_path(&module.attrs),
                });
                (name, elsewhere)
            }
            item => (format!("{outer}{}", head(item)), None),
        };
        let is_macro_use = |it: &Attribute| it.path().is_ident("macro_use");
        let has_tests = matches!(item, Item::Mod(_) | Item::Fn(_));
        Self {
            name,
            place: item.span().byte_range(),
            elsewhere,
            has_ensembles: has_tests && names(item, ATTRIBUTE),
            has_macros: matches!(item, Item::Macro(_)) || attributes(item).iter().any(is_macro_use),
        }
    }
}

/// Returns the words of an item in front of its first braces or brackets: `fn largest`.
fn head(item: &Item) -> String {
    let mut words = Vec::new();
    let tokens = item.to_token_stream().into_iter();
    for token in tokens.skip(2 * attributes(item).len()) {
        match token {
            // For example, of `pub(crate)`.
            TokenTree::Group(_) if words == ["pub"] => {}
            TokenTree::Group(_) => break,
            token => words.push(token.to_string()),
        }
    }
    words.join(" ")
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
        insta::assert_snapshot!(laid(THEN, now, LaidTests::Ensembles, |_| true).unwrap(), @r"
        //! Zürich
        pub fn f() {}

        /// Of f.
        #[cfg(test)]
        mod tests {
            #[tdg::ensemble_test]
            fn f(x: u8) {}
        }

        fn g() {}
        ");
        let marked = format!("\u{feff}{now}");
        assert_eq!(
            laid(THEN, &marked, LaidTests::Ensembles, |_| true),
            laid(THEN, now, LaidTests::Ensembles, |_| true)
        );
        let without = "fn other() {}\n#[cfg(test)]\nmod tests {}\n";
        assert_eq!(laid(THEN, without, LaidTests::Ensembles, |_| true), None);
    }

    #[test]
    fn all_that_only_tests_compile_is_laid_over() {
        let then = "//! Zürich\n#[cfg(test)]\nuse old::Old;\npub fn f() {}\n#[test]\nfn gone() {}\n\
                    #[cfg(all(test, unix))]\nmod tests {\n    fn old() {}\n}\n";
        let now = "pub fn f() { new() }\n#[cfg(test)]\nuse new::New;\n#[test]\npub(crate) fn added() {}\n\
                   #[cfg(all(test, unix))]\nmod tests {}\n#[cfg(test)]\nmacro_rules! same { () => {} }\n\
                   #[cfg(test)]\nimpl F { fn help() {} }\n#[cfg(any(test, feature = \"std\"))]\nmod code {}\n";
        insta::assert_snapshot!(laid(then, now, LaidTests::All, |_| true).unwrap(), @r"
        //! Zürich
        #[cfg(test)]
        macro_rules! same { () => {} }

        pub fn f() {}

        #[cfg(all(test, unix))]
        mod tests {}

        #[cfg(test)]
        use new::New;

        #[test]
        pub(crate) fn added() {}

        #[cfg(test)]
        impl F { fn help() {} }
        ");
        let heads = SourceItems::read(now).tests.into_iter().map(|it| it.name);
        let heads: Vec<String> = heads.collect();
        assert_eq!(heads[..2], ["use new : : New ;", "pub fn added"]);
    }

    #[test]
    fn a_module_inside_another_takes_its_place_there() {
        let then = "mod inner {\n    fn f() {}\n    #[cfg(test)]\n    mod tests {\n        fn old() {}\n    }\n}\nfn g() {}\n";
        let now = "mod inner {\n    #[cfg(test)]\n    mod tests {\n        fn new() {}\n    }\n    #[cfg(test)]\n    mod apart;\n}\n\
                   mod new {\n    #[cfg(test)]\n    mod tests {}\n    #[test]\n    fn h() {}\n}\n";
        let text = laid(then, now, LaidTests::All, |_| true).unwrap();
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
        assert_eq!(
            tests_without_place(then, now, LaidTests::All),
            ["new::tests", "new::fn h"]
        );
    }

    #[test]
    fn a_module_in_a_separate_file_is_declared_if_it_is_wanted() {
        let now = "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod helpers;\n";
        let is_wanted = |it: &SeparateModule| it.name == "tests";
        let text = laid(THEN, now, LaidTests::Ensembles, is_wanted).unwrap();
        assert!(
            text.contains("f() {}\n\n#[cfg(test)]\nmod tests;\n\nfn g"),
            "{text}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn modules_in_separate_files_are_where_the_compiler_finds_them() {
        let source = "#[cfg(test)]\nmod a;\n#[cfg(test)]\n#[path = \"../tests/b.rs\"]\nmod b;\n\
                      mod inner {\n    #[cfg(test)]\n    #[path = \"d.rs\"]\n    mod c;\n}\n";
        let files = modules_elsewhere(source)
            .into_iter()
            .map(|it| it.files(Path::new("/shop/src/price.rs")))
            .collect::<Vec<_>>();
        let expected = [
            vec!["/shop/src/price/a.rs", "/shop/src/price/a/mod.rs"],
            vec!["/shop/tests/b.rs"],
            vec!["/shop/src/price/inner/d.rs"],
        ];
        let expected = expected.map(|it| it.into_iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(files, expected);
    }
}
