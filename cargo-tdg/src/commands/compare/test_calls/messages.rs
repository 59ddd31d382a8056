//! The messages of cargo about a build of tests.

use std::path::{Path, PathBuf};

use tdg_definition::json::{self, Value};

/// The result of a build.
#[derive(Default)]
pub(super) struct BuildMessages {
    pub(super) programs: Vec<TestProgram>,
    pub(super) errors: Vec<CompilerError>,
}

/// A program with tests.
pub(super) struct TestProgram {
    /// For example `tests/parser.rs`, which names the tests.
    pub(super) source: PathBuf,
    pub(super) path: PathBuf,
}

#[derive(PartialEq)]
pub(super) struct CompilerError {
    pub(super) message: String,
    /// As printed by the compiler.
    pub(super) rendered: String,
    /// The files and lines that it is about, outside of macros too.
    pub(super) places: Vec<(PathBuf, usize)>,
}

impl BuildMessages {
    /// Reads the output of cargo, for the package in a directory.
    pub(super) fn read(output: &str, package: &Path) -> Self {
        let mut messages = Self::default();
        for message in output.lines().filter_map(|it| json::parse(it).ok()) {
            // A library is compiled twice, and a file of helpers for each test program.
            let error = CompilerError::read(&message);
            let error = error.filter(|it| !messages.errors.contains(it));
            messages.errors.extend(error);
            messages
                .programs
                .extend(TestProgram::read(&message, package));
        }
        messages
            .programs
            .sort_by(|one, other| one.source.cmp(&other.source));
        messages
    }
}

impl TestProgram {
    fn read(message: &Value, package: &Path) -> Option<Self> {
        let path = PathBuf::from(text(message, "executable")?);
        let is_test = message.get("profile")?.get("test")?.as_bool()?;
        let source = PathBuf::from(text(message.get("target")?, "src_path")?);
        let source = source.strip_prefix(package).ok()?.to_owned();
        is_test.then_some(Self { source, path })
    }
}

impl CompilerError {
    fn read(message: &Value) -> Option<Self> {
        let inner = message.get("message")?;
        if !text(inner, "level")?.starts_with("error") {
            return None;
        }
        let spans = inner
            .get("spans")
            .and_then(Value::as_array)
            .unwrap_or_default();
        let is_primary = |it: &&Value| it.get("is_primary").and_then(Value::as_bool) == Some(true);
        let mut places = Vec::new();
        for mut span in spans.iter().filter(is_primary) {
            loop {
                places.extend(place(span));
                let outer = span.get("expansion").and_then(|it| it.get("span"));
                let Some(outer) = outer else { break };
                span = outer;
            }
        }
        Some(Self {
            message: text(inner, "message")?.to_owned(),
            rendered: text(inner, "rendered").unwrap_or_default().to_owned(),
            places,
        })
    }
}

fn place(span: &Value) -> Option<(PathBuf, usize)> {
    let line = span.get("line_start")?.as_u64()?.try_into().ok()?;
    Some((text(span, "file_name")?.into(), line))
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}
