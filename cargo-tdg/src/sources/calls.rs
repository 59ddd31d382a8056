//! The call graph of a crate's functions.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Block, FnArg, Item, Signature};

use super::tokens::{each, is_punct, last_word};
use super::{
    Sources, associated_functions, parameter_name, plain, provided_functions, trait_function,
    trait_functions,
};

/// The type of an associated function, if any, and the function's name.
type Named = (Option<String>, String);

/// The functions of a crate by name, each with the functions that it calls.
///
/// An ambiguous name counts as a call of all functions that it may mean.
#[derive(Default)]
pub(crate) struct CallGraph {
    positions: BTreeMap<Named, usize>,
    /// All functions by their names alone, with their types.
    short_names: BTreeMap<String, Vec<(Option<String>, usize)>>,
    /// Associated functions by their names alone.
    methods: BTreeMap<String, Vec<usize>>,
    /// The functions of each of the crate's traits, by their names alone: on a generic type, a call
    /// may mean any.
    of_traits: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
    /// The names of the crate's traits.
    traits: BTreeSet<String>,
    bodies: Vec<TokenStream>,
    /// The names of the parameters.
    parameters: Vec<Vec<String>>,
    /// The calls, by the position of the caller.
    called: Vec<CalledFunctions>,
    is_wide: bool,
}

/// The functions that a function calls.
#[derive(Default)]
struct CalledFunctions {
    named: BTreeSet<usize>,
    /// The functions of each trait. A call means one of them.
    of_traits: BTreeSet<Vec<usize>>,
}

impl CalledFunctions {
    fn all(&self) -> impl Iterator<Item = usize> {
        let of_traits = self.of_traits.iter().flatten();
        self.named.iter().chain(of_traits).copied()
    }

    /// Returns what was found in the called functions. A call that means one of several functions
    /// may mean one without it.
    fn inherited<T: Copy>(&self, found: &[Option<T>]) -> Option<T> {
        let mut of_traits = self.of_traits.iter();
        let of_traits = || {
            of_traits.find_map(|them| {
                let are_all = them.iter().all(|it| found[*it].is_some());
                found[*them.first().filter(|_| are_all)?]
            })
        };
        let named = self.named.iter().find_map(|it| found[*it]);
        named.or_else(of_traits)
    }
}

impl CallGraph {
    /// Builds the graph. If `is_wide`, an unknown type may be any type under another name.
    pub(crate) fn new(sources: &Sources, is_wide: bool) -> Self {
        let named = bodies(sources);
        let traits: BTreeSet<String> = sources.traits().map(|(_, it)| plain(&it.ident)).collect();
        let positions: BTreeMap<Named, usize> = named.keys().cloned().zip(0..).collect();
        let mut graph = Self {
            traits: traits.clone(),
            positions: positions.clone(),
            is_wide,
            ..Self::default()
        };
        for ((owner, name), at) in positions {
            let (of_trait, short) = name.split_once("::").unzip();
            let short = short.unwrap_or(&name).to_owned();
            match of_trait.or(owner.as_deref()) {
                Some(it) if traits.contains(it) => {
                    let of_traits = graph.of_traits.entry(short.clone()).or_default();
                    of_traits.entry(it.to_owned()).or_default().push(at);
                }
                // The type that `.add(…)` is called on isn't known.
                Some(_) if of_trait.is_none() => {
                    graph.methods.entry(short.clone()).or_default().push(at);
                }
                _ => {}
            }
            let of_name = graph.short_names.entry(short.clone()).or_default();
            of_name.push((owner.clone(), at));
            graph.positions.entry((owner, short)).or_insert(at);
        }
        for ((owner, _), function) in named {
            graph.called.push(graph.calls(&function.body, owner));
            graph.bodies.push(function.body);
            graph.parameters.push(function.parameters);
        }
        graph
    }

    /// Returns the functions called by the code of a function of that type.
    fn calls(&self, body: &TokenStream, owner: Option<String>) -> CalledFunctions {
        let mut called = CalledFunctions::default();
        each(body.clone(), &mut |tokens, at| {
            let TokenTree::Ident(name) = &tokens[at] else {
                return true;
            };
            let name = plain(name);
            let is_of_value = is_punct(tokens, at.checked_sub(1), '.');
            // A function may be passed by name, but a name after `.` without a call is a field.
            let is_named = is_called(tokens, at) || is_punct(tokens, Some(at + 1), ':');
            if is_of_value && !is_named {
                return true;
            }
            if is_of_value {
                let own = owner.as_deref().filter(|it| !self.traits.contains(*it));
                let own: Vec<usize> = match own.filter(|_| is_of_self(tokens, at)) {
                    Some(owner) => self.of_name(&name, Some(owner)).collect(),
                    None => Vec::new(),
                };
                if !own.is_empty() {
                    called.named.extend(own);
                    return true;
                }
                called
                    .named
                    .extend(self.methods.get(&name).into_iter().flatten());
                called.of_traits.extend(self.of_any_type(&name));
                return true;
            }
            let around = match (is_punct(tokens, at.checked_sub(1), ':'), at.checked_sub(3)) {
                (true, Some(before)) => match &tokens[before] {
                    TokenTree::Ident(around) => Some(plain(around)),
                    _ => None,
                },
                _ => None,
            };
            let around = match around.as_deref() {
                Some("Self") => owner.clone(),
                _ => around,
            };
            // A module's name in the path doesn't determine the type.
            let is_of_type = around.is_some();
            let [plain, of_type] = [None, around].map(|it| self.positions.get(&(it, name.clone())));
            called.named.extend(plain.into_iter().chain(of_type));
            if is_of_type && of_type.is_none() {
                let methods = self.methods.get(&name).filter(|_| self.is_wide);
                called.of_traits.extend(self.of_any_type(&name));
                called.named.extend(methods.into_iter().flatten());
            }
            true
        });
        called
    }

