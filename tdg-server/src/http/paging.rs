//! Pages of lists.

use axum::http::{HeaderValue, StatusCode, Uri};
use tdg_service::Page;

use super::problem::Problem;

/// The page that a request asks for: `?limit=100&cursor=…`.
pub(super) fn requested(uri: &Uri) -> Result<Page, Problem> {
    let mut page = Page::default();
    for pair in uri.query().unwrap_or_default().split('&') {
        match pair.split_once('=').unwrap_or((pair, "")) {
            ("limit", limit) => {
                let read = limit.parse().map_err(|_| {
                    let detail = format!("`limit` must be a number from 1 to {}", Page::LIMIT);
                    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
                });
                page.limit = Some(read?);
            }
            // Cursors need no escapes.
            ("cursor", cursor) => page.cursor = Some(cursor.to_owned()),
            _ => {}
        }
    }
    Ok(page)
}

/// The part of an object that a request asks for: `?cursor=…`.
pub(super) fn requested_part(uri: &Uri) -> Page {
    let mut pairs = uri.query().unwrap_or_default().split('&');
    let cursor = pairs.find_map(|pair| pair.strip_prefix("cursor="));
    Page {
        limit: None,
        cursor: cursor.map(str::to_owned),
    }
}

/// A link to where an object goes on, which is not the one that was asked for if it is in a list.
pub(super) fn link_within(object: &str, next: &str) -> Option<HeaderValue> {
    let link = format!("<{object}?cursor={next}>; rel=\"next\"; anchor=\"{object}\"");
    HeaderValue::try_from(link).ok()
}

/// A link to the next page.
pub(super) fn link(path: &str, page: &Page, next: &str) -> Option<HeaderValue> {
    let limit = page
        .limit
        .map(|limit| format!("limit={limit}&"))
        .unwrap_or_default();
    HeaderValue::try_from(format!("<{path}?{limit}cursor={next}>; rel=\"next\"")).ok()
}
