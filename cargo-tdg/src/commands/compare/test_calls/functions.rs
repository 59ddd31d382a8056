//! The functions of a source file. Most can record their calls.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::Path;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    AttrStyle, Attribute, Block, FnArg, GenericParam, Generics, ImplItem, Item, ItemImpl, Pat,
    ReturnType, Signature, TraitItem, Type,
};

use crate::sources::edit::parse;
use crate::sources::tokens::names;
use crate::sources::{Sources, is_of_tests, is_public, parameter, plain, reachable_items};

/// Traits without recorded functions: the recorder calls them itself, or can't show the value
/// afterwards.
const TRAITS: [&str; 3] = ["Debug", "Drop", "GlobalAlloc"];
const ATTRIBUTES: [&str; 2] = ["track_caller", "naked"];

/// A function in a source file.
#[derive(Debug)]
pub(super) struct SourceFunction {
    /// For example `shapes::<Square as Area>::area`.
    pub(super) name: String,
    /// Written as public.
    pub(super) is_public: bool,
    pub(super) is_recorded: bool,
    pub(super) code: String,
    pub(super) lines: RangeInclusive<usize>,
    /// The offsets after `{` and before `}`.
    pub(super) body: [usize; 2],
    pub(super) types: Vec<TypeOfCall>,
    /// The names of the arguments, with true for `&mut`.
    pub(super) arguments: Vec<(String, bool)>,
    /// The written type of the output, unless it is `impl Trait`, and true if it may borrow.
    pub(super) output: Option<String>,
    pub(super) borrows: bool,
}

/// A type or a number that each call of a generic function chooses.
#[derive(Clone, Debug)]
pub(super) enum TypeOfCall {
    Parameter(String),
    Constant(String),
    /// An argument whose type is an `impl Trait`.
    Argument(String),
}

/// The functions of a file that have a body, in order.
#[derive(Debug, Default)]
pub(super) struct SourceFunctions {
    pub(super) recorded: Vec<SourceFunction>,
    pub(super) others: Vec<SourceFunction>,
    /// Those of the others that would record calls, each with the reason.
    pub(super) unrecorded: Vec<String>,
}

/// The module, type or trait around functions, with its type parameters.
#[derive(Clone, Default)]
struct FunctionOwner {
    name: String,
    types: Vec<TypeOfCall>,
}

/// Returns the functions of a file.
pub(super) fn functions(source: &str, module: &str) -> SourceFunctions {
    let mut found = SourceFunctions::default();
    for item in parse(source).map_or_else(Vec::new, |it| it.items) {
        found.add(&item, module);
    }
    found
}

/// Returns the functions of a library that other crates can call, by name.
pub(super) fn public_names(sources: &Sources) -> BTreeSet<String> {
    let mut found = SourceFunctions::default();
    for (module, item) in reachable_items(sources) {
        found.add(item, &sources.module_path(module));
    }
    let all = found.recorded.into_iter().chain(found.others);
    let public = all.filter(|it| it.is_public);
    public.map(|it| it.name).collect()
}

/// Returns the name of the module in a file of the folder `src`, which has none in the `root`.
pub(super) fn module(file: &Path, root: &Path) -> String {
    if file == root {
        return String::new();
    }
    let file = file.with_extension("");
    let names: Vec<_> = file.iter().map(|it| it.to_string_lossy()).collect();
    match names.split_last() {
        Some((last, folders)) if last == "mod" => folders.join("::"),
        _ => names.join("::"),
    }
}

