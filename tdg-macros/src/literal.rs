//! Values that are known at compile time: literals, and numbers computed from them.

use syn::{BinOp, Expr, ExprPath, Lit, LitStr, UnOp};
use tdg_definition::bytes;
use tdg_definition::json::Value;

use crate::types::integers;

/// Returns the literal, or `None` for any other expression.
pub(crate) fn literal(expression: &Expr) -> Option<&Lit> {
    match expression {
        Expr::Lit(literal) => Some(&literal.lit),
        // The wrapper of a `macro_rules!` fragment.
        Expr::Group(group) => literal(&group.expr),
        Expr::Paren(inner) => literal(&inner.expr),
        _ => None,
    }
}

pub(crate) fn string(expression: &Expr) -> Option<&LitStr> {
    match literal(expression) {
        Some(Lit::Str(text)) => Some(text),
        _ => None,
    }
}

/// Returns the JSON of a literal, or of a number computed from literals.
pub(crate) fn json_of(expression: &Expr) -> Option<Value> {
    match number(expression) {
        Some(KnownNumber::Integer(integer)) => return Some(Value::from(integer)),
        Some(KnownNumber::Float(float)) => return Some(Value::from(float)),
        None => {}
    }
    Some(match literal(expression)? {
        Lit::Str(text) => Value::from(text.value()),
        Lit::Char(character) => Value::from(character.value().to_string()),
        Lit::Bool(boolean) => Value::from(boolean.value),
        Lit::ByteStr(bytes) => {
            let mut text = String::new();
            bytes::escape(&bytes.value(), &mut text);
            Value::from(text)
        }
        _ => return None,
    })
}

#[derive(Clone, Copy)]
pub(crate) enum KnownNumber {
    Integer(i128),
    Float(f64),
}

impl KnownNumber {
    pub(crate) fn as_f64(self) -> f64 {
        match self {
            KnownNumber::Integer(integer) => integer as f64,
            KnownNumber::Float(float) => float,
        }
    }
}

/// Returns the number of an expression, or `None` if it contains a user's name.
pub(crate) fn number(expression: &Expr) -> Option<KnownNumber> {
    match expression {
        Expr::Unary(unary) => match (&unary.op, number(&unary.expr)?) {
            (UnOp::Neg(_), KnownNumber::Integer(integer)) => Some(KnownNumber::Integer(-integer)),
            (UnOp::Neg(_), KnownNumber::Float(float)) => Some(KnownNumber::Float(-float)),
            _ => None,
        },
        Expr::Binary(it) => computed(&it.op, number(&it.left)?, number(&it.right)?),
        Expr::Group(group) => number(&group.expr),
        Expr::Paren(inner) => number(&inner.expr),
        Expr::Path(path) => limit(path),
        _ => match literal(expression)? {
            Lit::Byte(byte) => Some(KnownNumber::Integer(byte.value().into())),
            Lit::Int(integer) => match integer.base10_parse() {
                Ok(integer) => Some(KnownNumber::Integer(integer)),
                Err(_) => integer.base10_parse().ok().map(KnownNumber::Float),
            },
            Lit::Float(float) => float.base10_parse().ok().map(KnownNumber::Float),
            _ => None,
        },
    }
}

/// Computes a number, which is an integer if exact: `1 / 3` is a third.
fn computed(operator: &BinOp, left: KnownNumber, right: KnownNumber) -> Option<KnownNumber> {
    use BinOp::{Add, Div, Mul, Shl, Sub};
    if let (KnownNumber::Integer(left), KnownNumber::Integer(right)) = (left, right) {
        let integer = match operator {
            Add(_) => left.checked_add(right),
            Sub(_) => left.checked_sub(right),
            Mul(_) => left.checked_mul(right),
            Div(_) if left.checked_rem(right)? == 0 => left.checked_div(right),
            Shl(_) => left.checked_mul(2_i128.checked_pow(right.try_into().ok()?)?),
            _ => None,
        };
        if let Some(integer) = integer {
            return Some(KnownNumber::Integer(integer));
        }
    }
    let (left, right) = (left.as_f64(), right.as_f64());
    let float = match operator {
        Add(_) => left + right,
        Sub(_) => left - right,
        Mul(_) => left * right,
        Div(_) => left / right,
        _ => return None,
    };
    float.is_finite().then_some(KnownNumber::Float(float))
}

/// Returns the value of `u32::MAX` and the like.
fn limit(path: &ExprPath) -> Option<KnownNumber> {
    let mut words = path.path.segments.iter().map(|it| it.ident.to_string());
    let (kind, limit) = (words.next()?, words.next()?);
    let is_max = limit == "MAX";
    match kind.as_str() {
        _ if words.next().is_some() || !is_max && limit != "MIN" => None,
        "f64" if is_max => Some(KnownNumber::Float(f64::MAX)),
        "f64" => Some(KnownNumber::Float(f64::MIN)),
        // Features have at most 64 bits.
        "u128" | "i128" => None,
        _ => {
            let (_, range) = integers(&syn::parse_str(&kind).ok()?)?;
            let limit = if is_max { range.end() } else { range.start() };
            Some(KnownNumber::Integer(*limit))
        }
    }
}
