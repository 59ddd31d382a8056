//! Links to the source lines of tests.

use std::env;

/// A URL with placeholders `{path}` and `{line}`.
#[derive(Clone, Debug)]
pub(super) struct SourceLink(String);

impl SourceLink {
    /// Uses the given template, or else the commit that GitHub Actions checked out.
    pub(super) fn new(template: Option<&str>) -> Option<Self> {
        let template = match template {
            Some(template) => template.to_owned(),
            None => github(|name| env::var(name).ok().filter(|value| !value.is_empty()))?,
        };
        Some(Self(template))
    }

    /// Returns the URL of a line, or of the file if the line is 0 (unknown).
    pub(super) fn url(&self, path: &str, line: u32) -> String {
        let template = match line {
            0 => self.0.split('#').next().unwrap_or_default(),
            _ => &self.0,
        };
        template
            .replace("{path}", &encoded(path))
            .replace("{line}", &line.to_string())
    }
}

fn github(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let [server, repository, commit] =
        ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA"].map(variable);
    let (server, repository, commit) = (server?, repository?, commit?);
    Some(format!(
        "{server}/{repository}/blob/{commit}/{{path}}#L{{line}}"
    ))
}

/// Encodes a path for a URL.
fn encoded(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                text.push(byte.into());
            }
            b'\\' => text.push('/'),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_becomes_the_url_of_a_line() {
        let link = SourceLink::new(Some("https://example.org/x/{path}#L{line}")).unwrap();
        assert_eq!(
            link.url("tests/größe 1.rs", 12),
            "https://example.org/x/tests/gr%C3%B6%C3%9Fe%201.rs#L12"
        );
        assert_eq!(
            link.url("tests/a.rs", 0),
            "https://example.org/x/tests/a.rs"
        );
    }

    #[test]
    fn github_actions_says_where_its_sources_are() {
        let variable = |name: &str| match name {
            "GITHUB_SERVER_URL" => Some("https://github.com".to_owned()),
            "GITHUB_REPOSITORY" => Some("shop/prices".to_owned()),
            "GITHUB_SHA" => Some("52fdfc07".to_owned()),
            _ => None,
        };
        assert_eq!(
            github(variable).as_deref(),
            Some("https://github.com/shop/prices/blob/52fdfc07/{path}#L{line}")
        );
        assert_eq!(github(|_| None), None);
    }
}
