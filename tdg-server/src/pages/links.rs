//! The addresses of pages.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use tdg_service::Uuid;
pub(super) use tdg_service::address::{benchmark, project, run, test};

use crate::keys::FeedToken;

pub(crate) const HOME: &str = "/";
pub(crate) const SIGN_IN: &str = "/sign-in";
pub(crate) const SIGN_OUT: &str = "/sign-out";
pub(super) const PROJECT: &str = "/project/{project}";
pub(super) const FEED: &str = "/project/{project}/feed.atom";
pub(super) const BADGE: &str = "/project/{project}/badge.svg";
pub(super) const TEST: &str = "/project/{project}/test/{test}";
pub(super) const RUN: &str = "/project/{project}/test/{test}/run/{run}";
pub(super) const RUN_CSV: &str = "/project/{project}/test/{test}/run/{run}/cases.csv";
pub(super) const RUN_JSON: &str = "/project/{project}/test/{test}/run/{run}/cases.json";
pub(super) const DEFINITION: &str = "/definition/{definition}";
pub(super) const ENSEMBLE: &str = "/ensemble/{ensemble}";
pub(super) const BENCHMARK: &str = "/benchmark/{benchmark}";
pub(super) const COMPARISON: &str = "/benchmark/{benchmark}/against/{other}";
pub(crate) const LOGIN: &str = "/login";
pub(super) const LOGIN_ONE: &str = "/login/{login}";
pub(super) const SEARCH: &str = "/search";
pub(super) const KEYS: &str = "/keys";
pub(super) const AUDIT: &str = "/audit";

/// The parameter that replaces a session.
pub(crate) const TOKEN: &str = "token";

/// The characters that are escaped in a value of an address.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

pub(super) fn definition(definition: Uuid) -> String {
    format!("/definition/{definition}")
}

/// Returns the link to the page of all projects, as a parent.
pub(super) fn above_projects() -> (String, String) {
    (HOME.to_owned(), "Projects".to_owned())
}

/// Returns the link to the page of a definition, as a parent.
pub(super) fn above_definition(uuid: Uuid) -> (String, String) {
    (definition(uuid), "Definition".to_owned())
}

pub(super) fn ensemble(ensemble: Uuid) -> String {
    format!("/ensemble/{ensemble}")
}

pub(super) fn login(login: Uuid) -> String {
    format!("/login/{login}")
}

pub(super) fn comparison(expected: Uuid, actual: Uuid) -> String {
    format!("/benchmark/{expected}/against/{actual}")
}

/// Returns the addresses of a project's feed and badge, readable without signing in.
pub(super) fn feeds(project: Uuid, token: &FeedToken) -> [String; 2] {
    let token = token.to_string();
    let values = [(TOKEN, Some(&*token))];
    ["feed.atom", "badge.svg"].map(|file| with(&format!("/project/{project}/{file}"), &values))
}

/// Returns the address with these values.
pub(super) fn with(path: &str, values: &[(&str, Option<&str>)]) -> String {
    let pair = |(name, value): &(&str, Option<&str>)| {
        let value = utf8_percent_encode((*value)?, RESERVED);
        Some(format!("{name}={value}"))
    };
    let pairs: Vec<String> = values.iter().filter_map(pair).collect();
    match pairs.is_empty() {
        true => path.to_owned(),
        false => format!("{path}?{}", pairs.join("&")),
    }
}

/// Returns the address with these values, starting at a row.
pub(super) fn from(path: &str, values: &[(&str, Option<&str>)], row: usize) -> String {
    let row = row.to_string();
    with(path, &[values, &[("from", Some(&row))]].concat())
}

/// Returns the address of the sign-in form, which redirects to a page of this server.
pub(crate) fn sign_in(from: &str) -> String {
    with(
        SIGN_IN,
        &[("next", Some(from).filter(|from| *from != HOME))],
    )
}

/// Returns true if a redirect there keeps a browser on this server.
pub(crate) fn is_own(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    path.starts_with('/') && !path.starts_with("//") && path.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_addresses_are_escaped() {
        let path = with("/search", &[("for", Some("a&b=<é>")), ("in", None)]);
        assert_eq!(path, "/search?for=a%26b%3D%3C%C3%A9%3E");
        assert_eq!(sign_in("/"), "/sign-in");
    }

    #[test]
    fn only_paths_of_this_server_are_its_own() {
        assert!(is_own("/project/x?a=b") && is_own("/"));
        for path in [
            "",
            "x",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/a b",
            "/\n",
        ] {
            assert!(!is_own(path), "{path}");
        }
    }
}
