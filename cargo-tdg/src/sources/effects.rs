//! Functions with side effects, or whose outputs depend on more than their arguments.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::Item;

use super::tokens::{each, is_punct};
use super::{CallGraph, Sources, associated_functions, derived, is_called, named_by, plain};

/// Modules and types with effects, as written before `::`, each with the resource.
const PATHS: [(&str, &str); 19] = [
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
    ("SystemTime", "the clock"),
    ("Instant", "the clock"),
    ("Utc", "the clock"),
    ("Local", "the clock"),
    ("OsRng", "randomness"),
];

/// Functions with effects, which may be imported.
const FUNCTIONS: [(&str, &str); 17] = [
    ("read_dir", "files"),
    ("read_to_string", "files"),
    ("remove_file", "files"),
    ("remove_dir", "files"),
    ("remove_dir_all", "files"),
    ("create_dir", "files"),
    ("create_dir_all", "files"),
    ("canonicalize", "files"),
    ("set_var", "the environment"),
    ("remove_var", "the environment"),
    ("set_current_dir", "the environment"),
    ("stdin", "standard input"),
    ("sleep", "the clock"),
    ("thread_rng", "randomness"),
    ("getrandom", "randomness"),
    ("new_v4", "randomness"),
    ("now_v7", "randomness"),
];

/// The effects of the functions of a crate.
pub(crate) struct Effects<'s> {
    calls: &'s CallGraph,
    own: OwnNames,
    /// Effects by the function's position.
    effects: Vec<Option<&'static str>>,
}

impl<'s> Effects<'s> {
    pub(crate) fn new(calls: &'s CallGraph, sources: &Sources) -> Self {
        let own = OwnNames::new(sources);
        let effects = calls.spread(|code| named_effect(code, &own));
        Self {
            calls,
            own,
            effects,
        }
    }

    /// Returns the resource that the function uses, directly or through the crate's functions.
    pub(crate) fn effect(&self, owner: Option<&str>, name: &str) -> Option<&'static str> {
        self.effects[self.calls.position(owner, name)?]
    }

    /// Returns the first resource that code outside of the crate uses, directly or through the
    /// crate's functions, of those that `is_meant`.
    pub(crate) fn of_code(
        &self,
        code: &TokenStream,
        is_meant: impl Fn(&str) -> bool,
    ) -> Option<&'static str> {
        let called = self.calls.called_by(code).into_iter();
        let called = called.filter_map(|it| self.effects[it]);
        let mut effects = named_effect(code, &self.own).into_iter().chain(called);
        effects.find(|it| is_meant(it))
    }

    /// Returns the effect of a path, which may include a type, a module or a trait.
    pub(crate) fn of_path(&self, path: &str) -> Option<&'static str> {
        let (owner, name) = named_by(path)?;
        let is_module = owner.starts_with(char::is_lowercase);
        let of_module = is_module.then(|| self.calls.position(None, name)).flatten();
        match self.calls.position(Some(owner), name).or(of_module) {
            Some(at) => self.effects[at],
            None => self
                .calls
                .of_name(name, None)
                .find_map(|it| self.effects[it]),
        }
    }
}

/// The names of the crate's types and functions, which have no effects by their names.
struct OwnNames {
    types: BTreeSet<String>,
    functions: BTreeSet<String>,
}

impl OwnNames {
    fn new(sources: &Sources) -> Self {
        let items = || sources.modules.iter().flat_map(|it| &it.items);
        let free = items().filter_map(|it| match it {
            Item::Fn(it) => Some(plain(&it.sig.ident)),
            _ => None,
        });
        let associated = associated_functions(sources).map(|(_, _, it)| plain(&it.sig.ident));
        Self {
            types: items().filter_map(|it| Some(derived(it)?.0)).collect(),
            functions: free.chain(associated).collect(),
        }
    }
}

/// Returns the first effect named in the code.
fn named_effect(code: &TokenStream, own: &OwnNames) -> Option<&'static str> {
    let mut effect = None;
    each(code.clone(), &mut |tokens, at| {
        if let TokenTree::Ident(name) = &tokens[at] {
            let is_field = is_punct(tokens, at.checked_sub(1), '.');
            let is_path =
                is_punct(tokens, Some(at + 1), ':') && is_punct(tokens, Some(at + 2), ':');
            let (known, own): (&[_], _) = match is_path {
                true => (&PATHS, &own.types),
                false if is_called(tokens, at) && !is_field => (&FUNCTIONS, &own.functions),
                false => (&[], &own.types),
            };
            let next = tokens.get(at + 3);
            let known = known.iter().find(|(it, _)| plain(name) == *it);
            let known = known.filter(|(it, effect)| !own.contains(*it) && has(effect, next));
            effect = effect.or(known.map(|(_, effect)| *effect));
        }
        effect.is_none()
    });
    effect
}

