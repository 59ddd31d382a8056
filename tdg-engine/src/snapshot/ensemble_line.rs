//! The line of JSON that describes the ensemble.

use std::borrow::Cow;

use tdg_definition::Policy;
use tdg_definition::json::{self, Value};

use super::error::{RESTORE, SnapshotError};
use super::pin::Pin;
use crate::ensemble::Ensemble;
use crate::output::OutputForm;

/// The latest format of snapshot files that this tdg reads. Files that earlier versions can read
/// are written in format 1.
const FORMAT: u64 = 2;

/// The needs that this tdg supports. A file in format 2 lists what its readers must understand.
const OUTPUTS_ONLY: &str = "outputs only";
const NEEDS: [&str; 3] = [OUTPUTS_ONLY, "outputs by Debug", "outputs by Display"];

/// The content after the line about the ensemble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SnapshotBody {
    /// One case per line: `[[inputs…],output]`.
    Cases,
    /// One output per line. The rows are drawn.
    Outputs,
    /// Empty, since the benchmark is on a server.
    Pin(Pin),
}

pub(super) fn write(text: &mut String, ensemble: &Ensemble, body: &SnapshotBody) {
    text.push_str(match body {
        SnapshotBody::Outputs => "{\"tdg\":2,\"needs\":[\"outputs only\"]",
        SnapshotBody::Cases | SnapshotBody::Pin(_) => "{\"tdg\":1",
    });
    text.push_str(&text_member("ensemble", &ensemble.name));
    text.push_str(",\"size\":");
    json::write_u64(text, ensemble.size as u64);
    // A string, because many JSON readers round integers above 2⁵³.
    text.push_str(",\"seed\":\"");
    json::write_u64(text, ensemble.seed);
    text.push_str("\",\"sampler\":");
    json::write_u64(text, ensemble.sampler_version.into());
    text.push_str(&text_member("digest", &ensemble.digest));
    if let SnapshotBody::Pin(pin) = body {
        text.push_str(&text_member("ensemble_uuid", &pin.ensemble));
        text.push_str(&text_member("benchmark_uuid", &pin.benchmark));
        text.push_str(&text_member("output_digest", &pin.digest));
    }
    if let Some(rows) = &ensemble.rows {
        text.push_str(&text_member("rows", rows));
    }
    text.push_str(",\"definition\":");
    text.push_str(&ensemble.definition);
    text.push('}');
}

/// Adds the form of the outputs to the line's needs.
pub(super) fn with_outputs_by(line: &str, form: OutputForm) -> String {
    let need = format!("\"outputs by {form}\"");
    let (other, needs) = ("{\"tdg\":2,\"needs\":[", "{\"tdg\":1");
    match line.contains(other) {
        true => line.replacen(other, &format!("{other}{need},"), 1),
        false => line.replacen(needs, &format!("{other}{need}]"), 1),
    }
}

/// Returns the text of a snapshot file whose cases are to replace the benchmark that the committed
/// file pins, given by its UUID: [`Snapshot::replaces`](super::Snapshot::replaces).
pub fn replacing(text: &str, benchmark: &str) -> String {
    with_member(text, &text_member("replaces", benchmark))
}

/// Returns the text of a snapshot file without the mark that its cases replace that benchmark.
pub fn not_replacing(text: &str, benchmark: &str) -> String {
    text.replacen(&text_member("replaces", benchmark), "", 1)
}

/// Marks a test that isn't named after its function.
const NAMED: &str = ",\"named\":true";

/// Returns the text of a snapshot file of a test that isn't named after its function.
pub fn named(text: &str) -> String {
    with_member(text, NAMED)
}

/// Returns the line without that mark.
pub(super) fn unnamed(line: &str) -> String {
    line.replacen(NAMED, "", 1)
}

/// Returns the text of a snapshot file of a test whose source is outside its package's directory.
pub fn of_package(text: &str, package: &str) -> String {
    with_member(text, &text_member("package", package))
}

