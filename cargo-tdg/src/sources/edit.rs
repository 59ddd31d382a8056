//! Insertions into source text at token offsets. Nothing else changes.

use std::ops::Range;

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::File;

/// Parses a source with exact offsets: `syn::parse_file` starts counting after a byte order mark or
/// a `#!…` line.
pub(crate) fn parse(source: &str) -> Option<File> {
    syn::parse2(source.parse::<TokenStream>().ok()?).ok()
}

/// Appends an element to a delimited list, in the layout of the other elements.
pub(crate) fn append(source: &str, list: &Group, element: &str) -> String {
    let tokens: Vec<TokenTree> = list.stream().into_iter().collect();
    let close = list.span_close().byte_range().start;
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        let open = list.span_open().byte_range().end;
        return insert(source, &[(open, element.to_owned())]);
    };
    let ends_with_comma = matches!(last, TokenTree::Punct(it) if it.as_char() == ',');
    let Range { end: last, .. } = last.span().byte_range();
    let comma = if ends_with_comma { "" } else { "," };
    match source[last..close].rfind('\n') {
        // One element per line; a comment may follow the last.
        Some(line_break) => {
            let line_end = last + line_break;
            let line_end = line_end - usize::from(source[..line_end].ends_with('\r'));
            let line = new_line(source, first.span().byte_range().start);
            let line = format!("{line}{element},");
            insert(source, &[(last, comma.to_owned()), (line_end, line)])
        }
        None => insert(source, &[(last, format!("{comma} {element}"))]),
    }
}

/// Returns a line break in the source's style with the indentation of the line at an offset, or one
/// level more if other text precedes the offset.
pub(crate) fn new_line(source: &str, offset: usize) -> String {
    let line = source[..offset].rfind('\n').map_or(0, |at| at + 1);
    let before = &source[line..offset];
    let white = &before[..before.len() - before.trim_start().len()];
    let level = if white == before { "" } else { "    " };
    let rest = source[offset..].split_once('\n');
    let line_break = match rest {
        Some((line, _)) if line.ends_with('\r') => "\r\n",
        _ => "\n",
    };
    format!("{line_break}{white}{level}")
}

/// Inserts texts at ascending offsets.
pub(crate) fn insert(source: &str, texts: &[(usize, String)]) -> String {
    let mut with_texts = String::with_capacity(source.len() + 100);
    let mut from = 0;
    for (offset, text) in texts {
        with_texts.push_str(&source[from..*offset]);
        with_texts.push_str(text);
        from = *offset;
    }
    with_texts.push_str(&source[from..]);
    with_texts
}
