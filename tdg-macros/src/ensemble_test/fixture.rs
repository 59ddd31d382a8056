//! `#[fixture(Db::open()?)]` on a parameter: a value made by the test, and not of the row.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, Meta, Token, Type};

use super::expand::local;
use super::function::Function;
use super::options::Options;
use super::parameter::Parameter;
use crate::errors::Errors;
use crate::literal::literal;
use crate::types::{text, ungroup};

const EXAMPLE: &str = "#[fixture(Db::open()?)] db: &Db";

/// The word before the expression of a fixture that is made for each row.
const EACH_ROW: &str = "each_row";

pub(crate) struct Fixture {
    /// Whether it is made for each row, and not for each pass over them.
    pub(crate) each_row: bool,
    /// What makes it; the compiler knows best what is wrong with it.
    pub(crate) expression: TokenStream,
}

/// How a function takes a fixture.
#[derive(Clone, Copy, PartialEq)]
enum Passing {
    Reference,
    Mutable,
    Value,
}

impl Fixture {
    pub(crate) fn parse(attribute: &Attribute) -> syn::Result<Self> {
        let wrong = |place: &dyn ToTokens, problem: &str| {
            Err(syn::Error::new_spanned(
                place,
                format!("{problem}: {EXAMPLE}"),
            ))
        };
        let tokens = match &attribute.meta {
            Meta::List(list) if !list.tokens.is_empty() => list.tokens.clone(),
            _ => return wrong(attribute, "a fixture needs the expression that makes it"),
        };
        if let Some(word) = last_item(&tokens).filter(|item| item == EACH_ROW) {
            let problem = "`each_row` goes first: #[fixture(each_row, Db::open()?)]";
            return Err(syn::Error::new_spanned(word, problem));
        }
        let each_row = |input: ParseStream<'_>| {
            let is_each_row = input
                .fork()
                .parse::<Ident>()
                .is_ok_and(|word| word == EACH_ROW)
                && (input.peek2(Token![,]) || input.peek2(Token![=]));
            if is_each_row {
                let word: Ident = input.parse()?;
                if input.peek(Token![=]) {
                    let problem = "`each_row` takes no value: #[fixture(each_row, Db::open()?)]";
                    return Err(syn::Error::new_spanned(word, problem));
                }
                input.parse::<Token![,]>()?;
                if input.is_empty() {
                    let problem = "a fixture needs the expression that makes it: \
                                   #[fixture(each_row, Db::open()?)]";
                    return Err(syn::Error::new_spanned(word, problem));
                }
            }
            Ok(Self {
                each_row: is_each_row,
                expression: input.parse()?,
            })
        };
        each_row.parse2(tokens)
    }
}

/// The word after the last comma.
fn last_item(tokens: &TokenStream) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    match tokens.as_slice() {
        [.., TokenTree::Punct(comma), TokenTree::Ident(word)] if comma.as_char() == ',' => {
            Some(word.clone())
        }
        _ => None,
    }
}

impl Passing {
    fn of(kind: Option<&Type>) -> Self {
        match kind.map(ungroup) {
            Some(Type::Reference(reference)) if reference.mutability.is_some() => Self::Mutable,
            Some(Type::Reference(_)) => Self::Reference,
            _ => Self::Value,
        }
    }
}

/// Reports fixtures that could not be handed to the function for every row.
pub(crate) fn check(parameters: &[Parameter], options: &Options, errors: &mut Errors) {
    for parameter in parameters {
        let (Some(fixture), Some(kind)) = (&parameter.fixture, &parameter.kind) else {
            continue;
        };
        if let Some(batch) = options.batch.as_ref().filter(|_| fixture.each_row) {
            errors.at(
                batch,
                "`batch` is one call for all rows, so no fixture is made for each row; \
                 leave out `each_row`, or `batch`",
            );
            continue;
        }
        if fixture.each_row {
            continue;
        }
        let pattern = parameter.pattern.to_string();
        let expression = &fixture.expression;
        let for_each_row = format!("#[fixture(each_row, {})]", text(expression));
        match Passing::of(Some(kind)) {
            Passing::Value => {
                let or = match options.batch {
                    Some(_) => String::new(),
                    None => format!("; or make one for each row: {for_each_row}"),
                };
                errors.at(
                    kind,
                    format!(
                        "the fixture is made once for all rows, so a row can't have it to itself; \
                         write `{pattern}: &{}`{or}",
                        text(kind)
                    ),
                );
            }
            Passing::Mutable if has_threads(options) => errors.at(
                kind,
                format!(
                    "several threads share the fixture, so no row can have it as `&mut`; \
                     leave out `threads`, or make one for each row: {for_each_row}"
                ),
            ),
            Passing::Mutable | Passing::Reference => {}
        }
    }
}

