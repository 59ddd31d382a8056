//! The ensemble tests that a source file has, or may have.
//!
//! Attributes, macros and names built at run time can make tests that can't be found by reading.
//! Whatever they might make counts as there.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

use super::tokens::{Token, tokens};

/// Attributes that don't make ensemble tests, by their last segment: those of the language, and
/// helpers of derives.
const PLAIN_ATTRIBUTES: [&str; 40] = [
    "allow",
    "arbitrary",
    "arg",
    "automatically_derived",
    "bench",
    "builder",
    "cfg",
    "clap",
    "cold",
    "command",
    "default",
    "define",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "error",
    "expect",
    "feature",
    "forbid",
    "ignore",
    "inline",
    "macro_use",
    "must_use",
    "no_mangle",
    "non_exhaustive",
    "path",
    "repr",
    "schemars",
    "serde",
    "serde_as",
    "should_panic",
    "skip",
    "strum",
    "target_feature",
    "test",
    "track_caller",
    "validate",
    "value",
    "warn",
];

/// Macros, and keywords before `!`, that don't make tests.
const PLAIN_MACROS: [&str; 38] = [
    "assert",
    "assert_debug_snapshot",
    "assert_eq",
    "assert_matches",
    "assert_ne",
    "assert_snapshot",
    "break",
    "cfg",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "else",
    "env",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "if",
    "in",
    "include_bytes",
    "include_str",
    "json",
    "match",
    "matches",
    "panic",
    "print",
    "println",
    "return",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "while",
    "write",
];

/// Keywords with which an item begins, after its visibility.
const ITEM_KEYWORDS: [&str; 17] = [
    "async", "auto", "const", "default", "enum", "extern", "fn", "impl", "mod", "safe", "static",
    "struct", "trait", "type", "union", "unsafe", "use",
];

/// The ensemble tests that a source file has, or may have.
#[derive(Debug, Default)]
pub struct SourceTests {
    /// The tests that are found.
    tests: Vec<FoundTest>,
    /// The strings, but for those in attributes that make no tests: any can be a name.
    texts: HashSet<String>,
    /// The parts of words that macros get, in lower case: any can become a name, or a part of it.
    words: HashSet<String>,
    /// The same for each attribute that may make tests, and its item: their names have no other
    /// parts, but for numbers.
    attribute_words: Vec<HashSet<String>>,
    /// Whether names are built.
    builds_names: bool,
}

#[derive(Debug)]
struct FoundTest {
    /// The modules of the file and the function, or the name that the attribute gives.
    name: String,
    /// Whether the name is whole, or the modules around the file come before it.
    is_whole: bool,
    is_ignored: bool,
}

impl FoundTest {
    fn has_name(&self, name: &str) -> bool {
        name == self.name
            || !self.is_whole
                && name
                    .strip_suffix(&self.name)
                    .is_some_and(|modules| modules.ends_with("::"))
    }
}

