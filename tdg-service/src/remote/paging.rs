//! Pages on the wire: the query `?limit=…&cursor=…`, and the `Link` header (RFC 8288).

use ureq::http::{HeaderMap, header};

use crate::{List, Page};

/// Returns the query for a page.
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
    let links = links.filter_map(|value| value.to_str().ok());
    let links = links.flat_map(|value| value.split(','));
    let mut list = List {
        items,
        next: None,
        rest: None,
    };
    for link in links.filter_map(Link::parse) {
        let cursor = match link.is_of_element {
            true => &mut list.rest,
            false => &mut list.next,
        };
        cursor.get_or_insert(link.cursor);
    }
    list
}

/// A link to the next page or part: `</v1/projects?cursor=…>; rel="next"`.
struct Link {
    cursor: String,
    /// True if the link has an `anchor`: it continues the last element instead of the list.
    is_of_element: bool,
}

impl Link {
    fn parse(link: &str) -> Option<Link> {
        let (target, parameters) = link.trim().strip_prefix('<')?.split_once('>')?;
        let mut parameters = parameters.split(';').map(str::trim);
        let is_next = |parameter: &str| matches!(parameter, "rel=\"next\"" | "rel=next");
        if !parameters.clone().any(is_next) {
            return None;
        }
        let (_, query) = target.split_once('?')?;
        let mut pairs = query.split('&');
        let cursor = pairs.find_map(|pair| pair.strip_prefix("cursor="))?;
        Some(Link {
            cursor: decode(cursor)?,
            is_of_element: parameters.any(|parameter| parameter.starts_with("anchor=")),
        })
    }
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

    fn next_cursor(link: &str) -> Option<String> {
        Link::parse(link).map(|link| link.cursor)
    }

    #[test]
    fn a_list_goes_on_apart_from_its_last_element() {
        let links = "</v1/projects?cursor=1>; rel=\"next\", \
                     </v1/project/7?cursor=2>; rel=\"next\"; anchor=\"/v1/project/7\"";
        let headers = HeaderMap::from_iter([(header::LINK, links.parse().unwrap())]);
        let list = read_list(vec![()], &headers);
        assert_eq!(list.next.as_deref(), Some("1"));
        assert_eq!(list.rest.as_deref(), Some("2"));
    }

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
