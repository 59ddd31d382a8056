//! The outputs of a run.

use crate::json::{Value, write_value};

/// The outputs of a run in the order of its cases, each as canonical JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// A JSON array of all of them.
    text: String,
    /// Where each output ends in the text.
    ends: Vec<usize>,
}

impl Outputs {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// None yet, with room for so many of usual length.
    #[must_use]
    pub fn with_capacity(cases: usize) -> Self {
        let mut text = String::with_capacity(2 + 20 * cases);
        text.push_str("[]");
        Self {
            text,
            ends: Vec::with_capacity(cases),
        }
    }

    /// Adds the output of the next case.
    pub fn push(&mut self, output: &Value) {
        self.begin();
        write_value(&mut self.text, output);
        self.end();
    }

    /// Adds the output of the next case, which is JSON already.
    pub fn push_text(&mut self, output: &str) {
        self.begin();
        self.text.push_str(output);
        self.end();
    }

    /// The number of cases.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no cases.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The output of a case as JSON.
    #[must_use]
    pub fn get(&self, case: usize) -> &str {
        // Behind the bracket, or the comma that follows the output before.
        let start = match case {
            0 => 0,
            _ => self.ends[case - 1],
        };
        &self.text[start + 1..self.ends[case]]
    }

    /// All of them as one JSON array.
    #[must_use]
    pub fn as_json(&self) -> &str {
        &self.text
    }

    /// All of them as one JSON array.
    #[must_use]
    pub fn into_json(self) -> String {
        self.text
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

impl Default for Outputs {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
