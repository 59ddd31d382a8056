//! The text of a snapshot file.

use tdg_definition::json;

use super::ensemble_line::{self, SnapshotBody};
use super::hidden_characters;
use super::pin::Pin;
use crate::ensemble::Ensemble;
use crate::output::OutputForm;

/// Renders the snapshot file of a benchmark.
///
/// `expression` (the test) and `description` (its data) are for the reviewer. `write_row` appends
/// the inputs of a case as a JSON array, and `write_output` its output as JSON, both without line
/// breaks.
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
///     rows: None,
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
    let text = begin(expression, description, ensemble, &SnapshotBody::Cases);
    with_cases(text, ensemble.size, &mut |case, text| {
        text.push('[');
        write_row(case, text);
        text.push(',');
        let output = text.len();
        write_output(case, text);
        text.push(']');
        output
    })
}

/// Renders a snapshot file without inputs; `expression`, `description` and `write_output` are as in
/// [`render`].
pub fn render_outputs(
    expression: &str,
    description: &str,
    ensemble: &Ensemble,
    mut write_output: impl FnMut(usize, &mut String),
) -> String {
    let text = begin(expression, description, ensemble, &SnapshotBody::Outputs);
    with_cases(text, ensemble.size, &mut |case, text| {
        let output = text.len();
        write_output(case, text);
        output
    })
}

/// Appends the cases, and adds the forms of their outputs to the line about the ensemble.
/// `write_case` returns the offset of the output.
fn with_cases(
    mut text: String,
    size: usize,
    write_case: &mut dyn FnMut(usize, &mut String) -> usize,
) -> String {
    let mut forms = Vec::new();
    for case in 0..size {
        text.push('\n');
        let line = text.len();
        let output = write_case(case, &mut text);
        let form = OutputForm::marked(&text[output..]);
        forms.extend(form.filter(|form| !forms.contains(form)));
        hidden_characters::escape_from(&mut text, line);
    }
    text.push('\n');
    let name = |text: String, form: OutputForm| ensemble_line::with_outputs_by(&text, form);
    forms.into_iter().fold(text, name)
}

/// Renders a snapshot file that pins a benchmark; `expression` and `description` are as in
/// [`render`].
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
///     rows: None,
/// };
/// let pin = Pin {
///     ensemble: "0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10".into(),
///     benchmark: "4f1f0b1e-6f0e-4c58-8c0e-6a4a3c1d2b20".into(),
///     digest: "9566c74d10037c4d7bbb0407d1e2c649".into(),
/// };
/// let text = render_pin("pricing::total", "500 cases of orders.json", &ensemble, &pin);
/// assert_eq!(text.lines().count(), 5);
/// assert_eq!(Snapshot::parse(text)?.pin(), Some(&pin));
/// # Ok::<(), tdg_engine::snapshot::SnapshotError>(())
/// ```
pub fn render_pin(expression: &str, description: &str, ensemble: &Ensemble, pin: &Pin) -> String {
    let body = SnapshotBody::Pin(pin.clone());
    begin(expression, description, ensemble, &body) + "\n"
}

/// Renders the header and the line about the ensemble.
fn begin(expression: &str, description: &str, ensemble: &Ensemble, body: &SnapshotBody) -> String {
    let mut text = String::new();
    // No `source`: cargo-insta deletes files with a source if its own tests don't use them. The
    // rest is written like cargo-insta does, so that accepting a file doesn't change it.
    text.push_str("---\ndescription: ");
    write_yaml_string(&mut text, description);
    text.push_str("\nexpression: ");
    write_yaml_string(&mut text, expression);
    text.push_str("\n---\n");
    ensemble_line::write(&mut text, ensemble, body);
    text
}

/// Writes a plain scalar if YAML reads it as a string, else a JSON string, which is valid YAML.
pub(super) fn write_yaml_string(text: &mut String, string: &str) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::{Snapshot, not_replacing, replacing};

    fn pinned() -> String {
        let ensemble = Ensemble {
            name: "total".into(),
            size: 3,
            seed: 0,
            sampler_version: 1,
            digest: "00ff".into(),
            definition: r#"{"features":[]}"#.into(),
            rows: None,
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
        insta::assert_snapshot!(snapshot.output(0).unwrap_err(), @"snapshot: it pins a benchmark on a server, so it has no cases; run the test to see what changed, or decide about the whole change");
    }

    #[test]
    fn a_text_that_replaces_a_pin_names_it_and_is_the_same_otherwise() {
        let ensemble = Snapshot::parse(pinned()).unwrap().ensemble().clone();
        let description = r#"3 cases of ","definition":"#;
        let text = render_outputs("total", description, &ensemble, |_, text| text.push('1'));
        let read = |text: &str| Snapshot::parse(text.to_owned()).unwrap();
        assert_eq!(read(&text).replaces(), None);
        let replacing = replacing(&text, "b");
        assert_eq!(not_replacing(&replacing, "b"), text);
        let replacing = read(&replacing);
        assert_eq!(replacing.replaces(), Some("b"));
        assert_eq!(replacing.pin(), None);
        assert_eq!(replacing.ensemble(), &ensemble);
        let replaced = replacing.with_outputs_replaced(|_| Some("2".to_owned()));
        assert_eq!(read(&replaced.unwrap()).replaces(), Some("b"));
    }

    #[test]
    fn the_forms_of_outputs_are_needs_of_the_file() {
        let ensemble = Snapshot::parse(pinned()).unwrap().ensemble().clone();
        let outputs = [
            r#"{"Ok":{"$debug":"1"}}"#,
            "2",
            r#"{"Err":{"$display":"a"}}"#,
        ];
        let row = |_, text: &mut String| text.push_str("[]");
        let output = |case: usize, text: &mut String| text.push_str(outputs[case]);
        let with_inputs = render("total", "", &ensemble, row, output);
        let without = render_outputs("total", "", &ensemble, output);
        let head = |text: &str| text.lines().nth(4).unwrap()[..70].to_owned();
        insta::assert_snapshot!(head(&with_inputs), @r#"{"tdg":2,"needs":["outputs by Display","outputs by Debug"],"ensemble":"#);
        insta::assert_snapshot!(head(&without), @r#"{"tdg":2,"needs":["outputs by Display","outputs by Debug","outputs onl"#);
        for text in [with_inputs, without] {
            let snapshot = Snapshot::parse(text.clone()).unwrap();
            assert_eq!(snapshot.output_text(0).unwrap(), outputs[0]);
            assert_eq!(snapshot.output(0).unwrap().to_string(), r#"{"Ok":1}"#);
            let later = text.replace("by Debug", "by Dump");
            insta::allow_duplicates! {
                insta::assert_snapshot!(Snapshot::parse(later).unwrap_err(), @r#"snapshot, line 5: written by a newer tdg: it needs "outputs by Dump", which this one does not know; update tdg"#);
            }
        }
    }

    #[test]
    fn a_pin_with_cases_or_with_half_of_itself_is_damaged() {
        let message = |text: String| Snapshot::parse(text).unwrap_err().to_string();
        insta::assert_snapshot!(message(pinned() + "[[],1]\n"), @"snapshot: hand-edited or truncated: says 0 cases, has 1; restore it from version control, or delete it to record again");
        insta::assert_snapshot!(message(pinned().replace("output_digest", "other")), @r#"snapshot, line 5: the line about the ensemble has no "output_digest"; restore it from version control, or delete it to record again"#);
    }
}
