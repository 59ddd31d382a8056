//! The CSV texts that mean null.

/// The CSV texts that mean null, regardless of surrounding white space. JSON has `null`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NullMarks {
    has_usual: bool,
    texts: Vec<String>,
}

/// The marks written by programs and spreadsheets, in lower case.
const USUAL: [&str; 8] = ["", "na", "n/a", "null", "nan", "#n/a", "<na>", "\\n"];

impl NullMarks {
    /// Returns the usual marks: the empty text, `NA`, `N/A`, `null`, `NaN`, `#N/A`, `<NA>` and `\N`
    /// in any case.
    pub fn usual() -> Self {
        Self {
            has_usual: true,
            texts: Vec::new(),
        }
    }

    /// Adds these texts.
    #[must_use]
    pub fn with(mut self, texts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let texts = texts.into_iter().map(Into::into);
        self.texts.extend(texts.map(|text| text.trim().to_owned()));
        self
    }

    /// Returns true if a text means null.
    #[must_use]
    pub fn contain(&self, text: &str) -> bool {
        let text = text.trim();
        let is_short = text.len() <= 4;
        self.has_usual && is_short && USUAL.iter().any(|usual| text.eq_ignore_ascii_case(usual))
            || self.texts.iter().any(|mark| mark == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_marks_and_those_that_are_added_mean_null() {
        let marks = NullMarks::usual().with(["--", " ? "]);
        for text in [
            "", " ", "NA", "n/a", "NULL", "NaN", "#N/A", "\\N", "--", "?",
        ] {
            assert!(marks.contain(text), "{text}");
        }
        for text in ["-", "NONE", "0", "N A"] {
            assert!(!marks.contain(text), "{text}");
        }
        assert!(!NullMarks::default().contain(""));
        assert!(!NullMarks::default().with(["-"]).contain("NA"));
    }
}
