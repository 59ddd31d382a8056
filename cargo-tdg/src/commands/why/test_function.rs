//! The function of a test, by which libtest finds it.

use syn::visit_mut::{self, VisitMut};

/// Returns the name among libtest's `names` of the function with a test: the test's own, or the
/// only one whose source has the test's name as a literal.
pub(super) fn test_function(test: &str, names: &[String], source: &str) -> Option<String> {
    if names.iter().any(|it| it == test) {
        return Some(test.to_owned());
    }
    let mut file = syn::parse_file(source).ok()?;
    let mut found = NamingFunctions {
        test,
        modules: Vec::new(),
        functions: Vec::new(),
    };
    found.visit_file_mut(&mut file);
    let [function] = &found.functions[..] else {
        return None;
    };
    // The file may be a module of its crate.
    let is_it = |it: &&String| **it == *function || it.ends_with(&format!("::{function}"));
    let mut functions = names.iter().filter(is_it);
    let function = functions.next()?.clone();
    functions.next().is_none().then_some(function)
}

/// The functions that contain the name of a test.
struct NamingFunctions<'t> {
    test: &'t str,
    modules: Vec<String>,
    functions: Vec<String>,
}

impl VisitMut for NamingFunctions<'_> {
    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        self.modules.push(module.ident.to_string());
        visit_mut::visit_item_mod_mut(self, module);
        self.modules.pop();
    }

    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        let literal = format!("{:?}", self.test);
        let text = quote::quote!(#function).to_string();
        if text.contains(&literal) {
            let name = function.sig.ident.to_string();
            let path = self.modules.iter().chain([&name]);
            self.functions
                .push(path.cloned().collect::<Vec<_>>().join("::"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_with_another_name_is_found_by_it() {
        let names = ["inner::named", "inner::plain", "by_builder"].map(str::to_owned);
        let source = r#"
            mod inner {
                #[tdg::ensemble_test(name = "a fee")]
                fn named(x: u8) -> u8 { x }
                #[tdg::ensemble_test]
                fn plain(x: u8) -> u8 { x }
            }
            #[test]
            fn by_builder() {
                tdg::EnsembleTest::new("another fee").run_rows(|row| todo!());
            }
        "#;
        let found = |test: &str| test_function(test, &names, source);
        assert_eq!(found("inner::plain").as_deref(), Some("inner::plain"));
        assert_eq!(found("a fee").as_deref(), Some("inner::named"));
        assert_eq!(found("another fee").as_deref(), Some("by_builder"));
        assert_eq!(found("no fee"), None);
    }
}
