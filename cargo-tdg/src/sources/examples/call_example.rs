//! A call of a function in an example, with the statements that lead to it.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::visit_mut::{VisitMut, visit_expr_closure_mut, visit_expr_mut};
use syn::{Attribute, Block, Expr, ExprClosure, File, Item, ItemUse, Macro, Stmt, Token, UseTree};

use super::Examples;
use crate::sources::tokens::{each, last_word};
use crate::sources::{PublicFunction, plain};

/// The maximum number of checked values that are returned.
const CHECKED: usize = 4;
/// Macros whose statements make no values.
const CHECKS: [&str; 8] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "eprintln",
    "print",
    "println",
];

/// A call of a function in an example.
#[derive(Clone)]
pub(crate) struct CallExample {
    /// The imports and statements that the call needs.
    pub(crate) statements: Vec<Stmt>,
    /// The imports that no code names, perhaps of traits.
    pub(crate) unnamed: Vec<Stmt>,
    /// The arguments; the first of a method's is the value that it is called on.
    pub(crate) arguments: Vec<Expr>,
    pub(crate) call: Expr,
    /// Set if the call takes a closure that calls the function.
    pub(crate) is_around: bool,
    /// A value that the example checks, made of the call's, with the statements that it needs.
    pub(crate) checked: Option<(Vec<Stmt>, Expr)>,
}

impl Examples {
    /// Returns the calls of a function, those with the fewest statements first.
    pub(crate) fn calls_of(&self, function: &PublicFunction<'_>) -> Vec<CallExample> {
        let name = plain(&function.signature.ident);
        let codes = self.naming(&name);
        let crate_name = &function.sources.name;
        let bodies = codes.flat_map(|it| bodies(from_outside(it.clone(), crate_name)));
        let examples = bodies.filter_map(|body| CallExample::of_body(function, body));
        let mut examples: Vec<CallExample> = examples.collect();
        examples.sort_by_key(|it| it.statements.len());
        examples
    }
}

