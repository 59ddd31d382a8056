//! The outputs of a run.

use crate::json::{Value, write_value};

/// The outputs of a run in the order of its cases, each as canonical JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// A JSON array of all of them, its closing bracket still missing.
    text: String,
    /// Where each output ends in the text.
    ends: Vec<usize>,
}

impl Outputs {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            text: "[".to_owned(),
            ends: Vec::new(),
        }
    }

    /// Adds the output of the next case.
    pub fn push(&mut self, output: &Value) {
        self.begin();
        write_value(&mut self.text, output);
        self.ends.push(self.text.len());
    }

    /// Adds the output of the next case, which is JSON already.
    pub fn push_text(&mut self, output: &str) {
        self.begin();
        self.text.push_str(output);
        self.ends.push(self.text.len());
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
    pub fn to_json(&self) -> String {
        format!("{}]", self.text)
    }

    fn begin(&mut self) {
        if !self.ends.is_empty() {
            self.text.push(',');
        }
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
        assert_eq!(outputs.to_json(), "[]");
        outputs.push(&Value::from(1.5));
        outputs.push(&Value::from("a,b"));
        outputs.push_text("[]");
        assert_eq!(outputs.to_json(), r#"[1.5,"a,b",[]]"#);
        let each: Vec<_> = (0..outputs.len()).map(|case| outputs.get(case)).collect();
        assert_eq!(each, ["1.5", r#""a,b""#, "[]"]);
    }
}
