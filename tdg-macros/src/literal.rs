//! Values that are known while compiling.

use syn::{Expr, Lit, LitStr, UnOp};
use tdg_definition::json::Value;

/// A literal, with `true` for one that has a minus before it; nothing for any other expression.
pub(crate) fn literal(expression: &Expr) -> Option<(bool, &Lit)> {
    match expression {
        Expr::Lit(literal) => Some((false, &literal.lit)),
        // The wrapper of a `macro_rules!` fragment.
        Expr::Group(group) => literal(&group.expr),
        Expr::Paren(inner) => literal(&inner.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            literal(&unary.expr).map(|(negative, literal)| (!negative, literal))
        }
        _ => None,
    }
}

pub(crate) fn string(expression: &Expr) -> Option<&LitStr> {
    match literal(expression) {
        Some((false, Lit::Str(text))) => Some(text),
        _ => None,
    }
}

/// The JSON of a literal; nothing for bytes, whose JSON is known where BYTES are.
pub(crate) fn json(literal: &Lit) -> Option<Value> {
    match literal {
        Lit::Str(text) => Some(Value::from(text.value())),
        Lit::Char(character) => Some(Value::from(character.value().to_string())),
        Lit::Bool(boolean) => Some(Value::from(boolean.value)),
        Lit::Int(integer) => match integer.base10_parse::<i128>() {
            Ok(integer) => Some(Value::from(integer)),
            Err(_) => integer.base10_parse::<f64>().ok().map(Value::from),
        },
        Lit::Float(float) => float.base10_parse::<f64>().ok().map(Value::from),
        _ => None,
    }
}

/// The JSON of an expression that is a literal.
pub(crate) fn json_of(expression: &Expr) -> Option<Value> {
    let (negative, literal) = literal(expression)?;
    let value = json(literal)?;
    let number = match &value {
        Value::Number(number) if negative => *number,
        _ => return Some(value),
    };
    Some(match number.as_i128() {
        Some(integer) => Value::from(-integer),
        None => Value::from(-number.as_f64()),
    })
}