impl SourceFunctions {
    fn add(&mut self, item: &Item, module: &str) {
        match item {
            Item::Fn(it) => {
                let owner = FunctionOwner::new(module.to_owned(), None);
                let parts = (&*it.attrs, &it.sig, Some(&*it.block));
                self.add_function(parts, &owner, is_public(&it.vis));
            }
            Item::Mod(it) if !is_of_tests(&it.attrs) => {
                let module = joined(module, &plain(&it.ident));
                for item in it.content.iter().flat_map(|(_, items)| items) {
                    self.add(item, &module);
                }
            }
            Item::Trait(it) => {
                let name = joined(module, &plain(&it.ident));
                let mut owner = FunctionOwner::new(name, Some(&it.generics));
                owner.types.push(TypeOfCall::Parameter("Self".to_owned()));
                for item in &it.items {
                    if let TraitItem::Fn(it) = item {
                        let parts = (&*it.attrs, &it.sig, it.default.as_ref());
                        self.add_function(parts, &owner, true);
                    }
                }
            }
            Item::Impl(it) if !is_of_tests(&it.attrs) => self.add_block(it, module),
            Item::Macro(it) if !is_of_tests(&it.attrs) && names(&it.mac.tokens, "fn") => {
                let name = it.ident.as_ref();
                let name = name.or_else(|| Some(&it.mac.path.segments.last()?.ident));
                let name = name.map_or_else(String::new, plain);
                self.unrecorded
                    .push(format!("{}!: writes functions", joined(module, &name)));
            }
            _ => {}
        }
    }

    fn add_block(&mut self, block: &ItemImpl, module: &str) {
        let short = |it: &dyn ToTokens| short(it, &block.generics);
        let kind = short(&block.self_ty);
        let of = block.trait_.as_ref().map(|(_, path, _)| path);
        let is_left_out = |it: &syn::Path| {
            let last = it.segments.last();
            last.is_some_and(|last| TRAITS.iter().any(|name| last.ident == name))
        };
        if of.is_some_and(is_left_out) {
            return;
        }
        let name = of.map_or(kind.clone(), |it| format!("<{kind} as {}>", short(it)));
        let owner = FunctionOwner::new(joined(module, &name), Some(&block.generics));
        for item in &block.items {
            if let ImplItem::Fn(it) = item {
                let is_public = of.is_some() || is_public(&it.vis);
                let parts = (&*it.attrs, &it.sig, Some(&it.block));
                self.add_function(parts, &owner, is_public);
            }
        }
    }

    fn add_function(
        &mut self,
        (attributes, signature, block): (&[Attribute], &Signature, Option<&Block>),
        owner: &FunctionOwner,
        is_public: bool,
    ) {
        let Some(block) = block.filter(|_| !is_of_tests(attributes)) else {
            return;
        };
        let function = SourceFunction::new((attributes, signature, block), owner, is_public);
        match unrecorded(attributes, signature) {
            _ if block.stmts.is_empty() => self.others.push(function),
            Some(reason) => {
                self.unrecorded.push(format!("{}: {reason}", function.name));
                self.others.push(function);
            }
            None => self.recorded.push(SourceFunction {
                is_recorded: true,
                ..function
            }),
        }
    }
}

impl FunctionOwner {
    fn new(name: String, generics: Option<&Generics>) -> Self {
        let types = generics.map_or_else(Vec::new, types);
        Self { name, types }
    }
}

fn types(generics: &Generics) -> Vec<TypeOfCall> {
    let types = generics.params.iter().filter_map(|it| match it {
        GenericParam::Type(it) => Some(TypeOfCall::Parameter(it.ident.to_string())),
        GenericParam::Const(it) => Some(TypeOfCall::Constant(it.ident.to_string())),
        GenericParam::Lifetime(_) => None,
    });
    types.collect()
}

/// Returns the reason why a function can't record its calls, if any.
fn unrecorded(attributes: &[Attribute], signature: &Signature) -> Option<String> {
    let is_inner = |it: &Attribute| matches!(it.style, AttrStyle::Inner(_));
    let of_attributes = ATTRIBUTES.iter();
    let mut of_attributes = of_attributes.filter(|name| {
        let mut attributes = attributes.iter();
        attributes.any(|it| it.path().is_ident(name))
    });
    let never =
        matches!(&signature.output, ReturnType::Type(_, it) if matches!(**it, Type::Never(_)));
    let reasons = [
        (signature.constness.is_some(), "is `const`"),
        (signature.asyncness.is_some(), "is `async`"),
        // It may leave a value that can't be shown.
        (signature.unsafety.is_some(), "is `unsafe`"),
        (signature.abi.is_some(), "is `extern`"),
        (never, "doesn't return"),
        (attributes.iter().any(is_inner), "has attributes inside"),
    ];
    let reason = reasons.into_iter().find(|(is_so, _)| *is_so);
    let reason = reason.map(|(_, reason)| reason.to_owned());
    reason.or_else(|| of_attributes.next().map(|it| format!("has `#[{it}]`")))
}

