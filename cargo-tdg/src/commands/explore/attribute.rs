//! A row written into the attribute of its test: `keep = [r#"{"amount":0.0}"#]`.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use tdg_report::raw_string;

use crate::sources::edit::{append, insert};

/// Why a row can't be written into an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowRefusal {
    /// The row is there already.
    Kept,
    /// There is no attribute at that line, or it is not plainly one.
    NoAttribute,
}

/// The source with this row kept by the attribute at a line, from 1.
///
/// Nothing else is changed.
pub(super) fn with_row(source: &str, line: usize, row: &str) -> Result<String, RowRefusal> {
    let tokens: TokenStream = source.parse().map_err(|_| RowRefusal::NoAttribute)?;
    let mut attributes = Vec::new();
    collect(tokens, &mut attributes);
    let attribute = attributes.iter().find(|it| it.lines.contains(&line));
    let attribute = attribute.ok_or(RowRefusal::NoAttribute)?;
    let row = raw_string(row);
    let with_row = match &attribute.arguments {
        None => {
            let at = attribute.end_of_name;
            insert(source, &[(at, format!("(keep = [{row}])"))])
        }
        Some(arguments) => match keep(arguments) {
            Some(list) if has(&list, &row) => return Err(RowRefusal::Kept),
            Some(list) => append(source, &list, &row),
            None => append(source, arguments, &format!("keep = [{row}]")),
        },
    };
    // A layout that isn't understood is better left alone.
    let parses = with_row.parse::<TokenStream>().is_ok();
    parses.then_some(with_row).ok_or(RowRefusal::NoAttribute)
}

/// `#[…ensemble_test(…)]`.
struct EnsembleAttribute {
    /// From its first to its last line.
    lines: std::ops::RangeInclusive<usize>,
    /// The offset after its name.
    end_of_name: usize,
    arguments: Option<Group>,
}

/// Collects the attributes of ensemble tests, but for those that a macro makes.
fn collect(tokens: TokenStream, attributes: &mut Vec<EnsembleAttribute>) {
    let mut follows_hash = false;
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            let is_attribute = follows_hash && group.delimiter() == Delimiter::Bracket;
            match is_attribute.then(|| attribute(group)).flatten() {
                Some(attribute) => attributes.push(attribute),
                None => collect(group.stream(), attributes),
            }
        }
        follows_hash = matches!(&token, TokenTree::Punct(it) if it.as_char() == '#');
    }
}

fn attribute(group: &Group) -> Option<EnsembleAttribute> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let (path, arguments) = match tokens.as_slice() {
        [path @ .., TokenTree::Group(arguments)]
            if arguments.delimiter() == Delimiter::Parenthesis =>
        {
            (path, Some(arguments.clone()))
        }
        path => (path, None),
    };
    let Some((TokenTree::Ident(name), path)) = path.split_last() else {
        return None;
    };
    let is_path = path.iter().all(|token| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        _ => false,
    });
    let is_made = arguments
        .as_ref()
        .is_some_and(|it| is_made_by_a_macro(it.stream()));
    if name != "ensemble_test" || !is_path || is_made {
        return None;
    }
    let span = group.span();
    Some(EnsembleAttribute {
        lines: span.start().line..=span.end().line,
        end_of_name: name.span().byte_range().end,
        arguments,
    })
}

/// Whether `$` stands for tokens that are elsewhere.
fn is_made_by_a_macro(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '$',
        TokenTree::Group(group) => is_made_by_a_macro(group.stream()),
        _ => false,
    })
}

/// The list of the option `keep`.
fn keep(arguments: &Group) -> Option<Group> {
    let tokens: Vec<TokenTree> = arguments.stream().into_iter().collect();
    tokens.windows(3).find_map(|tokens| match tokens {
        [
            TokenTree::Ident(name),
            TokenTree::Punct(equals),
            TokenTree::Group(list),
        ] if name == "keep"
            && equals.as_char() == '='
            && list.delimiter() == Delimiter::Bracket =>
        {
            Some(list.clone())
        }
        _ => None,
    })
}

