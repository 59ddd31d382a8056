//! The text of a snapshot file.

use tdg_definition::json;

use super::ensemble_line;
use crate::ensemble::Ensemble;

/// The text of the snapshot file of a benchmark.
///
/// `expression` and `description` are for the reviewer: the test, and what it was run on. `write_row`
/// appends the inputs of a case to the text as a JSON array, `write_output` its output as JSON; both
/// without line breaks.
///
/// ```
/// use tdg_engine::Ensemble;
/// use tdg_engine::snapshot::{Snapshot, render};
///
/// let ensemble = Ensemble {
///     name: "pricing::total".into(),
///     size: 1,
///     seed: 7,
///     sampler_version: 1,
///     digest: "52fdfc072182654f163f5f0f9a621d72".into(),
///     definition: r#"{"features":[]}"#.into(),
/// };
/// let text = render(
///     "pricing::total",
///     "1 case of definitions/orders.json",
///     &ensemble,
///     |_case, text| text.push_str(r#"[12.44,3,"HALF"]"#),
///     |_case, text| text.push_str("18.66"),
/// );
/// assert!(text.ends_with("\n[[12.44,3,\"HALF\"],18.66]\n"));
///
/// let snapshot = Snapshot::parse(text)?;
/// assert_eq!(snapshot.ensemble(), &ensemble);
/// assert_eq!(snapshot.output_text(0)?, "18.66");
/// # Ok::<(), tdg_engine::snapshot::SnapshotError>(())
/// ```
pub fn render(
    expression: &str,
    description: &str,
    ensemble: &Ensemble,
    mut write_row: impl FnMut(usize, &mut String),
    mut write_output: impl FnMut(usize, &mut String),
) -> String {
    let mut text = begin(expression, description);
    ensemble_line::write(&mut text, ensemble, None);
    text.push('\n');
    for case in 0..ensemble.size {
        text.push('[');
        write_row(case, &mut text);
        text.push(',');
        write_output(case, &mut text);
        text.push_str("]\n");
    }
    text
}

/// The header.
pub(super) fn begin(expression: &str, description: &str) -> String {
    let mut text = String::new();
    // No `source`: cargo-insta takes files that have one for its own, and deletes those which none of
    // its own tests used.
    // The rest as cargo-insta writes it, so that a file it has accepted does not change again.
    text.push_str("---\ndescription: ");
    write_yaml_string(&mut text, description);
    text.push_str("\nexpression: ");
    write_yaml_string(&mut text, expression);
    text.push_str("\n---\n");
    text
}

/// Plain where YAML takes it for nothing but a string; else a JSON string, which is a YAML scalar
/// whatever is in it.
fn write_yaml_string(text: &mut String, string: &str) {
    if is_plain(string) {
        text.push_str(string);
    } else {
        json::write_str(text, string);
    }
}

fn is_plain(string: &str) -> bool {
    const WORDS: [&str; 10] = [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan",
    ];
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b' ' | b'.' | b'/' | b'-');
    let has_word = string.bytes().any(|byte| byte.is_ascii_alphabetic());
    string.bytes().all(plain)
        && string.starts_with(|first: char| first.is_ascii_alphanumeric())
        && string.ends_with(|last: char| last.is_ascii_alphanumeric())
        && has_word
        && string.parse::<f64>().is_err()
        && !string.starts_with("0x")
        && !string.starts_with("0o")
        && !WORDS.contains(&string.to_ascii_lowercase().as_str())
}
