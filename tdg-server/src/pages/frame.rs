//! The layout that all pages share, and the files that they load.

use std::sync::LazyLock;

use hmac_sha256::Hash;
use maud::{DOCTYPE, Markup, html};
use tdg_engine::hex;
use tdg_html::{SCRIPT, STYLE};

use super::{Visitor, WebPage, links};

/// A file that pages load. Its address changes with its content, so browsers may keep it.
pub(crate) struct Asset {
    pub(crate) path: String,
    pub(crate) media_type: &'static str,
    pub(crate) content: &'static str,
}

impl Asset {
    fn new(name: &str, end: &str, media_type: &'static str, content: &'static str) -> Self {
        let digest = hex(&Hash::hash(content.as_bytes())[..8]);
        Asset {
            path: format!("/assets/{name}-{digest}.{end}"),
            media_type,
            content,
        }
    }
}

/// The icon of the browser's tab: bars, with one changed.
const ICON: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#8795a5" d="M1 9h4v6H1zm10-4h4v10h-4z"/><path fill="#d9472b" d="M6 1h4v14H6z"/></svg>"##;

/// The stylesheet, the script and the icon.
pub(crate) static ASSETS: LazyLock<[Asset; 3]> = LazyLock::new(|| {
    [
        Asset::new("style", "css", "text/css; charset=utf-8", STYLE),
        Asset::new("script", "js", "text/javascript; charset=utf-8", SCRIPT),
        Asset::new("icon", "svg", "image/svg+xml", ICON),
    ]
});

/// Returns a page as a document.
pub(crate) fn document(page: &WebPage, visitor: &Visitor) -> String {
    let body = html! {
        (header(Some(visitor), &page.above))
        main id="content" {
            h1 { (page.title) }
            (page.body)
        }
    };
    whole(&page.title, &body)
}

/// Returns a page that explains an error.
pub(crate) fn refusal(
    title: &str,
    detail: &str,
    request: &str,
    visitor: Option<&Visitor>,
) -> String {
    let body = html! {
        (header(visitor, &[]))
        main id="content" {
            h1 { (title) }
            p { (detail) }
            p.faint { "Request " code { (request) } ". " a href=(links::HOME) { "All projects" } }
        }
    };
    whole(title, &body)
}

/// Returns a page with only this content.
pub(super) fn bare(title: &str, content: &Markup) -> String {
    let body = html! {
        (header(None, &[]))
        main id="content" { h1 { (title) } (content) }
    };
    whole(title, &body)
}

fn header(visitor: Option<&Visitor>, above: &[(String, String)]) -> Markup {
    html! {
        a.skip href="#content" { "Skip to the content" }
        header.site {
            p.brand { a href=(links::HOME) { "tdg" } }
            @if let Some(visitor) = visitor {
                nav aria-label="tdg" {
                    a href=(links::HOME) { "Projects" }
                    a href=(links::KEYS) { "Keys" }
                    a href=(links::AUDIT) { "Audit log" }
                    form.search role="search" action=(links::SEARCH) {
                        input type="search" name="for" aria-label="Names of projects and tests"
                            placeholder="Search";
                    }
                }
                form.out method="post" action=(links::SIGN_OUT) {
                    span.faint { (visitor.account_name) " · " (visitor.name) }
                    button type="submit" { "Sign out" }
                }
            }
        }
        @if !above.is_empty() {
            nav.above aria-label="Breadcrumb" {
                @for (path, name) in above { a href=(path) { (name) } span.faint { " / " } }
            }
        }
    }
}

fn whole(title: &str, body: &Markup) -> String {
    let [style, script, icon] = &*ASSETS;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · tdg" }
                link rel="stylesheet" href=(style.path);
                link rel="icon" type="image/svg+xml" href=(icon.path);
                script src=(script.path) defer {}
            }
            body { (body) }
        }
    };
    tdg_html::visible(page)
}
