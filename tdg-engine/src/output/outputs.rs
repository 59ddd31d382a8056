//! The outputs of a run, as one JSON array.

use hmac_sha256::Hash;
use tdg_definition::json::{Error, Reader, Value, write_value};

use super::depth::Depth;
use crate::hex::hex;

/// The outputs of a run in the order of its cases, each as canonical JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// A JSON array of all outputs.
    text: String,
    /// The end offset of each output in the text.
    ends: Vec<usize>,
}

impl Outputs {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// Creates an empty list with room for this many outputs of typical length.
    #[must_use]
    pub fn with_capacity(cases: usize) -> Self {
        let mut text = String::with_capacity(2 + 20 * cases);
        text.push_str("[]");
        Self {
            text,
            ends: Vec::with_capacity(cases),
        }
    }

    /// Parses a JSON array of outputs, with any white space and order of keys.
    ///
    /// # Errors
    ///
    /// Fails if it isn't a JSON array or if an output is nested too deeply; the error has the
    /// position.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut reader = Reader::new(text);
        let outputs = Self::read(&mut reader)?;
        reader.finish()?;
        Ok(outputs)
    }

    /// Reads the next array of a larger text.
    ///
    /// # Errors
    ///
    /// The same as for [`parse`](Self::parse).
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let mut outputs = Self::new();
        reader.begin_array()?;
        while reader.next_element()? {
            let start = reader.offset();
            let output = reader.value()?;
            let room = Depth::default().check_room_for(&output);
            room.map_err(|error| reader.error_at(start, error.to_string()))?;
            outputs.push(&output);
        }
        Ok(outputs)
    }

    /// Takes over a text from [`as_json`](Self::as_json) unchanged.
    ///
    /// # Errors
    ///
    /// Fails if the text isn't a JSON array; the error has the position.
    pub fn from_canonical(text: String) -> Result<Self, Error> {
        let mut ends = Vec::new();
        let mut reader = Reader::new(&text);
        reader.begin_array()?;
        while reader.next_element()? {
            reader.skip_value()?;
            ends.push(reader.offset());
        }
        reader.finish()?;
        Ok(Self { text, ends })
    }

    /// Adds the output of the next case.
    pub fn push(&mut self, output: &Value) {
        self.begin();
        write_value(&mut self.text, output);
        self.end();
    }

    /// Adds the output of the next case, given as JSON.
    pub fn push_text(&mut self, output: &str) {
        self.begin();
        self.text.push_str(output);
        self.end();
    }

    /// Returns the number of cases.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no cases.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the output of a case as JSON.
    #[must_use]
    pub fn get(&self, case: usize) -> &str {
        // Skips the opening bracket, or the comma after the previous output.
        let start = match case {
            0 => 0,
            _ => self.ends[case - 1],
        };
        &self.text[start + 1..self.ends[case]]
    }

    /// Returns their identity: the first 16 bytes of the SHA-256 of [`as_json`](Self::as_json), in
    /// hexadecimal.
    pub fn digest(&self) -> String {
        digest(&self.text)
    }

    /// Returns all outputs as one JSON array.
    #[must_use]
    pub fn as_json(&self) -> &str {
        &self.text
    }

    fn begin(&mut self) {
        self.text.pop();
        if !self.ends.is_empty() {
            self.text.push(',');
        }
    }

    fn end(&mut self) {
        self.ends.push(self.text.len());
        self.text.push(']');
    }
}

/// Returns the digest of outputs given as one JSON array; see [`Outputs::digest`].
pub(crate) fn digest(json: &str) -> String {
    hex(&Hash::hash(json.as_bytes())[..16])
}

impl<'a> FromIterator<&'a Value> for Outputs {
    fn from_iter<T: IntoIterator<Item = &'a Value>>(values: T) -> Self {
        let mut outputs = Self::new();
        values.into_iter().for_each(|output| outputs.push(output));
        outputs
    }
}

impl Default for Outputs {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsed_outputs_equal_the_pushed_ones() {
        let mut pushed = Outputs::new();
        pushed.push(&Value::from(1.5));
        pushed.push(&Value::object([
            ("a", Value::Null),
            ("b", Value::from("x")),
        ]));
        assert_eq!(
            Outputs::parse(r#" [ 1.50, {"b": "x", "a":null} ] "#).unwrap(),
            pushed
        );
        assert_eq!(
            Outputs::from_canonical(pushed.as_json().to_owned()).unwrap(),
            pushed
        );
        assert_eq!(Outputs::parse("[]").unwrap(), Outputs::new());
        assert!(Outputs::parse("[1] 2").is_err());
        assert!(Outputs::parse("{}").is_err());
    }

    #[test]
    fn an_output_may_be_as_deep_as_one_that_a_function_returns() {
        let nested = |levels: usize| format!("[{}{}]", "[".repeat(levels), "]".repeat(levels));
        assert!(Outputs::parse(&nested(60)).is_ok());
        insta::assert_snapshot!(Outputs::parse(&nested(61)).unwrap_err(), @"line 1, column 2: the output is nested deeper than 60 levels");
    }

    #[test]
    fn each_output_is_found_again() {
        let mut outputs = Outputs::new();
        assert_eq!(outputs.as_json(), "[]");
        outputs.push(&Value::from(1.5));
        outputs.push(&Value::from("a,b"));
        outputs.push_text("[]");
        assert_eq!(outputs.as_json(), r#"[1.5,"a,b",[]]"#);
        let each: Vec<_> = (0..outputs.len()).map(|case| outputs.get(case)).collect();
        assert_eq!(each, ["1.5", r#""a,b""#, "[]"]);
    }
}