/// Returns true if a path with this continuation has the effect. A turbofish belongs to a method,
/// and a time may be a constant.
fn has(effect: &str, next: Option<&TokenTree>) -> bool {
    match next {
        Some(TokenTree::Punct(_)) => false,
        Some(TokenTree::Ident(name)) if effect == "the clock" => {
            ["now", "today", "elapsed"].iter().any(|it| name == it)
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
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
            impl Default for Clock { fn default() -> Self { Self::at(Instant::now()) } }
            pub fn made() -> Clock { Clock::default() }
            pub fn ticked(clock: &Clock) -> u64 { clock.tick() }
            pub fn imported(path: &str) { remove_file(path) }
            pub enum File { A, B }
            pub fn file(letter: char) -> bool { letter == 'a' && File::A != File::B }
            pub fn process(text: &str) -> usize { text.len() }
            pub mod rules { pub fn canonicalize(text: &str) -> usize { text.len() } }
            pub fn canonical(text: &str) -> usize { rules::canonicalize(text) }
            pub fn real(text: &str) -> bool { std::fs::canonicalize(text).is_ok() }
            pub fn processed(text: &str) -> usize { process(text) + env!("LENGTH").len() }
            pub trait Wipe { fn wipe(&self); fn twice(&self) { self.wipe(); self.wipe() } }
            impl Wipe for Clock { fn wipe(&self) { std::fs::remove_file("a").unwrap() } }
            pub fn generic(it: impl Wipe) { it.twice() }
            pub fn by_path<W: Wipe>(it: W) { W::wipe(&it) }
            impl Narrow for Board { fn write(&self) -> u64 { 0 } }
            impl Wide for Board { fn write(&self) -> u64 { std::fs::remove_file("a").unwrap() } }
            impl Board {
                pub fn saved(&self) -> u64 { self.write() }
                pub fn tick(&self) -> u64 { self.kept() }
                pub fn kept(&self) -> u64 { self.tick(); self.process::<u8>() + UNIX_EPOCH.max(SystemTime::UNIX_EPOCH) }
                fn process<T>(&self) -> u64 { 0 }
            }
            pub trait Load { fn load(&mut self, name: &str) -> String; }
            impl Load for Nothing { fn load(&mut self, _: &str) -> String { String::new() } }
            impl Load for Files { fn load(&mut self, n: &str) -> String { std::fs::read_to_string(n).unwrap() } }
            impl Template {
                pub fn new(s: &str) -> Template { Self::with(s, &mut Nothing) }
                fn with(s: &str, load: &mut impl Load) -> Template { Template(load.load(s) + s) }
            }
            pub fn round(x: u8) -> u8 { if x == 0 { 0 } else { round(x - 1) } }
        "#;
        let sources = Sources::of_code(source);
        let calls = CallGraph::new(&sources, false);
        let effects = Effects::new(&calls, &sources);
        let functions = [
            (None, "remove"),
            (None, "clean"),
            (Some("Clock"), "now"),
            (Some("Clock"), "tick"),
            (Some("Clock"), "Default::default"),
            (None, "made"),
            (None, "ticked"),
            (None, "imported"),
            (None, "file"),
            (None, "process"),
            (None, "processed"),
            (None, "canonical"),
            (None, "real"),
            (None, "generic"),
            (None, "by_path"),
            (None, "round"),
            (Some("Board"), "kept"),
            (Some("Board"), "saved"),
            (Some("Template"), "new"),
            (Some("Files"), "load"),
        ];
        let found = functions.map(|(owner, name)| effects.effect(owner, name).unwrap_or("none"));
        let paths = [
            "shop::disk::clean",
            "shop::Wipe::wipe",
            "<shop::Board<u8>>::kept",
        ];
        let of_paths = paths.map(|it| effects.of_path(it).unwrap_or("none"));
        assert_eq!(of_paths, ["files", "files", "none"]);
        insta::assert_snapshot!(found.join(", "), @"files, files, the clock, the clock, the clock, the clock, the clock, files, none, none, none, none, files, files, files, none, none, files, none, files");
    }
}