    /// Returns the functions of each trait that a call on an unknown type may mean.
    fn of_any_type(&self, name: &str) -> impl Iterator<Item = Vec<usize>> {
        let of_traits = self.of_traits.get(name).into_iter();
        of_traits.flat_map(|it| it.values().cloned())
    }

    /// Searches the code of each function. Callers inherit the results of what they call.
    pub(crate) fn spread<T: Copy>(
        &self,
        find: impl Fn(&TokenStream) -> Option<T>,
    ) -> Vec<Option<T>> {
        let mut found: Vec<Option<T>> = self.bodies.iter().map(find).collect();
        loop {
            let callers = self.called.iter().zip(&found).enumerate();
            let callers = callers.filter(|(_, (_, own))| own.is_none());
            let new = callers
                .filter_map(|(caller, (called, _))| Some((caller, called.inherited(&found)?)));
            let new: Vec<(usize, T)> = new.collect();
            if new.is_empty() {
                return found;
            }
            new.into_iter()
                .for_each(|(caller, it)| found[caller] = Some(it));
        }
    }

    /// Returns the position of a function.
    pub(crate) fn position(&self, owner: Option<&str>, name: &str) -> Option<usize> {
        let named = (owner.map(str::to_owned), name.to_owned());
        self.positions.get(&named).copied()
    }

    /// Returns the position of a function by a path such as `shapes::<Square as Area>::area`.
    pub(crate) fn of_path(&self, path: &str) -> Option<usize> {
        let Some((owner, name)) = named_by(path) else {
            return self.position(None, path);
        };
        let of_type = self.position(Some(owner), name);
        of_type.or_else(|| self.position(None, name))
    }

    /// Returns the functions with a name, including trait functions, of one type or of all.
    pub(crate) fn of_name(&self, name: &str, owner: Option<&str>) -> impl Iterator<Item = usize> {
        let named = self.short_names.get(name).into_iter().flatten();
        let named = named.filter(move |(of, _)| owner.is_none() || of.as_deref() == owner);
        named.map(|(_, at)| *at)
    }

    pub(super) fn body(&self, position: usize) -> &TokenStream {
        &self.bodies[position]
    }

    /// Returns the function that the name of a call means, with its parameters, if only one does.
    pub(super) fn parameters_at(
        &self,
        tokens: &[TokenTree],
        at: usize,
    ) -> Option<(usize, &[String])> {
        let TokenTree::Ident(name) = &tokens[at] else {
            return None;
        };
        let name = plain(name);
        let before = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
        let function = match is_punct(tokens, at.checked_sub(1), '.') {
            true => match self.methods.get(&name)?[..] {
                [only] => only,
                _ => return None,
            },
            false => {
                let owner = match (is_punct(tokens, at.checked_sub(1), ':'), before(3)) {
                    (true, Some(TokenTree::Ident(owner))) => Some(plain(owner)),
                    _ => None,
                };
                let of = |owner| self.positions.get(&(owner, name.clone()));
                *of(owner).or_else(|| of(None))?
            }
        };
        Some((function, &self.parameters[function]))
    }

    /// Returns the functions whose code differs from that in another version.
    pub(crate) fn changed_since(&self, before: &Self) -> BTreeSet<usize> {
        let both = self.positions.iter().filter_map(|(named, now)| {
            let then = before.positions.get(named)?;
            Some((*now, before.bodies[*then].to_string()))
        });
        let changed = both.filter(|(now, then)| self.bodies[*now].to_string() != *then);
        changed.map(|(now, _)| now).collect()
    }

    /// Returns how many calls lead to the nearest of some functions, for all that call them.
    pub(crate) fn distances(&self, to: &BTreeSet<usize>) -> BTreeMap<usize, usize> {
        let mut distances: BTreeMap<usize, usize> = to.iter().map(|it| (*it, 0)).collect();
        for distance in 1.. {
            let callers = self.called.iter().enumerate();
            let callers = callers.filter(|(at, called)| {
                let reaches = called.all().any(|it| distances.contains_key(&it));
                reaches && !distances.contains_key(at)
            });
            let new: Vec<usize> = callers.map(|(at, _)| at).collect();
            if new.is_empty() {
                break;
            }
            distances.extend(new.into_iter().map(|it| (it, distance)));
        }
        distances
    }

