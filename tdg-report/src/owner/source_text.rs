//! The text of a source file, for tests that the running test binary doesn't list: tests of other
//! binaries, tests that aren't compiled, and tests with explicit names.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tdg_engine::snapshot::named_snapshot_file;

const ATTRIBUTE: &str = "ensemble_test";

/// The attributes of tests without a benchmark.
const ORDINARY: [&str; 10] = [
    "[test]",
    "[test(",
    "::test]",
    "::test(",
    "[rstest",
    "[proptest",
    "[quickcheck",
    "::quickcheck",
    "test_case(",
    "[bench]",
];

const CONSTRUCTOR: &str = "EnsembleTest::new(";

/// The text of a source file without comment lines. Each index is built on first use.
#[derive(Debug)]
pub(super) struct SourceText {
    path: PathBuf,
    text: String,
    functions: OnceLock<HashMap<String, TestFunctions>>,
    /// The number of places per word that may define a test.
    words: OnceLock<HashMap<String, usize>>,
    /// The snapshot file names that strings lead to; true if a test has that string as its name.
    files: OnceLock<HashMap<OsString, bool>>,
}

/// The tests among the functions with one name.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TestFunctions {
    /// The functions with the attribute that don't set another name.
    pub(super) ensembles: usize,
    /// The functions with the attribute that set another name.
    named: usize,
    /// The functions with the attribute of an ordinary test, which have no benchmark.
    pub(super) ordinary: usize,
    /// Set if a function with the attribute is `#[ignore]`d.
    pub(super) is_ignored: bool,
}

impl SourceText {
    /// Reads a source file, or returns `None` if it doesn't exist.
    ///
    /// # Errors
    /// Fails if the file can't be read.
    pub(super) fn read(path: &Path) -> io::Result<Option<Self>> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(Self::parse(path, &String::from_utf8_lossy(&bytes)))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the text as this process first read it.
    ///
    /// # Errors
    /// Fails if the file can't be read.
    pub(super) fn once(path: &Path) -> io::Result<Option<Arc<Self>>> {
        static TEXTS: Mutex<Option<HashMap<PathBuf, Arc<SourceText>>>> = Mutex::new(None);
        let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = texts.get_or_insert_default();
        if let Some(text) = texts.get(path) {
            return Ok(Some(Arc::clone(text)));
        }
        let text = Self::read(path)?.map(Arc::new);
        texts.extend(text.clone().map(|text| (path.to_owned(), text)));
        Ok(text)
    }

    fn parse(path: &Path, text: &str) -> Self {
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        Self {
            path: path.to_owned(),
            text: text.split_inclusive('\n').filter(is_code).collect(),
            functions: OnceLock::new(),
            words: OnceLock::new(),
            files: OnceLock::new(),
        }
    }

    /// Returns the tests among the functions with this name.
    pub(super) fn tests(&self, name: &str) -> TestFunctions {
        let index = || {
            let mut functions: HashMap<String, TestFunctions> = HashMap::new();
            for (at, _) in self.text.match_indices(ATTRIBUTE) {
                if let Some((name, gives_name)) = self.below_attribute(at) {
                    let of_name = functions.entry(name.to_owned()).or_default();
                    of_name.ensembles += usize::from(!gives_name);
                    of_name.named += usize::from(gives_name);
                    of_name.is_ignored |= self.is_ignored(at);
                }
            }
            for (at, function) in self.text.match_indices("fn ") {
                if self.is_ordinary_test(at) {
                    let name = identifier(&self.text[at + function.len()..]);
                    functions.entry(name.to_owned()).or_default().ordinary += 1;
                }
            }
            functions
        };
        let functions = self.functions.get_or_init(index);
        functions.get(name).copied().unwrap_or_default()
    }

    /// Returns the function below the attribute at `at`, and true if it sets another name.
    fn below_attribute(&self, at: usize) -> Option<(&str, bool)> {
        let before = &self.text[..at];
        let begin = before.rfind("#[")?;
        let (options, function) = self.text[at..].split_once("fn ")?;
        let options: String = options.split_whitespace().collect();
        let gives_name = ["(name=\"", ",name=\""]
            .iter()
            .any(|it| options.contains(it));
        (!before[begin..].contains(']')).then_some((identifier(function), gives_name))
    }

