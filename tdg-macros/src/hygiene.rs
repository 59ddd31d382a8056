//! Variables, places and paths of the macro, which are separate from the user's names.

use std::path::PathBuf;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Path, parse_quote};

/// Returns the directory of the package's manifest, which cargo and rust-analyzer set.
pub(crate) fn package_root() -> Option<PathBuf> {
    std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)
}

/// Returns the default path of tdg without `crate = …`: `::tdg`, or its name in Cargo.toml.
pub(crate) fn tdg() -> Path {
    let root = package_root();
    let mut folders = root.iter().flat_map(|root| root.ancestors());
    let name = folders.find_map(|folder| {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        name_in(&manifest)
    });
    let name = name.and_then(|name| syn::parse_str(&name).ok());
    let name: Ident = name.unwrap_or_else(|| local("tdg"));
    parse_quote!(::#name)
}

/// Returns the name of the package tdg in a manifest that mentions it.
fn name_in(manifest: &str) -> Option<String> {
    let (mut table, mut has_tdg) = (String::new(), false);
    for line in manifest.lines().filter(|line| !line.starts_with('#')) {
        let line = line.replace([' ', '\t', '"', '\''], "");
        let key = line.split(['=', '.']).next().unwrap_or_default();
        let mut members = line.split(['{', ',', '}']);
        if line.starts_with('[') {
            table = line.trim_matches(['[', ']']).to_owned();
        } else if line == "package=tdg" {
            return table.rsplit('.').next().map(|name| name.replace('-', "_"));
        } else if members.any(|it| it == "package=tdg") || line.ends_with(".package=tdg") {
            return Some(key.replace('-', "_"));
        }
        has_tdg |= key == "tdg";
    }
    has_tdg.then(|| "tdg".to_owned())
}

/// Reads the path after `crate =`.
pub(crate) fn crate_path(input: ParseStream<'_>) -> syn::Result<Path> {
    input.call(Path::parse_mod_style).map_err(|error| {
        syn::Error::new(
            error.span(),
            "`crate` must be the path of the crate tdg, without quotes: crate = ::my::tdg",
        )
    })
}

/// Creates a variable that is separate from the user's names.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Moves tokens to that place for compiler messages. Names keep their meaning.
pub(crate) fn moved(tokens: TokenStream, place: Span) -> TokenStream {
    let move_one = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), moved(group.stream(), place)).into();
        }
        token.set_span(token.span().located_at(place));
        token
    };
    tokens.into_iter().map(move_one).collect()
}

/// Returns that place for compiler messages, with the macro's hygiene for names.
pub(crate) fn at(place: &impl Spanned) -> Span {
    Span::mixed_site().located_at(place.span())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_dependency_has_its_name_of_the_manifest() {
        for (manifest, name) in [
            (
                "[dependencies]\ntdg = \"0.1\"\nsnap-shot = \"1\"",
                Some("tdg"),
            ),
            (
                "[dev-dependencies]\nsnap = { version = \"0.1\", package = \"tdg\" }",
                Some("snap"),
            ),
            ("snap-shot = {package='tdg'}", Some("snap_shot")),
            (
                "[dev-dependencies.snap]\nversion = \"0.1\"\npackage = \"tdg\"\n",
                Some("snap"),
            ),
            (
                "[workspace.dependencies]\nsnap.version = \"0.1\"\nsnap.package = \"tdg\"",
                Some("snap"),
            ),
            (
                "# snap = { package = \"tdg\" }\ntdg.workspace = true",
                Some("tdg"),
            ),
            (
                "[dependencies]\nengine = { package = \"tdg-engine\" }\nsnap.workspace = true",
                None,
            ),
            ("[package]\nname = \"tdg\"", None),
        ] {
            assert_eq!(name_in(manifest).as_deref(), name, "{manifest}");
        }
    }
}
