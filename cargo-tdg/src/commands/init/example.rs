//! Tests that repeat an example of a function with drawn values for its literals.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::punctuated::Punctuated;
use syn::visit_mut::{VisitMut, visit_expr_mut};
use syn::{Expr, ExprLit, FnArg, Item, Lit, Local, Macro, Member, Pat, Signature, Stmt, Token};

use super::drawn_input::DrawnInput;
use super::glue::{DrawnAs, Glue};
use super::test::{GeneratedTest, ReturnedOutput, numbered};
use super::ways::FunctionToTest;
use crate::plan::{TestedCall, bounds};
use crate::sources::tokens::{identifiers_where, is_punct, last_word, text};
use crate::sources::{CallExample, Sources, associated_functions, parameter_name, plain, written};

/// The maximum number of examples.
const EXAMPLES: usize = 3;
/// The maximum number of literals that are drawn.
const LITERALS: usize = 6;
/// The maximum number of statements; longer examples show something else as well.
const STATEMENTS: usize = 16;

/// The type of a drawn number whose literal has none.
#[derive(Clone, Copy, PartialEq)]
enum Untyped {
    /// Converted to the type that the code needs.
    Converted,
    /// The type of a literal without a suffix.
    Default,
}

impl FunctionToTest<'_> {
    /// Returns tests that repeat examples, grouped by their rows, the shortest examples first.
    /// `planned` are the arguments that can be drawn.
    pub(super) fn of_examples(&self, planned: Option<&TestedCall>) -> Vec<Vec<GeneratedTest>> {
        let kind = planned.and_then(|it| it.output.as_deref());
        let output =
            |kind| ReturnedOutput::new(self.function, self.dependencies, self.effects, kind);
        let (own, around) = (output(kind), output(None));
        let mut groups = Vec::new();
        for example in self.harmless_examples() {
            let output = if example.is_around { &around } else { &own };
            let tests =
                |glue: &Glue<'_>| GeneratedTest::new(self.function, self.taken, glue, output);
            for untyped in [Untyped::Converted, Untyped::Default] {
                let mut group = Vec::new();
                for imports in [&[][..], &example.unnamed[..]] {
                    let glue = |lets: &[Stmt], value: &Expr| {
                        let lets = [imports, lets].concat();
                        Literals::new(self, untyped).glue(lets, value.clone())
                    };
                    let call = glue(&example.statements, &example.call);
                    let checked = example.checked.as_ref();
                    let checked = checked.and_then(|(lets, value)| glue(lets, value));
                    group.extend(call.iter().flat_map(tests));
                    group.extend(
                        checked
                            .iter()
                            .flat_map(|it| GeneratedTest::checked(self.function, self.taken, it)),
                    );
                }
                groups.push(group);
            }
            let receiver = self.function.signature.receiver().map(|_| 0);
            for replaced in [None, receiver] {
                let planned = planned.and_then(|it| self.with_planned(&example, it, replaced));
                groups.extend(planned.iter().map(tests));
            }
        }
        groups
    }

    /// Returns the shortest examples, whose statements run with drawn values.
    fn harmless_examples(&self) -> impl Iterator<Item = CallExample> {
        let is_harmless = |statements: &[Stmt], value: &Expr| {
            let code = quote!(#(#statements)* #value);
            statements.len() <= STATEMENTS && self.effects.of_code(&code, |_| true).is_none()
        };
        let examples = self.examples.calls_of(self.function).into_iter();
        let examples = examples.filter_map(move |mut example| {
            example.checked = example.checked.filter(|(it, value)| is_harmless(it, value));
            is_harmless(&example.statements, &example.call).then_some(example)
        });
        examples.take(EXAMPLES)
    }

    /// Returns the call with drawn arguments, and with the example's in place of one, or where none
    /// can be drawn.
    fn with_planned(
        &self,
        example: &CallExample,
        call: &TestedCall,
        replaced: Option<usize>,
    ) -> Option<Glue<'_>> {
        let drawn = Glue::with_missing(call, self.taste(DrawnAs::Any), replaced, |at| {
            example.arguments.get(at).map(|it| quote!(#it).to_string())
        });
        let mut glue = drawn.filter(|it| !it.drawn.is_empty())?;
        let statements = &example.statements;
        let names = variables(quote!(#(#statements)*));
        if glue.drawn.iter().any(|it| names.contains(&it.name)) {
            return None;
        }
        let statements = statements.iter().map(|it| quote!(#it).to_string());
        glue.lets.splice(0..0, statements);
        glue.is_lent = true;
        Some(glue)
    }
}

/// The literals of an example that become parameters.
struct Literals<'t> {
    of: &'t FunctionToTest<'t>,
    untyped: Untyped,
    drawn: Vec<DrawnInput>,
    /// The literals of the parameters.
    literals: Vec<String>,
    /// The names in the example.
    names: BTreeSet<String>,
    hint: Option<Hint>,
}

/// A name for a literal, and its type, if the sources state it.
#[derive(Clone, Default)]
struct Hint {
    name: String,
    kind: Option<String>,
    /// The function that takes it.
    taken_by: String,
}

impl<'t> Literals<'t> {
    fn new(of: &'t FunctionToTest<'t>, untyped: Untyped) -> Self {
        Self {
            of,
            untyped,
            drawn: Vec::new(),
            literals: Vec::new(),
            names: BTreeSet::new(),
            hint: None,
        }
    }

    /// Returns a test's body that returns a value; `None` if nothing is drawn.
    fn glue(mut self, mut statements: Vec<Stmt>, mut value: Expr) -> Option<Glue<'t>> {
        self.names = variables(quote!(#(#statements)* #value));
        self.draw_variables(&mut statements, &mut value);
        statements.iter_mut().for_each(|it| self.visit_stmt_mut(it));
        self.visit_expr_mut(&mut value);
        if self.drawn.is_empty() {
            return None;
        }
        let taste = self.of.taste(DrawnAs::Any);
        let mut glue = Glue::empty(&self.of.function.path, taste);
        let statements = statements.into_iter();
        glue.drawn = self.drawn;
        glue.lets = statements.map(|it| quote!(#it).to_string()).collect();
        let mut arguments = match &value {
            Expr::Call(call) => Some(call.args.iter()),
            _ => None,
        };
        let arguments = arguments.as_mut().into_iter().flatten();
        let changed = arguments.filter_map(|it| match it {
            Expr::Reference(it) if it.mutability.is_some() => match &*it.expr {
                Expr::Path(name) => Some(text(name)),
                _ => None,
            },
            _ => None,
        });
        glue.changed = changed.collect();
        glue.call = quote!(#value).to_string();
        glue.is_lent = true;
        Some(glue)
    }

    /// Draws the variables that are literals. A number has the type of the parameter that takes it.
    fn draw_variables(&mut self, statements: &mut Vec<Stmt>, value: &mut Expr) {
        let variables: Vec<(String, Lit)> = statements.iter().filter_map(variable).collect();
        let mut drawn = BTreeSet::new();
        for (name, literal) in variables {
            let mut use_of = VariableUse {
                sources: self.of.function.sources,
                name: &name,
                found: None,
            };
            statements
                .iter_mut()
                .for_each(|it| use_of.visit_stmt_mut(it));
            use_of.visit_expr_mut(value);
            let mut hint = use_of.found.unwrap_or_default();
            hint.name.clone_from(&name);
            let is_typed = !matches!(literal, Lit::Int(_) | Lit::Float(_)) || hint.kind.is_some();
            if is_typed
                && self.drawn.len() < LITERALS
                && let Some((items, kind)) = self.drawn_as(&literal, Some(&hint))
            {
                self.literals.push(text(&literal));
                self.drawn.push(DrawnInput::new(&name, items, &kind));
                drawn.insert(name);
            }
        }
        let is_drawn = |(name, _): (String, Lit)| drawn.contains(&name);
        statements.retain(|it| !variable(it).is_some_and(is_drawn));
    }

    /// Returns the name of the parameter for a literal, and its type.
    fn parameter(&mut self, literal: &Lit) -> Option<(String, String)> {
        let hint = self.hint.clone();
        let known = self.literals.iter().position(|it| *it == text(literal));
        if let Some(at) = known {
            let input = &self.drawn[at];
            return Some((input.name.clone(), input.kind.clone()));
        }
        if self.drawn.len() == LITERALS {
            return None;
        }
        let (items, kind) = self.drawn_as(literal, hint.as_ref())?;
        let name = hint.map_or_else(|| "value".to_owned(), |it| it.name);
        let name = numbered(&name, |it| !self.names.contains(it));
        self.names.insert(name.clone());
        self.literals.push(text(literal));
        self.drawn.push(DrawnInput::new(&name, items, &kind));
        Some((name, kind))
    }

    /// Returns the notation of values like a literal, and their type.
    fn drawn_as(&self, literal: &Lit, hint: Option<&Hint>) -> Option<(String, String)> {
        let stated = hint.and_then(|it| it.kind.clone());
        let of = |suffix: &str, converted: &str, default: &str| {
            let suffix = Some(suffix).filter(|it| !it.is_empty());
            let untyped = match self.untyped {
                Untyped::Converted => converted,
                Untyped::Default => default,
            };
            suffix
                .map(str::to_owned)
                .or(stated.clone())
                .unwrap_or_else(|| untyped.to_owned())
        };
        Some(match literal {
            Lit::Int(it) => {
                let value: i128 = it.base10_parse().ok()?;
                let kind = of(it.suffix(), "u32", "i32");
                if kind.starts_with('f') {
                    return Some((format!("uniform(0.0..{}.0)", value.max(1)), kind));
                }
                let [_, most] = bounds(&kind).filter(|[_, most]| value <= *most)?;
                let most = most.min((2 * value).max(10));
                (format!("uniform(0..={most})"), kind)
            }
            Lit::Float(it) => {
                let value: f64 = it.base10_parse().ok()?;
                let kind = of(it.suffix(), "f64", "f64");
                (format!("uniform(0.0..{:?})", (2.0 * value).max(1.0)), kind)
            }
            Lit::Str(it) => {
                let passed = hint.and_then(|hint| self.of.constants.passed(&hint.taken_by, "&str"));
                let any = || {
                    let value = it.value();
                    format!("any, edge_cases(probability = 0.5, values = [{value:?}])")
                };
                (passed.unwrap_or_else(any), "&str".to_owned())
            }
            Lit::Bool(_) => ("any".to_owned(), "bool".to_owned()),
            Lit::Char(_) => ("any".to_owned(), "char".to_owned()),
            _ => return None,
        })
    }

    /// Visits a value under a hint.
    fn visit_under(&mut self, hint: Option<Hint>, value: &mut Expr) {
        let outer = std::mem::replace(&mut self.hint, hint);
        self.visit_expr_mut(value);
        self.hint = outer;
    }
}

impl Hint {
    /// Returns the hint of an argument.
    fn of_argument(sources: &Sources, path: &str, at: usize) -> Self {
        let (name, kind) = parameter(sources, path, at).unzip();
        Self {
            name: name.unwrap_or_else(|| "value".to_owned()),
            kind: kind.flatten(),
            taken_by: path.to_owned(),
        }
    }

    fn named(name: String) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }
}

/// Returns a variable whose value is a literal.
fn variable(statement: &Stmt) -> Option<(String, Lit)> {
    let Stmt::Local(local) = statement else {
        return None;
    };
    match (&local.pat, &*local.init.as_ref()?.expr) {
        (Pat::Ident(name), Expr::Lit(literal)) if name.mutability.is_none() => {
            Some((plain(&name.ident), literal.lit.clone()))
        }
        _ => None,
    }
}

/// Returns the arguments of a call, each with the function's path and its position.
fn arguments(expression: &mut Expr) -> Vec<(String, usize, &mut Expr)> {
    let (path, first, arguments) = match expression {
        Expr::Call(call) => (text(&call.func), 0, &mut call.args),
        Expr::MethodCall(call) => (format!("_::{}", plain(&call.method)), 1, &mut call.args),
        _ => return Vec::new(),
    };
    let arguments = arguments.iter_mut().zip(first..);
    arguments.map(|(it, at)| (path.clone(), at, it)).collect()
}

/// The first call that takes a variable.
struct VariableUse<'s> {
    sources: &'s Sources,
    name: &'s str,
    found: Option<Hint>,
}

impl VisitMut for VariableUse<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        for (path, at, argument) in arguments(expression) {
            if matches!(argument, Expr::Path(it) if it.path.is_ident(self.name)) {
                let hint = || Hint::of_argument(self.sources, &path, at);
                self.found.get_or_insert_with(hint);
            }
        }
        visit_expr_mut(self, expression);
    }
}

impl VisitMut for Literals<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match expression {
            Expr::Lit(ExprLit { lit, .. }) => {
                let Some((name, kind)) = self.parameter(lit) else {
                    return;
                };
                let name = syn::Ident::new(&name, proc_macro2::Span::call_site());
                let is_number = matches!(lit, Lit::Int(it) if it.suffix().is_empty())
                    || matches!(lit, Lit::Float(it) if it.suffix().is_empty());
                let is_stated = self.hint.as_ref().is_some_and(|it| it.kind == Some(kind));
                let is_converted = self.untyped == Untyped::Converted;
                *expression = match is_number && !is_stated && is_converted {
                    true => syn::parse_quote!((#name as _)),
                    false => syn::parse_quote!(#name),
                };
            }
            Expr::Call(_) | Expr::MethodCall(_) => {
                if let Expr::MethodCall(call) = expression {
                    self.visit_expr_mut(&mut call.receiver);
                }
                for (path, at, argument) in arguments(expression) {
                    let hint = Hint::of_argument(self.of.function.sources, &path, at);
                    self.visit_under(Some(hint), argument);
                    unparenthesize(argument);
                }
            }
            Expr::Struct(literal) => {
                for field in &mut literal.fields {
                    let hint = match &field.member {
                        Member::Named(name) => Some(Hint::named(plain(name))),
                        Member::Unnamed(_) => None,
                    };
                    self.visit_under(hint, &mut field.expr);
                }
            }
            // Their literals are seldom inputs.
            Expr::Index(_) | Expr::Match(_) | Expr::Range(_) | Expr::Repeat(_) => {}
            other => visit_expr_mut(self, other),
        }
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        let hint = match &local.pat {
            Pat::Ident(name) => Some(Hint::named(format!("{}_value", plain(&name.ident)))),
            _ => None,
        };
        if let Some(init) = &mut local.init {
            self.visit_under(hint, &mut init.expr);
            unparenthesize(&mut init.expr);
        }
    }

    fn visit_macro_mut(&mut self, called: &mut Macro) {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        if called.path.is_ident("vec")
            && let Ok(mut elements) = called.parse_body_with(parser)
        {
            elements.iter_mut().for_each(|it| self.visit_expr_mut(it));
            called.tokens = elements.into_token_stream();
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Returns the names in code, except methods, fields and the ends of paths.
fn variables(code: TokenStream) -> BTreeSet<String> {
    identifiers_where(code, |tokens, at| {
        let is_after = |it| is_punct(tokens, at.checked_sub(1), it);
        !is_after('.') && !is_after(':')
    })
}

/// Removes the parentheses of a conversion.
fn unparenthesize(value: &mut Expr) {
    if let Expr::Paren(inner) = value
        && let Expr::Cast(_) = *inner.expr
    {
        *value = (*inner.expr).clone();
    }
}

/// Returns the name and the type of a function's parameter, if it is a number.
fn parameter(sources: &Sources, path: &str, at: usize) -> Option<(String, Option<String>)> {
    let mut segments = path.rsplit("::").map(str::trim);
    let name = segments.next()?;
    let owner = segments.next().filter(|it| *it != "_");
    let is_of = |signature: &Signature| plain(&signature.ident) == name;
    let associated = associated_functions(sources).filter_map(|(_, block, function)| {
        let is_owned = owner.is_none_or(|it| last_word(&block.self_ty).is_some_and(|of| of == it));
        (is_owned && is_of(&function.sig)).then_some(&function.sig)
    });
    let items = sources.modules.iter().flat_map(|it| &it.items);
    let free = items.filter_map(|item| match item {
        Item::Fn(item) if is_of(&item.sig) => Some(&item.sig),
        _ => None,
    });
    let parameters = associated
        .chain(free)
        .filter_map(|it| match it.inputs.get(at)? {
            FnArg::Typed(input) => {
                let kind = text(&input.ty);
                let is_number = bounds(&kind).is_some() || matches!(&kind[..], "f32" | "f64");
                Some((parameter_name(at, &input.pat), is_number.then_some(kind)))
            }
            FnArg::Receiver(_) => None,
        });
    let parameters: Vec<_> = parameters.collect();
    let (name, kind) = parameters.first()?.clone();
    let is_same = parameters.iter().all(|(_, it)| *it == kind);
    Some((written(&name), kind.filter(|_| is_same)))
}
