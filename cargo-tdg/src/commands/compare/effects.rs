//! Functions that reach out of the process, or whose outputs depend on more than their arguments.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::Item;

use crate::sources::tokens::last_word;
use crate::sources::{Sources, associated_functions, plain};

/// Modules and types with such an effect, as they stand before `::`, with what it is about.
const PATHS: [(&str, &str); 22] = [
    ("File", "files"),
    ("OpenOptions", "files"),
    ("fs", "files"),
    ("tempfile", "files"),
    ("walkdir", "files"),
    ("TcpStream", "the network"),
    ("TcpListener", "the network"),
    ("UdpSocket", "the network"),
    ("UnixStream", "the network"),
    ("reqwest", "the network"),
    ("ureq", "the network"),
    ("Command", "processes"),
    ("process", "processes"),
    ("libc", "the system"),
    ("env", "the environment"),
    ("SystemTime", "the clock"),
    ("Instant", "the clock"),
    ("Utc", "the clock"),
    ("Local", "the clock"),
    ("RandomState", "randomness"),
    ("OsRng", "randomness"),
    ("Uuid", "randomness"),
];

/// Functions with such an effect, which may be imported.
const FUNCTIONS: [(&str, &str); 14] = [
    ("read_dir", "files"),
    ("read_to_string", "files"),
    ("remove_file", "files"),
    ("remove_dir", "files"),
    ("remove_dir_all", "files"),
    ("create_dir", "files"),
    ("create_dir_all", "files"),
    ("canonicalize", "files"),
    ("current_dir", "the environment"),
    ("stdin", "standard input"),
    ("sleep", "the clock"),
    ("thread_rng", "randomness"),
    ("getrandom", "randomness"),
    ("new_v4", "randomness"),
];

/// The effects of the functions of a crate, by the names of type and function.
pub(super) struct Effects(BTreeMap<Named, &'static str>);

/// The type of a function, if it has one, and its name.
type Named = (Option<String>, String);

/// What a function's code names.
#[derive(Default)]
struct FunctionBody {
    effect: Option<&'static str>,
    /// `function(…)`, `Type::function(…)`
    calls: BTreeSet<Named>,
    /// `.function(…)`
    methods: BTreeSet<String>,
}

impl Effects {
    pub(super) fn of(sources: &Sources) -> Self {
        let mut bodies: BTreeMap<Named, FunctionBody> = BTreeMap::new();
        let mut add = |owner: Option<String>, name: String, tokens: TokenStream| {
            let body = bodies.entry((owner.clone(), name)).or_default();
            body.read(tokens, owner.as_deref());
        };
        for item in sources.modules.iter().flat_map(|it| &it.items) {
            if let Item::Fn(item) = item {
                add(None, plain(&item.sig.ident), item.block.to_token_stream());
            }
        }
        for (_, block, function) in associated_functions(sources) {
            let name = plain(&function.sig.ident);
            add(
                last_word(&block.self_ty),
                name,
                function.block.to_token_stream(),
            );
        }
        Self(spread(&bodies))
    }

    /// What the function reaches for, itself or through functions of the crate.
    pub(super) fn effect(&self, owner: Option<&str>, name: &str) -> Option<&'static str> {
        self.0
            .get(&(owner.map(str::to_owned), name.to_owned()))
            .copied()
    }
}

/// Callers have the effects of what they call.
fn spread(bodies: &BTreeMap<Named, FunctionBody>) -> BTreeMap<Named, &'static str> {
    let own = bodies
        .iter()
        .filter_map(|(name, body)| Some((name.clone(), body.effect?)));
    let mut effects: BTreeMap<Named, &'static str> = own.collect();
    loop {
        let methods: BTreeMap<&str, &'static str> = effects
            .iter()
            .filter(|((owner, _), _)| owner.is_some())
            .map(|((_, name), effect)| (name.as_str(), *effect))
            .collect();
        let reached = |body: &FunctionBody| {
            let called = body
                .calls
                .iter()
                .find_map(|name| effects.get(name).copied());
            called.or_else(|| {
                body.methods
                    .iter()
                    .find_map(|it| methods.get(&it[..]).copied())
            })
        };
        let new = bodies
            .iter()
            .filter(|(name, _)| !effects.contains_key(*name));
        let new: Vec<(Named, &'static str)> = new
            .filter_map(|(name, body)| Some((name.clone(), reached(body)?)))
            .collect();
        if new.is_empty() {
            return effects;
        }
        effects.extend(new);
    }
}

impl FunctionBody {
    fn read(&mut self, tokens: TokenStream, owner: Option<&str>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |at: Option<usize>, letter: char| {
            let token = at.and_then(|at| tokens.get(at));
            matches!(token, Some(TokenTree::Punct(it)) if it.as_char() == letter)
        };
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.read(group.stream(), owner),
                TokenTree::Ident(name) => {
                    let name = plain(name);
                    let is_field = is(at.checked_sub(1), '.');
                    let is_called = matches!(
                        tokens.get(at + 1),
                        Some(TokenTree::Group(it)) if it.delimiter() == Delimiter::Parenthesis
                    );
                    let known: &[_] =
                        match (is(Some(at + 1), ':') && is(Some(at + 2), ':'), is_called) {
                            (true, _) => &PATHS,
                            (_, true) if !is_field => &FUNCTIONS,
                            _ => &[],
                        };
                    if let Some((_, effect)) = known.iter().find(|(it, _)| *it == name) {
                        self.effect.get_or_insert(effect);
                    }
                    if !is_called {
                        continue;
                    }
                    if is_field {
                        self.methods.insert(name);
                        continue;
                    }
                    let around = match (is(at.checked_sub(1), ':'), at.checked_sub(3)) {
                        (true, Some(before)) => match &tokens[before] {
                            TokenTree::Ident(around) => Some(plain(around)),
                            _ => None,
                        },
                        _ => None,
                    };
                    let around = match around.as_deref() {
                        Some("Self") => owner.map(str::to_owned),
                        _ => around,
                    };
                    // A module's name in front says nothing about the type.
                    self.calls.insert((None, name.clone()));
                    if around.is_some() {
                        self.calls.insert((around, name));
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn effects_reach_callers_and_names_alone_have_none() {
        let source = r#"
            pub fn remove(path: &str) { std::fs::remove_dir_all(path).unwrap() }
            pub fn clean(path: &str) { remove(path) }
            pub struct Clock;
            impl Clock {
                pub fn now(&self) -> u64 { Instant::now().elapsed().as_secs() }
                pub fn tick(&self) -> u64 { self.now() + 1 }
            }
            pub fn ticked(clock: &Clock) -> u64 { clock.tick() }
            pub fn imported(path: &str) { remove_file(path) }
            pub fn process(text: &str) -> usize { text.len() }
            pub fn processed(text: &str) -> usize { process(text) + env!("LENGTH").len() }
            pub fn round(x: u8) -> u8 { if x == 0 { 0 } else { round(x - 1) } }
        "#;
        let read = |_: &Path| Ok(source.to_owned());
        let sources = Sources::read("shop", Path::new("src/lib.rs"), &read).unwrap();
        let effects = Effects::of(&sources);
        let functions = [
            (None, "remove"),
            (None, "clean"),
            (Some("Clock"), "now"),
            (Some("Clock"), "tick"),
            (None, "ticked"),
            (None, "imported"),
            (None, "process"),
            (None, "processed"),
            (None, "round"),
        ];
        let found = functions.map(|(owner, name)| effects.effect(owner, name).unwrap_or("none"));
        insta::assert_snapshot!(found.join(", "), @"files, files, the clock, the clock, the clock, files, none, none, none");
    }
}
