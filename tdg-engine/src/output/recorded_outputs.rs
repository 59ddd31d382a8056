//! The outputs of a run on the rows of a benchmark that was recorded for other inputs.

use super::Outputs;

/// The outputs of a run on the rows of a benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedOutputs {
    /// The digest of the benchmark's rows.
    pub digest: String,
    /// The output of each row, or [the reason why it has none](super::unbound).
    pub outputs: Outputs,
}

impl RecordedOutputs {
    /// Returns the digest on one line and the outputs on the next.
    pub fn to_text(&self) -> String {
        format!("{}\n{}", self.digest, self.outputs.as_json())
    }

    /// Reads a [text](Self::to_text), or returns `None` if it is damaged.
    pub fn from_text(text: &str) -> Option<Self> {
        let (digest, outputs) = text.split_once('\n')?;
        Some(Self {
            digest: digest.to_owned(),
            outputs: Outputs::from_canonical(outputs.to_owned()).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_read_as_they_were_written() {
        let recorded = RecordedOutputs {
            digest: "00ff".to_owned(),
            outputs: Outputs::parse(r#"[1,{"$unbound":"a reason"},"\n"]"#).unwrap(),
        };
        let read = RecordedOutputs::from_text(&recorded.to_text());
        assert_eq!(read.as_ref(), Some(&recorded));
        assert_eq!(RecordedOutputs::from_text("00ff"), None);
        assert_eq!(RecordedOutputs::from_text("00ff\n[1,"), None);
    }
}