/// Returns the text of a snapshot file with its policy replaced, or `None` if the former policy is
/// written in another notation.
pub fn with_policy(text: &str, former: &Policy, policy: &Policy) -> Option<String> {
    let member = |policy: &Policy| match policy.is_exact() {
        true => String::new(),
        false => format!(",\"policy\":{}", policy.stated().to_json()),
    };
    let (former, policy) = (member(former), member(policy));
    if former.is_empty() {
        return Some(with_member(text, &policy));
    }
    let (before, after) = text.split_once(&former)?;
    Some([before, &policy, after].concat())
}

/// Writes `,"package":"shop"`.
fn text_member(name: &str, value: &str) -> String {
    let mut member = format!(",\"{name}\":");
    json::write_str(&mut member, value);
    member
}

fn with_member(text: &str, member: &str) -> String {
    // This finds no text inside strings, where quotation marks are escaped.
    let definition = ",\"definition\":";
    text.replacen(definition, &[member, definition].concat(), 1)
}

/// The content of the line about the ensemble.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EnsembleLine {
    pub(super) ensemble: Ensemble,
    pub(super) body: SnapshotBody,
    /// True if the test isn't named after its function.
    pub(super) is_named: bool,
    /// The package of the test, if its source is outside the package's directory.
    pub(super) package: Option<String>,
    /// The pinned benchmark that the cases are to replace.
    pub(super) replaces: Option<String>,
    /// The policy with which the outputs were recorded or accepted.
    pub(super) policy: Policy,
}

impl EnsembleLine {
    /// Returns the number of cases that follow.
    pub(super) fn cases(&self) -> usize {
        match self.body {
            SnapshotBody::Pin(_) => 0,
            SnapshotBody::Cases | SnapshotBody::Outputs => self.ensemble.size,
        }
    }

    pub(super) fn pin(&self) -> Option<&Pin> {
        match &self.body {
            SnapshotBody::Pin(pin) => Some(pin),
            SnapshotBody::Cases | SnapshotBody::Outputs => None,
        }
    }
}

/// Parses the line. Unknown keys are ignored: a later version may add some. Most lines end with the
/// test's `definition`, and parsing it again would take longer than all the rest.
pub(super) fn parse_of(line: &str, definition: &str) -> Result<EnsembleLine, SnapshotError> {
    let (line, definition) = match without(line, definition) {
        Some(rest) => (Cow::from(rest), Some(definition)),
        None => (Cow::from(line), None),
    };
    let line = object(&line)?;
    let string = |key: &str| field(&line, key, "a string", as_string);
    let optional = |key: &str| line.get(key).map(|_| string(key)).transpose();
    let policy = match line.get("policy") {
        Some(policy) => Policy::from_json(policy).map_err(|faults| {
            let problem = "\"policy\" in the line about the ensemble is invalid:";
            SnapshotError::damaged(format!("{problem} {faults}"))
        })?,
        None => Policy::exact(),
    };
    Ok(EnsembleLine {
        body: match line.get("benchmark_uuid") {
            None => body(&line)?,
            Some(_) => SnapshotBody::Pin(Pin {
                ensemble: string("ensemble_uuid")?,
                benchmark: string("benchmark_uuid")?,
                digest: string("output_digest")?,
            }),
        },
        ensemble: Ensemble {
            name: string("ensemble")?,
            size: field(&line, "size", "a whole number", |size| {
                size.as_u64()?.try_into().ok()
            })?,
            seed: field(&line, "seed", "a string of digits up to 2⁶⁴ − 1", as_seed)?,
            sampler_version: field(&line, "sampler", "a whole number", |version| {
                version.as_u64()?.try_into().ok()
            })?,
            digest: string("digest")?,
            definition: match definition {
                Some(definition) => definition.to_owned(),
                None => field(&line, "definition", "an object", |definition| {
                    definition.as_object().map(|_| definition.to_string())
                })?,
            },
            rows: optional("rows")?,
        },
        is_named: line.get("named").and_then(Value::as_bool) == Some(true),
        package: optional("package")?,
        replaces: optional("replaces")?,
        policy,
    })
}