/// Whether rows may run on several threads at once.
fn has_threads(options: &Options) -> bool {
    let is_one = |threads: &syn::Expr| match literal(threads) {
        Some((_, syn::Lit::Int(threads))) => threads.base10_digits() == "1",
        _ => false,
    };
    options
        .threads
        .as_ref()
        .is_some_and(|threads| !is_one(threads))
}

/// The fixtures of a function, as the test makes them and hands them over.
pub(crate) struct Fixtures<'a> {
    function: &'a Function,
    options: &'a Options,
}

impl<'a> Fixtures<'a> {
    pub(crate) fn of(function: &'a Function, options: &'a Options) -> Self {
        Self { function, options }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    /// Whether the rows run one after the other, so that they can share what threads can't.
    pub(crate) fn are_for_one_thread(&self) -> bool {
        !self.is_empty() && !has_threads(self.options)
    }

    /// Makes those that are made once for all rows.
    pub(crate) fn for_all_rows(&self) -> TokenStream {
        self.make(false)
    }

    /// Makes those that are made for each row.
    pub(crate) fn for_each_row(&self) -> TokenStream {
        self.make(true)
    }

    /// The fixture of that parameter.
    pub(crate) fn argument(&self, index: usize, place: Span) -> TokenStream {
        let fixture = variable(index, place);
        let kind = self.function.parameters.get(index);
        match Passing::of(kind.and_then(|parameter| parameter.kind.as_ref())) {
            Passing::Reference => quote_spanned!(place=> &#fixture),
            Passing::Mutable => quote_spanned!(place=> &mut #fixture),
            Passing::Value => fixture.to_token_stream(),
        }
    }

    fn all(&self) -> impl Iterator<Item = (usize, &'a Parameter, &'a Fixture)> {
        let parameters = self.function.parameters.iter().enumerate();
        parameters.filter_map(|(index, it)| Some((index, it, it.fixture.as_ref()?)))
    }

    fn make(&self, each_row: bool) -> TokenStream {
        let tdg = &self.options.tdg;
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

    fn make_one(&self, index: usize, parameter: &Parameter, fixture: &Fixture) -> TokenStream {
        let tdg = &self.options.tdg;
        let kind = parameter.kind.as_ref();
        let place = Span::mixed_site().located_at(kind.map_or_else(Span::call_site, Spanned::span));
        let variable = variable(index, place);
        let name = parameter.name();
        let name = name.or_else(|| kind.map(text)).unwrap_or_default();
        let mutability = (Passing::of(kind) == Passing::Mutable).then(|| quote!(mut));
        let earlier = self.earlier(index, fixture);
        let expression = &fixture.expression;
        let result = quote!(#tdg::__private::core::result::Result);
        let mut made = quote!(#result::<_, #tdg::__private::SetUpError>::Ok(#expression));
        if self.function.is_async(self.options) {
            let runtime = local("runtime");
            made = quote!(#tdg::__private::block_on(&#runtime, async { #made }));
        }
        let shared = (!fixture.each_row && has_threads(self.options))
            .then(|| quote_spanned!(place=> #tdg::__private::shared(&#variable);));
        quote! {
            let #mutability #variable = #tdg::__private::fixture(#name, || { #earlier #made })?;
            #shared
        }
    }

    /// Those before it, by their names.
    fn earlier(&self, index: usize, fixture: &Fixture) -> TokenStream {
        let is_earlier = |(other, _, earlier): &(usize, &Parameter, &Fixture)| {
            *other < index && (fixture.each_row || !earlier.each_row)
        };
        let bind = |(index, parameter, _): (usize, &Parameter, &Fixture)| {
            let name = parameter.variable()?;
            let variable = variable(index, Span::mixed_site());
            let mutability =
                (Passing::of(parameter.kind.as_ref()) == Passing::Mutable).then(|| quote!(mut));
            Some(quote! {
                #[allow(unused_variables)]
                let #name = &#mutability #variable;
            })
        };
        self.all().filter(is_earlier).filter_map(bind).collect()
    }
}

/// The variable of a fixture, for messages of the compiler at that place.
fn variable(index: usize, place: Span) -> Ident {
    let mut variable = local(&format!("fixture_{index}"));
    variable.set_span(variable.span().located_at(place));
    variable
}
