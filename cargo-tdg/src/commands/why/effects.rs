//! The files, the network and the processes that a test uses.

use std::collections::BTreeMap;
use std::fs;

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::visit_mut::{self, VisitMut};
use syn::{File, ImplItemFn, ItemFn};

use crate::error::{Context as _, Result};
use crate::record::RecordedTest;
use crate::sources::tokens::names;
use crate::sources::{CallGraph, Effects, Sources};
use crate::workspace::Library;

/// The resources that thousands of rows may harm.
const HARMFUL: [&str; 4] = ["files", "the network", "processes", "the system"];

/// Returns the first of these that a test uses, by the calls that its sources show.
pub(super) fn harmful_effect(record: &RecordedTest) -> Result<Option<&'static str>> {
    let file = record.package.directory.join(&record.test.source);
    let source = fs::read_to_string(&file).context(file.display())?;
    let source = syn::parse_file(&source).context(file.display())?;
    let read = |path: &std::path::Path| fs::read_to_string(path);
    let own = || Library {
        name: record.package.name.clone(),
        root: file.clone(),
        features: BTreeMap::new(),
        imports_from_root: false,
    };
    let library = record.package.library.clone().unwrap_or_else(own);
    let sources = Sources::read(&library, &read)?;
    let calls = CallGraph::new(&sources, false);
    let code = reached(source, &record.test.name);
    Ok(Effects::new(&calls, &sources).of_code(&code, |it| HARMFUL.contains(&it)))
}

/// Returns the code of a test, and of the functions of its file that it names.
fn reached(mut file: File, test: &str) -> TokenStream {
    let mut functions = FileFunctions::default();
    functions.visit_file_mut(&mut file);
    let own = test.rsplit("::").next().unwrap_or_default();
    // A builder names the test by a text.
    let literal = format!("{test:?}");
    let is_test =
        |name: &str, code: &TokenStream| name == own || code.to_string().contains(&literal);
    let functions = functions.0.into_iter();
    let (mut new, mut left): (BTreeMap<_, _>, BTreeMap<_, _>) =
        functions.partition(|(name, code)| is_test(name, code));
    let mut reached = TokenStream::new();
    while let Some((_, code)) = new.pop_first() {
        let (named, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            left.into_iter().partition(|(name, _)| names(&code, name));
        new.extend(named);
        left = others;
        reached.extend(code);
    }
    reached
}

/// The functions of a file by name. Those of one name are one.
#[derive(Default)]
struct FileFunctions(BTreeMap<String, TokenStream>);

impl VisitMut for FileFunctions {
    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        let code = self.0.entry(function.sig.ident.to_string()).or_default();
        code.extend(function.to_token_stream());
        visit_mut::visit_item_fn_mut(self, function);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut ImplItemFn) {
        let code = self.0.entry(function.sig.ident.to_string()).or_default();
        code.extend(function.to_token_stream());
        visit_mut::visit_impl_item_fn_mut(self, function);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_reaches_the_functions_that_it_names() {
        let file = syn::parse_file(
            r#"
            #[tdg::ensemble_test]
            fn saved(x: u8) -> u8 { Saved.store(x) }
            fn clean() { remove_all() }
            fn remove_all() { std::fs::remove_dir_all("a").unwrap() }
            impl Saved { fn store(&self, x: u8) -> u8 { clean(); x } }
            #[tdg::ensemble_test]
            fn plain(x: u8) -> u8 { x }
            #[test]
            fn by_builder() { tdg::EnsembleTest::new("a fee").run_rows(|_| connect()) }
            fn connect() -> u8 { std::net::TcpStream::connect("a").map_or(0, |_| 1) }
            "#,
        );
        let (file, sources) = (file.unwrap(), Sources::of_code(""));
        let calls = CallGraph::new(&sources, false);
        let effects = Effects::new(&calls, &sources);
        let effect = |test: &str| effects.of_code(&reached(file.clone(), test), |_| true);
        assert_eq!(effect("saved"), Some("files"));
        assert_eq!(effect("tests::plain"), None);
        assert_eq!(effect("a fee"), Some("the network"));
    }
}