/// Returns the line as JSON if tdg wrote it in a format that this version reads.
fn object(line: &str) -> Result<Value, SnapshotError> {
    if !line.starts_with('{') {
        return Err(foreign());
    }
    let line = json::parse(line).map_err(|error| {
        SnapshotError::damaged(format!(
            "the line about the ensemble is not JSON: {} (column {})",
            error.message(),
            error.column()
        ))
        .caused_by(error)
    })?;
    if line.get("tdg").is_none() {
        return Err(foreign());
    }
    match field(&line, "tdg", "a whole number", Value::as_u64)? {
        ..=FORMAT => Ok(line),
        format => Err(SnapshotError::new(
            format!("written by a newer tdg (format {format}; this one reads {FORMAT})"),
            "update tdg",
        )),
    }
}

/// Returns the line without the definition, if that is its last member.
fn without(line: &str, definition: &str) -> Option<String> {
    let rest = line.strip_suffix('}')?.strip_suffix(definition)?;
    let rest = rest.strip_suffix(",\"definition\":")?;
    (!definition.is_empty()).then(|| rest.to_owned() + "}")
}

/// Derives the body from the needs of the file.
fn body(line: &Value) -> Result<SnapshotBody, SnapshotError> {
    if line.get("needs").is_none() {
        return Ok(SnapshotBody::Cases);
    }
    let needs = field(line, "needs", "an array of strings", as_strings)?;
    if let Some(unknown) = needs.iter().find(|need| !NEEDS.contains(&need.as_str())) {
        return Err(SnapshotError::new(
            format!("written by a newer tdg: it needs {unknown:?}, which this one does not know"),
            "update tdg",
        ));
    }
    Ok(match needs.iter().any(|need| need == OUTPUTS_ONLY) {
        true => SnapshotBody::Outputs,
        false => SnapshotBody::Cases,
    })
}

fn foreign() -> SnapshotError {
    SnapshotError::new(
        "not a benchmark of tdg: no line {\"tdg\":1,…} follows the header",
        "if the file belongs to another tool, give the test another `name`; otherwise delete it to record again",
    )
}

fn field<T>(
    line: &Value,
    key: &str,
    expected: &str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Result<T, SnapshotError> {
    let Some(value) = line.get(key) else {
        return Err(SnapshotError::new(
            format!("the line about the ensemble has no {key:?}"),
            RESTORE,
        ));
    };
    read(value).ok_or_else(|| {
        SnapshotError::damaged(format!(
            "{key:?} in the line about the ensemble must be {expected}, but is {}",
            shortened(value.to_string())
        ))
    })
}

fn shortened(mut text: String) -> String {
    if let Some((cut, _)) = text.char_indices().nth(40) {
        text.truncate(cut);
        text.push('…');
    }
    text
}

fn as_strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(as_string).collect()
}

