//! The errors of a macro in rustc's form: below the source that they refer to.

use std::fmt::Write as _;

use proc_macro2::{Ident, TokenStream, TokenTree};

/// Returns each error of an expansion below its source line. An error of the attribute itself has
/// no place, but the source begins with the attribute.
pub(crate) fn underlined(source: &str, expansion: TokenStream) -> String {
    let tokens: Vec<TokenTree> = expansion.into_iter().collect();
    let mut text = String::new();
    let mut shown = None;
    for window in tokens.windows(3) {
        let [TokenTree::Ident(name), _, TokenTree::Group(message)] = window else {
            continue;
        };
        if name != "compile_error" {
            continue;
        }
        let (line, column, width) = place(source, name, message.span());
        if shown != Some(line) {
            writeln!(text, "{line}").unwrap();
        }
        shown = Some(line);
        let message: syn::LitStr = syn::parse2(message.stream()).unwrap();
        let message = message.value().replace('\n', "\n ");
        writeln!(text, "{:column$}{} {message}", "", "^".repeat(width)).unwrap();
    }
    text
}

/// Returns the first source line between the two, the column and the width.
fn place<'s>(source: &'s str, start: &Ident, end: proc_macro2::Span) -> (&'s str, usize, usize) {
    let (start, end) = (start.span().byte_range().start, end.byte_range().end);
    let from = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line = source[from..].lines().next().unwrap_or_default();
    if end == 0 {
        return (
            line,
            0,
            line.find(']').map_or(line.len(), |bracket| bracket + 1),
        );
    }
    let until = end.min(from + line.len());
    let width = source[start..until].chars().count();
    let indent = line.len() - line.trim_start().len();
    let column = source[from..start].chars().count();
    (line.trim_start(), column - indent, width)
}
