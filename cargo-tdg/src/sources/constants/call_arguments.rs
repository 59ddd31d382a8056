//! Arguments passed to the crate's functions in tests, examples and documentation.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::CodeConstants;
use crate::sources::tokens::{each, identifiers_where, is_punct};
use crate::sources::{Examples, is_called, plain};

/// Returns the constants in call arguments, by function name, with the type if the call names it.
/// Those of the test function and of the test module with the call follow: a helper or a macro may
/// hand them on.
pub(super) fn by_functions(examples: &Examples) -> BTreeMap<String, CodeConstants> {
    let mut passed = BTreeMap::new();
    let codes = &examples.codes;
    codes.iter().for_each(|it| add_calls(it, &mut passed));
    codes.iter().for_each(|it| add_callers(it, &mut passed));
    for code in codes {
        add_called(code.clone(), &mut passed);
    }
    passed
}

/// Adds the constants of code to all functions that it calls.
fn add_called(code: TokenStream, passed: &mut BTreeMap<String, CodeConstants>) {
    let constants = CodeConstants::of_code(&code);
    for name in called(code) {
        passed.entry(name).or_default().extend(constants.clone());
    }
}

/// Adds the constants in functions that contain calls, since a test may compute its arguments.
fn add_callers(code: &TokenStream, passed: &mut BTreeMap<String, CodeConstants>) {
    each(code.clone(), &mut |tokens, at| {
        let mut rest = tokens[at..].iter();
        if let Some(TokenTree::Ident(word)) = rest.next()
            && word == "fn"
            && let Some(body) = rest.find_map(|it| match it {
                TokenTree::Group(it) if it.delimiter() == Delimiter::Brace => Some(it.stream()),
                _ => None,
            })
        {
            add_called(body, passed);
        }
        true
    });
}

/// Returns the names of the functions that code calls. `parse` calls `from_str`.
fn called(code: TokenStream) -> BTreeSet<String> {
    let mut names = identifiers_where(code, |tokens, at| {
        is_called(tokens, at) || is_turbofish(tokens, at + 1)
    });
    if names.contains("parse") {
        names.insert("from_str".to_owned());
    }
    names
}

/// Returns true for the `::<` of `parse::<u8>()`.
fn is_turbofish(tokens: &[TokenTree], at: usize) -> bool {
    let is = |ahead: usize, letter| is_punct(tokens, Some(at + ahead), letter);
    is(0, ':') && is(1, ':') && is(2, '<')
}

fn add_calls(code: &TokenStream, passed: &mut BTreeMap<String, CodeConstants>) {
    each(code.clone(), &mut |tokens, at| {
        if let (TokenTree::Ident(name), Some(TokenTree::Group(arguments))) =
            (&tokens[at], tokens.get(at + 1))
            && is_called(tokens, at)
        {
            let name = match type_before(tokens, at) {
                Some(of_type) => format!("{of_type}::{}", plain(name)),
                None => plain(name),
            };
            let constants = passed.entry(name).or_default();
            constants.read(&arguments.stream());
        }
        // `"8/8".parse()` calls `from_str`.
        if let (TokenTree::Literal(text), Some(TokenTree::Ident(name))) =
            (&tokens[at], tokens.get(at + 2))
            && is_punct(tokens, Some(at + 1), '.')
            && name == "parse"
        {
            let constants = passed.entry("from_str".to_owned()).or_default();
            constants.read(&TokenTree::from(text.clone()).into());
        }
        true
    });
}

/// Returns the type in front of a function's name, if the call has one.
fn type_before(tokens: &[TokenTree], at: usize) -> Option<String> {
    let before = at.checked_sub(3)?;
    let name = match &tokens[before] {
        TokenTree::Ident(name) if is_punct(tokens, Some(at - 1), ':') => plain(name),
        _ => return None,
    };
    (name.starts_with(char::is_uppercase) && name != "Self").then_some(name)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::sources::{Examples, Sources};

    fn passed_in(source: &str) -> BTreeMap<String, CodeConstants> {
        let sources = Sources::of_code(source);
        by_functions(&Examples::new(&sources, Path::new("no-such-folder")))
    }

    #[test]
    fn arguments_are_read_from_tests_and_documentation() {
        let source = r#"
            /// ```
            /// # let x = 1;
            /// assert_eq!(shop::parse("10%"), 0.1);
            /// ```
            pub fn parse(text: &str) -> f64 { 0.0 }
            #[test]
            fn third() { assert_eq!(parse("1/3"), 1.0 / 3.0) }
            #[cfg(test)]
            mod tests {
                #[test]
                fn half() { assert_eq!(super::parse(&["HALF", "5 €"].concat()).round(), 0.5) }
                #[test]
                fn made() { Rate::of("7").max(Total::of("8")).max(Self::of("9")) }
                #[test]
                fn helped() { let text = assembled("2/3"); parse(&text) }
                #[test]
                fn read() { assert!("9 %".parse::<Rate>().is_ok()) }
            }
            #[cfg(all(test, not(miri)))]
            mod more { #[tokio::test] async fn awaited() { shop::awaited("3/3") } }
            #[cfg(test)]
            impl Rate { fn help() { shop::rated("4/3") } }
        "#;
        let passed = passed_in(source);
        let of_more = ["awaited", "rated"].map(|it| passed[it].texts().concat());
        assert_eq!(of_more, ["3/3", "4/3"]);
        assert_eq!(
            passed["parse"].texts()[..5],
            ["1/3", "HALF", "5 €", "10%", "2/3"]
        );
        assert_eq!(passed["from_str"].texts()[0], "9 %");
        let of = ["Rate::of", "Total::of"].map(|it| passed[it].texts().concat());
        assert_eq!(of, ["7", "8"]);
        assert_eq!(passed["of"].texts()[..3], ["9", "7", "8"]);
    }

    #[test]
    fn helpers_and_macros_of_tests_hand_their_arguments_on() {
        let source = r#"
            //! ```
            //! let rate = Rate::of("of the crate");
            //! ```
            /// ```
            /// Rate::of("of the type");
            /// ```
            pub struct Rate;
            #[cfg(test)]
            mod tests {
                fn is_read(text: &str) -> bool { let rate: Rate = text.parse().unwrap(); rate.is_high() }
                macro_rules! checks { ($($name:ident $text:expr),*) => { $(#[test] fn $name() {
                    assert!(rounded($text) && $text.parse::<Rate>().is_ok())
                })* } }
                #[test]
                fn helped() { assert!(is_read("by a helper")) }
                checks!(one "by a macro", two "again");
            }
        "#;
        let passed = passed_in(source);
        let has = |function: &str, text: &str| passed[function].texts().contains(&text.to_owned());
        for function in ["is_high", "rounded", "from_str"] {
            for text in ["by a helper", "by a macro", "again"] {
                assert!(has(function, text), "{function} {text}");
            }
        }
        assert!(has("of", "of the crate") && has("of", "of the type"));
    }
}