fn joined(module: &str, name: &str) -> String {
    match module {
        "" => name.to_owned(),
        module => format!("{module}::{name}"),
    }
}

/// Writes a type without lifetimes, without the modules in front, and without type parameters,
/// which may have other names on the other side.
fn short(kind: &dyn ToTokens, generics: &Generics) -> String {
    let text = kind.to_token_stream().to_string();
    let words = text.split_whitespace().filter(|it| !it.starts_with('\''));
    let is_parameter = |word: &str| generics.params.iter().any(|it| parameter(it) == word);
    let words = words.map(|it| if is_parameter(it) { "_" } else { it });
    let mut short = String::new();
    for word in words {
        let is_word = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
        if is_word(short.chars().next_back()) && is_word(word.chars().next()) {
            short.push(' ');
        }
        short += word;
    }
    let mut short = short
        .replace("<,", "<")
        .replace(",>", ">")
        .replace("<>", "");
    let head = short.find('<').unwrap_or(short.len());
    if short[head..].chars().all(|it| "<_,>".contains(it)) {
        short.truncate(head);
    }
    let start = short[..head].rfind("::").map_or(0, |it| it + 2);
    short[start..].to_owned()
}

impl SourceFunction {
    pub(super) fn short_name(&self) -> &str {
        self.name.rsplit("::").next().unwrap_or(&self.name)
    }

    /// Returns the words in its code.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let words = self
            .code
            .split(|it: char| !it.is_alphanumeric() && it != '_');
        words.filter(|it| !it.is_empty())
    }

    fn new(
        (attributes, signature, block): (&[Attribute], &Signature, &Block),
        owner: &FunctionOwner,
        is_public: bool,
    ) -> Self {
        let output = match &signature.output {
            ReturnType::Default => "()".to_owned(),
            ReturnType::Type(_, kind) => kind.to_token_stream().to_string(),
        };
        let is_impl = names(&signature.output, "impl");
        let mut types = [owner.types.clone(), types(&signature.generics)].concat();
        let mut arguments = Vec::new();
        for input in &signature.inputs {
            match input {
                FnArg::Receiver(it) => {
                    let is_mut = it.reference.is_some() && it.mutability.is_some();
                    arguments.push(("self".to_owned(), is_mut));
                }
                FnArg::Typed(it) => {
                    let is_mut = matches!(&*it.ty, Type::Reference(it) if it.mutability.is_some());
                    let is_impl = names(&it.ty, "impl");
                    bound(&it.pat, &mut |name| {
                        types.extend(is_impl.then(|| TypeOfCall::Argument(name.clone())));
                        arguments.push((name, is_mut));
                    });
                }
            }
        }
        let brace = block.brace_token.span;
        // The compiler may report an error of an attribute at the attribute.
        let first = attributes.first().map_or(signature.span(), Spanned::span);
        Self {
            name: joined(&owner.name, &plain(&signature.ident)),
            is_public,
            is_recorded: false,
            code: block.to_token_stream().to_string(),
            lines: first.start().line..=brace.close().end().line,
            body: [
                brace.open().byte_range().end,
                brace.close().byte_range().start,
            ],
            types,
            arguments,
            borrows: is_impl || output.contains(['&', '\'']) || output.contains("dyn "),
            output: (!is_impl).then_some(output),
        }
    }
}