fn has(list: &Group, row: &str) -> bool {
    let mut tokens = list.stream().into_iter();
    tokens.any(|token| token.to_string() == row)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = r#"{"x":1}"#;

    /// The source with the row kept by the attribute in that line.
    fn kept(line: usize, source: &str) -> String {
        with_row(source, line, ROW).unwrap()
    }

    fn kept_first(source: &str) -> String {
        let line = source
            .lines()
            .position(|line| line.contains("ensemble_test"));
        kept(line.unwrap() + 1, source)
    }

    #[test]
    fn an_attribute_in_one_line_gets_the_option() {
        assert_eq!(
            kept_first("#[ensemble_test(definition = \"a.json\")]\nfn f(x: i64) {}\n"),
            "#[ensemble_test(definition = \"a.json\", keep = [r#\"{\"x\":1}\"#])]\nfn f(x: i64) {}\n"
        );
        assert_eq!(
            kept_first("mod m { #[tdg::ensemble_test(definition = A, batch,)] fn f(x: &[X]) {} }"),
            "mod m { #[tdg::ensemble_test(definition = A, batch, keep = [r#\"{\"x\":1}\"#])] fn f(x: &[X]) {} }"
        );
        assert_eq!(
            kept_first("#[::tdg::ensemble_test]\nfn f() {}"),
            "#[::tdg::ensemble_test(keep = [r#\"{\"x\":1}\"#])]\nfn f() {}"
        );
        assert_eq!(
            kept_first("#[ensemble_test()] fn f() {}"),
            "#[ensemble_test(keep = [r#\"{\"x\":1}\"#])] fn f() {}"
        );
    }

    #[test]
    fn an_attribute_in_several_lines_gets_a_line() {
        assert_eq!(
            kept(
                3,
                "\
mod tests {
    /// Docs with #[ensemble_test].
    #[ensemble_test(
        definition = \"a.json\", // é
        size = 50 // the rest
    )]
    fn f(x: i64) {}
}
"
            ),
            "\
mod tests {
    /// Docs with #[ensemble_test].
    #[ensemble_test(
        definition = \"a.json\", // é
        size = 50, // the rest
        keep = [r#\"{\"x\":1}\"#],
    )]
    fn f(x: i64) {}
}
"
        );
        assert_eq!(
            kept(
                1,
                "#[ensemble_test(definition = \"a.json\",\n                size = 50)]\nfn f() {}"
            ),
            "#[ensemble_test(definition = \"a.json\",\n                size = 50, keep = [r#\"{\"x\":1}\"#])]\nfn f() {}"
        );
        assert_eq!(
            kept(
                1,
                "#[ensemble_test(\r\n\tdefinition = A,\r\n)]\r\nfn f() {}"
            ),
            "#[ensemble_test(\r\n\tdefinition = A,\r\n\tkeep = [r#\"{\"x\":1}\"#],\r\n)]\r\nfn f() {}"
        );
    }

    #[test]
    fn kept_rows_are_added_to() {
        assert_eq!(
            kept_first("#[ensemble_test(keep = [\"{}\"], definition = A)] fn f() {}"),
            "#[ensemble_test(keep = [\"{}\", r#\"{\"x\":1}\"#], definition = A)] fn f() {}"
        );
        assert_eq!(
            kept_first("#[ensemble_test(definition = A, keep = [ ])] fn f() {}"),
            "#[ensemble_test(definition = A, keep = [r#\"{\"x\":1}\"# ])] fn f() {}"
        );
        let list = "#[ensemble_test(
    keep = [
        \"{}\", // why
        // the end
    ],
)]
fn f() {}";
        let longer = list.replace("end\n", "end\n        r#\"{\"x\":1}\"#,\n");
        assert_eq!(kept_first(list), longer);
        let once = kept_first("#[ensemble_test(definition = A)] fn f() {}");
        assert_eq!(with_row(&once, 1, ROW), Err(RowRefusal::Kept));
        let twice = with_row(&once, 1, r##"{"x":"#"}"##).unwrap();
        assert_eq!(
            twice,
            "#[ensemble_test(definition = A, keep = [r#\"{\"x\":1}\"#, r##\"{\"x\":\"#\"}\"##])] fn f() {}"
        );
    }

    #[test]
    fn the_attribute_at_the_line_is_meant() {
        let source = "#[ensemble_test(definition = A)]\nfn f() {}\n\n#[ignore]\n#[ensemble_test(definition = B)]\nfn g() {}\n";
        let first = kept(1, source);
        assert!(first.starts_with("#[ensemble_test(definition = A, keep"));
        assert!(first.ends_with(&source[32..]));
        let second = kept(5, source);
        assert!(second.starts_with(&source[..70]));
        assert!(second.contains("(definition = B, keep"));
    }

    #[test]
    fn what_is_no_plain_attribute_is_left_alone() {
        for source in [
            "fn f() { tdg::EnsembleTest::new(\"f\"); }",
            "// #[ensemble_test(definition = A)]\nfn f() {}",
            "macro_rules! m { ($d:expr) => { #[ensemble_test(definition = $d)] fn f() {} } }",
            "#[cfg_attr(test, ensemble_test(definition = A))] fn f() {}",
            "#[test] fn f() {}",
            "#[ensemble_test(definition = A)] fn f( {}",
        ] {
            assert_eq!(
                with_row(source, 1, ROW),
                Err(RowRefusal::NoAttribute),
                "{source}"
            );
        }
        assert_eq!(
            with_row("#[ensemble_test(definition = A)]\nfn f() {}", 2, ROW),
            Err(RowRefusal::NoAttribute)
        );
    }
}
