//! The fixtures of a function: how the test creates and passes them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use super::fixture::{ArgumentPassing, Fixture};
use super::function::TestedFunction;
use super::options::AttributeOptions;
use super::parameter::TestedParameter;
use crate::hygiene::local;
use crate::types::text;

pub(crate) struct Fixtures<'a> {
    function: &'a TestedFunction,
    options: &'a AttributeOptions,
}

impl<'a> Fixtures<'a> {
    pub(crate) fn new(function: &'a TestedFunction, options: &'a AttributeOptions) -> Self {
        Self { function, options }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    /// Returns true if the rows run one after the other, so that fixtures need not be `Sync`.
    pub(crate) fn are_for_one_thread(&self) -> bool {
        !self.is_empty() && !self.options.has_threads()
    }

    /// Creates the fixtures that exist once for all rows.
    pub(crate) fn for_all_rows(&self) -> TokenStream {
        self.make(false)
    }

    /// Creates the fixtures that exist for each row.
    pub(crate) fn for_each_row(&self) -> TokenStream {
        self.make(true)
    }

    /// Returns the fixture of that parameter.
    pub(crate) fn argument(&self, index: usize, place: Span) -> TokenStream {
        let fixture = variable(index, place);
        let kind = self.function.parameters.get(index);
        match ArgumentPassing::from_type(kind.and_then(|parameter| parameter.kind.as_ref())) {
            ArgumentPassing::Reference => quote_spanned!(place=> &#fixture),
            ArgumentPassing::Mutable => quote_spanned!(place=> &mut #fixture),
            ArgumentPassing::Value => fixture.to_token_stream(),
        }
    }

    fn all(&self) -> impl Iterator<Item = (usize, &'a TestedParameter, &'a Fixture)> {
        let parameters = self.function.parameters.iter().enumerate();
        parameters.filter_map(|(index, it)| Some((index, it, it.fixture.as_ref()?)))
    }

    fn make(&self, each_row: bool) -> TokenStream {
        let tdg = &self.options.tdg.0;
        let of_these = self
            .all()
            .filter(|(.., fixture)| fixture.each_row == each_row);
        let mut statements: TokenStream = of_these
            .map(|(index, parameter, fixture)| self.make_one(index, parameter, fixture))
            .collect();
        if !statements.is_empty() && self.function.is_async(self.options) {
            let (guard, runtime) = (local("_guard"), local("runtime"));
            let enter = quote!(let #guard = #tdg::__private::enter(&#runtime););
            statements = quote!(#enter #statements);
        }
        statements
    }

    fn make_one(
        &self,
        index: usize,
        parameter: &TestedParameter,
        fixture: &Fixture,
    ) -> TokenStream {
        let tdg = &self.options.tdg.0;
        let kind = parameter.kind.as_ref();
        let place = Span::mixed_site().located_at(kind.map_or_else(Span::call_site, Spanned::span));
        let variable = variable(index, place);
        let name = parameter.name();
        let name = name.or_else(|| kind.map(text)).unwrap_or_default();
        let mutability =
            (ArgumentPassing::from_type(kind) == ArgumentPassing::Mutable).then(|| quote!(mut));
        let earlier = self.earlier(index, fixture);
        let expression = &fixture.expression;
        let result = quote!(#tdg::__private::core::result::Result);
        let mut made = quote!(#result::<_, #tdg::__private::SetUpError>::Ok(#expression));
        if self.function.is_async(self.options) {
            let runtime = local("runtime");
            made = quote!(#tdg::__private::block_on(&#runtime, async { #made }));
        }
        let shared = (!fixture.each_row && self.options.has_threads())
            .then(|| quote_spanned!(place=> #tdg::__private::shared(&#variable);));
        quote! {
            let #mutability #variable = #tdg::__private::fixture(#name, || { #earlier #made })?;
            #shared
        }
    }

    /// Binds the earlier fixtures to their names.
    fn earlier(&self, index: usize, fixture: &Fixture) -> TokenStream {
        let is_earlier = |(other, _, earlier): &(usize, &TestedParameter, &Fixture)| {
            *other < index && (fixture.each_row || !earlier.each_row)
        };
        let bind = |(index, parameter, _): (usize, &TestedParameter, &Fixture)| {
            let name = parameter.variable()?;
            let variable = variable(index, Span::mixed_site());
            let mutability = (ArgumentPassing::from_type(parameter.kind.as_ref())
                == ArgumentPassing::Mutable)
                .then(|| quote!(mut));
            Some(quote! {
                #[allow(unused_variables)]
                let #name = &#mutability #variable;
            })
        };
        self.all().filter(is_earlier).filter_map(bind).collect()
    }
}

/// Returns the variable of a fixture, with that place for compiler messages.
fn variable(index: usize, place: Span) -> Ident {
    let mut variable = local(&format!("fixture_{index}"));
    variable.set_span(variable.span().located_at(place));
    variable
}
