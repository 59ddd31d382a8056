//! The text of a source file, for tests that the running test binary doesn't list: those of other
//! binaries, those that aren't compiled, and those with names of their own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::snapshot::named_snapshot_file;

const ATTRIBUTE: &str = "ensemble_test";

/// The text of a source file, without the lines that are comments.
#[derive(Debug)]
pub(super) struct SourceText {
    path: PathBuf,
    text: String,
}

/// An attribute `ensemble_test`.
struct TestAttribute {
    at: usize,
    /// Whether the test has another name than its function.
    gives_name: bool,
}

impl SourceText {
    /// The text of a source file; `None` if there is no such file.
    ///
    /// # Errors
    /// The file can't be read.
    pub(super) fn read(path: &Path) -> io::Result<Option<Self>> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(Self::of(path, &String::from_utf8_lossy(&bytes)))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn of(path: &Path, text: &str) -> Self {
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        Self {
            path: path.to_owned(),
            text: text.split_inclusive('\n').filter(is_code).collect(),
        }
    }

    /// The number of functions of that name below the attribute, with no other name given there.
    pub(super) fn functions(&self, name: &str) -> usize {
        self.attributes_of(name).filter(|it| !it.gives_name).count()
    }

    /// Whether a function of that name below the attribute is `#[ignore]`d.
    pub(super) fn ignores(&self, name: &str) -> bool {
        self.attributes_of(name).any(|it| self.is_ignored(it.at))
    }

    /// The attribute of each function of that name.
    fn attributes_of(&self, name: &str) -> impl Iterator<Item = TestAttribute> {
        let found = self.text.match_indices(ATTRIBUTE);
        found.filter_map(move |(at, _)| {
            let before = &self.text[..at];
            let begin = before.rfind("#[")?;
            let (options, rest) = self.text[at..].split_once("fn ")?;
            let rest = rest.trim_start();
            let rest = rest.strip_prefix("r#").unwrap_or(rest);
            let is_one =
                !before[begin..].contains(']') && rest.split(is_between_words).next() == Some(name);
            let options: String = options.split_whitespace().collect();
            let gives_name = ["(name=\"", ",name=\""]
                .iter()
                .any(|it| options.contains(it));
            is_one.then_some(TestAttribute { at, gives_name })
        })
    }

    /// Whether the attributes around a place have an `#[ignore]` among them.
    fn is_ignored(&self, at: usize) -> bool {
        let begin = self.text[..at].rfind(['}', ';']).unwrap_or_default();
        let length = self.text[at..].find("fn ").unwrap_or_default();
        self.text[begin..at + length].contains("#[ignore")
    }

    /// Whether a test of that name may be there: all macros but those that put names together have
    /// the whole name among their words.
    pub(super) fn may_have(&self, name: &str) -> bool {
        let found = self.text.match_indices(name);
        let words = found.filter(|(at, _)| self.may_define(*at, name));
        let of_other_names = self.attributes_of(name).filter(|it| it.gives_name);
        words.count() > of_other_names.count() || self.text.contains("[<")
    }

    /// Whether a place has the name as a word, and not as that of something that is used there.
    fn may_define(&self, at: usize, name: &str) -> bool {
        let (before, after) = (&self.text[..at], &self.text[at + name.len()..]);
        let is_word = before.ends_with(is_between_words) && !after.starts_with(is_in_word);
        let is_used = before.ends_with("::") || before.ends_with('.') || after.starts_with("::");
        let is_called = after.starts_with('(') && !before.ends_with("fn ");
        is_word && !is_used && !is_called
    }

    /// Whether a string is a name to which this snapshot file belongs.
    pub(super) fn names(&self, file: &Path) -> bool {
        let strings = self.text.split('"').filter(|text| !text.contains('\n'));
        let mut files = strings.map(|text| named_snapshot_file(&self.path, text));
        files.any(|named| named == file)
    }