fn as_string(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn as_seed(value: &Value) -> Option<u64> {
    match value.as_str() {
        Some(digits) => digits.parse().ok(),
        None => value.as_u64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ensemble() -> Ensemble {
        Ensemble {
            name: "pricing::total".into(),
            size: 500,
            seed: u64::MAX,
            sampler_version: 1,
            digest: "00ff".into(),
            definition: r#"{"features":[]}"#.into(),
            rows: None,
        }
    }

    fn line(ensemble: Ensemble, body: SnapshotBody) -> EnsembleLine {
        EnsembleLine {
            ensemble,
            body,
            is_named: false,
            package: None,
            replaces: None,
            policy: Policy::exact(),
        }
    }

    fn parse(line: &str) -> Result<EnsembleLine, SnapshotError> {
        parse_of(line, "")
    }

    fn written() -> String {
        let mut text = String::new();
        write(&mut text, &ensemble(), &SnapshotBody::Cases);
        text
    }

    fn message(line: &str) -> String {
        parse(line).unwrap_err().to_string()
    }

    #[test]
    fn the_keys_are_in_reading_order() {
        insta::assert_snapshot!(written(), @r#"{"tdg":1,"ensemble":"pricing::total","size":500,"seed":"18446744073709551615","sampler":1,"digest":"00ff","definition":{"features":[]}}"#);
    }

    #[test]
    fn the_written_line_is_read_back() {
        assert_eq!(
            parse(&written()).unwrap(),
            line(ensemble(), SnapshotBody::Cases)
        );
    }

    #[test]
    fn a_known_definition_is_not_parsed_again() {
        let definition = &ensemble().definition;
        let (expected, other) = (line(ensemble(), SnapshotBody::Cases), r#"{"features":[1]}"#);
        assert_eq!(
            without(&written(), definition).unwrap().len(),
            written().len() - 29
        );
        assert_eq!(parse_of(&written(), definition).unwrap(), expected);
        assert_eq!(parse_of(&written(), other).unwrap(), expected);
        for cut in ["", "}", "[]", r#"[]}"#] {
            let damaged = written().replace(r#"{"features":[]}}"#, cut);
            assert!(parse_of(&damaged, "").is_err(), "{damaged}");
            assert!(parse_of(&damaged, definition).is_err(), "{damaged}");
        }
    }

    #[test]
    fn rows_of_a_file_are_marked() {
        let of_file = Ensemble {
            rows: Some("cases.csv".into()),
            ..ensemble()
        };
        let mut text = String::new();
        write(&mut text, &of_file, &SnapshotBody::Cases);
        assert!(
            text.contains(r#","rows":"cases.csv","definition":"#),
            "{text}"
        );
        assert_eq!(parse(&text).unwrap(), line(of_file, SnapshotBody::Cases));
    }

    #[test]
    fn cases_that_replace_a_pinned_benchmark_name_it() {
        let tricky = Ensemble {
            name: r#"","definition":{}"#.into(),
            ..ensemble()
        };
        let mut text = String::new();
        write(&mut text, &tricky, &SnapshotBody::Cases);
        let replacing = replacing(&text, "4f1f0b1e");
        assert!(
            replacing.contains(r#","digest":"00ff","replaces":"4f1f0b1e","definition":"#),
            "{replacing}"
        );
        let expected = EnsembleLine {
            replaces: Some("4f1f0b1e".into()),
            ..line(tricky, SnapshotBody::Cases)
        };
        assert_eq!(parse(&replacing).unwrap(), expected);
    }

    #[test]
    fn a_name_that_is_not_the_functions_is_marked() {
        let named = named(&replacing(&written(), "4f1f0b1e"));
        assert!(
            named.contains(r#","replaces":"4f1f0b1e","named":true,"definition":"#),
            "{named}"
        );
        assert!(parse(&named).unwrap().is_named);
    }

    #[test]
    fn a_policy_is_written_replaced_and_left_out_if_it_is_exact() {
        let of = |json: &str| Policy::parse(json).unwrap();
        let (exact, loose) = (Policy::exact(), of(r#"{"tolerance": {"abs": 0.5}}"#));
        let looser = of(r#"{"tolerance": {"abs": 2}, "ignore": ["/id"]}"#);
        let first = with_policy(&written(), &exact, &loose).unwrap();
        assert!(
            first.contains(r#","digest":"00ff","policy":{"tolerance":{"abs":0.5}},"definition":"#),
            "{first}"
        );
        assert_eq!(parse(&first).unwrap().policy, loose);
        let second = with_policy(&first, &loose, &looser).unwrap();
        assert_eq!(parse(&second).unwrap().policy, looser);
        assert_eq!(with_policy(&second, &looser, &exact), Some(written()));
        let spaced = first.replace(r#""abs":0.5"#, r#""abs": 0.5"#);
        assert_eq!(parse(&spaced).unwrap().policy, loose);
        assert_eq!(with_policy(&spaced, &loose, &looser), None);
    }

    #[test]
    fn order_spaces_and_unknown_keys_do_not_matter() {
        let text = r#"{"definition": {"features": [ ]}, "later": [1], "digest": "00ff", "sampler": 1.0,
            "seed": 18446744073709551615, "size": 500, "ensemble": "pricing::total", "tdg": 1}"#;
        assert_eq!(parse(text).unwrap(), line(ensemble(), SnapshotBody::Cases));
    }

    #[test]
    fn a_newer_format_is_named_before_anything_else_is_read() {
        assert_eq!(
            message(r#"{"tdg":3,"size":"many"}"#),
            "snapshot: written by a newer tdg (format 3; this one reads 2); update tdg"
        );
    }

    #[test]
    fn a_file_without_inputs_says_so_and_earlier_versions_refuse_it() {
        let mut text = String::new();
        write(&mut text, &ensemble(), &SnapshotBody::Outputs);
        assert!(
            text.starts_with(r#"{"tdg":2,"needs":["outputs only"],"ensemble":"#),
            "{text}"
        );
        assert_eq!(
            parse(&text).unwrap(),
            line(ensemble(), SnapshotBody::Outputs)
        );
        let newer = text.replace(
            "[\"outputs only\"]",
            "[\"outputs only\",\"rows of a file\"]",
        );
        insta::assert_snapshot!(message(&newer), @r#"snapshot: written by a newer tdg: it needs "rows of a file", which this one does not know; update tdg"#);
        let none = text.replace("[\"outputs only\"]", "[]");
        assert_eq!(parse(&none).unwrap(), line(ensemble(), SnapshotBody::Cases));
    }

    #[test]
    fn wrong_types_and_missing_keys_are_named() {
        let wrong = |from: &str, to: &str| message(&written().replace(from, to));
        insta::assert_snapshot!([
            wrong(r#""size":500"#, r#""size":"five""#),
            wrong(r#""size":500"#, r#""size":-1"#),
            wrong(r#""seed":"18446744073709551615""#, r#""seed":"-7""#),
            wrong(r#""sampler":1"#, r#""sampler":4294967296"#),
            wrong(r#""digest":"00ff""#, r#""digest":null"#),
            wrong(r#"{"features":[]}"#, r#"["a long definition which is not shown in full"]"#),
            wrong(r#""tdg":1"#, r#""tdg":"1""#),
            wrong(r#""size":500"#, r#""size":500,"policy":{"abs":1}"#),
            wrong(r#""size":500,"#, ""),
            wrong(r#","seed""#, r#""seed""#),
            message(r#"{"ensemble":"pricing::total"}"#),
            message("Hello, world!"),
        ].join("\n"), @r#"
        snapshot: "size" in the line about the ensemble must be a whole number, but is "five"; restore it from version control, or delete it to record again
        snapshot: "size" in the line about the ensemble must be a whole number, but is -1; restore it from version control, or delete it to record again
        snapshot: "seed" in the line about the ensemble must be a string of digits up to 2⁶⁴ − 1, but is "-7"; restore it from version control, or delete it to record again
        snapshot: "sampler" in the line about the ensemble must be a whole number, but is 4294967296; restore it from version control, or delete it to record again
        snapshot: "digest" in the line about the ensemble must be a string, but is null; restore it from version control, or delete it to record again
        snapshot: "definition" in the line about the ensemble must be an object, but is ["a long definition which is not shown i…; restore it from version control, or delete it to record again
        snapshot: "tdg" in the line about the ensemble must be a whole number, but is "1"; restore it from version control, or delete it to record again
        snapshot: "policy" in the line about the ensemble is invalid: /abs: unknown; expected one of: tolerance, fields, ignore, unordered, distribution, f32, allow; restore it from version control, or delete it to record again
        snapshot: the line about the ensemble has no "size"; restore it from version control, or delete it to record again
        snapshot: the line about the ensemble is not JSON: expected `,` or `}`, found a string (column 48); restore it from version control, or delete it to record again
        snapshot: not a benchmark of tdg: no line {"tdg":1,…} follows the header; if the file belongs to another tool, give the test another `name`; otherwise delete it to record again
        snapshot: not a benchmark of tdg: no line {"tdg":1,…} follows the header; if the file belongs to another tool, give the test another `name`; otherwise delete it to record again
        "#);
    }
}
