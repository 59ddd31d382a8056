//! The call in the body of a test, with the values of a row.

use quote::format_ident;
use syn::visit_mut::{VisitMut, visit_expr_mut};
use syn::{Expr, FnArg, Item, ItemFn, Pat, Stmt};
use tdg_definition::json::Value;

use crate::plan::bounds;
use crate::sources::plain;
use crate::sources::tokens::text;

/// The maximum length of a call.
const LONGEST: usize = 200;

/// The call that is all of a test's body.
#[derive(Clone, Debug)]
pub(super) struct TestCall {
    /// The names and types of the test's parameters.
    parameters: Vec<(String, String)>,
    /// Its arguments are named by [`placeholder`] instead of parameters.
    call: String,
}

impl TestCall {
    /// Finds the call of a test's function; `None` if its body does more.
    pub(super) fn find(function: &str, source: &str) -> Option<Self> {
        let name = function.rsplit("::").next()?;
        let file = syn::parse_file(source).ok()?;
        let mut functions = Vec::new();
        add_functions(name, &file.items, &mut functions);
        let [function] = functions[..] else {
            return None;
        };
        let [Stmt::Expr(call @ (Expr::Call(_) | Expr::MethodCall(_)), None)] =
            &function.block.stmts[..]
        else {
            return None;
        };
        let parameters = function.sig.inputs.iter().map(|it| match it {
            FnArg::Typed(it) => match &*it.pat {
                Pat::Ident(name) => Some((plain(&name.ident), text(&it.ty))),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
        let parameters: Vec<(String, String)> = parameters.collect::<Option<_>>()?;
        let mut call = call.clone();
        Placeholders(&parameters).visit_expr_mut(&mut call);
        Some(Self {
            parameters,
            call: text(&call).replace(" . ", "."),
        })
    }

    /// Returns the call with the values of features; `None` if one isn't a literal of its type.
    pub(super) fn with<'v>(&self, value: impl Fn(&str) -> Option<&'v Value>) -> Option<String> {
        let mut call = self.call.clone();
        for (at, (name, kind)) in self.parameters.iter().enumerate().rev() {
            let (literal, placeholder) = (literal(kind, value(name)?)?, placeholder(at));
            if bounds(kind).is_some() || matches!(&kind[..], "f32" | "f64") {
                // A method needs the type of its number, and a minus would come after it.
                let receiver = match literal.starts_with('-') {
                    true => format!("({literal}_{kind})."),
                    false => format!("{literal}_{kind}."),
                };
                call = call.replace(&format!("{placeholder}."), &receiver);
            }
            call = call.replace(&placeholder, &literal);
        }
        (call.len() <= LONGEST).then_some(call)
    }
}

/// Adds the functions of a name.
fn add_functions<'f>(name: &str, items: &'f [Item], functions: &mut Vec<&'f ItemFn>) {
    for item in items {
        match item {
            Item::Fn(function) if plain(&function.sig.ident) == name => functions.push(function),
            Item::Mod(module) => {
                let items = module.content.as_ref().map(|(_, items)| items.as_slice());
                add_functions(name, items.unwrap_or_default(), functions);
            }
            _ => {}
        }
    }
}

fn placeholder(at: usize) -> String {
    format!("tdg_value_{at}_")
}

/// Names parameters by their positions, so that no text in a literal is taken for one.
struct Placeholders<'p>(&'p [(String, String)]);

impl VisitMut for Placeholders<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Path(path) = expression
            && let Some(name) = path.path.get_ident()
            && let Some(at) = self.0.iter().position(|(it, _)| *it == plain(name))
        {
            let name = format_ident!("{}", placeholder(at));
            *expression = syn::parse_quote!(#name);
        }
        visit_expr_mut(self, expression);
    }
}

/// Returns a value as a literal of a type.
fn literal(kind: &str, value: &Value) -> Option<String> {
    if let Some(inner) = kind
        .strip_prefix("Option<")
        .and_then(|it| it.strip_suffix('>'))
    {
        return Some(match value {
            Value::Null => "None".to_owned(),
            value => format!("Some({})", literal(inner, value)?),
        });
    }
    match kind {
        "bool" => value.as_bool().map(|it| it.to_string()),
        "f32" | "f64" => value.as_f64().map(|it| format!("{it:?}")),
        "&str" => value.as_str().map(|it| format!("{it:?}")),
        "String" => value.as_str().map(|it| format!("{it:?}.to_owned()")),
        "char" => {
            let mut characters = value.as_str()?.chars();
            let first = characters.next().filter(|_| characters.next().is_none());
            first.map(|it| format!("{it:?}"))
        }
        kind => {
            let [least, most] = bounds(kind)?;
            let Value::Number(number) = value else {
                return None;
            };
            let integer = number.as_i128()?;
            (least..=most)
                .contains(&integer)
                .then(|| integer.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use tdg_definition::json::parse;

    use super::*;

    #[test]
    fn the_call_of_a_test_has_the_values_of_a_row() {
        let called = |body: &str, row: &str| {
            let source = format!(
                "mod fees {{ #[tdg::ensemble_test(size = 9)]
                fn fee(#[define(any)] a: u32, b: Option<&str>, c: f64) -> u32 {{ {body} }} }}"
            );
            let row = parse(row).unwrap();
            TestCall::find("fees::fee", &source)?.with(|name| row.get(name))
        };
        let row = r#"{"a": 7, "b": "x a , b", "c": 2.0}"#;
        insta::assert_snapshot!(
            called("shop::fee(a, &b, c.min(1.0))", row).unwrap(),
            @r#"shop::fee(7, &Some("x a , b"), 2.0_f64.min(1.0))"#
        );
        let null = r#"{"a": 7, "b": null, "c": -2.5}"#;
        assert_eq!(
            called("Cart::new(a).total(b)", null).as_deref(),
            Some("Cart::new(7).total(None)")
        );
        assert_eq!(
            called("shop::fee(a, c.abs(), c)", null).as_deref(),
            Some("shop::fee(7, (-2.5_f64).abs(), -2.5)")
        );
        assert_eq!(
            called("shop::fee(a, b, c)", r#"{"a": -7, "b": null, "c": 1.5}"#),
            None
        );
        assert_eq!(called("let d = a; shop::fee(d, b, c)", row), None);
    }
}