    /// Returns true if the function at `at` is below the attribute of an ordinary test.
    fn is_ordinary_test(&self, at: usize) -> bool {
        let before = &self.text[..at];
        let begin = before.rfind(['{', '}', ';']).unwrap_or_default();
        let attributes = &before[begin..];
        !attributes.contains(ATTRIBUTE) && ORDINARY.iter().any(|it| attributes.contains(it))
    }

    /// Returns true if the attributes around `at` include `#[ignore]`.
    fn is_ignored(&self, at: usize) -> bool {
        let begin = self.text[..at].rfind(['}', ';']).unwrap_or_default();
        let length = self.text[at..].find("fn ").unwrap_or_default();
        self.text[begin..at + length].contains("#[ignore")
    }

    /// Returns true if a test with this name may exist. A macro call contains the whole name as a
    /// word, unless the macro concatenates names.
    pub(super) fn may_have(&self, name: &str) -> bool {
        let tests = self.tests(name);
        let words = self.words.get_or_init(|| self.defining_words());
        tests.ensembles > 0
            || words
                .get(name)
                .is_some_and(|words| *words > tests.named + tests.ordinary)
            || self.text.contains("[<")
    }

    fn defining_words(&self) -> HashMap<String, usize> {
        let mut words = HashMap::new();
        let mut end = 0;
        for piece in self.text.split_inclusive(is_between_words) {
            let word = piece.trim_end_matches(is_between_words);
            if !word.is_empty() && self.may_define(end, word) {
                *words.entry(word.to_owned()).or_default() += 1;
            }
            end += piece.len();
        }
        words
    }

    /// Returns true unless the word at `at` is the name of something that is used there.
    fn may_define(&self, at: usize, word: &str) -> bool {
        let (before, after) = (&self.text[..at], &self.text[at + word.len()..]);
        let is_used = before.ends_with("::") || before.ends_with('.') || after.starts_with("::");
        let is_called = after.starts_with('(') && !before.ends_with("fn ");
        !is_used && !is_called
    }

    /// Returns true if a string is a name that this snapshot file belongs to. If constructors get
    /// their names as string literals, no other string is a name.
    pub(super) fn names(&self, file: &Path) -> bool {
        match self.is_name_given(file) {
            Some(is_given) => is_given || self.builds_names() || !self.text.contains(CONSTRUCTOR),
            None => false,
        }
    }

    /// Returns true if a test is given a name that this snapshot file belongs to.
    pub(super) fn gives_name(&self, file: &Path) -> bool {
        self.is_name_given(file) == Some(true)
    }

    /// Returns true if the string that leads to this snapshot file is given to a test, or `None`
    /// without such a string.
    fn is_name_given(&self, file: &Path) -> Option<bool> {
        let index = || {
            let mut files: HashMap<OsString, bool> = HashMap::new();
            let mut before = "";
            for text in self.text.split('"') {
                if !text.contains('\n') {
                    let file = named_snapshot_file(&self.path, text);
                    let name = file.file_name().map(OsStr::to_owned).unwrap_or_default();
                    *files.entry(name).or_default() |= is_before_name(before);
                }
                before = text;
            }
            files
        };
        let files = self.files.get_or_init(index);
        files.get(file.file_name().unwrap_or_default()).copied()
    }

    /// Returns true if the string that names this snapshot file is in attributes with an
    /// `#[ignore]`.
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

    /// Returns true if names of tests are built at run time.
    pub(super) fn builds_names(&self) -> bool {
        let mut names = self.text.split(CONSTRUCTOR).skip(1);
        names.any(|name| !name.trim_start().starts_with('"'))
    }
}

/// Returns the identifier at the start of a text.
fn identifier(text: &str) -> &str {
    let text = text.trim_start();
    let text = text.strip_prefix("r#").unwrap_or(text);
    text.split(is_between_words).next().unwrap_or_default()
}

