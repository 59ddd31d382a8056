//! The syntax of makers: `via = …`, `parse`, alone or within a list or a tuple.

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, ExprPath, Meta, Token, Type};

use super::{Maker, MakerKind};
use crate::commas;
use crate::define::{list, tuple};
use crate::errors::Errors;
use crate::types::text;

const EXAMPLE: &str = "via = Money::from_cents";

/// Words that users may write by mistake instead of `via`.
const OTHER_WORDS: [&str; 8] = ["vai", "with", "by", "map", "make", "from", "into", "using"];

impl Maker {
    /// Takes the maker out of these attributes, and removes attributes that are empty afterwards.
    pub(crate) fn take(attributes: &mut Vec<Attribute>, errors: &mut Errors) -> Option<Self> {
        let mut maker = None;
        attributes.retain_mut(|attribute| {
            let Meta::List(list) = &mut attribute.meta else {
                return true;
            };
            if !list.path.is_ident("define") || list.tokens.is_empty() {
                return true;
            }
            list.tokens = Self::take_out(list.tokens.clone(), &mut maker, errors);
            !list.tokens.is_empty()
        });
        maker
    }

    /// Returns the tokens without the maker.
    fn take_out(tokens: TokenStream, maker: &mut Option<Self>, errors: &mut Errors) -> TokenStream {
        split(tokens, errors, |found, input, errors| match found {
            Some(found) => {
                add(maker, found, errors);
                None
            }
            None => Some(take_out_within(other_item(input, errors), maker, errors)),
        })
    }

    /// Reads the next item completely if it is a maker, even a faulty one.
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
                                   for another function of a text, write `via = …`";
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
                let kind = MakerKind::parse(&word, tokens)?;
                Ok(Some(Self { word, kind }))
            }
            other if OTHER_WORDS.contains(&other) && ahead.peek(Token![=]) => {
                let written = commas::item(input);
                let problem = format!("write `via` for a function that makes the value: {EXAMPLE}");
                Err(syn::Error::new_spanned(written, problem))
            }
            _ => Ok(None),
        }
    }
}

/// Collects the items that `next` returns. It reads an item unless it gets a maker.
fn split(
    tokens: TokenStream,
    errors: &mut Errors,
    mut next: impl FnMut(Option<Maker>, ParseStream<'_>, &mut Errors) -> Option<TokenStream>,
) -> TokenStream {
    let mut others = TokenStream::new();
    let all = |input: ParseStream<'_>| {
        while !input.is_empty() {
            let found = errors.keep(Maker::parse(input));
            let other = found.and_then(|found| next(found, input, errors));
            let comma = input.parse::<Option<Token![,]>>()?;
            if let Some(other) = other {
                others.extend(quote!(#other #comma));
            }
        }
        Ok(())
    };
    let read = all.parse2(tokens);
    errors.keep(read);
    others
}

/// Reads another item, up to the next comma or to a maker that lacks one.
fn other_item(input: ParseStream<'_>, errors: &mut Errors) -> TokenStream {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        if !tokens.is_empty() && matches!(Maker::parse(&input.fork()), Ok(Some(_))) {
            let problem = "missing a comma before this: items are separated by commas";
            errors.add(input.error(problem));
            quote!(,).to_tokens(&mut tokens);
            break;
        }
        tokens.extend(input.parse::<TokenTree>());
    }
    tokens
}

/// Returns a list or a tuple without its makers, or another item as it is.
fn take_out_within(
    item: TokenStream,
    maker: &mut Option<Maker>,
    errors: &mut Errors,
) -> TokenStream {
    let mut tokens = item.clone().into_iter();
    let (Some(TokenTree::Group(group)), None) = (tokens.next(), tokens.next()) else {
        return item;
    };
    let is_list = |input: ParseStream<'_>| {
        let is_list = list::is_next(input);
        input.parse::<TokenStream>().map(|_| is_list)
    };
    let (others, kind) = match group.delimiter() {
        Delimiter::Bracket if is_list.parse2(item.clone()).unwrap_or(false) => {
            of_elements(group.stream(), errors)
        }
        Delimiter::Parenthesis => of_values(group.stream(), errors),
        _ => return item,
    };
    let word = match &kind {
        Some(MakerKind::Elements(maker)) => Some(maker.word.clone()),
        Some(MakerKind::Values(makers)) => makers.iter().flatten().next().map(|it| it.word.clone()),
        _ => None,
    };
    if let (Some(word), Some(kind)) = (word, kind) {
        add(maker, Maker { word, kind }, errors);
    }
    let mut without = Group::new(group.delimiter(), others);
    without.set_span(group.span());
    TokenTree::Group(without).into()
}