    /// Returns the functions that another crate's code calls.
    pub(crate) fn called_by(&self, code: &TokenStream) -> BTreeSet<usize> {
        self.calls(code, None).all().collect()
    }

    /// Returns a name such as `Order::total`.
    pub(crate) fn name(&self, position: usize) -> String {
        let named = self.positions.iter().rfind(|(_, it)| **it == position);
        match named {
            Some(((Some(owner), name), _)) => format!("{owner}::{name}"),
            Some(((None, name), _)) => name.clone(),
            None => String::new(),
        }
    }

    /// Returns the code of functions and of those they call up to `depth` deep, nearest first.
    pub(crate) fn reached(&self, start: &BTreeSet<usize>, depth: usize) -> Vec<&TokenStream> {
        let mut reached: Vec<usize> = start.iter().copied().collect();
        let mut layer = 0..reached.len();
        let mut known = start.clone();
        for _ in 0..=depth {
            let called = reached[layer.clone()]
                .iter()
                .flat_map(|it| self.called[*it].all());
            let new: BTreeSet<usize> = called.filter(|it| known.insert(*it)).collect();
            if new.is_empty() {
                break;
            }
            layer = reached.len()..reached.len() + new.len();
            reached.extend(new);
        }
        reached.into_iter().map(|it| &self.bodies[it]).collect()
    }
}

#[derive(Default)]
struct FunctionCode {
    body: TokenStream,
    parameters: Vec<String>,
}

/// Returns the code of all functions by name.
fn bodies(sources: &Sources) -> BTreeMap<Named, FunctionCode> {
    let mut named: BTreeMap<Named, FunctionCode> = BTreeMap::new();
    let mut add = |owner: Option<String>, name: String, signature: &Signature, block: &Block| {
        let code = named.entry((owner, name)).or_default();
        code.body.extend(block.to_token_stream());
        code.parameters = parameter_names(signature);
    };
    for item in sources.modules.iter().flat_map(|it| &it.items) {
        if let Item::Fn(item) = item {
            add(None, plain(&item.sig.ident), &item.sig, &item.block);
        }
    }
    for (_, block, function) in associated_functions(sources) {
        let name = plain(&function.sig.ident);
        let owner = last_word(&block.self_ty);
        add(owner, name, &function.sig, &function.block);
    }
    for (_, block, of_trait, function) in trait_functions(sources) {
        let name = trait_function(&of_trait.ident, &function.sig.ident);
        let owner = last_word(&block.self_ty);
        add(owner, name, &function.sig, &function.block);
    }
    for (_, of_trait, function) in provided_functions(sources) {
        let block = function.default.iter();
        let (owner, name) = (plain(&of_trait.ident), plain(&function.sig.ident));
        block.for_each(|it| add(Some(owner.clone()), name.clone(), &function.sig, it));
    }
    named
}

fn parameter_names(signature: &Signature) -> Vec<String> {
    let inputs = signature.inputs.iter().enumerate();
    let names = inputs.map(|(at, input)| match input {
        FnArg::Receiver(_) => "self".to_owned(),
        FnArg::Typed(it) => parameter_name(at, &it.pat),
    });
    names.collect()
}

/// Returns the names of the type and of the function in a path.
pub(crate) fn named_by(path: &str) -> Option<(&str, &str)> {
    let (owner, name) = path.rsplit_once("::")?;
    // A module may be around `<Square as Area>`.
    let owner = owner.split_once("::<").map_or(owner, |(_, own)| own);
    let owner = owner
        .trim_start_matches('<')
        .split(['<', '>', ' '])
        .next()?;
    Some((owner.rsplit("::").next()?, name))
}

/// Returns true if parentheses follow.
pub(crate) fn is_called(tokens: &[TokenTree], at: usize) -> bool {
    matches!(
        tokens.get(at + 1),
        Some(TokenTree::Group(it)) if it.delimiter() == Delimiter::Parenthesis
    )
}

/// Returns true if the token is a method of `self`.
fn is_of_self(tokens: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(2).map(|at| &tokens[at]);
    matches!(before, Some(TokenTree::Ident(name)) if name == "self")
        && !is_punct(tokens, at.checked_sub(3), '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_are_farther_from_changed_code_than_it_is() {
        let graph = |code: &str| CallGraph::new(&Sources::of_code(code), false);
        let library = "
            pub fn outer(x: u8) -> u8 { middle(x) }
            fn middle(x: u8) -> u8 { if x > 3 { inner(x) } else { x } }
            fn inner(x: u8) -> u8 { x + 1 }
            pub fn other(x: u8) -> u8 { x }";
        let (then, now) = (graph(library), graph(&library.replace("x + 1", "x + 2")));
        let distances = now.distances(&now.changed_since(&then));
        let distance = |name| {
            let position = now.position(None, name);
            position.and_then(|it| distances.get(&it)).copied()
        };
        let found = ["inner", "middle", "outer", "other"].map(distance);
        assert_eq!(found, [Some(0), Some(1), Some(2), None]);
    }
}
