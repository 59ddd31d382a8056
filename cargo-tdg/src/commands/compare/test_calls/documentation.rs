//! The examples of today's documentation as tests of one file: it compiles once, and the same on
//! both sides.

use syn::Block;

/// Returns the tests of these sources, each with its name; `None` without tests.
pub(super) fn documentation_tests(library: &str, sources: &[(String, String)]) -> Option<String> {
    let mut tests = String::new();
    for (name, source) in sources {
        for (line, example) in examples(source) {
            if let Some(body) = example.body() {
                let name: String = name
                    .chars()
                    .map(|it| if it.is_alphanumeric() { it } else { '_' })
                    .collect();
                let attribute = if example.panics {
                    "#[should_panic]\n"
                } else {
                    ""
                };
                tests += &format!("#[test]\n{attribute}fn {name}_line_{line}() {{\n{body}\n}}\n");
            }
        }
    }
    (!tests.is_empty()).then(|| format!("extern crate {library};\n\n{tests}"))
}

#[derive(Default)]
struct CodeExample {
    code: String,
    panics: bool,
    /// Set if it is to be compiled and run.
    is_test: bool,
}

/// Returns the fenced blocks in documentation comments, with their lines counted from 1.
fn examples(source: &str) -> Vec<(usize, CodeExample)> {
    let mut examples = Vec::new();
    let mut open: Option<(usize, CodeExample)> = None;
    for (number, line) in source.lines().enumerate() {
        let line = line.trim_start();
        let text = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"));
        let Some(text) = text else {
            open = None;
            continue;
        };
        let text = text.strip_prefix(' ').unwrap_or(text);
        match (text.trim_start().strip_prefix("```"), open.take()) {
            (Some(_), Some(example)) => examples.push(example),
            (Some(language), None) => open = Some((number + 1, CodeExample::new(language))),
            (None, Some((at, mut example))) => {
                example.add(text);
                open = Some((at, example));
            }
            (None, None) => {}
        }
    }
    examples
}

impl CodeExample {
    fn new(language: &str) -> Self {
        let mut tags = language
            .split([',', ' '])
            .map(str::trim)
            .filter(|it| !it.is_empty());
        let is_run = |it: &str| ["rust", "should_panic"].contains(&it) || it.starts_with("edition");
        Self {
            panics: language.contains("should_panic"),
            is_test: tags.all(is_run),
            ..Self::default()
        }
    }

    /// Adds a line. `# ` at the start hides it from readers.
    fn add(&mut self, line: &str) {
        let trimmed = line.trim_start();
        let line = match trimmed.strip_prefix('#') {
            Some("") => "",
            Some(rest) if rest.starts_with([' ', '#']) => rest.trim_start_matches(' '),
            _ => line,
        };
        // Attributes of the crate have no place in a function.
        if !line.trim_start().starts_with("#![") {
            self.code += line;
        }
        self.code += "\n";
    }

    /// Returns the body of a test; `None` if it isn't Rust, or isn't to be run.
    fn body(&self) -> Option<String> {
        let code = self.code.trim_end();
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
        let is_rust = self.is_test && syn::parse_str::<Block>(&format!("{{{body}\n}}")).is_ok();
        is_rust.then_some(body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_become_tests() {
        let source = "//! ```\n//! use shop::total;\n//! # #[allow(unused)]\n//! # let x = 1;\n\
                      //! assert_eq!(total(), 1);\n//! ```\n\
                      /// ```text\n/// no code\n/// ```\n\
                      /// ```should_panic\n/// fn main() { panic!() }\n/// ```\npub fn f() {}\n\
                      /// ```\n/// #![allow(dead_code)]\n/// \"1\".parse::<u8>()?;\n\
                      /// # Ok::<(), std::num::ParseIntError>(())\n/// ```\nfn g() {}\n\
                      /// ```ignore\n/// no\n/// ```\n/// ```\n/// ...\n/// ```\n";
        let sources = [("src/lib.rs".to_owned(), source.to_owned())];
        insta::assert_snapshot!(documentation_tests("shop", &sources).unwrap(), @r#"
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
        fn src_lib_rs_line_10() {
        fn main() { panic!() }
        let exit = ::std::process::Termination::report(main());
        assert_eq!(exit, ::std::process::ExitCode::SUCCESS);
        }
        #[test]
        fn src_lib_rs_line_14() {
        fn inner() -> ::core::result::Result<(), impl ::core::fmt::Debug> {

        "1".parse::<u8>()?;
        Ok::<(), std::num::ParseIntError>(())
        }
        inner().unwrap();
        }
        "#);
        assert_eq!(documentation_tests("shop", &[]), None);
    }
}
