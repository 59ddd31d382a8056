//! The constants in the code of functions and in calls to them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{ImplItem, Item};

use super::{CodeConstants, call_arguments};
use crate::sources::tokens::each;
use crate::sources::{CallGraph, Examples, Sources, plain};

/// The maximum depth of calls that are followed for constants.
const DEPTH: usize = 3;

/// The constants of a crate's functions.
pub(crate) struct FunctionConstants<'s> {
    pub(super) calls: &'s CallGraph,
    /// `const` and `static` items by name.
    named: BTreeMap<String, CodeConstants>,
    /// Arguments in tests, examples and documentation, by the function's name.
    passed: BTreeMap<String, CodeConstants>,
    /// A cache by the names of type and function, since many arguments share a maker.
    known: RefCell<BTreeMap<(Option<String>, String), CodeConstants>>,
    /// A cache by function, parameter and depth, since many calls lead to the same ones.
    pub(super) compared: RefCell<BTreeMap<(usize, String, usize), CodeConstants>>,
}

impl<'s> FunctionConstants<'s> {
    pub(crate) fn new(sources: &Sources, calls: &'s CallGraph, examples: &Examples) -> Self {
        Self {
            passed: call_arguments::by_functions(examples),
            ..Self::of_sources(sources, calls)
        }
    }

    /// Returns the constants in the sources, without the arguments that tests and examples pass.
    pub(crate) fn of_sources(sources: &Sources, calls: &'s CallGraph) -> Self {
        Self {
            calls,
            named: named(sources),
            passed: BTreeMap::new(),
            known: RefCell::default(),
            compared: RefCell::default(),
        }
    }

    /// Returns the constants in the code of functions and of functions that they call.
    pub(crate) fn of_code(&self, functions: &BTreeSet<usize>) -> CodeConstants {
        let mut constants = CodeConstants::default();
        for code in self.calls.reached(functions, DEPTH) {
            self.read(&mut constants, code);
        }
        constants
    }

    /// Adds the constants in code, also those behind a name.
    pub(super) fn read(&self, constants: &mut CodeConstants, code: &TokenStream) {
        constants.read(code);
        each(code.clone(), &mut |tokens, at| {
            if let TokenTree::Ident(it) = &tokens[at]
                && let Some(named) = self.named.get(&plain(it))
            {
                constants.extend(named.clone());
            }
            true
        });
    }

    /// Returns the constants in calls to a function, first those that are arguments.
    pub(crate) fn passed_to(&self, owner: Option<&str>, name: &str) -> CodeConstants {
        let mut constants = CodeConstants::default();
        let short = name.rsplit("::").next().unwrap_or(name);
        let of_type = owner.map(|owner| format!("{owner}::{short}"));
        for name in of_type.iter().map(String::as_str).chain([short]) {
            constants.extend(self.passed.get(name).cloned().unwrap_or_default());
        }
        constants
    }

    /// Returns the constants in calls to a function and in its code. A table in the code doesn't
    /// displace the values that tests pass.
    pub(crate) fn of_function(&self, owner: Option<&str>, name: &str) -> CodeConstants {
        let key = (owner.map(str::to_owned), name.to_owned());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let mut constants = self.passed_to(owner, name);
        let position = self.calls.position(owner, name);
        constants.mix(self.of_code(&position.into_iter().collect()));
        self.known.borrow_mut().insert(key, constants.clone());
        constants
    }
}

fn named(sources: &Sources) -> BTreeMap<String, CodeConstants> {
    let mut named: BTreeMap<String, CodeConstants> = BTreeMap::new();
    let mut add = |name: &syn::Ident, value: &syn::Expr| {
        let constants = named.entry(plain(name)).or_default();
        constants.read(&value.to_token_stream());
    };
    for item in sources.modules.iter().flat_map(|it| &it.items) {
        match item {
            Item::Const(item) => add(&item.ident, &item.expr),
            Item::Static(item) => add(&item.ident, &item.expr),
            Item::Impl(block) => {
                for item in &block.items {
                    if let ImplItem::Const(item) = item {
                        add(&item.ident, &item.expr);
                    }
                }
            }
            _ => {}
        }
    }
    named.retain(|_, it| !it.is_data());
    named
}
