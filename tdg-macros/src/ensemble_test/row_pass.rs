//! The closure that makes a pass over the rows: it sets up fixtures, and hands the function over.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::argument;
use super::bindings::Bindings;
use super::fixtures::Fixtures;
use super::function::TestedFunction;
use super::options::AttributeOptions;
use super::output::OutputOption;
use crate::hygiene::{local, moved};

/// A function that takes rows, and the places for errors about its types.
pub(super) struct Callee {
    pub(super) path: TokenStream,
    pub(super) is_async: bool,
    /// The types of its parameters.
    pub(super) parameters: Vec<Span>,
    pub(super) output: Span,
}

impl Callee {
    /// Returns the closure. Rows are bound as for `function`, the test's own.
    pub(super) fn pass(
        &self,
        function: &TestedFunction,
        options: &AttributeOptions,
        bindings: &Bindings,
    ) -> TokenStream {
        let tdg = &options.tdg.0;
        let core = quote!(#tdg::__private::core);
        let (row, vectors, pass) = (local("row"), local("vectors"), local("pass"));
        let fixtures = Fixtures::new(function, options);
        let call = self.call(function, bindings, &fixtures, tdg);
        let ok = quote!(#core::result::Result::Ok);
        let probe = self.probe(tdg, options.output.as_ref());
        let calls = match bindings {
            Bindings::Rows | Bindings::RowSlice => {
                let outcomes = quote!(#tdg::__private::probe::outcomes(#call, #probe));
                let (rows, place) = (local("rows"), self.place_of_row(function));
                let batch = moved(quote!(#tdg::__private::batch), place);
                let batch = quote_spanned!(place=> #batch(#vectors, |#rows| #outcomes));
                quote!(#pass.vectors(|#vectors| #batch))
            }
            _ => {
                let for_each_row = fixtures.for_each_row();
                let outcome = quote!(#ok(#tdg::__private::probe::outcome(#call, #probe)));
                let outcome = match for_each_row.is_empty() {
                    true => outcome,
                    false => quote!({ #for_each_row #outcome }),
                };
                let rows = match fixtures.are_for_one_thread() {
                    true => quote!(rows_in_turn),
                    false => quote!(rows),
                };
                let found = find_features(bindings, &pass);
                quote!({ #found #pass.#rows(|#row| #outcome) })
            }
        };
        if fixtures.is_empty() {
            return quote!(|#pass| #calls);
        }
        let for_all_rows = fixtures.for_all_rows();
        // Their set-up may serve several passes.
        let calls = match for_all_rows.is_empty() {
            true => calls,
            false => quote!(#pass.each(|#pass| #calls)),
        };
        quote!(|#pass| #tdg::__private::with_fixtures(|| { #for_all_rows #calls }))
    }

    fn call(
        &self,
        function: &TestedFunction,
        bindings: &Bindings,
        fixtures: &Fixtures<'_>,
        tdg: &syn::Path,
    ) -> TokenStream {
        let mut of_row = 0;
        let mut arguments = TokenStream::new();
        for (index, parameter) in function.parameters.iter().enumerate() {
            arguments.extend(match &parameter.fixture {
                Some(_) => fixtures.argument(index, self.place(index)),
                None => {
                    of_row += 1;
                    let place = self.place(index);
                    let taken = argument(bindings, of_row - 1, place, tdg);
                    argument::argument(parameter, bindings, of_row - 1, taken, place, tdg)
                }
            });
            arguments.extend(quote!(,));
        }
        let path = &self.path;
        let call = quote!(#path(#arguments));
        if !self.is_async {
            return call;
        }
        let runtime = local("runtime");
        quote!(#tdg::__private::block_on(&#runtime, #call))
    }

    /// Returns the place of the only parameter that takes the row.
    fn place_of_row(&self, function: &TestedFunction) -> Span {
        let mut parameters = function.parameters.iter();
        let position = parameters.position(|parameter| parameter.fixture.is_none());
        self.place(position.unwrap_or_default())
    }

    fn place(&self, parameter: usize) -> Span {
        let place = self.parameters.get(parameter).copied();
        Span::mixed_site().located_at(place.unwrap_or_else(Span::call_site))
    }

    /// Converts the returned value to its outcome.
    fn probe(&self, tdg: &syn::Path, output: Option<&OutputOption>) -> TokenStream {
        let returned = local("returned");
        let argument = Ident::new("returned", Span::mixed_site().located_at(self.output));
        let path = quote!(#tdg::__private::probe);
        let outcome = OutputOption::outcome(output, &argument, &path);
        quote! {
            |#returned| {
                use #path::*;
                #outcome
            }
        }
    }
}

/// Finds the features that the parameters take, before the first row.
fn find_features(bindings: &Bindings, pass: &Ident) -> Option<TokenStream> {
    let Bindings::Features(features) = bindings else {
        return None;
    };
    let (found, names) = (local("features"), features.iter().map(|it| &it.name));
    Some(quote!(let #found = #pass.features([#(#names),*]);))
}

/// Returns the value of a parameter that comes from the row, by its position among such parameters.
fn argument(bindings: &Bindings, position: usize, place: Span, tdg: &syn::Path) -> TokenStream {
    let (row, rows) = (local("row"), local("rows"));
    let private = |name: &str| {
        let name = Ident::new(name, Span::call_site());
        moved(quote!(#tdg::__private::#name), place)
    };
    match bindings {
        Bindings::Features(_) => {
            let features = local("features");
            let bind = private("bind");
            quote_spanned!(place=> #bind(#row, &#features[#position])?)
        }
        Bindings::FeatureOrRow(name) => {
            let bind = private("feature_or_row");
            quote_spanned!(place=> #bind(#row, #name)?)
        }
        Bindings::Row => {
            let bind = private("whole_row");
            quote_spanned!(place=> #bind(#row)?)
        }
        Bindings::RowItself => quote!(#row),
        Bindings::Rows => quote_spanned!(place=> #rows),
        Bindings::RowSlice => quote_spanned!(place=> &#rows),
    }
}
