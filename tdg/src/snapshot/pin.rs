//! Which of a service's benchmarks a checkout is tested against.

use super::ensemble_line;
use super::render::begin;
use crate::ensemble::Ensemble;

/// What the snapshot file of a benchmark on a service says instead of its cases. Branches with different
/// pins do not disturb each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The UUID of the ensemble.
    pub ensemble: String,
    /// The UUID of the benchmark.
    pub benchmark: String,
    /// What identifies the outputs, as the service has it.
    pub digest: String,
}

/// The text of a snapshot file that pins a benchmark; `expression` and `description` as in
/// [`render`](super::render).
///
/// ```
/// use tdg::Ensemble;
/// use tdg::snapshot::{Pin, Snapshot, render_pin};
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
/// # Ok::<(), tdg::snapshot::SnapshotError>(())
/// ```
pub fn render_pin(expression: &str, description: &str, ensemble: &Ensemble, pin: &Pin) -> String {
    let mut text = begin(expression, description);
    ensemble_line::write(&mut text, ensemble, Some(pin));
    text.push('\n');
    text
}
