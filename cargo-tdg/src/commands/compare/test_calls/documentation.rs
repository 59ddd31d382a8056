//! The examples of today's documentation as tests of one file: it compiles once, and the same on
//! both sides.

use std::collections::BTreeMap;
use std::mem;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Block, LitStr};

use crate::sources::tokens::{each, is_punct};
use crate::sources::{CodeBlock, code_blocks};

/// Returns the tests of these sources, each with its path; `None` without tests. `read` returns the
/// text of a file that a source includes.
pub(super) fn documentation_tests(
    library: &str,
    sources: &[(PathBuf, String)],
    read: impl Fn(&Path) -> Option<String>,
) -> Option<String> {
    let mut tests = BTreeMap::new();
    for (path, source) in sources {
        let found = Documentation::of_source(source);
        let name = path.display().to_string();
        for comment in &found.comments {
            let lines = comment.iter().map(|(line, text)| (*line, text.as_str()));
            add_tests(&name, lines, &mut tests);
        }
        for name in &found.files {
            let text = read(&path.with_file_name(name)).unwrap_or_default();
            add_tests(name, (1..).zip(text.lines()), &mut tests);
        }
    }
    let all: String = tests.into_values().collect();
    (!all.is_empty()).then(|| format!("extern crate {library};\n\n{all}"))
}

/// Adds the tests in lines of documentation by the file and the line.
fn add_tests<'l>(
    file: &str,
    lines: impl Iterator<Item = (usize, &'l str)>,
    tests: &mut BTreeMap<(String, usize), String>,
) {
    let file = file.replace(|it: char| !it.is_alphanumeric(), "_");
    let file = file.trim_start_matches('_');
    for block in code_blocks(lines) {
        if let Some(body) = body(&block) {
            let panics = block.tags.contains("should_panic");
            let attribute = if panics { "#[should_panic]\n" } else { "" };
            let name = format!("{file}_line_{}", block.line);
            let test = format!("#[test]\n{attribute}fn {name}() {{\n{body}\n}}\n");
            tests.insert((file.to_owned(), block.line), test);
        }
    }
}

/// The documentation in a source.
#[derive(Default)]
struct Documentation {
    /// The numbered lines of comments.
    comments: Vec<Vec<(usize, String)>>,
    /// The files that it includes.
    files: Vec<String>,
}

impl Documentation {
    fn of_source(source: &str) -> Self {
        let mut found = Self::default();
        found.add(source.parse().unwrap_or_default());
        found
    }

    /// Adds the documentation among tokens. A comment is an attribute for each line, or for all.
    fn add(&mut self, tokens: TokenStream) {
        let mut comment = Vec::new();
        let mut is_attribute = false;
        for token in tokens {
            match token {
                TokenTree::Punct(it) if it.as_char() == '#' => is_attribute = true,
                TokenTree::Punct(it) if it.as_char() == '!' && is_attribute => {}
                TokenTree::Group(it) if is_attribute && it.delimiter() == Delimiter::Bracket => {
                    self.add_attribute(it.stream(), &mut comment);
                    is_attribute = false;
                }
                token => {
                    is_attribute = false;
                    self.comments.push(mem::take(&mut comment));
                    if let TokenTree::Group(it) = token {
                        self.add(it.stream());
                    }
                }
            }
        }
        self.comments.push(comment);
    }

    /// Adds the text of `doc = …`, which may depend on a condition.
    fn add_attribute(&mut self, attribute: TokenStream, comment: &mut Vec<(usize, String)>) {
        each(attribute, &mut |tokens, at| {
            let is_doc = matches!(&tokens[at], TokenTree::Ident(it) if it == "doc");
            if is_doc && is_punct(tokens, Some(at + 1), '=') {
                match (tokens.get(at + 2), tokens.get(at + 4)) {
                    (Some(TokenTree::Ident(it)), Some(TokenTree::Group(file)))
                        if it == "include_str" =>
                    {
                        let file = syn::parse2::<LitStr>(file.stream());
                        self.files.extend(file.ok().map(|it| it.value()));
                    }
                    (Some(TokenTree::Literal(it)), _) => {
                        let first = it.span().start().line;
                        let text = syn::parse2::<LitStr>(TokenTree::from(it.clone()).into());
                        let text = text.map(|it| it.value()).unwrap_or_default();
                        comment.extend((first..).zip(undecorated(&text)));
                    }
                    _ => {}
                }
            }
            true
        });
    }
}

