//! Paths to places in a JSON value (RFC 6901).

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::Value;

/// A path to a place in a JSON value: a JSON Pointer, [RFC 6901].
///
/// Each segment is a key of an object or an index into an array. In text, each is preceded by `/`;
/// in a key, `~` is written `~0` and `/` is written `~1`. The empty pointer is the whole value.
///
/// [RFC 6901]: https://www.rfc-editor.org/rfc/rfc6901
///
/// ```
/// use tdg_definition::json::{self, Pointer, Value};
///
/// let order = json::parse(r#"{"lines": [{"price": 12.5}]}"#)?;
/// let price: Pointer = "/lines/0/price".parse()?;
/// assert_eq!(price.find_in(&order), Some(&Value::from(12.5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Pointer {
    /// The unescaped segments in one string, because a comparison may keep 100,000 pointers.
    names: String,
    /// The end of each segment.
    ends: Vec<usize>,
}

impl Pointer {
    /// Returns the pointer to the whole value.
    pub fn root() -> Self {
        Self::default()
    }

    /// Returns true if this is the pointer to the whole value.
    pub fn is_root(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the number of segments, which is the depth below the whole value.
    pub fn depth(&self) -> usize {
        self.ends.len()
    }

    /// Appends a key or an index into an array. The segment is used as is: only the text of a
    /// pointer has escapes.
    pub fn push(&mut self, segment: impl AsRef<str>) {
        self.names.push_str(segment.as_ref());
        self.ends.push(self.names.len());
    }

    /// Returns the pointer to a key, or to an index into an array, within this place.
    #[must_use]
    pub fn child(&self, segment: impl AsRef<str>) -> Self {
        let mut child = self.clone();
        child.push(segment);
        child
    }

    /// Removes the last segment and returns it.
    pub fn pop(&mut self) -> Option<String> {
        self.ends.pop()?;
        let start = self.ends.last().copied().unwrap_or_default();
        Some(self.names.split_off(start))
    }

    /// Returns the unescaped segments from the root down.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        let start = |index: usize| match index {
            0 => 0,
            _ => self.ends[index - 1],
        };
        let ends = self.ends.iter().enumerate();
        ends.map(move |(index, end)| &self.names[start(index)..*end])
    }

    /// Returns true if `other` is this place or within it.
    ///
    /// ```
    /// # use tdg_definition::json::{Pointer, PointerError};
    /// let lines: Pointer = "/lines".parse()?;
    /// assert!(lines.covers(&"/lines/0/price".parse()?));
    /// assert!(!lines.covers(&"/lines_total".parse()?));
    /// # Ok::<(), PointerError>(())
    /// ```
    pub fn covers(&self, other: &Pointer) -> bool {
        other.ends.starts_with(&self.ends) && other.names.starts_with(&self.names)
    }

    /// Returns the mutable value at this place, if any.
    pub fn find_mut<'value>(&self, value: &'value mut Value) -> Option<&'value mut Value> {
        self.segments()
            .try_fold(value, |value, segment| match value {
                Value::Object(members) => members.get_mut(segment),
                Value::Array(elements) => elements.get_mut(array_index(segment)?),
                _ => None,
            })
    }

    /// Returns the value at this place, if any.
    pub fn find_in<'value>(&self, value: &'value Value) -> Option<&'value Value> {
        let mut found = value;
        for segment in self.segments() {
            found = match found {
                Value::Object(entries) => entries.get(segment)?,
                Value::Array(elements) => elements.get(array_index(segment)?)?,
                _ => return None,
            };
        }
        Some(found)
    }
}

/// Parses an index: `0`, or digits without leading zeros.
fn array_index(segment: &str) -> Option<usize> {
    let is_canonical = segment == "0" || !segment.starts_with(['0', '+']);
    if is_canonical {
        segment.parse().ok()
    } else {
        None
    }
}

/// Uses the segments as they are, like [`push`](Pointer::push).
impl<S: AsRef<str>> FromIterator<S> for Pointer {
    fn from_iter<I: IntoIterator<Item = S>>(segments: I) -> Self {
        let mut pointer = Self::root();
        segments
            .into_iter()
            .for_each(|segment| pointer.push(segment));
        pointer.names.shrink_to_fit();
        pointer.ends.shrink_to_fit();
        pointer
    }
}

/// Compares the segments from the root down.
impl Ord for Pointer {
    fn cmp(&self, other: &Self) -> Ordering {
        self.segments().cmp(other.segments())
    }
}

