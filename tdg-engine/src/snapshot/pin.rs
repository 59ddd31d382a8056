//! Which of a server's benchmarks a checkout is tested against.

use super::ensemble_line;
use super::render::begin;
use crate::ensemble::Ensemble;
use crate::output::Outputs;

/// What the snapshot file of a benchmark on a server says instead of its cases. Branches with different
/// pins do not disturb each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The UUID of the ensemble.
    pub ensemble: String,
    /// The UUID of the benchmark.
    pub benchmark: String,
    /// What identifies the outputs, as the server has it.
    pub digest: String,
}

impl Pin {
    /// What the outputs are kept under once they were fetched.
    pub fn outputs_key(&self) -> String {
        format!("outputs {}", self.digest)
    }

    /// The outputs in a text that was kept under that key, if they are those that it pins.
    pub fn outputs(&self, text: String) -> Option<Outputs> {
        let outputs = Outputs::from_canonical(text).ok()?;
        (outputs.digest() == self.digest).then_some(outputs)
    }
}

/// The text of a snapshot file that pins a benchmark; `expression` and `description` as in
/// [`render`](super::render).
///
/// ```
/// use tdg_engine::Ensemble;
/// use tdg_engine::snapshot::{Pin, Snapshot, render_pin};
///
/// let ensemble = Ensemble {
///     name: "pricing::total".into(),
///     size: 500,
///     seed: 7,
///     sampler_version: 1,
///     digest: "52fdfc072182654f163f5f0f9a621d72".into(),
///     definition: r#"{"features":[]}"#.into(),
/// };
/// let pin = Pin {
///     ensemble: "0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10".into(),
///     benchmark: "4f1f0b1e-6f0e-4c58-8c0e-6a4a3c1d2b20".into(),
///     digest: "9566c74d10037c4d7bbb0407d1e2c649".into(),
/// };
/// let text = render_pin("pricing::total", "500 cases of definitions/orders.json", &ensemble, &pin);
/// assert_eq!(text.lines().count(), 5);
/// assert_eq!(Snapshot::parse(text)?.pin(), Some(&pin));
/// # Ok::<(), tdg_engine::snapshot::SnapshotError>(())
/// ```
pub fn render_pin(expression: &str, description: &str, ensemble: &Ensemble, pin: &Pin) -> String {
    let mut text = begin(expression, description);
    ensemble_line::write(&mut text, ensemble, Some(pin));
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::Snapshot;

    fn pinned() -> String {
        let ensemble = Ensemble {
            name: "total".into(),
            size: 3,
            seed: 0,
            sampler_version: 1,
            digest: "00ff".into(),
            definition: r#"{"features":[]}"#.into(),
        };
        let pin = Pin {
            ensemble: "e".into(),
            benchmark: "b".into(),
            digest: "d".into(),
        };
        render_pin("total", "3 cases", &ensemble, &pin)
    }

    #[test]
    fn a_pin_has_a_size_and_no_cases() {
        let snapshot = Snapshot::parse(pinned()).unwrap();
        assert_eq!(snapshot.ensemble().size, 3);
        assert!(snapshot.is_empty());
        insta::assert_snapshot!(snapshot.case(0).unwrap_err(), @"snapshot: it pins a benchmark on a server, which has the cases; run the test, whose report shows what changed; all of it can be accepted here");
    }

    #[test]
    fn a_pin_with_cases_or_with_half_of_itself_is_damaged() {
        let message = |text: String| Snapshot::parse(text).unwrap_err().to_string();
        insta::assert_snapshot!(message(pinned() + "[[],1]\n"), @"snapshot: hand-edited or truncated: says 0 cases, has 1; restore it from version control, or delete it to record anew");
        insta::assert_snapshot!(message(pinned().replace("output_digest", "other")), @r#"snapshot, line 5: the line about the ensemble has no "output_digest"; restore it from version control, or delete it to record anew"#);
    }
}