    /// Whether the string that is the name to which this snapshot file belongs is in attributes
    /// with an `#[ignore]`.
    pub(super) fn ignores_named(&self, file: &Path) -> bool {
        let mut at = 0;
        self.text.split('"').any(|text| {
            let begin = at;
            at += text.len() + 1;
            !text.contains('\n')
                && named_snapshot_file(&self.path, text) == file
                && self.is_ignored(begin)
        })
    }

    /// Whether names of tests are built at run time.
    pub(super) fn builds_names(&self) -> bool {
        let mut names = self.text.split("EnsembleTest::new(").skip(1);
        names.any(|name| !name.trim_start().starts_with('"'))
    }
}

fn is_in_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn is_between_words(character: char) -> bool {
    !is_in_word(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> SourceText {
        SourceText::of(Path::new("tests/a.rs"), text)
    }

    #[test]
    fn a_test_is_a_function_below_the_attribute() {
        let text = of(r#"
            use tdg::ensemble_test;
            fn helper() {}
            #[ensemble_test]
            #[cfg(unix)]
            fn total(quantity: u32) {}
            mod tests {
                #[tdg::ensemble_test(definition = "a.json", tolerance(rel = 1e-9))]
                pub async fn total() {}
                #[cfg_attr(test, tdg::ensemble_test)]
                fn r#match() {}
                // #[ensemble_test]
                // fn former() {}
            }
            macro_rules! made { ($name:ident) => { #[ensemble_test] fn $name() {} } }
            made!(generated);
        "#);
        let named = of("#[ensemble_test(size = 9, name = \"sum\")] fn total() {}");
        assert!(named.functions("total") == 0 && !named.may_have("total"));
        let renamed = of("#[ensemble_test(serde(rename = \"sum\"))] fn total() {}");
        assert_eq!(renamed.functions("total"), 1);
        let counts = ["total", "match", "helper", "former", "generated", "tot"];
        assert_eq!(counts.map(|name| text.functions(name)), [2, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn a_name_is_a_string_that_leads_to_the_file() {
        let text = of(r##"
            #[ensemble_test(name = "the sum")] fn f() {}
            // EnsembleTest::new("former")
            fn g() { check(r#"of (EUR)"#); }
        "##);
        let has = |stem: &str| text.names(&Path::new("tests/snapshots").join(stem));
        assert!(has("a__the_sum.snap") && has("a__of__EUR_.snap"));
        assert!(!has("a__former.snap") && !has("a__f.snap"));
    }

    #[test]
    fn an_ignored_test_is_told_by_its_own_attributes() {
        let text = of(r#"
            #[ignore = "slow"]
            #[ensemble_test]
            fn slow() {}
            #[ensemble_test(name = "the sum")]
            #[ignore]
            fn f() {}
            #[ensemble_test(name = "the rest")]
            fn total() {}
        "#);
        assert!(text.ignores("slow") && !text.ignores("total"));
        let ignores = |stem: &str| text.ignores_named(&Path::new("tests/snapshots").join(stem));
        assert!(ignores("a__the_sum.snap") && !ignores("a__the_rest.snap"));
    }

    #[test]
    fn a_macro_may_make_what_it_has_the_whole_name_of() {
        let made =
            of("made!(total_gross); made!(net); #[other_test] fn sum() { shop::cost(price(1)) }");
        let names = ["total_gross", "sum", "total", "gross", "cost", "price"];
        let expected = [true, true, false, false, false, false];
        assert_eq!(names.map(|name| made.may_have(name)), expected);
        assert!(of("paste! { fn [<total_ $currency>]() {} }").may_have("total_eur"));
    }

    #[test]
    fn a_name_that_is_no_string_is_built_at_run_time() {
        assert!(of("EnsembleTest::new(format!(\"a {b}\"))").builds_names());
        assert!(of("EnsembleTest::new(name)").builds_names());
        assert!(!of("EnsembleTest::new(\n    \"total\")").builds_names());
    }
}
