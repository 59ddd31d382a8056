//! The parameters of an address and the fields of a form, which have the same syntax.

use percent_encoding::percent_decode_str;

/// Names with values: `verdict=changed&name=total+price`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    pub(crate) fn parse(text: &str) -> Self {
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        };
        Query(pairs.map(pair).collect())
    }

    /// Returns a value that isn't blank.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }
}

fn decode(text: &str) -> String {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_decoded() {
        let query = Query::parse("name=a+b%2Bc%3D%C3%A9&empty=+&bad=%FF%zz&&flag");
        assert_eq!(query.get("name"), Some("a b+c=é"));
        assert_eq!(query.get("bad"), Some("\u{fffd}%zz"));
        for name in ["empty", "flag", "other"] {
            assert_eq!(query.get(name), None, "{name}");
        }
    }
}