impl SourceTests {
    /// The tests of a source file; `None` if there is no such file.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn read(source: &Path) -> io::Result<Option<Self>> {
        match fs::read(source) {
            Ok(bytes) => Ok(Some(Self::of(&String::from_utf8_lossy(&bytes)))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn of(source: &str) -> Self {
        let mut scan = Scan::default();
        scan.all(&tokens(source));
        scan.found
    }

    /// Whether a test of that name may be in the file.
    pub fn may_have(&self, name: &str) -> bool {
        let function = name.rsplit("::").next().unwrap_or(name);
        self.builds_names
            || self.tests.iter().any(|test| test.has_name(name))
            || parts(function).any(|part| self.words.contains(&part))
            || self.attribute_words.iter().any(|words| {
                let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
                parts(function).all(|part| is_number(&part) || words.contains(&part))
            })
            || self.texts.iter().any(|text| may_give(text, name))
            || self.texts.contains(&name.escape_debug().to_string())
    }

    /// Whether a test of that name is in the file, and `#[ignore]`d.
    pub fn ignores(&self, name: &str) -> bool {
        let mut tests = self.tests.iter();
        tests.any(|test| test.is_ignored && test.has_name(name))
    }

    /// The names that tests of the file can have, those of tests that are found first.
    pub(super) fn names<'t>(&'t self, modules: &'t str) -> impl Iterator<Item = String> + 't {
        let found = self.found(modules).map(|(name, _)| name);
        found.chain(self.texts.iter().cloned())
    }

    /// The names of the tests that are found, and the same as snapshot files have them: without
    /// the modules of the file.
    pub(super) fn found(&self, modules: &str) -> impl Iterator<Item = (String, &str)> {
        self.tests.iter().map(move |test| {
            let name = if test.is_whole || modules.is_empty() {
                test.name.clone()
            } else {
                format!("{modules}::{}", test.name)
            };
            (name, test.name.as_str())
        })
    }
}

/// Whether a string is the name, or may be formatted to it: `total_{currency}` to `total_EUR`.
fn may_give(text: &str, name: &str) -> bool {
    if text == name {
        return true;
    }
    let mut parts = text.split('{').enumerate().map(|(index, part)| {
        let fixed = part.split_once('}').map(|(_, fixed)| fixed);
        if index == 0 {
            part
        } else {
            fixed.unwrap_or("")
        }
    });
    let is_telling =
        text.contains('{') && parts.clone().any(|it| it.contains(char::is_alphanumeric));
    let Some(mut rest) = parts.next().and_then(|start| name.strip_prefix(start)) else {
        return false;
    };
    is_telling
        && parts.all(|part| match rest.split_once(part) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
}

/// `total` and `eur` for `total_EUR`.
fn parts(name: &str) -> impl Iterator<Item = String> {
    let parts = name.split(|character: char| !character.is_alphanumeric());
    parts.filter(|part| !part.is_empty()).map(str::to_lowercase)
}

/// The parts of all words and strings.
fn all_parts(tokens: &[Token<'_>]) -> impl Iterator<Item = String> {
    let words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) | Token::Text(word) => Some(*word),
        Token::Mark(_) => None,
    });
    words.flat_map(parts)
}

/// How many tokens the group has that begins here, with its brackets.
fn group_length(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Mark('[' | '(' | '{') => depth += 1,
            Token::Mark(']' | ')' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The tokens after an attribute up to the name of its item, other attributes among them; `None`
/// if the attribute is on a field, a variant, a parameter or an expression.
fn item_head<'t, 's>(tokens: &'t [Token<'s>]) -> Option<&'t [Token<'s>]> {
    use Token::{Mark, Word};
    let mut rest = tokens;
    while let [Mark('#'), group @ ..] = rest {
        rest = &group[group_length(group)..];
    }
    if let [Word("pub"), after @ ..] = rest {
        rest = match after {
            [Mark('('), ..] => &after[group_length(after)..],
            _ => after,
        };
    }
    let mut path = rest;
    while let [Mark(':'), Mark(':'), after @ ..] | [Word(_), Mark(':'), Mark(':'), after @ ..] =
        path
    {
        path = after;
    }
    let is_item = match path {
        [Word(_), Mark('!'), ..] => true,
        // Not the field `r#type: String`.
        [Word(keyword), next, ..] => ITEM_KEYWORDS.contains(keyword) && *next != Mark(':'),
        _ => false,
    };
    let is_end = |token: &Token<'_>| matches!(token, Mark('{' | '(' | '[' | ';' | '='));
    let length = rest.iter().position(is_end).unwrap_or(rest.len());
    is_item.then(|| &tokens[..tokens.len() - rest.len() + length])
}

/// What is around a place in the source.
enum Frame<'s> {
    Module(&'s str),
    /// Something that may make tests of what is inside.
    Maker,
    Other,
}

struct Attribute<'s> {
    /// The last segment of its path.
    name: &'s str,
    /// The name that `ensemble_test` gives.
    test: Option<&'s str>,
}

impl Attribute<'_> {
    fn is_plain(&self) -> bool {
        PLAIN_ATTRIBUTES.contains(&self.name)
    }
}

#[derive(Default)]
struct Scan<'s> {
    frames: Vec<Frame<'s>>,
    /// The attributes of the next item.
    attributes: Vec<Attribute<'s>>,
    found: SourceTests,
}

impl<'s> Scan<'s> {
    fn all(&mut self, tokens: &[Token<'s>]) {
        let mut rest = tokens;
        while !rest.is_empty() {
            rest = &rest[self.next(rest).min(rest.len())..];
        }
    }

    /// Takes the next tokens, and returns how many.
    fn next(&mut self, tokens: &[Token<'s>]) -> usize {
        use Token::{Mark, Text, Word};
        match tokens {
            [Mark('#'), Mark('['), ..] => self.attribute(tokens),
            [Word("mod"), Word(name), Mark('{'), ..] => {
                let is_plain = self.attributes.iter().all(Attribute::is_plain);
                self.frames.push(if is_plain {
                    Frame::Module(name)
                } else {
                    Frame::Maker
                });
                self.attributes.clear();
                3
            }
            [Word("fn"), Word(name), ..] => {
                self.function(name);
                2
            }
            [
                Word("macro_rules"),
                Mark('!'),
                Word(_),
                Mark('(' | '[' | '{'),
                ..,
            ] => {
                self.frames.push(Frame::Maker);
                4
            }
            [Word(name), Mark('!'), Mark('(' | '[' | '{'), ..] => {
                self.word(name);
                self.frames.push(if PLAIN_MACROS.contains(name) {
                    Frame::Other
                } else {
                    Frame::Maker
                });
                3
            }
            [Word("EnsembleTest"), rest @ ..] => {
                match rest {
                    [Mark(':'), Mark(':'), Word("new"), Mark('('), Text(name), ..] => {
                        self.found.tests.push(FoundTest {
                            name: (*name).to_owned(),
                            is_whole: true,
                            is_ignored: false,
                        });
                    }
                    [Mark(':'), Mark(':'), Word("new"), ..] | [Word("as"), ..] => {
                        self.found.builds_names = true;
                    }
                    _ => {}
                }
                1
            }
            [Word(word), ..] => {
                self.word(word);
                1
            }
            [Text(text), ..] => {
                self.word(text);
                self.found.texts.insert((*text).to_owned());
                1
            }
            [Mark(mark), rest @ ..] => {
                match mark {
                    '(' | '[' | '{' => {
                        // `[<total_ $currency>]`
                        self.found.builds_names |=
                            *mark == '[' && rest.first() == Some(&Mark('<')) && self.is_in_maker();
                        self.frames.push(Frame::Other);
                    }
                    ')' | ']' | '}' => drop(self.frames.pop()),
                    _ => {}
                }
                if matches!(mark, '{' | '}' | ';') {
                    self.attributes.clear();
                }
                1
            }
            [] => 1,
        }
    }

    /// Takes an attribute.
    fn attribute(&mut self, tokens: &[Token<'s>]) -> usize {
        let length = 1 + group_length(&tokens[1..]);
        let content = &tokens[2..length];
        let mut attribute = Attribute {
            name: "",
            test: None,
        };
        for token in content {
            match token {
                Token::Word(word) => attribute.name = word,
                Token::Mark(':') => {}
                _ => break,
            }
        }
        if attribute.name == "ensemble_test" {
            let named = content.windows(3).find_map(|tokens| match tokens {
                [Token::Word("name"), Token::Mark('='), value] => Some(value),
                _ => None,
            });
            match named {
                Some(Token::Text(text)) => attribute.test = Some(text),
                Some(_) => self.found.builds_names = true,
                None => {}
            }
        } else if !attribute.is_plain() {
            if self.is_in_maker() {
                self.found.words.extend(all_parts(content));
                self.texts(content);
            } else if let Some(head) = item_head(&tokens[length..]) {
                let words = all_parts(content).chain(all_parts(head)).collect();
                self.found.attribute_words.push(words);
                self.texts(content);
            }
        }
        self.attributes.push(attribute);
        length
    }

    fn texts(&mut self, tokens: &[Token<'s>]) {
        let texts = tokens.iter().filter_map(|token| match token {
            Token::Text(text) => Some((*text).to_owned()),
            _ => None,
        });
        self.found.texts.extend(texts);
    }

    fn function(&mut self, function: &'s str) {
        self.word(function);
        let attributes = std::mem::take(&mut self.attributes);
        let is_ignored = attributes.iter().any(|it| it.name == "ignore");
        for attribute in attributes.iter().filter(|it| !it.is_plain()) {
            let modules = self.frames.iter().filter_map(|frame| match frame {
                Frame::Module(name) => Some(*name),
                _ => None,
            });
            let path: Vec<&str> = modules.chain([function]).collect();
            self.found.tests.push(FoundTest {
                name: attribute
                    .test
                    .map_or_else(|| path.join("::"), str::to_owned),
                is_whole: attribute.test.is_some(),
                is_ignored,
            });
        }
    }

    fn word(&mut self, word: &str) {
        if self.is_in_maker() {
            self.found.words.extend(parts(word));
        }
    }

    fn is_in_maker(&self) -> bool {
        self.frames
            .iter()
            .any(|frame| matches!(frame, Frame::Maker))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of these names tests of the source may have.
    fn found<'n>(source: &str, names: &[&'n str]) -> Vec<&'n str> {
        let tests = SourceTests::of(source);
        let names = names.iter().copied();
        names.filter(|name| tests.may_have(name)).collect()
    }

    #[test]
    fn a_test_is_a_function_with_the_attribute() {
        let source = r"
            pub fn layout() {}
            // #[ensemble_test] fn comment() {}
            #[tdg::ensemble_test(definition = 'a')]
            pub(crate) async fn total(amount: f64) -> f64 { layout(); gone() }
            #[test]
            fn ordinary() { assert_eq!(gone(), 1, text()); }
        ";
        assert_eq!(
            found(
                source,
                &["total", "layout", "gone", "ordinary", "comment", "text"]
            ),
            ["total"]
        );
    }

    #[test]
    fn modules_are_part_of_the_name() {
        let source = "
            mod tests { mod inner {} #[ensemble_test(size = 3)] fn total() {} }
            #[ensemble_test] fn other() {}
        ";
        assert_eq!(
            found(
                source,
                &[
                    "tests::total",
                    "tax::tests::total",
                    "checks::total",
                    "tests::inner::total",
                    "total",
                    "tests::other",
                ]
            ),
            // The last, because the file may be the module `tests` of another one.
            ["tests::total", "tax::tests::total", "tests::other"]
        );
    }

    #[test]
    fn a_name_of_its_own_replaces_that_of_the_function() {
        let source = r#"
            #[ensemble_test(definition = "a.json", name = "total (EUR)")] fn total() {}
            #[test] fn f() { EnsembleTest::new("of \"code\"").size(3) }
        "#;
        assert_eq!(
            found(source, &["total (EUR)", "total", "f", "of \"code\""]),
            ["total (EUR)", "of \"code\""]
        );
    }

    #[test]
    fn what_macros_or_attributes_may_make_counts() {
        let source = "
            tests! { a(b), c }
            macro_rules! m { () => { #[ensemble_test] fn d() {} } }
            #[rstest] fn e() {}
            #[my_suite(f)] mod g { fn h() {} }
            #[cfg_attr(unix, ensemble_test)] fn i() {}
            suite!(EUR, \"gross\");
            fn gone() { println!(gone) }
        ";
        let names = [
            "a",
            "b",
            "c",
            "d",
            "e",
            "f",
            "h",
            "i",
            "total_eur",
            "total, gross",
            "gone",
        ];
        assert_eq!(found(source, &names), names[..10]);
    }

    #[test]
    fn attributes_of_fields_variants_and_parameters_make_no_tests() {
        let source = r#"
            #![recursion_limit = "256"]
            #[derive(Define, Deserialize)]
            #[serde(rename_all = "camelCase", tag = "kind")]
            #[other(unit)]
            struct Order {
                #[define(uniform(min = 1, max = 9))] quantity: f64,
                #[serde(rename = "former")] pub(crate) r#type: String,
                #[other(net(price))] pub union: macros::text!(),
            }
            struct Price(#[other(net(price))] pub f64);
            enum Kind { #[strum(to_string = "net price")] Net, #[other("old")] Gross { of: f64 } }
            #[ensemble_test(definition = "layout")]
            #[cfg_attr(feature = "slow", ignore)]
            fn total(#[feature("unit price")] unit: f64, #[other("old")] (a, b): (f64, f64)) {}
        "#;
        let names = [
            "max_price",
            "unit_total",
            "unit_price",
            "former",
            "type_of_kind",
            "net_price",
            "net",
            "old",
            "limit",
            "camelCase",
            "layout",
            "order_of_unit",
        ];
        assert_eq!(found(source, &names), [""; 0]);
    }

    #[test]
    fn an_attribute_of_an_item_may_make_any_name_of_words_that_it_sees() {
        for item in [
            "#[each(eur, usd)] fn total() {}",
            "#[allow(dead_code)] #[each(eur)] #[ensemble_test] pub(crate) fn total() {}",
            "#[prefix(total)] #[each(eur)] const fn f() {}",
            "#[each(total(eur))] mod checks;",
            "#[each(total_eur)] pub struct Amount { net: f64 }",
            "#[each(total)] impl Eur for T {}",
            "#[each(total)] unsafe extern \"eur\" {}",
            "#[each(total = \"EUR\")] #[x] ::a::checks! {}",
        ] {
            let names = [
                "total_eur",
                "total_eur_2",
                "total_gbp",
                "net_total",
                "gross",
            ];
            assert_eq!(found(item, &names), names[..2], "{item}");
        }
        assert_eq!(
            found("#[x] #[case::eur(3)] fn total() {}", &["total::case_1_eur"]).len(),
            1
        );
        // The words of one attribute, not of several.
        let apart = "#[each(max)] fn f() {} #[each(price)] fn g() {}";
        assert!(found(apart, &["max_price"]).is_empty());
        // A macro can add words of its own.
        let names = ["total_eur", "net_total"];
        assert_eq!(found("suite! { #[each(total)] field: f64 }", &names), names);
    }

    #[test]
    fn where_names_are_built_any_test_may_be_there() {
        for source in [
            "fn f() { EnsembleTest::new(format!(\"x_{k}\")) }",
            "fn f() { names.map(EnsembleTest::new) }",
            "use tdg::EnsembleTest as E;",
            "m! { #[ensemble_test] fn [<total_ $k>]() {} }",
            "#[ensemble_test(name = NAME)] fn f() {}",
        ] {
            assert_eq!(found(source, &["any"]), ["any"], "{source}");
        }
        let formatted = "fn f() { check(&format!(\"of_{k}_{n}\")); println!(\"{k}\") }";
        assert_eq!(
            found(formatted, &["of_1_2", "of_1", "off_1_2", "any"]),
            ["of_1_2"]
        );
        let plain = "fn f(x: [<T as A>::B; 3]) { tdg::EnsembleTest::new(\"x\") }";
        assert!(found(plain, &["any"]).is_empty());
    }

    #[test]
    fn an_ignored_test_is_known() {
        let tests = SourceTests::of(
            "#[ensemble_test] #[ignore = \"slow\"] fn slow() {} #[ensemble_test] fn fast() {}",
        );
        assert!(tests.ignores("slow") && !tests.ignores("fast"));
    }
}
