//! Outputs for any rows, as a test process gives them to the `cargo tdg` of the same version.
//!
//! Both exchange files in a directory. The process writes `test.json`; then it reads the number of
//! a question from each line of its standard input, the rows from `<number>.rows`, and writes the
//! outputs to `<number>.outputs`, or the reason why it has none to `<number>.error`. After each
//! step it prints the [line](answered) that says so.

use std::path::{Path, PathBuf};
use std::{fs, io};

use tdg_definition::json::{self, Value};
use tdg_definition::{Definition, Policy};

use crate::config::process_environment;
use crate::feature_selection::Takes;

/// The environment variable with the directory.
pub const VARIABLE: &str = "TDG_ANSWERS";

/// The environment variable with the name of the test to answer for.
pub const TEST: &str = "TDG_ANSWERS_OF";

/// Returns the directory, and the name of the test to answer for, if the process was asked to.
pub fn asked() -> Option<(PathBuf, String)> {
    let directory = process_environment(VARIABLE).filter(|it| !it.is_empty())?;
    let test = process_environment(TEST)?.into_string().ok()?;
    Some((directory.into(), test))
}

/// Returns the line that a process prints once it has answered a question; 0 is the first line.
pub fn answered(question: usize) -> String {
    format!("tdg: answered {question}")
}

/// A test, as it answers.
#[derive(Clone, Debug)]
pub struct AnsweringTest {
    /// The definition of its rows.
    pub definition: Definition,
    /// The comparison policy.
    pub policy: Policy,
    /// The features that the function takes.
    pub takes: Takes,
    /// The seed of the ensemble's rows.
    pub seed: u64,
    /// The number of the ensemble's rows.
    pub size: usize,
    /// True if the ensemble's rows are of a file.
    pub has_file: bool,
    /// The kept rows, after the rows of a file. Each has the values of all features.
    pub rows: Vec<Value>,
}

impl AnsweringTest {
    /// Writes the test's file.
    ///
    /// # Errors
    /// Fails if it can't be written.
    pub fn write(&self, directory: &Path) -> io::Result<()> {
        let value = Value::object([
            ("definition", Value::from(self.definition.canonical())),
            ("policy", Value::from(self.policy.to_json().to_string())),
            ("takes", Value::from(self.takes.to_json())),
            ("seed", Value::from(self.seed)),
            ("size", Value::from(self.size as u64)),
            ("has_file", Value::from(self.has_file)),
            ("rows", Value::Array(self.rows.clone())),
        ]);
        fs::write(directory.join(FILE), value.to_string())
    }

    /// Reads the test's file. `None` if the process wrote none.
    pub fn read(directory: &Path) -> Option<Self> {
        let text = fs::read_to_string(directory.join(FILE)).ok()?;
        let value = json::parse(&text).ok()?;
        let text = |key: &str| value.get(key)?.as_str();
        let number = |key: &str| value.get(key)?.as_u64();
        Some(Self {
            definition: Definition::parse_recorded(text("definition")?).ok()?,
            policy: Policy::parse(text("policy")?).ok()?,
            takes: Takes::from_json(text("takes")),
            seed: number("seed")?,
            size: usize::try_from(number("size")?).ok()?,
            has_file: value.get("has_file")?.as_bool()?,
            rows: value.get("rows")?.as_array()?.to_vec(),
        })
    }
}

const FILE: &str = "test.json";

/// The files of a question.
pub struct QuestionFiles {
    /// The rows, as a JSON array.
    pub rows: PathBuf,
    /// The outputs, as a JSON array.
    pub outputs: PathBuf,
    /// The reason for missing outputs.
    pub error: PathBuf,
}

impl QuestionFiles {
    /// Returns the files of the question with this number.
    pub fn new(directory: &Path, number: usize) -> Self {
        let file = |ending: &str| directory.join(format!("{number}.{ending}"));
        Self {
            rows: file("rows"),
            outputs: file("outputs"),
            error: file("error"),
        }
    }
}
