//! The functions of a package at both revisions: paired for calls, or skipped with a reason.

mod changed_code;
mod code;
mod names;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, mem};

use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Item, Path as SynPath, Token};

use self::code::CodeAround;
use self::names::FunctionNames;
use super::Compare;
use crate::error::Result;
use crate::plan::{PlannedCall, PlannedTypes, SharedCall};
use crate::sides::ComparedSide;
use crate::sources::tokens::short_text;
use crate::sources::{
    CallGraph, CodeConstants, Effects, Examples, FunctionConstants, PublicFunction, Sources,
    UncalledItems, Unsupported, named_by, public_functions, rust_files, shared_paths,
};
use crate::terminal::note;
use crate::workspace::Package;

pub(crate) use self::changed_code::ChangedCode;

/// The public functions of a package at one revision.
#[derive(Default)]
pub(crate) struct Functions {
    by_name: BTreeMap<String, PlannedFunction>,
    /// The code around the functions, if code is compared.
    around: Option<CodeAround>,
    /// Public items that no call shows.
    uncalled: UncalledItems,
    /// Their calls of each other and of private functions.
    graph: CallGraph,
    /// Unparsed code: of macros, and of files that only macros include.
    unseen: String,
    /// Set if some code can't be parsed.
    is_partial: bool,
}

struct PlannedFunction {
    /// Its type parameters and its parameters, as written.
    parameters: [String; 2],
    /// The possible ways to call it.
    calls: Result<Vec<PlannedCall>, Unsupported>,
    /// The resource that it uses outside of its process.
    effect: Option<&'static str>,
    constants: CodeConstants,
    /// A digest of its code, if code is compared.
    code: Option<u64>,
    /// Its position in the graph.
    position: Option<usize>,
}

impl PlannedFunction {
    fn new(
        function: &PublicFunction<'_>,
        calls: Result<Vec<PlannedCall>, Unsupported>,
        effects: &Effects<'_>,
        constants: &FunctionConstants<'_>,
    ) -> Self {
        let owner = function.owner_name();
        let called = function.called();
        let effect = effects.effect(owner, &called);
        let makers = calls.iter().flatten().flat_map(PlannedCall::makers);
        let mut known = constants.of_function(owner, &called);
        for (owner, name) in makers.filter_map(named_by).collect::<BTreeSet<_>>() {
            known.mix(constants.of_function(Some(owner), name));
        }
        let signature = function.signature;
        Self {
            parameters: [
                short_text(&signature.generics),
                short_text(&signature.inputs),
            ],
            calls,
            effect,
            constants: known,
            code: None,
            position: None,
        }
    }
}

/// The paired functions of both revisions.
#[derive(Default)]
pub(crate) struct Paired {
    /// Functions that exist on both sides.
    pub(crate) names: Vec<String>,
    /// The possible ways to call each function.
    pub(crate) calls: Vec<Vec<SharedCall>>,
    /// Constants in the code of called functions.
    pub(crate) constants: BTreeMap<String, CodeConstants>,
    /// The number of functions that are skipped because their code is the same.
    pub(crate) unchanged: usize,
    /// Skipped functions with the reasons.
    pub(crate) skipped: BTreeMap<String, String>,
    /// How many calls lead from a function to changed code, if any do.
    pub(crate) distances: BTreeMap<String, usize>,
    pub(crate) changed_code: ChangedCode,
    /// Functions with a changed signature, each with a description.
    pub(crate) resigned: BTreeMap<String, &'static str>,
    pub(crate) added: Vec<String>,
    pub(crate) removed: Vec<String>,
    /// Public items that no call shows.
    pub(crate) uncalled: UncalledItems,
}

impl Functions {
    /// Reads the selected library functions of both sides; none if the package has no library.
    pub(crate) fn of_both(
        sides: &[ComparedSide; 2],
        packages: [&Package; 2],
        options: &Compare,
    ) -> Result<[Self; 2]> {
        let read = |side: usize| read(&sides[side], packages[side]);
        let [mut then, mut now] = [read(0)?, read(1)?];
        if let (Some((then, _)), Some((now, _))) = (&mut then, &mut now) {
            then.write_derived(now);
            now.write_derived(then);
            now.shared_paths = shared_paths(then, now);
            then.shared_paths.clone_from(&now.shared_paths);
        }
        let sources = [&then, &now].map(|it| it.as_ref().map(|(sources, _)| sources));
        let names = FunctionNames::new(sources);
        let of = |side: usize, read: Option<_>| match read {
            Some(read) => Self::new(&sides[side], packages[side], read, (&names, options)),
            None => Ok(Self::default()),
        };
        Ok([of(0, then)?, of(1, now)?])
    }