/// Returns true if a string after this text is the name of a test.
fn is_before_name(text: &str) -> bool {
    let text = text.trim_end();
    let option = text.strip_suffix('=').map(str::trim_end);
    let option = option.and_then(|text| text.strip_suffix("name"));
    text.ends_with(CONSTRUCTOR)
        || text.ends_with(".name(")
        || option.is_some_and(|text| text.trim_end().ends_with(['(', ',']))
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

    fn source(text: &str) -> SourceText {
        SourceText::parse(Path::new("tests/a.rs"), text)
    }

    #[test]
    fn a_test_is_a_function_below_the_attribute() {
        let text = source(
            r#"
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
        "#,
        );
        let named = source("#[ensemble_test(size = 9, name = \"sum\")] fn total() {}");
        assert!(named.tests("total").ensembles == 0 && !named.may_have("total"));
        let renamed = source("#[ensemble_test(serde(rename = \"sum\"))] fn total() {}");
        assert_eq!(renamed.tests("total").ensembles, 1);
        let counts = ["total", "match", "helper", "former", "generated", "tot"];
        let counts = counts.map(|name| text.tests(name).ensembles);
        assert_eq!(counts, [2, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn a_name_is_a_string_that_leads_to_the_file() {
        let text = source(
            r##"
            #[ensemble_test(name = "the sum")] fn f() {}
            // EnsembleTest::new("former")
            fn g() { check(r#"of (EUR)"#); }
        "##,
        );
        let has = |stem: &str| text.names(&Path::new("tests/snapshots").join(stem));
        assert!(has("a__the_sum.snap") && has("a__of__EUR_.snap"));
        assert!(!has("a__former.snap") && !has("a__f.snap"));
    }

    #[test]
    fn no_other_string_is_a_name_where_names_are_strings() {
        let at = Path::new("tests/snapshots/a__price.snap");
        let names = |text: &str| source(text).names(at);
        assert!(names("EnsembleTest::new(\n    \"price\",\n)"));
        assert!(names("EnsembleTest::at(site).name(\"price\")"));
        assert!(names(
            "#[ensemble_test(size = 9, name = \"price\")] fn f() {}"
        ));
        let label = "assert_eq!(label, \"price\");";
        assert!(!names(&format!("EnsembleTest::new(\"sum\"); {label}")));
        assert!(names(&format!("EnsembleTest::new(name); {label}")));
        assert!(names("common::check(\"price\")"));
    }

    #[test]
    fn an_ignored_test_is_recognized_by_its_own_attributes() {
        let text = source(
            r#"
            #[ignore = "slow"]
            #[ensemble_test]
            fn slow() {}
            #[ensemble_test(name = "the sum")]
            #[ignore]
            fn f() {}
            #[ensemble_test(name = "the rest")]
            fn total() {}
        "#,
        );
        assert!(text.tests("slow").is_ignored && !text.tests("total").is_ignored);
        let ignores = |stem: &str| text.ignores_named(&Path::new("tests/snapshots").join(stem));
        assert!(ignores("a__the_sum.snap") && !ignores("a__the_rest.snap"));
    }

    #[test]
    fn a_macro_may_make_what_it_has_the_whole_name_of() {
        let made = source(
            "made!(total_gross); made!(net); #[other_test] fn sum() { shop::cost(price(1)) }",
        );
        let names = ["total_gross", "sum", "total", "gross", "cost", "price"];
        let expected = [true, true, false, false, false, false];
        assert_eq!(names.map(|name| made.may_have(name)), expected);
        assert!(source("paste! { fn [<total_ $currency>]() {} }").may_have("total_eur"));
    }

    #[test]
    fn a_name_that_is_not_a_string_is_built_at_run_time() {
        assert!(source("EnsembleTest::new(format!(\"a {b}\"))").builds_names());
        assert!(source("EnsembleTest::new(name)").builds_names());
        assert!(!source("EnsembleTest::new(\n    \"total\")").builds_names());
    }
}
