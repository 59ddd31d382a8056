//! The files that sources name, in the tree of the copy.

use std::path::{Component, Path, PathBuf};

use proc_macro2::TokenTree;

use crate::sources::tokens::each;

/// Removes `..` from a path; `None` if it leads out of the tree, where nothing may be written.
pub(super) fn inside_tree(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir if plain.pop() => {}
            _ => return None,
        }
    }
    Some(plain)
}

/// Returns the files that a source uses as `definition` or `rows`.
pub(super) fn named_files(source: &str) -> Vec<String> {
    let mut files = Vec::new();
    each(source.parse().unwrap_or_default(), &mut |tokens, at| {
        if matches!(&tokens[at], TokenTree::Ident(it) if it == "definition" || it == "rows") {
            let value = match (tokens.get(at + 1), tokens.get(at + 2)) {
                (Some(TokenTree::Group(it)), _) => it.stream().into_iter().next(),
                (Some(TokenTree::Punct(it)), value) if it.as_char() == '=' => value.cloned(),
                _ => None,
            };
            files.extend(value.and_then(text_of));
        }
        true
    });
    files
}

fn text_of(token: TokenTree) -> Option<String> {
    let text: syn::LitStr = syn::parse2(token.into()).ok()?;
    Some(text.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_names_the_files_of_definitions_and_rows() {
        let source = r#"
            #[ensemble_test(definition = "a.json", size = 3, name = "b.json")]
            fn f(rows: u8) { EnsembleTest::new("c").definition("d.json") }
            #[tdg::ensemble_test(rows = "data/e.csv")]
            fn g() {}
        "#;
        assert_eq!(named_files(source), ["a.json", "d.json", "data/e.csv"]);
    }

    #[test]
    fn named_files_stay_in_the_tree() {
        let places = ["b/../../shared/x.json", "../../../../x.json", "/x.json"];
        let places = places.map(|it| inside_tree(&Path::new("crates/a").join(it)));
        assert_eq!(places, [Some("crates/shared/x.json".into()), None, None]);
    }
}
