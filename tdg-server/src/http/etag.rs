//! Entity tags and content encodings.

use axum::http::{HeaderMap, header};

/// The encoding of a body. Each has a separate entity tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Identity,
    Gzip,
}

impl Encoding {
    /// Returns the encoding that the client prefers.
    pub(super) fn wanted(headers: &HeaderMap) -> Self {
        let offered = headers.get_all(header::ACCEPT_ENCODING).iter();
        let mut gzip = None;
        let mut any = false;
        for offer in offered
            .filter_map(|value| value.to_str().ok())
            .flat_map(|text| text.split(','))
        {
            let offer = offer.to_ascii_lowercase();
            let (coding, parameters) = offer.split_once(';').unwrap_or((&offer, ""));
            let quality = parameters
                .trim()
                .strip_prefix("q=")
                .map(|quality| quality.trim().parse());
            let accepted = !matches!(quality, Some(Ok(0.0_f32)));
            match coding.trim() {
                "gzip" | "x-gzip" => gzip = Some(accepted),
                "*" => any = accepted,
                _ => {}
            }
        }
        if gzip.unwrap_or(any) {
            Encoding::Gzip
        } else {
            Encoding::Identity
        }
    }

    /// Returns the tag of a body with this digest in this encoding.
    pub(super) fn tag(self, digest: &str) -> String {
        match self {
            Encoding::Identity => format!("\"{digest}\""),
            Encoding::Gzip => format!("\"{digest}-gzip\""),
        }
    }
}

/// Returns true if the client has the body with this tag.
pub(super) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut known = known
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(','));
    known.any(|known| {
        let known = known.trim();
        known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: header::HeaderName, values: &[&str]) -> HeaderMap {
        values
            .iter()
            .map(|value| (name.clone(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn gzip_is_sent_to_clients_that_accept_it() {
        let wanted = |values: &[&str]| Encoding::wanted(&headers(header::ACCEPT_ENCODING, values));
        for offer in [
            "gzip",
            "deflate, GZIP;q=0.5",
            "*",
            "br, *;q=0.1",
            "gzip, *;q=0",
        ] {
            assert_eq!(wanted(&[offer]), Encoding::Gzip, "{offer}");
        }
        for offer in [
            "",
            "identity",
            "gzip;q=0",
            "gzip;Q=0",
            "gzip; q=0.0, *",
            "br",
            "*;q=0",
        ] {
            assert_eq!(wanted(&[offer]), Encoding::Identity, "{offer}");
        }
        assert_eq!(wanted(&[]), Encoding::Identity);
        assert_eq!(wanted(&["br", "gzip"]), Encoding::Gzip);
    }

    #[test]
    fn a_tag_is_found_anywhere_in_the_list_but_not_the_other_encodings() {
        let known = |values: &[&str]| is_known(&headers(header::IF_NONE_MATCH, values), "\"a\"");
        for value in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "*"] {
            assert!(known(&[value]), "{value}");
        }
        assert!(known(&["\"b\"", "\"a\""]));
        assert!(!known(&["\"a-gzip\"", "a"]));
        assert!(!known(&[]));
    }
}