impl CallExample {
    /// Returns the first call in a body.
    fn of_body(function: &PublicFunction<'_>, body: Vec<Stmt>) -> Option<Self> {
        let all = mentioned(&quote!(#(#body)*));
        let (items, mut before): (Vec<Stmt>, Vec<Stmt>) =
            body.into_iter().partition(|it| matches!(it, Stmt::Item(_)));
        let unnamed = imports(&items, &|name| name != "*" && !all.contains(name));
        let mut search = CallSearch {
            function,
            found: None,
            is_in_closure: false,
        };
        let at = before.iter_mut().position(|statement| {
            search.visit_stmt_mut(statement);
            search.found.is_some()
        })?;
        let (mut call, mut arguments) = search.found?;
        let body = CallBody {
            items,
            after: before.split_off(at + 1),
            statement: before.pop()?,
            before,
        };
        if search.is_in_closure {
            // The values are known within the call that takes the closure.
            call = value_of(&body.statement)?;
            arguments.clear();
        }
        Some(Self {
            statements: body.needed(&body.before, &call),
            unnamed,
            arguments,
            checked: body.around(&call).or_else(|| body.of_result()),
            call,
            is_around: search.is_in_closure,
        })
    }
}

/// A body around the statement with a call.
struct CallBody {
    items: Vec<Stmt>,
    before: Vec<Stmt>,
    statement: Stmt,
    after: Vec<Stmt>,
}

impl CallBody {
    /// Returns the items and statements that a value needs.
    fn needed(&self, statements: &[Stmt], value: &Expr) -> Vec<Stmt> {
        let body = [&self.items[..], statements].concat();
        needed_statements(body, mentioned(value))
    }

    /// Returns the operand of the assertion that makes the call.
    fn around(&self, call: &Expr) -> Option<(Vec<Stmt>, Expr)> {
        let names = mentioned(call);
        let mut operands = operands(&self.statement).into_iter();
        let value = operands.find(|it| names.is_subset(&mentioned(it)))?;
        Some((self.needed(&self.before, &value), value))
    }

    /// Returns what later assertions look at in the call's result.
    fn of_result(&self) -> Option<(Vec<Stmt>, Expr)> {
        let Stmt::Local(local) = &self.statement else {
            return None;
        };
        let result = mentioned(&local.pat);
        let values = self.after.iter().flat_map(operands);
        let values = values.filter(|it| !mentioned(it).is_disjoint(&result));
        let values: Vec<Expr> = values.take(CHECKED).collect();
        let value = match &values[..] {
            [] => return None,
            [only] => only.clone(),
            values => syn::parse_quote!((#(#values),*)),
        };
        let statements = [&self.before[..], std::slice::from_ref(&self.statement)].concat();
        Some((self.needed(&statements, &value), value))
    }
}

/// Returns the value that a statement computes.
fn value_of(statement: &Stmt) -> Option<Expr> {
    match statement {
        Stmt::Local(local) => Some((*local.init.as_ref()?.expr).clone()),
        Stmt::Expr(value, _) => Some(value.clone()),
        _ => operands(statement).into_iter().next(),
    }
}

/// Returns the values that an assertion is about.
fn operands(statement: &Stmt) -> Vec<Expr> {
    let Stmt::Macro(statement) = statement else {
        return Vec::new();
    };
    let name = statement.mac.path.segments.last();
    let count = match name.map(|it| it.ident.to_string()).as_deref() {
        Some("assert") => 1,
        Some("assert_eq") => 2,
        _ => return Vec::new(),
    };
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    let arguments = statement.mac.parse_body_with(parser);
    let operands = arguments.into_iter().flatten().take(count);
    operands.filter(|it| !matches!(it, Expr::Lit(_))).collect()
}

/// Returns the bodies of functions without parameters, or the code itself.
fn bodies(code: TokenStream) -> Vec<Vec<Stmt>> {
    if let Ok(file) = syn::parse2::<File>(code.clone()) {
        return of_items(file.items);
    }
    let Ok(block) = syn::parse2::<Block>(quote!({ #code })) else {
        return Vec::new();
    };
    vec![block.stmts]
}

/// Attributes of tests that don't run, or have to fail.
const NOT_RUN: [&str; 2] = ["ignore", "should_panic"];

fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|it| it.path().is_ident(name))
}

fn of_items(items: Vec<Item>) -> Vec<Vec<Stmt>> {
    let (mut shared, mut functions, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for item in items {
        match item {
            Item::Fn(item) if NOT_RUN.iter().any(|it| has(&item.attrs, it)) => {}
            Item::Fn(item) if item.sig.inputs.is_empty() => functions.push(item.block.stmts),
            Item::Mod(item) => found.extend(of_items(item.content.unwrap_or_default().1)),
            item => shared.push(Stmt::Item(item)),
        }
    }
    let whole = |body: Vec<Stmt>| shared.iter().cloned().chain(body).collect();
    found.extend(functions.into_iter().map(whole));
    found
}

/// Returns the code of a test module as another crate writes it.
fn from_outside(code: TokenStream, crate_name: &str) -> TokenStream {
    let tokens = code.into_iter().map(|token| match token {
        TokenTree::Ident(it) if it == "crate" || it == "super" => {
            Ident::new(crate_name, it.span()).into()
        }
        TokenTree::Group(it) => {
            let inner = from_outside(it.stream(), crate_name);
            proc_macro2::Group::new(it.delimiter(), inner).into()
        }
        token => token,
    });
    tokens.collect()
}

/// The first call of a function, which is replaced by a call by path.
struct CallSearch<'f> {
    function: &'f PublicFunction<'f>,
    found: Option<(Expr, Vec<Expr>)>,
    /// Set if it is in a closure.
    is_in_closure: bool,
}

impl VisitMut for CallSearch<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if self.found.is_some() {
            return;
        }
        if let Some(arguments) = self.arguments(expression) {
            if let Some(call) = self.by_path(&arguments) {
                *expression = call;
            }
            self.found = Some((expression.clone(), arguments));
            return;
        }
        visit_expr_mut(self, expression);
    }

    fn visit_macro_mut(&mut self, called: &mut Macro) {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(mut arguments) = called.parse_body_with(parser) {
            arguments.iter_mut().for_each(|it| self.visit_expr_mut(it));
            if self.found.is_some() {
                called.tokens = arguments.into_token_stream();
            }
        }
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        let is_before = self.found.is_some();
        visit_expr_closure_mut(self, closure);
        self.is_in_closure |= !is_before && self.found.is_some();
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl CallSearch<'_> {
    /// Returns the arguments if the expression calls the function.
    fn arguments(&self, expression: &Expr) -> Option<Vec<Expr>> {
        let signature = self.function.signature;
        let name = &signature.ident;
        let arguments: Vec<Expr> = match expression {
            Expr::MethodCall(call) if call.method == *name => {
                let receiver = signature.receiver()?;
                let value = &call.receiver;
                let value = match (&receiver.reference, &receiver.mutability) {
                    (None, _) => syn::parse_quote!(#value),
                    (Some(_), None) => syn::parse_quote!(&#value),
                    (Some(_), Some(_)) => syn::parse_quote!(&mut #value),
                };
                [value]
                    .into_iter()
                    .chain(call.args.iter().cloned())
                    .collect()
            }
            Expr::Call(call) => {
                let Expr::Path(function) = &*call.func else {
                    return None;
                };
                let mut segments = function.path.segments.iter().rev().map(|it| &it.ident);
                let owner = self.function.owner_name();
                let is_named = segments.next() == Some(name);
                let is_of = |owner: &str| segments.next().is_some_and(|it| it == owner);
                let is_owned = owner.is_none_or(is_of);
                (is_named && is_owned).then(|| call.args.iter().cloned().collect())?
            }
            _ => return None,
        };
        (arguments.len() == signature.inputs.len()).then_some(arguments)
    }

    /// Returns the call by the function's path, which no method of another type has. An `impl` of
    /// a trait has no such path.
    fn by_path(&self, arguments: &[Expr]) -> Option<Expr> {
        let path = &self.function.path;
        let path: syn::ExprPath = syn::parse_str(path)
            .ok()
            .filter(|_| !path.starts_with('<'))?;
        Some(syn::parse_quote!(#path(#(#arguments),*)))
    }
}

/// Returns the statements that make or change the needed values.
fn needed_statements(body: Vec<Stmt>, mut needed: BTreeSet<String>) -> Vec<Stmt> {
    let bound = body.iter().filter_map(|it| match it {
        Stmt::Local(local) => Some(mentioned(&local.pat)),
        _ => None,
    });
    let bound: BTreeSet<String> = bound.flatten().collect();
    let (items, statements): (Vec<Stmt>, Vec<Stmt>) =
        body.into_iter().partition(|it| matches!(it, Stmt::Item(_)));
    let mut kept = Vec::new();
    for statement in statements.into_iter().rev() {
        let names = match &statement {
            Stmt::Local(local) => mentioned(&local.pat),
            Stmt::Macro(it) if is_check(&it.mac) => continue,
            statement => mentioned(statement).intersection(&bound).cloned().collect(),
        };
        if names.iter().any(|it| needed.contains(it)) {
            needed.extend(mentioned(&statement));
            kept.push(statement);
        }
    }
    let mut left = Vec::new();
    let mut others = items.clone();
    // An item may need others.
    while let Some(at) = others
        .iter()
        .position(|it| item_name(it).is_some_and(|it| needed.contains(&it)))
    {
        let item = others.remove(at);
        needed.extend(mentioned(&item));
        left.push(item);
    }
    let imports = imports(&items, &|name| name == "*" || needed.contains(name)).into_iter();
    imports.chain(left).chain(kept.into_iter().rev()).collect()
}

/// Returns the imports of the names that are kept.
fn imports(items: &[Stmt], is_kept: &dyn Fn(&str) -> bool) -> Vec<Stmt> {
    let imports = items.iter().filter_map(|item| match item {
        Stmt::Item(Item::Use(import)) => {
            let tree = kept_imports(import.tree.clone(), is_kept)?;
            let import = import.clone();
            Some(Stmt::Item(Item::Use(ItemUse { tree, ..import })))
        }
        _ => None,
    });
    imports.collect()
}

fn is_check(called: &Macro) -> bool {
    let name = called.path.segments.last();
    name.is_some_and(|it| CHECKS.iter().any(|check| it.ident == check))
}

fn item_name(statement: &Stmt) -> Option<String> {
    let Stmt::Item(item) = statement else {
        return None;
    };
    Some(match item {
        Item::Const(it) => plain(&it.ident),
        Item::Enum(it) => plain(&it.ident),
        Item::Fn(it) => plain(&it.sig.ident),
        Item::Static(it) => plain(&it.ident),
        Item::Struct(it) => plain(&it.ident),
        Item::Trait(it) => plain(&it.ident),
        Item::Type(it) => plain(&it.ident),
        Item::Impl(it) => last_word(&it.self_ty)?,
        _ => return None,
    })
}

fn kept_imports(tree: UseTree, is_kept: &dyn Fn(&str) -> bool) -> Option<UseTree> {
    match tree {
        UseTree::Path(path) if path.ident == "self" => kept_imports(*path.tree, is_kept),
        UseTree::Path(mut path) => {
            path.tree = Box::new(kept_imports(*path.tree, is_kept)?);
            Some(UseTree::Path(path))
        }
        UseTree::Name(ref name) => is_kept(&plain(&name.ident)).then_some(tree),
        UseTree::Rename(ref name) => is_kept(&plain(&name.rename)).then_some(tree),
        UseTree::Glob(_) => is_kept("*").then_some(tree),
        UseTree::Group(mut group) => {
            let trees = group.items.into_iter();
            let trees: Punctuated<UseTree, Token![,]> =
                trees.filter_map(|it| kept_imports(it, is_kept)).collect();
            group.items = trees;
            (!group.items.is_empty()).then_some(UseTree::Group(group))
        }
    }
}

/// Returns the names in code, but not those in imports.
fn mentioned(code: &impl ToTokens) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut is_import = false;
    each(code.to_token_stream(), &mut |tokens, at| {
        match &tokens[at] {
            TokenTree::Ident(it) if it == "use" => is_import = true,
            TokenTree::Punct(it) if it.as_char() == ';' => is_import = false,
            TokenTree::Ident(it) if !is_import => drop(names.insert(plain(it))),
            _ => {}
        }
        true
    });
    names
}
