//! Named constants: `uniform(1..=MAX)`. A macro doesn't know their values, so the test fills them
//! in.
//!
//! Parts of a definition move while it is read. So a mark keeps the place of a constant in the
//! JSON, until a placeholder with a known pointer replaces it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, Path};
use tdg_definition::FeatureType;
use tdg_definition::json::{Pointer, Value};

use super::members::Members;
use crate::literal::json_of;
use crate::source_places::Places;
use crate::types::text;

/// A constant expression with its place in the definition.
#[derive(Clone)]
pub(crate) struct NamedConstant {
    at: Pointer,
    /// tdg's function that reads the constant.
    reader: &'static str,
    pub(super) expression: TokenStream,
}

/// The only member of a mark. Written members can't have these names.
const MARK: &str = "$constant";
/// The mark for the excluded end of a range of integers.
const END_MARK: &str = "$end";

/// Returns a mark for the constant with that number.
pub(crate) fn mark(number: usize) -> Value {
    Value::object([(MARK, Value::from(number as u64))])
}

pub(crate) fn is_mark(value: &Value) -> bool {
    value.get(MARK).or_else(|| value.get(END_MARK)).is_some()
}

/// Marks a constant as the excluded end of a range of integers.
pub(super) fn exclude(value: &mut Value) {
    if let Some(number) = value.get(MARK) {
        *value = Value::object([(END_MARK, number.clone())]);
    }
}

/// Returns true for an expression of literals and names in capitals.
pub(crate) fn is_constant(expression: &Expr) -> bool {
    let all = |arguments: &syn::punctuated::Punctuated<Expr, syn::Token![,]>| {
        arguments.iter().all(is_constant)
    };
    match expression {
        Expr::Path(it) => it
            .path
            .segments
            .last()
            .is_some_and(|it| is_in_capitals(&it.ident)),
        Expr::Unary(it) => is_constant(&it.expr),
        Expr::Binary(it) => is_constant(&it.left) && is_constant(&it.right),
        Expr::Paren(it) => is_constant(&it.expr),
        Expr::Group(it) => is_constant(&it.expr),
        Expr::Cast(it) => is_constant(&it.expr),
        Expr::Field(it) => is_constant(&it.base),
        Expr::Index(it) => is_constant(&it.expr) && is_constant(&it.index),
        Expr::MethodCall(it) => is_constant(&it.receiver) && all(&it.args),
        // A single name before parentheses is a distribution.
        Expr::Call(it) => {
            matches!(&*it.func, Expr::Path(path) if path.path.segments.len() > 1) && all(&it.args)
        }
        other => json_of(other).is_some(),
    }
}

/// Returns true for the name of a constant, such as `MAX`.
pub(super) fn is_in_capitals(name: &Ident) -> bool {
    let name = name.to_string();
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}

impl NamedConstant {
    /// Replaces each mark with a placeholder.
    pub(super) fn take(members: &mut Members, places: &Places) -> Vec<Self> {
        let mut found = Vec::new();
        let mut json = Value::Object(std::mem::take(members));
        each(&mut json, &Pointer::root(), None, &mut |mark, at, kind| {
            let number = mark.get(MARK).or_else(|| mark.get(END_MARK));
            let number = number
                .and_then(Value::as_u64)
                .and_then(|it| usize::try_from(it).ok());
            let Some(expression) = number.and_then(|it| places.constant(it)) else {
                return;
            };
            let reader = match () {
                () if mark.get(END_MARK).is_some() => "end",
                () if holds_number(at, kind) => "number",
                () => "value",
            };
            *mark = stand_in(at, LARGE);
            found.push(Self {
                at: at.clone(),
                reader,
                expression: expression.clone(),
            });
        });
        if let Value::Object(settled) = json {
            *members = settled;
        }
        found
    }

    /// Returns the part of the definition that the constant states.
    pub(super) fn part(&self, tdg: &Path) -> TokenStream {
        let Self { at, expression, .. } = self;
        let (at, written) = (at.to_string(), text(expression));
        // An error of its type is reported at its place.
        let there = Span::mixed_site().located_at(expression.span());
        let reader = Ident::new(self.reader, there);
        quote_spanned!(there=> (#at, || #tdg::__private::constant::#reader(#written, #expression)))
    }
}

/// Returns versions of the distribution with different placeholders, since one may not suit.
pub(super) fn standing_in(distribution: &Value) -> impl Iterator<Item = Value> {
    let filled = |size| {
        let mut drawn = distribution.clone();
        let mut has_constants = false;
        each(&mut drawn, &Pointer::root(), None, &mut |mark, at, _| {
            *mark = stand_in(at, size);
            has_constants = true;
        });
        (drawn, has_constants)
    };
    let (first, has_constants) = filled(LARGE);
    let others = [1, 4, 100].into_iter().filter(move |_| has_constants);
    std::iter::once(first).chain(others.map(move |size| filled(size).0))
}

const LARGE: i32 = 1_000_000;

/// Returns a number that suits most places, with bounds of that size.
fn stand_in(at: &Pointer, size: i32) -> Value {
    Value::from(match at.segments().next_back() {
        Some("min") => -size,
        Some("max" | "length") => size,
        _ => 1,
    })
}

/// Returns true if no distribution can have a text or a `bool` in that place.
fn holds_number(at: &Pointer, kind: Option<FeatureType>) -> bool {
    const NUMBERS: [&str; 12] = [
        "probability",
        "null_probability",
        "weight",
        "p",
        "decimals",
        "length",
        "min_length",
        "max_length",
        "correlation",
        "strength",
        "depth",
        "leaves",
    ];
    let mut names = at.segments();
    let draws_numbers = matches!(kind, Some(FeatureType::Integer | FeatureType::Float));
    if draws_numbers && names.clone().any(|name| name == "distribution") {
        return true;
    }
    let last = names.next_back();
    last.is_some_and(|name| NUMBERS.contains(&name)) || names.next_back() == Some("length")
}

/// Visits each mark, with its place and the type of the enclosing feature.
fn each(
    json: &mut Value,
    at: &Pointer,
    kind: Option<FeatureType>,
    visit: &mut impl FnMut(&mut Value, &Pointer, Option<FeatureType>),
) {
    if is_mark(json) {
        return visit(json, at, kind);
    }
    match json {
        Value::Object(members) => {
            let own = members.get("type").and_then(Value::as_str);
            let kind = own.and_then(FeatureType::from_name).or(kind);
            let names: Vec<String> = members.keys().cloned().collect();
            for name in names {
                if let Some(member) = members.get_mut(&name) {
                    each(member, &at.child(&name), kind, visit);
                }
            }
        }
        Value::Array(elements) => {
            for (position, element) in elements.iter_mut().enumerate() {
                each(element, &at.child(position.to_string()), kind, visit);
            }
        }
        _ => {}
    }
}
