//! `cargo tdg constants`: finds constants of the code that no row of a test has.
//!
//! `tested → missing → definition_file, notation`: finds the test and the functions that it calls,
//! then the constants that no row has, then where to write them.

mod definition_file;
mod missing_constants;
mod notation;
mod tested_functions;

use std::fs;
use std::path::PathBuf;

use clap::Args;
use tdg_definition::{Definition, json};
use tdg_engine::snapshot::{Snapshot, save};

use self::missing_constants::{MissingConstants, missing};
use self::tested_functions::{DefinitionPlace, TestedCode};

pub(crate) use self::tested_functions::LibraryCode;
use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::record::{RecordedTest, RecordedTests, vectors};
use crate::terminal::style::{FAINT, STRONG};
use crate::terminal::{PressedKey, ask, confirm, counted, is_interactive, note, print};
use crate::workspace::{Packages, Workspace};

/// Show constants of the code under test that none of a test's rows contain
///
/// Lists the numbers with their neighbours, the texts and the bytes that the test, the functions
/// under test, and functions they call in the crate compare a feature with. They can be written
/// into the definition, as values of `edge_cases`. Exits with 1 if any were not written.
#[derive(Args, Debug)]
pub(crate) struct Constants {
    #[command(flatten)]
    packages: Packages,
    /// A test with a benchmark, by name or snapshot file
    test: String,
    /// Write them into the definition without asking
    #[arg(long)]
    write: bool,
}

impl Constants {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let records = RecordedTests::read_chosen(&workspace, &self.packages)?;
        let record = records.named(&self.test)?;
        let library = LibraryCode::read(&record.package)?;
        let code = TestedCode::read(record, &library)?;
        let snapshot = snapshot(record)?;
        let missing = missing_of(&snapshot, &code)?;
        print(&text(record, &code, &missing, snapshot.ensemble().size))?;
        if missing.is_empty() {
            return Ok(Exit::Fine);
        }
        let place = Place::new(&workspace, record, &code, &snapshot)?;
        if !self.write {
            if !is_interactive() {
                return Ok(Exit::Found);
            }
            let shown = workspace.display_path(&place.file);
            let question = format!("{STRONG}Write{STRONG:#} them into {shown}? (y/n) ");
            if ask(&question)? != PressedKey::Character('y') {
                return Ok(Exit::Found);
            }
        }
        place.write(&workspace, &code, &missing)
    }
}

/// Returns the benchmark, or else the pending outputs that would be the first.
fn snapshot(record: &RecordedTest) -> Result<Snapshot> {
    let snapshot = match record.benchmark()? {
        Some(benchmark) => benchmark,
        None => record.change()?.pending.snapshot,
    };
    match &snapshot.ensemble().rows {
        Some(rows) => Err(Error::new(format!(
            "the rows of {} come from {rows}; add rows with the constants there",
            record.test
        ))),
        None => Ok(snapshot),
    }
}

/// Returns a line with the constants that no row of a test has; empty if the rows have all.
pub(crate) fn unreached(record: &RecordedTest, library: &LibraryCode) -> Result<String> {
    let missing = missing_of(&snapshot(record)?, &TestedCode::read(record, library)?)?;
    let features = missing.iter().map(|it| {
        let values: Vec<String> = it.values.iter().map(ToString::to_string).collect();
        format!("{} = {}", it.path, values.join(", "))
    });
    let features: Vec<String> = features.collect();
    Ok(match features.is_empty() {
        true => String::new(),
        false => format!("{} has no row with {}", record.test, features.join("; ")),
    })
}

/// Returns the constants that no row has.
fn missing_of(snapshot: &Snapshot, code: &TestedCode) -> Result<Vec<MissingConstants>> {
    let ensemble = snapshot.ensemble();
    let rows = json::parse(&vectors(snapshot)?.to_json()).context(&ensemble.name)?;
    let rows = rows.as_array().unwrap_or_default();
    missing(&ensemble.definition, rows, code).context(&ensemble.name)
}

fn text(
    record: &RecordedTest,
    code: &TestedCode,
    missing: &[MissingConstants],
    size: usize,
) -> String {
    let rows = counted(size, "row");
    let mut text = format!(
        "{STRONG}{}{STRONG:#} calls {}\n",
        record.test,
        code.called.join(", ")
    );
    if missing.is_empty() {
        text += &format!("  each constant that the features can have is in one of {rows}\n");
    }
    let width = missing.iter().map(|it| it.path.len()).max().unwrap_or(0);
    for it in missing {
        let values: Vec<String> = it.values.iter().map(ToString::to_string).collect();
        let values = values.join(", ");
        text += &format!(
            "  {:width$}  {values}  {FAINT}in none of {rows}{FAINT:#}\n",
            it.path
        );
    }
    text
}

/// The place to write the constants to.
struct Place {
    file: PathBuf,
    /// The content of the definition file when the benchmark was recorded.
    definition: Option<String>,
}

impl Place {
    fn new(
        workspace: &Workspace,
        record: &RecordedTest,
        code: &TestedCode,
        snapshot: &Snapshot,
    ) -> Result<Self> {
        let directory = &workspace.package(&record.test.package)?.directory;
        Ok(match &code.definition {
            DefinitionPlace::File(file) => Self {
                file: directory.join(file),
                definition: Some(snapshot.ensemble().definition.clone()),
            },
            DefinitionPlace::Parameters | DefinitionPlace::Type(_) => Self {
                file: directory.join(&record.test.source),
                definition: None,
            },
        })
    }

    /// Writes the constants where possible, and notes the others.
    fn write(
        &self,
        workspace: &Workspace,
        code: &TestedCode,
        missing: &[MissingConstants],
    ) -> Result<Exit> {
        let shown = workspace.display_path(&self.file);
        let mut text = fs::read_to_string(&self.file).context(&shown)?;
        if let Some(recorded) = &self.definition
            && Definition::parse(&text).context(&shown)?
                != Definition::parse_recorded(recorded).context(&code.function)?
        {
            // Other tests may share the file; their constants and newer ones would be lost.
            return Err(Error::new(format!(
                "{shown} has changed since the benchmark of {} was recorded; run the test and \
                 accept its new rows, and then write the constants",
                code.function
            )));
        }
        let mut written = 0;
        for it in missing {
            let with = match self.definition.is_some() {
                true => definition_file::with_edge_cases(&text, &it.pointer, &it.wanted.json()),
                false => notation::with_edge_cases(&text, code, it),
            };
            match with {
                Some(with) => (text, written) = (with, written + 1),
                None => note(&format!(
                    "can't edit the definition of `{}` in {shown}; add this by hand: {}",
                    it.path,
                    it.wanted.notation()
                )),
            }
        }
        if written > 0 {
            // Follows a symbolic link and replaces its target.
            save(&self.file.canonicalize()?, &text)?;
            let features = counted(written, "feature");
            confirm(&format!("Wrote edge cases of {features} into {shown}.\n"))?;
        }
        Ok(match written == missing.len() {
            true => Exit::Fine,
            false => Exit::Found,
        })
    }
}