    fn new(
        side: &ComparedSide,
        package: &Package,
        (sources, unseen): (Sources, String),
        (names, options): (&FunctionNames, &Compare),
    ) -> Result<Self> {
        let graph = CallGraph::new(&sources, false);
        let effects = Effects::new(&graph, &sources);
        let examples = Examples::new(&sources, &package.directory);
        let constants = FunctionConstants::new(&sources, &graph, &examples);
        let effect_of = |path: &str| effects.of_path(path);
        let types = [false, true].map(|is_allowed| PlannedTypes::new(&effect_of, is_allowed));
        let around = || CodeAround::new(side, package, &sources);
        let around = options.changed.then(around).transpose()?;
        let mut by_name = BTreeMap::new();
        for function in public_functions(&sources) {
            let name = names.of(&function);
            if ![&*name, function.name()]
                .iter()
                .any(|it| options.is_asked(it))
            {
                continue;
            }
            let is_allowed = options.allow.contains(&name);
            let types = &types[usize::from(is_allowed)];
            let calls = PlannedCall::alternatives(&function, &name, types);
            let mut planned = PlannedFunction::new(&function, calls, &effects, &constants);
            let (owner, called) = (function.owner_name(), function.called());
            let around = around.as_ref();
            planned.code = around.and_then(|it| it.of_function(owner, &called));
            planned.position = graph.position(owner, &called);
            by_name.insert(name, planned);
        }
        Ok(Self {
            by_name,
            unseen,
            is_partial: !sources.unread.is_empty(),
            around,
            uncalled: UncalledItems::new(&sources),
            graph,
        })
    }

    /// Returns the selected functions of a package that only the earlier side has.
    pub(crate) fn gone(
        side: &ComparedSide,
        package: &Package,
        options: &Compare,
    ) -> Result<Paired> {
        let read = read(side, package)?;
        let functions = read
            .iter()
            .flat_map(|(sources, _)| public_functions(sources));
        let names = functions.map(|it| it.name().to_owned());
        Ok(Paired {
            removed: names.filter(|it| options.is_asked(it)).collect(),
            ..Paired::default()
        })
    }

    /// Returns true if unparsed code may contain a function with this name.
    fn may_have(&self, name: &str) -> bool {
        let name = name.split(" of ").next().unwrap_or(name);
        let short = name.rsplit("::").next().unwrap_or(name);
        let mut impls = written_impl(name).into_iter().flatten();
        impls.any(|it| self.unseen.contains(&it)) || self.has_unseen(&format!("fn {short}"))
    }

    /// Returns true if the type of a function is an alias or a trait now, or is in unparsed code.
    fn has_moved_owner(&self, name: &str, before: &Self) -> bool {
        let mut types = owner_type(name).into_iter().flatten();
        types.any(|it| self.has_unseen(&it) && !before.has_unseen(&it))
    }

    /// Returns true if unparsed code contains these words.
    fn has_unseen(&self, words: &str) -> bool {
        let mut found = self.unseen.match_indices(words);
        found.any(|(at, words)| {
            let next = self.unseen[at + words.len()..].chars().next();
            !next.is_some_and(|it| it.is_alphanumeric() || it == '_')
        })
    }