/// Removes the asterisks in front of the lines of a block, and the blank before each.
fn undecorated(text: &str) -> Vec<String> {
    let lines = || text.split('\n').skip(1).filter(|it| !it.trim().is_empty());
    let has_asterisks = lines().next().is_some() && lines().all(|it| it.trim().starts_with('*'));
    let lines = text.split('\n').map(|line| {
        let inner = line.trim_start().strip_prefix('*');
        let line = inner.filter(|_| has_asterisks).unwrap_or(line);
        line.strip_prefix(' ').unwrap_or(line).to_owned()
    });
    lines.collect()
}

/// Returns the body of a test; `None` if it isn't Rust, or isn't to be run.
fn body(block: &CodeBlock) -> Option<String> {
    let code = block.code.trim_end();
    let body = match code {
        _ if code.contains("fn main()") => format!(
            "{code}\nlet exit = ::std::process::Termination::report(main());\n\
             assert_eq!(exit, ::std::process::ExitCode::SUCCESS);"
        ),
        _ if code.ends_with("(())") => {
            let output = "::core::result::Result<(), impl ::core::fmt::Debug>";
            format!("fn inner() -> {output} {{\n{code}\n}}\ninner().unwrap();")
        }
        _ => code.to_owned(),
    };
    let tags = block.tags.split([',', ' ']).filter(|it| !it.is_empty());
    let is_run = |it: &str| ["rust", "should_panic"].contains(&it) || it.starts_with("edition");
    let is_test = tags.into_iter().all(is_run);
    let is_rust = is_test && syn::parse_str::<Block>(&format!("{{{body}\n}}")).is_ok();
    is_rust.then_some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(source: &str) -> Option<String> {
        let sources = [(PathBuf::from("src/lib.rs"), source.to_owned())];
        documentation_tests("shop", &sources, |path| {
            let text = "# Shop\n\n```\nreadme();\n```\n";
            (path == Path::new("src/../README.md")).then(|| text.to_owned())
        })
    }

    #[test]
    fn examples_become_tests() {
        let source = "//! ```\n//! use shop::total;\n//! # #[allow(unused)]\n//! # let x = 1;\n\
                      //!\n//! assert_eq!(total(), 1);\n//! ```\n\
                      /// ```text\n/// no code\n/// ```\n\
                      /// ```should_panic\n/// fn main() { panic!() }\n/// ```\npub fn f() {}\n\
                      /// ```\n/// #![allow(dead_code)]\n/// \"1\".parse::<u8>()?;\n\
                      /// # Ok::<(), std::num::ParseIntError>(())\n/// ```\nfn g() {}\n\
                      /// ```ignore\n/// no\n/// ```\n/// ```\n/// ...\n/// ```\nfn h() {}\n";
        insta::assert_snapshot!(tests(source).unwrap(), @r#"
        extern crate shop;

        #[test]
        fn src_lib_rs_line_1() {
        use shop::total;
        #[allow(unused)]
        let x = 1;

        assert_eq!(total(), 1);
        }
        #[test]
        #[should_panic]
        fn src_lib_rs_line_11() {
        fn main() { panic!() }
        let exit = ::std::process::Termination::report(main());
        assert_eq!(exit, ::std::process::ExitCode::SUCCESS);
        }
        #[test]
        fn src_lib_rs_line_15() {
        fn inner() -> ::core::result::Result<(), impl ::core::fmt::Debug> {

        "1".parse::<u8>()?;
        Ok::<(), std::num::ParseIntError>(())
        }
        inner().unwrap();
        }
        "#);
        assert_eq!(tests(""), None);
    }

    #[test]
    fn blocks_of_comments_and_included_files_have_examples_too() {
        let source = "#![cfg_attr(doctest, doc = include_str!(\"../README.md\"))]\n\
                      /**\n * Text.\n *\n * ```\n * starred();\n * ```\n */\nfn f() {}\n\
                      mod inner {\n    /** ```\n    let plain = 2 * 3;\n    ``` */\n    fn g() {}\n}\n\
                      macro_rules! written { () => {\n#[doc = \"```\\nin_macro();\\n```\"]\nfn h() {} } }\n";
        insta::assert_snapshot!(tests(source).unwrap(), @"
        extern crate shop;

        #[test]
        fn README_md_line_3() {
        readme();
        }
        #[test]
        fn src_lib_rs_line_5() {
        starred();
        }
        #[test]
        fn src_lib_rs_line_11() {
           let plain = 2 * 3;
        }
        #[test]
        fn src_lib_rs_line_17() {
        in_macro();
        }
        ");
    }
}
