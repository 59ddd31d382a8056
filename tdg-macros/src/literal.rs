//! Values that can be read while compiling.

use syn::{Expr, Lit, LitStr, UnOp};

/// A literal, with `true` for one that has a minus before it; nothing for any other expression.
pub(crate) fn literal(expression: &Expr) -> Option<(bool, &Lit)> {
    match expression {
        Expr::Lit(literal) => Some((false, &literal.lit)),
        // What a `macro_rules!` fragment is wrapped in.
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

/// A JSON Pointer (RFC 6901) to a field of the output.
pub(crate) fn checked_pointer(pointer: LitStr) -> syn::Result<LitStr> {
    let text = pointer.value();
    let problem = if !text.starts_with('/') {
        format!("a JSON Pointer to a field begins with `/`: \"/{text}\"")
    } else if text.replace("~0", "").replace("~1", "").contains('~') {
        "in a JSON Pointer `~` is written `~0`, and `/` in a key `~1`".to_owned()
    } else {
        return Ok(pointer);
    };
    Err(syn::Error::new(pointer.span(), problem))
}
