//! Pages on the wire: `?limit=…&cursor=…`, and the next one in a `Link` header (RFC 8288).

use ureq::http::{HeaderMap, header};

use crate::{List, Page};

/// The query that asks for a page.
pub(super) fn query(page: &Page) -> String {
    let mut query = String::new();
    if let Some(limit) = page.limit {
        query.push_str(&format!("?limit={limit}"));
    }
    if let Some(cursor) = &page.cursor {
        query.push(if query.is_empty() { '?' } else { '&' });
        query.push_str("cursor=");
        for byte in cursor.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    query.push(char::from(byte));
                }
                _ => query.push_str(&format!("%{byte:02X}")),
            }
        }
    }
    query
}

pub(super) fn read_list<T>(items: Vec<T>, headers: &HeaderMap) -> List<T> {
    let links = headers.get_all(header::LINK).iter();
    let next = links
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .find_map(next_cursor);
    List { items, next }
}

/// The cursor in `</v1/projects?cursor=…>; rel="next"`.
fn next_cursor(link: &str) -> Option<String> {
    let (target, parameters) = link.trim().strip_prefix('<')?.split_once('>')?;
    let is_next = |parameter: &str| matches!(parameter.trim(), "rel=\"next\"" | "rel=next");
    if !parameters.split(';').any(is_next) {
        return None;
    }
    let (_, query) = target.split_once('?')?;
    let cursor = query
        .split('&')
        .find_map(|part| part.strip_prefix("cursor="))?;
    decode(cursor)
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
            bytes.push((high * 16 + low) as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_a_round_trip() {
        for cursor in ["42", "a b&c=d", "é/%+?#", "=="] {
            let page = Page {
                limit: Some(7),
                cursor: Some(cursor.to_owned()),
            };
            let query = query(&page);
            assert!(query.starts_with("?limit=7&cursor="));
            assert!(query.bytes().all(|byte| byte.is_ascii_graphic()));
            let link = format!("</v1/projects{query}>; rel=\"next\"");
            assert_eq!(next_cursor(&link).as_deref(), Some(cursor));
        }
    }

    #[test]
    fn only_a_link_to_the_next_page_has_a_cursor() {
        assert_eq!(next_cursor("</v1/projects?cursor=1>; rel=\"prev\""), None);
        assert_eq!(next_cursor("</v1/projects>; rel=\"next\""), None);
        assert_eq!(next_cursor("nonsense"), None);
        assert_eq!(next_cursor("<?cursor=%f>; rel=next"), None);
        assert_eq!(query(&Page::default()), "");
    }
}