/// Takes the maker before the `;` of a list.
fn of_elements(tokens: TokenStream, errors: &mut Errors) -> (TokenStream, Option<MakerKind>) {
    let is_semicolon =
        |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == ';');
    let mut tokens = tokens.into_iter().peekable();
    let mut element = TokenStream::new();
    while let Some(token) = tokens.next_if(|token| !is_semicolon(token)) {
        element.extend([token]);
    }
    let mut maker = None;
    let mut others = Maker::take_out(element, &mut maker, errors);
    others.extend(tokens);
    (others, maker.map(Box::new).map(MakerKind::Elements))
}

/// Takes the makers of a tuple's values, each after its value.
fn of_values(tokens: TokenStream, errors: &mut Errors) -> (TokenStream, Option<MakerKind>) {
    let mut makers: Vec<Option<Maker>> = Vec::new();
    let mut position = tuple::Position::default();
    let others = split(tokens, errors, |found, input, errors| {
        let Some(found) = found else {
            let next = position.of_next(input);
            makers.resize_with(makers.len().max(next + 1), || None);
            let other = other_item(input, errors);
            return Some(take_out_within(other, &mut makers[next], errors));
        };
        match makers.last_mut() {
            Some(maker) => add(maker, found, errors),
            None => errors.at(
                &found.word,
                "a maker follows the value that it takes: (uniform(0..9), via = Digit::new)",
            ),
        }
        None
    });
    let has_one = makers.iter().any(Option::is_some);
    (others, has_one.then_some(MakerKind::Values(makers)))
}

fn add(maker: &mut Option<Maker>, found: Maker, errors: &mut Errors) {
    let Some(first) = maker else {
        *maker = Some(found);
        return;
    };
    let parts = !first.is_of_all();
    let (first, second) = (first.word(), found.word());
    let problem = match first == second {
        _ if parts => format!(
            "`{first}` already makes the parts of this; make the whole value in one function: via \
             = |xs: Vec<i64>| …"
        ),
        true => format!("`{second}` is given twice; keep one"),
        false => format!(
            "`{first}` already makes the value; keep one, or parse in the function: \
             via = |text: &str| text.parse().map(Money::new)"
        ),
    };
    errors.at(&found.word, problem);
}

impl MakerKind {
    fn parse(word: &Ident, tokens: TokenStream) -> syn::Result<Self> {
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
                    Ok(_) => format!("write the function without quotes: via = {path}"),
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

/// Reads the parameters of a closure.
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
    if kinds.is_empty() {
        let problem = "the closure needs a parameter for the drawn value: via = |cents: i64| \
                       Money::new(cents)";
        return Err(syn::Error::new_spanned(tokens, problem));
    }
    Ok(MakerKind::Closure {
        tokens,
        parameters: kinds,
    })
}

/// Reads the tokens of a path or a closure, up to the next comma outside `|…|` and `<…>`.
fn function_tokens(input: ParseStream<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    // The number of pipes around the closure's parameters that are still to come.
    let mut pipes =
        match input.peek(Token![|]) || input.peek(Token![||]) || input.peek(Token![move]) {
            true => 2,
            false => 0,
        };
    let (mut angles, mut last) = (0_usize, None);
    while !input.is_empty() {
        if pipes == 2 || pipes == 0 {
            // Outside the parameters.
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
            // `::<`, `-> Result<`, or a path that begins with `<`, but not a comparison.
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

/// Returns true if `<` after these tokens opens a list of types.
fn opens_types(before: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = before.clone().into_iter().collect();
    let is = |token: &TokenTree, character| matches!(token, TokenTree::Punct(it) if it.as_char() == character);
    match tokens.as_slice() {
        [] => true,
        [.., last] if is(last, ':') || is(last, '|') => true,
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