    /// Pairs the functions of two revisions. Functions with effects are called only if `allowed`,
    /// and functions whose code is known to be the same are skipped.
    pub(crate) fn paired(before: &Self, mut after: Self, allowed: &[String]) -> Paired {
        let around = before.around.as_ref().zip(after.around.as_ref());
        let is_same_around = around.is_some_and(|(then, now)| then.is_same(now));
        let both = after.by_name.iter();
        let both = both.filter(|(name, _)| before.by_name.contains_key(*name));
        let positions = both.filter_map(|(name, it)| Some((name.clone(), it.position?)));
        let positions = positions.collect();
        let code = ChangedCode::new(&before.graph, mem::take(&mut after.graph), positions);
        let mut paired = Paired {
            uncalled: mem::take(&mut after.uncalled),
            distances: code.distances(),
            changed_code: code,
            ..Paired::default()
        };
        for name in after.by_name.keys() {
            paired.add_new(name, before);
        }
        for (name, then) in &before.by_name {
            let Some(now) = after.by_name.get(name) else {
                paired.lose(name, before, &after);
                continue;
            };
            paired.names.push(name.clone());
            let effect = then
                .effect
                .or(now.effect)
                .filter(|_| !allowed.contains(name));
            match (&then.calls, &now.calls, effect) {
                (Err(reason), _, _) | (_, Err(reason), _) => paired.skip(name, &reason.to_string()),
                (Ok(_), Ok(_), _)
                    if is_same_around && then.code.is_some() && then.code == now.code =>
                {
                    paired.unchanged += 1;
                }
                (_, _, Some(effect)) => paired.skip(
                    name,
                    &format!("accesses {effect}; to call it: --allow {name}"),
                ),
                (Ok(before), Ok(after), None) => {
                    let constants = then.constants.of_both(&now.constants);
                    paired.constants.insert(name.clone(), constants);
                    let is_resigned = then.parameters != now.parameters;
                    paired.pair(name, before, after, is_resigned);
                }
            }
        }
        paired
    }
}

/// Reads the library's sources, if any, along with its unparsed code.
fn read(side: &ComparedSide, package: &Package) -> Result<Option<(Sources, String)>> {
    let Some(library) = &package.library else {
        return Ok(None);
    };
    let seen = RefCell::new(BTreeSet::new());
    let read = |path: &Path| {
        seen.borrow_mut().insert(path.to_owned());
        fs::read_to_string(path)
    };
    let folder = format!("{}/", package.directory.display());
    let sources = Sources::read_built(library, &side.features(package), &read);
    let sources = sources.map_err(|error| side.error(&error.to_string().replace(&folder, "")))?;
    for unread in &sources.unread {
        let unread = unread.replace(&folder, "");
        note(&format!(
            "{}: {unread}; that code is not compared",
            side.label
        ));
    }
    let files = library.root.parent().map(rust_files).unwrap_or_default();
    let files = files.into_iter().filter(|it| !seen.borrow().contains(it));
    let files = files.filter_map(|it| fs::read_to_string(it).ok());
    let unseen = macros(&sources).chain(files).collect();
    Ok(Some((sources, unseen)))
}

/// Returns the code of the library's macros and of their invocations, code that isn't parsed, the
/// names of aliases and traits, and the impls that macros write for types.
fn macros(sources: &Sources) -> impl Iterator<Item = String> {
    let items = sources.modules.iter().flat_map(|it| &it.items);
    items.flat_map(|item| match item {
        Item::Macro(item) => vec![item.mac.tokens.to_string()],
        Item::Verbatim(code) => vec![code.to_string()],
        Item::Type(alias) => vec![format!("\ntype {}\n", alias.ident)],
        Item::Trait(it) => vec![format!("\ntrait {}\n", it.ident)],
        Item::Struct(it) => written_impls(&it.ident, &it.attrs),
        Item::Enum(it) => written_impls(&it.ident, &it.attrs),
        _ => Vec::new(),
    })
}

/// Tools with attributes that write nothing.
const TOOLS: [&str; 3] = ["clippy", "diagnostic", "rustfmt"];

/// Returns a line for each trait that a type derives, and for a macro of another crate, which may
/// implement any.
fn written_impls(name: &Ident, attributes: &[Attribute]) -> Vec<String> {
    let mut impls = Vec::new();
    for attribute in attributes {
        let path = attribute.path();
        if path.is_ident("derive") {
            let paths = Punctuated::<SynPath, Token![,]>::parse_terminated;
            let traits = attribute.parse_args_with(paths).into_iter().flatten();
            let traits = traits.filter_map(|it| Some(it.segments.last()?.ident.to_string()));
            impls.extend(traits.map(|it| format!("\nimpl {it} for {name}\n")));
        } else if path.segments.len() > 1 && !TOOLS.iter().any(|it| path.segments[0].ident == it) {
            impls.push(format!("\nimpl _ for {name}\n"));
        }
    }
    impls
}

/// Returns the lines that a function of a trait, `<Mark as From<Area>>::from`, may be written by.
fn written_impl(name: &str) -> Option<[String; 2]> {
    let (kind, of_trait) = name.strip_prefix('<')?.split_once(" as ")?;
    let kind = last_name(kind);
    Some([last_name(of_trait), "_"].map(|it| format!("\nimpl {it} for {kind}\n")))
}

