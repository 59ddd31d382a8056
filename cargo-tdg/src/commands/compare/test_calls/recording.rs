//! The calls that a run of the tests recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, iter};

use tdg_definition::json::Value;

use crate::commands::compare::calls::{CallOutcome, next_token, tokens, value_of};
use crate::error::{Context as _, Result};

/// The calls of a run.
#[derive(Default)]
pub(super) struct Recording {
    /// Each call once, even if tests make it several times.
    pub(super) calls: Vec<RecordedCall>,
    /// The calls that another call made, by their keys.
    pub(super) parents: BTreeMap<u64, BTreeSet<u64>>,
    /// The tests that made a call themselves.
    pub(super) tests: BTreeMap<u64, BTreeSet<String>>,
}

pub(super) struct RecordedCall {
    pub(super) function: String,
    /// The digest of the function and its arguments.
    pub(super) key: u64,
    /// The type parameters with their types, and the names and texts of the arguments.
    pub(super) types: Vec<(String, String)>,
    pub(super) arguments: Vec<(String, String)>,
    pub(super) values: Vec<Value>,
    pub(super) outcome: CallOutcome,
}

/// The text of a value without `Debug`.
pub(super) const UNSHOWN: &str = "?";

impl RecordedCall {
    /// Returns false if a part of the arguments isn't known.
    pub(super) fn is_shown(&self) -> bool {
        self.arguments.iter().all(|(_, text)| text != UNSHOWN)
    }

    /// Returns the names of the type parameters.
    pub(super) fn parameters(&self) -> Vec<&str> {
        self.types.iter().map(|(name, _)| name.as_str()).collect()
    }
}

impl Recording {
    /// Returns the functions with arguments that can't be shown.
    pub(super) fn unshown(&self) -> impl Iterator<Item = &str> {
        let calls = self.calls.iter().filter(|it| !it.is_shown());
        calls.map(|it| it.function.as_str())
    }

    /// Adds the calls in the files of a folder, which the tests in a source made. `copied` is the
    /// place of the copy, which differs between the sides.
    pub(super) fn read(&mut self, folder: &Path, copied: &str, source: &str) -> Result<()> {
        for entry in fs::read_dir(folder).context(folder.display())? {
            let path = entry.context(folder.display())?.path();
            let bytes = fs::read(&path).context(path.display())?;
            let mut rest = &*bytes;
            // The last record may be cut, if the process was killed.
            while let Some((record, others)) = next_token(rest) {
                rest = others;
                tokens(record).and_then(|it| self.add(&it, copied, source));
            }
        }
        Ok(())
    }

    fn add(&mut self, record: &[String], copied: &str, source: &str) -> Option<()> {
        let texts: Vec<&str> = record.iter().map(String::as_str).collect();
        let key = |text: &str| u64::from_str_radix(text, 16).ok();
        match texts[..] {
            ["call", function, of, types, arguments, outcome] => {
                let (mut types, mut arguments) = (named(types)?, named(arguments)?);
                types.iter_mut().for_each(|(_, it)| *it = short(it));
                for (_, text) in &mut arguments {
                    *text = text.replace(copied, "…");
                }
                let mut outcome = CallOutcome::read(outcome.as_bytes())?;
                outcome.each_text(|it| *it = it.replace(copied, "…"));
                self.calls.push(RecordedCall {
                    function: function.to_owned(),
                    key: key(of)?,
                    values: arguments.iter().map(|(_, text)| value_of(text)).collect(),
                    types,
                    arguments,
                    outcome,
                });
            }
            ["edge", from, to] => {
                self.parents.entry(key(to)?).or_default().insert(key(from)?);
            }
            ["test", test, to] => {
                self.tests
                    .entry(key(to)?)
                    .or_default()
                    .insert(test_name(test, source));
            }
            _ => {}
        }
        Some(())
    }
}

/// Reads names, each with its text.
fn named(texts: &str) -> Option<Vec<(String, String)>> {
    let mut texts = tokens(texts.as_bytes())?.into_iter();
    let named = iter::from_fn(|| Some((texts.next()?, texts.next()?)));
    Some(named.collect())
}

/// Returns the name of a type without modules, which may have other names on the other side.
fn short(name: &str) -> String {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let (modules, last) = name.rsplit_once("::").unwrap_or(("", name));
    let modules = modules.split("::").map(|it| it.trim_end_matches(is_word));
    modules.collect::<String>() + last
}

/// Returns the name of a test with its file, since two files may have tests of one name.
pub(super) fn test_name(test: &str, source: &str) -> String {
    format!("{test} ({source})")
}

#[cfg(test)]
pub(super) fn recorded(text: &str) -> Recording {
    let mut recording = Recording::default();
    let token = |it: &str| format!("{}:{it}", it.len());
    let tokens = |it: &str| it.split('=').map(token).collect::<String>();
    for line in text.lines().map(str::trim).filter(|it| !it.is_empty()) {
        // `test | parent > key | function | name=text, … | text` or `panicked=text`, and perhaps
        // ` | type=text`.
        let parts: Vec<&str> = line.split(" | ").collect();
        let (from, key) = parts[0].split_once(" > ").unwrap();
        let kind = match from.parse::<u64>() {
            Ok(_) => "edge",
            Err(_) => "test",
        };
        let texts = |parts: &[&str]| parts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        recording
            .add(&texts(&[kind, from, key]), "/copy", "src/lib.rs")
            .unwrap();
        let arguments: String = parts[2].split(", ").map(tokens).collect();
        let outcome = match parts[3].split_once('=') {
            Some(("panicked", _)) => tokens(parts[3]),
            _ => token("returned") + "0:" + &token(parts[3]),
        };
        let types = parts.get(4).map_or(String::new(), |it| tokens(it));
        let call = texts(&["call", parts[1], key, &types, &arguments, &outcome]);
        recording.add(&call, "/copy", "src/lib.rs").unwrap();
    }
    recording
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_until_the_cut_one() {
        let folder = tempfile::tempdir().unwrap();
        let call = "4:call1:f1:a27:1:T21:core::Option<a::b::C>9:1:x4:\"/c\"19:8:returned0:5:Ok(1)";
        let edge = "4:edge1:b1:a";
        let test = "4:test1:t1:b";
        let text = [call, edge, test].map(|it| format!("{}:{it}", it.len()));
        fs::write(folder.path().join("1"), text.concat() + "30:4:call1:g").unwrap();
        let mut recording = Recording::default();
        recording.read(folder.path(), "/c", "src/lib.rs").unwrap();
        let [call] = &recording.calls[..] else {
            panic!("{}", recording.calls.len());
        };
        assert_eq!((call.function.as_str(), call.key), ("f", 10));
        assert_eq!(call.arguments, [("x".to_owned(), "\"…\"".to_owned())]);
        let types = [("T".to_owned(), "Option<C>".to_owned())];
        assert_eq!(call.types, types);
        assert_eq!(call.outcome.text(), "Ok(1)");
        assert_eq!(recording.parents[&10], BTreeSet::from([11]));
        assert_eq!(
            recording.tests[&11],
            BTreeSet::from(["t (src/lib.rs)".to_owned()])
        );
    }
}
