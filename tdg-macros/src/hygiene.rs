//! Variables and places of the macro's own, which neither see nor are seen by the user's names.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;

/// A variable that neither sees nor is seen by the user's names.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Makes the compiler report these tokens at that place; names keep their meaning.
pub(crate) fn moved(tokens: TokenStream, place: Span) -> TokenStream {
    let move_one = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), moved(group.stream(), place)).into();
        }
        token.set_span(token.span().located_at(place));
        token
    };
    tokens.into_iter().map(move_one).collect()
}

/// There, to the compiler's messages; a place of the macro's own, to the user's names.
pub(crate) fn at(place: &impl Spanned) -> Span {
    Span::mixed_site().located_at(place.span())
}