impl PartialOrd for Pointer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pointer({:?})", self.to_string())
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for segment in self.segments() {
            write!(f, "/{}", segment.replace('~', "~0").replace('/', "~1"))?;
        }
        Ok(())
    }
}

impl FromStr for Pointer {
    type Err = PointerError;

    fn from_str(text: &str) -> Result<Self, PointerError> {
        if text.is_empty() {
            return Ok(Self::root());
        }
        let Some(segments) = text.strip_prefix('/') else {
            let path = text.trim_start_matches(['#', '/']);
            return Err(PointerError(format!(
                "{text:?} is not a JSON Pointer: a pointer starts with /; write {:?}",
                format!("/{path}")
            )));
        };
        segments
            .split('/')
            .map(|segment| unescape(text, segment))
            .collect()
    }
}

fn unescape(pointer: &str, segment: &str) -> Result<String, PointerError> {
    let mut parts = segment.split('~');
    let mut unescaped = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (character, rest) = if let Some(rest) = part.strip_prefix('0') {
            ('~', rest)
        } else if let Some(rest) = part.strip_prefix('1') {
            ('/', rest)
        } else {
            return Err(PointerError(format!(
                "{pointer:?} is not a JSON Pointer: ~ must be followed by 0 or 1; write ~0 for ~ \
                 and ~1 for / in a key"
            )));
        };
        unescaped.push(character);
        unescaped.push_str(rest);
    }
    Ok(unescaped)
}

/// The reason why a text isn't a [`Pointer`], and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointerError(String);

impl fmt::Display for PointerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PointerError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn pointer(text: &str) -> Pointer {
        text.parse().unwrap()
    }

    #[test]
    fn the_examples_of_the_rfc_find_what_it_says() {
        let document = parse(
            r#"{"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4,
                "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8}"#,
        )
        .unwrap();
        let found = |text: &str| pointer(text).find_in(&document).map(Value::to_string);
        assert_eq!(found(""), Some(document.to_string()));
        assert_eq!(found("/foo").as_deref(), Some(r#"["bar","baz"]"#));
        assert_eq!(found("/foo/0").as_deref(), Some(r#""bar""#));
        for (text, expected) in [
            ("/", "0"),
            ("/a~1b", "1"),
            ("/c%d", "2"),
            ("/e^f", "3"),
            ("/g|h", "4"),
            ("/i\\j", "5"),
            ("/k\"l", "6"),
            ("/ ", "7"),
            ("/m~0n", "8"),
        ] {
            assert_eq!(found(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "/foo/2", "/foo/00", "/foo/01", "/foo/+1", "/foo/-", "/foo/0/0", "/bar",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_pushed_is_escaped_in_text_and_comes_back() {
        let mut place = Pointer::root();
        place.push("~1");
        place.push("a/b");
        place.push("0");
        assert_eq!(place.to_string(), "/~01/a~1b/0");
        assert_eq!(pointer("/~01/a~1b/0"), place);
        assert_eq!(place.pop().as_deref(), Some("0"));
        assert!(place.segments().eq(["~1", "a/b"]));
    }

    #[test]
    fn a_place_covers_itself_and_what_is_within() {
        assert!(pointer("/a").covers(&pointer("/a")));
        assert!(pointer("/a").covers(&pointer("/a/b/0")));
        assert!(Pointer::root().covers(&pointer("/a")));
        assert!(!pointer("/a/b").covers(&pointer("/a")));
        assert!(!pointer("/a").covers(&pointer("/ab")));
    }

    #[test]
    fn places_are_ordered_by_their_segments() {
        let mut places = ["/a b", "/b", "/a/x", "/a", "", "/a~1", "/a-", "/ab"].map(pointer);
        places.sort();
        let texts = places.map(|place| place.to_string());
        assert_eq!(
            texts,
            ["", "/a", "/a/x", "/a b", "/a-", "/a~1", "/ab", "/b"]
        );
        assert_ne!(pointer("/a/b"), pointer("/ab"));
        assert_ne!(pointer("/ab/c"), pointer("/a/bc"));
    }

    #[test]
    fn an_error_says_what_to_write() {
        let message = |text: &str| text.parse::<Pointer>().unwrap_err().to_string();
        assert_eq!(
            message("price"),
            r#""price" is not a JSON Pointer: a pointer starts with /; write "/price""#
        );
        assert!(message("#/price").ends_with(r#"write "/price""#));
        assert_eq!(
            message("/a~b"),
            r#""/a~b" is not a JSON Pointer: ~ must be followed by 0 or 1; write ~0 for ~ and ~1 for / in a key"#
        );
        assert!("/a~".parse::<Pointer>().is_err());
    }
}
