//! Pages of lists.

use axum::http::{HeaderValue, StatusCode, Uri};
use tdg_service::Page;

use super::problem::Problem;

/// Parses the requested page or part: `?limit=100&cursor=…`. Unknown parameters are refused, like
/// unknown members of a body.
pub(super) fn requested(uri: &Uri, known: &[&str]) -> Result<Page, Problem> {
    let invalid = |detail| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail);
    let mut page = Page::default();
    let pairs = uri.query().unwrap_or_default().split('&');
    for pair in pairs.filter(|pair| !pair.is_empty()) {
        match pair.split_once('=').unwrap_or((pair, "")) {
            (name, _) if !known.contains(&name) => return Err(invalid(unknown(name, known))),
            ("limit", limit) if page.limit.is_none() => {
                let read = limit.parse().map_err(|_| {
                    invalid(format!(
                        "`limit` must be a number from 1 to {}",
                        Page::LIMIT
                    ))
                });
                page.limit = Some(read?);
            }
            // Cursors need no escapes.
            ("cursor", cursor) if page.cursor.is_none() => page.cursor = Some(cursor.to_owned()),
            (name, _) => return Err(invalid(format!("`{name}` must be given once"))),
        }
    }
    Ok(page)
}

fn unknown(name: &str, known: &[&str]) -> String {
    let known = match known {
        [] => "this path takes none".to_owned(),
        known => format!("this path takes `{}`", known.join("` and `")),
    };
    format!("unknown query parameter `{name}`: {known}")
}

/// Returns a link to the rest of an object, which may be an element of the requested list.
pub(super) fn link_within(object: &str, next: &str) -> Option<HeaderValue> {
    let link = format!("<{object}?cursor={next}>; rel=\"next\"; anchor=\"{object}\"");
    HeaderValue::try_from(link).ok()
}

/// Returns a link to the next page.
pub(super) fn link(path: &str, page: &Page, next: &str) -> Option<HeaderValue> {
    let limit = page
        .limit
        .map(|limit| format!("limit={limit}&"))
        .unwrap_or_default();
    HeaderValue::try_from(format!("<{path}?{limit}cursor={next}>; rel=\"next\"")).ok()
}
