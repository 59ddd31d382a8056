//! `via = Money::from_cents` and `parse`: how the value is made of what is drawn.
//!
//! They are no part of the definition, whose rows hold what is drawn, so they are taken out of
//! `#[define(…)]` before it is read as JSON.

use proc_macro2::{Delimiter, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, ExprPath, Meta, PathArguments, Token, Type, parse_quote};
use tdg_definition::FeatureType;

use crate::commas;
use crate::errors::Errors;
use crate::hygiene::{at, moved};
use crate::types::{in_option, text, ungroup};

const EXAMPLE: &str = "via = Money::from_cents";

/// Words that one may write in place of `via`.
const OTHER_WORDS: [&str; 8] = ["vai", "with", "by", "map", "make", "from", "into", "using"];

/// How the value is made of what is drawn.
pub(crate) struct Maker {
    /// `via` or `parse`.
    word: Ident,
    kind: MakerKind,
}

enum MakerKind {
    Parse,
    Path(Box<ExprPath>),
    Closure {
        tokens: TokenStream,
        /// The type of its parameter, where it is written.
        parameter: Option<Box<Type>>,
    },
}

impl Maker {
    /// Takes the maker out of these attributes; those that say nothing else are gone.
    pub(crate) fn take(attributes: &mut Vec<Attribute>, errors: &mut Errors) -> Option<Self> {
        let mut maker = None;
        attributes.retain_mut(|attribute| {
            let Meta::List(list) = &mut attribute.meta else {
                return true;
            };
            if !list.path.is_ident("define") || list.tokens.is_empty() {
                return true;
            }
            let mut others = TokenStream::new();
            let split = |input: ParseStream<'_>| {
                while !input.is_empty() {
                    match Self::parse(input) {
                        Ok(None) => other_item(input, errors).to_tokens(&mut others),
                        Ok(Some(found)) => add(&mut maker, found, errors),
                        Err(error) => errors.add(error),
                    }
                    let comma = input.parse::<Option<Token![,]>>()?;
                    comma.filter(|_| !others.is_empty()).to_tokens(&mut others);
                }
                Ok(())
            };
            let read = split.parse2(list.tokens.clone());
            errors.keep(read);
            list.tokens = others;
            !list.tokens.is_empty()
        });
        maker
    }

    /// The next item, if it is a maker; then all of it is read, whether or not it is right.
    fn parse(input: ParseStream<'_>) -> syn::Result<Option<Self>> {
        let ahead = input.fork();
        let Ok(word) = ahead.parse::<Ident>() else {
            return Ok(None);
        };
        match word.to_string().as_str() {
            "parse" => {
                let rest = commas::item(input).into_iter().skip(1);
                let rest: TokenStream = rest.collect();
                if !rest.is_empty() {
                    let problem = "`parse` takes no value: it reads any type that has `FromStr`; \
                                   another function of a text is `via = …`";
                    return Err(syn::Error::new_spanned(rest, problem));
                }
                let kind = MakerKind::Parse;
                Ok(Some(Self { word, kind }))
            }
            "via" => {
                input.parse::<Ident>()?;
                if input.parse::<Option<Token![=]>>()?.is_none() {
                    let rest = commas::item(input);
                    let problem =
                        format!("`via` needs the function that makes the value: {EXAMPLE}");
                    return Err(syn::Error::new_spanned(quote!(#word #rest), problem));
                }
                let tokens = function_tokens(input);
                let kind = MakerKind::of(&word, tokens)?;
                Ok(Some(Self { word, kind }))
            }
            other if OTHER_WORDS.contains(&other) && ahead.peek(Token![=]) => {
                let written = commas::item(input);
                let problem =
                    format!("the word for a function that makes the value is `via`: {EXAMPLE}");
                Err(syn::Error::new_spanned(written, problem))
            }
            _ => Ok(None),
        }
    }

    /// The tokens of which errors are told.
    pub(crate) fn place(&self) -> TokenStream {
        match &self.kind {
            MakerKind::Parse => self.word.to_token_stream(),
            MakerKind::Path(path) => path.to_token_stream(),
            MakerKind::Closure { tokens, .. } => tokens.clone(),
        }
    }

    /// `via = Money::from_cents`, `parse`.
    pub(crate) fn name(&self) -> String {
        match &self.kind {
            MakerKind::Parse => "parse".to_owned(),
            MakerKind::Path(path) => format!("via = {}", text(path)),
            MakerKind::Closure { .. } => "via = |…| …".to_owned(),
        }
    }

    /// `via`, `parse`.
    pub(crate) fn word(&self) -> String {
        self.word.to_string()
    }

    pub(crate) fn is_parse(&self) -> bool {
        matches!(self.kind, MakerKind::Parse)
    }

    /// The type of what is drawn for a value of that type, as far as the source tells; `_` where it
    /// doesn't.
    pub(crate) fn drawn(&self, made: &Type) -> Type {
        let drawn = match &self.kind {
            MakerKind::Closure {
                parameter: Some(kind),
                ..
            } => (**kind).clone(),
            _ => parse_quote!(_),
        };
        match in_option(referent(made)).is_some() && in_option(ungroup(&drawn)).is_none() {
            true => parse_quote!(Option<#drawn>),
            false => drawn,
        }
    }

    /// Whether it isn't called for a null, which is `None`.
    pub(super) fn skips_nulls(&self, made: &Type) -> bool {
        let takes_option = match &self.kind {
            MakerKind::Closure {
                parameter: Some(kind),
                ..
            } => in_option(ungroup(kind)).is_some(),
            _ => false,
        };
        in_option(referent(made)).is_some() && !takes_option
    }

    /// The type of what is drawn, where a function of that name leaves it open.
    pub(super) fn annotation(
        &self,
        feature_type: Option<FeatureType>,
        tdg: &syn::Path,
    ) -> Option<Type> {
        let MakerKind::Path(path) = &self.kind else {
            return None;
        };
        let last = path.path.segments.last()?;
        let is_open = ["from", "try_from"].iter().any(|it| last.ident == it)
            && path.qself.is_none()
            && matches!(last.arguments, PathArguments::None);
        let word = match feature_type.filter(|_| is_open)? {
            FeatureType::Integer => quote!(i64),
            FeatureType::Float => quote!(f64),
            FeatureType::Boolean => quote!(bool),
            _ => return Some(parse_quote!(&#tdg::__private::core::primitive::str)),
        };
        Some(parse_quote!(#tdg::__private::core::primitive::#word))
    }

    /// What is called with what is drawn.
    pub(super) fn callee(&self, made: &Type, place: Span, tdg: &syn::Path) -> TokenStream {
        match &self.kind {
            MakerKind::Parse => {
                let kind = referent(made);
                let kind = in_option(kind).unwrap_or(kind);
                moved(quote!(#tdg::__private::made::parse::<#kind, _>), place)
            }
            // In a block of the macro's own, so that the compiler proposes no arguments for it.
            MakerKind::Path(path) => quote_spanned!(at(path)=> { #path }),
            MakerKind::Closure { tokens, .. } => quote!((#tokens)),
        }
    }
}

/// The type itself, or that to which it refers.
pub(super) fn referent(kind: &Type) -> &Type {
    match ungroup(kind) {
        Type::Reference(reference) => ungroup(&reference.elem),
        kind => kind,
    }
}

/// Another item, up to the next comma, or to a maker before which it is missing.
fn other_item(input: ParseStream<'_>, errors: &mut Errors) -> TokenStream {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        if !tokens.is_empty() && matches!(Maker::parse(&input.fork()), Ok(Some(_))) {
            let problem = "items are separated by commas; one is missing before this";
            errors.add(input.error(problem));
            quote!(,).to_tokens(&mut tokens);
            break;
        }
        tokens.extend(input.parse::<TokenTree>());
    }
    tokens
}

fn add(maker: &mut Option<Maker>, found: Maker, errors: &mut Errors) {
    let Some(first) = maker else {
        *maker = Some(found);
        return;
    };
    let (first, second) = (first.word(), found.word());
    let problem = match first == second {
        true => format!("`{second}` is given twice; keep one"),
        false => format!(
            "`{first}` makes the value already; keep one, or parse in the function: \
             via = |text: &str| text.parse().map(Money::new)"
        ),
    };
    errors.at(&found.word, problem);
}

impl MakerKind {
    fn of(word: &Ident, tokens: TokenStream) -> syn::Result<Self> {
        let wrong = |problem: &str| Err(syn::Error::new_spanned(&tokens, problem));
        if tokens.is_empty() {
            let problem = format!("`via` needs the function that makes the value: {EXAMPLE}");
            return Err(syn::Error::new_spanned(word, problem));
        }
        let mut start = tokens.clone().into_iter();
        match start.next() {
            Some(TokenTree::Punct(pipe)) if pipe.as_char() == '|' => return closure(tokens),
            Some(TokenTree::Ident(word)) if word == "move" => return closure(tokens),
            Some(TokenTree::Ident(word)) if word == "async" => {
                return wrong(
                    "a value is made before the function runs, so its maker can't be async",
                );
            }
            Some(TokenTree::Literal(literal)) => {
                let path = literal.to_string();
                let path = path.trim_matches('"');
                let fix = match syn::parse_str::<ExprPath>(path) {
                    Ok(_) => format!("a function is named without quotes: via = {path}"),
                    Err(_) => format!("`via` takes a function: {EXAMPLE}"),
                };
                return wrong(&fix);
            }
            _ => {}
        }
        match syn::parse2::<Expr>(tokens.clone()) {
            Ok(Expr::Path(path)) => Ok(Self::Path(Box::new(path))),
            Ok(Expr::Call(call)) => {
                let function = text(&call.func);
                wrong(&format!(
                    "`via` takes the function itself, without a call: via = {function}; or a closure \
                     that calls it: via = |n: i64| {function}(n)"
                ))
            }
            _ => wrong(&format!(
                "`via` takes the path of a function, or a closure: {EXAMPLE}, \
                 via = |cents: i64| Money::new(cents)"
            )),
        }
    }
}

/// Reads the parameter of a closure.
fn closure(tokens: TokenStream) -> syn::Result<MakerKind> {
    let is_pipe = |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == '|');
    let after = tokens.clone().into_iter();
    let mut after = after.skip_while(|token| !is_pipe(token)).skip(1);
    let parameters: TokenStream = after.by_ref().take_while(|token| !is_pipe(token)).collect();
    let parse = |input: ParseStream<'_>| {
        let mut kinds = Vec::new();
        while !input.is_empty() {
            while !input.is_empty() && !input.peek(Token![,]) && !input.peek(Token![:]) {
                input.parse::<TokenTree>()?;
            }
            let colon = input.parse::<Option<Token![:]>>()?;
            kinds.push(colon.map(|_| input.parse::<Type>()).transpose()?);
            if input.parse::<Option<Token![,]>>()?.is_none() {
                break;
            }
        }
        input.parse::<TokenStream>().map(|_| kinds)
    };
    let kinds = parse.parse2(parameters)?;
    if after.next().is_none() {
        let problem = "the closure has no body: via = |cents: i64| Money::new(cents)";
        return Err(syn::Error::new_spanned(tokens, problem));
    }
    match <[_; 1]>::try_from(kinds) {
        Ok([parameter]) => Ok(MakerKind::Closure {
            tokens,
            parameter: parameter.map(Box::new),
        }),
        Err(kinds) => Err(syn::Error::new_spanned(
            tokens,
            format!(
                "one value is drawn, so the closure has one parameter, and not {}: \
                 via = |cents: i64| Money::new(cents)",
                kinds.len()
            ),
        )),
    }
}

/// The tokens of a path or a closure: up to the next comma outside `|…|` and `<…>`.
fn function_tokens(input: ParseStream<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    // The pipes that are still to come of the closure's parameters.
    let mut pipes =
        match input.peek(Token![|]) || input.peek(Token![||]) || input.peek(Token![move]) {
            true => 2,
            false => 0,
        };
    let (mut angles, mut last) = (0_usize, None);
    while !input.is_empty() {
        if pipes == 2 || pipes == 0 {
            // Before and after the parameters.
            if angles == 0 && input.peek(Token![,]) {
                break;
            }
        }
        let Ok(token) = input.parse::<TokenTree>() else {
            break;
        };
        let now = match &token {
            TokenTree::Punct(punct) => Some(punct.as_char()),
            _ => None,
        };
        match (now, last) {
            (Some('|'), _) if pipes > 0 => pipes -= 1,
            // `::<`, `-> Result<`, and a path that begins with `<`; a comparison is none of these.
            (Some('<'), _) if pipes != 1 && (angles > 0 || opens_types(&tokens)) => angles += 1,
            (Some('>'), Some('-' | '=')) => {}
            (Some('>'), _) => angles = angles.saturating_sub(1),
            _ => {}
        }
        last = now;
        token.to_tokens(&mut tokens);
    }
    tokens
}

/// Whether `<` after these tokens opens a list of types.
fn opens_types(before: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = before.clone().into_iter().collect();
    let is = |token: &TokenTree, character| matches!(token, TokenTree::Punct(it) if it.as_char() == character);
    match tokens.as_slice() {
        [] => true,
        [.., last] if is(last, ':') => true,
        tokens => {
            // The type after an arrow.
            let arrow = tokens.windows(2).rposition(|two| {
                let joint =
                    matches!(&two[0], TokenTree::Punct(it) if it.spacing() == Spacing::Joint);
                joint && is(&two[0], '-') && is(&two[1], '>')
            });
            arrow.is_some_and(|arrow| {
                let is_body = |token: &TokenTree| {
                    matches!(token, TokenTree::Group(it) if it.delimiter() == Delimiter::Brace)
                };
                !tokens[arrow..].iter().any(is_body)
            })
        }
    }
}
