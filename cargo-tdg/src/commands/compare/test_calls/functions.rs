//! The functions of a source file, most of which can record their calls.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    AttrStyle, Attribute, Block, FnArg, ImplItem, Item, Pat, ReturnType, Signature, TraitItem,
    Type, Visibility,
};

use crate::sources::edit::parse;
use crate::sources::{Sources, is_of_tests, is_public, plain, reachable_items};

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
    /// The names of the arguments, with true for `&mut`.
    pub(super) arguments: Vec<(String, bool)>,
    /// The written type of the output, unless it is `impl Trait`, and true if it may borrow.
    pub(super) output: Option<String>,
    pub(super) borrows: bool,
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
}

/// Returns the functions of a file that can record their calls, in order.
#[cfg(test)]
pub(super) fn functions(source: &str, module: &str) -> Vec<SourceFunction> {
    let mut found = all_functions(source, module);
    found.retain(|it| it.is_recorded);
    found
}

/// Returns all functions of a file with a body, in order.
pub(super) fn all_functions(source: &str, module: &str) -> Vec<SourceFunction> {
    let mut found = Vec::new();
    for item in parse(source).map_or_else(Vec::new, |it| it.items) {
        add(&item, module, &mut found);
    }
    found
}

/// Returns the functions of a library that other crates can call, by name.
pub(super) fn public_names(sources: &Sources) -> BTreeSet<String> {
    let mut found = Vec::new();
    for (module, item) in reachable_items(sources) {
        add(item, &sources.module_path(module), &mut found);
    }
    let public = found.into_iter().filter(|it| it.is_public);
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

fn add(item: &Item, module: &str, found: &mut Vec<SourceFunction>) {
    match item {
        Item::Fn(it) => {
            let is_public = is_public(&it.vis);
            found.extend(function(
                (&*it.attrs, &it.sig, Some(&*it.block)),
                module,
                is_public,
            ));
        }
        Item::Mod(it) if !is_of_tests(&it.attrs) => {
            let module = joined(module, &plain(&it.ident));
            for item in it.content.iter().flat_map(|(_, items)| items) {
                add(item, &module, found);
            }
        }
        Item::Trait(it) => {
            let owner = joined(module, &plain(&it.ident));
            for item in &it.items {
                if let TraitItem::Fn(it) = item {
                    found.extend(function(
                        (&*it.attrs, &it.sig, it.default.as_ref()),
                        &owner,
                        true,
                    ));
                }
            }
        }
        Item::Impl(it) if !is_of_tests(&it.attrs) => {
            let kind = short(&it.self_ty);
            let of = it.trait_.as_ref().map(|(_, path, _)| path);
            let is_left_out = |it: &syn::Path| {
                let last = it.segments.last();
                last.is_some_and(|last| TRAITS.iter().any(|name| last.ident == name))
            };
            if of.is_some_and(is_left_out) {
                return;
            }
            let owner = of.map_or(kind.clone(), |it| format!("<{kind} as {}>", short(it)));
            let owner = joined(module, &owner);
            for item in &it.items {
                if let ImplItem::Fn(it) = item {
                    let is_public = of.is_some() || matches!(it.vis, Visibility::Public(_));
                    let parts = (&*it.attrs, &it.sig, Some(&it.block));
                    found.extend(function(parts, &owner, is_public));
                }
            }
        }
        _ => {}
    }
}

fn joined(module: &str, name: &str) -> String {
    match module {
        "" => name.to_owned(),
        module => format!("{module}::{name}"),
    }
}

/// Writes a type without lifetimes and without the modules in front.
fn short(kind: &impl ToTokens) -> String {
    let text = kind.to_token_stream().to_string();
    let words = text.split_whitespace().filter(|it| !it.starts_with('\''));
    let mut short = String::new();
    for word in words {
        let is_word = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
        if is_word(short.chars().next_back()) && is_word(word.chars().next()) {
            short.push(' ');
        }
        short += word;
    }
    let short = short
        .replace("<,", "<")
        .replace(",>", ">")
        .replace("<>", "");
    let head = short.find('<').unwrap_or(short.len());
    let start = short[..head].rfind("::").map_or(0, |it| it + 2);
    short[start..].to_owned()
}

fn function(
    (attributes, signature, block): (&[Attribute], &Signature, Option<&Block>),
    owner: &str,
    is_public: bool,
) -> Option<SourceFunction> {
    let block = block.filter(|_| !is_of_tests(attributes))?;
    let is_left_out = |it: &Attribute| {
        let is_inner = matches!(it.style, AttrStyle::Inner(_));
        is_inner || ATTRIBUTES.iter().any(|name| it.path().is_ident(name))
    };
    // An `unsafe` function may leave a value that can't be shown.
    let is_plain = signature.constness.is_none()
        && signature.unsafety.is_none()
        && signature.asyncness.is_none()
        && signature.abi.is_none()
        && signature.variadic.is_none()
        && !matches!(&signature.output, ReturnType::Type(_, it) if matches!(**it, Type::Never(_)));
    let output = match &signature.output {
        ReturnType::Default => "()".to_owned(),
        ReturnType::Type(_, kind) => kind.to_token_stream().to_string(),
    };
    let is_impl = names(signature.output.to_token_stream(), "impl");
    let mut arguments = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(it) => {
                let is_mut = it.reference.is_some() && it.mutability.is_some();
                arguments.push(("self".to_owned(), is_mut));
            }
            FnArg::Typed(it) => {
                let is_mut = matches!(&*it.ty, Type::Reference(it) if it.mutability.is_some());
                bound(&it.pat, &mut |name| arguments.push((name, is_mut)));
            }
        }
    }
    let brace = block.brace_token.span;
    // The compiler may report an error of an attribute at the attribute.
    let first = attributes.first().map_or(signature.span(), Spanned::span);
    Some(SourceFunction {
        name: joined(owner, &plain(&signature.ident)),
        is_public,
        is_recorded: is_plain && !block.stmts.is_empty() && !attributes.iter().any(is_left_out),
        code: block.to_token_stream().to_string(),
        lines: first.start().line..=brace.close().end().line,
        body: [
            brace.open().byte_range().end,
            brace.close().byte_range().start,
        ],
        arguments,
        borrows: is_impl || output.contains(['&', '\'']) || output.contains("dyn "),
        output: (!is_impl).then_some(output),
    })
}

fn names(code: TokenStream, name: &str) -> bool {
    code.into_iter().any(|token| match token {
        TokenTree::Ident(it) => it == name,
        TokenTree::Group(it) => names(it.stream(), name),
        _ => false,
    })
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
        let names: Vec<_> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "a::inner::f",
                "a::Area::twice",
                "a::<Square as From<&str>>::from",
                "a::Stack<T>::g"
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
                "<Vec<T> as Area>::area",
                "Area::twice",
                "lexer::<Kept as Default>::default",
                "lexer::Kept::open",
                "lexer::kept",
                "text::width::of"
            ]
        );
    }
}