/// Returns the beginnings of a type, an alias or a trait with this function, `Mark::area`.
fn owner_type(name: &str) -> Option<[String; 5]> {
    let owner = match name.strip_prefix('<') {
        Some(name) => name.split_once(" as ")?.0,
        None => name.rsplit_once("::")?.0,
    };
    let owner = last_name(owner);
    let is_type = owner.starts_with(char::is_uppercase);
    is_type.then(|| ["enum", "struct", "trait", "type", "union"].map(|it| format!("{it} {owner}")))
}

fn last_name(path: &str) -> &str {
    let path = path.split(['<', '>']).next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path)
}

impl Paired {
    fn skip(&mut self, name: &str, reason: &str) {
        self.skipped.insert(name.to_owned(), reason.to_owned());
    }

    /// Adds a function that wasn't there before, if so. Code that isn't parsed may have had it.
    fn add_new(&mut self, name: &str, before: &Functions) {
        let is_there = before.by_name.contains_key(name);
        match before.is_partial && before.may_have(name) {
            _ if is_there => {}
            true => self.skip(name, "wasn't found before, in code that can't be parsed"),
            false => self.added.push(name.to_owned()),
        }
    }

    fn lose(&mut self, name: &str, before: &Functions, after: &Functions) {
        match after.may_have(name) || after.has_moved_owner(name, before) {
            true => self.skip(
                name,
                "is no longer found: a macro may write it, its type may be an alias or a \
                 trait now, or a feature leaves it out",
            ),
            false => self.removed.push(name.to_owned()),
        }
    }

    fn pair(&mut self, name: &str, then: &[PlannedCall], now: &[PlannedCall], is_resigned: bool) {
        let mut common: Vec<PlannedCall> = Vec::new();
        for now in now {
            let call = then.iter().find_map(|then| now.common(then));
            common.extend(call.filter(|it| !common.contains(it)));
        }
        let mut calls: Vec<SharedCall> = common.iter().map(SharedCall::new).collect();
        if calls.is_empty() {
            calls.extend(SharedCall::paired(&then[0], &now[0]));
            let is_same = calls.first().is_some_and(|it| !it.is_different());
            if is_resigned && !is_same {
                self.resigned
                    .insert(name.to_owned(), "takes different arguments now");
            } else if calls.is_empty() {
                self.skip(name, "no arguments can be made for both sides");
            }
        }
        if !calls.is_empty() {
            self.calls.push(calls);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_may_write_the_impls_of_a_type() {
        let may_have = |code: &str, name: &str| {
            let item: syn::ItemEnum = syn::parse_str(code).unwrap();
            let unseen = written_impls(&item.ident, &item.attrs).concat();
            Functions {
                unseen,
                ..Functions::default()
            }
            .may_have(name)
        };
        let from = "<marks::Mark<'a> as From<Area<'a>>>::from";
        assert!(may_have("#[other::dispatch(Kind)] enum Mark { A }", from));
        assert!(may_have(
            "#[derive(Clone, derive_more::From)] enum Mark { A }",
            from
        ));
        assert!(!may_have(
            "#[derive(Clone)] #[rustfmt::skip] enum Mark { A }",
            from
        ));
        assert!(!may_have("#[derive(From)] enum Marks { A }", from));
        assert!(!may_have("#[derive(From)] enum Mark { A }", "Mark::from"));
    }

    #[test]
    fn functions_of_a_type_that_became_an_alias_a_trait_or_a_macros_are_not_gone() {
        let read = |code: &str| Functions {
            unseen: macros(&Sources::of_code(code)).collect(),
            ..Functions::default()
        };
        let before =
            read("pub struct Mark; pub struct Public; pub struct Gradient; pub trait Area {}");
        let after = read(
            "macro_rules! marks { ($it:ident) => { pub enum Mark<'x> { $it(&'x str) } }; }
             pub struct Key<T>(T); pub type Public = Key<u8>; pub trait Area {}
             pub trait Gradient { fn at(&self) -> f32; }",
        );
        let gone = |name: &str| {
            let mut paired = Paired::default();
            paired.lose(name, &before, &after);
            paired.removed
        };
        for name in [
            "names::Mark::len",
            "<Mark as Display>::fmt",
            "Public::len",
            "Gradient::at",
        ] {
            assert_eq!(gone(name), [""; 0]);
        }
        // A trait on both sides has lost a function.
        for name in ["Key::len", "names::len", "Marks::len", "Area::twice"] {
            assert_eq!(gone(name), [name]);
        }
    }
}