/// Calls `add` with each name that a pattern binds.
fn bound(pattern: &Pat, add: &mut dyn FnMut(String)) {
    match pattern {
        Pat::Ident(it) => add(it.ident.to_string()),
        Pat::Reference(it) => bound(&it.pat, add),
        Pat::Tuple(it) => it.elems.iter().for_each(|it| bound(it, add)),
        Pat::TupleStruct(it) => it.elems.iter().for_each(|it| bound(it, add)),
        Pat::Slice(it) => it.elems.iter().for_each(|it| bound(it, add)),
        Pat::Struct(it) => it.fields.iter().for_each(|it| bound(&it.pat, add)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_module_and_the_type() {
        let source = "mod inner { fn f() { 1; } }\ntrait Area { fn twice(&self) { 1; } }\n\
                      impl<'a> From<&'a str> for shapes::Square<'a> { fn from(_: &'a str) -> Self { 1 } }\n\
                      impl<T> Stack<'_, T> { fn g(r#type: u8) -> impl Sized { 1 } }\n";
        let [library, program] = ["lib.rs", "main.rs"].map(Path::new);
        let found = functions(source, &module(Path::new("a/mod.rs"), library));
        let names: Vec<_> = found.recorded.iter().map(|it| &*it.name).collect();
        assert_eq!(
            names,
            [
                "a::inner::f",
                "a::Area::twice",
                "a::<Square as From<&str>>::from",
                "a::Stack::g"
            ]
        );
        assert_eq!(
            ["lib.rs", "main.rs", "a/b.rs"].map(|it| module(Path::new(it), library)),
            ["", "main", "a::b"]
        );
        assert_eq!(module(program, program), "");
    }

    #[test]
    fn public_functions_are_those_that_other_crates_can_reach() {
        let sources = Sources::of_code(
            "mod lexer { pub fn token() {} pub fn kept() {} pub struct Kept; struct Own; pub trait Seal {}
                 impl Kept { pub fn open(&self) {} fn own(&self) {} }
                 impl Default for Kept { fn default() -> Self { Kept } }
                 impl Seal for Kept { fn seal() {} }
                 impl From<u8> for Own { fn from(_: u8) -> Own { Own } } }
             pub use lexer::{kept, Kept};
             pub mod text { pub mod width { pub fn of() {} } fn hidden() {} }
             pub trait Area { fn twice(&self) {} }
             impl<T: Area> Area for Vec<T> { fn area(&self) {} }",
        );
        let names: Vec<_> = public_names(&sources).into_iter().collect();
        assert_eq!(
            names,
            [
                "<Vec as Area>::area",
                "Area::twice",
                "lexer::<Kept as Default>::default",
                "lexer::Kept::open",
                "lexer::kept",
                "text::width::of"
            ]
        );
    }

    #[test]
    fn blocks_are_named_by_the_types_that_they_choose() {
        let generics: ItemImpl = syn::parse_quote!(
            impl<'a, K, V, const N: usize> Map {}
        );
        let short = |kind: &str| {
            let kind: Type = syn::parse_str(kind).unwrap();
            short(&kind, &generics.generics)
        };
        let kinds = ["a::Map<'a, K, V>", "Map<K, u8>", "&mut V"];
        assert_eq!(kinds.map(short), ["Map", "Map<_,u8>", "&mut _"]);
    }

    #[test]
    fn functions_that_record_nothing_have_a_reason() {
        let source = "const fn a() -> u8 { 1 }\nimpl A { async fn b() { c().await } }\n\
                      #[track_caller]\nfn d() { e() }\nfn f() -> ! { panic!() }\nfn g() {}\n\
                      macro_rules! h { ($i:ident) => { fn $i() {} } }\nunsafe fn j() { k() }\n\
                      #[test]\nfn l() { m() }\nextern \"C\" fn n() { o() }\nfn p() { #![a] q() }\n";
        let found = functions(source, "");
        assert!(found.recorded.is_empty());
        let reasons = [
            "a: is `const`",
            "A::b: is `async`",
            "d: has `#[track_caller]`",
            "f: doesn't return",
            "h!: writes functions",
            "j: is `unsafe`",
            "n: is `extern`",
            "p: has attributes inside",
        ];
        assert_eq!(found.unrecorded, reasons);
    }
}
