//! Functions that reach out of the process, or whose outputs depend on more than their arguments.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::Item;

use crate::sources::tokens::last_word;
use crate::sources::{Sources, associated_functions, plain};

/// Names that stand for such an effect, with what it is about.
const NAMES: [(&str, &str); 34] = [
    ("File", "files"),
    ("OpenOptions", "files"),
    ("fs", "files"),
    ("read_dir", "files"),
    ("remove_file", "files"),
    ("remove_dir_all", "files"),
    ("create_dir_all", "files"),
    ("canonicalize", "files"),
    ("tempfile", "files"),
    ("walkdir", "files"),
    ("TcpStream", "the network"),
    ("TcpListener", "the network"),
    ("UdpSocket", "the network"),
    ("UnixStream", "the network"),
    ("ToSocketAddrs", "the network"),
    ("reqwest", "the network"),
    ("ureq", "the network"),
    ("Command", "processes"),
    ("process", "processes"),
    ("Stdio", "processes"),
    ("kill", "processes"),
    ("libc", "the system"),
    ("env", "the environment"),
    ("current_dir", "the environment"),
    ("stdin", "standard input"),
    ("SystemTime", "the clock"),
    ("Instant", "the clock"),
    ("Utc", "the clock"),
    ("Local", "the clock"),
    ("sleep", "the clock"),
    ("thread_rng", "randomness"),
    ("getrandom", "randomness"),
    ("RandomState", "randomness"),
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
        for (_, kind, function) in associated_functions(sources) {
            let name = plain(&function.sig.ident);
            add(last_word(kind), name, function.block.to_token_stream());
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
                    if let Some((_, effect)) = NAMES.iter().find(|(it, _)| *it == name)
                        && !is_field
                    {
                        self.effect.get_or_insert(effect);
                    }
                    let is_called = matches!(
                        tokens.get(at + 1),
                        Some(TokenTree::Group(it)) if it.delimiter() == proc_macro2::Delimiter::Parenthesis
                    );
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
