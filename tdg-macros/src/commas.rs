//! Lists in parentheses, where every mistake is reported, not only the first.

use proc_macro2::{TokenStream, TokenTree};
use syn::Token;
use syn::parse::ParseStream;

use crate::errors::Errors;

/// Reads a list of `what`, separated by commas. After a mistake, reading continues at the next
/// comma. Returns true if there were no mistakes.
pub(crate) fn each(
    input: ParseStream<'_>,
    what: &str,
    errors: &mut Errors,
    mut read: impl FnMut(ParseStream<'_>, &mut Errors) -> syn::Result<()>,
) -> bool {
    let mut all_well = true;
    while !input.is_empty() {
        let item = read(input, errors).and_then(|()| end_of_item(input, what));
        if let Err(error) = item {
            errors.add(error);
            all_well = false;
            skip_to_comma(input);
        }
        // The input is at its end or at a comma.
        let _ = input.parse::<Token![,]>();
    }
    all_well
}

fn end_of_item(input: ParseStream<'_>, what: &str) -> syn::Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    Err(input.error(format!(
        "missing a comma before this: {what} are separated by commas"
    )))
}

pub(crate) fn skip_to_comma(input: ParseStream<'_>) {
    let _ = item(input);
}

/// Returns the tokens up to the next comma.
pub(crate) fn item(input: ParseStream<'_>) -> TokenStream {
    until(input, |input| input.peek(Token![,]))
}

/// Returns the tokens before the end.
pub(crate) fn until(
    input: ParseStream<'_>,
    is_end: impl Fn(ParseStream<'_>) -> bool,
) -> TokenStream {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !is_end(input) {
        tokens.extend(input.parse::<TokenTree>());
    }
    tokens
}
